"""Audio groups: files of their own, and files that other tools laid out."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import overhaul
from overhaul.errors import FormatError
from overhaul.gamemaker.data import AudioGroup, GameData
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.sond import Audio, AudioGroupEntry, AudioList, Sound
from present import opened, present


def group(*sounds: bytes | None) -> bytes:
    entries = [None if sound is None else Audio(sound) for sound in sounds]
    return AudioGroup(AudioList(entries)).to_bytes()


def test_it_is_found_by_its_content(tmp_path: Path) -> None:
    data = group(b"OggS" + bytes(9), None, b"RIFF\0\0\0\0WAVE")
    (tmp_path / "some.dat").write_bytes(data)
    with overhaul.open(tmp_path / "some.dat") as document:
        assert document.kind == "gamemaker-audiogroup"
        assert document.info()["formats"] == {"ogg": 1, "wav": 1}
        assert document.to_bytes() == data
    report = overhaul.verify(tmp_path / "some.dat")
    assert report.identical and present(report.coverage).opaque == 0


def test_sounds_are_replaced_added_and_removed(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_bytes(group(b"OggS1", b"OggS2", b"OggS3"))
    overhaul.unpack(tmp_path / "a.dat", tmp_path / "folder")
    sounds = tmp_path / "folder" / "audio"
    assert sorted(path.name for path in sounds.iterdir()) == ["0.ogg", "1.ogg", "2.ogg"]
    (sounds / "0.ogg").write_bytes(b"OggS, longer than before")
    (sounds / "1.ogg").unlink()
    (sounds / "3.wav").write_bytes(b"RIFF\0\0\0\0WAVE")
    overhaul.pack(tmp_path / "folder", tmp_path / "b.dat")
    read_game = opened(tmp_path / "b.dat", AudioGroup).audio
    assert [None if item is None else bytes(item.data) for item in read_game] == [
        b"OggS, longer than before",
        None,
        b"OggS3",
        b"RIFF\0\0\0\0WAVE",
    ]


def test_another_layout_is_kept_until_something_changes(tmp_path: Path) -> None:
    data = bytearray(group(b"OggS1", b"OggS2"))
    data += bytes(8)  # space at the end that no rule asks for, counted in both lengths
    data[4:8] = (len(data) - 8).to_bytes(4, "little")
    data[12:16] = (len(data) - 16).to_bytes(4, "little")
    (tmp_path / "a.dat").write_bytes(data)
    assert overhaul.verify(tmp_path / "a.dat").identical
    first = int.from_bytes(data[20:24], "little")
    data[20:24], data[24:28] = data[24:28], data[20:24]  # the elements in another order
    document = opened(bytes(data), AudioGroup)
    assert document.to_bytes() == bytes(data) and document.warnings
    document.audio[0] = Audio(b"OggS, another")
    again = opened(document.to_bytes(), AudioGroup)
    assert [bytes(present(a).data) for a in again.audio] == [b"OggS, another", b"OggS1"]
    assert first < len(data)
    with pytest.raises(FormatError, match="layout"):
        overhaul.open(bytes(data), strict=True)


def test_broken_ones_are_refused() -> None:
    data = group(b"OggS1", b"OggS2")
    for end in range(16, len(data)):
        with pytest.raises(FormatError):
            overhaul.open(data[:end])


def test_a_group_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    game = blank_game({"version": "2023.4"})
    for name in ("audiogroup_default", "audiogroup_more"):
        game.records.audio_groups.append(AudioGroupEntry(game.strings.add(name)))
    game.records.sounds.append(Sound(game.strings.add("snd_more"), group=1, audio=0))
    content = group(b"OggS" + bytes(range(200)))
    archive = tmp_path / "game.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("data.win", game.to_bytes())
        file.writestr("audiogroup1.dat", content)
    whole = overhaul.open(f"{archive}!data.win")
    assert isinstance(whole, GameData)
    assert whole.sound_bytes("snd_more") == b"OggS" + bytes(range(200))
    assert not whole.warnings
    broken = bytearray(archive.read_bytes())
    broken[broken.index(content) + 50] ^= 1
    archive.write_bytes(broken)
    damaged = overhaul.open(f"{archive}!data.win")
    assert isinstance(damaged, GameData)
    assert damaged.sound_bytes("snd_more") is None
    assert len(damaged.warnings) == 1 and "audiogroup1.dat" in damaged.warnings[0]
