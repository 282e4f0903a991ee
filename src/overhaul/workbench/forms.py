"""A JSON file as a form, and back: fields with what may stand in them, by JSON pointers.

:func:`shown` makes fields of a value; :func:`taken` puts into a value what people typed.  The
names of fields are JSON pointers (RFC 6901).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Final, cast

import msgspec

from overhaul.document.hints import ANY, Hint, agrees, of_value
from overhaul.document.jsontext import Layout, fitted, indented, json_bytes, rows, wide
from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import read_json
from overhaul.schema.jsonable import read_float
from overhaul.workbench.typed import as_typed

#: An object or list of more values than this has a form of its own.
INLINE: Final = 40
#: The elements of a list, or fields of an object, that a form shows at once.
ELEMENTS: Final = 100
#: How deep fields of fields are shown in one form.
_DEEPEST: Final = 3
#: A format says of so many steps from the outermost object whether a value is fixed.
_FIXED: Final = 2
_LAYOUTS: Final[tuple[Layout, ...]] = (wide, fitted, indented, rows)


class FormField(msgspec.Struct, frozen=True):
    """A field.

    ``pointer`` is where it is in the file, ``type`` as in :class:`~overhaul.document.hints.Hint`,
    or ``link``: it has a form of its own.  ``text`` is what is typed, ``chosen`` the flags that
    are set.  ``fixed``: it follows from something else, and can't be edited; ``left_out``: the file
    does not have it, as it is the usual value.  ``element``: it is an element of a list, which can
    be moved and removed.  ``count``: how many elements or fields there are; ``problem``: why what
    was typed can't be taken.
    """

    pointer: str
    label: str
    type: str
    text: str = ""
    chosen: list[str] = []
    choices: list[str] = []
    kind: str = ""
    low: int | None = None
    high: int | None = None
    empty: bool = False
    about: str = ""
    fixed: bool = False
    left_out: bool = False
    element: bool = False
    fields: list[FormField] = []
    count: int = 0
    problem: str = ""


class Mistyped(WorkspaceError):
    """A text typed into a field that can't be its value: the field's ``pointer``."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer


# -------------------------------------------------------------------------------------- pointers


def steps_of(pointer: str) -> list[str]:
    """The steps of a JSON pointer.  Raises WorkspaceError for what is none."""
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise WorkspaceError(f"{pointer!r} is not a JSON pointer")
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/")]


