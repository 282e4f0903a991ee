"""The shape of a sound: how loud it is over time."""

from __future__ import annotations

import io
import wave

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import FormatError

#: bytes of a sample -> its type and what silence is
_SAMPLES = {1: ("<u1", 128.0), 2: ("<i2", 0.0), 4: ("<i4", 0.0)}


def peaks(data: bytes, columns: int) -> list[tuple[float, float]]:
    """The least and greatest value, -1 to 1, in each of up to ``columns`` parts of a WAV file.

    All channels together.  Raises FormatError for what is no WAV file of plain samples of 8, 16,
    24 or 32 bits.
    """
    try:
        with wave.open(io.BytesIO(data)) as file:
            width, channels = file.getsampwidth(), file.getnchannels()
            raw = file.readframes(file.getnframes())
    except (wave.Error, EOFError, ValueError) as error:
        raise FormatError(f"not a WAV file of plain samples: {error}") from error
    samples = _numbers(raw, width)
    if not len(samples) or channels < 1:
        return []
    frames = samples[: len(samples) // channels * channels].reshape(-1, channels)
    parts = np.array_split(frames, min(columns, len(frames)))
    return [(float(part.min()), float(part.max())) for part in parts if part.size]


def _numbers(raw: bytes, width: int) -> NDArray[np.float64]:
    """Samples from -1 to 1."""
    if width == 3:  # as 32 bits of which the lowest eight are 0
        whole = np.frombuffer(raw[: len(raw) // 3 * 3], np.uint8).reshape(-1, 3)
        wide = np.zeros((len(whole), 4), np.uint8)
        wide[:, 1:] = whole
        raw, width = wide.tobytes(), 4
    if width not in _SAMPLES:
        raise FormatError(f"expected samples of 1 to 4 bytes, got {width}")
    kind, silence = _SAMPLES[width]
    found = np.frombuffer(raw[: len(raw) // width * width], kind).astype(np.float64)
    return (found - silence) / float(1 << (8 * width - 1))
