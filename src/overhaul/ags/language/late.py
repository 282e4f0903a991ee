"""Imports that stand in one of the headers and differ from script to script: things of a room.

Headers are compiled once for all rooms, without these names.  A script with them is compiled behind
all headers, its names are declared last, and its import table is put in order at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

#: The type and the name of an import.
Import = tuple[str, str]


class LateNames:
    """Imports at the end of the header with the index ``header``, in their order.

    ``slots`` is where each is in the import table before that is put in order.
    """

    def __init__(self, header: int, names: Sequence[Import]) -> None:
        self.header = header
        self.names: Sequence[Import] = names
        self.slots: dict[str, int] = {}

    def guess(self, name: str, member: str) -> str:  # noqa: ARG002 - for those who guess
        """The type of a name that is not declared; "" if it is none of these.

        ``member`` is what stands behind its dot, or "".
        """
        return ""

    def final(self) -> Sequence[Import]:
        """The imports when all of the script is known."""
        return self.names


def slots_in_order(
    late: LateNames, used: set[int], count: int, first: int
) -> tuple[list[int], int] | None:
    """Where each of ``count`` slots of an import table goes, and how many there are then.

    The late names go behind the ``first`` slots; one that has no slot leaves its place empty.  None
    if there are names with ``used`` slots that are not among the final ones.
    """
    moved = list(range(first)) + [0] * (count - first)
    place = first
    taken = set(late.slots.values())
    placed: set[int] = set()
    for _, name in late.final():
        slot = late.slots.get(name, -1)
        if slot >= 0:
            moved[slot] = place
            placed.add(slot)
        place += 1
    if not (taken - placed).isdisjoint(used):
        return None
    for slot in range(first, count):
        if slot not in taken:
            moved[slot] = place
            place += 1
    return moved, place
