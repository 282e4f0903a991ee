"""Files of speech and their lines: names, the tree of a game, texts for translators."""

from __future__ import annotations

from pathlib import Path

import pytest

import ags_games
import overhaul
from ags_folders import Folder
from overhaul import translate
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.game.dialogs import assemble, stored_text
from overhaul.ags.game.game import Game
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import Character, Dialog
from overhaul.ags.library.package import Package
from overhaul.ags.speech import Line, file_stem, names_files_newly, speech_of, spoken_lines
from viewing import looking_at


def test_names_of_files() -> None:
    assert file_stem("cEgo", 12, newly=False) == "Ego12"
    assert file_stem("BARMAN", 3, newly=False) == "BARM3"
    assert file_stem("narrator", 7, newly=False) == "NARR7"
    assert file_stem("cBarman", 3, newly=True) == "Barman.3"
    assert file_stem("narrator", 7, newly=True) == "narrator.7"


def talking(version: int = 3060021) -> Game:
    made = ags_games.game(version)
    content = made.content
    assert content is not None
    content.global_script = ags_games.script(
        "GlobalScript.asc",
        [("&1 Hello!", "cEgo"), ("&2 A door.", "Display"), ("&3", "cEgo"), ("&x", "cEgo")],
    )
    made.recompute_counts()
    return made


def test_lines_with_numbers() -> None:
    lines = spoken_lines(talking())
    assert Line(1, "cEgo", "Hello!", "GlobalScript.asc", lines[-1].line) in [
        line._replace(line=lines[-1].line) for line in lines
    ]
    found = {(line.number, line.who, line.text) for line in lines}
    assert found == {
        (7, "cBob", "I'm Bob."),
        (1, "cEgo", "Hello!"),
        (2, "narrator", "A door."),
        (3, "cEgo", ""),
    }


def test_lines_of_old_dialogs() -> None:
    said = ["&4 Hi.", "No number.", "&5 Well.", "&6 He shrugs."]
    code = ["say 0 0", "say 0 1", "say 998 2", "say 999 3", "say 7 0", "say 0 99", "stop"]
    content = GameContent(
        characters=[Character(script_name="EGO")],
        dialogs=[Dialog()],
        dialog_data=[(assemble(code), b"")],
        speech_lines=[stored_text(line + "\0", 36) for line in said],
    )
    found = [(line.number, line.who) for line in spoken_lines(Game(version=36, content=content))]
    assert found == [(4, "EGO"), (5, "EGO"), (6, "narrator"), (4, "")]


def test_files_and_their_lines() -> None:
    made = talking()
    lines = [
        Line(1, "cEgo", "Hello!", "x"),
        Line(2, "narrator", "A door.", "x"),
        Line(8, "", "Somebody.", "x"),
        Line(9, "", "Nobody.", "x"),
        Line(10, "cEgo", "Silent.", "x"),
    ]
    files = ["EGO1.OGG", "narr2.mp3", "Ego8.ogg", "Ego99.wav", "syncdata.dat", "x.ogg"]
    found = speech_of(files, lines, made)
    assert [(voice.file, voice.line and voice.line.text) for voice in found.voices] == [
        ("EGO1.OGG", "Hello!"),
        ("narr2.mp3", "A door."),
        ("Ego8.ogg", "Somebody."),
        ("Ego99.wav", None),
    ]
    assert found.voices[2].line is not None
    assert found.voices[2].line.who == "cEgo"
    assert [stem for stem, _ in found.silent] == ["9", "Ego10"]
    assert not names_files_newly(made)
    content = made.content
    assert content is not None
    made.version = 3060200
    content.settings.options[54] = 1
    assert names_files_newly(made)
    files = ["Ego.1.ogg", "narrator.2.ogg", "Ego1.ogg"]
    assert [voice.line and voice.line.number for voice in speech_of(files, lines, made).voices] == [
        1, 2, None,
    ]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    voices = Package()
    for name in ("Ego1.ogg", "NARR2.ogg", "Bob5.ogg"):
        voices.add(name, b"OggS" + name.encode())
    (tmp_path / "speech.vox").write_bytes(voices.to_bytes())
    (tmp_path / "game.ags").write_bytes(ags_games.package(talking()))
    return tmp_path


