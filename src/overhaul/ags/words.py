"""The words that people have for the fields of records, and the forms of records in these words.

The word of one field stands in its declaration: ``Annotated[i32, Shown("NormalView", VIEW)]``.
:func:`words` binds it to the field in a version. A form has the words of a record in order; it
is an :class:`Object`, a shape that renames and regroups fields. Fields without a word keep their
own names, and are left out where they have their defaults. Reading takes the fields' own names
too, which the library has.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Self, TypeAlias

from overhaul.ags.shapes import SAME, Hints, Json, Shape
from overhaul.document.hints import ANY, Hint, of_field
from overhaul.document.jsonvalues import at_key, expect_integer, expect_object, show_value
from overhaul.errors import FormatError
from overhaul.schema import Record, Scheme, fields_of
from overhaul.schema.declaration import Field
from overhaul.schema.jsonable import to_jsonable

#: The words of fields by name, or the record that declares them.
Words: TypeAlias = "type[Record] | Mapping[str, Word]"


class Word(ABC):
    """A name that people have for fields of an object, or several names for one field.

    One in the declaration of a field is of no ``field`` until :meth:`at` binds it.  ``to`` is the
    kind of thing, as its folder is called, that the field has the number of.
    """

    field: str = ""
    to: str = ""
    #: the declaration of the field, with the version, where there is one
    declaration: tuple[Field, int] | None = None

    def at(self, field: str, version: int, declared: Field | None = None) -> Self:
        """The word of a field in a version."""
        bound = copy.copy(self)
        bound.field = field
        bound.declaration = None if declared is None else (declared, version)
        return bound

    @abstractmethod
    def show(self, given: Json, shown: Json) -> None:
        """Move its fields from the stored object to the shown one."""

    @abstractmethod
    def read(self, given: Json, stored: Json) -> None:
        """Move the fields that it named back.  Raises FormatError."""

    @abstractmethod
    def hints(self) -> Hints:
        """The values that its names can have."""


class Object(Shape):
    """An object with other words for its fields.

    ``quiet`` are the defaults of fields without a word: where they are that, they are left out.
    """

    def __init__(self, words: Iterable[Word], quiet: Mapping[str, object] | None = None) -> None:
        self.words: tuple[Word, ...] = tuple(words)
        self._quiet = dict(quiet or {})

    def hints(self) -> Hints:
        """The values that the fields with words can have."""
        made: Hints = {}
        for word in self.words:
            made |= word.hints()
        return made

    def hint(self, stored: Hint = ANY) -> Hint:
        return Hint("object", record=cache(self.hints))

    def show(self, value: object) -> object:
        return self.shown(value) if isinstance(value, dict) else value

    def shown(self, value: Json) -> Json:
        """The object as people read it."""
        shown: Json = {}
        rest = self.give(value, shown)
        return shown | rest

    def give(self, value: Json, shown: Json) -> Json:
        """Show the fields that have words; return the others, without quiet ones."""
        rest = dict(value)
        for word in self.words:
            word.show(rest, shown)
        return {key: v for key, v in rest.items() if self._quiet.get(key, ...) != v}

    def read(self, shown: object) -> object:
        return self.stored(expect_object(shown))

    def stored(self, shown: Json) -> Json:
        """The object as it is stored.  Raises FormatError."""
        rest = dict(shown)
        return joined(self.take(rest), rest)

    def take(self, given: Json) -> Json:
        """Take the fields that have words out of a shown object, as they are stored.

        Raises FormatError.
        """
        stored: Json = {}
        for word in self.words:
            word.read(given, stored)
        return stored


def joined(named: Json, rest: Json) -> Json:
    """The named fields and the others together.  Raises FormatError where both have a key."""
    for key in rest:
        if key in named:
            raise FormatError(f"{key} is there in other words too")
    return named | rest


class Shown(Word):
    """Another name for a field, and how its value is shown.

    ``quiet``, if given, is left out, and read where nothing is; ``old`` is the shape of versions
    before ``until``. A text ends at its first NUL. Bytes of memory after it stay in the field.
    """

    def __init__(
        self,
        name: str,
        shape: Shape = SAME,
        *,
        field: str = "",
        quiet: object = ...,
        old: Shape = SAME,
        until: int = 0,
        to: str = "",
    ) -> None:
        self.to = to
        self.field = field
        self._name = name
        self._shape = shape
        self._quiet = quiet
        self._old = old
        self._until = until

    @property
    def called(self) -> str:
        """Its name, with the choices there are, as Markdown."""
        choices = self._shape.hint().choices
        return f"`{self._name}`" + (f" ({', '.join(choices)})" if choices else "")

    def at(self, field: str, version: int, declared: Field | None = None) -> Self:
        """The word of a field in a version, with the shape of that."""
        bound = super().at(field, version, declared)
        if version < self._until:
            bound._shape = self._old
        return bound

    def show(self, given: Json, shown: Json) -> None:
        if self.field in given:
            value = given.pop(self.field)
            if isinstance(value, str) and "\0" in value and self._name != self.field:
                end = value.index("\0")
                value, given[self.field] = value[:end], value[end:]
            if value != self._quiet or isinstance(value, bool) != isinstance(self._quiet, bool):
                shown[self._name] = self._shape.show(value)

    def read(self, given: Json, stored: Json) -> None:
        behind = ""
        if self._name in given and is_behind_end(given.get(self.field)):
            behind = str(given.pop(self.field))
        if self._name in given and (self._name == self.field or self.field not in given):
            with at_key(self._name):
                value = self._shape.read(given.pop(self._name))
                stored[self.field] = value + behind if isinstance(value, str) else value
        elif self._name in given:
            with at_key(self._name):
                raise FormatError(f"{self.field} is the same, and is there too")
        elif self.field not in given and self._quiet is not ...:
            stored[self.field] = self._quiet

    def hints(self) -> Hints:
        stored = ANY if self.declaration is None else of_field(*self.declaration, {})
        usual = None if self._quiet is ... else self._shape.show(self._quiet)
        return {self._name: (self._shape.hint(stored)._replace(about=stored.about), usual)}


class Flags(Word):
    """Names for the bits of a field: each is true or false.  A name with ``!`` before it is true
    where the bit is not set.  Other bits stay a number in the field, where there are any.

    ``inverted`` bits are stored the other way round before the version ``until``; names ``since``
    a version are not there before it.
    """

    def __init__(
        self,
        names: Mapping[str, int],
        *,
        field: str = "",
        inverted: int = 0,
        until: int = 0,
        since: Mapping[str, int] | None = None,
    ) -> None:
        self.field = field
        self._bits = {name.lstrip("!"): bit for name, bit in names.items()}
        self._off = {name.lstrip("!") for name in names if name[0] == "!"}
        self._inverted = inverted
        self._until = until
        self._since = since or {}

    @property
    def called(self) -> str:
        """Its names, as Markdown."""
        return ", ".join(f"`{name}`" for name in self._bits)

    def at(self, field: str, version: int, declared: Field | None = None) -> Self:
        """The word of a field in a version, with the names of that."""
        bound = super().at(field, version, declared)
        known = self._bits.items()
        bound._bits = {name: bit for name, bit in known if version >= self._since.get(name, 0)}
        if version < self._until:
            bound._off = self._off ^ {name for name, bit in known if bit & self._inverted}
        return bound

    def show(self, given: Json, shown: Json) -> None:
        value = given.get(self.field)
        if isinstance(value, int):
            del given[self.field]
            for name, bit in self._bits.items():
                shown[name] = bool(value & bit) != (name in self._off)
            rest = value & ~sum(self._bits.values())
            if rest:
                shown[self.field] = rest

    def read(self, given: Json, stored: Json) -> None:
        named = [name for name in self._bits if name in given]
        if not named:
            return
        with at_key(self.field):
            value = expect_integer(given.pop(self.field, 0), -(1 << 31), (1 << 32) - 1)
            for name, bit in self._bits.items():
                if value & bit:
                    raise FormatError(f"{name} says this too")
        for name in named:
            with at_key(name):
                truth = given.pop(name)
                if not isinstance(truth, bool):
                    raise FormatError(f"expected true or false, got {show_value(truth)}")
                value |= self._bits[name] if truth != (name in self._off) else 0
        stored[self.field] = value

    def hints(self) -> Hints:
        return {name: (Hint("flag"), None) for name in self._bits}


class Inside(Word):
    """The words of an object in the object, which stand among the outer ones."""

    def __init__(self, field: str, inner: Object) -> None:
        self.field = field
        self._inner = inner

    def show(self, given: Json, shown: Json) -> None:
        value = given.get(self.field)
        if isinstance(value, dict):
            del given[self.field]
            rest = self._inner.give(value, shown)
            if rest:
                shown[self.field] = rest

    def read(self, given: Json, stored: Json) -> None:
        made = self._inner.take(given)
        if made:
            with at_key(self.field):
                stored[self.field] = joined(made, expect_object(given.pop(self.field, {})))

    def hints(self) -> Hints:
        return self._inner.hints()


def is_behind_end(value: object) -> bool:
    """Whether a value is what a field has behind the end of its text."""
    return isinstance(value, str) and value.startswith("\0")


# --- the words of records ---------------------------------------------------------------------


@cache
def words_of(record: type[Record]) -> Mapping[str, Word]:
    """The words that the declarations of fields have."""
    found = ((field.name, mark) for field in fields_of(record) for mark in field.marks)
    return {name: mark for name, mark in found if isinstance(mark, Word)}


def _all_words(sources: Iterable[Words]) -> Iterator[tuple[str, Word]]:
    for source in sources:
        yield from (source if isinstance(source, Mapping) else words_of(source)).items()


def words(version: int, names: str, *sources: Words) -> Iterator[Word]:
    """The words of fields in a version, in the order of the names; of two fields with one name the
    first counts."""
    known = dict(_all_words(reversed(sources)))
    records = [source for source in reversed(sources) if not isinstance(source, Mapping)]
    declared = {field.name: field for record in records for field in fields_of(record)}
    for name in names.split():
        yield known[name].at(name, version, declared.get(name))


def defaults(record: type[Record], version: int | None = None) -> Json:
    """The values of fields that nothing sets."""
    return dict(to_jsonable(record(), Scheme(version)))


def form(
    version: int,
    record: type[Record],
    *parts: str | Word,
    more: Words | None = None,
    loud: Collection[str] = (),
) -> Object:
    """The form of a record: the names of fields that have words, and other words, in order.

    ``more`` has words of fields that the record does not have; ``loud`` are fields without a word
    that are shown where they are the default, too.
    """
    sources = (record,) if more is None else (record, more)
    made: list[Word] = []
    for part in parts:
        made += words(version, part, *sources) if isinstance(part, str) else [part]
    usual = defaults(record, version)
    return Object(made, {name: value for name, value in usual.items() if name not in loud})


def fields_with(to: str, *sources: Words) -> list[str]:
    """The fields that have the number of a thing of a kind."""
    return [field for field, word in _all_words(sources) if word.to == to]


def words_with(to: str, *sources: Words) -> list[str]:
    """The words of these fields, each once."""
    known = (word.hints() for _, word in _all_words(sources) if word.to == to)
    return list(dict.fromkeys(name for hints in known for name in hints))