def pointer_to(*steps: str | int) -> str:
    """The JSON pointer of steps."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def value_at(value: object, pointer: str) -> object:
    """The value that a pointer leads to. Raises WorkspaceError where there is nothing."""
    for step in steps_of(pointer):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and _index(step, len(value)) is not None:
            value = value[int(step)]
        else:
            raise WorkspaceError(f"there is nothing at {pointer}")
    return value


def _index(step: str, count: int) -> int | None:
    if step.isascii() and step.isdigit() and len(step) < 10 and int(step) < count:
        return int(step)
    return None


def hint_at(hint: Hint, pointer: str) -> Hint:
    """The hint of what a pointer leads to."""
    for step in steps_of(pointer):
        inner = hint.element if hint.type == "list" else hint.inside(step)
        hint = ANY if inner is None else inner
    return hint


# ----------------------------------------------------------------------------------------- shown


class Form:
    """Makes fields of values.

    ``name`` gives the kind of the resource of a name; ``fixed`` says of a step of a pointer whether
    the value there can't be edited.
    """

    def __init__(
        self,
        name: Callable[[str], str] = lambda text: "",
        fixed: Callable[[str], bool] = lambda key: False,
    ) -> None:
        self._name = name
        self._fixed = fixed

    def fields(self, value: object, hint: Hint, at: str = "", first: int = 0) -> list[FormField]:
        """The fields of an object or list, or of a value that is neither."""
        if isinstance(value, dict):
            return self._of_object(value, hint, at, 0, first)
        if isinstance(value, list) and hint.type != "flags":
            return self._of_list(value, hint, at, 0, first)
        return [self._field(at, "value", value, hint, 0)]

    def _of_object(
        self, value: Mapping[str, object], hint: Hint, at: str, deep: int, first: int = 0
    ) -> list[FormField]:
        fields = [
            self._field(f"{at}{pointer_to(key)}", key, each, hint.inside(key) or ANY, deep)
            for key, each in list(value.items())[first : first + ELEMENTS]
        ]
        if hint.record is not None and at:
            fields += self._left_out(value, hint, at)
        return fields

    def _left_out(self, value: Mapping[str, object], hint: Hint, at: str) -> list[FormField]:
        """The fields of an object inside the file that have their usual value, and so are not
        there."""
        assert hint.record is not None
        declared = hint.record()
        if 2 * len(value.keys() & declared.keys()) < len(value):  # it shows something else
            return []
        made = []
        for key, (inner, default) in declared.items():
            if key not in value and default is not None and inner.type not in ("object", "list"):
                field = self._field(f"{at}{pointer_to(key)}", key, default, inner, 0)
                made.append(msgspec.structs.replace(field, left_out=True))
        return made

    def _of_list(
        self, value: Sequence[object], hint: Hint, at: str, deep: int, first: int = 0
    ) -> list[FormField]:
        element = hint.element or ANY
        shown = []
        for index, each in list(enumerate(value))[first : first + ELEMENTS]:
            field = self._field(f"{at}/{index}", title_of(index, each), each, element, deep)
            shown.append(msgspec.structs.replace(field, element=True))
        return shown

    def _field(self, at: str, label: str, value: object, hint: Hint, deep: int) -> FormField:
        if not agrees(hint, value):
            known = of_value(value, self._name)
            hint = known._replace(about=hint.about, empty=hint.empty or value is None)
        elif hint.type in ("text", "json") and isinstance(value, str | int | float):
            own = of_value(value, self._name)
            hint = own._replace(about=hint.about, low=hint.low, high=hint.high, empty=hint.empty)
        fixed = at.count("/") <= _FIXED and self._fixed(label)
        common = {"about": hint.about, "fixed": fixed}
        if isinstance(value, dict | list) and hint.type != "flags":
            return self._nested(at, label, value, hint, deep, common)
        chosen = value if isinstance(value, list) else []
        return FormField(
            at, label, hint.type, text_of(value, hint), [str(choice) for choice in chosen],
            list(hint.choices), hint.kind, hint.low, hint.high, hint.empty or value is None,
            hint.about, fixed,
        )  # fmt: skip

    def _nested(
        self,
        at: str,
        label: str,
        value: dict[str, object] | list[object],
        hint: Hint,
        deep: int,
        common: Mapping[str, object],
    ) -> FormField:
        kind = "object" if isinstance(value, dict) else "list"
        count = len(value)
        about, fixed = str(common["about"]), bool(common["fixed"])
        if deep >= _DEEPEST or size_of(value, INLINE + 1) > INLINE:
            brief = json.dumps(value, ensure_ascii=False)[:80] if count < INLINE else ""
            return FormField(
                at, label, "link", brief, kind=kind, about=about, fixed=fixed, count=count
            )
        if isinstance(value, dict):
            fields = self._of_object(value, hint, at, deep + 1)
        else:
            fields = self._of_list(value, hint, at, deep + 1)
        return FormField(at, label, kind, about=about, fixed=fixed, fields=fields, count=count)


def title_of(index: int, value: object) -> str:
    """The title of an element of a list: its number, and its name if it has one."""
    if isinstance(value, dict):
        for key in ("name", "Name", "object", "sprite", "ScriptName", "Text", "text", "id"):
            if isinstance(value.get(key), str | int) and not isinstance(value[key], bool):
                return f"{index}: {str(value[key])[:40]}"
    return str(index)


def size_of(value: object, most: int) -> int:
    """How many values there are in a value; counting ends beyond ``most``."""
    if not isinstance(value, dict | list):
        return 1
    count = 1
    for item in value.values() if isinstance(value, dict) else value:
        count += size_of(item, most - count)
        if count > most:
            break
    return count


def text_of(value: object, hint: Hint) -> str:
    """The text in the field of a value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, str) and hint.type != "json":
        return value
    return json.dumps(value, ensure_ascii=False)


