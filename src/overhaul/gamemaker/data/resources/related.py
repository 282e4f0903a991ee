"""Parts that have names, and references to resources of other kinds, by their chunk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.fields import Field
from overhaul.gamemaker.data.resources.parts import Part, Parts
from overhaul.suggest import did_you_mean

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.resources.base import Resource
    from overhaul.gamemaker.data.resources.fields import Held

P = TypeVar("P", bound=Part[Any, Any])
R = TypeVar("R", bound="Resource[Any]")

#: what a game calls the lists whose chunks are called otherwise
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
