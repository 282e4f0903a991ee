"""The differences between two projects, as findings: the parts of a project that a .gm82 folder
does not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeGuard

import msgspec

from overhaul.findings import Findings
from overhaul.gamemaker.classic.actions import Action
from overhaul.gamemaker.classic.fields import Deflated, Slot
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.records import Node, Project

#: Fields about the way a record is stored, not about its content.
_STORAGE: Final = {"kept", "rest", "content_size", "version", "trailing", "last_category"}
#: Fields that .gm82 folders have no place for, and that Game Maker makes new when it saves.
_MADE_NEW: Final = {"id", "guid", "changed", "last_changed", "settings_changed", "last_instance_id",
                    "last_tile_id"}  # fmt: skip
#: Fields with an id of a resource, of which each below 0 is none.
_IDS: Final = {"sprite", "mask", "parent", "object", "background", "follow_object",
               "background_room"}  # fmt: skip
_UNUSED: Final = "unused_arguments"


class Difference(NamedTuple):
    """A field that differs: where it is, and what the two projects have."""

    place: str
    field: str
    made: object
    stored: object


def found_missing(made: Project, stored: Project) -> Findings:
    """The parts that a project lacks that was made of the folder of another."""
    found = Findings()
    many: Counter[str] = Counter()
    for one in differences(made, stored):
        field = one.field.replace("_", " ")
        if one.field in _MADE_NEW or one.field == _UNUSED:
            many[one.field] += 1
        elif _same_lines(one.made, one.stored):
            found.warn("approximated", f"the line ends of {field} become CR LF", one.place)
        else:
            message = f"{field} ({_shown(one.stored)}) has no place in a .gm82 folder"
            found.warn("unsupported", message, one.place)
    for name, count in sorted(many.items()):
        then = "are left out" if name == _UNUSED else "are made new"
        message = f"{name.replace('_', ' ')}: {count} values have no place in a .gm82 folder"
        found.add_note("unsupported", f"{message}, and {then}")
    return found


def _same_lines(one: object, two: object) -> bool:
    """Whether two texts have the same lines."""
    return isinstance(one, str) and isinstance(two, str) and _plain(one) == _plain(two)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def differences(
    made: msgspec.Struct, stored: msgspec.Struct, place: str = ""
) -> Iterator[Difference]:
    """The fields in which two records differ."""
    for name in stored.__struct_fields__:
        if name in _STORAGE or (isinstance(stored, Action) and name.startswith("argument")):
            continue
        yield from _between(getattr(made, name), getattr(stored, name), place, name)
    if isinstance(stored, Action) and isinstance(made, Action):
        yield from _arguments(made, stored, place)


def _arguments(made: Action, stored: Action, place: str) -> Iterator[Difference]:
    """The arguments of an action that differ; those that it does not use differ as one."""
    count = stored.argument_count
    if made.argument_count != count:
        yield Difference(place, "argument_count", made.argument_count, count)
    for name in ("arguments", "argument_kinds"):
        one, two = getattr(made, name), getattr(stored, name)
        if one[:count] != two[:count]:
            yield Difference(place, name, one[:count], two[:count])
        elif one[count:] != two[count:]:
            yield Difference(place, _UNUSED, one[count:], two[count:])


def _between(one: object, two: object, place: str, name: str) -> Iterator[Difference]:
    if isinstance(two, Deflated) and isinstance(one, Deflated):
        one, two = one.data, two.data
    if name == "tree" and isinstance(one, list) and isinstance(two, list):
        pairs = zip(one, two, strict=False)
        trees = [(list(_tree(a.children)), list(_tree(b.children))) for a, b in pairs]
        yield from (Difference("", "tree", *tree) for tree in trees if tree[0] != tree[1])
    elif isinstance(one, msgspec.Struct) and isinstance(two, msgspec.Struct):
        if isinstance(two, Slot) and two.exists:
            known = BY_PLURAL.get(place)
            place = f"{place if known is None else known.singular} {two.name}"
        yield from differences(one, two, place or name)
    elif _are_records(one) and _are_records(two) and len(one) == len(two):
        for number, (first, second) in enumerate(zip(one, two, strict=True)):
            inner = place if isinstance(second, Slot) else f"{place}.{name}[{number}]".lstrip(".")
            yield from _between(first, second, inner, name)
    elif one != two and not _is_nothing(one, two, name):
        yield Difference(place, name, one, two)


def _are_records(value: object) -> TypeGuard[list[object]]:
    """Whether a value is a list of records, or of lists of them."""
    return isinstance(value, list) and all(isinstance(one, msgspec.Struct | list) for one in value)


def _is_nothing(one: object, two: object, name: str) -> bool:
    """Whether both values are none: free ids, no code of a library, no resource."""
    if isinstance(one, list) and isinstance(two, list):
        if name == "slots":
            return not any(slot.exists for slot in (*one, *two))
        return name == "codes" and not any(code.code for code in (*one, *two))
    return name in _IDS and isinstance(one, int) and isinstance(two, int) and max(one, two) < 0


def _tree(nodes: list[Node], depth: int = 0) -> Iterator[tuple[int, int, int | str]]:
    """The lines of a tree: resources by their ids, groups by their names."""
    for node in nodes:
        yield depth, node.status, node.name if node.status == 2 else node.index
        yield from _tree(node.children, depth + 1)


def _shown(value: object) -> str:
    """A value in few letters."""
    if isinstance(value, list) and not all(isinstance(one, str | int) for one in value):
        return f"{len(value)} values"
    text = f"{len(value)} bytes" if isinstance(value, bytes) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