def typed_again(
    fields: Sequence[FormField],
    typed: Mapping[str, str],
    ticked: Mapping[str, Sequence[str]],
    problems: Mapping[str, str],
) -> list[FormField]:
    """Fields as they were typed, with what is wrong with them."""
    made = []
    for field in fields:
        at = field.pointer
        text = typed.get(at, field.text)
        chosen = list(ticked.get(at, field.chosen))
        if field.type == "flag" and at in ticked:
            text = "yes" if ticked[at] else ""
        inner = typed_again(field.fields, typed, ticked, problems)
        problem = problems.get(at, "")
        made.append(
            msgspec.structs.replace(field, text=text, chosen=chosen, fields=inner, problem=problem)
        )
    return made


# ----------------------------------------------------------------------------------------- taken


def taken(
    value: object,
    hint: Hint,
    typed: Mapping[str, str],
    ticked: Mapping[str, Sequence[str]],
) -> object:
    """The value with what was typed into fields, by pointer; ``ticked`` are the flags and boxes.

    An unchanged field keeps the very value. Raises Mistyped.
    """
    made = deepcopy(value)
    for pointer, text in typed.items():
        made = _put(made, pointer, lambda old, hint: _typed(old, hint, text), hint)  # noqa: B023
    for pointer, names in ticked.items():
        made = _put(made, pointer, lambda old, hint: _ticked(old, hint, names), hint)  # noqa: B023
    return made


def _put(
    value: object, pointer: str, change: Callable[[object, Hint], object], hint: Hint
) -> object:
    """The value with another value at a pointer."""
    *way, last = steps_of(pointer) or [""]
    own = hint_at(hint, pointer)
    try:
        if not pointer:
            return change(value, own)
        owner = value_at(value, pointer_to(*way))
        if isinstance(owner, dict):
            _put_key(owner, last, change, own, hint_at(hint, pointer_to(*way)))
        elif isinstance(owner, list) and _index(last, len(owner)) is not None:
            owner[int(last)] = change(owner[int(last)], own)
        else:
            raise WorkspaceError("this field no longer exists")
    except Mistyped:
        raise
    except (WorkspaceError, ValueError) as error:  # FormatError is a ValueError
        raise Mistyped(pointer, str(error)) from error
    return value


def _put_key(
    owner: dict[str, object],
    key: str,
    change: Callable[[object, Hint], object],
    hint: Hint,
    around: Hint,
) -> None:
    if key in owner:
        owner[key] = change(owner[key], hint)
        return
    declared = around.record() if around.record is not None else {}
    if key not in declared:
        raise WorkspaceError("this field no longer exists")
    default = declared[key][1]
    made = change(default, hint)
    if made != default or type(made) is not type(default):
        owner[key] = made


def _typed(old: object, hint: Hint, text: str) -> object:
    if not agrees(hint, old) or hint.type in ("text", "json"):
        own = of_value(old) if old is not None else hint
        hint = own._replace(empty=hint.empty or old is None, low=hint.low, high=hint.high)
    shown = text_of(old, hint)
    text = as_typed(text, shown)
    if text == shown:
        return old
    if not text and hint.empty and not isinstance(old, str):
        return None
    if not text and hint.type == "name":
        return None
    return _READ[hint.type](text, hint)


def _integer(text: str, hint: Hint) -> object:
    digits = text.strip()
    try:
        number = int(digits, 0) if digits.lower().startswith(("0x", "-0x")) else int(digits[:30])
    except ValueError:
        raise WorkspaceError(f"expected a whole number, got {text[:40]!r}") from None
    low = number if hint.low is None else hint.low
    high = number if hint.high is None else hint.high
    if not low <= number <= high or len(digits) > 30:
        raise WorkspaceError(f"expected a whole number from {low} to {high}")
    return number


