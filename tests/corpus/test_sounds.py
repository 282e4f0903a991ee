"""Every verb of sounds and audio groups in the corpus's games: saved with the files next to them,
opened again, and equal but for the edit."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul.gamemaker.data.audiogroup import AudioGroup
from overhaul.gamemaker.data.chunks.sond import Audio, AudioList
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.sound_rules import has_new_audio, is_stored, stream_name
from real_files import NO_CORPUS, corpus_files, finished, sample
from same_meaning import differences
from sound_files import mp3, ogg, wave

FILES = finished(corpus_files("datawin*/*.win"))
GROUPS = {
    n: corpus_files(f"datawin/side/CG573__Platformer-Project__*__audiogroup{n}.dat") for n in (2, 3)
}
#: what follows from a sound's bytes, and may be another after they came and went
_FOLLOWING = re.compile(r"sounds/.*\.(flags(\[\d+\])?|file|type|length): ")

pytestmark = [pytest.mark.corpus, pytest.mark.skipif(not FILES, reason=NO_CORPUS)]


def with_sounds() -> list[Path]:
    found = []
    for path in FILES:
        with overhaul.open(path) as game:
            assert isinstance(game, GameData)
            if len(game.records.sounds):
                found.append(path)
    return found


SOUNDING = with_sounds()
SILENT = [path for path in FILES if path not in SOUNDING]
#: as people have them, games of a few megabytes are enough of a sample
SMALL = [p for p in SOUNDING if p.stat().st_size < 1 << 20 or os.environ.get("OVERHAUL_FULL")]
CHOSEN = sample(SMALL, 6, seed=11) + sample(SILENT, 1, seed=11)


def siblings(game: GameData, folder: Path, *, real: bool) -> None:
    """Files for all sounds that are stored next to the game; the corpus has few of them."""
    counts: dict[int, int] = {}
    for sound in game.records.sounds.present():
        if is_stored(sound) and game.audio_files.files.list_of(sound.group) is None:
            counts[sound.group] = max(counts.get(sound.group, 0), sound.audio + 1)
        elif (name := stream_name(sound)) is not None:
            (folder / name).write_bytes(ogg(100 + len(name)))
    for group, count in counts.items():
        target = folder / game.audio_files.files.file_name(group)
        if real and GROUPS.get(group):
            shutil.copy(GROUPS[group][0], target)
        else:
            entries = AudioList([Audio(ogg(100 + 10 * group + n)) for n in range(count)])
            target.write_bytes(AudioGroup(entries).to_bytes())


class Edited:
    """A game of the corpus that is edited, saved and opened again, step by step."""

    def __init__(self, path: Path, place: Path) -> None:
        self.place = place
        self.number = 0
        folder = place / "0"
        folder.mkdir()
        shutil.copy(path, folder / "data.win")
        with overhaul.open(folder / "data.win") as opened:
            assert isinstance(opened, GameData)
            siblings(opened, folder, real="CG573" in path.name)
        self.original: Any = overhaul.open(folder / "data.win")
        self.game: Any = overhaul.open(folder / "data.win")
        self.expected = self.contents()
        self.reported = list(self.original.warnings)

    def contents(self) -> dict[str, bytes | None]:
        return {sound.name: sound.bytes for sound in self.game.sounds}

    def save(self) -> None:
        """Save the game into an empty folder, open it, and check that all bytes are as expected."""
        self.number += 1
        folder = self.place / str(self.number)
        folder.mkdir()
        self.game.save(folder / "data.win")
        names = {path.name for path in folder.iterdir()} - {"data.win"}
        assert names == set(self.game.companions())
        self.game = overhaul.open(folder / "data.win")
        assert self.game.to_bytes() == (folder / "data.win").read_bytes()
        for name, data in self.game.companions().items():
            assert (folder / name).read_bytes() == data
        assert self.contents() == self.expected
        assert (
            None not in self.game.audio_files.files.list_of(0) or None in self.original.audio.items
        )

    def left(self) -> list[str]:
        """Where the game differs from the original, but for what follows from sounds' bytes."""
        found = differences(self.original, self.game)
        return [each for each in found if not _FOLLOWING.match(each)]


def new_name(game: Any, stem: str) -> str:
    number = 1
    while f"{stem}_{number}" in game.sounds:
        number += 1
    return f"{stem}_{number}"


