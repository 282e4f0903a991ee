"""Whether a sound file is whole, before it goes into a game; and the shape of a sound: how loud it
is over time.

:func:`~overhaul.media.audio.inspect` reports what it can of any bytes; :func:`check` raises for
those that a player would refuse, or stop in.
"""

from __future__ import annotations

import io
import struct
import wave
import zlib
from typing import Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import FormatError
from overhaul.media.audio import AudioFormat, AudioInfo, inspect, mp3_frames, mp3_start

_OGG_HEAD: Final = 27
#: Each byte with its bits in reverse: the checksum of Ogg is that of zlib on reversed bits.
_REVERSED: Final = bytes(int(f"{n:08b}"[::-1], 2) for n in range(256))
#: the bit of a page that ends its stream
_OGG_LAST: Final = 4
_MP3_FRAMES: Final = 2
#: The bytes that may follow the frames of an MP3 file: tags, and padding.
_MP3_TAGS: Final = (b"TAG", b"APETAGEX", b"ID3", b"LYRICSBEGIN")


def check(data: bytes | memoryview) -> AudioInfo:
    """The type of a WAV, Ogg or MP3 file, if it is whole.

    Raises FormatError, with the offset, for one that is damaged, cut off or empty.  Other kinds
    are distinguished, but not decoded.
    """
    info = inspect(data)
    if info.format is AudioFormat.WAV:
        _check_wav(data)
    elif info.format is AudioFormat.OGG:
        _check_ogg(data, info)
    elif info.format is AudioFormat.MP3:
        _check_mp3(data)
    elif info.format is AudioFormat.UNKNOWN:
        begin = bytes(data[:8])
        _broken(f"not a sound that is known: it begins with {begin!r}" if begin else "empty", 0)
    return info


def _broken(message: str, offset: int) -> NoReturn:
    raise FormatError(message, offset=offset)


def _check_wav(data: bytes | memoryview) -> None:
    if bytes(data[:4]) != b"RIFF":
        _broken(f"expected a RIFF file, got {bytes(data[:4])!r}", 0)
    seen = False
    position = 12
    while position + 8 <= len(data):
        kind, size = struct.unpack_from("<4sI", data, position)
        start = position + 8
        if kind == b"fmt ":
            _check_wav_format(data, start, size)
            seen = True
        elif kind == b"data":
            if not seen:
                _broken("the samples of the WAV file come before its format ('fmt ')", position)
            if start + size > len(data):
                _broken(
                    f"the WAV file is cut off: its samples have {size} bytes, and "
                    f"{len(data) - start} are there",
                    position,
                )
            if not size:
                _broken("the WAV file has no samples", position)
            return
        position = start + size + (size & 1)
    _broken("the WAV file has no samples ('data')", min(position, len(data)))


def _check_wav_format(data: bytes | memoryview, start: int, size: int) -> None:
    if size < 16 or start + 16 > len(data):
        _broken(f"the format of the WAV file has {size} bytes, expected at least 16", start)
    _, channels, rate, per_second, block, bits = struct.unpack_from("<HHIIHH", data, start)
    for name, value in (("channels", channels), ("sample rate", rate), ("block size", block)):
        if not value:
            _broken(f"the {name} of the WAV file is 0", start)
    if not per_second:
        _broken("the bytes per second of the WAV file are 0", start)
    (tag,) = struct.unpack_from("<H", data, start)
    if tag == 1 and block != channels * -(-bits // 8):
        _broken(
            f"the WAV file has {channels} channels of {bits} bits, but {block} bytes for each "
            "sample",
            start,
        )


def _check_ogg(data: bytes | memoryview, info: AudioInfo) -> None:
    if info.codec is None or not info.sample_rate or not info.channels:
        _broken("the Ogg file does not begin with a header of Vorbis or Opus", 0)
    position = 0
    serial = bytes(data[14:18])
    number = 0
    ended = False
    while position < len(data):
        head = bytes(data[position : position + _OGG_HEAD])
        if len(head) < _OGG_HEAD or head[:5] != b"OggS\0":
            _broken(f"expected page {number} of the Ogg file, got {head[:5]!r}", position)
        table = bytes(data[position + _OGG_HEAD : position + _OGG_HEAD + head[26]])
        end = position + _OGG_HEAD + head[26] + sum(table)
        if len(table) < head[26] or end > len(data):
            _broken(f"the Ogg file is cut off in page {number}", position)
        if ogg_checksum(data[position:end]) != int.from_bytes(head[22:26], "little"):
            _broken(f"the checksum of page {number} of the Ogg file is wrong", position)
        if head[14:18] == serial:
            ended = bool(head[5] & _OGG_LAST)
        position = end
        number += 1
    if not ended:
        _broken("the Ogg file is cut off: its last page does not end it", len(data))
    if not info.duration:
        _broken("the Ogg file has no samples", 0)


def ogg_checksum(page: bytes | memoryview) -> int:
    """The checksum of a page of an Ogg file, taken with its own field as zeros."""
    blank = b"".join((bytes(page[:22]), bytes(4), bytes(page[26:])))
    turned = zlib.crc32(blank.translate(_REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int.from_bytes(turned.to_bytes(4, "big").translate(_REVERSED), "little")


def _check_mp3(data: bytes | memoryview) -> None:
    start = mp3_start(data)
    if start is None:
        _broken("the MP3 file has no frames", 0)
    count, end = mp3_frames(data, start)
    if end > len(data):
        _broken(f"the MP3 file is cut off in frame {count - 1}", len(data))
    rest = bytes(data[end : end + 16])
    if rest.strip(b"\0") and not rest.startswith(_MP3_TAGS):
        _broken(f"expected frame {count} of the MP3 file, got {rest[:4]!r}", end)
    if count < _MP3_FRAMES:
        _broken("the MP3 file has no more than one frame", start)


#: bytes of a sample -> its type and what silence is
_SAMPLES = {1: ("<u1", 128.0), 2: ("<i2", 0.0), 4: ("<i4", 0.0)}


def peaks(data: bytes, columns: int) -> list[tuple[float, float]]:
    """The least and greatest value, -1 to 1, in each of up to ``columns`` parts of a WAV file.

    All channels together. Raises FormatError for a file other than WAV with plain samples of 8,
    16, 24 or 32 bits.
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
    if width == 3:  # as 32 bits; the lowest eight are 0
        whole = np.frombuffer(raw[: len(raw) // 3 * 3], np.uint8).reshape(-1, 3)
        wide = np.zeros((len(whole), 4), np.uint8)
        wide[:, 1:] = whole
        raw, width = wide.tobytes(), 4
    if width not in _SAMPLES:
        raise FormatError(f"expected samples of 1 to 4 bytes, got {width}")
    kind, silence = _SAMPLES[width]
    samples = np.frombuffer(raw[: len(raw) // width * width], kind).astype(np.float64)
    return (samples - silence) / float(1 << (8 * width - 1))
