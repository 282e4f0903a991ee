"""Edited plain files on their way into a document: what all formats' ``apply`` do the same way.

:class:`Edits` reads the files and knows what happened to each; :func:`by_unit` sorts paths to the
resources they belong to; :func:`pair_renamed` finds resources that are back under another name.
A format's ``apply`` is then its own rules only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from overhaul.document.plainfiles import Change, Folder, PackOptions
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.folder.json_fields import read_json, read_list, read_object

A = TypeVar("A")
B = TypeVar("B")

#: A resource as the folder knows it: the folder of its type, and its file name without ending.
Unit = tuple[str, str]


class Edits:
    """The plain files of a folder that is packed, and what happened to each since unpacking.

    ``changes`` has the paths that were ``"added"``, ``"changed"`` or ``"removed"``.  ``findings``
    collects what ``apply`` returns.  ``options`` are those of packing.
    """

    def __init__(self, folder: Folder, changes: Mapping[str, Change]) -> None:
        self.folder = folder
        self.changes = changes
        self.findings: Findings = Findings()
        self.options: PackOptions = folder.options
        #: the files that were read
        self.used: set[str] = set()
        #: the contents of files that differ from those on the disk
        self.replaced: dict[str, bytes] = {}

    @cached_property
    def present(self) -> frozenset[str]:
        """The paths of all files."""
        return frozenset(self.folder.list())

    def __contains__(self, path: str) -> bool:
        return self.folder.lists(path)

    def edited(self, path: str) -> bool:
        """Whether a file was added or changed."""
        return self.changes.get(path, "removed") != "removed"

    def named(self, path: str) -> bytes:
        """The bytes of a file that JSON names.  Raises FormatError if there is none."""
        if path not in self:
            raise FormatError(f"there is no file {path}")
        return self.bytes(path)

    def bytes(self, path: str) -> bytes:
        """The bytes of a file.  Raises WorkspaceError for an unknown path."""
        self.used.add(path)
        return self.replaced[path] if path in self.replaced else self.folder.read(path)

    def text(self, path: str) -> str:
        """The text of a file; bytes that are not UTF-8 become lone surrogates."""
        return self.bytes(path).decode("utf-8", "surrogateescape")

    def json(self, path: str) -> object:
        """The value of a JSON file.  Raises WorkspaceError for other text."""
        return read_json(self.bytes(path), path)

    def json_object(self, path: str) -> dict[str, object]:
        """The object of a JSON file; empty if the file does not exist."""
        return read_object(self.bytes(path), path) if path in self else {}

    def json_list(self, path: str) -> list[object]:
        """The list of a JSON file; empty if the file does not exist."""
        return read_list(self.bytes(path), path) if path in self else []


#: From which likeness on an added resource is a removed one under another name.
LIKE = 0.6


def likeness(first: Mapping[str, bytes], second: Mapping[str, bytes]) -> float:
    """How alike two resources are, from 0 to 1: the average over their files, by name.

    Binary files are alike if they are equal, JSON by its values, others by their lines.
    """
    names = {**first, **second}
    return sum(_alike(name, first.get(name), second.get(name)) for name in names) / max(
        len(names), 1
    )


def _alike(name: str, old: bytes | None, new: bytes | None) -> float:
    if old is None or new is None or old == new:
        return float(old == new)
    if not name.endswith((".json", ".gml")):
        return 0.0
    first, second = (Counter(_parts(name, data)) for data in (old, new))
    both = (first & second).total()
    return both / max((first | second).total(), 1)


def _parts(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    """The parts by which a text is compared."""
    if name.endswith(".json"):
        yield from _values(read_json(data, name), "")
    else:
        lines = data.decode("utf-8", "replace").split("\n")
        yield from (("", line.strip()) for line in lines)


def _values(value: object, place: str) -> Iterator[tuple[str, str]]:
    """The plain values in JSON, with their places."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _values(item, f"{place}.{key}")
    elif isinstance(value, list):
        for item in value:
            yield from _values(item, f"{place}[]")
    else:
        yield place, repr(value)


def by_unit(
    paths: Iterable[str], unit_of: Callable[[str], Unit | None]
) -> tuple[dict[Unit, list[str]], list[str]]:
    """Paths by the resource they belong to, and those that belong to none; both in order."""
    units: dict[Unit, list[str]] = {}
    others: list[str] = []
    for path in paths:
        unit = unit_of(path)
        (others if unit is None else units.setdefault(unit, [])).append(path)
    return units, others


def pair_renamed(
    first: Iterable[A], second: Iterable[B], same: Callable[[A, B], bool]
) -> list[tuple[A, B]]:
    """Pairs of a removed and an added thing (or the reverse) that are the same but for the name.

    Each of ``first`` is paired with the first of ``second`` that ``same`` accepts and that is
    not taken yet.
    """
    left = list(second)
    pairs = []
    for one in first:
        for index, other in enumerate(left):
            if same(one, other):
                pairs.append((one, other))
                del left[index]
                break
    return pairs
