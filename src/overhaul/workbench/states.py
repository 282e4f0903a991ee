"""A game as each step left it: kept, or made again of the steps before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from overhaul.document.mapped import HELD
from overhaul.document.overlaid import overlaid
from overhaul.document.protocol import Buffer, Document, Siblings, Surroundings
from overhaul.document.reading import FoundFile, map_file, nothing_to_release, open_data
from overhaul.document.registry import folder_format_of
from overhaul.errors import WorkspaceError
from overhaul.folder.packing import Built
from overhaul.mods.building import rebuild
from overhaul.mods.view import FileView
from overhaul.workbench.bench import options
from overhaul.workbench.history import START, History, Replaced, Step
from overhaul.workbench.journal import Journal, KeptGames, digest_of


class GameState(NamedTuple):
    """A game: its file, the files next to it that differ from those on the disk, the code that
    people wrote, and the files next to it that it has no longer."""

    content: Buffer
    companions: Mapping[str, bytes]
    sources: Mapping[str, bytes]
    removed: frozenset[str] = frozenset()


class Games:
    """The games that the steps of a file made.

    ``base`` is the one before the first step, if it is there; ``disk_files`` are the files next to
    it on the disk; ``journal`` and ``kept`` are there once there was a step.
    """

    def __init__(self, source: str) -> None:
        self.source: str = source
        self.base: GameState | None = None
        self.disk_files: Siblings | None = None
        self.journal: Journal | None = None
        self.kept: KeptGames | None = None

    def open(self, state: GameState) -> Document:
        """A game, opened."""
        return open_data(state.content, source=self.source, siblings=self.siblings(state))

    def siblings(self, state: GameState) -> Siblings:
        """The files next to a game."""
        return overlaid(state.companions, self.disk_files, state.removed)

    def found(self, state: GameState) -> FoundFile:
        """The bytes of a game."""
        siblings = self.siblings(state)
        return FoundFile(state.content, self.source, siblings, nothing_to_release, state.sources)

    def differing(self, built: Built) -> dict[str, bytes]:
        """The files next to the game that are not as on the disk, or were not."""
        kept = {*self.companions_of(None)}
        if built.around is not None and self.journal is not None:
            # a file that a step added and saving wrote is gone after saving the step before
            steps = (record for record in self.journal.records if isinstance(record, Step))
            kept |= {name for step in steps for name in step.companions}
        return {
            name: data
            for name, data in built.companions.items()
            if name in kept or self.on_disk(name) != data
        }

    def on_disk(self, name: str) -> bytes | None:
        """A file next to the game on the disk, or in a folder there; None where there is none."""
        files = self.disk_files
        try:
            if isinstance(files, Surroundings):
                return files.read_at(name)
            return None if files is None else bytes(files.read(name))
        except (OSError, KeyError):
            return None

    def after(self, history: History, to: int) -> GameState:
        """The game after a step: as it was kept, or made again of the steps before.

        Raises WorkspaceError where the original is no longer kept.
        """
        way = history.path_to(to)
        state = self.base
        if state is not None:  # a save since may have replaced files next to it
            state = state._replace(companions=self.replaced(), removed=removed_at(history, START))
        start = 0
        for at in range(len(way), 0, -1):
            kept = self._state_kept(way[at - 1])
            if kept is not None:
                state, start = kept._replace(removed=removed_at(history, way[at - 1].id)), at
                break
        for step in way[start:]:
            if state is None:
                break
            state = self._made_again(step, state)
        if state is None:
            raise WorkspaceError("the file as it was before the first step is no longer kept")
        return state._replace(removed=removed_at(history, to))

    def _state_kept(self, step: Step) -> GameState | None:
        content = self.content_of(step.result)
        journal = self.journal
        if content is None or journal is None:
            return None
        read = {name: journal.get(digest) for name, digest in step.companions.items()}
        sources = {path: journal.get(digest) for path, digest in step.sources.items()}
        return GameState(content, {**self.replaced(), **read}, sources)

    def content_of(self, digest: str) -> Buffer | None:
        """A kept file; None where it is not kept, or damaged."""
        if self.kept is None:
            return None
        path = self.kept.path(digest)
        try:
            if path.stat().st_size >= HELD:
                content, _ = map_file(str(path))
            else:
                content = path.read_bytes()
        except OSError:
            return None
        return content if digest_of(content) == digest else None

    def _made_again(self, step: Step, state: GameState) -> GameState:
        journal = self.journal
        assert journal is not None
        found = self.found(state)
        with found.open() as document:
            changes = {
                path: None if change.after is None else journal.get(change.after)
                for path, change in step.changes.items()
            }
            built = rebuild(
                FileView(document, found), changes, None, options(step.accept, step.rewrite)
            )
        return GameState(built.content, self.differing(built), dict(built.sources), built.removed)

    def replaced(self) -> dict[str, bytes]:
        """The files next to the game as they were before the first save."""
        journal = self.journal
        if journal is None:
            return {}
        return {name: journal.get(digest) for name, digest in self.companions_of(None).items()}

    def companions_of(self, step: Step | None) -> dict[str, str]:
        """The digests of the files next to the game after a step (None: before the first), by name:
        of those that steps changed or that saving replaced."""
        digests: dict[str, str] = {}
        for record in () if self.journal is None else self.journal.records:
            if isinstance(record, Replaced):
                digests = {**record.files, **digests}
        return digests if step is None else {**digests, **step.companions}


def removed_at(history: History, to: int) -> frozenset[str]:
    """The files of a project that it does not have after a step, and another step knows: they may
    be on the disk.  Plain files of a game are none of the disk."""
    if history.begin is None or not folder_format_of(history.begin.kind).edits_files:
        return frozenset()
    there: dict[str, bool] = {}
    for _, step in sorted(history.steps.items()):  # the first that has a file says what was before
        for path, change in step.changes.items():
            there.setdefault(path, change.before is not None)
    for step in history.path_to(to):
        there |= {path: change.after is not None for path, change in step.changes.items()}
    return frozenset(path for path, is_there in there.items() if not is_there)


def near_files(history: History, to: int) -> dict[str, str | None]:
    """The digests of the files next to a game that a step changes, as they are on the disk where
    the step ``to`` was saved (0: before the first one); None for a file that is not there."""
    steps = [step for _, step in sorted(history.steps.items())]
    first: dict[str, str | None] = {}
    for known in (*(record.files for record in history.replaced),
                  *(step.replaces for step in steps)):  # fmt: skip
        first = {**known, **first}
    made = {} if to == START else history.steps[to].companions
    paths = {path for step in steps for path in step.companions}
    digests = {path: made.get(path, first.get(path)) for path in paths}
    if history.begin is not None and folder_format_of(history.begin.kind).edits_files:
        for step in steps:  # files that are taken out are no companions
            for path, change in step.changes.items():
                digests.setdefault(path, change.before)
        digests.pop(os.path.basename(history.begin.path), None)
    return {**digests, **dict.fromkeys(removed_at(history, to))}
