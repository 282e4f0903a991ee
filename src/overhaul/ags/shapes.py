"""Values as a file stores them, and as people read them: shapes turn one into the other and back.

A :class:`Shape` shows a value of JSON that a file's records gave, and reads it back: a list of
handlers as an object of events, a number as a name. An :class:`Object` renames and regroups the
fields of one by a table of :class:`Word`\\ s, which is the only place where a field has two names.
Fields without a word keep their own names, and are left out where they have their defaults. Reading
takes the fields' own names too, which the library has.

Errors have the path of the shown value.  Where a stored value is at fault, :meth:`Shape.place`
gives the path that shows it: another stored value would change what stands there.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from overhaul.document.hints import ANY, Hint
from overhaul.document.jsonvalues import (
    at_key,
    expect_integer,
    expect_list,
    expect_object,
    show_value,
)
from overhaul.errors import FormatError
from overhaul.suggest import did_you_mean

#: The steps of a path of keys: ``["characters", 3, "events"]`` for ``characters[3].events``.
Steps: TypeAlias = "list[str | int]"
Json: TypeAlias = "dict[str, object]"
#: The hints of the fields of an object, and what they are where they are left out.
Hints: TypeAlias = "dict[str, tuple[Hint, object]]"

_STEP: Final = re.compile(r"\[(\d+)\]|([^.\[]+)")


def steps_of(key: str) -> Steps:
    """The steps of a path of keys."""
    return [int(m[1]) if m[1] else m[2] for m in _STEP.finditer(key)]


def key_of(steps: Sequence[str | int]) -> str:
    """The path of keys that has these steps."""
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


class Shape(ABC):
    """How a stored value is shown."""

    @abstractmethod
    def show(self, value: object) -> object:
        """The value as people read it."""

    @abstractmethod
    def read(self, shown: object) -> object:
        """The stored value.  Raises FormatError."""

    def hint(self, stored: Hint = ANY) -> Hint:
        """The values that can be shown, for those that can be stored."""
        return ANY

    def place(self, stored: object, steps: Steps) -> Steps:
        """The steps to what shows a part of a stored value, for those to the part: to the first
        difference that another part makes, or to all that shows a list or an object."""
        for end in range(len(steps), 0, -1):
            other, was = _with_another(stored, steps[:end])
            if other is not None:
                whole = isinstance(was, list | dict)
                found = _difference(self.show(stored), self.show(other), whole=whole)
                return [*found, *steps[end:]] if found else steps
        return steps


def _with_another(value: object, steps: Steps) -> tuple[object, object]:
    """A value with another part, and the part; None where the steps lead to none."""
    if not steps:
        if isinstance(value, int):
            return not value if isinstance(value, bool) else ~value, value
        return f"-{value}" if isinstance(value, str) else "", value
    step, *rest = steps
    if isinstance(value, dict) and isinstance(step, str) and (step in value or not rest):
        inner, was = _with_another(value.get(step), rest)
        return None if inner is None else {**value, step: inner}, was
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        inner, was = _with_another(value[step], rest)
        return None if inner is None else [*value[:step], inner, *value[step + 1 :]], was
    return None, None


def _difference(one: object, other: object, *, whole: bool) -> Steps:
    """The steps to the first difference of two shown values, or to what has ``whole`` of it."""
    pairs: dict[str | int, tuple[object, object]] = {}
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = {key: (one.get(key, ...), other.get(key, ...)) for key in {**one, **other}}
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = dict(enumerate(zip(one, other, strict=True)))
    differ = [step for step, (its, others) in pairs.items() if its != others]
    if not differ or (whole and len(differ) > 1):
        return []
    return [differ[0], *_difference(*pairs[differ[0]], whole=whole)]


# --- single values --------------------------------------------------------------------------


class _Same(Shape):
    def hint(self, stored: Hint = ANY) -> Hint:
        return stored

    def show(self, value: object) -> object:
        return value

    def read(self, shown: object) -> object:
        return shown


SAME: Final = _Same()
"""A value that is shown as it is stored."""


class Counted(Shape):
    """A number that people count from 1, and that is stored from 0: -1 is shown as 0, "none"."""

    def hint(self, stored: Hint = ANY) -> Hint:
        return Hint("integer")

    def show(self, value: object) -> object:
        return value + 1 if isinstance(value, int) else value

    def read(self, shown: object) -> object:
        return expect_integer(shown, -(1 << 31) + 1) - 1


#: The number of a view, or -1.
VIEW: Final = Counted()


class NamedNumber(Shape):
    """A number that has a name; others stay numbers."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = dict(names)
        self._numbers = {name: number for number, name in names.items()}

    def hint(self, stored: Hint = ANY) -> Hint:
        return Hint("choice", choices=tuple(self._numbers))

    def show(self, value: object) -> object:
        return self._names.get(value, value) if isinstance(value, int) else value

    def read(self, shown: object) -> object:
        if isinstance(shown, str):
            if shown not in self._numbers:
                close = did_you_mean(shown, self._numbers)
                raise FormatError(f"expected one of {', '.join(self._numbers)}, got "
                                  f"{show_value(shown)}{close}")  # fmt: skip
            return self._numbers[shown]
        return expect_integer(shown)


