"""The attributes of resources that are fields of their files: where each release has them.

A field is declared once, with its place in each form of a file: ``key`` in the JSON of 2.3 and
later, ``old`` in that of 2.0 to 2.2, ``xml`` in the XML of Studio 1.  Reading, writing, checks of
values and the tables of ``docs/formats/yyp.md`` follow from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, Generic, NamedTuple, Protocol, Self, TypeVar, cast, overload

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.references import NO_ID
from overhaul.gamemaker.ide.stores import MISSING, Store
from overhaul.gamemaker.ide.values import Json, Steps, path_of, text_at
from overhaul.suggest import did_you_mean

T = TypeVar("T")
E = TypeVar("E", bound=IntEnum)

#: The text in XML for no resource.
UNDEFINED: Final = "<undefined>"
_TRUE: Final = frozenset(("-1", "1", "true", "True"))


class Project(Protocol):
    """The project of a resource, as fields need it."""

    @property
    def version(self) -> str: ...
    def entry_named(self, kind: str, name: str) -> ListedEntry | None: ...
    def entry_at(self, path: str) -> ListedEntry | None: ...
    def entry_of_id(self, key: str) -> ListedEntry | None: ...
    def over(self, entry: ListedEntry) -> object: ...
    def path_of(self, entry: ListedEntry) -> str | None: ...
    def names_of(self, kind: str) -> list[str]: ...


class Held(Protocol):
    """Anything with fields: a resource, or a part of one."""

    @property
    def project(self) -> Project: ...
    @property
    def store(self) -> Store: ...
    @property
    def where(self) -> Steps: ...


class Places(NamedTuple):
    """Where a field is in each form of a file; None where that form does not have it."""

    modern: Steps | None
    old: Steps | None
    xml: Steps | None

    def of(self, letter: str) -> Steps | None:
        """The place in files of a release."""
        return {"A": self.old, "X": self.xml}.get(letter, self.modern)


def steps_of(path: str | None) -> Steps | None:
    """A path with dots as steps; parts of digits are numbers."""
    if path is None:
        return None
    return tuple(int(part) if part.isdecimal() else part for part in path.split("."))


class Field(ABC, Generic[T]):
    """An attribute that is a field of the file.

    ``old`` and ``xml`` are None where these releases do not have it; ``default`` is what stands
    for a field that a file lacks.
    """

    def __init__(
        self, doc: str, key: str | None, *, old: str | None = "", xml: str | None = None, default: T
    ) -> None:
        self.__doc__ = doc
        self.name = ""
        self.default: T = default
        self.places: Places = Places(
            steps_of(key), steps_of(key if old == "" else old), steps_of(xml)
        )

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, holder: None, owner: type) -> Self: ...
    @overload
    def __get__(self, holder: Held, owner: type) -> T: ...
    def __get__(self, holder: Held | None, owner: type) -> Self | T:
        return self if holder is None else self._read(holder)

    def _read(self, holder: Held) -> T:
        store = holder.store
        place = self.places.of(store.letter)
        value = MISSING if place is None else store.get((*holder.where, *place))
        if value is MISSING:
            return self.default
        try:
            return self.shown(value, holder)
        except (ValueError, TypeError):
            where = path_of((*holder.where, *(place or ())))
            message = f"expected {self.what}, got {str(value)[:60]!r}"
            raise FormatError(message, source=store.path, path=where) from None

    def __set__(self, holder: Held, value: T) -> None:
        self.assign(holder, value)

    def assign(self, holder: Held, value: object) -> None:
        """Set the field; what it shows already changes nothing.

        Raises ValueError where files of the release do not have it, and ValueError, TypeError or
        KeyError for a wrong value.
        """
        store = holder.store
        place = self.places.of(store.letter)
        stored = self.stored(value, holder)
        if self.has(holder, stored):
            return
        if place is None:
            release = holder.project.version
            raise ValueError(f"{self.name}: files of {release} do not have it")
        store.put((*holder.where, *place), stored)

    def has(self, holder: Held, stored: Json) -> bool:
        """Whether a value of the file shows the same as that of the file."""
        return self._read(holder) == self.shown(stored, holder)

    #: the word for a value in messages
    what = "a value"

    @abstractmethod
    def shown(self, value: Json, holder: Held) -> T:
        """The attribute's value for that of the file."""

    @abstractmethod
    def stored(self, value: object, holder: Held) -> Json:
        """The file's value for that of the attribute.  Raises ValueError or TypeError."""


