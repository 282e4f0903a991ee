"""A game as a project of the editor: its elements, its scripts, its files."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ags_games
import overhaul
from ags_decompiled import compiled
from ags_linked import package
from overhaul.ags import compile_project
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.folder import code
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import ListBox, Slider
from overhaul.ags.game.resources import AudioClip, AudioType, Frame, Loop, View
from overhaul.ags.library.package import Package
from overhaul.ags.project import converting
from overhaul.ags.project.converting import convert, write_project
from overhaul.ags.project.elements import elements, node
from overhaul.ags.project.guis import guis
from overhaul.ags.project.lists import sound_indexes
from overhaul.ags.project.resources import characters, cursors, dialogs, fonts, inventory, views
from overhaul.ags.project.scripts import Sources, sources_of
from overhaul.ags.project.settings import settings, size_of
from overhaul.ags.script.model import Script
from overhaul.ags.translation import Pair, Translation
from overhaul.cli import main
from overhaul.document.reading import open_data
from overhaul.document.xmltext import XmlNode, read_xml
from overhaul.errors import FormatError


def values(made: XmlNode) -> dict[str, str]:
    """The texts of an object's elements."""
    return {child.tag: child.text for child in made.children if not child.children}


# -- elements ----------------------------------------------------------------------------------


def test_elements_depend_on_the_release() -> None:
    assert "IdleDelay" not in {one.name for one in elements("Character", "3.5.1.22")}
    assert "IdleDelay" in {one.name for one in elements("Character", "3.6.0.36")}
    assert "Visibility" in {one.name for one in elements("NormalGUI", "3.4.1")}
    assert "Visibility" not in {one.name for one in elements("NormalGUI", "3.5.0.24")}


def test_values_defaults_and_nulls() -> None:
    made = node("Settings", {"GameName": "A game", "DebugMode": False}, "3.6.0.36")
    name = made.find("GameName")
    assert name is not None
    assert (name.text, name.attributes) == ("A game", {"xml:space": "preserve"})
    assert made.value("DebugMode") == "False"
    assert made.value("LetterboxMode") == "False"
    null = made.find("CustomDataDir")
    assert null is not None and null.attributes == {"IsNull": "True"}
    assert made.find("NoSuchElement") is None


# -- things ------------------------------------------------------------------------------------


def test_a_character() -> None:
    shown = {
        "ID": 3,
        "ScriptName": "cEgo\0left",
        "RealName": "Ego",
        "NormalView": 2,
        "UniformMovementSpeed": False,
        "MovementSpeedX": 5,
        "MovementSpeedY": 7,
        "Interactions": {"Look": "cEgo_Look"},
        "Properties": [{"Name": "smell", "Value": "of roses"}],
    }
    (made,) = characters([shown], "3.6.0.36")
    said = values(made)
    assert (said["ID"], said["ScriptName"], said["NormalView"]) == ("3", "cEgo", "2")
    assert (said["MovementSpeed"], said["MovementSpeedY"]) == ("5", "7")
    assert made.value("Properties/CustomProperty/Value") == "of roses"
    events = made.find("Interactions")
    assert events is not None
    assert [(e.attributes["Index"], e.text) for e in events.children][:2] == [
        ("0", "cEgo_Look"),
        ("1", ""),
    ]
    assert len(events.children) == 8
    (new,) = characters([shown | {"ScriptModule": "Ego.asc"}], "3.6.2.10")
    assert new.value("Interactions/ScriptModule") == "Ego.asc"


def test_item_0_is_in_no_project() -> None:
    made = inventory([{"ID": 0}, {"ID": 1, "Name": "iKey", "Interactions": ["a", "b"]}], "3.5.0.24")
    assert [one.value("Name") for one in made] == ["iKey"]
    events = made[0].find("Interactions")
    assert events is not None
    assert [event.text for event in events.children] == ["a", "b", "", "", ""]


def test_cursors() -> None:
    shown = [{"ID": 0, "Name": "eModeWalkto", "View": 3}, {"ID": 1, "Name": "Look", "View": 0}]
    made = [values(one) for one in cursors(shown, "3.6.0.36")]
    assert [(one["Name"], one["Animate"]) for one in made] == [
        ("Walkto", "True"),
        ("Look", "False"),
    ]


