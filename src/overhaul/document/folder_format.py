"""How the documents of a format become plain files, and how these become documents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar, Final, Generic, TypeVar

from overhaul.document.format_parts import (
    FileFields,
    FileMeaning,
    NewResources,
    OtherVersions,
    ResourceMentions,
    SourceNames,
    StoredComparison,
    TextSearch,
)
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Document, Resource, Siblings
from overhaul.errors import WorkspaceError
from overhaul.findings import Findings

D = TypeVar("D", bound="Document")

_MENTIONS: Final = ResourceMentions()
_VERSIONS: Final = OtherVersions()


class FolderFormat(ABC, Generic[D]):
    """How the documents of a format become plain files, and how these become documents.

    A format says the five verbs, and of the rest what it knows: the properties are the subjects
    (:mod:`overhaul.document.format_parts`).  The registry names the format of each kind of
    document, so that a model imports nothing of its folder.
    """

    #: Listing the files takes long.
    slow_listing: ClassVar[bool] = False
    #: The files of some folders are listed without the others (``UnpackOptions.wants_in``).
    lists_folders: ClassVar[bool] = False
    #: The folder in which each file is a source that has assembly, or this assembly; "" for none.
    assembled: ClassVar[str] = ""
    #: The members of its documents are documents, with the files of all of them in one folder
    #: (:mod:`overhaul.folder.nested`).
    has_parts: ClassVar[bool] = False
    #: A file that is opened again, and arranged by the settings of the folder, shows everything
    #: that the document did: written bytes need not stay in memory.
    rereads: ClassVar[bool] = False
    #: People can begin new documents (:meth:`begin`).
    begins: ClassVar[bool] = False
    #: The message that packing a copy of a document gives, where documents are folders of plain
    #: files already and are edited there; "" elsewhere.
    edited_in_place: ClassVar[str] = ""
    #: The files in the folder of such a document are edited as they are (:meth:`apply`).
    edits_files: ClassVar[bool] = False

    @abstractmethod
    def tree(self, document: D) -> Iterable[Resource]:
        """The resources, in the document's order, with their paths in the folder."""

    def changes_of(
        self, document: D, verb: str, kind: str, name: str, new: str
    ) -> tuple[Mapping[str, bytes | None], Findings]:
        """The changes of files that adding, renaming, duplicating or removing a resource makes,
        where the format knows more than the files show (:attr:`edits_files`); ``verb`` is
        ``add``, ``rename``, ``duplicate`` or ``remove``."""
        raise WorkspaceError(f"{document.kind}: resources are changed by their files")

    def siblings_of(self, document: D, built: Siblings) -> Siblings:
        """The files next to a document that was edited; ``built`` are its companions."""
        return built

    def tree_in(self, document: D, wanted: Callable[[str], bool]) -> Iterable[Resource]:
        """The resources in the folders that are wanted, "" for those in none: all of them, where
        listing some costs as much."""
        del wanted
        return self.tree(document)

    @abstractmethod
    def settings(self, document: D) -> dict[str, object]:
        """The settings of a document in overhaul.toml besides kind and version (TOML types
        only)."""

    @abstractmethod
    def plain_files(self, document: D, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked folder, in a stable order, by unique paths."""

    @abstractmethod
    def apply(
        self,
        document: D,
        folder: Folder,
        changes: Mapping[str, Change],
    ) -> Findings:
        """Change the document as the plain files were changed; return warnings.

        ``changes`` names each file that was added, changed or removed, by path; an edit of the
        settings comes as ``overhaul.toml`` and is read from ``folder.settings``.  Raises
        SourceError, FormatError or WorkspaceError for files that can't be read.
        """

    @abstractmethod
    def empty(self, settings: Mapping[str, object]) -> Document:
        """A new document without resources, of the version that ``settings`` asks for.

        ``settings`` has ``kind``, ``version`` and what :meth:`settings` gave.  Packing a folder
        without kept originals applies all its files to this.
        """

    # -- what it knows of its files ---------------------------------------------------------------

    @property
    def meaning(self) -> FileMeaning[D]:
        """The meaning of files, and of the values in them."""
        return FileMeaning()

    @property
    def mentions(self) -> ResourceMentions:
        """How files mention resources."""
        return _MENTIONS

    @property
    def search(self) -> TextSearch[D]:
        """How texts are searched."""
        return TextSearch()

    @property
    def names(self) -> SourceNames[D]:
        """The words of sources, and what they name."""
        return SourceNames()

    @property
    def comparing(self) -> StoredComparison[D]:
        """How two documents are compared."""
        return StoredComparison()

    @property
    def additions(self) -> NewResources[D]:
        """The resources that can be added."""
        return NewResources()

    @property
    def versions(self) -> OtherVersions:
        """How resources come into documents of other versions."""
        return _VERSIONS

    @property
    def fields(self) -> FileFields[D]:
        """The records that JSON files show."""
        return FileFields()

    # -- files besides its own --------------------------------------------------------------------

    def take_others(
        self,
        document: D,
        folder: Folder,
        changes: Mapping[str, Change],
    ) -> tuple[Folder, Mapping[str, Change], Mapping[str, str]]:
        """A folder and its changes, with the format's own plain files in place of others, and for
        each of these the path of the file that it is made of.

        Raises WorkspaceError for a file that can't be understood.
        """
        return folder, changes, {}

    # -- documents in a document ------------------------------------------------------------------

    def groups(
        self,
        document: D,
        options: UnpackOptions,
    ) -> list[Callable[[], Iterable[PlainFile]]]:
        """The groups of the files of :meth:`FolderFormat.plain_files`, in its order: those of
        each part, and at last the document's own. Which groups there are does not depend on
        which are listed."""
        return []

    def arrange(self, document: D, settings: Mapping[str, object]) -> None:
        """Show the document as the settings of a folder say, before it is compared with that."""

    def own_files(
        self,
        document: D,
        folder: Folder,
        changes: Mapping[str, Change],
    ) -> tuple[Folder, Mapping[str, Change]]:
        """The folder and its changes without the files of parts, which :meth:`FolderFormat.apply`
        checked."""
        return folder, changes

    # -- new documents ----------------------------------------------------------------------------

    def begin(self, settings: Mapping[str, object]) -> Document:
        """A new document of ``settings["version"]``, by default of the newest one.

        It has what a program that makes such games begins with; ``source`` is the name that its
        file gets.  Raises FormatError or WorkspaceError for an unknown version.
        """
        raise WorkspaceError("there is nothing to begin with")


class HasFormat(ABC, Generic[D]):
    """A document that is not a file, and so has no kind in the registry: it has its folder
    format with it."""

    @property
    @abstractmethod
    def own_format(self) -> FolderFormat[D]:
        """How it becomes plain files."""
