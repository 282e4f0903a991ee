"""The parts of a resource that have a record of their own: instances, layers, views, ..."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast, overload

from overhaul.suggest import cut

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel

O = TypeVar("O")  # noqa: E741 - the owner's record
R = TypeVar("R")
P = TypeVar("P", bound="Part[Any, Any]")

#: how many parts the text of a list shows
_SHOWN = 12


class Part(Generic[O, R]):
    """A part of a resource: a surface over its ``record``; ``owner`` is the resource's record.

    Two are equal where they stand for the same record.
    """

    __slots__ = ("game", "owner", "record")

    def __init__(self, game: CodeModel, owner: O, record: R) -> None:
        self.game: CodeModel = game
        self.owner: O = owner
        self.record: R = record

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Part):
            return NotImplemented
        return self.record is other.record

    def __hash__(self) -> int:
        return id(self.record)

    def _about(self) -> str:
        """What its ``repr`` tells."""
        return ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {cut(self._about(), 150)}>"

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if not name.startswith("_")]


class Parts(Sequence[P]):
    """The parts of one kind, in the order of the file.  Raises IndexError for a wrong number."""

    #: what one of them is called
    title: ClassVar[str] = "part"
    #: what one of them is
    part: ClassVar[type[Part[Any, Any]]] = Part

    def __init__(self, game: CodeModel, owner: Any, records: list[Any]) -> None:
        self.game = game
        self.owner = owner
        #: the records beneath
        self.records = records

    def _over(self, record: Any) -> P:
        return cast("P", self.part(self.game, self.owner, record))

    def __len__(self) -> int:
        return len(self.records)

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
        return map(self._over, list(self.records))

    def __contains__(self, value: object) -> bool:
        record = value.record if isinstance(value, Part) else value
        return any(each is record for each in self.records)

    def _place(self, value: P) -> int:
        """The number of a part.  Raises ValueError if it is not among these."""
        for number, record in enumerate(self.records):
            if record is value.record:
                return number
        raise ValueError(f"{value!r} is not among these {len(self)}")

    def __repr__(self) -> str:
        count = len(self)
        rows = [f"  {each!r}" for each, _ in zip(self, range(_SHOWN), strict=False)]
        more = [f"  … {count - _SHOWN} more"] if count > _SHOWN else []
        return "\n".join([f"<{count} {self.title}{'' if count == 1 else 's'}>", *rows, *more])

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if not name.startswith("_")]
