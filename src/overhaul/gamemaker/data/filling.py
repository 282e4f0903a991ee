"""Filling in many pointers at once, by NumPy."""

from __future__ import annotations

import numpy as np


def fill_many(data: bytearray, positions: list[int], addresses: list[int]) -> None:
    """Replace the 32-bit number at each position, an index of ``addresses``, by the address."""
    table = np.array(addresses, np.uint32)
    where = np.array(positions, np.int64)
    out = np.frombuffer(data, np.uint8)
    numbers = np.zeros(len(where), np.uint32)
    for byte in range(4):
        numbers |= out[where + byte].astype(np.uint32) << np.uint32(8 * byte)
    values = table[numbers]
    for byte in range(4):
        out[where + byte] = (values >> np.uint32(8 * byte)).astype(np.uint8)