def check_adding(edited: Edited) -> None:
    game = edited.game
    new = has_new_audio(game)
    files = {"wav": wave(), ("ogg" if new else "mp3"): ogg(9000) if new else mp3()}
    added = []
    for kind, data in files.items():
        name = new_name(game, f"zz_{kind}")
        made = game.sounds.add(name, data, volume=0.5)
        assert made.duration and repr(made).startswith(f"<Sound {name} {kind.upper()}")
        edited.expected[name] = data
        added.append(name)
    if new:
        name = new_name(game, "zz_far")
        game.sounds.add(name, ogg(77), streamed=True)
        edited.expected[name] = ogg(77)
        added.append(name)
    edited.save()
    edited.game.sounds.remove(*added)
    for name in added:
        del edited.expected[name]
    edited.save()
    assert len(edited.game.audio.items) == len(edited.original.audio.items)


def check_replacing(edited: Edited) -> None:
    """Half of the sounds by another format, and back."""
    before = dict(edited.expected)
    new = has_new_audio(edited.game)
    names = [sound.name for sound in edited.game.sounds if not sound.streamed][:40:2]
    for number, name in enumerate(names):
        data = (
            ogg(500 + number)
            if new and (before[name] or b"")[:4] == b"RIFF"
            else wave(500 + number)
        )
        edited.game.sounds[name].bytes = data
        edited.expected[name] = data
    edited.save()
    if edited.game.release.at_least(2024, 6):
        for name in names:
            sound = edited.game.sounds[name]
            assert sound.record.length == pytest.approx(sound.duration, abs=0.01)
    for name in names:
        was = before[name]
        if was is not None and was[:4] in (b"RIFF", b"OggS"):
            edited.game.sounds.replace(name, was)
            edited.expected[name] = was
    edited.save()


def check_groups(edited: Edited) -> None:
    game = edited.game
    old = {sound.name: sound.record.group for sound in game.sounds}
    if not game.audio_files.files.has_groups() or not has_new_audio(game):
        with pytest.raises(ValueError, match="no audio groups"):
            game.audio_groups.add("zz_group")
        return
    group = game.audio_groups.add("zz_group")
    moved = game.sounds.names()[:20]
    for name in moved:
        game.sounds[name].group = group
    edited.save()
    assert edited.game.audio_groups["zz_group"].sounds == moved
    for name in moved[1::2]:  # back, one by one
        edited.game.sounds[name].group = old[name]
    edited.save()
    edited.game.audio_groups.remove("zz_group")
    for name in moved[::2]:
        edited.game.sounds[name].group = old[name]
    edited.save()
    assert {sound.name: sound.record.group for sound in edited.game.sounds} == old


def check_streaming(edited: Edited) -> None:
    game = edited.game
    if not has_new_audio(game):
        return
    streamed = [sound.name for sound in game.sounds if sound.streamed][:20]
    far = [s.name for s in game.sounds if not s.streamed and s.bytes[:4] == b"OggS"][:20]
    for name in streamed:
        game.sounds[name].embed()
    for name in far:
        game.sounds[name].stream()
    edited.save()
    assert all(edited.game.sounds[name].embedded for name in streamed)
    assert all(edited.game.sounds[name].streamed for name in far)
    for name in streamed:
        edited.game.sounds[name].stream(edited.original.sounds[name].file_name)
    for name in far:
        edited.game.sounds[name].embed()
    edited.save()


def check_dissolving(edited: Edited) -> None:
    groups = edited.game.audio_groups.names()
    for name in groups:
        if edited.game.audio_groups[name].index:
            edited.game.audio_groups.remove(name, into=0)
            edited.save()
            assert name not in edited.game.audio_groups.names()
    if edited.game.release.bytecode >= 14 and has_new_audio(edited.game):
        assert {sound.record.group for sound in edited.game.sounds} <= {0}


@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: path.stem)
def test_every_verb(path: Path, tmp_path: Path) -> None:
    edited = Edited(path, tmp_path)
    check_adding(edited)
    check_replacing(edited)
    check_groups(edited)
    check_streaming(edited)
    # All of it was undone; a game without audio groups now has the first one.
    had = len(edited.original.records.audio_groups)
    made = ("AGRP", "group: 0 / audiogroup_default")
    assert [each for each in edited.left() if had or not any(m in each for m in made)] == []
    check_dissolving(edited)
