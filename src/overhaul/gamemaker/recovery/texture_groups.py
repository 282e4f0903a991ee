"""The texture groups of a game: code loads them by their names.

The compiler makes groups of its own, of which a project knows nothing, and writes names in small
letters from 2024 on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.gamemaker.data.chunks.txtr import LoadType
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.texture_groups import TextureGroup

#: The group that each project has.
DEFAULT: Final = "Default"
_MADE_BY_COMPILER: Final = "_yyg_auto_gen_tex_group_name_"
_MIPS_BY_SIZE: Final = -1


class Group(NamedTuple):
    """A group as a project has it: ``is_scaled`` for filled pages, ``mips`` smaller copies of them
    (-1: as many as the size allows), ``directory`` of textures next to the game."""

    name: str = DEFAULT
    is_scaled: bool = True
    mips: int = 0
    directory: str = ""


class TextureGroups:
    """The groups of a game, and which sprites, fonts and tile sets are in them."""

    def __init__(self, game: GameData) -> None:
        found = {_name_of(group): group for group in game.texture_groups if _is_authors(group)}
        self.groups: list[Group] = [Group(), *self._groups(found)]
        if DEFAULT in found:
            self.groups[0] = _group_of(DEFAULT, found[DEFAULT])
        #: The names of groups whose textures are next to the game.
        self.apart: list[str] = [
            name for name, group in found.items() if group.load_type != LoadType.IN_FILE
        ]
        self._members: dict[tuple[str, str], str] = {
            (kind, member): name
            for name, group in found.items()
            for kind, members in (
                ("sprite", group.sprites), ("font", group.fonts), ("tile_set", group.tile_sets)
            )
            for member in members
        }  # fmt: skip

    @staticmethod
    def _groups(found: dict[str, TextureGroup]) -> Iterator[Group]:
        for name, group in found.items():
            if name != DEFAULT:
                yield _group_of(name, group)

    def name_of(self, kind: str, name: str) -> str:
        """The group of a resource, by its name in the game."""
        return self._members.get((kind, name), DEFAULT)


def _is_authors(group: TextureGroup) -> bool:
    return bool(group.name) and _MADE_BY_COMPILER not in group.name.casefold()


def _name_of(group: TextureGroup) -> str:
    return DEFAULT if group.name.casefold() == DEFAULT.casefold() else group.name


def _group_of(name: str, group: TextureGroup) -> Group:
    """A group with what its first page says."""
    page = next((page.target for page in group.record.pages if page.target is not None), None)
    mips = 0 if page is None else int(page.generated_mips)
    return Group(
        name,
        page is None or bool(page.scaled),
        _MIPS_BY_SIZE if mips > 0x7FFFFFFF else mips,
        str(group.record.directory or ""),
    )
