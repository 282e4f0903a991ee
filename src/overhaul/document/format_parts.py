"""The knowledge of a format about its plain files beyond writing and reading them.

Each class is one subject, with an answer for a format that knows nothing of it.  A format overrides
what it knows, and gives its own in the property of
:class:`~overhaul.document.folder_format.FolderFormat` that has the name of the subject.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar

from overhaul.document.plainfiles import KeptAnswer, PlainFile, SeenLines, Stored, UnpackOptions
from overhaul.document.protocol import Document, Each
from overhaul.findings import Findings

if TYPE_CHECKING:
    from overhaul.document.hints import Hint
    from overhaul.schema import Record

D = TypeVar("D", bound="Document")

#: comments and spaces, or (in the group) a token
_TOKEN: Final = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|\s+"
    r"|(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[^\W\d]\w*|\d[\w.]*|.)",
    re.DOTALL,
)


def tokens_of(source: str) -> list[str]:
    """The tokens of a source of a language like C, without comments."""
    return [token for token in _TOKEN.findall(source) if token]


class FileMeaning(Generic[D]):
    """The meaning of plain files, and of the values in them."""

    #: The only files for which :meth:`ordering` or :meth:`keys_ordered` say something; none are
    #: given where any file may be such.
    ordering_files: ClassVar[tuple[str, ...]] = ()
    #: The only file for which :meth:`lists_texts` says so; "" where any file may be such.
    texts_file: ClassVar[str] = ""

    def derived(self, document: D, path: str) -> bool:
        """Whether a plain file follows from the others, or shows them in another way."""
        return False

    def unpacked(self, path: str) -> str:
        """The place in an unpacked folder of a plain file inside the path of another document in
        this one (``assets/room1.crm/room.json``); the path itself for others."""
        return path

    def lists_texts(self, path: str) -> bool:
        """Whether a CSV file lists all texts, with the columns index, text and kind: those without
        a kind can be edited."""
        return False

    def ordering(self, path: str, key: str) -> bool | None:
        """Of a JSON file whose keys are lists of the names of resources: whether the order in a
        list counts; None for other files."""

    def keys_ordered(self, document: D, path: str) -> bool:
        """Whether the order of the keys in the object that a JSON file has counts."""
        return False

    def of(
        self,
        document: D,
        path: str,
        value: object,
        touched: Set[str] | None,
    ) -> object:
        """The value of a JSON file without what follows from other files; if ``touched`` is given,
        from those alone."""
        return value

    def fixed(self, path: str, key: str) -> bool:
        """Whether a value in a JSON file follows from other parts, or the layout of the file from
        it, so that it can't be edited."""
        return False

    def counter(self, path: str, key: str) -> bool:
        """Whether a number in a JSON file only grows, such as the last id that was given."""
        return False


class ResourceMentions:
    """How plain files mention resources."""

    #: Some files use resources by their numbers (:meth:`by_number`).
    has_numbers: ClassVar[bool] = False

    def keys(self, name: str) -> str:
        """A regular expression for JSON keys that use a resource and contain its name."""
        return ""

    def paths(self, name: str) -> str:
        """A regular expression for paths of files that use a resource by their own name, or ""."""
        return ""

    def listings(self, name: str) -> Mapping[str, str]:
        """Plain files that list everything: a regular expression for the lines that only do so."""
        return {}

    def files(self) -> Collection[str]:
        """Globs of the files, besides JSON and GML, that use resources by name."""
        return ()

    def by_number(
        self,
        name: str,
        paths: Collection[str],
        read: Callable[[str], bytes],
    ) -> str:
        """A regular expression for values in JSON that use a resource by its number, or "".

        Matches have the number in decimal digits, or are the name in capital letters, as scripts
        may write a number.

        ``paths`` are those of the plain files, which ``read`` reads.
        """
        return ""

    def defines(self, path: str, line: str, name: str) -> bool:
        """Whether a line of a file only says that a resource has the name."""
        return False


class TextSearch(Generic[D]):
    """How the texts of a document are searched for less than reading it whole takes."""

    def files(
        self, document: D, options: UnpackOptions, each: Each | None = None
    ) -> Iterator[PlainFile] | None:
        """The plain files with text, where the format lists them for less than reading the document
        takes; other files may be among them.  None where it does not.

        ``each`` reads them in several processes, where all are read to be kept.
        """
        return None

    def kept_answer(self, document: D, question: str) -> KeptAnswer | None:
        """The answer to an earlier question about the same document, if it is kept; None for a
        document whose answers are not, or that may have been edited."""
        return None

    def kept_source(
        self, document: D, path: str
    ) -> tuple[PlainFile | None, Callable[[PlainFile], None]]:
        """The source of code at a path as it was read of the same document before, None where it is
        not kept; and what has the file there kept once it is read."""
        return None, lambda file: None

    def sources_with(self, document: D, word: str, *, any_case: bool) -> Set[str] | None:
        """The paths of all sources of code that may have a word of ASCII letters, digits and
        underscores, whole or in a longer one; None where any may."""
        return None

    def lines_with(
        self, document: D, word: str, paths: Set[str], *, any_case: bool, each: Each | None
    ) -> Mapping[str, SeenLines | None] | None:
        """The same of the sources at some paths, each with its lines that may have the word, where
        these are known without reading all code; None where any source may have it.

        ``each`` reads code in several processes.
        """
        sources = self.sources_with(document, word, any_case=any_case)
        return None if sources is None else dict.fromkeys(sources & paths)


