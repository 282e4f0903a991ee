"""Texture groups: what shares texture pages, and packing these again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from overhaul.gamemaker.data.chunks.font import Font as FontRecord
from overhaul.gamemaker.data.chunks.sprt import Sprite as SpriteRecord
from overhaul.gamemaker.data.chunks.txtr import Background as BackgroundRecord
from overhaul.gamemaker.data.chunks.txtr import LoadType, TexturePage
from overhaul.gamemaker.data.chunks.txtr import TextureGroup as TextureGroupRecord
from overhaul.gamemaker.data.painting import GROUP_FIELDS, is_cropped
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.repacking import RepackReport, repack
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import Choice, Text

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.txtr import TexturePageItem

    Progress: TypeAlias = Callable[[int, int, str], None]
    #: the resources that a texture group can hold
    Drawn: TypeAlias = Resource[SpriteRecord] | Resource[FontRecord] | Resource[BackgroundRecord]


class TextureGroup(Resource[TextureGroupRecord]):
    """A texture group: sprites, fonts and tile sets whose pictures share texture pages."""

    __slots__ = ()
    chunk = "TGIN"

    directory: Text = Text(
        "the folder of textures kept next to the game (GameMaker 2022.9 and later)"
    )
    extension: Text = Text("the ending of such files (GameMaker 2022.9 and later)")
    load_type: Choice[LoadType] = Choice(
        LoadType, "where its textures are (GameMaker 2022.9 and later)"
    )

    @property
    def pages(self) -> list[TexturePage]:
        """Its texture pages; their pictures are ``page.image``."""
        known = self.game.named("TXTR")  # pictures that wait for a page get one
        return [known[page.index] for page in self._listed("pages") if page.target is not None]

    @property
    def sprites(self) -> list[str]:
        """The names of its sprites."""
        return self._names("sprites")

    @property
    def fonts(self) -> list[str]:
        """The names of its fonts."""
        return self._names("fonts")

    @property
    def tile_sets(self) -> list[str]:
        """The names of its tile sets."""
        return self._names("tilesets")

    def _names(self, field: str) -> list[str]:
        targets = [reference.target for reference in self._listed(field)]
        return [str(target.name) for target in targets if target is not None]

    def _listed(self, field: str) -> list[Reference[Any]]:
        """The references of a list; a damaged file may have no list, or numbers of nothing."""
        listed = getattr(self.record, field) or ()
        return [reference for reference in listed if isinstance(reference, Reference)]

    def add(self, *resources: Drawn) -> None:
        """Move sprites, fonts or tile sets into the group.

        Their pictures go to its pages; those that others show too stay where they are for these.
        Raises TypeError for what has no pictures, ValueError for a resource of another game.
        """
        for resource in resources:
            if resource.chunk not in GROUP_FIELDS:
                raise TypeError(f"{resource!r} can't be in a texture group")
            if resource.game is not self.game:
                raise ValueError(f"{resource!r} is of another game")
        for resource in resources:
            self._enter(resource)
            self._take_pictures(resource)

    def _enter(self, resource: Drawn) -> None:
        """List a resource here, and nowhere else."""
        field = GROUP_FIELDS[resource.chunk]
        reference = self.game.named(resource.chunk).reference(resource.index)
        for group in self.game.records.texture_groups.present():
            listed = getattr(group, field)
            if group is not self.record and reference in listed:
                listed.remove(reference)
        mine = getattr(self.record, field)
        if reference not in mine:
            mine.append(reference)

    def _take_pictures(self, resource: Drawn) -> None:
        painting = self.game.painting
        mine = self._listed("pages")
        for item, place in _pictures(resource.record):
            pixels = painting.images.frame(item)
            if item is None or pixels is None or any(item.page is page for page in mine):
                continue
            painting.put(
                pixels,
                None,
                place,
                group=lambda: self.record,
                path=resource.name,
                crop=is_cropped(resource.chunk, self.game.release),
            )

    def _about(self) -> str:
        counts = (
            (len(self._listed("pages")), "page"),
            (len(self._listed("sprites")), "sprite"),
            (len(self._listed("fonts")), "font"),
            (len(self._listed("tilesets")), "tile set"),
        )
        return ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts)


def _pictures(
    record: SpriteRecord | FontRecord | BackgroundRecord,
) -> list[tuple[TexturePageItem | None, Callable[[TexturePageItem], None]]]:
    """The items that a record shows, and what sets each."""
    if isinstance(record, SpriteRecord):
        frames = record.textures
        return [(item, partial(frames.__setitem__, index)) for index, item in enumerate(frames)]
    return [(record.texture, partial(setattr, record, "texture"))]


class TextureGroups(Resources[TextureGroup]):
    """The texture groups of a game (GameMaker 2.2.1 and later)."""

    resource = TextureGroup

    def add(self, name: str, *resources: Drawn) -> TextureGroup:
        """Add a texture group, and move resources into it.

        Raises ValueError for a name that is taken, and for releases without texture groups.
        """
        record = TextureGroupRecord()
        if self.game.release.at_least(2022, 9):
            record.directory = self.game.strings.add("")
            record.extension = self.game.strings.add(".yytex")
        group = self._add(record, name)
        group.add(*resources)
        return group

    def of(self, resource: Drawn) -> TextureGroup | None:
        """The group that lists a sprite, font or tile set; None where none does."""
        field = GROUP_FIELDS[resource.chunk]
        for group in self:
            listed = getattr(group.record, field)
            if any(
                reference.target is resource.record
                for reference in listed
                if isinstance(reference, Reference)
            ):
                return group
        return None

    def repack(
        self,
        groups: Iterable[str | TextureGroup] | None = None,
        *,
        page_size: int | None = None,
        padding: int | None = None,
        extrude: int | None = None,
        progress: Progress = lambda done, total, name: None,
    ) -> RepackReport:
        """Pack the texture pages again; see :meth:`GameData.repack`."""
        names = None
        if groups is not None:
            names = [group if isinstance(group, str) else group.name for group in groups]
        return repack(
            self.game,
            names,
            page_size=page_size,
            padding=padding,
            extrude=extrude,
            progress=progress,
        )
