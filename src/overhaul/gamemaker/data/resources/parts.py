"""The parts of a resource that have a record of their own: instances, layers, views, ..."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar, cast, overload

from overhaul.document.notebook import table_of
from overhaul.document.surface import Surface, counted, list_text
from overhaul.gamemaker.data.code.model import CodeModel

O = TypeVar("O")  # noqa: E741 - the owner's record
R = TypeVar("R")
P = TypeVar("P", bound="Part[Any, Any]")


class Part(Surface, Generic[O, R]):
    """A part of a resource: a surface over its ``record``; ``owner`` is the resource's record.

    Two are equal where they stand for the same record.
    """

    __slots__ = ("game", "owner", "record")

    def __init__(self, game: CodeModel, owner: O, record: R) -> None:
        self.game: CodeModel = game
        self.owner: O = owner
        self.record: R = record


class Parts(Sequence[P]):
    """The parts of one kind, in the order of the file.  Raises IndexError for a wrong number."""

    #: the name of one of them
    title: ClassVar[str] = "part"
    #: the attributes that notebooks show
    columns: ClassVar[tuple[str, ...]] = ()
    #: the word for one of them
    part: ClassVar[type[Part[Any, Any]]] = Part

    def __init__(self, game: CodeModel, owner: Any, records: list[Any]) -> None:
        self.game = game
        self.owner = owner
        #: the records beneath; None where the file has no such list
        self.records = records

    def _over(self, record: Any) -> P:
        return cast("P", self.part(self.game, self.owner, record))

    def __len__(self) -> int:
        return len(self.records or ())

    @overload
    def __getitem__(self, key: int) -> P: ...
    @overload
    def __getitem__(self, key: slice) -> list[P]: ...
    def __getitem__(self, key: int | slice) -> P | list[P]:
        if isinstance(key, slice):
            return [self._over(record) for record in self.records[key]]
        if not -len(self.records) <= key < len(self.records):
            raise IndexError(f"there is no {self.title} number {key} of {len(self.records)}")
        return self._over(self.records[key])

    def __iter__(self) -> Iterator[P]:
        return map(self._over, list(self.records or ()))

    def __contains__(self, value: object) -> bool:
        record = value.record if isinstance(value, Part) else value
        return any(known is record for known in self.records)

    def _place(self, value: P) -> int:
        """The number of a part.  Raises ValueError if it is not among these."""
        for number, record in enumerate(self.records):
            if record is value.record:
                return number
        raise ValueError(f"{value!r} is not among these {len(self)}")

    def __repr__(self) -> str:
        return list_text(self, self.title)

    def _repr_html_(self) -> str:
        """A table for notebooks: the attributes in ``columns``."""
        head = ["", *(name.replace("_", " ") for name in self.columns or ("what",))]

        def cells(part: P) -> list[object]:
            if not self.columns:
                return [part.summary]
            values = [getattr(part, name) for name in self.columns]
            return [getattr(value, "name", value) for value in values]

        rows = ([number, *cells(part)] for number, part in enumerate(self))
        return table_of(counted(len(self), self.title), head, rows, len(self))

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if not name.startswith("_")]