class SourceNames(Generic[D]):
    """The words of sources, and what they name."""

    def tokens(self, document: D, source: str) -> list[str]:
        """The names, numbers, texts (in quotes) and signs of a source, without comments: as in a
        language like C, if the format does not say."""
        return tokens_of(source)

    def words_in(self, lines: Iterable[str]) -> set[str]:
        """The words of lines of source, but for texts and comments."""
        return set()

    def names_in(self, document: D, lines: Iterable[str]) -> dict[str, tuple[str, int]]:
        """The resources and functions that lines of source name: their kinds and numbers."""
        return {}

    def numbers_in(
        self,
        document: D,
        path: str,
        lines: Set[str] | None,
    ) -> dict[int, dict[str, str]]:
        """The numbers in lines of a code file (None: all of it, as assembly) that may stand for
        resources, and meet other code: by number, the name that each kind has."""
        return {}

    def own_numbers_in(
        self, document: D, path: str, lines: Set[str] | None
    ) -> dict[int, dict[str, str]]:
        """The same of numbers that meet only code of that file."""
        return {}

    def number_of(self, document: D, kind: str, name: str) -> int | None:
        """The number of a resource, by its kind and name; None where there is none."""


class StoredComparison(Generic[D]):
    """How two documents are compared for less than comparing all their files takes."""

    def stored(self, document: D) -> Stored | None:
        """The comparison of the document with another by stored bytes, where both are still as
        they were opened."""
        return None

    def same_texts(self, one: D, two: D) -> bool:
        """Whether no text in the table of one document has another in its place in a second one, as
        far as that shows without making their files."""
        return False

    def share_layout(self, one: D, two: D) -> None:
        """Called with a document that nobody changes, and the same file opened a second time, to
        share the layout of the file."""

    def share_analysis(self, one: D, two: D) -> None:
        """Two documents are going to be compared: what is found out about the first may serve for
        the second."""

    def same_sources(
        self, files: Mapping[str, PlainFile], others: Mapping[str, PlainFile]
    ) -> Set[str]:
        """The paths of sources that certainly say the same in two documents, where that is known
        for less than comparing each takes."""
        return frozenset()


class NewResources(Generic[D]):
    """The resources that can be added to a document."""

    def kinds(self, document: D) -> Mapping[str, str]:
        """The kinds that can be added, as ``Resource.kind``, and a note for people or "" each."""
        return {}

    def new_files(self, document: D, kind: str, name: str) -> Mapping[str, bytes]:
        """The plain files of a new resource of one of these kinds."""
        return {}

    def event_titles(self, document: D) -> Iterable[str]:
        """The events that objects may have, as people call them, each made when it is asked for;
        collisions are the last ones.  Nothing where events have no files."""
        return ()

    def event_stems(self, document: D, path: str) -> Mapping[str, str]:
        """The events that the object of a path may have, as people call them, and what the paths
        of the files of each begin with, up to the ending; nothing where events have no files."""
        return {}

    def creation_code(self, document: D, path: str, number: int) -> str:
        """The file that is the creation code of an instance, by its id, where it has some: in the
        room of a path; "" where instances have none in files."""
        return ""


class OtherVersions:
    """How resources come into documents of other versions."""

    def as_in(self, source: Document, target: Document) -> tuple[Document, Findings]:
        """The source as a document of the target's version, or itself; and warnings of what has
        no equivalent there.  Raises WorkspaceError where it can't be one."""
        return source, Findings()

    def adapted(
        self,
        path: str,
        read: Callable[[str], bytes],
        source: Document,
        target: Document,
    ) -> bytes:
        """A file of a resource of the source as the target has it; ``read`` reads others."""
        return read(path)

    def fitted(self, path: str, data: bytes, target: Document) -> tuple[bytes, Findings]:
        """A file of a new resource as a document takes it, and warnings of what it leaves out."""
        return data, Findings()


class FileFields(Generic[D]):
    """The records that JSON files show."""

    def declared(self, document: D, path: str) -> tuple[type[Record], object] | None:
        """The record whose fields a JSON file shows, and the version that says which are stored;
        None where the file shows something else."""
        return None

    def hint(self, document: D, path: str) -> Hint | None:
        """The values that a JSON file can have that shows more than one record, or shows it in
        other words; None where :meth:`declared` and :meth:`named_fields` say it."""
        return None

    def named_fields(self, path: str) -> Mapping[str, str]:
        """The keys of a JSON file without a declared record that name resources, and their kinds,
        as ``Resource.kind``."""
        return {}

    def reference_kinds(self, document: D) -> Mapping[str, str]:
        """The kinds of resources, as ``Resource.kind``, by what records call references to them."""
        return {}
