"""Events and actions as text: the .gml files of objects and timelines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.gamemaker.classic.action_table import ARGUMENT_RESOURCES, SLOTS, definitions
from overhaul.gamemaker.classic.actions import COLLISION, TRIGGER, Action, ActionList, Event
from overhaul.gamemaker.gm82.names import ResourceIds
from overhaul.gamemaker.gm82.texts import (
    delimited,
    from_code,
    integer,
    lines_of,
    one_line,
    to_code,
    undelimited,
    wrong,
)

ACTION: Final = "/*\"/*'/**//* YYD ACTION"
_END: Final = "*/"
_DEFINE: Final = "#define "
#: the words that events begin with, by category
EVENTS: Final = (
    "Create", "Destroy", "Alarm", "Step", "Collision", "Keyboard", "Mouse", "Other", "Draw",
    "KeyPress", "KeyRelease", "Trigger",
)  # fmt: skip
_REFERENCES: Final = {COLLISION: "objects", TRIGGER: "triggers"}
_NORMAL, _REPEAT, _VARIABLE, _CODE = 0, 5, 6, 7
_NOTHING: Final = -4


class DefinedActions(NamedTuple):
    """The part after a ``#define``: its name, its line, and its actions."""

    name: str
    line: int
    actions: list[Action]


def read_parts(body: str, path: str, names: ResourceIds) -> list[DefinedActions]:
    """The events of an object, or the moments of a timeline.  Raises FormatError."""
    parts: list[DefinedActions] = []
    lines = lines_of(body)
    position = 0
    while position < len(lines):
        line = lines[position]
        if line.startswith(_DEFINE):
            parts.append(DefinedActions(line.removeprefix(_DEFINE), position + 1, []))
            position += 1
        elif line == ACTION and parts:
            action, position = _read_action(lines, position + 1, path, names)
            parts[-1].actions.append(action)
        else:
            expected = "an action" if parts else "#define and the name of an event"
            raise wrong(path, position + 1, f"expected {expected}, got {line!r}")
    return parts


def _read_action(lines: list[str], start: int, path: str, names: ResourceIds) -> tuple[Action, int]:
    """An action whose keys begin at a line, and the line behind it."""
    values: dict[str, tuple[str, int]] = {}
    position = start
    while position < len(lines) and lines[position] != _END:
        key, sign, value = lines[position].partition("=")
        if not sign or key in values or key not in _KEYS:
            message = f"expected a key of an action, got {lines[position]!r}"
            raise wrong(path, position + 1, message)
        values[key] = value, position + 1
        position += 1
    if position == len(lines):
        raise wrong(path, start, f"the action does not end: {_END} is missing")
    end = position = position + 1
    while position < len(lines) and not _is_mark(lines[position]):
        position += 1
    code = "\n".join(lines[end:position]) if position > end else None
    return _action(values, code, path, start, names), position


def _is_mark(line: str) -> bool:
    return line == ACTION or line.startswith(_DEFINE)


def _action(
    values: dict[str, tuple[str, int]], code: str | None, path: str, start: int, names: ResourceIds
) -> Action:
    """The action of its keys, and of the code behind them."""
    for key in ("lib_id", "action_id"):
        if key not in values:
            raise wrong(path, start, f"the action has no {key}")
    library = integer(*_place(values.pop("lib_id"), path))
    number = integer(*_place(values.pop("action_id"), path))
    known = definitions().get(number) if library == 1 else None
    action = known.action() if known else _unknown(library, number, values, code)
    if known is None:
        message = f"the action {number} of the library {library} is not known: its effect is lost"
        names.findings.warn("unsupported", message, path, line=start)
    for key, (value, line) in values.items():
        if key == "relative":
            action.relative = integer(value, path, line)
        elif key == "invert":
            action.negated = integer(value, path, line)
        elif key == "applies_to":
            action.applies_to = {"self": -1, "other": -2}.get(value, _NOTHING)
            if action.applies_to == _NOTHING:
                action.applies_to = names.id_of("objects", value, path, line, none=_NOTHING)
        else:
            slot = _ARGUMENTS[key]
            kind = ARGUMENT_RESOURCES.get(action.argument_kinds[slot])
            plain = value if key[:3] != "arg" else undelimited(value)
            action.arguments[slot] = str(names.id_of(kind, value, path, line)) if kind else plain
    if action.kind == _CODE:
        action.arguments[0] = to_code(code or "")
    elif code is not None:
        raise wrong(path, start, "text follows an action that has no code")
    return action


def _place(found: tuple[str, int], path: str) -> tuple[str, str, int]:
    return found[0], path, found[1]


