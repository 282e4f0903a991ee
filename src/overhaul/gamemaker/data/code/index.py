"""What is looked up in a game's code: its roots, their children and locals, records, layout."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhaul.gamemaker.data.code.links import GameLinks
from overhaul.gamemaker.data.code.numbering import GameNumbering
from overhaul.gamemaker.data.code.records import KnownRecords

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.chunks.func import CodeLocals
    from overhaul.gamemaker.data.model import GameModel


class CodeIndex:
    """A game's code at one time.

    Each part is worked out when it is first asked for, and kept.  An index is never brought up to
    date: after the lists of the game changed another one is made.  Only :attr:`layout` and
    :attr:`numbering` follow the instructions themselves; :meth:`forget_layout` drops them.
    """

    def __init__(self, game: GameModel) -> None:
        self.game = game
        self._records: KnownRecords | None = None
        self._layout: GameLinks | None = None
        self._numbering: GameNumbering | None = None

    @cached_property
    def roots(self) -> list[CodeEntry]:
        """The entries with bytecode of their own, in the order of the game."""
        return [entry for entry in self.game.records.code.present() if entry.root is None]

    @cached_property
    def root_numbers(self) -> dict[int, int]:
        """The number of each root, by its id, among the roots."""
        return {id(root): number for number, root in enumerate(self.roots)}

    @cached_property
    def _children(self) -> dict[int, list[CodeEntry]]:
        found: dict[int, list[CodeEntry]] = {}
        for entry in self.game.records.code.present():
            if entry.root is not None:
                found.setdefault(id(entry.root), []).append(entry)
        return found

    def children(self, root: CodeEntry) -> list[CodeEntry]:
        """The entries inside a root, in the order of the list."""
        return self._children.get(id(root), [])

    @cached_property
    def locals_lists(self) -> dict[str, CodeLocals]:
        """The code locals of each root, by its name; empty where the version has none."""
        record = self.game.record("FUNC")
        found: dict[str, CodeLocals] = {}
        for each in () if record is None else record.code_locals:
            found.setdefault(str(each.name), each)
        return found

    def local_names(self, name: str) -> list[str] | None:
        """The code locals of a root; None where there is no list of them."""
        found = self.locals_lists.get(name)
        return None if found is None else [str(local.name) for local in found.locals]

    def is_shared(self, variable: int, root: CodeEntry) -> bool:
        """Whether code of other roots refers to a variable record."""
        return any(
            bool((other.bytecode.record == variable).any())
            for other in self.roots
            if other is not root
        )

    @property
    def records(self) -> KnownRecords:
        """The records of VARI and FUNC by name."""
        if self._records is None or not self._records.fits():
            self._records = KnownRecords(self.game)
        return self._records

    @property
    def layout(self) -> GameLinks:
        """The game's code as it is laid out."""
        if self._layout is None:
            self._layout = GameLinks(self.game, self.roots)
        return self._layout

    @property
    def numbering(self) -> GameNumbering:
        """The numbers that assembly text shows."""
        if self._numbering is None:
            self._numbering = GameNumbering(self.game, self.locals_lists)
        return self._numbering

    def forget_layout(self) -> None:
        """Forget the layout and the numbering, after instructions changed."""
        self._layout = None
        self._numbering = None
