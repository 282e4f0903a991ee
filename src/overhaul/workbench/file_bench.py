"""A file on the workbench: steps are packed over the game in memory; saving writes it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from overhaul.document.files import save_all
from overhaul.document.mapped import HELD
from overhaul.document.opening import find_game
from overhaul.document.protocol import Buffer, Document
from overhaul.document.reading import FileSiblings, FoundFile, map_file
from overhaul.document.registry import folder_format_of
from overhaul.document.saving import save_files
from overhaul.errors import FindingsError, OverhaulError, WorkspaceError
from overhaul.findings import Finding
from overhaul.mods.building import rebuild
from overhaul.mods.view import FileView
from overhaul.stretch import return_memory
from overhaul.workbench.bench import (
    Bench,
    NothingChanged,
    StaleEdit,
    made_mod,
    not_kept,
    options,
)
from overhaul.workbench.history import START, Begin, History, Replaced, Saved, Step
from overhaul.workbench.journal import Journal, KeptGames, digest_of, records_in
from overhaul.workbench.places import journals_of
from overhaul.workbench.states import Games, GameState, near_files, removed_at

if TYPE_CHECKING:
    from overhaul.folder.packing import Built
    from overhaul.mods.modfile import Mod

#: Files larger than this are mapped, not read.
_MAPPED: Final = 256 << 20
#: The games that steps left take so many bytes at most, but for the first and the last.
_KEPT: Final = 1 << 29


class OrphanedSteps(NamedTuple):
    """Steps that were made on a file of this path when it was another one: the folder of their
    journal, and their ``number``."""

    folder: Path
    number: int


class FileBench(Bench):
    """A file.

    ``disk``: the digest of the file on the disk, as far as it is known; ``left``: the steps of
    other files that were at its path, which were not saved.
    """

    def __init__(self, source: str, *, inside: bool = False) -> None:
        """``inside``: whether the file was found in a container, which is not written."""
        super().__init__(source)
        self._inside = inside
        self._games = Games(source)
        self._now: GameState | None = None
        self.disk: str = ""
        self.left: list[OrphanedSteps] = []
        #: journals of the file, with steps of other files next to it
        self._outdated: set[Path] = set()

    # -- opening -----------------------------------------------------------------------------

    def load(self) -> Callable[[], Document]:
        """Read the file, and the steps that were made of it."""
        content = self._read_file()
        self.close()
        self.why, self.notes, self.disk, self.left = "", [], "", []
        self.history = History()
        self._outdated.clear()
        base = GameState(content, {}, {})
        self._games.base = self._now = base
        self._games.journal = self._games.kept = None
        if journals_of(self.source).is_dir():
            self.disk = digest_of(content)
            self._take_up(content)
        return self.opening()

    def _read_file(self) -> Buffer:
        """The bytes of the file; read, as other programs may write it, unless it is very large."""
        if os.path.isfile(self.source):
            self._games.disk_files = FileSiblings(self.source)
            if os.path.getsize(self.source) <= _MAPPED:
                with open(self.source, "rb") as file:
                    return file.read()
        found = find_game(self.source)
        self._games.disk_files = found.siblings
        return found.data

    def _take_up(self, content: Buffer) -> None:
        """Go on with the journal of the present file."""
        chosen = None
        known: dict[Path, History] = {}
        for folder in sorted(journals_of(self.source).iterdir()):
            history = _peeked(folder)
            if history is None or history.begin is None:
                continue
            known[folder] = history
            results = {*history.saved, *(step.result for step in history.steps.values())}
            is_known = self.disk == history.begin.digest or self.disk in results
            if is_known and self._on_disk_of(history) is None:
                self._outdated.add(folder)
            elif is_known:
                chosen = folder
        for folder, history in known.items():
            is_saved = history.at == START or history.at in history.saved.values()
            if folder != chosen and not is_saved:
                self.left.append(OrphanedSteps(folder, len(history.path_to())))
        if chosen is not None:
            self._open_journal(chosen)
            self._restore(content)

    def _open_journal(self, folder: Path) -> None:
        try:
            self.journal = Journal(folder)
        except (WorkspaceError, OSError) as error:
            self.why = not_kept(error, folder)
            return
        self._games.journal = self.journal
        self.history = History(self.journal.records)
        self._games.kept = KeptGames(folder, _KEPT)
        if self.history.begin is not None:
            self._games.kept.pinned.add(self.history.begin.digest)

    def _restore(self, content: Buffer) -> None:
        """Show the step that was on show when the program ended."""
        begin, journal = self.history.begin, self.journal
        if begin is None or journal is None:
            return
        saved = self.history.saved
        base = content if self.disk == begin.digest else self._games.content_of(begin.digest)
        self._games.base = None if base is None else GameState(base, {}, {})
        is_ours = self.disk == next(reversed(saved), "")
        if self.disk == begin.digest and not is_ours and self.history.at in saved.values():
            self._set_at(START)  # somebody put the original back
        else:
            self._take_disk(saved.get(self.disk, START))
        try:
            self._now = self._games.after(self.history, self.history.at)
        except OverhaulError as error:
            self.notes.append(f"The steps that were made before can't be made again: {error}")
            step = next((s for s in self.history.steps.values() if s.result == self.disk), None)
            self._set_at(START if step is None else step.id)
            self._now = GameState(content, {}, {})

    def _take_disk(self, last: int) -> None:
        """Note the step that somebody put the files next to the game back to, where they are no
        longer as the ``last`` saved one."""
        found = self._on_disk_of(self.history)
        if found is None or found == last:
            return
        self._write(Saved(found, self.disk))
        if self.history.at == last:
            self._set_at(found)

    def orphaned_bench(self, number: int) -> FileBench:
        """The game that was at this path before, as its steps left it; whoever asks closes it.

        Raises IndexError for an unknown number, WorkspaceError where it can no longer be made.
        """
        bench = FileBench(self.source, inside=self._inside)
        bench._games.disk_files = self._games.disk_files
        bench._open_journal(self.left[number].folder)
        try:
            bench._refuse()
            begin = bench.history.begin
            content = None if begin is None else bench._games.content_of(begin.digest)
            if begin is None or content is None:
                raise WorkspaceError("the file as it was before these steps is no longer kept")
            bench.disk = begin.digest
            bench._games.base = GameState(content, {}, {})
            bench._now = bench._games.after(bench.history, bench.history.at)
        except BaseException:
            bench.close()
            raise
        return bench

    def opening(self) -> Callable[[], Document]:
        """The function that opens the game in its present state."""
        assert self._now is not None
        return partial(self._games.open, self._now)

    @property
    def file(self) -> str:
        """A file with the game as it is now: the source, or one that is kept of it."""
        games = self._games.kept
        if games is None or (digest := self._digest_now()) == self.disk:
            return self.source
        games.keep(digest, self.data())  # it may have made room for others
        return str(games.path(digest))

    def _found(self) -> FoundFile:
        assert self._now is not None
        return self._games.found(self._now)

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
        """Change plain files; see :meth:`Bench.step`."""
        self._refuse()
        differ = self._differing(changes, before)
        new = {path: after for path, (_, after) in differ.items()}
        built = rebuild(self.view, new, None, options(accept, rewrite))
        result = digest_of(built.content)
        self._check_taken(built, new, result)
        self._begin()
        journal, games = self.journal, self._games.kept
        assert journal is not None and games is not None
        state = GameState(built.content, self._games.differing(built), dict(built.sources))
        games.keep(result, state.content)
        step = msgspec.structs.replace(
            self.history.new_step(label, journal.put_all(differ), [*findings, *built.findings]),
            result=result,
            size=len(state.content),
            companions={name: journal.put(data) for name, data in state.companions.items()},
            replaces=self._replaced_by(state),
            sources={path: journal.put(data) for path, data in state.sources.items()},
            accept=accept,
            rewrite=rewrite,
        )
        self._write(step)
        self._show(state._replace(removed=removed_at(self.history, step.id)))
        self._checked(step.parent, check)
        return step

    def _check_taken(self, built: Built, changes: Mapping[str, bytes | None], result: str) -> None:
        """Raise WorkspaceError where packing did not take an edit."""
        for path in changes:
            lost = [each for each in built.findings.of(path) if each.code == "no-effect"]
            if lost:
                raise FindingsError(lost)
        assert self._now is not None
        is_same = self._games.differing(built) == dict(self._now.companions)
        is_same = is_same and built.removed <= self._now.removed
        if result == self._digest_now() and is_same:
            raise NothingChanged(
                "\n".join(built.findings.texts()) or "nothing in the game is changed"
            )

    def _digest_now(self) -> str:
        """The digest of the game as it is now."""
        step = self.history.current
        if step is not None:
            return step.result
        begin = self.history.begin
        if begin is None:
            assert self._games.base is not None
            self.disk = self.disk or digest_of(self._games.base.content)
            return self.disk
        return begin.digest

    def _begin(self) -> None:
        """Begin a journal where there is none; the file as it is is kept in it."""
        assert self._games.base is not None and self._now is not None
        if self.journal is not None:
            return
        content = self._games.base.content
        folder, name = journals_of(self.source), self.disk[:24]
        places = chain([folder / name], (folder / f"{name}-{number}" for number in count(1)))
        self._open_journal(next(place for place in places if place not in self._outdated))
        self._refuse()
        assert self._games.kept is not None
        self._games.kept.pinned.add(self.disk)
        self._games.kept.keep(self.disk, content, flush=True)
        if isinstance(content, bytes) and len(content) >= HELD:  # it need not be in memory
            mapped, _ = map_file(str(self._games.kept.path(self.disk)))
            self._games.base = self._games.base._replace(content=mapped)
        if self.history.begin is None:
            document = self.view.document
            path = os.path.abspath(self.source)
            self._write(Begin(path, self.disk, len(content), document.kind, document.version))

    def go(self, to: int, check: Callable[[], None] = lambda: None) -> None:
        """Show the game as it was after a step; see :meth:`Bench.go`."""
        self._refuse()
        self.history.must_have(to)
        before = self.history.at
        state = self._games.after(self.history, to)
        self._set_at(to)
        self._show(state)
        self._checked(before, check)

    def _checked(self, before: int, check: Callable[[], None]) -> None:
        """Go back where the game can't be shown."""
        try:
            check()
        except BaseException:
            self._show(self._games.after(self.history, before))
            self._set_at(before)
            raise

    def _show(self, state: GameState) -> None:
        self._now = state
        self._document = self._view = None
        return_memory()

    # -- saving ------------------------------------------------------------------------------

    @property
    def saves(self) -> bool:
        """Whether there is a file to save: not where it is inside another one."""
        return not self._inside and os.path.isfile(self.source)

    @property
    def unsaved(self) -> bool:
        """Whether the game on show is another than the file on the disk, or the files next to it
        are others."""
        history, games = self.history, self._games
        if history.begin is None:
            return False
        on_disk = history.steps.get(history.saved.get(self.disk, START))
        return self._digest_now() != self.disk or (
            games.companions_of(history.current) != games.companions_of(on_disk)
            or any(games.on_disk(path) is not None for path in self._removed())
        )

    def _removed(self) -> frozenset[str]:
        """The files next to the game on show that it has no longer."""
        return frozenset() if self._now is None else self._now.removed

    def data(self) -> Buffer:
        """The file as it is now."""
        assert self._now is not None
        return self._now.content

    def save(self, target: str | None = None) -> list[str]:
        """Write the game over the file; the original is kept as ``NAME.bak``.  Return the paths.

        ``target``: write it there instead, where no file may be.  Raises StaleEdit where the file
        was changed by another program, FileExistsError, OSError.
        """
        assert self._now is not None
        state = self._now
        if target is not None:
            return self.write_to(target)
        if not self.saves:
            raise WorkspaceError(
                f"{self.source} is not a file of its own, and can't be written: download the game, "
                "or save the steps as a mod"
            )
        self._refuse()
        if self.journal is None or self.history.begin is None:
            raise NothingChanged("nothing was changed")
        mine = {self.history.begin.digest, *self.history.saved, self.disk}
        with open(self.source, "rb") as file:
            on_disk = hashlib.file_digest(file, "sha256").hexdigest()
        if on_disk not in mine:
            raise StaleEdit(self.source, f"{self.source} was changed by another program")
        self._check_companions()
        return self._replace_file(state, on_disk)

    def _replaced_by(self, state: GameState) -> dict[str, str]:
        """The digests of the files on the disk that a game is the first to replace."""
        assert self._now is not None
        read = ((name, self._games.on_disk(name)) for name in state.companions
                if name not in self._now.companions)  # fmt: skip
        return {name: digest_of(data) for name, data in read if data is not None}

    def _on_disk_of(self, history: History) -> int | None:
        """The step that the files on the disk are as; None where another program wrote one."""
        read: dict[str, str | None] = {}
        last = history.saved.get(self.disk, START)
        for step in dict.fromkeys((last, START, *history.steps)):
            near = near_files(history, step)
            for path in near.keys() - read.keys():
                data = self._games.on_disk(path)
                read[path] = None if data is None else digest_of(data)
            if all(read[path] == digest for path, digest in near.items()):
                return step
        return None

    def _check_companions(self) -> None:
        """Raise StaleEdit where another program changed a file next to the game, or of a project,
        since it was read."""
        history = self.history
        known = [near_files(history, step) for step in (START, *history.steps)]
        for path in sorted({path for near in known for path in near}):
            data = self._games.on_disk(path)
            if data is not None and digest_of(data) not in {near.get(path) for near in known}:
                raise StaleEdit(path, f"{path} was changed by another program")

    def write_to(self, target: str, *, force: bool = False) -> list[str]:
        """Write the game as it is now, and the files that belong to it, to another place."""
        assert self._now is not None
        state = self._now
        return save_all(
            target, state.content, state.companions, force=force, backup=lambda path: not force
        )

    def _replace_file(self, state: GameState, on_disk: str) -> list[str]:
        journal, begin = self.journal, self.history.begin
        assert journal is not None and begin is not None
        ours = {written for step in self.history.steps.values() for written in
                step.companions.items()}  # fmt: skip
        replaced = {
            name: journal.put(data)
            for name in {*state.companions, *state.removed}
            if (data := self._games.on_disk(name)) is not None
            and (name, digest_of(data)) not in ours
        }
        if replaced:  # kept before anything is written: the program may end meanwhile
            self._write(Replaced(replaced))
        first = on_disk == begin.digest and on_disk != self._digest_now()

        def is_original(path: str) -> bool:
            name = os.path.basename(path)
            return first if name == os.path.basename(self.source) else name in replaced

        if folder_format_of(begin.kind).edits_files:
            paths = self._write_project(state)
        else:
            paths = save_all(
                self.source, state.content, state.companions, force=True, backup=is_original
            )
        self.disk = digest_of(state.content)
        self._write(Saved(self.history.at, self.disk))
        return paths

    def _write_project(self, state: GameState) -> list[str]:
        """Write the files of a project that differ, all or none; the journal has the others."""
        folder = os.path.dirname(os.path.abspath(self.source))
        files = {**state.companions, os.path.basename(self.source): bytes(state.content)}
        files = {path: data for path, data in files.items() if path not in state.removed}
        changed: dict[str, bytes | None] = {
            path: data for path, data in files.items() if self._games.on_disk(path) != data
        }
        gone = (path for path in state.removed if self._games.on_disk(path) is not None)
        changed |= dict.fromkeys(gone)
        save_files(folder, changed)
        return [os.path.join(folder, *path.split("/")) for path in changed]

    def original(self) -> Document:
        """The game as it was before the first step, opened."""
        return self._games.found(self._games.after(self.history, START)).open()

    def mod(self, name: str) -> Mod:
        """A mod of all that the steps changed."""
        found, now = self._games.found(self._games.after(self.history, START)), self._found()
        with found.open() as old, now.open() as new:
            return made_mod(FileView(old, found), FileView(new, now), name)


def _peeked(folder: Path) -> History | None:
    """The steps in a journal that is not opened; None for a folder that is none."""
    try:
        return History(records_in((folder / "journal").read_bytes())[0])
    except (OSError, WorkspaceError):
        return None
