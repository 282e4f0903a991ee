"""Projects built to games: scripts, rooms, all files; errors with their places; all or nothing."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest

import ags_built
import ags_games
import overhaul
from overhaul import ags
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.game.game import Game
from overhaul.ags.library.package import Package
from overhaul.ags.room.room import Room
from overhaul.ags.translation import Translation
from overhaul.cli import main
from overhaul.document.xmltext import XmlFile, XmlNode
from overhaul.errors import FormatError, OverhaulError, UnsupportedVersion


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return ags_built.write(tmp_path / "project")


def found(file: XmlFile, path: str) -> XmlNode:
    node = file.root.find(f"Game/{path}")
    assert node is not None
    return node


def data_of(path: str | Path) -> Game:
    """The data of a game in a package."""
    return Game.read(Package.read(Path(path).read_bytes())["game28.dta"].read())


def test_a_game_has_all_files(project: Path, tmp_path: Path) -> None:
    built = ags.build(project, tmp_path / "out")
    names = ["Small.ags", "audio.vox", "German.tra", "acsetup.cfg"]
    assert built.path == str(tmp_path / "out" / "Small.ags")
    assert built.files == [str(tmp_path / "out" / name) for name in names]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(names)
    assert built.version == ags_built.EDITOR and not built.findings
    package = Package.read(Path(built.path).read_bytes())
    assert [(asset.name, asset.size) for asset in package] == list(built.members.items())
    assert list(built.members) == [
        "au000002.ogg", "game28.dta", "AGSFNT0.WFN", "acsprset.spr", "room1.crm",
    ]  # fmt: skip
    sounds = Package.read((tmp_path / "out" / "audio.vox").read_bytes())
    assert [(asset.name, asset.read()) for asset in sounds] == [("au000001.ogg", b"OggS tune")]
    german = Translation.read((tmp_path / "out" / "German.tra").read_bytes())
    assert [(pair.source, pair.text) for pair in german.pairs] == [("Here.", "Hier.")]


def test_the_game_opens_with_its_scripts(project: Path, tmp_path: Path) -> None:
    built = ags.build(project / "Game.agf", tmp_path / "game.ags")
    assert built.scripts.to_json() == {"count": 5, "compile": 5, "failed": []}
    assert built.scripts.names == [
        "room1.asc", "GlobalScript.asc", "_GlobalVariables.asc", "Module.asc",
        "__DialogScripts.asc",
    ]  # fmt: skip
    with overhaul.open(tmp_path / "game.ags") as document:
        assert isinstance(document, PackageDocument)
        game = data_of(built.path)
        assert [name for name, _ in game.scripts()] == [
            "GlobalScript", "DialogScripts", "_GlobalVariables.asc", "Module.asc",
        ]  # fmt: skip
        scripts = dict(game.scripts())
        for name in ("GlobalScript", "_GlobalVariables.asc", "Module.asc"):
            file = f"{name}.asc" if name == "GlobalScript" else name
            assert scripts[name].to_bytes() == ags.compile_project(project, project / file)
        room = Room.read(document.read("room1.crm"))
        assert room.main is not None and room.script is not None
        assert room.main.game_id == ags_built.UNIQUE_ID
        assert room.script.to_bytes() == ags.compile_project(project, project / "room1.asc")
        assert document.to_bytes() == (tmp_path / "game.ags").read_bytes()


def test_a_room_with_the_same_script_keeps_its_bytes(project: Path, tmp_path: Path) -> None:
    first = Package.read(Path(ags.build(project, tmp_path / "1").path).read_bytes())
    (project / "room1.crm").write_bytes(first["room1.crm"].read())
    game = project / "Game.agf"  # a new name: the places in the table of imports move
    text = game.read_text("utf-8").replace("gMenu</Name>", "gMenu</Name>", 1)
    game.write_text(text.replace("<ScriptName>aBell<", "<ScriptName>aDing<"), "utf-8", newline="")
    header = project / "Module.ash"
    header.write_text("import int more(int b);\n" + header.read_text())
    (project / "Module.asc").write_text(
        "int twice(int a) { return a * 2; }\nint more(int b) { return b; }\n"
    )
    second = Package.read(Path(ags.build(project, tmp_path / "2").path).read_bytes())
    assert second["room1.crm"].read() == first["room1.crm"].read()
    (project / "room1.asc").write_text('function room_Load() { cEgo.Say("There."); }\n')
    third = Package.read(Path(ags.build(project, tmp_path / "3").path).read_bytes())
    assert b"There." in third["room1.crm"].read()


def test_a_room_without_a_script_gets_one(project: Path, tmp_path: Path) -> None:
    bare = ags_games.room()
    bare.blocks.blocks = [block for block in bare.blocks.blocks if block.id != 7]
    (project / "room1.crm").write_bytes(bare.to_bytes())
    package = Package.read(Path(ags.build(project, tmp_path / "out").path).read_bytes())
    room = Room.read(package["room1.crm"].read())
    assert [block.id for block in room.blocks.blocks] == [1, 7, 5]


def test_events_of_rooms_without_a_function_are_warnings(project: Path, tmp_path: Path) -> None:
    room = ags_games.room()
    assert room.main is not None
    room.main.room_events = ["room_Load", "", "room_Leave"]
    room.main.hotspot_events = [["", "hDoor_Look"], ["hDoor_Look"]]
    (project / "room1.crm").write_bytes(room.to_bytes())
    found = ags.build(project, tmp_path / "out").findings
    assert [(one.code, Path(one.path).name, one.message) for one in found] == [
        ("missing-name", "room1.crm",
         f"an event of the room runs {name}, which its script lacks")
        for name in ("room_Leave", "hDoor_Look")
    ]  # fmt: skip


def test_dialogs_need_a_function_that_the_global_script_may_lack(
    project: Path, tmp_path: Path
) -> None:
    script = project / "GlobalScript.asc"
    text = script.read_text().replace("function dialog_request(int param) { }\n", "")
    script.write_text(text)
    main_script = dict(data_of(ags.build(project, tmp_path / "out").path).scripts())["GlobalScript"]
    assert "dialog_request$1" in [export.name for export in main_script.exports]
    assert script.read_text() == text  # the project is not changed


def test_events_without_a_function_are_warnings(project: Path, tmp_path: Path) -> None:
    script = project / "GlobalScript.asc"
    script.write_text(script.read_text().replace("iKey_Look", "iKey_Regard"))
    (warned,) = ags.build(project, tmp_path / "out").findings
    assert (warned.severity, warned.code, warned.key) == ("warning", "missing-name", "Event")
    assert warned.message == "the event runs iKey_Look, which its script lacks"
    line = (project / "Game.agf").read_text("utf-8").splitlines()[warned.line - 1]
    assert "iKey_Look" in line and line[warned.column - 1 :].startswith("<Event")


# -- errors ------------------------------------------------------------------------------------


def errors_of(project: Path, out: Path) -> list[tuple[str, int, int, str]]:
    """(file, line, column, message) of each error; nothing is written."""
    with pytest.raises(ags.BuildError) as caught:
        ags.build(project, out)
    assert not out.exists()
    assert all(one.severity == "error" for one in caught.value.findings)
    return [
        (Path(one.path).name, one.line, one.column, one.message) for one in caught.value.findings
    ]


def test_errors_of_all_scripts_are_reported(project: Path, tmp_path: Path) -> None:
    (project / "Module.asc").write_text("int twice(int a) {\n  return a * ;\n}\n")
    (project / "room1.asc").write_text("function room_Load() {\n  nobody.Say(1);\n}\n")
    found = errors_of(project, tmp_path / "out")
    assert [one[:3] for one in found] == [("room1.asc", 2, 3), ("Module.asc", 2, 14)]
    assert "'nobody' is not declared" in found[0][3]
    with pytest.raises(ags.BuildError) as caught:
        ags.build(project, tmp_path / "out")
    said = caught.value.scripts
    assert (len(said.names), list(said.failed)) == (5, ["room1.asc", "Module.asc"])
    assert said.to_json()["compile"] == 3


def test_errors_of_dialogs(project: Path, tmp_path: Path) -> None:
    file = ags_built.project()
    talk = found(file, "Dialogs/DialogFolder/Dialogs/Dialog/Script")
    talk.text = "@S\nEgo: Hi.\nNobody: Ho.\nreturn\n"
    ags_built.write(project, file)
    ((name, line, _, message),) = errors_of(project, tmp_path / "out")
    assert (name, line) == ("Dialog 0", 3) and "'nobody'" in message


def _text(path: str, text: str) -> Callable[[XmlFile], None]:
    def change(file: XmlFile) -> None:
        node = found(file, path)
        node.text = text

    return change


def _again(path: str, tag: str) -> Callable[[XmlFile], None]:
    """A thing that is there twice."""

    def change(file: XmlFile) -> None:
        parent = found(file, path)
        parent.children.append(deepcopy(next(parent.all(tag))))

    return change


@pytest.mark.parametrize(
    ("change", "tag", "message"),
    [
        (_text("PlayerCharacter", "4"), "PlayerCharacter", "the game has no player character"),
        (_text("Characters/CharacterFolder/Characters/Character/StartingRoom", "3"),
         "StartingRoom", "the player starts in room 3, which the project lacks"),
        (_text("Characters/CharacterFolder/Characters/Character/NormalView", "9"), "NormalView",
         "cEgo has the view 9, which the project lacks"),
        (_text("Settings/DialogOptionsGUI", "7"), "DialogOptionsGUI",
         "the GUI 7 for options of dialogs is missing"),
        (_text("Settings/SkipSpeech", "Never"), "SkipSpeech", "got 'Never'"),
        (_text("AudioClipTypes/AudioClipType/MaxChannels", "99"), "AudioClipType",
         "the types of sounds have 100 channels, of at most 31"),
        (_text("Rooms/UnloadedRoomFolder/UnloadedRooms/UnloadedRoom/Number", "2"), "UnloadedRoom",
         "the room room2.crm is not in the project"),
        (_again("Rooms/UnloadedRoomFolder/UnloadedRooms", "UnloadedRoom"), "Number",
         "another room has the number 1: change one of them"),
        (_again("Views/ViewFolder/Views", "View"), "ID",
         "another view has the number 1: change one of them"),
        (_text("Translations/Translation/Name", "Dutch"), "Translation",
         "the translation Dutch.trs is not in the project"),
    ],
)  # fmt: skip
def test_errors_of_the_project_have_a_place(
    project: Path, tmp_path: Path, change: Callable[[XmlFile], None], tag: str, message: str
) -> None:
    file = ags_built.project()
    change(file)
    ags_built.write(project, file)
    places = [one for one in errors_of(project, tmp_path / "out") if message in one[3]]
    assert [name for name, *_ in places] == ["Game.agf"]
    ((_, line, column, _),) = places
    text = (project / "Game.agf").read_bytes().split(b"\n")[line - 1]
    assert text[column - 1 :].startswith(b"<" + tag.encode())


def test_sounds_that_are_missing_are_left_out(project: Path, tmp_path: Path) -> None:
    (project / "AudioCache" / "au000002.ogg").unlink()
    built = ags.build(project, tmp_path / "out")
    (warned,) = built.findings
    assert (warned.severity, warned.code) == ("warning", "absent-file")
    assert warned.message == (
        "the sound aBell is left out: there is neither its source Sounds/bell.ogg nor "
        "AudioCache/au000002.ogg"
    )
    text = (project / "Game.agf").read_text("utf-8").splitlines()[warned.line - 1]
    assert text[warned.column - 1 :] == "<SourceFileName>Sounds/bell.ogg</SourceFileName>"
    assert "au000002.ogg" not in built.members
    with pytest.raises(ags.BuildError, match="aBell is left out"):
        ags.build(project, tmp_path / "strict", strict=True)
    assert not (tmp_path / "strict").exists()
    (project / "Sounds").mkdir()
    (project / "Sounds" / "Bell.OGG").write_bytes(b"OggS source")
    assert ags.build(project, tmp_path / "strict", strict=True).members["au000002.ogg"] == 11


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("acsprset.spr", "the project has no sprites"),
        ("room1.asc", "the script does not exist"),
        ("Module.ash", "the header does not exist"),
        ("GlobalScript.asc", "the script does not exist"),
    ],
)
def test_files_that_are_missing(project: Path, tmp_path: Path, name: str, message: str) -> None:
    (project / name).unlink()
    found = errors_of(project, tmp_path / "out")
    assert (name, 0, 0) in [one[:3] for one in found]
    assert any(message in one[3] for one in found)


def test_texts_that_an_old_game_can_not_have(tmp_path: Path) -> None:
    file = ags_built.project("3.6.0.51", "3060020", GameTextEncoding="ANSI")
    _text("Characters/CharacterFolder/Characters/Character/RealName", "Ег")(file)
    project = ags_built.write(tmp_path / "project", file)
    ((name, line, _, message),) = errors_of(project, tmp_path / "out")
    assert (name, message) == ("Game.agf", "'Е' does not exist in the encoding cp1252")
    assert "Ег" in (project / "Game.agf").read_text("utf-8").splitlines()[line - 1]
    _text("Characters/CharacterFolder/Characters/Character/RealName", "Zoë")(file)
    ags_built.write(project, file)
    content = data_of(ags.build(project, tmp_path / "out").path).content
    assert content is not None and content.characters[0].name == "Zo\udceb"


def test_what_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"the folder has no Game\.agf"):
        ags.build(tmp_path, tmp_path / "out")
    (tmp_path / "Game.agf").write_text("<Other><Game /></Other>")
    with pytest.raises(FormatError, match="not a project: expected AGSEditorDocument with Game"):
        ags.build(tmp_path, tmp_path / "out")
    (tmp_path / "Game.agf").write_text("<AGSEditorDocument><Ga")
    with pytest.raises(FormatError, match="broken XML at line 1, column"):
        ags.build(tmp_path, tmp_path / "out")
    ags_built.write(tmp_path, ags_built.project("4.0.0.9", "4000009"))
    with pytest.raises(UnsupportedVersion, match=r"the editor 4\.0\.0\.9 can't be"):
        ags.build(tmp_path, tmp_path / "out")


# -- writing -----------------------------------------------------------------------------------


def test_existing_files_stay_without_force(project: Path, tmp_path: Path) -> None:
    (tmp_path / "acsetup.cfg").write_text("mine")
    with pytest.raises(FileExistsError):
        ags.build(project, tmp_path / "game.ags")
    assert not (tmp_path / "game.ags").exists()
    ags.build(project, tmp_path / "game.ags", force=True)
    assert (tmp_path / "acsetup.cfg").read_text().startswith("[graphics]")


def test_two_builds_are_the_same(project: Path, tmp_path: Path) -> None:
    one, two = (ags.build(project, tmp_path / name) for name in ("1", "2"))
    assert Path(one.path).read_bytes() == Path(two.path).read_bytes()
    old = ags_built.write(tmp_path / "old", ags_built.project("3.4.1", "15"))
    three, four = (ags.build(old, tmp_path / name) for name in ("3", "4"))
    assert Path(three.path).name == "old.ags"
    assert Path(three.path).read_bytes() == Path(four.path).read_bytes()


def test_programs_need_an_engine(project: Path, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"an \.exe needs an engine"):
        ags.build(project, tmp_path / "game.exe")
    engine = tmp_path / "acwin.exe"
    engine.write_bytes(b"MZ the engine")
    built = ags.build(project, tmp_path / "game.exe", engine=engine)
    assert Path(built.path).read_bytes().startswith(b"MZ the engine")
    assert data_of(built.path).content is not None
    assert Path(ags.build(project, tmp_path / "out", engine=engine).path).name == "Small.exe"
    assert len(ags.build(project, tmp_path / "split", engine=engine).files) == 4


def test_split_games_have_several_files(tmp_path: Path) -> None:
    project = ags_built.write(tmp_path / "project", ags_built.project(SplitResources=1))
    built = ags.build(project, tmp_path / "out")
    assert [Path(path).name for path in built.files[:2]] == ["Small.ags", "Small.001"]
    with overhaul.open(built.path) as document:
        assert isinstance(document, PackageDocument)
        assert document.read("acsprset.spr") == ags_built.sprites()


# -- the command -------------------------------------------------------------------------------


def test_the_command(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "game.ags"
    assert main(["build", str(project), "-o", str(out)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"{out}: 5 files, 5 scripts compiled, ")
    assert said[1:] == [str(tmp_path / name) for name in ("audio.vox", "German.tra", "acsetup.cfg")]
    assert main(["build", str(project), "-o", str(out)]) == 2
    assert "already" in capsys.readouterr().err
    assert main(["build", str(project), "-o", str(out), "--force", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["path"], row["version"], row["findings"]) == (str(out), ags_built.EDITOR, [])
    assert row["scripts"] == {"count": 5, "compile": 5, "failed": []}
    assert [member["name"] for member in row["members"]][:2] == ["au000002.ogg", "game28.dta"]


def test_the_command_reports_errors(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = project / "Module.asc"
    script.write_text("int twice(int a) {\n  return b;\n}\n")
    assert main(["build", str(project), "-o", str(tmp_path / "out"), "--json"]) == 1
    out, err = capsys.readouterr()
    row = json.loads(out)
    assert row["path"] is None
    (failed,) = row["scripts"]["failed"]
    assert (failed["script"], failed["finding"]["line"]) == ("Module.asc", 2)
    assert (row["scripts"]["count"], row["scripts"]["compile"]) == (5, 4)
    (finding,) = row["findings"]
    assert finding["path"] == str(script) and finding == failed["finding"]
    assert err == f"overhaul: error: {script}:2:10: 'b' is not declared\n"
    assert main(["build", str(tmp_path / "none"), "-o", str(tmp_path / "out")]) == 3


# -- damaged projects --------------------------------------------------------------------------


def test_damaged_projects_give_only_our_errors(project: Path, tmp_path: Path) -> None:
    whole = {path: path.read_bytes() for path in project.iterdir() if path.is_file()}
    chance = random.Random(5)
    refused = 0
    for turn in range(60):
        path = chance.choice([*whole, *[project / "Game.agf"] * 9])
        data = bytearray(whole[path])
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(data) or 1)
            data[at : at + chance.randrange(0, 9)] = chance.choice(
                [b"", b"<", b"-1", b"999999999999", b"\xff", b"</Game>", b"\0", b"x" * 20]
            )
        path.write_bytes(data)
        out = tmp_path / f"out{turn}"
        try:
            ags.build(project, out)
        except OverhaulError:
            refused += 1
            assert not out.exists()
        path.write_bytes(whole[path])
    assert 20 < refused < 60
    shutil.rmtree(project)


def test_sounds_of_releases_without_clips_are_next_to_the_game(tmp_path: Path) -> None:
    project = ags_built.write(tmp_path / "project", ags_built.project("3.1.2", "6"))
    for name in ("music1.mid", "SOUND12.OGG", "music.txt"):
        (project / name).write_bytes(name.encode())
    made = ags.build(project, tmp_path / "out")
    names = [Path(path).name for path in made.files]
    assert "music1.mid" in names and "SOUND12.OGG" in names and "music.txt" not in names
    assert (tmp_path / "out" / "music1.mid").read_bytes() == b"music1.mid"
    newer = ags_built.write(tmp_path / "newer", ags_built.project("3.2.1", "6"))
    (newer / "music1.mid").write_bytes(b"m")
    files = ags.build(newer, tmp_path / "other").files
    assert "music1.mid" not in [Path(path).name for path in files]


def test_frames_of_releases_without_clips_have_the_numbers_of_sounds(tmp_path: Path) -> None:
    project = ags_built.write(tmp_path / "project", ags_built.project("3.1.2", "6"))
    made = ags.build(project, tmp_path / "out")
    with overhaul.open(made.path) as document:
        assert isinstance(document, PackageDocument)
        game = document.game
        assert isinstance(game, GameDocument)
        content = game.game.content
    assert content is not None
    frames = [frame.sound for frame in content.views[0].loops[0].frames]
    assert frames == [2, 0]


def test_a_project_of_an_older_editor_is_built_as_a_later_one_opens_it(tmp_path: Path) -> None:
    games, findings = {}, {}
    for editor, index in (("3.1.0", "1"), ("3.1.1", "2"), ("3.1.2", "4")):
        file = ags_built.project(editor, index, AntiGlideMode=False)
        lines = found(file, "Dialogs/Dialog/Script")
        talk = lines.text
        if editor != "3.1.2":
            lines.text = talk.replace("Ego:", " \t Ego:").replace("stop", " stop")
        character = found(file, "Characters/Character")
        linked = character.find("MovementLinkedToAnimation")
        assert linked is not None
        linked.text = "False"
        if editor == "3.1.0":
            character.children.remove(linked)
        folder = ags_built.write(tmp_path / editor / "Small", file)
        built = ags.build(folder, tmp_path / f"built {editor}")
        games[editor] = Path(built.path).read_bytes()
        findings[editor] = [(one.code, one.severity, one.message) for one in built.findings]
        assert built.version == data_of(built.path).header.compiled_with == "3.1.2"
    assert games["3.1.0"] == games["3.1.1"] == games["3.1.2"]
    assert not findings["3.1.2"]
    for editor in ("3.1.0", "3.1.1"):
        message = (
            f"the project is of the editor {editor}: its game is built as the editor 3.1.2 builds "
            "it, and needs an engine of that release or a later one"
        )
        assert findings[editor] == [("older-editor", "warning", message)]


def test_sounds_that_the_project_lacks_are_named(tmp_path: Path) -> None:
    """The editor before 3.2 has files of sounds by number, and 0 and -1 are none."""
    said = {}
    for editor, index in (("3.1.2", "4"), ("3.2.1", "6"), ("3.6.2.12", "3060209")):
        file = ags_built.project(editor, index, PlaySoundOnScore=9)
        sounds = [node for node in file.root.walk() if node.tag == "Sound"]
        assert [node.text for node in sounds] == ["2", "0"]
        for text in ("2", "-1", "77"):
            sounds[0].text = text
            folder = ags_built.write(tmp_path / editor / text, file)
            findings = ags.build(folder, tmp_path / editor / f"built {text}").findings
            said[editor, text] = [one.message for one in findings]
            assert all(one.code == "missing-name" and one.line for one in findings)
    score = "the score plays the sound 9, which the project lacks"
    frame = "a frame of the view VEGO plays the sound 77, which the project lacks"
    for editor in ("3.2.1", "3.6.2.12"):
        assert said[editor, "2"] == said[editor, "-1"] == [score]
        assert said[editor, "77"] == [frame, score]
    assert [said["3.1.2", text] for text in ("2", "-1", "77")] == [[], [], []]
    sounds[0].text = "many"
    with pytest.raises(OverhaulError) as caught:
        ags.build(ags_built.write(tmp_path / "bad", file), tmp_path / "built")
    (finding,) = caught.value.findings
    assert (finding.key, finding.line > 0) == ("Sound", True)
