"""The texture groups of a game: code loads them by their names.

The compiler adds groups that no project lists.  From 2024 on it writes names in small letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from overhaul.gamemaker.data.chunks.txtr import LoadType
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.texture_groups import TextureGroup

#: The group that each project has.
DEFAULT: Final = "Default"
_MADE_BY_COMPILER: Final = "_yyg_auto_gen_tex_group_name_"
_MIPS_BY_SIZE: Final = -1


class Group(NamedTuple):
    """A group as a project has it: ``is_scaled`` for filled pages, ``is_cropped`` for pictures
    without clear borders, ``border`` in pixels, ``mips`` smaller copies of pages (-1: as many as
    the size allows), ``directory`` of textures next to the game, ``parent`` another group."""

    name: str = DEFAULT
    is_scaled: bool = True
    is_cropped: bool = True
    border: int = 2
    mips: int = 0
    directory: str = ""
    parent: str = ""


class TextureGroups:
    """The groups of a project, and which resources are in them.

    ``members`` are the groups by kind and name of the resource in the game; ``apart`` are the names
    of groups whose textures are next to the game.
    """

    def __init__(
        self,
        groups: Sequence[Group] = (Group(),),
        members: Mapping[tuple[str, str], str] = MappingProxyType({}),
        apart: Sequence[str] = (),
    ) -> None:
        self.groups: Sequence[Group] = groups
        self.apart: Sequence[str] = apart
        self._members = members

    def name_of(self, kind: str, name: str) -> str:
        """The group of a resource."""
        return self._members.get((kind, name), DEFAULT)


def groups_of(game: GameData) -> TextureGroups:
    """The groups of a game, and which sprites, fonts and tile sets are in them."""
    found = {_name_of(group): group for group in game.texture_groups if _is_authors(group)}
    made = {DEFAULT: Group(), **{name: _group_of(name, group) for name, group in found.items()}}
    members = {
        (kind, member): name
        for name, group in found.items()
        for kind, listed in (
            ("sprite", group.sprites), ("font", group.fonts), ("tile_set", group.tile_sets)
        )
        for member in listed
    }  # fmt: skip
    apart = [name for name, group in found.items() if group.load_type != LoadType.IN_FILE]
    return TextureGroups(list(made.values()), members, apart)


def _is_authors(group: TextureGroup) -> bool:
    return bool(group.name) and _MADE_BY_COMPILER not in group.name.casefold()


def _name_of(group: TextureGroup) -> str:
    return DEFAULT if group.name.casefold() == DEFAULT.casefold() else group.name


def _group_of(name: str, group: TextureGroup) -> Group:
    """A group with what its first page says."""
    # Not group.pages: it packs pictures that wait for a page, and nothing is edited here.
    listed = [page for page in group.record.pages or () if isinstance(page, Reference)]
    page = next((page.target for page in listed if page.target is not None), None)
    mips = 0 if page is None else int(page.generated_mips)
    return Group(
        name,
        page is None or bool(page.scaled),
        mips=_MIPS_BY_SIZE if mips > 0x7FFFFFFF else mips,
        directory=str(group.record.directory or ""),
    )
