"""Sound files that are damaged, cut off or empty."""

from __future__ import annotations

import random
import struct

import pytest

from overhaul.errors import FormatError
from overhaul.media.audio import inspect
from overhaul.media.audio_check import check, ogg_checksum
from sound_files import mp3, ogg, ogg_page, wave
from steps import at_most

#: a small damaged file takes at most this many calls
STEPS = 20_000


@pytest.mark.parametrize(
    "data",
    [wave(), wave(bits=8), wave(channels=2), wave() + b"after", ogg(), ogg(codec="opus"), mp3(),
     mp3() + b"TAG" + bytes(125), b"ID3\3\0\0\0\0\0\4abcd" + mp3(), mp3() + bytes(50)],
)  # fmt: skip
def test_whole_files(data: bytes) -> None:
    assert check(data) == inspect(data)


def test_the_checksum_is_that_of_the_format() -> None:
    """The checksum of a page, taken bit by bit as the specification says."""
    page = ogg_page(3, 0, 77, b"some packet")
    value = 0
    for byte in page[:22] + bytes(4) + page[26:]:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ 0x04C11DB7) & 0xFFFFFFFF if value >> 31 else value << 1
    assert ogg_checksum(page) == value == int.from_bytes(page[22:26], "little")


def wave_with(offset: int, form: str, value: int) -> bytes:
    data = bytearray(wave())
    struct.pack_into(form, data, offset, value)
    return bytes(data)


@pytest.mark.parametrize(
    "data, message, offset",
    [
        (b"", "empty", 0),
        (b"<html>", "not a sound that is known: it begins with b'<html>'", 0),
        (b"RIFX" + wave()[4:], "expected a RIFF file, got b'RIFX'", 0),
        (wave_with(16, "<I", 8), "has 8 bytes, expected at least 16", 20),
        (wave_with(22, "<H", 0), "the channels of the WAV file is 0", 20),
        (wave_with(24, "<I", 0), "the sample rate of the WAV file is 0", 20),
        (wave_with(28, "<I", 0), "the bytes per second of the WAV file are 0", 20),
        (wave_with(32, "<H", 0), "the block size of the WAV file is 0", 20),
        (wave_with(34, "<H", 24), "1 channels of 24 bits, but 2 bytes for each sample", 20),
        (wave_with(40, "<I", 0), "the WAV file has no samples", 36),
        (wave()[:-1], "its samples have 1600 bytes, and 1599 are there", 36),
        (wave()[:36], "the WAV file has no samples ('data')", 36),
        (wave()[:12] + wave()[36:], "come before its format", 12),
        (ogg()[:20], "does not begin with a header of Vorbis or Opus", 0),
        (ogg()[:-1], "cut off in page 2", 688),
        (ogg()[:688], "cut off: its last page does not end it", 688),
        (ogg()[:100] + b"\1" + ogg()[101:], "the checksum of page 1 of the Ogg file is wrong", 58),
        (ogg()[:688] + b"oggs" + ogg()[692:], "expected page 2 of the Ogg file, got b'oggs", 688),
        (ogg(0), "the Ogg file has no samples", 0),
        (mp3(1), "no more than one frame", 0),
        (mp3()[:-1], "the MP3 file is cut off in frame 3", 1667),
        (mp3() + b"garbage", "expected frame 4 of the MP3 file, got b'garb'", 1668),
        (b"ID3\3\0\0\0\0\0\4abcd", "the MP3 file has no frames", 0),
    ],
)  # fmt: skip
def test_what_is_wrong_and_where(data: bytes, message: str, offset: int) -> None:
    with pytest.raises(FormatError) as caught:
        check(data)
    assert message in caught.value.message and caught.value.offset == offset


@pytest.mark.parametrize("make", [wave, ogg, mp3])
def test_damaged_files_are_refused_or_whole(make: object) -> None:
    """300 of each kind: bytes changed, cut out, put in; nothing else than FormatError."""
    assert callable(make)
    whole = make()
    chance = random.Random(f"damage of {whole[:4]!r}")
    refused = 0
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(min(len(data), chance.choice([60, len(data)])))
            kind = chance.randrange(4)
            if kind == 0:
                data[at] ^= 1 << chance.randrange(8)
            elif kind == 1:
                del data[at : at + chance.randint(1, 40)]
            elif kind == 2:
                data[at:at] = chance.randbytes(chance.randint(1, 40))
            else:
                del data[max(1, at) :]
        try:
            with at_most(STEPS):
                info = check(bytes(data))
        except FormatError as error:
            refused += 1
            assert error.offset is not None and error.offset <= len(data)
            assert len(str(error)) < 200
        else:
            assert info.duration is not None and info.duration >= 0
    assert refused > 150
    if make is ogg:  # every byte of it is under a checksum
        assert refused >= 295
