"""How a game's data becomes plain files, and how these become a game again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhaul.document.folder_format import FolderFormat
from overhaul.findings import Findings
from overhaul.lazy import LazyModule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
    from overhaul.document.protocol import Resource
    from overhaul.gamemaker.data import blank
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data_folder import (
        applying,
        code_names,
        dropped_files,
        file_meaning,
        fitting,
        listing,
        new_resources,
        searching,
        stored_files,
        unpacking,
    )
else:  # start-up: listing resources needs no compiler, unpacking no reader of pictures
    blank = LazyModule("overhaul.gamemaker.data.blank")
    applying = LazyModule("overhaul.gamemaker.data_folder.applying")
    code_names = LazyModule("overhaul.gamemaker.data_folder.code_names")
    dropped_files = LazyModule("overhaul.gamemaker.data_folder.dropped_files")
    file_meaning = LazyModule("overhaul.gamemaker.data_folder.file_meaning")
    fitting = LazyModule("overhaul.gamemaker.data_folder.fitting")
    listing = LazyModule("overhaul.gamemaker.data_folder.listing")
    new_resources = LazyModule("overhaul.gamemaker.data_folder.new_resources")
    searching = LazyModule("overhaul.gamemaker.data_folder.searching")
    stored_files = LazyModule("overhaul.gamemaker.data_folder.stored_files")
    unpacking = LazyModule("overhaul.gamemaker.data_folder.unpacking")


class GameFormat(FolderFormat["GameData"]):
    """A game's data as a folder."""

    slow_listing = True  # it decodes all chunks
    lists_folders = True
    assembled = "code"
    begins = True

    def tree(self, document: GameData) -> Iterable[Resource]:
        """The resources of all kinds."""
        return listing.resources(document)

    def tree_in(self, document: GameData, wanted: Callable[[str], bool]) -> Iterable[Resource]:
        """The resources in some folders."""
        return listing.resources_in(document, wanted)

    def settings(self, document: GameData) -> dict[str, object]:
        """The settings that the plain files do not show."""
        return blank.settings_of(document)

    def plain_files(self, document: GameData, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked game."""
        return unpacking.plain_files(document, options)

    def apply(self, document: GameData, folder: Folder, changes: Mapping[str, Change]) -> Findings:
        """Change a game as its plain files were changed."""
        return applying.apply_folder(document, folder, changes)

    def empty(self, settings: Mapping[str, object]) -> GameData:
        """A game without resources."""
        return blank.blank_game(settings)

    def begin(self, settings: Mapping[str, object]) -> GameData:
        """A game with one room."""
        return blank.begin_game(settings)

    def take_others(
        self, document: GameData, folder: Folder, changes: Mapping[str, Change]
    ) -> tuple[Folder, Mapping[str, Change], Mapping[str, str]]:
        """The folder with plain files in place of dropped pictures, sounds and code."""
        return dropped_files.take_others(document, folder, changes)

    @property
    def meaning(self) -> file_meaning.GameMeaning:
        """The values that follow from other files, and the meaning of order and numbers."""
        return file_meaning.MEANING

    @property
    def mentions(self) -> file_meaning.GameMentions:
        """The events with an object, and the files that list all resources."""
        return file_meaning.MENTIONS

    @property
    def search(self) -> searching.GameSearch:
        """Texts, those of a large game from the cache."""
        return searching.SEARCH

    @property
    def names(self) -> code_names.GameNames:
        """The words of code, and what they name."""
        return code_names.NAMES

    @property
    def comparing(self) -> stored_files.GameComparison:
        """Chunks by their bytes, and code by its instructions."""
        return stored_files.COMPARING

    @property
    def additions(self) -> new_resources.GameAdditions:
        """New resources and events."""
        return new_resources.ADDITIONS

    @property
    def versions(self) -> fitting.GameVersions:
        """Resources of other releases."""
        return fitting.VERSIONS

    @property
    def fields(self) -> file_meaning.GameFields:
        """The records of resources and tables."""
        return file_meaning.FIELDS


FORMAT: Final = GameFormat()
