"""The base of every kind of resource, and of every list of one kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from overhaul.document.refs import Ref
from overhaul.document.surface import ResourceList, ResourceSurface
from overhaul.gamemaker.classic.fields import VersionedRecord
from overhaul.gamemaker.classic.kinds import BY_PLURAL

R = TypeVar("R", bound=VersionedRecord, covariant=True)
S = TypeVar("S", bound="Resource[Any]")


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

    def at(self, plural: str, index: int) -> AnyPlace | None:
        """The place of an id; None for an empty place."""
        slots = self.slots.get(plural, ())
        place = slots[index] if 0 <= index < len(slots) else None
        return place if place is not None and place.exists and place.resource else None

    def name_of(self, plural: str, index: int) -> str | None:
        """The name of the resource of an id; None where there is none."""
        place = self.at(plural, index)
        return None if place is None else place.name

    def ref(self, resource: type[S], index: int) -> Ref[S]:
        """The reference to the resource of an id."""

        def get(index: int) -> S | None:
            return None if self.at(resource.plural, index) is None else resource(self, index)

        return Ref(BY_PLURAL[resource.plural].singular, index, get)


class Resource(ResourceSurface, Generic[R]):
    """A resource: its name, its id, and its ``record``, which holds all that the file has."""

    __slots__ = ("index", "places")
    #: the name of the list of its kind (``sprites``)
    plural: ClassVar[str]

    def __init__(self, places: Places, index: int) -> None:
        self.places: Places = places
        self.index: int = index

    @property
    def kind(self) -> str:
        """Its kind in ``overhaul ls`` (``sprite``)."""
        return BY_PLURAL[self.plural].singular

    @property
    def _place(self) -> AnyPlace:
        return self.places.slots[self.plural][self.index]

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
        return sum(self.places.at(self.plural, n) is not None for n in range(self.index))

    @property
    def document(self) -> object:
        """The document it is of."""
        return self.places.document


class Resources(ResourceList[S], Sequence[S]):
    """The existing resources of one kind, by name or in the order of their ids.

    Of several with one name, a name means the first.
    """

    def __init__(self, places: Places, resource: type[S]) -> None:
        self.places = places
        self.resource = resource
        self._indices = [
            index
            for index in range(len(places.slots.get(resource.plural, ())))
            if places.at(resource.plural, index) is not None
        ]

    @property
    def kind(self) -> str:
        """The kind of one of them in ``overhaul ls`` (``sprite``)."""
        return BY_PLURAL[self.resource.plural].singular

    @property
    def document(self) -> object:
        """The document they are of."""
        return self.places.document

    def __len__(self) -> int:
        return len(self._indices)

    def __iter__(self) -> Iterator[S]:
        return (self.resource(self.places, index) for index in self._indices)

    def _numbered(self, number: int) -> S | None:
        count = len(self._indices)
        inside = -count <= number < count
        return self.resource(self.places, self._indices[number]) if inside else None
