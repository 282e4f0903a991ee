"""Reference chains: how a file ties operands to its variable and function records.

Every operand that names a record is a word of that record's linked list: bits 0-26 hold the
distance in bytes to the next word, ascending; the last one holds the name's index in the string
table.  Bits 27-31 are the reference type of a variable operand.

Only addresses and numbers here; whoever owns the file says where its words and records are.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from overhaul.errors import EncodeError, FormatError
from overhaul.gml.vm.opcodes import REFERENCE_DISTANCE_MASK

FUNCTION_BIT: Final = 1 << 30
"""Set in a row's record number where the record is a function's, not a variable's."""

NO_RECORD: Final = -1


def resolve_chains(
    address: npt.NDArray[np.int64],
    word: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    occurrences: npt.NDArray[np.int64],
) -> npt.NDArray[np.int32]:
    """Which record each word belongs to (NO_RECORD for none).

    ``address`` and ``word``: where the words that may belong to chains are (ascending), and what
    they hold.  ``first`` and ``occurrences``: per record, the address of its first *word*, and the
    length of its chain.  Raises FormatError for a chain that leaves the words, or that meets
    another chain (``offset`` is then the address, the path names the record).
    """
    count = len(address)
    if int(occurrences.sum()) > count:
        raise FormatError(f"{int(occurrences.sum())} references, but only {count} operands")
    following = address + (word & REFERENCE_DISTANCE_MASK)
    after = _numbers(address, following).tolist()
    begin = _numbers(address, first).tolist()
    record = [NO_RECORD] * count
    for number, length in enumerate(occurrences.tolist()):
        at = begin[number]
        for _ in range(length):
            if at < 0 or record[at] != NO_RECORD:
                raise _broken(number, at, address)
            record[at] = number
            at = after[at]
    return np.array(record, np.int32)


def _numbers(
    address: npt.NDArray[np.int64], wanted: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The position of each wanted address, or -1."""
    if not len(address):
        return np.full(len(wanted), -1, np.int64)
    number = np.minimum(np.searchsorted(address, wanted), len(address) - 1)
    return np.where(address[number] == wanted, number, -1)


def _broken(number: int, at: int, address: npt.NDArray[np.int64]) -> FormatError:
    path = f"[{number}]"
    if at < 0:
        return FormatError("the reference chain leaves the code", path=path)
    return FormatError("two reference chains meet", offset=int(address[at]), path=path)


def build_chains(
    address: npt.NDArray[np.int64],
    record: npt.NDArray[np.int32],
    final: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Link words into chains: the inverse of :func:`resolve_chains`.

    ``address``: of the words, ascending.  ``record``: the record of each (NO_RECORD: left alone).
    ``final``: per record, what its last word holds (the string index of its name).  Returns
    (low 27 bits of each word, first word's address per record or -1, occurrences per record).
    Raises EncodeError where a distance is too long for its bits.
    """
    low = np.zeros(len(address), np.int64)
    first = np.full(len(final), -1, np.int64)
    member = np.flatnonzero(record >= 0)
    order = member[np.argsort(record[member], kind="stable")]
    owner = record[order]
    occurrences = np.bincount(owner, minlength=len(final)).astype(np.int64)
    place = address[order]
    last = np.ones(len(order), np.bool_)
    last[:-1] = owner[1:] != owner[:-1]
    distance = np.zeros(len(order), np.int64)
    distance[:-1] = place[1:] - place[:-1]
    distance[last] = final[owner[last]]
    if ((distance < 0) | (distance > REFERENCE_DISTANCE_MASK)).any():
        raise EncodeError("a reference is too far from the one before it")
    low[order] = distance
    begins = np.ones(len(order), np.bool_)
    begins[1:] = last[:-1]
    first[owner[begins]] = place[begins]
    return low, first, occurrences