def test_fonts() -> None:
    shown: list[dict[str, object]] = [
        {"ID": 0, "Size": 9, "OutlineFont": "None", "AscenderFixup": True},
        {"ID": 1, "Size": 2, "SizeIsMultiplier": True, "OutlineFont": 0},
        {"ID": 2, "Size": 12, "OutlineFont": "Automatic"},
    ]
    made = [values(one) for one in fonts(shown, "3.6.0.36")]
    keys = ("PointSize", "SizeMultiplier", "OutlineStyle", "OutlineFont", "TTFMetricsFixup", "Name")
    assert [tuple(one[key] for key in keys) for one in made] == [
        ("9", "1", "None", "0", "SetAscenderToHeight", "Font 0"),
        ("0", "2", "UseOutlineFont", "0", "None", "Font 1"),
        ("12", "1", "Automatic", "0", "None", "Font 2"),
    ]


def test_views_and_dialogs() -> None:
    frames = [{"Image": 4, "Flipped": True, "Delay": 2, "Sound": -1}, {"Image": 5, "Sound": 7}]
    shown = {"ID": 1, "Name": "vEgo", "Loops": [{"RunNextLoop": True, "Frames": frames}]}
    (made,) = views([shown], "3.5.0.24")
    (loop,) = [one for one in made.walk() if one.tag == "Loop"]
    assert loop.value("RunNextLoop") == "True"
    got = [values(one) for one in loop.walk() if one.tag == "ViewFrame"]
    assert [(f["ID"], f["Image"], f["Flipped"], f["Sound"]) for f in got] == [
        ("0", "4", "True", "0"),
        ("1", "5", "False", "7"),
    ]
    numbers = [{"Sound": 0}, {"Sound": 2}, {"Sound": 3}, {}, {"Sound": 1}]
    shown = {"ID": 1, "Name": "vEgo", "Loops": [{"Frames": numbers}]}
    (made,) = views([shown], "3.5.0.24", {0: 31, 1: 7, 2: 120})
    got = [values(one) for one in made.walk() if one.tag == "ViewFrame"]
    assert [frame["Sound"] for frame in got] == ["31", "120", "0", "0", "7"]
    options = [{"Text": "Who are you?", "Show": True, "Say": False}]
    (dialog,) = dialogs(
        [{"ID": 2, "Name": "dBob", "Options": options}], {2: "@S\nreturn\n"}, "3.5.0.24"
    )
    assert dialog.value("Script") == "@S\nreturn\n"
    assert len([child for child in dialog.children if child.tag == "Script"]) == 1
    assert dialog.value("DialogOptions/DialogOption/ID") == "1"


@pytest.mark.parametrize(
    ("version", "label", "box"),
    [
        ("3.3.5", "TopMiddle", "Center"),
        ("3.5.0.24", "Center", "Center"),
        ("3.6.2.10", "TopCenter", "Center"),
    ],
)
def test_how_texts_are_aligned(version: str, label: str, box: str) -> None:
    controls = [
        {"Type": "Label", "Name": "lblA", "TextAlignment": "TopCenter"},
        {"Type": "ListBox", "Name": "lstA", "TextAlignment": "TopCenter"},
    ]
    release = tuple(int(part) for part in version.split(".")[:3])
    (made,) = guis([{"ID": 0, "Name": "gA", "Controls": controls}], version, release)
    shown = {one.tag: one.value("TextAlignment") for one in made.walk() if one.tag[:3] == "GUI"}
    assert shown["GUILabel"] == label
    assert shown["GUIListBox"] == box


