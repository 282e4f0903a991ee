"""Lists of drag-and-drop actions, edited as changes of their plain files.

A list is ``EVENT/actions.json`` with the code of its actions next to it, or ``EVENT.gml`` where it
is nothing but code: see :mod:`overhaul.gamemaker.classic_folder.actions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import expect_object, in_file, json_bytes, read_list, wide
from overhaul.workbench.forms import written_as
from overhaul.workbench.resources import Changes

LIST = "actions.json"
#: the text of a new action with code
NEW_CODE = b"// new\n"
_CODE = "code"


class ActionFiles:
    """A list of actions in its files.

    ``stem`` is the path of the event without an ending; ``read`` gives the bytes of a file,
    ``has`` whether there is one. Code that changes the list notes the files in ``changes``;
    ``content`` is the present file.
    """

    def __init__(self, stem: str, read: Callable[[str], bytes], has: Callable[[str], bool]) -> None:
        self.path = f"{stem}/{LIST}"
        self.changes: Changes = {}
        self._stem = stem
        self._read = read
        self._has = has
        self._before: bytes | None = None
        alone = f"{stem}.gml"
        if has(self.path):
            self._before = read(self.path)
            self.actions: list[dict[str, object]] = self._read_list(self._before)
            self.content: bytes = self._before
        elif has(alone):
            code = read(alone)
            self.actions = [{"action": _CODE, "file": "1.gml"}]
            self.changes |= {alone: None, f"{stem}/1.gml": code}
            self.content = code
        else:
            raise WorkspaceError(f"{stem} has no actions")

    def add(self, name: str, arguments: Sequence[object], at: int) -> None:
        """Add an action of the libraries before another one, or at the end."""
        action: dict[str, object] = {"action": name}
        if name == _CODE:
            action["file"] = self._new_file(NEW_CODE)
        elif arguments:
            action["arguments"] = [*arguments]
        self.actions.insert(min(max(at, 0), len(self.actions)), action)

    def remove(self, at: int) -> None:
        """Remove an action, and its code unless another action runs it."""
        file = self._file_of(self._at(at))
        del self.actions[at]
        if file and file not in map(self._file_of, self.actions):
            self.changes[file] = None

    def duplicate(self, at: int) -> None:
        """Repeat an action behind itself."""
        action = self._at(at)
        file = self._file_of(action)
        made = {**action, "file": self._new_file(self._bytes(file))} if file else dict(action)
        self.actions.insert(at + 1, made)

    def move(self, at: int, by: int) -> None:
        """Move an action by some places; none moves beyond the ends."""
        action = self._at(at)
        del self.actions[at]
        self.actions.insert(min(max(at + by, 0), len(self.actions)), action)

    def set(self, at: int, values: Mapping[str, object]) -> None:
        """Set keys of an action; None: as they are by default."""
        action = self._at(at)
        self.actions[at] = {
            key: value for key, value in {**action, **values}.items() if value is not None
        }

    def done(self) -> Changes:
        """The files that change."""
        if self._before is None:
            data = json_bytes(self.actions, wide)
        else:
            data = written_as(self.actions, self._before)
        return {**self.changes, self.path: data}

    def _read_list(self, data: bytes) -> list[dict[str, object]]:
        with in_file(self.path):
            return [expect_object(each) for each in read_list(data, self.path)]

    def _at(self, at: int) -> dict[str, object]:
        if not 0 <= at < len(self.actions):
            raise WorkspaceError(f"{self.path} has no action {at}")
        return self.actions[at]

    def _file_of(self, action: Mapping[str, object]) -> str:
        file = action.get("file")
        return f"{self._stem}/{file}" if isinstance(file, str) else ""

    def _bytes(self, path: str) -> bytes:
        changed = self.changes.get(path)
        return self._read(path) if changed is None else changed

    def _new_file(self, data: bytes) -> str:
        """The name of a new file of code."""
        number = 1
        while (path := f"{self._stem}/{number}.gml") in self.changes or self._has(path):
            number += 1
        self.changes[path] = data
        return f"{number}.gml"
