"""Named lists of resources, and the references other records hold to them.

A file refers to a resource by its index.  In the model the index is a :class:`Reference`, one
object for each (list, index), owned by the list: when the list is reordered or an element is
removed, the references follow, and whatever holds them need not be touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, overload

from overhaul.document.notebook import table_of
from overhaul.errors import EncodeError
from overhaul.suggest import cut, did_you_mean

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Named(Protocol):
    """A record of any kind of resource: its chunk decides which other fields it has."""

    name: str | None


def _is_record(value: object) -> bool:
    return hasattr(type(value), "__struct_fields__")


class Reference(Generic[T_co]):
    """A reference to one element of a :class:`NamedList`; attributes are the element's own.

    ``owner`` is that list, ``index`` the place in it.
    """

    __slots__ = ("index", "owner")

    def __init__(self, owner: NamedList[T_co], index: int) -> None:
        self.owner: NamedList[T_co] = owner
        self.index: int = index

    @property
    def target(self) -> T_co | None:
        """The element itself; None where the list has nothing at this index."""
        return self.owner.at(self.index)

    @property
    def chunk(self) -> str:
        """The chunk the reference leads into."""
        return self.owner.chunk

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        target = self.target
        if target is None:
            raise AttributeError(f"{self!r} refers to no element, so it has no {name!r}")
        return getattr(target, name)

    def __deepcopy__(self, memo: dict[int, object]) -> Reference[T_co]:
        return self  # a copied record refers to the same element

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Reference):
            return self.index == other.index and self.owner.chunk == other.owner.chunk
        if _is_record(other):
            return self.target is other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.owner.chunk)

    def __repr__(self) -> str:
        if self.index < 0:
            return f"<removed {self.owner.title}>"
        items = self.owner.decoded or []
        name = getattr(items[self.index], "name", None) if self.index < len(items) else None
        return f"<{self.owner.title} {self.index if name is None else cut(str(name), 120)}>"


class NamedList(Generic[T]):
    """A game's resources of one kind, by index and by name.

    ``items`` is the list in the chunk's record; elements may be None (removed by the compiler as
    unused, their index stays taken).  ``title`` is what one of them is called.  ``changing`` is
    called before the order changes, ``moved`` after it, with old -> new indices (-1: removed).
    ``game`` is the game the list belongs to.  ``references`` has the references to its elements
    that were asked for, by index.
    """

    def __init__(
        self,
        chunk: str,
        title: str,
        size: int,
        load: Callable[[], list[T | None]],
        changing: Callable[[], None],
        moved: Callable[[dict[int, int]], None],
        game: object = None,
    ) -> None:
        self.chunk = chunk
        self.title = title
        self.game = game
        #: how many elements the file has; those added since then mostly follow them
        self.stored = size
        self._load = load
        self._changing = changing
        self._moved = moved
        #: the elements, once they are decoded
        self.decoded: list[T | None] | None = None
        self._names: dict[str, int] = {}
        #: where records were found, by their identity, and how many elements were looked at
        self._places: dict[int, int] = {}
        self._placed = 0
        #: the present names of elements, by their names before an edit under way
        self.former: dict[str, str] = {}
        self.references: dict[int, Reference[T]] = {}

    @property
    def items(self) -> list[T | None]:
        """The elements, decoded on first touch."""
        items = self.decoded
        if items is None:
            items = self.decoded = self._load()
        return items

    def at(self, index: int) -> T | None:
        """The element at an index, or None."""
        if not 0 <= index < len(self):
            return None
        items = self.items  # of a chunk that can't be read: none, whatever it had counted
        return items[index] if index < len(items) else None

    def reference(self, index: int) -> Reference[T]:
        """The one reference to an index of this list."""
        known = self.references.get(index)
        if known is None:
            known = self.references[index] = Reference(self, index)
        return known

    def reference_to(self, value: object) -> Reference[T]:
        """The reference to an element given by name, index, record or reference."""
        if isinstance(value, Reference):
            return value
        return self.reference(self.index(value))

    def __len__(self) -> int:
        return self.stored if self.decoded is None else len(self.decoded)

    def __iter__(self) -> Iterator[T | None]:
        return iter(self.items)

    def present(self) -> Iterator[T]:
        """The elements that are there, without those the compiler removed."""
        return (item for item in self.items if item is not None)

    def __contains__(self, value: object) -> bool:
        return self._find(value) >= 0

    def get(self, key: int | str, default: T | None = None) -> T | None:
        """The element of a name or index; ``default`` if there is none."""
        items = self.items
        element = self._find(key)
        return default if element < 0 else items[element]

    def __repr__(self) -> str:
        return f"<{self.title} list: {len(self)}>"

    def index(self, value: object) -> int:
        """The index of a name, record or reference; KeyError if it is not in the list."""
        place = self._find(value)
        if place >= 0:
            return place
        if isinstance(value, Reference):
            raise KeyError(f"{value!r} refers to no {self.title} of this game")
        if isinstance(value, int):
            raise KeyError(f"there is no {self.title} number {value}")
        if _is_record(value):
            raise KeyError(f"this {self.title} is not in the game")
        name = str(value)
        raise KeyError(f"there is no {self.title} named {name!r}{did_you_mean(name, self._names)}")

    def _find(self, value: object) -> int:
        """The index of a name, record or reference; -1 if it is not in the list."""
        if isinstance(value, Reference):
            return value.index if value.owner is self else -1
        if isinstance(value, int):
            return value % len(self) if -len(self) <= value < len(self) else -1
        items = self.items
        if _is_record(value):
            return self._place_of(value, items)
        name = str(value)
        index = self._names.get(name, -1)
        if 0 <= index < len(items) and getattr(items[index], "name", None) == name:
            return index
        self._names = {}
        for index, item in enumerate(items):
            own = getattr(item, "name", None)
            if own is not None:
                self._names.setdefault(str(own), index)
        return self._names.get(name, -1)

    def _place_of(self, record: object, items: list[T | None]) -> int:
        """The index of a record; -1 if it is not in the list."""
        for _ in range(2):
            index = self._places.get(id(record), -1)
            if 0 <= index < len(items) and items[index] is record:
                return index
            # the last added elements; where they do not suffice, elements have other places
            for number in range(min(self._placed, len(items)), len(items)):
                self._places.setdefault(id(items[number]), number)
            self._placed = len(items)
        index = next((index for index, item in enumerate(items) if item is record), -1)
        if index >= 0:
            self._places, self._placed = {}, 0
        return index

    def let_go(self) -> None:
        """Let go of the elements, which hold the list by references to others."""
        self.decoded = None
        self._names, self._places, self._placed = {}, {}, 0
        self.references = {}

    @overload
    def __getitem__(self, key: slice) -> list[T | None]: ...
    @overload
    def __getitem__(self, key: int | str) -> T: ...
    def __getitem__(self, key: int | str | slice) -> T | list[T | None] | None:
        if isinstance(key, (int, slice)):
            return self.items[key]
        return self.items[self.index(key)]

    def __setitem__(self, key: int | str, value: T | None) -> None:
        self.items[self.index(key)] = value

    def __delitem__(self, key: int | str | slice) -> None:
        if isinstance(key, slice):
            self.remove(*range(len(self))[key])
        else:
            if isinstance(key, int) and not -len(self) <= key < len(self):
                raise IndexError(f"there is no {self.title} number {key}")
            self.remove(key)

    def names(self) -> list[str]:
        """The names of all elements that are there."""
        return [str(getattr(item, "name", None)) for item in self.present()]

    def _repr_html_(self) -> str:
        """A table of the first elements, for notebooks."""
        rows = ([n, getattr(item, "name", None) or ""] for n, item in enumerate(self.items))
        return table_of(f"{len(self)} × {self.title}", ["", "name"], rows, len(self))

    def append(self, item: T | None) -> Reference[T]:
        """Add an element at the end and return the reference to it."""
        self.items.append(item)
        return self.reference(len(self.items) - 1)

    def insert(self, index: int, item: T | None) -> Reference[T]:
        """Add an element before ``index``; references to later ones follow."""
        self.insert_all({index: [item]})
        return self.reference(index)

    def insert_all(self, added: Mapping[int, Sequence[T | None]]) -> None:
        """Add elements before those of some indices; references to later ones follow."""
        self._changing()
        new = 0
        mapping: dict[int, int] = {}
        for old in range(len(self.items)):
            new += len(added.get(old, ()))
            mapping[old] = old + new
        for index in sorted(added, reverse=True):
            for item in reversed(added[index]):
                self.items.insert(index, item)
        self._renumber(mapping)

    def remove(self, *values: object) -> None:
        """Remove elements; references to them become empty."""
        removed = {self.index(value) for value in values}
        self._changing()
        kept = [old for old in range(len(self.items)) if old not in removed]
        mapping = dict.fromkeys(removed, -1) | {old: new for new, old in enumerate(kept)}
        self.items[:] = [self.items[old] for old in kept]
        self._renumber(mapping)

    def reorder(self, order: Iterable[object]) -> None:
        """Put the elements into a new order, given by names, indices or records."""
        chosen = [self.index(value) for value in order]
        if sorted(chosen) != list(range(len(self.items))):
            raise ValueError(f"a new order must name every {self.title} exactly once")
        self._changing()
        self.items[:] = [self.items[old] for old in chosen]
        self._renumber({old: new for new, old in enumerate(chosen)})

    def put(self, items: list[T | None], mapping: dict[int, int]) -> None:
        """Replace all elements; references follow ``mapping`` (old -> new index), code does not:
        for games whose code already has the new numbers."""
        moved, self._moved = self._moved, lambda mapping: None
        try:
            self.items[:] = items
            self._renumber(mapping)
        finally:
            self._moved = moved

    def _renumber(self, mapping: dict[int, int]) -> None:
        moved: dict[int, Reference[T]] = {}
        for old, reference in self.references.items():
            reference.index = mapping.get(old, old)
            if reference.index >= 0:
                moved[reference.index] = reference
        self.references = moved
        self._names = {}
        self._moved(mapping)


class ReferenceTable(dict[int, object]):
    """Reference fields on reading: from the stored number to the reference.

    ``none`` is the number that stands for no element. A number that is not an index of the list
    (a damaged file, a missing list) stays a plain number.
    """

    def __init__(self, owner: NamedList[Any], none: int = -1) -> None:
        super().__init__()
        self.owner = owner
        self.none = none
        self[none] = None

    def __missing__(self, number: int) -> object:
        value: object = number
        if 0 <= number < len(self.owner):
            value = self.owner.reference(number)
        self[number] = value
        return value

    def encode(self, value: object) -> int:
        """The number to store for a reference, element, name, number or None."""
        if type(value) is Reference:
            return value.index if value.index >= 0 else self.none
        if value is None:
            return self.none
        if isinstance(value, int):
            return value
        try:
            return self.owner.index(value)
        except KeyError as error:
            raise EncodeError(str(error.args[0])) from None


class NumberTable(dict[int, int]):
    """A table that leaves every number unchanged."""

    def __missing__(self, number: int) -> int:
        return number
