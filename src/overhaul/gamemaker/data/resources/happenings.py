"""What events of objects and moments of timelines share: they are known by a key, and run code."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from overhaul.gamemaker.data.chunks.objt import Event as EventRecord
from overhaul.gamemaker.data.chunks.objt import Moment as MomentRecord
from overhaul.gamemaker.data.code.owners import uses
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.code import RunsCode, code_or_none
from overhaul.gamemaker.data.resources.parts import Part

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.code import Code

O = TypeVar("O")  # noqa: E741 - the owner's record
R = TypeVar("R", EventRecord, MomentRecord)
K = TypeVar("K", str, int)
H = TypeVar("H", bound=RunsCode)


class Happening(Part[O, R], RunsCode):
    """An event or a moment: it runs the first code among its actions."""

    __slots__ = ()

    @property
    def code(self) -> Code | None:
        """The code it runs; None where it runs none (as in a game of native code)."""
        runs = [action.code for action in self.record.actions]
        first = next((each for each in runs if isinstance(each, Reference)), None)
        return code_or_none(self.game, first)

    def _remove_from(self, happenings: list[R]) -> None:
        """Remove it from its list, and the code it runs if nothing else does."""
        game = self.game
        happenings[:] = [each for each in happenings if each is not self.record]
        needed = {id(use.code) for use in uses(game)}
        lists = (game.global_init, game.game_end)
        needed |= {id(code) for each in lists if each is not None for code in each.code}
        codes = [each.code for each in self.record.actions if isinstance(each.code, Reference)]
        unused = {id(code): code for code in codes if id(code) not in needed and code.target}
        if unused:
            game.records.code.remove(*unused.values())


class Happenings(Mapping[K, H], Generic[K, H]):
    """The events of an object, or the moments of a timeline, by key."""

    @abstractmethod
    def _all(self) -> Iterator[tuple[K, H]]:
        """Each with its key, in the order of the file; of equal keys the first counts."""

    @abstractmethod
    def _missing(self, key: K) -> str:
        """What a KeyError says."""

    @abstractmethod
    def add(self, key: K, /, source: str, definitions: str = "") -> H:
        """Add one with its code."""

    def add_all(self, sources: Mapping[K, str]) -> None:
        """Add several, in the order of ``sources``; see :meth:`add`."""
        for key, source in sources.items():
            self.add(key, source)

    def __getitem__(self, key: K) -> H:
        for each, happening in self._all():
            if each == key:
                return happening
        raise KeyError(self._missing(key))

    def __setitem__(self, key: K, source: str) -> None:
        """Give one other code; add it where it is not there."""
        if key in self:
            self[key].gml = source
        else:
            self.add(key, source)

    def __iter__(self) -> Iterator[K]:
        return iter(dict.fromkeys(key for key, _ in self._all()))

    def __len__(self) -> int:
        return len(set(self))

    def _keys(self) -> str:
        return ", ".join(map(str, self)) or "none"
