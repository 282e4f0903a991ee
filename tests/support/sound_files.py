"""Small sound files that are whole: ``from sound_files import mp3, ogg, wave``."""

from __future__ import annotations

import struct

from overhaul.media.audio_check import ogg_checksum


def wave(samples: int = 800, *, rate: int = 8000, channels: int = 1, bits: int = 16) -> bytes:
    """A WAV file of PCM, ``samples`` long for each channel."""
    block = channels * bits // 8
    head = struct.pack("<IHHIIHH", 16, 1, channels, rate, rate * block, block, bits)
    data = bytes(n * 7 & 255 for n in range(samples * block))
    body = b"WAVEfmt " + head + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def ogg_page(number: int, kind: int, samples: int, packet: bytes, serial: int = 7) -> bytes:
    """A page of an Ogg file; ``kind`` is 2 for the first page and 4 for the last."""
    table = bytes([255] * (len(packet) // 255) + [len(packet) % 255])
    head = struct.pack("<4sBBqIIIB", b"OggS", 0, kind, samples, serial, number, 0, len(table))
    page = head + table + packet
    return page[:22] + struct.pack("<I", ogg_checksum(page)) + page[26:]


def ogg(samples: int = 800, *, rate: int = 8000, channels: int = 1, codec: str = "vorbis") -> bytes:
    """An Ogg file with the header of its codec, whose packets hold nothing to play."""
    if codec == "vorbis":
        first = b"\x01vorbis" + struct.pack("<IBIiiiBB", 0, channels, rate, 0, 0, 0, 0xB8, 1)
    else:
        first = b"OpusHead" + struct.pack("<BBHIhB", 1, channels, 0, rate, 0, 0)
    return (
        ogg_page(0, 2, 0, first)
        + ogg_page(1, 0, samples // 2, bytes(n & 255 for n in range(600)))
        + ogg_page(2, 4, samples, b"the last one")
    )


def mp3(frames: int = 4) -> bytes:
    """An MP3 file of 128 kbit/s and 44.1 kHz; a frame has 1152 samples of silence."""
    return (b"\xff\xfb\x90\x00" + bytes(413)) * frames
