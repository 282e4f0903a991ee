"""A project is built, its game becomes a project again, and that is built to the same game."""

from __future__ import annotations

from pathlib import Path

import pytest

import ags_built
import overhaul
from overhaul import ags
from overhaul.ags import project as ags_project
from overhaul.ags.library.package import Package
from overhaul.document.xmltext import read_xml

MODULE_HEADER = """\
managed struct Pair { int left; float right; };
struct Counter { int value; import void Add(int much); import attribute int Value; };
import int twice(int a);
import Overlay *shown;
"""
MODULE = """\
Pair *pair;
Overlay *shown;
export shown;
int twice(int a) { if (pair == null) pair = new Pair; pair.left = a; return a * 2; }
void Counter::Add(int much) { this.value += much; }
function get_Value(this Counter*) { return this.value; }
function set_Value(this Counter*, int value) { this.value = value; }
"""
GLOBAL = """\
Counter counter;
function game_start() { count = twice(count); counter.Add(3); counter.Value = counter.Value + 1; }
function iKey_Look() { if (shown != null) shown.Remove(); Display("A key."); }
function ok(GUIControl *control, MouseButton button) { gMenu.Visible = false; }
function dialog_request(int param) { }
"""


def build_again(path: str | Path, folder: Path) -> tuple[Path, Path]:
    """The project of a game, and the game that is built of it."""
    with overhaul.open(path) as document:
        made = ags_project.convert(document)
        assert made.is_whole, (made.scripts.failed, made.missing)
        ags_project.write_project(made, folder)
    return folder, Path(ags.build(folder, folder.parent / f"{folder.name}-built").path)


def members(path: str | Path) -> dict[str, bytes]:
    return {asset.name: asset.read() for asset in Package.read(Path(path).read_bytes())}


@pytest.mark.parametrize(
    ("editor", "index"),
    [("3.6.2.12", "3060209"), ("3.6.1.26", "3060110"), ("3.6.0.51", "3060020"),
     ("3.5.1.22", "27"), ("3.5.0.24", "26"), ("3.4.1.15", "15"), ("3.4.0.16", "13")],
)  # fmt: skip
def test_game_project_game(tmp_path: Path, editor: str, index: str) -> None:
    project = ags_built.write(tmp_path / "project", ags_built.project(editor, index))
    (project / "Module.ash").write_text(MODULE_HEADER, newline="\r\n")
    (project / "Module.asc").write_text(MODULE, newline="\r\n")
    (project / "GlobalScript.asc").write_text(GLOBAL, newline="\r\n")
    first = ags.build(project, tmp_path / "first").path
    recovered, again = build_again(first, tmp_path / "recovered")
    one, two = members(first), members(again)
    assert list(one) == list(two)
    assert [name for name in one if one[name] != two[name]] == []
    for name in ("audio.vox", "German.tra"):
        held = (Path(first).parent / name).read_bytes()
        assert (again.parent / name).read_bytes() == held
    assert not (recovered / "Recovered.ash").exists()
    assert "Overlay *shown;" in (recovered / "Module.asc").read_text()


def test_what_is_recovered_of_a_project(tmp_path: Path) -> None:
    file = ags_built.project(
        GameFPS=50, UseOldVoiceClipNaming=True, SkipSpeech="KeyboardOnlyStrict",
        SpeechStyle="WholeScreen", TTFHeightDefinedBy="PixelHeight",
    )  # fmt: skip
    project = ags_built.write(tmp_path / "project", file)
    recovered, _ = build_again(ags.build(project, tmp_path / "first").path, tmp_path / "recovered")
    root = read_xml((recovered / "Game.agf").read_bytes()).root
    said = {name: root.value(f"Game/Settings/{name}") for name in (
        "GameFPS", "UseOldVoiceClipNaming", "SkipSpeech", "SpeechStyle", "TTFHeightDefinedBy",
        "GameFileName",
    )}  # fmt: skip
    assert said == {
        "GameFPS": "50", "UseOldVoiceClipNaming": "True", "SkipSpeech": "KeyboardOnlyStrict",
        "SpeechStyle": "WholeScreen", "TTFHeightDefinedBy": "PixelHeight",
        "GameFileName": "Small",
    }  # fmt: skip
    assert root.value("Game/Cursors/MouseCursor/Name") == "Walk to"
    assert root.value("Game/LipSync/Type") == "None"


