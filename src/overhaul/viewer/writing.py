"""Writing plain files of what is on show: steps of its workbench."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from overhaul.errors import WorkspaceError
from overhaul.findings import Finding
from overhaul.workbench import Bench
from overhaul.workbench.bench import StaleEdit
from overhaul.workbench.history import Step

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Write(NamedTuple):
    """A step, by what it did: its first file, and its label."""

    path: str
    label: str


class Writer:
    """Changes plain files of a document on show.

    ``show`` shows the game after a step; ``place`` is what the paths of the document's files begin
    with in the file on the disk, for a document in another one.
    """

    def __init__(self, bench: Bench, show: Callable[[], None], place: str = "") -> None:
        self.bench: Bench = bench
        self.place: str = place
        self._show = show

    @property
    def why(self) -> str:
        """Why nothing can be written; empty where it can."""
        return self.bench.why

    @property
    def writes(self) -> Sequence[Write]:
        """The writes that undo takes back, the last at the end."""
        return [
            Write(next(iter(step.changes), ""), step.label) for step in self.bench.history.path_to()
        ]

    def read(self, path: str) -> bytes:
        """The bytes of a file.  Raises WorkspaceError for one that there is not."""
        return self.bench.read(self.place + path)

    def written(self, path: str) -> str | None:
        """The text of code as it was written, with its comments; None where there is none, or it is
        not UTF-8."""
        data = self.bench.written(self.place + path)
        try:
            return None if data is None else data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            return None

    def kept(self, digest: str) -> bytes | None:
        """The content of a file that a step changed, by its digest; None where that is not kept."""
        journal = self.bench.journal
        if journal is None or not _DIGEST.fullmatch(digest) or not journal.path_of(digest).exists():
            return None
        return journal.get(digest)

    def has(self, path: str) -> bool:
        """Whether there is a file."""
        return self.bench.has(self.place + path)

    def write(
        self, path: str, data: bytes, before: bytes, check: Callable[[], None] | None = None
    ) -> None:
        """Replace a file that has the bytes ``before``: a step, after which the game is shown.

        Raises StaleEdit where the file was changed meanwhile, and what packing raises; then
        nothing was written.
        """
        if self.read(path) != before:
            raise StaleEdit(path)
        self.step({path: data}, f"Edit {path}")

    def step(
        self,
        changes: Mapping[str, bytes | None],
        label: str,
        *,
        before: Mapping[str, str | None] | None = None,
        accept: bool = False,
        rewrite: bool = False,
        findings: Sequence[Finding] = (),
    ) -> Step:
        """Change files (None: remove them); see :meth:`overhaul.workbench.Bench.step`."""
        place = self.place
        with _kept():
            return self.bench.step(
                {place + path: data for path, data in changes.items()},
                label,
                before=before and {place + path: digest for path, digest in before.items()},
                accept=accept,
                rewrite=rewrite,
                findings=findings,
                check=self._show,
            )

    def undo(self, check: Callable[[], None] | None = None) -> str:
        """Take the last step back; return the path of its first file.

        Raises WorkspaceError where there is none, or its files were changed since.
        """
        with _kept():
            step = self.bench.undo(self._show)
        return next(iter(step.changes), "")

    def redo(self) -> str:
        """Do the step again that was undone last; return the path of its first file."""
        with _kept():
            step = self.bench.redo(self._show)
        return next(iter(step.changes), "")

    def go(self, to: int) -> None:
        """Show the game as it was after a step."""
        with _kept():
            self.bench.go(to, self._show)


@contextmanager
def _kept() -> Iterator[None]:
    """Errors of the disk are WorkspaceErrors."""
    try:
        yield
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise WorkspaceError(f"the step can't be kept: {error.strerror or error}{where}") from error


def must_write(writer: Writer | None) -> Writer:
    """The writer of what is on show.  Raises WorkspaceError where nothing can be written."""
    if writer is None:
        raise WorkspaceError("this file can't be edited")
    if writer.why:
        raise WorkspaceError(writer.why)
    return writer