def test_windows() -> None:
    shown = [
        {"ID": 0, "Name": "gA", "PopupStyle": "Normal", "Visible": False, "transparency": 237},
        {"ID": 1, "Name": "gB", "tag": "05000000", "BorderColor": 9, "Controls": [{"Image": 3}]},
        {"ID": 2, "Name": "gC", "transparency": 255, "Controls": [{"Type": "Button", "Image": -1}]},
    ]
    plain, window, clear = guis(shown, "3.4.1", (3, 4, 1))
    assert plain.value("NormalGUI/Visibility") == "NormalButInitiallyOff"
    assert plain.value("NormalGUI/Transparency") == "5"
    assert window.value("TextWindowGUI/TextColor") == "9"
    assert window.value("Controls/GUITextWindowEdge/Image") == "3"
    assert clear.value("NormalGUI/Transparency") == "100"
    assert clear.value("Controls/GUIButton/Image") == "0"


def test_settings() -> None:
    options = {
        "NoAutoMoveInWalkMode": True,
        "NativeCoordinates": True,
        "SkipSpeech": 3,
        "GlobalSpeechAnimationDelay": -6,
        "ScriptAPIVersion": 4,
        "ScriptCompatLevel": 99,
        "NumberDialogOptions": "Normal",
        "DialogOptionsAPI": -1,
    }
    game = {
        "Settings": {"GameName": "A", "Resolution": 2, "Options": options},
        "Saves": {"GUID": "{1}", "SaveGameFileExtension": "sav"},
    }
    said = values(settings(game, "3.5.0.24", "mine", {}, old_audio=True, about={}))
    expected = {
        "AutoMoveInWalkMode": "False",
        "UseLowResCoordinatesInScript": "False",
        "SkipSpeech": "MouseOrKeyboard",
        "UseGlobalSpeechAnimationDelay": "False",
        "GlobalSpeechAnimationDelay": "5",
        "ScriptAPIVersion": "v340",
        "ScriptCompatLevel": "Highest",
        "NumberDialogOptions": "Normal",
        "UseOldCustomDialogOptionsAPI": "True",
        "EnforceNewAudio": "False",
        "CustomResolution": "320,240",
        "GUIDAsString": "{1}",
        "EnhancedSaveGames": "True",
        "GameFileName": "mine",
    }
    assert {name: said[name] for name in expected} == expected
    old = values(settings(game, "3.3.2", "mine", {}, old_audio=False, about={}))
    assert (old["NumberDialogOptions"], old["Resolution"]) == ("True", "R320x240")
    assert size_of({"Resolution": 8, "Width": 640, "Height": 360}) == (640, 360)


# -- whole games -------------------------------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path) -> Path:
    made = ags_games.game()
    assert made.content is not None
    made.content.views = [View([Loop(0, [Frame(1), Frame(2)])])]
    made.content.view_names = ["vEgo"]
    made.content.audio_types = [AudioType(0), AudioType(1, 2, 30, 1), AudioType(4)]
    made.content.audio_clips = [
        AudioClip(0, "aDoor", "au00001F.ogg", 1, 1, 1, volume=80, priority=75)
    ]
    made.content.gui.sliders = [Slider(name="sld", maximum=9)]
    made.content.gui.list_boxes = [ListBox(name="lst")]
    made.recompute_counts()
    package = Package.read(ags_games.package(made, letters=("ab", "c")))
    package.add("au00001F.ogg", b"OggS")
    package.add("readme.txt", b"hello")
    translation = Translation()
    translation.set_pairs([Pair("Save", "Speichern")])
    package.add("German.tra", translation.to_bytes())
    path = tmp_path / "game.ags"
    path.write_bytes(package.to_bytes())
    return path


def test_sounds_have_the_index_of_their_files() -> None:
    names = ["au00001F.ogg", "own.wav", "au000002.ogg", "au00001f.wav", ""]
    shown = [{"ID": number, "FileName": name} for number, name in enumerate(names)]
    assert sound_indexes(shown) == {0: 31, 1: 32, 2: 2, 3: 33, 4: 34}