def test_texts_of_old_games_keep_their_bytes(tmp_path: Path) -> None:
    project = ags_built.write(tmp_path / "project", ags_built.project("3.5.0.24", "26"))
    script = project / "GlobalScript.asc"
    script.write_bytes(script.read_bytes().replace(b"A key.", b"T\xfcr"))
    recovered, again = build_again(ags.build(project, tmp_path / "1").path, tmp_path / "recovered")
    assert b'Display("T\xfcr");' in (recovered / "GlobalScript.asc").read_bytes()
    assert b"T\xfcr\0" in members(again)["game28.dta"]


def test_dialogs_have_the_order_of_the_tree(tmp_path: Path) -> None:
    file = ags_built.project()
    dialogs = file.root.find("Game/Dialogs/DialogFolder/Dialogs")
    assert dialogs is not None
    editor = ags_built.EDITOR
    dialogs.children.insert(0, ags_built.dialog(editor, 1, "dFirst", "@S\nreturn\n@1\nstop\n"))
    project = ags_built.write(tmp_path / "project", file)
    first = ags.build(project, tmp_path / "first").path
    recovered, again = build_again(first, tmp_path / "recovered")
    root = read_xml((recovered / "Game.agf").read_bytes()).root
    names = [node.value("Name") for node in root.walk() if node.tag == "Dialog"]
    assert names == ["dFirst", "dTalk"]
    assert members(first) == members(again)


def test_the_global_script_may_stand_before_others(tmp_path: Path) -> None:
    file = ags_built.project()
    scripts = file.root.find("Game/Scripts/ScriptFolder/ScriptAndHeaders")
    assert scripts is not None
    scripts.children.reverse()
    project = ags_built.write(tmp_path / "project", file)
    (project / "GlobalScript.ash").write_text("import int twice(int a);\n")
    (project / "Module.ash").write_text("")
    first = ags.build(project, tmp_path / "first").path
    recovered, again = build_again(first, tmp_path / "recovered")
    assert members(first) == members(again)
    assert (recovered / "GlobalScript.ash").read_text() == "import int twice(int p0);\n"


def test_sounds_and_characters_have_the_order_of_the_tree(tmp_path: Path) -> None:
    """Scripts use the last sound and a character; their places say where these are declared."""
    file = ags_built.project()
    editor = ags_built.EDITOR
    sounds = file.root.find("Game/AudioClips/AudioClipFolder/AudioClips")
    characters = file.root.find("Game/Characters/CharacterFolder/Characters")
    assert sounds is not None and characters is not None
    sounds.children.append(ags_built.clip(editor, 2, "aDoor", "Sounds/door.ogg"))
    sounds.children.reverse()
    characters.children.insert(0, ags_built.character(editor, 1, "cGuest"))
    project = ags_built.write(tmp_path / "project", file)
    (project / "AudioCache" / "au000003.ogg").write_bytes(b"OggS door")
    script = GLOBAL.replace("{ count =", "{ aBell.Play(); cGuest.x = aTune.ID; count =")
    (project / "GlobalScript.asc").write_text(script, newline="\r\n")
    (project / "Module.ash").write_text(MODULE_HEADER, newline="\r\n")
    (project / "Module.asc").write_text(MODULE, newline="\r\n")
    first = ags.build(project, tmp_path / "first").path
    recovered, again = build_again(first, tmp_path / "recovered")
    root = read_xml((recovered / "Game.agf").read_bytes()).root
    names = [
        node.value("ScriptName")
        for node in root.walk()
        if node.tag in ("AudioClip", "Character") and node.value("ScriptName")
    ]
    assert names == ["cGuest", "cEgo", "aDoor", "aBell", "aTune"]
    assert members(first) == members(again)


def test_an_attribute_without_a_function_that_writes_is_readonly(tmp_path: Path) -> None:
    project = ags_built.write(tmp_path / "project", ags_built.project())
    header = MODULE_HEADER.replace("import attribute", "readonly import attribute")
    (project / "Module.ash").write_text(header, newline="\r\n")
    module = MODULE.partition("function set_Value")[0]
    (project / "Module.asc").write_text(module, newline="\r\n")
    script = GLOBAL.replace("counter.Value = counter.Value + 1;", "count += counter.Value;")
    (project / "GlobalScript.asc").write_text(script, newline="\r\n")
    first = ags.build(project, tmp_path / "first").path
    recovered, again = build_again(first, tmp_path / "recovered")
    assert "readonly import attribute int Value;" in (recovered / "Module.ash").read_text()
    assert members(first) == members(again)
