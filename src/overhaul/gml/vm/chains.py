"""Chains of references: each word of a chain holds the distance to the next one.

VARI and FUNC store the beginning of each record's chain, and its length. Chains are followed all
at once, in vector operations; one after another where one is broken, to say which.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from overhaul.errors import EncodeError, FormatError
from overhaul.gml.vm.columns import FUNCTION_BIT, NO_RECORD
from overhaul.gml.vm.opcodes import REFERENCE_DISTANCE_MASK

_DENSE: Final = 64
"""Bytes for each word up to which a table has the positions of all."""
_BLOCK: Final = 1 << 16
"""So many words are looked at together, so that the arrays for them are small."""

_Numbers: TypeAlias = npt.NDArray[np.integer]


def resolve_chains(
    address: _Numbers,
    word: _Numbers,
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
    after, begin = _links(address, word, first)
    record = _followed(after, begin, occurrences)
    return _follow(address, after, begin, occurrences) if record is None else record


def resolve_both(
    address: _Numbers,
    word: _Numbers,
    variables: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
    functions: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
) -> npt.NDArray[np.int32] | None:
    """As :func:`resolve_chains`, for the tables (first, occurrences) of variables and functions at
    once, with ``FUNCTION_BIT`` in the records of these; None where a chain is broken."""
    first, occurrences = map(np.concatenate, zip(variables, functions, strict=True))
    if int(occurrences.sum()) > len(address):
        return None
    record = _followed(*_links(address, word, first), occurrences)
    if record is None:
        return None
    count = len(variables[0])
    return np.where(record < count, record, record - count | FUNCTION_BIT).astype(np.int32)


def _links(
    address: _Numbers, word: _Numbers, first: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The position of the word that each word leads to, and of each record's first one; -1 where
    there is none."""
    places = _Places(address)
    after = np.empty(len(address), np.int32)
    for start in range(0, len(address), _BLOCK):
        part = slice(start, start + _BLOCK)
        distance = word[part].astype(np.int64) & REFERENCE_DISTANCE_MASK
        after[part] = places.of(address[part] + distance)
    return after, places.of(first)


def _followed(
    after: npt.NDArray[np.int32], begin: npt.NDArray[np.int32], occurrences: npt.NDArray[np.int64]
) -> npt.NDArray[np.int32] | None:
    """The record of each word, all chains at once; None where one is broken.

    From the first places of each chain follow as many more at a time, by links of twice the length.
    """
    if (occurrences < 0).any():
        return None
    if not len(after):
        return None if occurrences.any() else np.zeros(0, np.int32)
    begun = np.flatnonzero(occurrences)
    count, total = len(begun), int(occurrences.sum())
    if total > len(after):
        return None
    # of each place that was reached: its record, and how many of the chain there are from it on
    at, owner, left = (np.empty(total, np.int32) for _ in range(3))
    at[:count], owner[:count], left[:count] = begin[begun], begun, occurrences[begun]
    link, step = np.append(after, np.int32(-1)), 1
    while count < total:
        more = np.flatnonzero(left[:count] > step)
        end = count + len(more)
        at[count:end], owner[count:end] = link[at[more]], owner[more]
        left[count:end] = left[more] - step
        count = end
        link = link[link]
        step *= 2
    record = np.full(len(after), NO_RECORD, np.int32)
    if int(at.min(initial=0)) < 0:
        return None
    record[at] = owner
    # each place is reached once where as many have a record
    return record if np.count_nonzero(record != NO_RECORD) == len(at) else None


def _follow(
    address: _Numbers,
    after: npt.NDArray[np.int32],
    begin: npt.NDArray[np.int32],
    occurrences: npt.NDArray[np.int64],
) -> npt.NDArray[np.int32]:
    """The record of each word, one after another.  Raises FormatError for a broken chain."""
    links, starts = after.tolist(), begin.tolist()
    record = [NO_RECORD] * len(links)
    for number, length in enumerate(occurrences.tolist()):
        at = starts[number]
        for _ in range(length):
            if at < 0 or record[at] != NO_RECORD:
                raise _broken(number, at, address)
            record[at] = number
            at = links[at]
    return np.array(record, np.int32)


class _Places:
    """The positions of words by their addresses."""

    def __init__(self, address: _Numbers) -> None:
        self._begin = int(address[0]) if len(address) else 0
        self._table: npt.NDArray[np.int32] | None = None
        #: the positions by addresses that ascend, which those of a damaged game may not do
        self._order: npt.NDArray[np.intp] | None = None
        ascends = bool((address[1:] >= address[:-1]).all())
        span = int(address[-1]) - self._begin if len(address) else 0
        if len(address) and ascends and span <= _DENSE * len(address):
            words = address - address[0]
            if not (words & 3).any():
                words >>= 2
                self._table = np.full(span // 4 + 1, -1, np.int32)
                self._table[words] = np.arange(len(address), dtype=np.int32)
        if self._table is None:
            address = address.astype(np.int64)
            if not ascends:
                self._order = np.argsort(address, kind="stable")
                address = address[self._order]
        self._address = address

    def of(self, wanted: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """The position of each wanted address, or -1."""
        address, table, order = self._address, self._table, self._order
        if not len(address):
            return np.full(len(wanted), -1, np.int32)
        if table is None:
            near = np.minimum(np.searchsorted(address, wanted), len(address) - 1)
            place = near if order is None else order[near]
            return np.where(address[near] == wanted, place, -1).astype(np.int32)
        words = wanted - self._begin
        outside = (words < 0) | (words >= 4 * len(table)) | ((words & 3) != 0)
        words[outside] = 0
        number: npt.NDArray[np.int32] = table[words >> 2]
        number[outside] = -1
        return number


def _broken(number: int, at: int, address: _Numbers) -> FormatError:
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

    ``address``: of the words, ascending.  ``record``: the record of each (NO_RECORD: kept).
    ``final``: per record, what its last word holds (the string index of its name).  Returns
    (low 27 bits of each word, first word's address per record or -1, occurrences per record).
    Raises EncodeError where a distance is too long for its bits.
    """
    low = np.zeros(len(address), np.int64)
    first = np.full(len(final), -1, np.int64)
    member = np.flatnonzero(record >= 0)
    # by record, and those of one by place: sorting both as one number takes less time
    keys = record[member].astype(np.int64) << 32 | member
    keys.sort()
    keys &= 0xFFFFFFFF
    order = keys
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
