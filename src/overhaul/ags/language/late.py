"""Imports that stand in one of the headers and differ from script to script: things of a room.

Headers are compiled once for all rooms, without these names.  A script with them is compiled behind
all headers, its names are declared last, and its import table is put in order at the end.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

#: The type and the name of an import.
Import = tuple[str, str]


class LateNames:
    """Imports at the end of the header with the index ``header``, in their order.

    Each is declared when the script uses it; ``slots`` is where it is in the import table then.
    ``guess`` gives the type of a name that is not among them, by the name after its dot, "" for
    none; ``final`` gives the imports, with what was guessed, when all of the script is known.
    """

    def __init__(
        self,
        header: int,
        names: Sequence[Import],
        guess: Callable[[str, str], str] | None = None,
        final: Callable[[], Sequence[Import]] | None = None,
    ) -> None:
        self.header = header
        self.names: Sequence[Import] = names
        self.slots: dict[str, int] = {}
        self._kinds = {name: kind for kind, name in names}
        self._guess = guess
        self._final = final

    def kind(self, name: str, member: str) -> str:
        """The type of a name that is not declared; "" if it is none of these.

        ``member`` is the name after its dot, or "".
        """
        known = self._kinds.get(name, "")
        return known if known or self._guess is None else self._guess(name, member)

    def final(self) -> Sequence[Import]:
        """The imports when all of the script is known."""
        return self.names if self._final is None else self._final()


def slots_in_order(
    late: LateNames, final: Sequence[Import], used: set[int], count: int, first: int
) -> tuple[dict[int, int], int] | None:
    """Where each used slot of an import table of ``count`` goes, and how many there are then.

    The late names go behind the ``first`` slots; one that has no slot leaves its place empty.  None
    if there are names with slots that are not among the final ones.
    """
    places = {name: place for place, (_, name) in enumerate(final, start=first)}
    if not late.slots.keys() <= places.keys():
        return None
    moved = {slot: places[name] for name, slot in late.slots.items()}
    taken = sorted(moved)
    behind = len(final)
    for slot in used:
        if slot < first:
            moved[slot] = slot
        elif slot not in moved:
            moved[slot] = slot + behind - bisect_left(taken, slot)
    return moved, count + behind - len(taken)
