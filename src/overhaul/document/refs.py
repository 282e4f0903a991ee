"""References from one resource to another: an id, and what finds the resource of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T", covariant=True)


class Ref(Generic[T]):
    """A reference to a resource of a kind (as ``ls`` calls it) by the id that the file stores.

    ``get`` is asked each time, so that a reference follows an edit; ``file`` is the name of the
    companion file that has the resource, empty for the file of the reference itself; ``first`` is
    the id of the first resource of the kind.
    """

    __slots__ = ("_get", "file", "first", "id", "kind")

    def __init__(
        self,
        kind: str,
        id: int,
        get: Callable[[int], T | None],
        *,
        file: str = "",
        first: int = 0,
    ) -> None:
        self.kind: str = kind
        self.id: int = id
        self.file: str = file
        self.first: int = first
        self._get = get

    def get(self) -> T | None:
        """The resource; None where there is none of this id."""
        return self._get(self.id)

    @property
    def name(self) -> str:
        """The name of the resource; empty where there is none."""
        target = self.get()
        return "" if target is None else str(getattr(target, "name", ""))

    def __bool__(self) -> bool:
        return self.get() is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ref):
            return NotImplemented
        return (self.kind, self.id, self.file) == (other.kind, other.id, other.file)

    def __hash__(self) -> int:
        return hash((self.kind, self.id, self.file))

    def __repr__(self) -> str:
        return f"<{self.kind} {self.id}{f' in {self.file}' if self.file else ''}>"
