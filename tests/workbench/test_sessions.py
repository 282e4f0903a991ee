"""Random sessions: what a model says to be there is there, by bytes, however a program ended.

A session edits, undoes, does again, goes to any step, saves, opens again, is killed at any of its
writes, and finds the file or folder changed by another program.  A few sessions run; with
OVERHAUL_FULL=1 many.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import overhaul
from overhaul.errors import WorkspaceError
from overhaul.workbench import Bench, FileBench, FolderBench, StaleEdit
from overhaul.workbench.bench import NothingChanged
from overhaul.workbench.history import START
from overhaul.workbench.journal import digest_of
from overhaul.workbench.places import journals_of
from repeats import times
from toy import SIDE, Toy, toy_bytes

LENGTH = 25
NAMES = ("a", "b", "c")


class Killed(BaseException):
    """The program ended here."""


class Power:
    """Ends the program at one of its writes: nothing is written behind it, not even to clean up."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.left = -1  # writes until the end; -1: no end
        for name in ("replace", "link", "unlink", "ftruncate", "mkdir", "write"):
            patch.setattr(os, name, self._guarded(getattr(os, name), name))

    def _guarded(self, call: Callable[..., Any], name: str) -> Callable[..., Any]:
        def guarded(*arguments: Any, **named: Any) -> Any:
            if self.left == 0:
                raise Killed
            if self.left > 0:
                self.left -= 1
                if self.left == 0:
                    if name == "write":  # a part of it is on the disk
                        call(arguments[0], arguments[1][: len(arguments[1]) // 2])
                    raise Killed
            return call(*arguments, **named)

        return guarded


# -- what must be there ----------------------------------------------------------------------------


class Game(NamedTuple):
    """The notes of a toy, and the file next to it."""

    notes: tuple[tuple[str, bytes], ...]
    side: bytes

    @property
    def data(self) -> bytes:
        return toy_bytes(list(self.notes))

    def with_file(self, path: str, data: bytes | None) -> Game:
        if path == "side.bin":
            return self._replace(side=data or b"")
        name = path[6:-4]
        if data is None:
            return self._replace(notes=tuple(note for note in self.notes if note[0] != name))
        known = {**dict(self.notes), name: data}
        return self._replace(notes=tuple(known.items()))


class Tree:
    """The steps after a game: their parents, what each left, and which of them was on show."""

    def __init__(self, begin: Any) -> None:
        self.parents: dict[int, int] = {}
        self.states: dict[int, Any] = {START: begin}
        self.next: dict[int, int] = {}
        self.at = START
        self.saved: dict[bytes, int] = {}

    def add(self, state: Any) -> None:
        number = len(self.states)
        self.parents[number], self.states[number] = self.at, state
        self.go(number)

    def go(self, to: int) -> None:
        self.at = to
        for number in self.way(to):
            self.next[self.parents[number]] = number

    def way(self, to: int) -> list[int]:
        return [] if to == START else [*self.way(self.parents[to]), to]


class FileModel:
    """A file: ``disk`` is what is there, ``seen`` its bytes when it was read, ``now`` what the
    bench shows; ``tree`` are the steps after the game that it shows."""

    def __init__(self, game: Game) -> None:
        self.disk = self.now = self.original = game
        self.trees: list[Tree] = []
        self.backups: set[bytes] = set()
        self.load()

    def load(self) -> None:
        self.seen = self.disk.data
        self.tree: Tree | None = None
        for tree in sorted(self.trees, key=lambda tree: digest_of(tree.states[START].data)):
            if self.seen in {*tree.saved, *(state.data for state in tree.states.values())}:
                self.tree = tree
        self.left = sorted(
            len(tree.way(tree.at))
            for tree in self.trees
            if tree is not self.tree and tree.at not in (START, *tree.saved.values())
        )
        self.now = self.disk
        if self.tree is not None:
            saved = self.tree.saved
            is_put_back = self.seen == self.tree.states[START].data != [b"", *saved][-1]
            if is_put_back and self.tree.at in saved.values():
                self.tree.go(START)
            self.now = self.tree.states[self.tree.at]

    def step(self, changed: Game) -> None:
        if changed == self.now:
            raise NothingChanged
        if not changed.notes:
            raise WorkspaceError
        tree = self.tree or self.begin()
        tree.add(changed)
        self.now = changed

    def begin(self) -> Tree:
        self.tree = Tree(self.now)
        self.trees.append(self.tree)
        return self.tree

    def go(self, to: int) -> None:
        assert self.tree is not None
        self.tree.go(to)
        self.now = self.tree.states[to]

    def save(self) -> None:
        if self.tree is None:
            raise NothingChanged
        begin = self.tree.states[START]
        if self.disk.data not in {begin.data, *self.tree.saved, self.seen}:
            raise StaleEdit("")
        if self.disk.data == begin.data != self.now.data:
            self.backups.add(begin.data)
        if self.disk.side == begin.side != self.now.side:
            self.backups.add(begin.side)
        self.disk, self.seen = self.now, self.now.data
        self.tree.saved.pop(self.seen, None)
        self.tree.saved[self.seen] = self.tree.at

    @property
    def unsaved(self) -> bool:
        if self.tree is None:
            return False
        saved = self.tree.states[self.tree.saved.get(self.seen, START)]
        return self.now.data != self.seen or self.now.side != saved.side


class FolderModel:
    """A folder: ``files`` are there, a state of the tree is what its step changed."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.tree = Tree({})

    def load(self) -> None:
        """Reading a folder changes nothing."""

    def step(self, path: str, data: bytes | None) -> None:
        before = self.files.get(path)
        if before == data:
            raise NothingChanged
        self.tree.add({path: (before, data)})
        self._put(path, data)

    def go(self, to: int) -> None:
        here, there = self.tree.way(self.tree.at), self.tree.way(to)
        moves: dict[str, list[bytes | None]] = {}
        turned = [n for n in reversed(here) if n not in there]
        for number, back in [(n, 1) for n in turned] + [(n, 0) for n in there if n not in here]:
            for path, both in self.tree.states[number].items():
                moves.setdefault(path, [both[back], None])[1] = both[not back]
        moves = {path: both for path, both in moves.items() if both[0] != both[1]}
        if any(self.files.get(path) != before for path, (before, _) in moves.items()):
            raise StaleEdit("")
        for path, (_, after) in moves.items():
            self._put(path, after)
        self.tree.go(to)

    def _put(self, path: str, data: bytes | None) -> None:
        if data is None:
            self.files.pop(path, None)
        else:
            self.files[path] = data


# -- a session -------------------------------------------------------------------------------------


def outcome(call: Callable[[], object]) -> type[BaseException] | None:
    """The error of a call; None without one."""
    try:
        call()
    except (StaleEdit, NothingChanged, WorkspaceError) as error:
        return type(error)
    return None


class Session:
    """A bench and a model of it, to which the same is done."""

    def __init__(self, path: Path, random: Random, power: Power) -> None:
        self.path, self.random, self.power = path, random, power
        self.bench = self.opened()
        self.log: list[str] = []

    model: Any

    def opened(self) -> Bench:
        raise NotImplementedError

    def edit(self) -> tuple[str, bytes | None]:
        """A random edit of a plain file."""
        path = f"notes/{self.random.choice(NAMES)}.txt"
        data = self.random.choice([b"", b"one", b"two", b"three", None, None])
        return path, data

    def both(self, what: str, bench: Callable[[], object], model: Callable[[], object]) -> None:
        """Do something to both; it may be the last that the program does."""
        if self.random.random() < 0.2:
            self.killed(what, bench, model)
            return
        self.log.append(what)
        assert outcome(bench) is outcome(model)

    def killed(self, what: str, bench: Callable[[], object], model: Callable[[], object]) -> None:
        self.power.left = self.random.randrange(1, 14)
        self.log.append(f"{what}, killed at {self.power.left}")
        before = deepcopy(self.model)
        outcome(model)
        after = self.model
        try:
            outcome(bench)
            possible = [after]
        except Killed:
            possible = self.possible(before, after)
        finally:
            self.power.left = -1
            self.bench.close()
        self.bench = self.opened()
        for self.model in possible:
            self.model.load()
            if self.differs() is None:
                self.agree()
                return
        self.model = before
        raise AssertionError(self.differs())

    def possible(self, before: Any, after: Any) -> list[Any]:
        """What may be there where not all was written, and each of it is as it should be."""
        return [after, before]

    def agree(self) -> None:
        """Let the model have what can't be seen yet, and may be one or the other."""

    def differs(self) -> str | None:
        """What is not as the model says."""
        raise NotImplementedError

    def run(self) -> None:
        for _ in range(LENGTH):
            self.act(
                self.random.choice(["step"] * 4 + ["undo", "undo", "redo", "go", *self.others])
            )
            assert self.differs() is None
        self.bench.close()

    others: tuple[str, ...] = ("reopen",)

    def act(self, what: str) -> None:
        bench, tree = self.bench, self.model.tree
        if what == "step":
            self.step(*self.edit())
        elif what == "reopen":
            bench.close()
            self.bench = self.opened()
            self.model.load()
            self.log.append(what)
        elif tree is None or (what == "undo" and tree.at == START):
            assert what == "go" or outcome(getattr(bench, what)) is WorkspaceError
        elif what == "undo":
            to = tree.parents[tree.at]
            self.both(f"undo to {to}", bench.undo, lambda: self.model.go(to))
        elif what == "redo" and tree.at not in tree.next:
            assert outcome(bench.redo) is WorkspaceError
        else:
            to = tree.next[tree.at] if what == "redo" else self.random.randrange(len(tree.states))
            call = bench.redo if what == "redo" else (lambda: bench.go(to))
            self.both(f"{what} to {to}", call, lambda: self.model.go(to))

    def step(self, path: str, data: bytes | None) -> None:
        raise NotImplementedError

    @staticmethod
    def same_steps(bench: Bench, tree: Tree) -> bool:
        history = bench.history
        return (
            history.at == tree.at
            and {step.id: step.parent for step in history.steps.values()} == tree.parents
            and [step.id for step in history.undone()][:1]
            == [tree.next.get(tree.at)][: tree.at in tree.next]
        )


class FileSession(Session):
    """With ``others`` at work on the file, or with a file next to it."""

    model: FileModel
    bench: FileBench

    def __init__(self, path: Path, random: Random, power: Power) -> None:
        game = Game((("a", b"one"), ("b", b"")), b"side")
        path.write_bytes(game.data)
        path.with_name(SIDE).write_bytes(game.side)
        self.model = FileModel(game)
        super().__init__(path, random, power)
        self.alone = random.random() < 0.5
        self.others = (
            "reopen",
            "save",
            "save",
            "save",
            "lose",
            *(() if self.alone else ("foreign",)),
        )

    def opened(self) -> FileBench:
        bench = FileBench(str(self.path))
        bench.load()
        return bench

    def edit(self) -> tuple[str, bytes | None]:
        if self.alone and self.random.random() < 0.3:
            return "side.bin", self.random.choice([b"side", b"other", b"third"])
        return super().edit()

    def step(self, path: str, data: bytes | None) -> None:
        changed = self.model.now.with_file(path, data)
        self.both(
            f"step {path} {data!r}",
            lambda: self.bench.step({path: data}, "step"),
            lambda: self.model.step(changed),
        )

    def act(self, what: str) -> None:
        if what == "save":
            self.both("save", self.bench.save, self.model.save)
        elif what == "lose":  # kept games only save time
            for kept in journals_of(str(self.path)).glob("*/games/*"):
                if self.random.random() < 0.5 and kept.name != kept.parts[-3]:
                    first = {digest_of(tree.states[START].data) for tree in self.model.trees}
                    if kept.name not in first:
                        kept.unlink()
            self.log.append("lose")
        elif what == "foreign":
            trees = self.model.trees
            known = [state.data for tree in trees for state in tree.states.values()]
            known += [data for tree in trees for data in tree.saved] * 4
            data = self.random.choice([*known, toy_bytes({"a": b"%d" % self.random.randrange(3)})])
            self.path.unlink()
            self.path.write_bytes(data)
            notes = tuple(Toy.from_bytes(data).notes)
            self.model.disk = Game(notes, self.model.disk.side)
            self.log.append(f"another program writes {notes}")
        else:
            super().act(what)

    def possible(self, before: FileModel, after: FileModel) -> list[FileModel]:
        models = [after, before]
        if before.disk != after.disk:
            side, whole = deepcopy(before), deepcopy(before)
            side.disk = side.disk._replace(side=after.disk.side)
            whole.disk = after.disk
            models += [side, whole]
        elif before.tree is None is not after.tree:  # its first step is not there
            models.append(deepcopy(before))
            models[-1].begin()
        kept = self.backups()
        if before.backups <= kept <= after.backups:
            for model in models:
                model.backups = kept
        return models

    def backups(self) -> set[bytes]:
        return {path.read_bytes() for path in self.path.parent.glob("*.bak*")}

    def agree(self) -> None:
        tree = self.model.tree
        if tree is not None:  # whether a game that was written is known to be saved
            games = {digest_of(state.data): state.data for state in tree.states.values()}
            saved = self.bench.history.saved
            tree.saved = {games[digest]: step for digest, step in saved.items()}

    def differs(self) -> str | None:
        model, bench = self.model, self.bench
        view = bench.view
        found = {
            name: view.read(f"notes/{name}.txt") for name in NAMES if f"notes/{name}.txt" in view
        }
        checks = {
            "data": bytes(bench.data()) == model.now.data,
            "notes": found == dict(model.now.notes),
            "side": bench.read("side.bin") == model.now.side,
            "the file on the disk": self.path.read_bytes() == model.disk.data,
            "the side on the disk": self.path.with_name(SIDE).read_bytes() == model.disk.side,
            "backups": self.backups() == model.backups,
            "left": sorted(each.number for each in bench.left) == model.left,
            "unsaved": bench.unsaved == model.unsaved,
            "steps": bench.history.begin is None
            if model.tree is None
            else bench.history.begin is not None and self.same_steps(bench, model.tree),
        }
        return ", ".join(name for name, is_so in checks.items() if not is_so) or None


class FolderSession(Session):
    """Another program writes files of the folder."""

    model: FolderModel
    bench: FolderBench
    others = ("reopen", "foreign", "impossible")

    def __init__(self, path: Path, random: Random, power: Power) -> None:
        file = path.with_name("game.toy")
        file.write_bytes(toy_bytes({"a": b"one", "b": b""}))
        overhaul.unpack(file, path)
        super().__init__(path, random, power)
        self.model = FolderModel(self.files())

    def opened(self) -> FolderBench:
        bench = FolderBench(str(self.path))
        bench.load()
        return bench

    def files(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.path).as_posix(): path.read_bytes()
            for path in self.path.rglob("[!.]*")
            if path.is_file() and ".overhaul" not in path.parts
        }

    def edit(self) -> tuple[str, bytes | None]:
        path, data = super().edit()
        others = [name for name in self.model.files if name.startswith("notes/") and name != path]
        return path, data if others else b"one"

    def step(self, path: str, data: bytes | None) -> None:
        self.both(
            f"step {path} {data!r}",
            lambda: self.bench.step({path: data}, "step"),
            lambda: self.model.step(path, data),
        )

    def act(self, what: str) -> None:
        if what == "foreign":
            path, _ = self.edit()
            data = self.random.choice([b"one", b"foreign"])
            (self.path / path).write_bytes(data)
            self.model.files[path] = data
            self.log.append(f"another program writes {path} {data!r}")
        elif what == "impossible":
            self.impossible()
        else:
            super().act(what)

    def impossible(self) -> None:
        """A step of several files, one of which can't be: nothing of it is there."""
        path, data = self.edit()
        there = [name for name in self.model.files if name.endswith(".txt") and name != path]
        below = [f"{name}/{rest}" for name in there for rest in ("x.txt", "y/x.txt")]
        changes = {path: data, self.random.choice([*below, "../x.txt", "notes/x\0"]): b"x"}
        self.log.append(f"impossible step {changes}")
        assert outcome(lambda: self.bench.step(changes, "impossible")) is WorkspaceError

    def differs(self) -> str | None:
        checks = {
            "files": self.files() == self.model.files,
            "steps": self.same_steps(self.bench, self.model.tree),
        }
        return ", ".join(name for name, is_so in checks.items() if not is_so) or None


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    ("kind", "sessions"), [(FileSession, times(1000, 8)), (FolderSession, times(1000, 25))]
)
def test_what_a_model_says_to_be_there_is_there(
    kind: type[Session], sessions: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    power = Power(monkeypatch)
    for seed in range(sessions):
        place = tmp_path / str(seed)
        place.mkdir()
        monkeypatch.setenv("OVERHAUL_DATA", str(place / "data"))
        session = kind(place / "toy", Random(seed), power)
        try:
            session.run()
        except Exception as error:
            error.add_note(f"session {seed}: " + "; ".join(session.log))
            raise