@pytest.mark.parametrize(("sound", "index"), [(-1, "0"), (0, "31"), (1, "5"), (9, "0")])
def test_what_plays_a_sound_names_its_index(sound: int, index: str) -> None:
    made = ags_games.game()
    assert made.content is not None
    made.content.views = [View([Loop(0, [Frame(1, sound=sound)])])]
    made.content.view_names = ["vEgo"]
    made.content.audio_clips = [
        AudioClip(0, "aDoor", "au00001F.ogg", 1, 1, 1), AudioClip(1, "aBell", "au000005.ogg", 1, 1),
    ]  # fmt: skip
    made.content.score_clip = sound
    made.recompute_counts()
    document = overhaul.open(ags_games.package(made))
    root = read_xml(convert(document).files["Game.agf"]()).root
    (frame,) = [one for one in root.walk() if one.tag == "ViewFrame"]
    assert frame.value("Sound") == index
    settings = root.find("Game/Settings")
    assert settings is not None
    assert (settings.value("PlaySoundOnScore"), settings.value("AudioIndexer")) == (index, "31")


def test_the_folder_of_a_project(game: Path, tmp_path: Path) -> None:
    with overhaul.open(game) as document:
        made = convert(document)
        write_project(made, tmp_path / "project")
        with pytest.raises(FileExistsError):
            write_project(made, tmp_path / "project")
    folder = tmp_path / "project"
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {
        "Game.agf", "GlobalScript.asc", "GlobalScript.ash", "RECOVERED.md", "room1.asc",
        "room1.crm", "agsfnt0.wfn", "AudioCache/au00001F.ogg", "German.trs",
        "CustomData/readme.txt",
    } <= names  # fmt: skip
    assert "game28.dta" not in names
    german = (folder / "German.trs").read_bytes().split(b"\r\n")
    assert german[0] == b"//#NormalFont=DEFAULT" and german[-3:] == [b"Save", b"Speichern", b""]
    project = read_xml((folder / "Game.agf").read_bytes())
    assert project.root.attributes["EditorVersion"] == "3.6.0.51"
    assert project.root.attributes["VersionIndex"] == "3060020"
    root = project.root
    (clip,) = [one for one in root.walk() if one.tag == "AudioClip"]
    assert clip.value("SourceFileName") == "AudioCache/au00001F.ogg"
    assert (clip.value("Index"), clip.value("DefaultPriority")) == ("31", "High")
    kinds = [one for one in root.walk() if one.tag == "AudioClipType"]
    assert [(k.value("TypeID"), k.value("Name"), k.value("CrossfadeClips")) for k in kinds] == [
        ("1", "Ambient Sound", "SlowFade"),
        ("4", "Type 4", "No"),
    ]
    words = [one.value("ScriptName") for one in root.walk() if one.tag == "Character"]
    assert words == ["cEgo", ""]
    assert (
        "Headers" in (folder / "RECOVERED.md").read_text()
        or "headers" in (folder / "RECOVERED.md").read_text()
    )
    messages = root.find("Game/GlobalMessages")
    assert messages is not None
    assert [m.text for m in messages.children if m.text] == ["You can't do that"]
    assert messages.children[2].attributes == {"ID": "502"}


