"""Lists of a resource's parts that are plain values: points of paths, of curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar, cast, overload

from overhaul.document.surface import list_text
from overhaul.gamemaker.data.resources.fields import Real, put_field
from overhaul.gamemaker.data.resources.parts import Part

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.schema import Record

V = TypeVar("V", bound=tuple[float, ...])
T = TypeVar("T", bound="Record")
#: what may be given for a value: a tuple of its numbers, the last of which may be left out
Given: TypeAlias = tuple[float, ...]


class Values(MutableSequence[V], Generic[V, T]):
    """A list of records of numbers, each shown as a named tuple."""

    #: what one of them is called
    title: ClassVar[str]
    #: the record of one, its fields, and the tuple they are shown as
    record: ClassVar[type[Record]]
    fields: ClassVar[tuple[str, ...]]
    shown: ClassVar[Callable[..., Any]]

    def __init__(self, game: CodeModel, records: list[T]) -> None:
        self.game = game
        #: the records beneath
        self.records = records

    def _show(self, record: T) -> V:
        made: V = type(self).shown(*(getattr(record, name) for name in self.fields))
        return made

    def _made(self, value: Given) -> T:
        """The record of a value.  Raises ValueError or TypeError."""
        try:
            full: Given = type(self).shown(*value)
        except TypeError:
            words = ", ".join(self.fields)
            raise TypeError(f"expected a {self.title} as ({words}), got {value!r}") from None
        made = cast("T", type(self).record())
        holder = Part(self.game, None, made)
        for name, number in zip(self.fields, full, strict=True):
            if number != getattr(made, name):
                put_field(holder, name, Real(name=name).stored(number, holder))
        return made

    def put(self, values: Iterable[Given]) -> None:
        """Have these values; those that are there already keep their records."""
        old = {self._show(record): record for record in self.records}
        made = [self._made(value) for value in values]
        shown = [self._show(each) for each in made]
        kept = [old.pop(value, each) for value, each in zip(shown, made, strict=True)]
        self.records[:] = kept

    def __len__(self) -> int:
        return len(self.records)

    @overload
    def __getitem__(self, key: int) -> V: ...
    @overload
    def __getitem__(self, key: slice) -> list[V]: ...
    def __getitem__(self, key: int | slice) -> V | list[V]:
        if isinstance(key, slice):
            return [self._show(record) for record in self.records[key]]
        return self._show(self.records[self._place(key)])

    def _place(self, number: int) -> int:
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no {self.title} number {number} of {len(self)}")
        return number

    def __setitem__(self, key: int | slice, value: Any) -> None:
        values: list[Given] = list(self)
        if isinstance(key, int):
            self._place(key)
        values[key] = value
        self.put(values)

    def __delitem__(self, key: int | slice) -> None:
        if isinstance(key, int):
            self._place(key)
        del self.records[key]

    def insert(self, index: int, value: Given) -> None:
        """Add a value before another."""
        self.records.insert(index, self._made(value))

    def append(self, value: Given) -> None:
        """Add a value at the end."""
        self.records.append(self._made(value))

    def __eq__(self, other: object) -> bool:
        return list(self) == other if isinstance(other, list) else self is other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return list_text(self, self.title)
