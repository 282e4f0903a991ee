"""What every kind of resource has, and every list of one kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar, cast, overload

from overhaul.document.notebook import html_of
from overhaul.gamemaker.classic.fields import VersionedRecord
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.suggest import cut, did_you_mean

R = TypeVar("R", bound=VersionedRecord, covariant=True)
S = TypeVar("S", bound="Resource[VersionedRecord]")

#: how many resources the text of a list shows
_SHOWN = 12


class AnyPlace(Protocol):
    """A place in a list of resources."""

    @property
    def exists(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def resource(self) -> VersionedRecord | None: ...


class Places:
    """The places of all kinds of resources, in which references are looked up.

    ``smooth``: whether the game interpolates pixels; ``document``: the document they are of.
    """

    def __init__(
        self,
        slots: Mapping[str, Sequence[AnyPlace]],
        *,
        smooth: bool = False,
        document: object = None,
    ) -> None:
        self.slots = slots
        self.smooth = smooth
        self.document = document

    def at(self, kind: str, index: int) -> AnyPlace | None:
        """The place of an id; None where there is no resource."""
        found = self.slots.get(kind, ())
        place = found[index] if 0 <= index < len(found) else None
        return place if place is not None and place.exists and place.resource else None

    def name_of(self, kind: str, index: int) -> str | None:
        """The name of the resource of an id; None where there is none."""
        place = self.at(kind, index)
        return None if place is None else place.name


class Resource(Generic[R]):
    """A resource: its name, its id, and its ``record``, which holds all that the file has."""

    __slots__ = ("index", "places")
    #: the kind, as an attribute of the document (``sprites``)
    kind: ClassVar[str]

    def __init__(self, places: Places, index: int) -> None:
        self.places: Places = places
        self.index: int = index

    @property
    def _place(self) -> AnyPlace:
        return self.places.slots[self.kind][self.index]

    @property
    def name(self) -> str:
        """Its name."""
        return self._place.name

    @property
    def record(self) -> R:
        """Its record."""
        return cast("R", self._place.resource)

    @property
    def place(self) -> int:
        """Where it is among those of its kind that exist, from 0."""
        return sum(self.places.at(self.kind, n) is not None for n in range(self.index))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Resource):
            return NotImplemented
        return self.record is other.record

    def __hash__(self) -> int:
        return id(self.record)

    def _about(self) -> str:
        """What its ``repr`` tells besides the name."""
        return ""

    def __repr__(self) -> str:
        about = self._about()
        return (
            f"<{type(self).__name__} {cut(self.name, 80)}{' ' + cut(about, 80) if about else ''}>"
        )

    def _repr_html_(self) -> str | None:
        return html_of(self)


class Resources(Sequence[S]):
    """The existing resources of one kind, by name or in the order of their ids.

    Of several with one name, a name means the first.
    """

    def __init__(self, places: Places, resource: type[S]) -> None:
        self.places = places
        self.resource = resource
        self._indices = [
            index
            for index in range(len(places.slots.get(resource.kind, ())))
            if places.at(resource.kind, index) is not None
        ]

    def __len__(self) -> int:
        return len(self._indices)

    def __iter__(self) -> Iterator[S]:
        return (self.resource(self.places, index) for index in self._indices)

    def __contains__(self, value: object) -> bool:
        return any(each.name == value or each == value for each in self)

    def names(self) -> list[str]:
        """The names of all of them."""
        return [each.name for each in self]

    @overload
    def __getitem__(self, key: int | str) -> S: ...
    @overload
    def __getitem__(self, key: slice) -> list[S]: ...
    def __getitem__(self, key: int | str | slice) -> S | list[S]:
        """The resource of a name, or at a place in the list; KeyError or IndexError for none."""
        if isinstance(key, slice):
            return [self.resource(self.places, index) for index in self._indices[key]]
        if isinstance(key, int):
            return self.resource(self.places, self._indices[key])
        for each in self:
            if each.name == key:
                return each
        title = BY_PLURAL[self.resource.kind].singular
        raise KeyError(f"there is no {title} named {key!r}{did_you_mean(key, self.names())}")

    def __repr__(self) -> str:
        count = len(self)
        rows = [f"  {each!r}" for each, _ in zip(self, range(_SHOWN), strict=False)]
        more = [f"  … {count - _SHOWN} more"] if count > _SHOWN else []
        title = BY_PLURAL[self.resource.kind].singular
        return "\n".join([f"<{count} {title}{'' if count == 1 else 's'}>", *rows, *more])

    def _repr_html_(self) -> str | None:
        return html_of(self)