def _number(text: str, hint: Hint) -> object:
    short = text.strip()
    if short in ("inf", "-inf") or short.startswith("nan:"):
        read_float(short)
        return short
    try:
        number = float(short[:100])
    except ValueError:
        raise WorkspaceError(f"expected a number, got {text[:40]!r}") from None
    if not math.isfinite(number):
        raise WorkspaceError(f"expected a number, got {text[:40]!r}")
    return number


def _json(text: str, hint: Hint) -> object:
    return read_json(text.encode("utf-8", "surrogatepass"), "the field") if text.strip() else None


def _choice(text: str, hint: Hint) -> object:
    return text if text in hint.choices else _integer(text, hint)


_READ: Final[dict[str, Callable[[str, Hint], object]]] = {
    "text": lambda text, hint: text,
    "name": lambda text, hint: text,
    "colour": lambda text, hint: text.upper() if text.startswith("#") else text,
    "integer": _integer,
    "number": _number,
    "choice": _choice,
    "flag": lambda text, hint: text == "yes",
    "flags": _json,
    "json": _json,
    "object": _json,
    "list": _json,
}


def _ticked(old: object, hint: Hint, names: Sequence[str]) -> object:
    if isinstance(old, bool):
        return "yes" in names
    if not isinstance(old, list):
        raise WorkspaceError("it is not a list of flags")
    strange = [choice for choice in old if choice not in hint.choices]
    wanted = [name for name in hint.choices if name in names]
    return old if {*map(str, old)} == {*map(str, wanted + strange)} else wanted + strange


# ----------------------------------------------------------------------------------------- lists


def with_element(value: object, pointer: str, do: str, hint: Hint) -> object:
    """The value with an element of a list added, duplicated, removed or moved.

    ``do``: ``add`` (to the list at the pointer), ``duplicate``, ``remove``, ``up`` or ``down`` (the
    element at the pointer).  Raises WorkspaceError.
    """
    made = deepcopy(value)
    if do == "add":
        target = value_at(made, pointer)
        if not isinstance(target, list):
            raise WorkspaceError(f"there is no list at {pointer}")
        target.append(_new_element(target, hint_at(hint, pointer).element or ANY))
        return made
    *way, last = steps_of(pointer) or [""]
    owner = value_at(made, pointer_to(*way))
    at = _index(last, len(owner)) if isinstance(owner, list) else None
    if at is None:
        raise WorkspaceError(f"there is no element at {pointer}")
    elements = cast("list[object]", owner)
    if do == "remove":
        del elements[at]
    elif do == "duplicate":
        elements.insert(at + 1, deepcopy(elements[at]))
    elif do in ("up", "down"):
        to = at + (1 if do == "down" else -1)
        if 0 <= to < len(elements):
            elements[at], elements[to] = elements[to], elements[at]
    else:
        raise WorkspaceError(f"{do!r} can't be done with an element")
    return made


def _new_element(elements: Sequence[object], hint: Hint) -> object:
    """A new element: a copy of the last one, or an empty one."""
    if elements:
        return deepcopy(elements[-1])
    empty: dict[str, object] = {
        "object": {}, "list": [], "flag": False, "integer": 0, "number": 0.0, "text": "",
        "name": "", "colour": "#000000", "flags": [],
    }  # fmt: skip
    if hint.type == "choice" and hint.choices:
        return hint.choices[0]
    return empty.get(hint.type)


def written_as(value: object, before: bytes) -> bytes:
    """The JSON file of a value in the layout that the file had before; of the same value, it is the
    file as it was."""
    old = read_json(before, "the file")
    if value == old and str(value) == str(old):
        return before
    plain = before.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    layout = next((known for known in _LAYOUTS if json_bytes(old, known) == plain), wide)
    data = json_bytes(value, layout)
    return data.replace(b"\n", b"\r\n") if b"\r\n" in before else data
