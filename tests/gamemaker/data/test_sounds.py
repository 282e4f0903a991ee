"""The sounds and audio groups of a game, as people edit them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.audiogroup import AudioGroup as GroupFile
from overhaul.gamemaker.data.chunks.optn import OptionFlags
from overhaul.gamemaker.data.chunks.sond import SoundFlags
from overhaul.gamemaker.data.game import GameData
from overhaul.media.audio import AudioFormat
from small_games import again, game_of
from sound_files import mp3, ogg, wave

RELEASES = ["1.0.0.1567", "2.0.6", "2.3.2", "2023.8", "2024.6", "2024.14"]
EMBEDDED, COMPRESSED = 0x65, 0x66


def saved(game: GameData, folder: Path) -> Any:
    """The game, saved with the files next to it and opened again."""
    folder.mkdir(exist_ok=True)
    game.save(folder / "data.win")
    read: Any = overhaul.open(folder / "data.win")
    assert read.to_bytes() == (folder / "data.win").read_bytes()
    assert read.warnings == []
    return read


def with_groups(version: str) -> GameData:
    """Five sounds: 0 and 3 in the game, 1 and 4 in "music", 2 in "effects"."""
    game = game_of(version)
    game.audio_groups.add("music")
    game.audio_groups.add("effects")
    for number in range(5):
        game.sounds.add(f"snd_{number}", ogg(100 + number), group=number % 3)
    return game


def contents(game: Any) -> dict[str, bytes | None]:
    return {sound.name: sound.bytes for sound in game.sounds}


ALL = {f"snd_{n}": ogg(100 + n) for n in range(5)}


@pytest.mark.parametrize("version", RELEASES)
def test_a_new_sound(version: str, tmp_path: Path) -> None:
    game = game_of(version)
    path = tmp_path / "boom.wav"
    path.write_bytes(wave(800))
    made = game.sounds.add("snd_boom", path, volume=0.5)
    assert repr(made) == "<Sound snd_boom WAV, 0.10 s>"
    game.sounds.add("mus_one", ogg(1600, rate=16000, channels=2))
    read = saved(game, tmp_path / "out")
    boom, song = read.sounds["snd_boom"], read.sounds["mus_one"]
    assert (boom.bytes, boom.format, boom.duration) == (wave(800), AudioFormat.WAV, 0.1)
    assert (boom.sample_rate, boom.channels, boom.volume) == (8000, 1, 0.5)
    assert (song.sample_rate, song.channels, song.duration) == (16000, 2, 0.1)
    assert (boom.record.flags, song.record.flags) == (EMBEDDED, COMPRESSED)
    assert (boom.record.audio, song.record.audio) == (0, 1)
    modern = read.release.major >= 2
    assert boom.record.type == (None if modern else ".wav")
    plain = read.release.at_least(2, 3) or not modern
    assert boom.file_name == ("snd_boom.wav" if plain else "snd_boom")
    stores_length = read.release.at_least(2024, 6)
    assert boom.record.length == (pytest.approx(0.1) if stores_length else 0)
    assert boom.record.group == 0 and boom.embedded and not boom.streamed


def test_early_games_say_in_the_group_whether_a_sound_is_loaded() -> None:
    game = game_of("1.0.0.1307")
    options: Any = game.options
    options.new_audio = True
    assert game.sounds.add("snd_boom", wave()).record.group == 1
    options.new_audio = False
    assert game.sounds.add("snd_old", mp3()).record.flags == 0
    read = again(game)
    assert read.sounds["snd_boom"].bytes == wave()
    assert read.sounds["snd_old"].record.group == 1
    assert read.sounds["snd_boom"].group is None
    with pytest.raises(ValueError, match=r"a game of 1.0.0.1307 has no audio groups"):
        read.audio_groups.add("music")
    with pytest.raises(ValueError, match="has no audio groups"):
        read.sounds["snd_boom"].group = 1
    with pytest.raises(ValueError, match="has no audio groups"):
        read.sounds.add("snd_more", wave(), group=0)
    assert read.sounds.names() == ["snd_boom", "snd_old"]


def test_the_old_audio_system() -> None:
    game = game_of("1.0.0.1567")
    options: Any = game.options
    options.flags = int(OptionFlags.SHOW_CURSOR)
    for number, data in enumerate((wave(), mp3(), b"MThd" + bytes(10))):
        sound = game.sounds.add(f"snd_{number}", data)
        assert sound.record.flags == 0 and sound.record.group == 1 and sound.group is None
    assert game.warnings == []
    with pytest.raises(EncodeError, match="which plays WAV, MP3 and MIDI, not Ogg V"):
        game.sounds.add("snd_new", ogg())
    with pytest.raises(EncodeError, match="streams no sounds"):
        game.sounds.add("snd_new", ogg(), streamed=True)
    with pytest.raises(EncodeError, match="streams no sounds"):
        game.sounds["snd_0"].stream()
    with pytest.raises(ValueError, match="no audio groups"):
        game.audio_groups.add("music")
    assert len(game.sounds) == 3 and len(game.audio) == 3
    options.flags |= int(OptionFlags.NEW_AUDIO)
    assert game.sounds.add("snd_new", ogg()).record.flags == COMPRESSED


@pytest.mark.parametrize("version", RELEASES)
@pytest.mark.parametrize(
    "data, words",
    [
        (ogg(codec="opus"), "not Ogg Opus"),
        (b"fLaC" + bytes(40), "not FLAC"),
        (b"MThd" + bytes(40), "not MIDI"),
        (b"FORM\0\0\0\0AIFF", "not AIFF"),
        (b"hello, world", "not a sound that is known: it begins with b'hello, w'"),
        (b"", "empty"),
        (wave()[:-1], "cut off"),
    ],
)
def test_what_a_game_can_not_play(version: str, data: bytes, words: str) -> None:
    game = game_of(version)
    game.sounds.add("snd_a", wave())
    before = game.to_bytes()
    with pytest.raises((EncodeError, FormatError), match=words):
        game.sounds.add("snd_b", data)
    with pytest.raises((EncodeError, FormatError), match=words):
        game.sounds["snd_a"].bytes = data
    with pytest.raises((EncodeError, FormatError), match=words):
        game.sounds.add("snd_b", data, streamed=True)
    assert game.to_bytes() == before and game.companions() == {}


@pytest.mark.parametrize(
    "data, words",
    [
        (mp3(), "plays WAV and Ogg Vorbis; an MP3 file is silent on most systems"),
        (wave(bits=24), "may not play WAV of 24 bits: GameMaker writes PCM of 16 bits"),
        (wave().replace(b"\x10\0\0\0\1\0", b"\x10\0\0\0\3\0"), "may not play WAV with float samp"),
    ],
)
def test_what_a_game_may_not_play_is_reported(data: bytes, words: str) -> None:
    game = game_of("2023.8")
    game.sounds.add("snd_a", data)
    (warning,) = game.warnings
    assert warning.startswith("snd_a: ") and words in warning
    game.sounds.replace("snd_a", data + b"TAG" if data == mp3() else wave(bits=24, samples=9))
    assert len(game.warnings) == 2
    game.sounds.replace("snd_a", wave(bits=8))
    assert len(game.warnings) == 2


@pytest.mark.parametrize("name", ["snd_a", "snd a", "", "1up", "if", "audio_play_sound"])
def test_a_name_that_can_not_be(name: str) -> None:
    game = game_of("2023.8")
    game.sounds.add("snd_a", wave())
    before = game.to_bytes()
    for taken in (name, "obj_a"):
        with pytest.raises(ValueError, match="name"):
            game.sounds.add(taken, wave(3), group="audiogroup_default")
    assert game.to_bytes() == before
    with pytest.raises(KeyError, match=r"named 'audiogroup_defalt' .did you mean"):
        game.sounds.add("snd_b", wave(), group="audiogroup_defalt")
    assert game.to_bytes() == before


@pytest.mark.parametrize("version", RELEASES)
def test_another_format(version: str) -> None:
    game = game_of(version)
    sound = game.sounds.add("snd_a", wave())
    sound.bytes = ogg(4000)
    sound = again(game).sounds["snd_a"]
    assert (sound.format, sound.record.flags) == (AudioFormat.OGG, COMPRESSED)
    modern = sound.game.release.major >= 2
    assert sound.record.type == (None if modern else ".ogg")
    assert sound.file_name in ("snd_a", "snd_a.ogg")
    if sound.game.release.at_least(2024, 6):
        assert sound.record.length == 0.5
    sound.record.flags |= int(SoundFlags.EMBEDDED)  # uncompressed when it is loaded
    sound.bytes = ogg(5000)
    assert sound.record.flags == EMBEDDED | COMPRESSED
    sound.replace(wave())
    assert sound.record.flags == EMBEDDED


def test_sounds_that_share_their_bytes() -> None:
    game = game_of("2023.8")
    one, two = game.sounds.add("snd_a", wave()), game.sounds.add("snd_b", wave(9))
    two.record.audio = one.record.audio
    two.bytes = wave(5)
    assert one.bytes == wave() and two.bytes == wave(5)
    two.record.audio = one.record.audio
    game.sounds.remove("snd_a")
    assert two.bytes == wave()


def test_several_sounds_of_one_file_are_removed() -> None:
    game = game_of("2023.8")
    for number in range(8):
        game.sounds.add(f"snd_{number}", ogg(100 + number))
    game.sounds["snd_7"].record.audio = 5  # two sounds with one file
    game.audio.items[7] = None
    game.sounds.remove("snd_1", "snd_4", "snd_5", "snd_0")
    read = contents(game)
    assert read == {f"snd_{n}": ogg(100 + (5 if n == 7 else n)) for n in (2, 3, 6, 7)}
    assert [entry and bytes(entry.data) for entry in game.audio] == [
        ogg(102), ogg(103), ogg(105), ogg(106), None
    ]  # fmt: skip
    game.sounds.remove("snd_7", "snd_2")
    assert [entry and bytes(entry.data) for entry in game.audio] == [ogg(103), ogg(106), None]


@pytest.mark.parametrize("version", RELEASES)
def test_removed_sounds_take_their_bytes_with_them(version: str, tmp_path: Path) -> None:
    game = with_groups(version)
    game.sounds.add("mus_far", ogg(7), streamed=True)
    game.sounds.remove("snd_0", game.sounds["snd_1"], "mus_far")
    read = saved(game, tmp_path / "out")
    left = {name: data for name, data in ALL.items() if name not in ("snd_0", "snd_1")}
    assert contents(read) == left
    assert len(read.audio) == 1 and len(read.audio_files.files.list_of(1)) == 1
    assert not list((tmp_path / "out").glob("*.ogg"))
    with pytest.raises(KeyError, match="no sound named 'snd_0'"):
        read.sounds.remove("snd_2", "snd_0")
    assert contents(read) == left


# ------------------------------------------------------------------------------ audio groups


@pytest.mark.parametrize("version", RELEASES)
def test_new_groups_are_files_next_to_the_game(version: str, tmp_path: Path) -> None:
    game = with_groups(version)
    game.audio_groups.add("voices")
    read = saved(game, tmp_path / "out")
    assert read.audio_groups.names() == ["audiogroup_default", "music", "effects", "voices"]
    assert contents(read) == ALL
    group = read.audio_groups["music"]
    assert group.sounds == ["snd_1", "snd_4"] and repr(group) == "<AudioGroup music 2 sounds>"
    modern = read.release.at_least(2024, 14)
    assert group.file_name == ("music.dat" if modern else "audiogroup1.dat")
    assert group.record.path == ("music.dat" if modern else None)
    assert read.audio_groups["audiogroup_default"].file_name is None
    assert read.sounds["snd_4"].group == group
    files = sorted(path.name for path in (tmp_path / "out").iterdir())
    names = ["effects", "music", "voices"] if modern else [f"audiogroup{n}" for n in (1, 2, 3)]
    assert files == sorted([*(f"{name}.dat" for name in names), "data.win"])
    for name in names:
        GroupFile.from_bytes((tmp_path / "out" / f"{name}.dat").read_bytes(), strict=True)
    with pytest.raises(ValueError, match="'music' is taken"):
        read.audio_groups.add("music")


@pytest.mark.parametrize("version", RELEASES)
def test_bytes_move_with_the_group(version: str, tmp_path: Path) -> None:
    game = saved(with_groups(version), tmp_path / "before")
    game.sounds["snd_0"].group = "music"
    game.sounds["snd_1"].group = game.audio_groups["effects"]
    game.sounds["snd_2"].group = 0
    read = saved(game, tmp_path / "after")
    assert contents(read) == ALL
    assert [len(read.audio_files.files.list_of(n)) for n in range(3)] == [2, 2, 1]
    assert [sound.group.name for sound in read.sounds] == [
        "music", "effects", "audiogroup_default", "audiogroup_default", "music"
    ]  # fmt: skip
    with pytest.raises(KeyError, match=r"no audio group named 'musik' .did you mean 'music'"):
        read.sounds["snd_0"].group = "musik"
    with pytest.raises(KeyError, match="no audio group number 7"):
        read.sounds["snd_0"].group = 7


@pytest.mark.parametrize("version", RELEASES)
@pytest.mark.parametrize("into", ["audiogroup_default", "effects"])
def test_a_dissolved_group(version: str, into: str, tmp_path: Path) -> None:
    game = saved(with_groups(version), tmp_path / "before")
    game.audio_groups.remove("music", into=into)
    read = saved(game, tmp_path / "after")
    assert contents(read) == ALL
    assert read.audio_groups.names() == ["audiogroup_default", "effects"]
    assert [sound.group.name for sound in read.sounds] == [
        "audiogroup_default", into, "effects", "audiogroup_default", into
    ]  # fmt: skip
    keeps = read.release.at_least(2024, 13)
    number = 2 if keeps else 1
    name = "effects.dat" if read.release.at_least(2024, 14) else f"audiogroup{number}.dat"
    assert read.audio_groups["effects"].index == number
    assert {path.name for path in (tmp_path / "after").iterdir()} == {"data.win", name}
    assert game.warnings == []
    read.audio_groups.remove("effects")
    last = saved(read, tmp_path / "last")
    assert contents(last) == ALL and last.audio_groups.names() == ["audiogroup_default"]
    assert len(last.audio) == 5
    assert last.audio_groups.add("music").index == len(last.records.audio_groups) - 1


def test_code_that_knows_groups_by_number_is_reported() -> None:
    for version, others in (("2023.8", ", and the audio groups after it"), ("2024.14", "")):
        game = with_groups(version)
        game.add_event("obj_a", "Create_0", "audio_group_load(1);")
        game.audio_groups.remove("music")
        (warning,) = game.warnings
        assert "code that uses audio groups knows music as the number 1" in warning
        assert warning.endswith(f"{others} by the old numbers" if others else "number 1")


def test_groups_that_stay() -> None:
    game = with_groups("2023.8")
    with pytest.raises(ValueError, match="the first audio group"):
        game.audio_groups.remove("audiogroup_default", into="music")
    with pytest.raises(ValueError, match="into itself"):
        game.audio_groups.remove("music", into="music")
    with pytest.raises(KeyError, match="no audio group named 'choir'"):
        game.audio_groups.remove("choir")
    assert len(game.audio_groups) == 3


def without(name: str) -> Callable[[Path], Any]:
    def opened(folder: Path) -> Any:
        (folder / name).unlink()
        return overhaul.open(folder / "data.win")

    return opened


def test_a_file_that_is_not_next_to_the_game(tmp_path: Path) -> None:
    saved(with_groups("2023.8"), tmp_path / "out")
    game = without("audiogroup1.dat")(tmp_path / "out")
    before = game.to_bytes(), game.companions()
    sound = game.sounds["snd_1"]
    assert (sound.bytes, sound.format, sound.duration, sound.sample_rate) == (None,) * 4
    assert repr(sound) == "<Sound snd_1 not next to the game>"
    with pytest.raises(FileNotFoundError, match="the bytes of snd_1 are not next to the game"):
        sound.save(tmp_path / "snd_1.ogg")
    for change in (
        lambda: setattr(sound, "group", 2),
        lambda: setattr(game.sounds["snd_0"], "group", 1),
        lambda: sound.replace(ogg(3)),
        lambda: sound.stream(),
        lambda: game.sounds.add("snd_new", wave(), group="music"),
        lambda: game.audio_groups.remove("music"),
        lambda: game.audio_groups.remove("effects", into="music"),
    ):
        with pytest.raises(EncodeError, match=r"audiogroup1.dat.* not next to the game"):
            change()
        assert (game.to_bytes(), game.companions()) == before
    game.audio_groups.remove("effects")
    assert game.sounds["snd_2"].bytes == ogg(102)
    game.audio_groups.add("voices")
    with pytest.raises(EncodeError, match=r"audiogroup1.dat is not next to the game"):
        game.audio_groups.remove("music", into="voices")


def test_later_groups_need_their_files_to_get_other_names(tmp_path: Path) -> None:
    saved(with_groups("2023.8"), tmp_path / "out")
    game = without("audiogroup2.dat")(tmp_path / "out")
    with pytest.raises(EncodeError, match=r"audiogroup2.dat is not next to the game"):
        game.audio_groups.remove("music")
    assert game.sounds["snd_1"].group.name == "music"


# ---------------------------------------------------------------------------------- streaming


@pytest.mark.parametrize("version", RELEASES)
def test_streamed_and_embedded(version: str, tmp_path: Path) -> None:
    game = with_groups(version)
    game.sounds["snd_0"].stream()
    game.sounds["snd_1"].stream("song.ogg")
    made = game.sounds.add("mus_new", ogg(8000), streamed=True)
    assert repr(made) == "<Sound mus_new OGG, 1.00 s, streamed>"
    read = saved(game, tmp_path / "out")
    assert contents(read) == ALL | {"mus_new": ogg(8000)}
    for name, file in (("snd_0", "snd_0.ogg"), ("snd_1", "song.ogg"), ("mus_new", "mus_new.ogg")):
        sound = read.sounds[name]
        assert sound.streamed and not sound.embedded and sound.file_name == file
        assert (tmp_path / "out" / file).read_bytes() == sound.bytes
        assert (sound.record.flags, sound.record.audio) == (0x64, -1)
        if read.release.at_least(2024, 6):
            assert sound.record.length == pytest.approx(sound.duration, abs=0.01)
    assert len(read.audio) == 1 and len(read.audio_files.files.list_of(1)) == 1
    read.sounds["snd_0"].embed()
    read.sounds["snd_1"].embed()
    read.sounds["snd_2"].embed()  # it is
    read.sounds["mus_new"].stream()  # it is
    last = saved(read, tmp_path / "last")
    assert contents(last) == ALL | {"mus_new": ogg(8000)}
    assert [sound.record.flags for sound in last.sounds] == [COMPRESSED] * 5 + [0x64]
    assert last.sounds["snd_1"].group.name == "music"
    assert [path.name for path in (tmp_path / "last").glob("*.ogg")] == ["mus_new.ogg"]


def test_what_can_not_be_streamed(tmp_path: Path) -> None:
    game = game_of("2024.6")
    boom = game.sounds.add("snd_boom", wave())
    with pytest.raises(EncodeError, match="a streamed sound is an Ogg Vorbis file, not WAV of 16"):
        boom.stream()
    with pytest.raises(EncodeError, match="a streamed sound is an Ogg Vorbis file, not MP3"):
        game.sounds.add("snd_b", mp3(), streamed=True)
    song = game.sounds.add("mus_a", ogg(), streamed=True)
    other = game.sounds.add("mus_b", ogg(4))
    for name in ("a/b.ogg", "..", "", "c:x.ogg", "a\\b.ogg"):
        with pytest.raises(ValueError, match="the name of a file without a folder"):
            other.stream(name)
    with pytest.raises(ValueError, match=r"'MUS_A.ogg' is the file of another streamed sound"):
        other.stream("MUS_A.ogg")
    with pytest.raises(EncodeError, match="a streamed sound is an Ogg Vorbis file"):
        song.bytes = wave()
    song.bytes = ogg(450)
    assert song.streamed and song.record.length == pytest.approx(0.05)
    assert game.companions() == {"mus_a.ogg": ogg(450)} and other.embedded
    saved(game, tmp_path / "out")
    (tmp_path / "out" / "mus_a.ogg").unlink()
    read: Any = overhaul.open(tmp_path / "out" / "data.win")
    with pytest.raises(EncodeError, match=r"mus_a.ogg, the file of mus_a, is not next to the game"):
        read.sounds["mus_a"].embed()
    assert read.sounds["mus_a"].streamed
    assert read.sounds["mus_a"].duration == pytest.approx(0.05)


def test_streamed_sounds_with_one_file() -> None:
    game = game_of("2023.8")
    one = game.sounds.add("mus_a", ogg(), streamed=True)
    two = game.sounds.add("mus_b", ogg(3), streamed=True)
    two.record.file = one.record.file
    two.bytes = ogg(9)
    assert (one.file_name, two.file_name) == ("mus_a.ogg", "mus_b.ogg")
    assert game.companions() == {"mus_a.ogg": ogg(), "mus_b.ogg": ogg(9)}
    two.record.file = one.record.file
    game.sounds.remove("mus_a")
    assert game.companions() == {"mus_a.ogg": ogg()}
    assert game.sounds.add("mus_a", ogg(2), streamed=True).file_name == "mus_a_2.ogg"


def test_save_and_show(tmp_path: Path) -> None:
    game = game_of("2023.8")
    sound = game.sounds.add("snd_a", ogg())
    sound.save(tmp_path / "a.ogg")
    assert (tmp_path / "a.ogg").read_bytes() == ogg()
    with pytest.raises(FileExistsError):
        sound.save(tmp_path / "a.ogg")
    sound.save(tmp_path / "a.ogg", force=True)
    assert 'src="data:audio/ogg;base64,T2dnUw' in sound._repr_html_()


def test_without_the_viewer_a_sound_is_a_plain_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overhaul.gamemaker.data.resources.sounds.html_of", lambda sound: None)
    game = game_of("2023.8")
    sound = game.sounds.add("snd_a", ogg())
    assert '<audio controls preload="none" src="data:audio/ogg;base64,T2dnUw' in sound._repr_html_()
    sound.replace(wave(3 << 20))
    assert "audio controls" not in sound._repr_html_() and "snd_a WAV" in sound._repr_html_()


def test_a_game_without_the_chunk_of_sounds() -> None:
    game = game_of("2023.8")
    del game.chunks["AUDO"]
    with pytest.raises(EncodeError, match="no chunk AUDO"):
        game.sounds.add("snd_a", wave())
    assert len(game.sounds) == 0
    del game.chunks["SOND"]
    with pytest.raises(ValueError, match=r"a game of 2023.8 has no sounds"):
        game.sounds.add("snd_a", wave())


@pytest.mark.parametrize("whole", [wave(), ogg(), mp3()], ids=["wav", "ogg", "mp3"])
def test_damaged_files_change_nothing(whole: bytes) -> None:
    """300 files: what is refused leaves no trace, what is taken is stored as it is."""
    chance = random.Random(f"sounds {whole[:4]!r}")
    game = game_of("2024.6")
    kept = game.sounds.add("snd_kept", wave(), group="audiogroup_default")
    refused = 0
    for _ in range(300):
        data = bytearray(whole)
        at = chance.randrange(min(len(data), chance.choice([60, len(data)])))
        if chance.random() < 0.5:
            data[at] ^= 1 << chance.randrange(8)
        else:
            del data[max(1, at) :]
        for change in (
            lambda data=bytes(data): game.sounds.add("snd_new", data),
            lambda data=bytes(data): kept.replace(data),
        ):
            strings = len(game.strings)
            try:
                change()
            except (FormatError, EncodeError) as error:
                refused += 1
                assert 0 < len(str(error)) < 250
                assert kept.bytes == wave() and len(game.strings) == strings
            else:
                assert bytes(data) in (kept.bytes, game.sounds[-1].bytes)
                kept.replace(wave())
            if "snd_new" in game.sounds:
                game.sounds.remove("snd_new")
            assert len(game.audio) == 1 and len(game.sounds) == 1
    assert refused > 200
    again(game)


@pytest.mark.parametrize(
    "seconds, stored", [(0.0702, 0.07), (0.7053, 0.70), (7.4131, 7.41), (0.29, 0.29), (14.5, 14.5)]
)
def test_the_length_is_stored_in_hundredths(seconds: float, stored: float) -> None:
    """As GameMaker does: 0.7053 s are 0.70."""
    game = game_of("2024.6")
    sound = game.sounds.add("snd_a", wave(round(seconds * 10000), rate=10000))
    assert round(sound.record.length, 6) == stored
    assert game_of("2024.4").sounds.add("snd_a", wave()).record.length == 0


def test_the_example_of_the_guide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Path(__file__).resolve().parents[3] / "docs/guide/sounds.md"
    source = page.read_text().split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    game = game_of("2023.8")
    game.sounds.add("snd_jump", wave())
    game.save("data.win")
    Path("better.ogg").write_bytes(ogg())
    Path("song.ogg").write_bytes(ogg(500))
    Path("new.wav").write_bytes(wave(90))
    Path("new").mkdir()
    exec(source, {})
    assert "snd_jump AudioFormat.WAV 0.1 <AudioGroup audiogroup_default" in capsys.readouterr().out
    read: Any = overhaul.open("new/data.win")
    assert contents(read) == {"snd_jump": ogg(), "snd_new": wave(90), "mus_new": ogg(500)}
    assert Path("jump.wav").read_bytes() == wave() and Path("new/mus_new.ogg").exists()
