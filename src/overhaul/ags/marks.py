"""What the declaration of a field says of how people see it: its name, and the shape of its value.

A :class:`Mark` stands in the annotation of a field of a record.  It gives the
:class:`~overhaul.ags.shapes.Word` that shows the field in a version; :func:`words` puts those of a
form in order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from overhaul.ags.shapes import SAME, Bits, ByName, Counted, Named, Shape, Word
from overhaul.document.hints import ANY
from overhaul.schema import Record, fields_of
from overhaul.schema.declaration import Field


class Mark(ABC):
    """In the annotation of a field: the word that shows it.

    ``to`` is the kind of thing, as its folder is called, that the field has the number of.
    """

    to: str = ""

    @property
    @abstractmethod
    def called(self) -> str:
        """The names that it gives, with the choices there are, as Markdown."""

    @abstractmethod
    def word(self, field: str, version: int) -> Word:
        """The word for the field in a version."""


class Shown(Mark):
    """Another name for a field, and how its value is shown.

    ``quiet``, if given, is left out; ``old`` is the shape of versions before ``until``.
    """

    def __init__(
        self,
        name: str,
        shape: Shape = SAME,
        *,
        quiet: object = ...,
        old: Shape = SAME,
        until: int = 0,
        to: str = "",
    ) -> None:
        self.to = to
        self._name = name
        self._shape = shape
        self._quiet = quiet
        self._old = old
        self._until = until

    @property
    def called(self) -> str:
        choices = self._shape.hint(ANY).choices
        return f"`{self._name}`" + (f" ({', '.join(choices)})" if choices else "")

    def word(self, field: str, version: int) -> Word:
        shape = self._shape if version >= self._until else self._old
        return Named(self._name, field, shape, quiet=self._quiet)


class Flags(Mark):
    """Names for the bits of a field, see :class:`Bits`.

    ``inverted`` bits are stored the other way round before the version ``until``; names ``since``
    a version are not there before it.
    """

    def __init__(
        self,
        names: Mapping[str, int],
        *,
        inverted: int = 0,
        until: int = 0,
        since: Mapping[str, int] | None = None,
    ) -> None:
        self._names = names
        self._inverted = inverted
        self._until = until
        self._since = since or {}

    @property
    def called(self) -> str:
        return ", ".join(f"`{name.lstrip('!')}`" for name in self._names)

    def word(self, field: str, version: int) -> Word:
        names = {
            name: bit for name, bit in self._names.items() if version >= self._since.get(name, 0)
        }
        return Bits(field, names, inverted=self._inverted if version < self._until else 0)


#: The number of a view, or -1.
VIEW: Final = Counted()
#: What places beyond the known events are called.
_EVENT: Final = "Event"


def by_event(names: Sequence[str], *, all_known: bool = True) -> Shape:
    """Handlers by event; those without one are left out where all events are known."""
    return ByName(names, _EVENT, usual=all_known)


def words(version: int, names: str, *sources: type[Record] | Mapping[str, Mark]) -> list[Word]:
    """The words of fields, in the order of the names.

    The marks of the fields are in the declarations of records, or by name; of two fields with one
    name the first counts.
    """
    marks: dict[str, Mark] = {}
    fields: dict[str, Field] = {}
    for source in reversed(sources):
        marks |= source if isinstance(source, Mapping) else marks_of(source)
        if not isinstance(source, Mapping):
            fields |= {field.name: field for field in fields_of(source)}
    made = []
    for name in names.split():
        word = marks[name].word(name, version)
        if name in fields:
            word.declaration = fields[name], version
        made.append(word)
    return made


def fields_with(to: str, *sources: type[Record] | Mapping[str, Mark]) -> list[str]:
    """The fields that have the number of a thing of a kind."""
    return [field for field, mark in _all_marks(sources) if mark.to == to]


def words_with(to: str, *sources: type[Record] | Mapping[str, Mark]) -> list[str]:
    """The words of these fields, each once."""
    words_of_kind = (mark.word(field, 0) for field, mark in _all_marks(sources) if mark.to == to)
    return list(dict.fromkeys(name for word in words_of_kind for name in word.names()))


def _all_marks(
    sources: Iterable[type[Record] | Mapping[str, Mark]],
) -> Iterator[tuple[str, Mark]]:
    for source in sources:
        yield from (source if isinstance(source, Mapping) else marks_of(source)).items()


def marks_of(record: type[Record]) -> dict[str, Mark]:
    """The marks of a record's fields, by their names."""
    return {
        field.name: mark
        for field in fields_of(record)
        for mark in field.marks
        if isinstance(mark, Mark)
    }
