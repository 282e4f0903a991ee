"""How a game's data becomes plain files, and how these become a game again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhaul.document.folder_format import FolderFormat
from overhaul.findings import Findings
from overhaul.lazy import LazyModule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Set

    from overhaul.document.plainfiles import (
        Change,
        Folder,
        KeptAnswer,
        PlainFile,
        Stored,
        UnpackOptions,
    )
    from overhaul.document.protocol import Document, Resource
    from overhaul.findings import Findings
    from overhaul.gamemaker.data import blank
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data_folder import (
        applying,
        code,
        fitting,
        kept_answers,
        kept_texts,
        knowledge,
        listing,
        new_resources,
        stored_files,
        unpacking,
    )
    from overhaul.schema import Record
else:  # start-up: listing resources needs no compiler, unpacking no reader of pictures
    blank = LazyModule("overhaul.gamemaker.data.blank")
    applying = LazyModule("overhaul.gamemaker.data_folder.applying")
    code = LazyModule("overhaul.gamemaker.data_folder.code")
    new_resources = LazyModule("overhaul.gamemaker.data_folder.new_resources")
    fitting = LazyModule("overhaul.gamemaker.data_folder.fitting")
    kept_answers = LazyModule("overhaul.gamemaker.data_folder.kept_answers")
    kept_texts = LazyModule("overhaul.gamemaker.data_folder.kept_texts")
    knowledge = LazyModule("overhaul.gamemaker.data_folder.knowledge")
    listing = LazyModule("overhaul.gamemaker.data_folder.listing")
    stored_files = LazyModule("overhaul.gamemaker.data_folder.stored_files")
    unpacking = LazyModule("overhaul.gamemaker.data_folder.unpacking")


#: so many bytes of code and records are many
_MUCH: Final = 1 << 20
#: the chunks that are neither code nor records
_OTHERS: Final = ("STRG", "TXTR", "AUDO")


class GameFormat(FolderFormat["GameData"]):
    """A game's data as a folder."""

    slow_listing = True  # it decodes all chunks
    lists_folders = True
    assembled = "code"
    ordering_files = ("order.json", "scripts.json")
    texts_file = "strings.csv"
    begins = True

    def tree(self, document: GameData) -> Iterable[Resource]:
        """The resources of all kinds."""
        return listing.resources(document)

    def tree_in(self, document: GameData, wanted: Callable[[str], bool]) -> Iterable[Resource]:
        """The resources in some folders."""
        return listing.resources_in(document, wanted)

    def settings(self, document: GameData) -> dict[str, object]:
        """What the plain files do not show of the game."""
        return blank.settings_of(document)

    def plain_files(self, document: GameData, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked game."""
        return unpacking.plain_files(document, options)

    def text_files(self, document: GameData, options: UnpackOptions) -> Iterator[PlainFile]:
        """The texts; those of a large game from the cache."""
        return kept_texts.text_files(document, options)

    def kept_answer(self, document: GameData, question: str) -> KeptAnswer | None:
        """What was found in a large game before."""
        return kept_answers.kept_answer(document, question) if _is_large(document) else None

    def kept_source(
        self, document: GameData, path: str
    ) -> tuple[PlainFile | None, Callable[[PlainFile], None]]:
        """The source of an entry of a large game that was read before."""
        if not _is_large(document):
            return super().kept_source(document, path)
        return kept_answers.kept_source(document, path)

    def sources_with(self, document: GameData, word: str, *, any_case: bool) -> Set[str] | None:
        """The paths of code that names, or has in a text, what has the word."""
        return kept_texts.sources_with(document, word, any_case=any_case)

    def apply(self, document: GameData, folder: Folder, changes: Mapping[str, Change]) -> Findings:
        """Change a game as its plain files were changed."""
        return applying.apply_folder(document, folder, changes)

    def empty(self, settings: Mapping[str, object]) -> GameData:
        """A game without resources."""
        return blank.blank_game(settings)

    def begin(self, settings: Mapping[str, object]) -> GameData:
        """A game with one room."""
        return blank.begin_game(settings)

    def can_add(self, document: GameData) -> Mapping[str, str]:
        """The kinds of resources that the release has."""
        return new_resources.can_add(document)

    def new_files(self, document: GameData, kind: str, name: str) -> Mapping[str, bytes]:
        """The files of a new resource."""
        return new_resources.new_files(document, kind, name)

    def event_titles(self, document: GameData) -> Iterator[str]:
        """The events that the release has."""
        return new_resources.event_titles(document)

    def event_stems(self, document: GameData, path: str) -> Mapping[str, str]:
        """The code of each event that the release has."""
        return new_resources.event_stems(document, path)

    def creation_code(self, document: GameData, path: str, number: int) -> str:
        """The code entry of an instance, by the name that lets it run."""
        return new_resources.creation_code(document, path, number)

    def fitted(self, path: str, data: bytes, target: Document) -> tuple[bytes, Findings]:
        """A file of a new resource, without fields that the release of ``target`` lacks."""
        return fitting.fitted(path, data, target)

    def use_keys(self, name: str) -> str:
        """The keys of events with an object."""
        return knowledge.use_keys(name)

    def listings(self, name: str) -> Mapping[str, str]:
        """order.json lists all resources, scripts.json all scripts, each with its code."""
        return knowledge.listings(name)

    def tokens(self, document: GameData, source: str) -> list[str]:
        """The names, numbers, texts and signs of a source, without comments."""
        return knowledge.tokens(document, source)

    def take_others(
        self, document: GameData, folder: Folder, changes: Mapping[str, Change]
    ) -> tuple[Folder, Mapping[str, Change], Mapping[str, str]]:
        """The folder with plain files in place of dropped pictures, sounds and code."""
        return knowledge.take_others(document, folder, changes)

    def adapted(
        self, path: str, read: Callable[[str], bytes], source: Document, target: Document
    ) -> bytes:
        """A file of a resource as a game of another release has it."""
        return knowledge.adapted(path, read, source, target)

    def derived(self, document: GameData, path: str) -> bool:
        """Texture pages, tables of texts and code that follow from other files."""
        return knowledge.derived(document, path)

    def texts(self, path: str) -> bool:
        """strings.csv."""
        return knowledge.texts(path)

    def ordering(self, path: str, key: str) -> bool | None:
        """order.json lists all resources."""
        return knowledge.ordering(path, key)

    def meaning(
        self, document: GameData, path: str, value: object, touched: Set[str] | None
    ) -> object:
        """The value of a JSON file without what follows from code and pictures."""
        return knowledge.meaning(document, path, value, touched)

    def fixed(self, path: str, key: str) -> bool:
        """What tables say of the release, and of sounds what their bytes say."""
        return knowledge.fixed(path, key)

    def counter(self, path: str, key: str) -> bool:
        """The last ids that were given."""
        return knowledge.counter(path, key)

    def stored(self, document: GameData) -> Stored | None:
        """What compares the chunks of two files, if nothing was decoded."""
        return stored_files.stored_files(document)

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
        """Code that is the same in both games is read once."""
        knowledge.share_analysis(one, two)

    def same_sources(
        self, files: Mapping[str, PlainFile], others: Mapping[str, PlainFile]
    ) -> Set[str]:
        """Sources of code with the same instructions."""
        return code.same_sources(files, others)

    def keys_ordered(self, document: GameData, path: str) -> bool:
        """Before 2.3 the places in scripts.json are the numbers of scripts in code."""
        return knowledge.keys_ordered(document, path)

    def declared(self, document: GameData, path: str) -> tuple[type[Record], object] | None:
        """The record of a resource or a table."""
        return knowledge.declared(document, path)

    def reference_kinds(self, document: GameData) -> Mapping[str, str]:
        """The kinds of resources by the chunks that references name."""
        return knowledge.reference_kinds(document)

    def words_in(self, lines: Iterable[str]) -> set[str]:
        """The words of lines of source, without texts and comments."""
        return knowledge.words_in(lines)

    def names_in(self, document: GameData, lines: Iterable[str]) -> dict[str, tuple[str, int]]:
        """The resources and functions that lines of source name."""
        return knowledge.names_in(document, lines)

    def numbers_in(
        self, document: GameData, path: str, lines: Set[str] | None
    ) -> dict[int, dict[str, str]]:
        """The numbers in lines of code that may stand for resources."""
        return knowledge.numbers_in(document, path, lines)

    def own_numbers_in(
        self, document: GameData, path: str, lines: Set[str] | None
    ) -> dict[int, dict[str, str]]:
        """The same of numbers that meet only code of that file."""
        return knowledge.own_numbers_in(document, path, lines)

    def number_of(self, document: GameData, kind: str, name: str) -> int | None:
        """The number of a resource."""
        return knowledge.number_of(document, kind, name)


def _is_large(game: GameData) -> bool:
    """Whether finding something in a game takes long enough for the answer to be kept."""
    chunks = game.chunks.values()
    return sum(chunk.end - chunk.start for chunk in chunks if chunk.name not in _OTHERS) >= _MUCH


FORMAT: Final = GameFormat()