def test_a_tree_says_what_is_heard(folder: Path) -> None:
    with overhaul.open(folder / "game.ags") as document:
        listed = [(r.name, r.path) for r in document.tree() if r.kind == "voice"]
    assert listed == [
        ("cEgo: Hello!", "speech/assets/Ego1.ogg"),
        ("narrator: A door.", "speech/assets/NARR2.ogg"),
        ("no line", "speech/assets/Bob5.ogg"),
    ]
    overhaul.unpack(folder / "game.ags", folder / "tree")
    tree = Folder.__new__(Folder)
    tree.path = folder / "tree"
    shown = tree.json("speech.json")
    files = shown["files"]
    assert isinstance(files, dict)
    assert files["Ego1.ogg"]["line"] == "Hello!"
    assert files["Ego1.ogg"]["character"] == "cEgo"
    assert files["Bob5.ogg"] is None
    stems = [row["file"] for row in shown["lines_without_file"]]  # type: ignore[attr-defined]
    assert stems == ["Ego3", "Bob7"]
    overhaul.pack(folder / "tree", folder / "again.ags", from_scratch=True)
    tree.edit("speech.json", lambda s: s["files"].update({"Ego1.ogg": None}))
    packed = overhaul.pack(folder / "tree", folder / "more.ags")
    assert any("speech.json: it has no effect" in warning for warning in packed.warnings)


def test_translators_see_the_file(folder: Path) -> None:
    with overhaul.open(folder / "game.ags") as document:
        entries = {entry.msgid: entry.comment for entry in translate.extract(document)}
    assert "speech file Ego1.ogg" in entries["&1 Hello!"]
    assert "speech file Bob7 (which is not there)" in entries["&7 I'm Bob."]
    assert "speech file" not in entries["Save"]
    (folder / "speech.vox").unlink()
    with overhaul.open(folder / "game.ags") as document:
        entries = {entry.msgid: entry.comment for entry in translate.extract(document)}
    assert entries["&1 Hello!"].endswith("speech file Ego1")


def test_the_viewer_lists_lines_and_plays_them(folder: Path) -> None:
    with looking_at(folder / "speech.vox") as client:
        listed = client.get("/voices").text
        assert "narrator: A door." in listed
        page = client.get("/voices/narrator%253A%20A%20door%252E").text
        assert "<audio" in page
        assert "assets/NARR2.ogg" in page


def test_speech_that_scripts_choose_is_in_the_tree(folder: Path) -> None:
    (folder / "Sp_Klingon.vox").write_bytes((folder / "speech.vox").read_bytes())
    (folder / "sp_.vox").write_bytes(b"no package of that name")
    with overhaul.open(folder / "game.ags") as document:
        listed = [(r.name, r.path) for r in document.tree() if r.kind == "voice"]
    assert ("cEgo: Hello! (Klingon)", "voices/Klingon/assets/Ego1.ogg") in listed
    assert ("cEgo: Hello!", "speech/assets/Ego1.ogg") in listed
    overhaul.unpack(folder / "game.ags", folder / "tree")
    heard = folder / "tree" / "voices" / "Klingon" / "assets" / "Ego1.ogg"
    assert heard.read_bytes() == b"OggSEgo1.ogg"
    heard.write_bytes(b"OggS nuqneH")
    (folder / "out").mkdir()
    overhaul.pack(folder / "tree", folder / "out" / "game.ags")
    packed = Package.read((folder / "out" / "Sp_Klingon.vox").read_bytes())
    assert [bytes(asset.data or b"") for asset in packed][:1] == [b"OggS nuqneH"]
    with overhaul.open(folder / "Sp_Klingon.vox") as voices:
        assert isinstance(voices, PackageDocument)
        assert next(iter(voices.also_shown())).name == "cEgo: Hello!"
