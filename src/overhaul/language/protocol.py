"""The questions that a language answers; places are offsets of characters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias

from overhaul.document.protocol import Document
from overhaul.findings import Findings
from overhaul.language.answers import (
    Completion,
    Diagnostic,
    Edit,
    Fold,
    Hover,
    Lens,
    Renamed,
    Rules,
    Signature,
    Span,
    Symbol,
    Token,
)
from overhaul.language.texts import FolderTexts, Texts

#: Packs a folder in memory with other contents of some files (None: gone); gives the warnings.
#: Raises what packing raises.
Proof: TypeAlias = Callable[[Mapping[str, bytes | None]], Findings]


class Language(Protocol):
    """A language of the files of a workspace.

    A method raises WorkspaceError for a file that is not there; no other error is one of the text.
    """

    #: as editors call it
    name: str

    def knows(self, path: str) -> bool:
        """Whether a file is written in this language."""
        ...

    def knows_names(self, path: str) -> bool:
        """Whether a file names what the language declares or uses: it can be asked for hover,
        definitions, references and renaming in it."""
        ...

    def close(self) -> None:
        """Release the files that it opened."""
        ...

    def rules(self) -> Rules:
        """How a text is cut into pieces."""
        ...

    def diagnostics(self, path: str) -> list[Diagnostic]:
        """The errors and warnings of ``pack`` in a file as it is now."""
        ...

    def completion(self, path: str, offset: int) -> Completion:
        """The names that may stand at a place."""
        ...

    def hover(self, path: str, offset: int) -> Hover | None:
        """The description of the name at a place; None where there is none."""
        ...

    def signature(self, path: str, offset: int) -> Signature | None:
        """The call whose arguments are written at a place."""
        ...

    def definitions(self, path: str, offset: int) -> list[Span]:
        """Where the name at a place gets its meaning."""
        ...

    def references(self, path: str, offset: int, *, declaration: bool = True) -> list[Span]:
        """All places that mean what the name at a place means."""
        ...

    def renameable(self, path: str, offset: int) -> Span | None:
        """The range of a name that can be renamed; None where there is none.

        Raises WorkspaceError for one that can't be, with the reason.
        """
        ...

    def rename(self, path: str, offset: int, new: str, prove: Proof) -> Renamed:
        """All edits that give the name at a place another one.

        Raises WorkspaceError where that is refused: the name can't be changed or is taken, or the
        folder could not be packed then.
        """
        ...

    def symbols(self, path: str) -> list[Symbol]:
        """The declarations of a file, in order."""
        ...

    def all_symbols(self, query: str) -> list[Symbol]:
        """The declarations of all files whose name has the letters of a query."""
        ...

    def format(self, path: str) -> list[Edit]:
        """The edits that bring a file into one layout; none if it has it."""
        ...

    def tokens(self, path: str) -> list[Token]:
        """The pieces of a file with their colours, in order."""
        ...

    def folds(self, path: str) -> list[Fold]:
        """The lines of a file that can be folded."""
        ...

    def lenses(self, path: str) -> list[Lens]:
        """How often what a file declares is used."""
        ...


class Starts(Protocol):
    """The function that opens the code of a folder or a document as files in a language."""

    def of_folder(self, texts: FolderTexts) -> Language | None:
        """The language of an unpacked folder; None for one that is edited elsewhere."""

    def of_document(
        self, document: Document, files: Mapping[str, Callable[[], bytes]]
    ) -> tuple[Texts, Language | None]:
        """The files of an open document as texts, and their language; None where the document has
        none, such as a project in an archive."""
