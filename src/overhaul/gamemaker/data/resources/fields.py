"""The attributes of resources that are fields of their records: numbers, colours, references."""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import Any, Generic, Protocol, Self, TypeVar, overload

from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.base import Resource
from overhaul.gamemaker.data.resources.parts import Part, Parts
from overhaul.media.colours import Colour as Colour
from overhaul.schema import FixedCodec, fields_of
from overhaul.schema.codec import resolve
from overhaul.schema.declaration import Field as Declared
from overhaul.suggest import did_you_mean

T = TypeVar("T")
E = TypeVar("E", bound=IntEnum)
R = TypeVar("R", bound="Resource[Any]")


class Held(Protocol):
    """Anything over a record of a game."""

    @property
    def record(self) -> Any:
        """The record beneath."""

    @property
    def game(self) -> CodeModel:
        """The game it belongs to."""


def put_field(holder: Held, name: str, value: object) -> None:
    """Set a field of a record.  Raises ValueError where files of the game's release do not have it,
    and for a number that does not fit it."""
    field = check_present(holder, name)
    codec = None if field is None else resolve(field.codec, holder.game.release)
    if isinstance(codec, FixedCodec) and isinstance(value, int | float):
        _check_fits(codec, name, value)
    setattr(holder.record, name, value)


def check_present(holder: Held, name: str) -> Declared | None:
    """The field of a record; None for a name that is not a field of the file. Raises ValueError
    where files of the game's release do not have it."""
    release = holder.game.release
    for field in fields_of(type(holder.record)):
        if field.name == name:
            if not field.present(release):
                raise ValueError(f"{name}: files of {release} do not have it")
            return field
    return None


def _check_fits(codec: FixedCodec, name: str, value: float) -> None:
    try:
        struct.pack("<" + codec.format, value)
    except (struct.error, OverflowError):
        raise ValueError(f"{name}: {value} does not fit {codec.name}") from None


class Field(Generic[T]):
    """An attribute that is a field of the record; ``name`` where the field is called otherwise.

    The description is its documentation.
    """

    def __init__(self, doc: str = "", name: str = "") -> None:
        self.__doc__ = doc
        self.name: str = name

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    @overload
    def __get__(self, holder: None, owner: type) -> Self: ...
    @overload
    def __get__(self, holder: Held, owner: type) -> T: ...
    def __get__(self, holder: Held | None, owner: type) -> Self | T:
        return self if holder is None else self.shown(getattr(holder.record, self.name), holder)

    def __set__(self, holder: Held, value: T) -> None:
        self._assign(holder, value)

    def _assign(self, holder: Held, value: Any) -> None:
        """Set the field. Assigning the present value changes nothing."""
        now = self.shown(getattr(holder.record, self.name), holder)
        if now is value or (type(now) is type(value) and now == value and type(now) is not float):
            return
        put_field(holder, self.name, self.stored(value, holder))

    def shown(self, value: Any, holder: Held) -> T:
        """The attribute's value for that of the field."""
        shown: T = value
        return shown

    def stored(self, value: T, holder: Held) -> object:
        """The field's value for that of the attribute.  Raises ValueError or TypeError."""
        return value


class Number(Field[int]):
    """A whole number."""

    def stored(self, value: int, holder: Held) -> object:
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeError(f"{self.name}: expected a whole number, got {value!r}")
        return value.__index__()


class Real(Field[float]):
    """A number."""

    def stored(self, value: float, holder: Held) -> object:
        if isinstance(value, bool) or not hasattr(value, "__float__"):
            raise TypeError(f"{self.name}: expected a number, got {value!r}")
        return float(value)


class Flag(Field[bool]):
    """A field that is 0 or 1 in the file."""

    def shown(self, value: object, holder: Held) -> bool:
        return bool(value)

    def stored(self, value: bool, holder: Held) -> object:
        if value not in (False, True):
            raise TypeError(f"{self.name}: expected True or False, got {value!r}")
        return bool(value)


class Text(Field[str | None]):
    """A text of the string table."""

    def shown(self, value: object, holder: Held) -> str | None:
        return None if value is None else str(value)

    def stored(self, value: str | None, holder: Held) -> object:
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{self.name}: expected a text or None, got {value!r}")
        return None if value is None else holder.game.strings.add(value)


