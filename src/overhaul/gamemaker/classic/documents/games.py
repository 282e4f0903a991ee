"""What projects and executables share: their resources, as people look at them."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, cast

from overhaul.document.registry import load
from overhaul.gamemaker.classic.documents.base import ClassicDocument
from overhaul.gamemaker.classic.kinds import BY_SINGULAR
from overhaul.gamemaker.classic.records import code_page
from overhaul.gamemaker.classic.rich_text import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from overhaul.document.views import ResourceView
    from overhaul.gamemaker.classic.surface.assets import (
        Background,
        DataFile,
        Font,
        Path,
        Sound,
        Sprite,
    )
    from overhaul.gamemaker.classic.surface.base import AnyPlace, Resources
    from overhaul.gamemaker.classic.surface.objects import Object, Script, Timeline, Trigger
    from overhaul.gamemaker.classic.surface.rooms import Room
    from overhaul.gml.context import Context

_SURFACE = "overhaul.gamemaker.classic.surface"


class GameDocument(ClassicDocument):
    """A file with the resources of a game.

    The list of a kind is made again each time; keep it where many are looked up.
    """

    @abstractmethod
    def slots(self) -> Mapping[str, Sequence[AnyPlace]]:
        """The places of every kind of resource that the game has."""

    @property
    @abstractmethod
    def smooth(self) -> bool:
        """Whether the game interpolates pixels."""

    @property
    @abstractmethod
    def rich_text(self) -> bytes:
        """What F1 shows to players, as Rich Text (RTF)."""

    @property
    def information(self) -> str:
        """What F1 shows to players, as plain text."""
        data = self.rich_text
        return plain_text(data, code_page(data) or "cp1252")

    def context(self) -> Context:
        """What the language tools know about the game: its dialect, its resources by name."""
        places = load(f"{_SURFACE}.base:Places")(self.slots())
        return cast("Context", load(f"{_SURFACE}.objects:context_of")(places))

    #: what there is to draw
    drawn_kinds = ("room", "sprite", "background")

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The resources of a kind, in the order of their ids; what F1 shows."""
        if kind == "information":
            return [load(f"{_SURFACE}.objects:Information")(self, self.information)]
        known = BY_SINGULAR.get(kind)
        found: Iterable[ResourceView] = () if known is None else getattr(self, known.plural)
        return found

    def _listed(self, target: str) -> object:
        """The list of a kind; what draws and describes is imported now."""
        places = load(f"{_SURFACE}.base:Places")(self.slots(), smooth=self.smooth, document=self)
        return load(f"{_SURFACE}.base:Resources")(places, load(f"{_SURFACE}.{target}"))

    @property
    def sprites(self) -> Resources[Sprite]:
        """The sprites."""
        return cast("Resources[Sprite]", self._listed("assets:Sprite"))

    @property
    def sounds(self) -> Resources[Sound]:
        """The sounds."""
        return cast("Resources[Sound]", self._listed("assets:Sound"))

    @property
    def backgrounds(self) -> Resources[Background]:
        """The backgrounds and sets of tiles."""
        return cast("Resources[Background]", self._listed("assets:Background"))

    @property
    def paths(self) -> Resources[Path]:
        """The paths."""
        return cast("Resources[Path]", self._listed("assets:Path"))

    @property
    def scripts(self) -> Resources[Script]:
        """The scripts."""
        return cast("Resources[Script]", self._listed("objects:Script"))

    @property
    def fonts(self) -> Resources[Font]:
        """The fonts; none before Game Maker 6."""
        return cast("Resources[Font]", self._listed("assets:Font"))

    @property
    def data_files(self) -> Resources[DataFile]:
        """The data files; none since Game Maker 6."""
        return cast("Resources[DataFile]", self._listed("assets:DataFile"))

    @property
    def timelines(self) -> Resources[Timeline]:
        """The timelines."""
        return cast("Resources[Timeline]", self._listed("objects:Timeline"))

    @property
    def objects(self) -> Resources[Object]:
        """The objects."""
        return cast("Resources[Object]", self._listed("objects:Object"))

    @property
    def rooms(self) -> Resources[Room]:
        """The rooms."""
        return cast("Resources[Room]", self._listed("rooms:Room"))

    @property
    def triggers(self) -> Resources[Trigger]:
        """The triggers; none before Game Maker 8."""
        return cast("Resources[Trigger]", self._listed("objects:Trigger"))
