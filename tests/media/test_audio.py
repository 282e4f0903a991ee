"""Sounds are known by their content."""

from __future__ import annotations

import struct
import wave
from io import BytesIO

import pytest

from overhaul.media import audio
from overhaul.media.audio import AudioFormat


def wav(channels: int, rate: int, seconds: float) -> bytes:
    out = BytesIO()
    with wave.open(out, "wb") as writer:
        writer.setnchannels(channels)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(bytes(2 * channels * int(rate * seconds)))
    return out.getvalue()


def ogg_page(position: int, packet: bytes, serial: int = 7) -> bytes:
    head = struct.pack("<4sBBqIII", b"OggS", 0, 0, position, serial, 0, 0)
    return head + bytes((1, len(packet))) + packet


# MPEG 1 layer III, 128 kbit/s, 44100 Hz, stereo, no padding: 144 * 128000 // 44100 = 417 bytes.
MP3_FRAME = b"\xff\xfb\x90\x00" + bytes(413)


def test_wav() -> None:
    info = audio.inspect(wav(2, 22050, 0.5))
    assert (info.format, info.extension, info.codec) == (AudioFormat.WAV, ".wav", "pcm")
    assert (info.channels, info.sample_rate, info.bits, info.duration) == (2, 22050, 16, 0.5)


def test_a_plain_wav_has_no_texts() -> None:
    data = wav(1, 8000, 0.01)
    texts = b"LIST" + (5).to_bytes(4, "little") + b"INFO.\0"
    marked = data[:36] + texts + data[36:] + texts
    assert audio.plain_wav(marked) == audio.plain_wav(data) == data[:4] + bytes(4) + data[8:]
    assert audio.plain_wav(data[:-2]) != audio.plain_wav(data)
    assert audio.plain_wav(b"OggS") == b"OggS"


def test_a_cut_wav_lasts_as_long_as_its_bytes() -> None:
    data = wav(1, 8000, 1.0)
    assert audio.inspect(data[: 44 + 8000]).duration == 0.5
    assert audio.inspect(data[:30]).format is AudioFormat.WAV
    assert audio.inspect(data[:30]).channels is None


def test_adpcm_counts_its_samples() -> None:
    body = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 0x11, 1, 8000, 4055, 256, 4)
    body += b"fact" + struct.pack("<II", 4, 16000) + b"data" + struct.pack("<I", 4) + bytes(4)
    info = audio.inspect(b"RIFF" + struct.pack("<I", len(body)) + body)
    assert (info.codec, info.bits, info.duration) == ("ima-adpcm", 4, 2.0)


def test_vorbis_and_opus() -> None:
    vorbis = b"\x01vorbis" + struct.pack("<IBI", 0, 2, 44100) + bytes(14)
    info = audio.inspect(ogg_page(0, vorbis) + ogg_page(88200, b"x"))
    assert (info.format, info.codec, info.channels) == (AudioFormat.OGG, "vorbis", 2)
    assert (info.sample_rate, info.duration) == (44100, 2.0)
    opus = b"OpusHead" + struct.pack("<BBHIHB", 1, 1, 312, 24000, 0, 0)
    info = audio.inspect(ogg_page(0, opus) + ogg_page(48000 + 312, b"x"))
    assert (info.codec, info.channels, info.sample_rate, info.duration) == ("opus", 1, 24000, 1.0)
    assert audio.inspect(ogg_page(0, vorbis) + ogg_page(9, b"x", serial=8)).duration is None
    # no packet ends on the last page
    pages = ogg_page(0, vorbis) + ogg_page(88200, b"x") + ogg_page(-1, b"y")
    assert audio.inspect(pages).duration == 2
    assert audio.inspect(ogg_page(-1, vorbis)).duration is None


def test_mp3() -> None:
    info = audio.inspect(MP3_FRAME * 10)
    assert (info.format, info.channels, info.sample_rate) == (AudioFormat.MP3, 2, 44100)
    assert info.duration == pytest.approx(10 * 1152 / 44100, rel=0.01)
    tagged = b"ID3\x04\x00\x00" + bytes((0, 0, 0, 20)) + bytes(20) + MP3_FRAME * 2
    assert audio.inspect(tagged).sample_rate == 44100
    counted = MP3_FRAME[:36] + b"Xing" + struct.pack(">II", 1, 100) + MP3_FRAME[48:]
    assert audio.inspect(counted + MP3_FRAME).duration == 100 * 1152 / 44100
    # Two bytes like a frame's, and nothing behind them: no MP3.
    assert audio.sniff(b"\xff\xfb\x90\x00" + bytes(2000)) is AudioFormat.UNKNOWN


def test_flac() -> None:
    rate, channels, bits, samples = 48000, 2, 24, 96000
    word = rate << 44 | channels - 1 << 41 | bits - 1 << 36 | samples
    data = b"fLaC\x80\0\0\x22" + bytes(10) + word.to_bytes(8, "big") + bytes(16)
    info = audio.inspect(data)
    assert (info.codec, info.sample_rate, info.channels, info.bits) == ("flac", 48000, 2, 24)
    assert info.duration == 2.0


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", AudioFormat.UNKNOWN),
        (bytes(128), AudioFormat.UNKNOWN),
        (b"MThd" + bytes(10), AudioFormat.MIDI),
        (b"FORM\0\0\0\0AIFF", AudioFormat.AIFF),
        (b"FORM\0\0\0\0GEN8", AudioFormat.UNKNOWN),
        (b"RIFF\0\0\0\0AVI ", AudioFormat.UNKNOWN),
        (b"OggS", AudioFormat.OGG),
        (b"fLaC", AudioFormat.FLAC),
        (b"ID3", AudioFormat.MP3),
        (b"RIFF\0\0\0\0WAVE", AudioFormat.WAV),
    ],
)
def test_beginnings(data: bytes, kind: AudioFormat) -> None:
    assert audio.sniff(data) is kind
    assert audio.inspect(data).format is kind
    assert audio.inspect(memoryview(data)).duration is None


def test_headers_cut_anywhere() -> None:
    opus = b"OpusHead" + struct.pack("<BBHIHB", 1, 1, 312, 24000, 0, 0)
    for data in (wav(1, 8000, 0.01), ogg_page(0, opus) + ogg_page(5, b"x"), MP3_FRAME * 2):
        for end in range(min(len(data), 500)):
            assert audio.inspect(data[:end]).format.value