class Flag(Field[bool]):
    """True or false; -1 and 0 in XML."""

    what = "true or false"

    def __init__(
        self, doc: str, key: str | None, *, old: str | None = "", xml: str | None = None,
        default: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(doc, key, old=old, xml=xml, default=default)

    def shown(self, value: Json, holder: Held) -> bool:
        """The attribute's value for that of the file."""
        return value in _TRUE if isinstance(value, str) else bool(value)

    def stored(self, value: object, holder: Held) -> Json:
        """The file's value for that of the attribute."""
        if value not in (False, True):
            raise TypeError(f"{self.name}: expected True or False, got {value!r}")
        return ("-1" if value else "0") if holder.store.letter == "X" else bool(value)


class Number(Field[int]):
    """A whole number."""

    what = "a whole number"

    def __init__(
        self, doc: str, key: str | None, *, old: str | None = "", xml: str | None = None,
        default: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(doc, key, old=old, xml=xml, default=default)

    def shown(self, value: Json, holder: Held) -> int:
        """The attribute's value for that of the file."""
        if isinstance(value, dict):  # a colour of 2.0 to 2.2
            value = value.get("Value")
        if isinstance(value, str):
            return int(value) if value.lstrip("-").isdecimal() else int(float(value))
        return int(cast("float", value))

    def stored(self, value: object, holder: Held) -> Json:
        """The file's value for that of the attribute."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{self.name}: expected a whole number, got {value!r}")
        return str(value) if holder.store.letter == "X" else value


class Colour(Number):
    """A colour as a number whose lowest byte is red and whose highest byte is alpha."""

    def stored(self, value: object, holder: Held) -> Json:
        """The file's value for that of the attribute."""
        made = super().stored(value, holder)
        return {"Value": made} if holder.store.letter == "A" else made


class Real(Field[float]):
    """A number."""

    what = "a number"

    def __init__(
        self, doc: str, key: str | None, *, old: str | None = "", xml: str | None = None,
        default: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(doc, key, old=old, xml=xml, default=default)

    def shown(self, value: Json, holder: Held) -> float:
        """The attribute's value for that of the file."""
        return float(cast("float | str", value))

    def stored(self, value: object, holder: Held) -> Json:
        """The file's value for that of the attribute."""
        if isinstance(value, bool) or not isinstance(value, int | float) or value - value != 0:
            raise TypeError(f"{self.name}: expected a number, got {value!r}")
        if holder.store.letter == "X":
            return repr(float(value)).removesuffix(".0")
        return float(value)


class Text(Field[str]):
    """A text."""

    what = "a text"

    def __init__(
        self, doc: str, key: str | None, *, old: str | None = "", xml: str | None = None,
        default: str = "",
    ) -> None:  # fmt: skip
        super().__init__(doc, key, old=old, xml=xml, default=default)

    def shown(self, value: Json, holder: Held) -> str:
        """The attribute's value for that of the file."""
        return value if isinstance(value, str) else self.default

    def stored(self, value: object, holder: Held) -> Json:
        """The file's value for that of the attribute."""
        if not isinstance(value, str):
            raise TypeError(f"{self.name}: expected a text, got {value!r}")
        return value


class Choice(Field[E]):
    """One of an enumeration's numbers."""

    def __init__(
        self, members: type[E], doc: str, key: str | None, *, old: str | None = "",
        xml: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(doc, key, old=old, xml=xml, default=next(iter(members)))
        self.members = members

    def shown(self, value: Json, holder: Held) -> E:
        """The attribute's value; a number that no release is known to write is returned
        unchanged."""
        number = int(cast("str", value))
        known = self.members(number) if number in list(self.members) else number
        return cast("E", known)

    def stored(self, value: object, holder: Held) -> Json:
        """The file's value for that of the attribute."""
        found = self.members.__members__.get(value.upper()) if isinstance(value, str) else value
        if not isinstance(found, int) or found not in list(self.members):
            names = ", ".join(member.name for member in self.members)
            raise ValueError(f"{self.name}: expected one of {names}, got {value!r}")
        return str(int(found)) if holder.store.letter == "X" else int(found)

    def __set__(self, holder: Held, value: E | int | str) -> None:
        self.assign(holder, value)


class Named(Protocol):
    """A resource."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...


R = TypeVar("R", bound=Named)


class Link(Field[R | None]):
    """A reference to another resource; None for none.  It is set by name or resource.

    ``kinds`` are those of the resource; ``nothing`` is the text in XML for none.
    """

    what = "a reference"

    def __init__(
        self, kinds: str, doc: str, key: str | None, *, old: str | None = "",
        xml: str | None = None, nothing: str = UNDEFINED,
    ) -> None:  # fmt: skip
        super().__init__(doc, key, old=old, xml=xml, default=None)
        self.kinds: tuple[str, ...] = tuple(kinds.split(","))
        self.nothing = nothing

    def shown(self, value: Json, holder: Held) -> R | None:
        """The resource; None where there is none, or its file is not there."""
        entry = self.entry(value, holder)
        if entry is None or holder.project.path_of(entry) is None:
            return None
        return cast("R", holder.project.over(entry))

    def has(self, holder: Held, stored: Json) -> bool:
        """Whether the file refers to the same: also to what is not there."""
        place = self.places.of(holder.store.letter)
        value = MISSING if place is None else holder.store.get((*holder.where, *place))
        return value == stored or (value is MISSING and stored in (None, NO_ID, self.nothing))

    def entry(self, value: Json, holder: Held) -> ListedEntry | None:
        """The entry of what the file refers to."""
        project = holder.project
        if isinstance(value, dict):
            return project.entry_at(text_at(value, "path"))
        if not isinstance(value, str) or value in (self.nothing, NO_ID, ""):
            return None
        if holder.store.letter == "A":
            return project.entry_of_id(value)
        return next(self._entries(project, value), None)

    def _entries(self, project: Project, name: str) -> Iterator[ListedEntry]:
        for kind in self.kinds:
            entry = project.entry_named(kind, name)
            if entry is not None:
                yield entry

    def stored(self, value: object, holder: Held) -> Json:
        """The file's value for that of the attribute."""
        letter, project = holder.store.letter, holder.project
        if value is None:
            return {"A": NO_ID, "X": self.nothing}.get(letter)
        name = value if isinstance(value, str) else getattr(value, "name", None)
        if not isinstance(name, str) or getattr(value, "kind", self.kinds[0]) not in self.kinds:
            what = f"a name, {self.kinds[0]} or None"
            raise TypeError(f"{self.name}: expected {what}, got {value!r}")
        entry = next(self._entries(project, name), None)
        if entry is None:
            near = did_you_mean(name, project.names_of(self.kinds[0]))
            raise KeyError(f"there is no {self.kinds[0]} named {name!r}{near}")
        if letter == "X":
            return name
        return entry.id if letter == "A" else {"name": entry.name, "path": entry.path}

    def __set__(self, holder: Held, value: R | str | None) -> None:
        self.assign(holder, value)


def fields_of(kind: type) -> dict[str, Field[object]]:
    """The declared fields of a class, by name."""
    found: dict[str, Field[object]] = {}
    for base in reversed(kind.__mro__):
        found |= {name: value for name, value in vars(base).items() if isinstance(value, Field)}
    return found
