"""How two builds of a game are compared: by their stored bytes, and code by its instructions."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from overhaul.document.format_parts import StoredComparison
from overhaul.document.plainfiles import PlainFile
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.listed_names import resource_names
from overhaul.gamemaker.data.same_chunks import same_chunks
from overhaul.gamemaker.data_folder.code import same_code, same_sources
from overhaul.gamemaker.data_folder.kinds import TABLES, kinds_of
from overhaul.gamemaker.data_folder.view import FolderView

#: the input of files of pictures, besides the record of the resource
_PICTURES: Final = ("TPAG", "TXTR")
#: the lists whose names files have in the place of numbers, besides those of kinds
_NAMED: Final = ("AGRP", "TGIN", "CODE", "SCPT")
#: sounds may have their bytes in files next to the game
_APART: Final = ("SOND",)
#: the tables whose files show a record of the chunk, and names of lists, and nothing else
_BY_RECORD: Final = ("SCPT", "GLOB", "GMEN", "TGIN", "TAGS", "FEDS")


class StoredFiles:
    """The files of a game that was not edited since it was opened."""

    def __init__(self, game: GameData) -> None:
        self._game = game

    def same_places(self, other: object) -> frozenset[str]:
        """The folders of kinds of resources with the same files in another game, the paths of such
        tables, and those of such code without endings."""
        if not isinstance(other, StoredFiles):
            return frozenset()
        one, two = self._game, other._game
        return self._same_folders(other) | same_code(FolderView(one), FolderView(two))

    def _same_folders(self, other: StoredFiles) -> frozenset[str]:
        if self._game.release != other._game.release:
            return frozenset()
        one, two = self._game, other._game
        kinds = {kind.chunk: kind.folder for kind in kinds_of(one.release)}
        tables = {table.chunk: table.path for table in TABLES if table.chunk in _BY_RECORD}
        listed = {*kinds, *_NAMED}
        same = same_chunks(one, two, {*listed, *_PICTURES, *tables})
        if any(_names(one, chunk) != _names(two, chunk) for chunk in listed - same):
            return frozenset()
        if not same.issuperset(_PICTURES):
            return frozenset()
        places = {chunk: path for chunk, path in (kinds | tables).items() if chunk in same}
        return frozenset(path for chunk, path in places.items() if chunk not in _APART)


def _names(game: GameData, chunk: str) -> list[str | None]:
    return resource_names(game, chunk) if chunk in game.chunks else []


class GameComparison(StoredComparison[GameData]):
    """How two builds of a game are compared for less than comparing all their files takes."""

    def stored(self, game: GameData) -> StoredFiles | None:
        """The files of a game; None where something was decoded, which may have been edited."""
        touched = any(chunk.decoded for chunk in game.chunks.values())
        return None if touched else StoredFiles(game)

    def same_texts(self, one: GameData, two: GameData) -> bool:
        """Whether the strings that both have are the same."""
        both = min(len(one.strings), len(two.strings))
        return one.strings[:both] == two.strings[:both]

    def share_layout(self, one: GameData, two: GameData) -> None:
        """The walks through chunks, and the columns of the code."""
        if one.release == two.release:
            two.walks, two.numbers, two.sound = one.walks, one.numbers, one.sound
            two.found = one.found

    def share_analysis(self, one: GameData, two: GameData) -> None:
        """Share the inferences from code that is the same in both games."""
        two.language.decompiled.share_analysis(one.language.decompiled)

    def same_sources(
        self, files: Mapping[str, PlainFile], others: Mapping[str, PlainFile]
    ) -> Set[str]:
        """Sources of code with the same instructions."""
        return same_sources(files, others)


COMPARING: Final = GameComparison()
