"""The names of resources and their ids, which .gm81 files have in the place of names."""

from __future__ import annotations

from typing import Final

from overhaul.findings import Findings

NONE: Final = -1


class ResourceIds:
    """The ids of the resources of each kind (``objects``) by name, and the names by id.

    A name that no resource has gets an id behind the others, so that it stays what it is: in a
    .gm81 file it is that of a resource that was deleted.
    """

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self._names: dict[str, dict[int, str]] = {}
        self._ids: dict[str, dict[str, int]] = {}
        self._next: dict[str, int] = {}
        self.lost: dict[str, set[int]] = {}

    def add(self, kind: str, names: list[str]) -> None:
        """Take the names of a kind in the order of their ids; empty for a free one."""
        self._names[kind] = {number: name for number, name in enumerate(names) if name}
        self._ids[kind] = {name: number for number, name in reversed(self._names[kind].items())}
        self._next[kind] = len(names)

    def id_of(self, kind: str, name: str, path: str, line: int = 0, *, none: int = NONE) -> int:
        """The id of a name; ``none`` for an empty one."""
        if not name:
            return none
        ids = self._ids.setdefault(kind, {})
        if name not in ids:
            number = self._next.get(kind, 0)
            self._next[kind] = number + 1
            ids[name] = number
            self._names.setdefault(kind, {})[number] = name
            self.lost.setdefault(kind, set()).add(number)
        number = ids[name]
        if number in self.lost.get(kind, ()):
            message = f"{name!r} is not one of the {kind}"
            self.findings.warn("missing-name", message, path, line=line)
        return number

    def name_of(self, kind: str, number: int, path: str) -> str:
        """The name of an id; empty for one below 0, and for one that no resource has."""
        name = self._names.get(kind, {}).get(number, "")
        if not name and number >= 0:
            message = f"nothing of the {kind} has the id {number}: the name is left empty"
            self.findings.warn("missing-name", message, path)
        return name
