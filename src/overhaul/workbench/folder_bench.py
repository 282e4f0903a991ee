"""An unpacked folder on the workbench: each step writes its files, and is packed in memory."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from overhaul.document.files import remove_quietly, write_file
from overhaul.document.names import is_safe_component
from overhaul.document.protocol import Document
from overhaul.document.reading import FoundFile, open_data
from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.findings import Finding
from overhaul.folder import opening as folders
from overhaul.folder.manifest import KEPT, KeptSiblings, Manifest, map_blob
from overhaul.folder.paths import is_litter
from overhaul.mods.view import FileView
from overhaul.workbench.bench import Bench, StaleEdit, made_mod, not_kept
from overhaul.workbench.history import At, Change, History, Pending, Step
from overhaul.workbench.journal import Journal, digest_of
from overhaul.workbench.places import journals_of

if TYPE_CHECKING:
    from overhaul.mods.modfile import Mod

#: Files before and after; None where there is none.
Files: TypeAlias = Mapping[str, tuple[bytes | None, bytes | None]]


class FolderBench(Bench):
    """An unpacked folder; nothing outside of it is written."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        #: a folder has no steps of others
        self.left: tuple[()] = ()
        self._packed: FoundFile | None = None
        self._files: dict[str, str] = {}
        self._unpacked: Callable[[str], str] = str
        self._map()

    def _map(self) -> None:
        """Read where the files of the manifest are, where that is not their path."""
        try:
            manifest = Manifest.load(self.source)
        except OverhaulError:
            manifest = None
        entries = () if manifest is None else manifest.entries
        self._files = {entry.path: entry.file for entry in entries if entry.path != entry.file}
        self._unpacked = (
            str if manifest is None else folder_format_of(manifest.kind).meaning.unpacked
        )

    # -- the game as it is now ---------------------------------------------------------------

    def load(self) -> Callable[[], Document]:
        """Pack the folder in memory, and read its steps."""
        if self.journal is None and (journals_of(self.source) / "folder").is_dir():
            self._open_journal()
        self._map()
        self._packed = folders.find(self.source)
        return self.opening()

    def _open_journal(self) -> None:
        folder = journals_of(self.source) / "folder"
        try:
            self.journal = Journal(folder)
        except (WorkspaceError, OSError) as error:
            self.why = not_kept(error, folder)
            return
        self.history = History(self.journal.records)
        if self.history.pending is not None:
            self._take_back(self.history.pending)

    def _take_back(self, pending: Pending) -> None:
        """Files that were being written when the program ended are again as they were."""
        assert self.journal is not None
        for path, change in pending.changes.items():
            if self._digest(path) == change.after != change.before:
                self._put(path, None if change.before is None else self.journal.get(change.before))
        self._write(At(self.history.at))

    def opening(self) -> Callable[[], Document]:
        """The function that opens the game in its present state."""
        assert self._packed is not None
        return partial(self._packed.open)

    def _found(self) -> FoundFile:
        assert self._packed is not None
        return self._packed

    def read(self, path: str) -> bytes:
        """The bytes of a file of the folder.  Raises WorkspaceError for one that is not there."""
        with open(self._place(path), "rb") as file:
            return file.read()

    def has(self, path: str) -> bool:
        """Whether there is a file."""
        try:
            self._place(path)
        except WorkspaceError:
            return False
        return True

    def written(self, path: str) -> bytes | None:
        """The text of a file; None where there is none."""
        return self.read(path) if self.has(path) else None

    # -- steps -------------------------------------------------------------------------------

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
        """Write files; see :meth:`Bench.step`.  Packing always accepts numbers in code here, as
        ``overhaul view`` shows a folder so."""
        self._refuse()
        differ = self._differing(changes, before)
        if self.journal is None:
            self._open_journal()
            self._refuse()
        assert self.journal is not None
        step = self.history.new_step(label, self.journal.put_all(differ), list(findings))
        self._put_all(differ, check, lambda: self._write(step))
        return step

    def go(self, to: int, check: Callable[[], None] = lambda: None) -> None:
        """Write the files as they were after a step; see :meth:`Bench.go`."""
        self._refuse()
        self.history.must_have(to)
        journal = self.journal
        if journal is None or to == self.history.at:
            return
        changes = {
            path: tuple(None if d is None else journal.get(d) for d in (one, two))
            for path, (one, two) in self._moves(to).items()
        }
        differ = {path: (one, two) for path, (one, two) in changes.items()}
        for path, (one, _) in differ.items():
            if self._digest(path) != (None if one is None else digest_of(one)):
                raise StaleEdit(path, f"{path} was changed since; nothing was written")
        self._put_all(differ, check, lambda: self._set_at(to))

    def _moves(self, to: int) -> dict[str, tuple[str | None, str | None]]:
        """The present and the next content of each file, for another step."""
        history = self.history
        here, there = history.path_to(), history.path_to(to)
        shared = 0
        while shared < min(len(here), len(there)) and here[shared] is there[shared]:
            shared += 1
        moves: dict[str, tuple[str | None, str | None]] = {}
        turned = [{p: Change(c.after, c.before) for p, c in s.changes.items()}
                  for s in reversed(here[shared:])]  # fmt: skip
        for changes in (*turned, *(step.changes for step in there[shared:])):
            for path, change in changes.items():
                first = moves[path][0] if path in moves else change.before
                moves[path] = (first, change.after)
        return {path: both for path, both in moves.items() if both[0] != both[1]}

    def _put_all(self, files: Files, check: Callable[[], None], record: Callable[[], None]) -> None:
        """Write files, and a record once they are there and the game can be shown."""
        assert self.journal is not None
        self._write(Pending(self.journal.put_all(files)))
        try:
            for path, (_, after) in files.items():
                self._put(path, after)
            check()
            record()
        except BaseException:
            for path, (before, _) in files.items():
                self._put(path, before)
            self._write(At(self.history.at))
            raise

    # -- files -------------------------------------------------------------------------------

    def _digest(self, path: str) -> str | None:
        return digest_of(self.read(path)) if self.has(path) else None

    def _put(self, path: str, data: bytes | None) -> None:
        if data is None:
            if self.has(path):
                remove_quietly(self._place(path))
            return
        place = self._place(path) if self.has(path) else self._new_place(path)
        write_file(place, data, force=True)

    def _place(self, path: str) -> str:
        """Where a file is.  Links are followed: what they lead to must be in the folder too."""
        whole, place = self._resolved(path)
        if os.path.commonpath([whole, place]) != whole or not os.path.isfile(place):
            raise WorkspaceError(f"{path} is not a file of {self.source}")
        return place

    def _new_place(self, path: str) -> str:
        """Where a new file goes, whose folder is made.  Raises WorkspaceError."""
        parts = path.split("/")
        whole, place = self._resolved(path)
        safe = all(is_safe_component(part) and not is_litter(part) for part in parts)
        if not safe or os.path.commonpath([whole, place]) != whole or os.path.lexists(place):
            raise WorkspaceError(f"{path} can't be a file of {self.source}")
        try:
            os.makedirs(os.path.dirname(place), exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:  # below a file
            raise WorkspaceError(f"{path} can't be below a file of {self.source}") from error
        return place

    def _resolved(self, path: str) -> tuple[str, str]:
        first = path.partition("/")[0].lower()
        if "\0" in path or posixpath.normpath(path) != path or first == KEPT:
            raise WorkspaceError(f"{path!r} is not a file of {self.source}")
        whole = os.path.realpath(self.source)
        there = self._unpacked(path)
        return whole, os.path.realpath(os.path.join(whole, self._files.get(there, there)))

    # -- mods --------------------------------------------------------------------------------

    def _kept_original(self) -> FoundFile:
        manifest = Manifest.load(self.source)
        if manifest is None:
            raise WorkspaceError(f"{self.source} keeps no original to compare with")
        siblings = KeptSiblings(self.source, manifest.companions)
        data = map_blob(self.source, manifest.original)
        return FoundFile(data, manifest.original.name, siblings, lambda: None)

    def original(self) -> Document:
        """The game that was unpacked, opened.  Raises WorkspaceError where it is not kept."""
        found = self._kept_original()
        return open_data(found.data, source=found.source, siblings=found.siblings)

    def mod(self, name: str) -> Mod:
        """A mod of all that the folder changes of the game that was unpacked."""
        found, now = self._kept_original(), self._found()
        with found.open() as old, now.open() as new:
            return made_mod(FileView(old, found), FileView(new, now), name)
