"""The type of a sound's bytes: the kind, the extension it deserves, and the contents of its
headers.

Nothing is decoded or converted.  A name proves nothing: games call Ogg files ``.wav`` and the
other way round, so the content decides.  Broken headers raise nothing; what they do not say is
None.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import Enum
from typing import Final

# How many chunks of a WAV file are looked at.
_WAV_CHUNKS: Final = 1000
# How far an ID3 tag or leading zero bytes are skipped, and how far back the last Ogg page is
# looked for (a page has at most 65307 bytes).
_MP3_SEARCH: Final = 4096
_OGG_TAIL: Final = 65307


class AudioFormat(Enum):
    """The kinds of sounds; the value is the file extension, "bin" for unknown ones."""

    WAV = "wav"
    OGG = "ogg"
    MP3 = "mp3"
    MIDI = "mid"
    FLAC = "flac"
    AIFF = "aiff"
    UNKNOWN = "bin"


@dataclass(frozen=True, slots=True)
class AudioInfo:
    """The facts about a sound that need no decoding; None where its headers don't say.

    ``codec`` names what is inside (``pcm``, ``vorbis``, …), ``duration`` is in seconds.
    """

    format: AudioFormat
    codec: str | None = None
    channels: int | None = None
    sample_rate: int | None = None
    bits: int | None = None
    duration: float | None = None

    @property
    def extension(self) -> str:
        """The file extension the content has, with its dot."""
        return f".{self.format.value}"


def sniff(data: bytes | memoryview) -> AudioFormat:
    """The kind of a sound, by its first bytes."""
    head = bytes(data[:12])
    if head[:4] in (b"RIFF", b"RIFX", b"RF64") and head[8:12] == b"WAVE":
        return AudioFormat.WAV
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return AudioFormat.AIFF
    by_magic = {b"OggS": AudioFormat.OGG, b"MThd": AudioFormat.MIDI, b"fLaC": AudioFormat.FLAC}
    if head[:4] in by_magic:
        return by_magic[head[:4]]
    if head[:3] == b"ID3" or _mp3_frame(data, 0) is not None:
        return AudioFormat.MP3
    return AudioFormat.UNKNOWN


def inspect(data: bytes | memoryview) -> AudioInfo:
    """The kind of a sound and what its headers say; never raises for broken ones."""
    kind = sniff(data)
    if kind is AudioFormat.WAV:
        return _inspect_wav(data)
    if kind is AudioFormat.OGG:
        return _inspect_ogg(data)
    if kind is AudioFormat.MP3:
        return _inspect_mp3(data)
    if kind is AudioFormat.FLAC:
        return _inspect_flac(data)
    return AudioInfo(kind)


_WAV_CODECS: Final = {
    0x0001: "pcm",
    0x0002: "ms-adpcm",
    0x0003: "float",
    0x0006: "a-law",
    0x0007: "mu-law",
    0x0011: "ima-adpcm",
    0x0055: "mp3",
}
_WAV_EXTENSIBLE: Final = 0xFFFE


def plain_wav(data: bytes) -> bytes:
    """A WAV file with its format and its samples alone: no texts, no marks.

    Files other than WAV are returned unchanged.
    """
    if sniff(data) is not AudioFormat.WAV:
        return data
    order = ">" if data[:4] == b"RIFX" else "<"
    kept: list[bytes] = []
    position = 12
    for _ in range(_WAV_CHUNKS):
        if position + 8 > len(data):
            break
        (size,) = struct.unpack_from(order + "I", data, position + 4)
        end = position + 8 + size
        if data[position : position + 4] in (b"fmt ", b"data"):
            kept.append(data[position:end])
        position = end + (size & 1)
    return data[:4] + bytes(4) + data[8:12] + b"".join(kept)


def _inspect_wav(data: bytes | memoryview) -> AudioInfo:
    order = ">" if bytes(data[:4]) == b"RIFX" else "<"
    codec: str | None = None
    channels = rate = bytes_per_second = bits = samples = None
    duration = None
    position = 12
    for _ in range(_WAV_CHUNKS):
        if position + 8 > len(data):
            break
        kind = bytes(data[position : position + 4])
        (size,) = struct.unpack_from(order + "I", data, position + 4)
        start = position + 8
        if kind == b"fmt " and size >= 16 and start + 16 <= len(data):
            tag, channels, rate, bytes_per_second, _, bits = struct.unpack_from(
                order + "HHIIHH", data, start
            )
            if tag == _WAV_EXTENSIBLE and size >= 26 and start + 26 <= len(data):
                (tag,) = struct.unpack_from(order + "H", data, start + 24)
            codec = _WAV_CODECS.get(tag, f"wav-{tag:#06x}")
        elif kind == b"fact" and size >= 4 and start + 4 <= len(data):
            (samples,) = struct.unpack_from(order + "I", data, start)
        elif kind == b"data":
            stored = min(size, len(data) - start)
            if codec not in (None, "pcm", "float") and samples and rate:
                duration = samples / rate
            elif bytes_per_second:
                duration = stored / bytes_per_second
            break
        position = start + size + (size & 1)
    return AudioInfo(AudioFormat.WAV, codec, channels, rate, bits or None, duration)


def _inspect_ogg(data: bytes | memoryview) -> AudioInfo:
    head = bytes(data[: 27 + 255 + 64])
    if len(head) < 27 + 1:
        return AudioInfo(AudioFormat.OGG)
    packet = head[27 + head[26] :]
    codec = channels = rate = None
    clock, skipped = 0, 0
    if packet[:7] == b"\x01vorbis" and len(packet) >= 16:
        codec, channels = "vorbis", packet[11]
        rate = clock = int.from_bytes(packet[12:16], "little")
    elif packet[:8] == b"OpusHead" and len(packet) >= 16:
        codec, channels = "opus", packet[9]
        skipped = int.from_bytes(packet[10:12], "little")
        rate = int.from_bytes(packet[12:16], "little")
        clock = 48000  # Opus counts time at this rate, whatever the input had
    duration = None
    tail = bytes(data[max(0, len(data) - _OGG_TAIL) :])
    last = tail.rfind(b"OggS")
    while clock and last >= 0 and tail[last + 14 : last + 18] == head[14:18]:
        position = int.from_bytes(tail[last + 6 : last + 14], "little", signed=True)
        if position >= 0:
            duration = max(0, position - skipped) / clock
            break
        last = tail.rfind(b"OggS", 0, last)  # no packet ends on that page
    return AudioInfo(AudioFormat.OGG, codec, channels, rate, None, duration)


def _inspect_flac(data: bytes | memoryview) -> AudioInfo:
    info = bytes(data[8 : 8 + 34])
    if len(info) < 34 or bytes(data[4:5])[0] & 0x7F != 0:
        return AudioInfo(AudioFormat.FLAC)
    word = int.from_bytes(info[10:18], "big")
    rate, channels = word >> 44, (word >> 41 & 7) + 1
    bits, samples = (word >> 36 & 31) + 1, word & ((1 << 36) - 1)
    duration = samples / rate if rate and samples else None
    return AudioInfo(AudioFormat.FLAC, "flac", channels, rate or None, bits, duration)


# Kilobits per second by the index in the frame header, for layer III: MPEG 1, and MPEG 2 and 2.5.
_MP3_BIT_RATES: Final = (
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
)
_MP3_SAMPLE_RATES: Final = (44100, 48000, 32000)


@dataclass(frozen=True, slots=True)
class _Mp3Frame:
    version: int  # 1, 2, or 3 for 2.5
    bit_rate: int
    sample_rate: int
    channels: int
    length: int

    @property
    def samples(self) -> int:
        return 1152 if self.version == 1 else 576


def _mp3_header(data: bytes | memoryview, position: int) -> _Mp3Frame | None:
    """The frame header of layer III at a place, if there is a sound one."""
    head = bytes(data[position : position + 4])
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2:
        return None
    version = {3: 1, 2: 2, 0: 3}.get(head[1] >> 3 & 3)
    rate_index, sample_index = head[2] >> 4, head[2] >> 2 & 3
    if version is None or rate_index in (0, 15) or sample_index == 3:
        return None
    bit_rate = 1000 * _MP3_BIT_RATES[version != 1][rate_index]
    sample_rate = _MP3_SAMPLE_RATES[sample_index] >> (version - 1)
    length = (144 if version == 1 else 72) * bit_rate // sample_rate + (head[2] >> 1 & 1)
    return _Mp3Frame(version, bit_rate, sample_rate, 1 if head[3] >> 6 == 3 else 2, length)


def _mp3_frame(data: bytes | memoryview, position: int) -> _Mp3Frame | None:
    """A frame that another frame, or the end of the data, follows."""
    frame = _mp3_header(data, position)
    if frame is None:
        return None
    following = position + frame.length
    if following == len(data) or _mp3_header(data, following) is not None:
        return frame
    return None


def mp3_start(data: bytes | memoryview) -> int | None:
    """Where the first frame of an MP3 file is, behind tags; None where there is none."""
    start = 0
    head = bytes(data[:10])
    if head[:3] == b"ID3" and len(head) == 10:
        start = 10
        start += head[6] << 21 | head[7] << 14 | head[8] << 7 | head[9]
    for position in range(start, min(start + _MP3_SEARCH, len(data))):
        if _mp3_frame(data, position) is not None:
            return position
    return None


def mp3_frames(data: bytes | memoryview, position: int) -> tuple[int, int]:
    """How many frames follow each other from a place on, and where the last of them ends; that is
    beyond the data where it is cut off."""
    count = 0
    while position < len(data) and (frame := _mp3_header(data, position)) is not None:
        position += frame.length
        count += 1
    return count, position


def _inspect_mp3(data: bytes | memoryview) -> AudioInfo:
    start = mp3_start(data)
    frame = None if start is None else _mp3_header(data, start)
    if start is None or frame is None:
        return AudioInfo(AudioFormat.MP3)
    duration = _mp3_duration(data, start, frame)
    return AudioInfo(AudioFormat.MP3, "mp3", frame.channels, frame.sample_rate, None, duration)


def _mp3_duration(data: bytes | memoryview, position: int, frame: _Mp3Frame) -> float:
    """By the frame count of the first frame's Xing or Info tag, else as for a constant rate."""
    if frame.version == 1:
        tag_at = position + (21 if frame.channels == 1 else 36)
    else:
        tag_at = position + (13 if frame.channels == 1 else 21)
    tag = bytes(data[tag_at : tag_at + 12])
    if tag[:4] in (b"Xing", b"Info") and len(tag) == 12 and tag[7] & 1:
        return int.from_bytes(tag[8:12], "big") * frame.samples / frame.sample_rate
    return (len(data) - position) * 8 / frame.bit_rate