class Truth(Shape):
    """A number that is true or false; other numbers than 0 and 1 stay numbers."""

    def __init__(self, *, inverted: bool = False) -> None:
        self._true = 0 if inverted else 1

    def hint(self, stored: Hint = ANY) -> Hint:
        return Hint("flag")

    def show(self, value: object) -> object:
        return value == self._true if value in (0, 1) and isinstance(value, int) else value

    def read(self, shown: object) -> object:
        if isinstance(shown, bool):
            return self._true if shown else 1 - self._true
        return expect_integer(shown)


# --- lists ----------------------------------------------------------------------------------


class ListOf(Shape):
    """A list whose elements have a shape; with ``numbered`` each is an object with its place in the
    list as ``ID``."""

    def __init__(self, element: Shape, *, numbered: bool = False) -> None:
        self._element = element
        self._numbered = numbered

    def hint(self, stored: Hint = ANY) -> Hint:
        element = self._element.hint(stored.element or ANY)
        if self._numbered and element.record is not None:
            fields: Hints = {"ID": (Hint("integer", 0), None), **element.record()}
            element = element._replace(record=lambda: fields)
        return Hint("list", element=element)

    def show(self, value: object) -> object:
        if not isinstance(value, list):
            return value
        shown = [self._element.show(item) for item in value]
        if not self._numbered:
            return shown
        return [
            {"ID": number, **row} if isinstance(row, dict) else row
            for number, row in enumerate(shown)
        ]

    def read(self, shown: object) -> object:
        made = []
        for index, item in enumerate(expect_list(shown)):
            with at_key("", index):
                row = self._without_id(expect_object(item), index) if self._numbered else item
                made.append(self._element.read(row))
        return made

    @staticmethod
    def _without_id(row: Json, index: int) -> Json:
        with at_key("ID"):
            if expect_integer(row.get("ID", index)) != index:
                raise FormatError(f"expected {index}: it is the place in the list")
        return {key: value for key, value in row.items() if key != "ID"}


class ByName(Shape):
    """A list by the names of its places: handlers by event, options by what they are for.

    Places without a name have one of ``more`` and their number; in a list of ``length`` those with
    the ``quiet`` value are left out.  With ``usual`` that is so of all places, and the length is
    that of the names.  A list of another length is shown as a list.
    """

    def __init__(
        self,
        names: Sequence[str],
        more: str,
        *,
        quiet: object = None,
        length: int | None = None,
        shapes: Mapping[str, Shape] | None = None,
        usual: bool = False,
    ) -> None:
        self._usual = usual
        if usual:
            quiet, length = "", len(names)
        self._names = names
        self._more = more
        self._quiet = quiet
        self._length = length
        self._shapes = shapes or {}
        self._places = {name: place for place, name in enumerate(names)}

    def name(self, place: int) -> str:
        """The name of a place."""
        return self._names[place] if place < len(self._names) else f"{self._more}{place}"

    def hint(self, stored: Hint = ANY) -> Hint:
        element = stored.element or ANY
        usual = self._quiet if self._usual and isinstance(self._quiet, str) else None
        fields: Hints = {
            name: (self._shapes.get(name, SAME).hint(element), usual) for name in self._names
        }
        return Hint("object", record=lambda: fields)

    def show(self, value: object) -> object:
        if not isinstance(value, list) or len(value) != (self._length or len(value)):
            return value
        shown: Json = {}
        for place, item in enumerate(value):
            name = self.name(place)
            may_go = self._length is not None and (self._usual or place >= len(self._names))
            if may_go and item == self._quiet:
                continue
            shown[name] = self._shapes.get(name, SAME).show(item)
        return shown

    def read(self, shown: object) -> object:
        if isinstance(shown, list):  # as the library has it
            return shown
        given = expect_object(shown)
        filler = "" if self._quiet is None else self._quiet
        made: list[object] = [filler] * (self._length or 0)
        for name, item in given.items():
            with at_key(name):
                if item is None:
                    raise FormatError("expected a value, got null")
                place = self._place(name)
                if self._length is not None and place >= self._length:
                    raise FormatError(f"expected one of {', '.join(self._names)}")
                made += [filler] * (place + 1 - len(made))
                made[place] = self._shapes.get(name, SAME).read(item)
        return made

    def _place(self, name: str) -> int:
        if name in self._places:
            return self._places[name]
        digits = name.removeprefix(self._more)
        number = int(digits) if digits.isdecimal() and len(digits) < 4 else -1
        if name.startswith(self._more) and number >= len(self._names):
            return number
        known = ", ".join(self._names)
        raise FormatError(f"unknown name{did_you_mean(name, self._names)}; expected one of {known}")


def by_event(names: Sequence[str], *, all_known: bool = True) -> Shape:
    """Handlers by event; those without one are left out where all events are known."""
    return ByName(names, "Event", usual=all_known)


class Sparse(Shape):
    """A list of numbers, most of them 0: the others, by their places."""

    def __init__(self, length: int) -> None:
        self._length = length

    def show(self, value: object) -> object:
        if not isinstance(value, list) or len(value) != self._length:
            return value
        return {str(place): item for place, item in enumerate(value) if item}

    def read(self, shown: object) -> object:
        if isinstance(shown, list):
            return shown
        made: list[object] = [0] * self._length
        for name, item in expect_object(shown).items():
            with at_key(name):
                if not name.isdecimal() or not name.isascii() or int(name) >= self._length:
                    raise FormatError(f"expected a number below {self._length} as the key")
                made[int(name)] = item
        return made