def test_the_command(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(game), "--to", "agf", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["scripts"] == {"count": 3, "compile": 3, "failed": []}
    assert said["missing"] == ["dialog 1: its script is not one of dialogs"]
    text = (Path(said["path"]) / "RECOVERED.md").read_text("utf-8")
    assert "Of 3 scripts 3 compile again." in text
    assert "- dialog 1: its script is not one of dialogs\n" in text
    assert said["version"] == "3.6.0.51"
    assert Path(said["path"]).name == "game-project"
    assert "Game.agf" in said["files"]
    assert main(["convert", str(game), "--to", "agf"]) == 2
    assert "already" in capsys.readouterr().err


def test_control_characters_are_left_out_and_reported() -> None:
    made = ags_games.game()
    assert made.content is not None
    made.content.characters[0].name = "E\x1fgo"
    with GameDocument.from_bytes(made.to_bytes()) as document:
        converted = convert(document)
    assert "RealName: control characters, and bytes that are not letters, are left out" in (
        converted.report
    )
    root = read_xml(converted.files["Game.agf"]()).root
    names = [one.value("RealName") for one in root.walk() if one.tag == "Character"]
    assert names[0] == "Ego"


def test_a_name_with_a_byte_of_no_letter_is_reported() -> None:
    damaged = package().replace(b"\0Display\0", b"\0\xd2isplay\0")
    with open_data(damaged, source="small.ags") as document:
        text = convert(document).files["RECOVERED.md"]().decode()
    assert "GlobalScript.asc:11:34: expected a value, got '\\udcd2'" in text


def test_recovered_scripts_compile(game: Path, tmp_path: Path) -> None:
    with overhaul.open(game) as document:
        write_project(convert(document), tmp_path / "project")
    for script in sorted((tmp_path / "project").glob("*.asc")):
        assert compile_project(tmp_path / "project", script).startswith(b"SCOM")


def test_headers_do_not_declare_what_the_editor_does() -> None:
    """The room's script uses a hotspot, an object and a control, which have no script."""
    with open_data(package(), source="small.ags") as document:
        made = convert(document)
    source = made.files["room1.asc"]().decode()
    assert all(f"  {name}." in source for name in ("hDoor", "oLamp", "bSave"))
    header = made.files["GlobalScript.ash"]().decode()
    assert header.splitlines() == ["import int score;", "import int strength(int p0);"]


def test_a_script_that_compiles_to_other_code_is_named(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All ways to read scripts are tried, and the report says what is left."""
    read: list[tuple[bool, bool]] = []

    def other(*arguments: Any, apart: bool = False, as_given: bool = False) -> Sources:
        read.append((apart, as_given))
        made = sources_of(*arguments, apart=apart, as_given=as_given)
        more = "\r\nfunction more() { }\r\n"
        made.scripts = [replace(one, text=one.text + more) for one in made.scripts]
        return made

    monkeypatch.setattr(converting, "sources_of", other)
    with overhaul.open(game) as document:
        made = convert(document)
    assert read == [(False, False), (True, False), (False, True), (True, True)]
    assert made.scripts.failed == {}
    assert made.scripts.different == {
        "GlobalScript.asc": "more: there was none",
        "__DialogScripts.asc": "_run_dialog_request: there was none",
    }
    assert made.doubts == 2 + len(made.missing)
    text = made.files["RECOVERED.md"]().decode()
    assert "other code, with the first difference:\n\n- GlobalScript.asc: more: there was" in text


def test_functions_are_declared_as_they_are_defined() -> None:
    game = ags_games.game(3060003)
    assert game.content is not None
    heads = "import function IsOpen(int a);\nimport int Twice(this Character*, int a);\n"
    heads += "import function Twice(this InventoryItem*, float b);\n"
    module = compiled(
        "function IsOpen(int a)\n{\n  if (a == 12) return 0;\n  return 1;\n}\n"
        "function Twice(this Character*, int a) { return a * 12; }\n"
        "function Twice(this InventoryItem*, float b) { return FloatToInt(b); }\n"
    )
    game.content.script_modules = [module]
    game.content.global_script = compiled(
        heads + "function f() { if (IsOpen(1)) other = cEgo.Twice(1) + iKey.Twice(2.5); }\n"
    )
    module_, global_script = sources_of(game, {}, ()).scripts
    lines = [line for line in module_.header.splitlines() if "Twice" in line or "IsOpen" in line]
    assert lines == [
        "import bool IsOpen(int p0);",
        "import int Twice(this Character*, int p0);",
        "import int Twice(this InventoryItem*, float p0);",
    ]
    assert "Twice" not in global_script.header and "IsOpen" not in global_script.header
    assert [script.text.count("import") for script in (module_, global_script)] == [0, 0]


def test_a_struct_of_two_scripts_has_the_fields_of_both() -> None:
    game = ags_games.game(3060003)
    assert game.content is not None
    head = "struct Hero { int luck; short age; char name[2]; };\nimport Hero heroes[3];\n"
    game.content.script_modules = [
        compiled(head + "function a() { heroes[1].luck = 2; heroes[2].age++; }\n")
    ]
    game.content.global_script = compiled(head + "function b(int n) { heroes[n].name[1] = 3; }\n")
    module, global_script = sources_of(game, {}, ()).scripts
    assert module.header.count("struct ") == 1 and module.header.count(" heroes[") == 1
    names = [*re.findall(r"heroes\[\w+\]\.(\w+)", module.text + global_script.text)]
    assert len(names) == 3 and all(f" {name}" in module.header for name in names)


def test_dialogs_have_their_own_language() -> None:
    game = ags_games.game(3060003)
    assert game.content is not None
    script = compiled(
        "function _run_dialog0(int entryPoint) { if (entryPoint == 0) {\n"
        'cEgo.Say("Hello.");\nreturn -1; }\nreturn -1; }\n'
        "import function dialog_request(int p);\nfunction f() { dialog_request(1); }\n"
    )
    script.sections[-1].name = "Dialog 0"
    game.content.dialog_script = script
    made = sources_of(game, {}, ())
    assert made.dialogs == {0: "@S\r\nEgo: Hello.\r\nreturn\r\n"}
    # the editor declares it itself
    assert all("dialog_request" not in each.header for each in made.scripts)
    script.sections[-1].name = "Dialog 7"
    other = sources_of(game, {}, ())
    assert other.failures == ["dialog 7: its script is not one of dialogs"]
    assert all(line.startswith("//") for line in other.dialogs[7].splitlines() if line)


@pytest.mark.parametrize(("encoding", "word"), [("cp1252", "ä"), ("cp1251", "д")])
def test_texts_of_global_variables_are_in_the_encoding_of_the_game(
    encoding: str, word: str
) -> None:
    made = ags_games.game()
    assert made.content is not None
    script = compiled(
        "String word;\nexport word;\nint score = 7;\nexport score;\n"
        'function game_start() {\nword = "\udce4";\n}\n'
    )
    script.sections[0].name = "_GlobalVariables.asc"
    made.content.script_modules.append(script)
    with open_data(made.to_bytes(), source="game28.dta") as document:
        assert isinstance(document, GameDocument)
        document.encoding = encoding
        root = read_xml(convert(document).files["Game.agf"]()).root
    variables = [one for one in root.walk() if one.tag == "GlobalVariable"]
    names = ("Name", "Type", "DefaultValue")
    assert [[one.value(name) for name in names] for one in variables] == [
        ["word", "String", word], ["score", "int", "7"]
    ]  # fmt: skip


def test_games_of_ags_4_have_other_projects(tmp_path: Path) -> None:
    path = tmp_path / "game28.dta"
    path.write_bytes(ags_games.game(4000009, "4.0.0.9").to_bytes())
    with overhaul.open(path) as document, pytest.raises(FormatError, match="AGS 4"):
        convert(document)


def test_games_before_3_0_have_no_project(tmp_path: Path) -> None:
    path = tmp_path / "ac2game.dta"
    made = Game(version=12)
    made.header.compiled_with = "2.31"
    path.write_bytes(made.to_bytes())
    with overhaul.open(path) as document, pytest.raises(FormatError, match=r"before 3\.0"):
        convert(document)


@pytest.mark.parametrize("text", ["of an editor", "", "3", "9" * 5000 + ".1", "3." + "9" * 5000])
def test_a_game_that_names_no_editor_is_one_of_the_oldest(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game28.dta"
    made = ags_games.game()
    made.header.compiled_with = text
    path.write_bytes(made.to_bytes())
    with overhaul.open(path) as document:
        project = convert(document)
    assert project.version == "3.2.0"
    assert b'EditorVersion="3.2.0"' in project.files["Game.agf"]()


def test_converting_proves_no_script(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts are decompiled together: proving each on its own takes longer than all the rest."""
    proven: list[Script] = []
    monkeypatch.setattr(code, "script_files", lambda script, _: proven.append(script))
    with overhaul.open(game) as document:
        made = convert(document)
    assert proven == []
    assert made.scripts.names == ["GlobalScript.asc", "__DialogScripts.asc", "room1.asc"]


def test_what_is_no_game(tmp_path: Path) -> None:
    path = tmp_path / "room1.crm"
    path.write_bytes(ags_games.room().to_bytes())
    with overhaul.open(path) as document, pytest.raises(FormatError, match="got ags-room"):
        convert(document)