class Choice(Field[E]):
    """A field that is one of an enumeration's numbers."""

    def __init__(self, members: type[E], doc: str = "", name: str = "") -> None:
        super().__init__(doc, name)
        self.members = members

    def shown(self, value: Any, holder: Held) -> E:
        # a number that no release is known to write is shown as a number
        known: Any = self.members(value) if value in list(self.members) else value
        shown: E = known
        return shown

    def stored(self, value: E | int | str, holder: Held) -> object:
        found = self.members.__members__.get(value.upper()) if isinstance(value, str) else value
        if found is None or not isinstance(found, int) or found not in list(self.members):
            names = ", ".join(member.name for member in self.members)
            raise ValueError(f"{self.name}: expected one of {names}, got {value!r}")
        return int(found)

    def __set__(self, holder: Held, value: E | int | str) -> None:
        self._assign(holder, value)


class Link(Field[R | None]):
    """A reference to another resource; None for none.  It is set by name or resource."""

    def __init__(self, resource: type[R], doc: str = "", name: str = "") -> None:
        super().__init__(doc, name)
        self.resource = resource

    def shown(self, value: object, holder: Held) -> R | None:
        target = value.target if isinstance(value, Reference) else None
        return None if target is None else self.resource(holder.game, target)

    def stored(self, value: R | str | None, holder: Held) -> object:
        if value is None:
            return None
        resources = holder.game.named(self.resource.chunk)
        if isinstance(value, str):
            return resources.reference_to(value)
        if getattr(value, "chunk", None) != self.resource.chunk:
            what = f"a name, {resources.title} or None"
            raise TypeError(f"{self.name}: expected {what}, got {value!r}")
        return resources.reference_to(value.record)

    def __set__(self, holder: Held, value: R | str | None) -> None:
        self._assign(holder, value)


class Paint(Field[Colour]):
    """A colour, stored with red in the lowest byte and alpha in the highest."""

    def shown(self, value: Any, holder: Held) -> Colour:
        return Colour.from_abgr(value)

    def stored(self, value: Colour | tuple[int, ...] | str, holder: Held) -> object:
        return Colour.of(value).to_abgr()

    def __set__(self, holder: Held, value: Colour | tuple[int, ...] | str) -> None:
        self._assign(holder, value)


P = TypeVar("P", bound=Part[Any, Any])

#: the names of lists in a game whose chunks have other names
_LISTS = {"ACRV": "animation_curves"}


def resource_of(game: CodeModel, chunk: str, record: object) -> Any:
    """The resource over a record of a chunk's list."""
    resources = getattr(game, _LISTS.get(chunk, CHUNKS[chunk].attribute))
    return resources[resources.records.index(record)]


class Related(Field[R | None], Generic[R]):
    """A reference to a resource of any kind; None for none.  It is set by name or resource."""

    def __init__(self, chunk: str, doc: str = "", name: str = "") -> None:
        super().__init__(doc, name)
        self.chunk = chunk

    def shown(self, value: object, holder: Held) -> R | None:
        target = value.target if isinstance(value, Reference) else None
        found: R | None = None
        if target is not None:
            found = resource_of(holder.game, self.chunk, target)
        return found

    def stored(self, value: R | str | None, holder: Held) -> object:
        if value is None:
            return None
        resources = holder.game.named(self.chunk)
        if isinstance(value, str):
            return resources.reference_to(value)
        if getattr(value, "chunk", None) != self.chunk:
            what = f"a name, {resources.title} or None"
            raise TypeError(f"{self.name}: expected {what}, got {value!r}")
        return resources.reference_to(value.record)

    def __set__(self, holder: Held, value: R | str | None) -> None:
        self._assign(holder, value)


class NamedParts(Parts[P]):
    """Parts by number and by name.  Raises IndexError or KeyError for one that is not there."""

    #: the field that names one
    key = "name"

    def names(self) -> list[str]:
        """The names of all of them."""
        return [str(getattr(record, self.key) or "") for record in self.records]

    @overload
    def __getitem__(self, key: int | str) -> P: ...
    @overload
    def __getitem__(self, key: slice) -> list[P]: ...
    def __getitem__(self, key: int | str | slice) -> P | list[P]:
        if not isinstance(key, str):
            return super().__getitem__(key)
        names = self.names()
        if key not in names:
            raise KeyError(f"there is no {self.title} named {key!r}{did_you_mean(key, names)}")
        return self._over(self.records[names.index(key)])

    def __contains__(self, value: object) -> bool:
        return value in self.names() if isinstance(value, str) else super().__contains__(value)

    def _ipython_key_completions_(self) -> list[str]:
        return self.names()
