"""Reference chains: which variable or function record each instruction's operand refers to.

The references to one record form a list through the file: each holds the distance in bytes to
the next one, the last one the index of the record's name in STRG.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....errors import FormatError
from ....gml.vm.opcodes import Opcode
from .code import Bytecode, CodeArea

DISTANCE = 0x07FFFFFF
TYPE_BITS = 0xF8000000


def resolve(
    area: CodeArea,
    records: list[Any],
    target: npt.NDArray[np.int32],
    *,
    first_is_operand: bool,
    script_type: int,
    word: str,
) -> None:
    """Follow every record's chain through the code and note the record's index in ``target``.

    Raises FormatError where a chain leads to no instruction with an operand, or to one that
    another chain has claimed.
    """
    operand = area.code.columns.operand
    addresses = area.addresses
    rows_by_address = np.searchsorted(addresses, addresses + (operand & DISTANCE))
    following = rows_by_address.tolist()
    distances = (operand & DISTANCE).tolist()
    where = addresses.tolist()
    sizes = area.code.columns.size.tolist()
    claimed = target.tolist()
    total = len(where)
    firsts = np.searchsorted(
        addresses,
        np.array([record.first_address for record in records], np.int64)
        - (4 if first_is_operand else 0),
    ).tolist()
    opcodes = area.code.columns.opcode
    for index, record in enumerate(records):
        count = record.occurrences
        if not count:
            continue
        row = firsts[index]
        address = record.first_address - (4 if first_is_operand else 0)
        last = row
        for _ in range(count):
            if row >= total or where[row] != address or sizes[row] != 2 or claimed[row] >= 0:
                raise FormatError(
                    f"a reference chain leads to {address:#x}, which is no reference to it",
                    path=f"{word}[{index}]",
                )
            claimed[row] = index
            last = row
            address = where[row] + distances[row]
            row = following[row]
        record.chain_end = _unusual_end(
            distances[last], record.name, int(opcodes[last]), script_type
        )
    target[:] = claimed


def _unusual_end(stored: int, name: Any, opcode: int, script_type: int) -> int | None:
    expected = -1 if name is None else name.index
    if opcode == Opcode.BREAK:
        expected |= script_type << 24
    return None if stored == expected else stored


def link(
    code: Bytecode,
    addresses: npt.NDArray[np.int64],
    target: npt.NDArray[np.int32],
    records: list[Any],
    operand: npt.NDArray[np.int64],
    *,
    first_is_operand: bool,
    script_type: int,
    name_index: Any,
) -> None:
    """Fill the distances of all chains into ``operand``, and counts and firsts into records."""
    rows = np.flatnonzero(target >= 0)
    order = rows[np.argsort(target[rows], kind="stable")]
    owners = target[order]
    for record in records:
        record.occurrences = 0
        record.first_address = -1
    if not len(order):
        return
    where = addresses[order]
    distance = np.zeros(len(order), np.int64)
    distance[:-1] = where[1:] - where[:-1]
    is_last = np.ones(len(order), np.bool_)
    is_last[:-1] = owners[1:] != owners[:-1]
    starts = np.flatnonzero(np.concatenate(([True], is_last[:-1])))
    lasts = np.flatnonzero(is_last)
    opcodes = code.columns.opcode[order]
    shift = 4 if first_is_operand else 0
    for start, last in zip(starts.tolist(), lasts.tolist(), strict=True):
        record = records[int(owners[start])]
        record.occurrences = last - start + 1
        record.first_address = int(where[start]) + shift
        end = record.chain_end
        if end is None:
            end = name_index(record.name)
            if opcodes[last] == Opcode.BREAK:
                end |= script_type << 24
        distance[last] = end
    operand[order] = (operand[order] & TYPE_BITS) | (distance & DISTANCE)