_ARGUMENTS: Final = {
    **{f"arg{slot}": slot for slot in range(SLOTS)},
    "repeats": 0,
    "var_name": 0,
    "var_value": 1,
}
_KEYS: Final = {"lib_id", "action_id", "relative", "applies_to", "invert", *_ARGUMENTS}


def _unknown(
    library: int, number: int, values: dict[str, tuple[str, int]], code: str | None
) -> Action:
    """An action of a library that is not known: as much as its keys say."""
    kind = _NORMAL if "invert" in values else 1
    kind = _REPEAT if "repeats" in values else _VARIABLE if "var_name" in values else kind
    return Action(
        version=440,
        library_id=library,
        action_id=number,
        kind=_CODE if code is not None else kind,
        can_be_relative=int("relative" in values),
        can_apply_to=int("applies_to" in values),
        argument_count=sum(key in _ARGUMENTS for key in values),
        argument_kinds=[0] * SLOTS,
        arguments=["0"] * SLOTS,
    )


def events_of(
    parts: list[DefinedActions], path: str, names: ResourceIds, count: int
) -> list[list[Event]]:
    """The events of an object by category.  Raises FormatError for one that is not known."""
    categories: list[list[Event]] = [[] for _ in range(count)]
    for part in parts:
        word, _, rest = part.name.partition("_")
        if word not in EVENTS:
            raise wrong(path, part.line, f"there is no event {part.name!r}")
        category = EVENTS.index(word)
        kind = _REFERENCES.get(category)
        if kind is None:
            sub_type = integer(rest, path, part.line)
        else:
            sub_type = names.id_of(kind, rest, path, part.line)
        if sub_type < 0:
            raise wrong(path, part.line, f"the event {part.name!r} lacks a name or a number")
        actions = ActionList(version=400, actions=part.actions)
        categories[category].append(Event(sub_type=sub_type, actions=actions))
    return categories


# ---------------------------------------------------------------------------------- writing


def event_name(category: int, sub_type: int, path: str, names: ResourceIds) -> str:
    """The name of an event; empty for one of a removed resource."""
    kind = _REFERENCES.get(category)
    rest = str(sub_type) if kind is None else names.name_of(kind, sub_type, path)
    return f"{EVENTS[category]}_{rest}" if rest and category < len(EVENTS) else ""


def part_lines(name: str, actions: list[Action], path: str, names: ResourceIds) -> Iterator[str]:
    """The lines of an event or a moment."""
    yield f"{_DEFINE}{name}"
    for action in actions:
        yield ACTION
        yield f"lib_id={action.library_id}"
        yield f"action_id={action.action_id}"
        if action.can_be_relative:
            yield f"relative={action.relative}"
        if action.can_apply_to:
            yield f"applies_to={_applies_to(action.applies_to, path, names)}"
        yield from _argument_lines(action, path, names)
        yield _END
        if action.kind == _CODE:
            yield from _code_lines(action.arguments[0] if action.arguments else "", path, names)


def _applies_to(number: int, path: str, names: ResourceIds) -> str:
    return {-1: "self", -2: "other"}.get(number) or names.name_of("objects", number, path)


def _argument_lines(action: Action, path: str, names: ResourceIds) -> Iterator[str]:
    arguments = [*action.arguments, "", ""]
    if action.kind == _NORMAL:
        yield f"invert={action.negated}"
        for slot, value in enumerate(action.arguments[: action.argument_count]):
            yield f"arg{slot}={_argument(action, slot, value, path, names)}"
    elif action.kind == _REPEAT:
        yield f"repeats={one_line(arguments[0])}"
    elif action.kind == _VARIABLE:
        yield f"var_name={one_line(arguments[0])}"
        yield f"var_value={one_line(arguments[1])}"


def _argument(action: Action, slot: int, value: str, path: str, names: ResourceIds) -> str:
    kinds = action.argument_kinds
    kind = ARGUMENT_RESOURCES.get(kinds[slot]) if slot < len(kinds) else None
    if kind is None:
        return delimited(value)
    try:
        number = int(value)
    except ValueError:
        message = (
            f"the argument {value!r} is not the id of one of the {kind}: it is taken for a name"
        )
        names.findings.warn("approximated", message, path)
        return delimited(value)
    return names.name_of(kind, number, path)


def _code_lines(code: str, path: str, names: ResourceIds) -> Iterator[str]:
    """The lines of code; one that would begin an event or an action gets a blank before it."""
    for line in from_code(code).split("\n") if code else ():
        if _is_mark(line) or line.startswith("#define"):
            message = f"a line of code begins as an event does: a blank stands before it: {line!r}"
            names.findings.warn("changed-with-it", message, path)
            line = f" {line}"
        yield line
