"""A game on the workbench: what a file and an unpacked folder have in common."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from overhaul.document.plainfiles import PackOptions
from overhaul.document.protocol import Document
from overhaul.document.reading import FoundFile
from overhaul.document.registry import load
from overhaul.errors import WorkspaceError
from overhaul.findings import Finding
from overhaul.folder.packing import Built
from overhaul.mods.building import rebuild
from overhaul.mods.view import FileView
from overhaul.workbench.history import At, History, Record, Step
from overhaul.workbench.journal import Journal, digest_of

if TYPE_CHECKING:
    from overhaul.mods.modfile import Mod


class StaleEdit(WorkspaceError):
    """A file was changed after the page was made on which it was edited: its ``path``."""

    def __init__(self, path: str, message: str = "") -> None:
        super().__init__(message or f"{path} was changed meanwhile; nothing was written")
        self.path = path


class NothingChanged(WorkspaceError):
    """An edit that changes nothing."""


class Bench(ABC):
    """The steps of a game, and its plain files as they are now.

    ``why`` says why it can't be edited; empty where it can.  ``notes`` are sentences for people
    about the steps that were kept.  Who calls it holds a lock.
    """

    def __init__(self, source: str) -> None:
        self.source: str = source
        self.why: str = ""
        self.notes: list[str] = []
        self.history: History = History()
        #: the keeper of the steps; None before the first
        self.journal: Journal | None = None
        self._document: Document | None = None
        self._view: FileView | None = None

    # -- the game as it is now ---------------------------------------------------------------

    @abstractmethod
    def load(self) -> Callable[[], Document]:
        """Read the file or folder on the disk, and its steps; return what opens the game."""

    @abstractmethod
    def opening(self) -> Callable[[], Document]:
        """The function that opens the game in its present state, as often as it is called."""

    @abstractmethod
    def _found(self) -> FoundFile:
        """The bytes of the game as it is now."""

    @property
    def file(self) -> str:
        """A file or folder with the game as it is now."""
        return self.source

    def attach(self, document: Document) -> None:
        """Read plain files from a document that is open, and shows the game as it is now."""
        self._document, self._view = document, None

    @property
    def view(self) -> FileView:
        """The plain files as they are now."""
        if self._document is None:
            self._document = self.opening()()
        if self._view is None:
            self._view = FileView(self._document, self._found(), lazily=True)
        return self._view

    def read(self, path: str) -> bytes:
        """The bytes of a plain file.  Raises WorkspaceError for an unknown path."""
        view = self.view
        if path not in view:
            raise WorkspaceError(f"there is no file {path}")
        return view.read(path)

    def has(self, path: str) -> bool:
        """Whether there is a plain file."""
        return path in self.view

    def written(self, path: str) -> bytes | None:
        """The text of code as it was written, with its comments; None where there is none."""
        return self.view.sources.get(path)

    @property
    def saves(self) -> bool:
        """Whether there is a file to save."""
        return False

    @property
    def unsaved(self) -> bool:
        """Whether the game on show is another than the file on the disk."""
        return False

    # -- steps -------------------------------------------------------------------------------

    @abstractmethod
    def step(
        self,
        changes: Mapping[str, bytes | None],
        label: str,
        *,
        before: Mapping[str, str | None] | None = None,
        accept: bool = False,
        rewrite: bool = False,
        findings: Sequence[Finding] = (),
        check: Callable[[], None] = lambda: None,
    ) -> Step:
        """Change plain files (None: remove them), if packing takes all of it.

        ``before`` has digests of files as the page showed them on which they were edited:
        StaleEdit where one is another now. ``accept``: numbers in code that may name a resource
        do not change. ``rewrite``: code that is kept as text gets the new names of renamed
        resources. ``warnings`` are kept with those of packing. ``check`` is called when it is
        done; if it raises, nothing is done. Raises what packing raises, and NothingChanged.
        """

    def preview(
        self, changes: Mapping[str, bytes | None], *, accept: bool = False, rewrite: bool = False
    ) -> Built:
        """The game that a step would make.  Raises what packing raises."""
        return rebuild(self.view, changes, None, options(accept, rewrite))

    @abstractmethod
    def go(self, to: int, check: Callable[[], None] = lambda: None) -> None:
        """Show the game as it was after a step (0: before the first).

        Raises WorkspaceError for an unknown step, or one that can no longer be shown.
        """

    def undo(self, check: Callable[[], None] = lambda: None) -> Step:
        """Take the last step back, and return it.  Raises WorkspaceError where there is none."""
        step = self.history.current
        if step is None:
            raise WorkspaceError("there is nothing to undo")
        self.go(step.parent, check)
        return step

    def redo(self, check: Callable[[], None] = lambda: None) -> Step:
        """Do the step again that was undone last.  Raises WorkspaceError where there is none."""
        undone = self.history.undone()
        if not undone:
            raise WorkspaceError("there is nothing to do again")
        self.go(undone[0].id, check)
        return undone[0]

    @abstractmethod
    def mod(self, name: str) -> Mod:
        """A mod of all that the steps changed.  Raises what :func:`overhaul.mods.make` raises."""

    @abstractmethod
    def original(self) -> Document:
        """The game as it was before the first step, opened."""

    def close(self) -> None:
        """Let other programs have the journal."""
        if self.journal is not None:
            self.journal.close()
            self.journal = None

    # -- for subclasses ----------------------------------------------------------------------

    def _write(self, record: Record) -> None:
        """Put a record into the journal, and into the history."""
        assert self.journal is not None
        self.journal.append(record)
        self.history.add(record)

    def _refuse(self) -> None:
        """Raise WorkspaceError where the game can't be edited."""
        if self.why:
            raise WorkspaceError(self.why)

    def _differing(
        self,
        changes: Mapping[str, bytes | None],
        before: Mapping[str, str | None] | None,
    ) -> dict[str, tuple[bytes | None, bytes | None]]:
        """The files that change: what they are, and what they become.

        Raises StaleEdit and NothingChanged.
        """
        now = {path: self.read(path) if self.has(path) else None for path in changes}
        for path, digest in (before or {}).items():
            data = now[path] if path in now else self.read(path) if self.has(path) else None
            if digest != (None if data is None else digest_of(data)):
                raise StaleEdit(path)
        differ = {path: (now[path], data) for path, data in changes.items() if now[path] != data}
        if not differ:
            raise NothingChanged("nothing was changed")
        return differ

    def _set_at(self, to: int) -> None:
        if to != self.history.at:
            self._write(At(to))


def options(accept: bool, rewrite: bool = False) -> PackOptions:
    """How steps are packed."""
    return PackOptions(accept_renumbering=accept, remove_all_code=True, rewrite_code=rewrite)


def made_mod(old: FileView, new: FileView, name: str) -> Mod:
    """A mod of what differs between two games, checked by putting it on."""
    mod: Mod = load("overhaul.mods.making:difference")(old, new, name)
    return mod


def not_kept(error: Exception, folder: os.PathLike[str]) -> str:
    """Why a game can't be edited whose journal can't be opened."""
    if isinstance(error, OSError):
        return f"steps can't be kept in {os.fspath(folder)}: {error.strerror or error}"
    return str(error)
