"""Projects: what is read of Game.agf, the headers made of it, dialogs, and whole scripts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import overhaul.ags
from ags_editor_projects import EDITOR, make_project, project_text
from ags_rooms import main_of, room
from ags_scripts import instructions
from overhaul.ags.agf import model
from overhaul.ags.agf.compiling import ProjectCompiler
from overhaul.ags.agf.dialogs import DialogConverter, dialogs_script
from overhaul.ags.agf.header import import_lines, project_header
from overhaul.ags.agf.model import read_project
from overhaul.ags.agf.rooms import Guesses, RoomNames
from overhaul.ags.agf.variables import variables_header, variables_script
from overhaul.ags.api import builtin_header
from overhaul.ags.language import ScriptError
from overhaul.ags.room.records import ObjectScriptNames, Point, RoomObject
from overhaul.ags.script.model import Script, read_script
from overhaul.errors import FormatError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a project."""
    return make_project(tmp_path)


def used(script: Script) -> list[str]:
    """The names of the imports that are used."""
    return [name for name in script.imports if name]


def compile_in(folder: Path, script: str, editor: str | None = None) -> Script:
    """A script of a project, compiled."""
    return read_script(overhaul.ags.compile_project(folder, folder / script, editor))[0]


def test_things_are_read_in_the_order_of_the_tree_or_by_number() -> None:
    project = read_project(project_text())
    assert project.editor == EDITOR
    assert [item.name for item in project.characters] == ["cBear", "cEgo", "c9"]
    assert [(item.name, item.number) for item in project.inventory] == [("", 1), ("iKey", 2)]
    assert [gui.name for gui in project.guis] == ["Window", "gPanel"]
    assert project.guis[1].controls == [
        ("Button", "btnOk"),
        ("Label", ""),
        ("InvWindow", "invMain"),
    ]
    assert project.headers == ["Module.ash", "GlobalScript.ash"]
    assert project.dialogs[0].options == 2


UNSEEN = [
    *("<Loops><Loop><ID>7</ID></Loop></Loops>", "<Sprites><Sprite Slot='1'/></Sprites>"),
    *("<Palette><Name>a</Name></Palette>", "<GlobalMessages><M>x</M></GlobalMessages>"),
    *("<Left>1</Left>", "<Text />", '<Event Index="0">a</Event>', '<A b="x>y">1</A>', "<Name />"),
    *("<!-- <GUIs><Left>1</Left> -->", "<!-- </Characters> -->", "<T><![CDATA[<ID>9</ID>]]></T>"),
    *("<Rooms><Rooms><Left>1</Left></Rooms></Rooms>", "<GUIs></GUIs>", "<B><C>1</C></B>"),
]


def test_what_scripts_do_not_see_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = random.Random(26)
    for _ in range(300):
        text = project_text().decode("cp1252")
        pieces = text.split("</ID>")
        text = pieces[0]
        for piece in pieces[1:]:
            more = chosen.choice(UNSEEN) if chosen.random() < 0.2 else ""
            text += f"</ID>{more}{piece}"
        with monkeypatch.context() as patch:
            patch.setattr(model, "_without_unseen", lambda data, _: data)
            whole = read_project(text.encode("cp1252"))
        assert read_project(text.encode("cp1252")) == whole, text


@pytest.mark.parametrize("unseen", UNSEEN[2:4])
def test_what_stands_between_two_unseen_sections_is_seen(unseen: str) -> None:
    pieces = project_text().decode("cp1252").split("</ID>")
    for place in range(1, len(pieces) - 1):
        changed = [f"{unseen}{each}" if n in (place, place + 1) else each
                   for n, each in enumerate(pieces)]  # fmt: skip
        assert read_project("</ID>".join(changed).encode("cp1252")) == read_project(project_text())


def test_texts_of_utf_8_are_letters() -> None:
    assert "cBear: B\u00e4r" in read_project(project_text("utf-8")).dialogs[0].script
    assert "cBear: B\udce4r" in read_project(project_text()).dialogs[0].script


def test_the_header_names_the_things() -> None:
    text = project_header(read_project(project_text()), (3, 5, 0, 27))
    text += import_lines(RoomNames(["oDoor", ""], ["hFloor"]).imports())
    assert text.split("\n")[9:] == [
        "enum CursorMode { eModeWalkto = 0 };",
        "enum FontType { eFontFont0 = 0 };",
        "import Character character[3];",
        "#define BEAR 1",
        "import Character cBear;",
        "#define EGO 0",
        "import Character cEgo;",
        "import Character c9;",
        "enum AudioType { eAudioTypeAmbientSound = 1 };",
        "import AudioClip aMusic;",
        "import Hotspot hotspot[50];",
        "import Region region[16];",
        "import InventoryItem inventory[3];",
        "import InventoryItem iKey;",
        "import Dialog dialog[1];",
        "import Dialog dTalk;",
        "import GUI gui[2];",
        "import GUI Window;",
        "import GUI gPanel;",
        '#define PANEL FindGUIID("PANEL")',
        "import Button btnOk;",
        "import InvWindow invMain;",
        "#define VWALK 4",
        "import Object oDoor;",
        "import Hotspot hFloor;",
        "",
    ]


def test_later_headers_leave_limits_and_lists_to_the_built_in_one() -> None:
    text = project_header(read_project(project_text()), (3, 6, 0, 50))
    assert "AGS_MAX" not in text
    assert "hotspot[" not in text
    assert "hotspot[" in builtin_header("3.6.0.50")


def test_global_variables_are_a_header_and_a_script() -> None:
    variables = read_project(project_text()).variables
    assert variables_header(variables) == (
        "import int count;\nimport String title;\nimport Character* who;\n"
    )
    assert variables_script(variables) == (
        "int count = -3;\nexport count;\nString title;\nexport title;\nCharacter* who;\n"
        'export who;\nfunction game_start() {\n  title = "a \\"b\\"";\n}\n'
    )


def test_dialogs_become_a_function_each_line_by_line() -> None:
    project = read_project(project_text(say="MySay"))
    lines = DialogConverter(project, project.dialogs[0]).lines()
    assert lines == [
        "function _run_dialog0(int entryPoint) { ",
        "if (entryPoint == 0) {",
        'cEgo.MySay("He said \\"hi\\"");',
        'player.MySay("...");',
        'Display("3: 2: 1");',
        "entryPoint = 1; } if (entryPoint == 1) {",
        '  dialog[0].SetOptionState(1, eOptionOff); if (dialog[0] == dTalk) { Display("this"); }',
        "",
        "dialog[0].SetOptionState(2, eOptionOffForever);",
        "return RUN_DIALOG_RETURN; }",
        "",
        "else if (entryPoint == 2) {",
        "player.AddInventory(inventory[1]);",
        'cBear.MySay("B\udce4r");',
        "return 0;}",
        "return RUN_DIALOG_RETURN; }",
    ]


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("stop", "return RUN_DIALOG_STOP_DIALOG; }"),
        ("goto-previous", "return RUN_DIALOG_GOTO_PREVIOUS; }"),
        ("Option-On 1;", "dialog[0].SetOptionState(1, eOptionOn);"),
        ("goto-dialog 7", "return 7;}"),
        ("set-globalint 3, 4", "SetGlobalInt(3,4);"),
        ("set-speech-view EGO 4", "cEgo.SpeechView = 4;"),
        ("new-room 12", "player.ChangeRoom(12); return RUN_DIALOG_STOP_DIALOG;}"),
        ("lose-inv 2", "player.LoseInventory(inventory[2]);"),
        (
            "run-script 5",
            "__dlgscript_tempval=_run_dialog_request(5);"
            " if(__dlgscript_tempval!=-1) return __dlgscript_tempval;",
        ),
    ],
)
def test_commands_of_dialogs(command: str, script: str) -> None:
    project = read_project(project_text(dialog=f"@S\n{command}\n"))
    assert DialogConverter(project, project.dialogs[0]).lines()[1] == script


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("@S", "Dialog 0:2:1: @S stands twice in the dialog"),
        ("@3", "Dialog 0:2:1: the dialog has 2 options: no 3"),
        ("@x", "Dialog 0:2:1: expected @S or @ and the number of an option, got @x"),
        ("cEgoo: hi", "Dialog 0:2:1: no character is called 'cegoo' (did you mean 'cEgo'?)"),
        ("retrun", "Dialog 0:2:1: unknown command retrun (did you mean 'return'?)"),
        ("add-inv", "Dialog 0:2:1: add-inv lacks its parameter, or has a wrong one: add-inv"),
        ("option-on 5", "Dialog 0:2:1: the dialog has 2 options: no 5"),
        ("goto-dialog dTlk", "Dialog 0:2:1: no dialog is called 'dtlk' (did you mean 'dTalk'?)"),
        ("return\n x();", "Dialog 0:3:1: script follows the return or stop of an option"),
    ],
)  # fmt: skip
def test_wrong_lines_of_dialogs_have_their_place(line: str, message: str) -> None:
    with pytest.raises(ScriptError) as caught:
        dialogs_script(read_project(project_text(dialog=f"@S\n{line}\n")))
    assert str(caught.value) == message


def test_a_script_has_the_headers_up_to_its_own(folder: Path) -> None:
    module = compile_in(folder, "Module.asc")
    names = [piece.decode() for piece in module.strings.split(b"\0")[:-1]]
    assert names == [
        f"__NEWSCRIPTSTART_{name}"
        for name in (
            "_BuiltInScriptHeader.ash",
            "_AutoGenerated.ash",
            "_GlobalVariables.ash",
            "Module.ash",
            "Module.asc",
        )
    ]
    assert used(module) == []
    script = compile_in(folder, "GlobalScript.asc")
    assert b"__NEWSCRIPTSTART_GlobalScript.ash\0" in script.strings
    assert used(script)[-3:] == ["count", "title", "module"]
    assert script.version == 90


def test_texts_that_the_editor_makes_are_made(folder: Path) -> None:
    variables = compile_in(folder, "_GlobalVariables.asc")
    assert [item.name for item in variables.exports] == ["count", "title", "who", "game_start$0"]
    assert variables.global_data[:4] == (-3).to_bytes(4, "little", signed=True)
    talks = compile_in(folder, "__DialogScripts.asc")
    assert [item.name for item in talks.sections] == ["__DialogScripts.asc", "Dialog 0"]
    assert [item.name for item in talks.exports][-1] == "_run_dialog0$1"
    assert "sourceline 12" in instructions(talks)


def test_generated_texts_are_taken_from_their_folder(folder: Path) -> None:
    (folder / "generated").mkdir()
    (folder / "generated" / "__DialogScripts.asc").write_text("int made;\nexport made;\n")
    assert [item.name for item in compile_in(folder, "__DialogScripts.asc").exports] == ["made"]


def with_plugin(folder: Path) -> None:
    """Let the project use a plugin."""
    text = (folder / "Game.agf").read_bytes()
    plugin = b"<Plugins><Plugin><FileName>agsPhysics.DLL</FileName></Plugin></Plugins>"
    (folder / "Game.agf").write_bytes(text.replace(b"<Plugins />", plugin))
    (folder / "a.asc").write_text("function f() { Push(3); Body b; }\nfunction g() { missing(); }")


def test_the_header_of_a_plugin_is_taken_where_it_is(folder: Path) -> None:
    with_plugin(folder)
    header = "import void Push(int force);\nstruct Body { int x; };\nimport void missing();\n"
    for place in (folder, folder / "generated"):
        place.mkdir(exist_ok=True)
        (place / "agsphysics.ash").write_text(header)
        script = compile_in(folder, "a.asc")
        assert "Push" in used(script)
        names = [piece.decode() for piece in script.strings.split(b"\0")]
        assert names.index("__NEWSCRIPTSTART_agsphysics.ash") == 3
        (place / "agsphysics.ash").unlink()


def test_the_missing_header_of_a_plugin_is_named(folder: Path) -> None:
    with_plugin(folder)
    with pytest.raises(ScriptError) as caught:
        compile_in(folder, "a.asc")
    assert str(caught.value).split("\n") == [
        "a.asc:1:16: 'Push' is not declared; the header of the plugin agsPhysics.DLL is not there:"
        " it belongs into generated/agsPhysics.ash",
        "a.asc:1:25: 'Body' is not declared; the header of the plugin agsPhysics.DLL is not there:"
        " it belongs into generated/agsPhysics.ash",
        "a.asc:2:16: 'missing' is not declared; the header of the plugin agsPhysics.DLL is not"
        " there: it belongs into generated/agsPhysics.ash",
    ]
    (folder / "a.asc").write_text("function f() { return 1 +; }")
    with pytest.raises(ScriptError, match=r"expected a value, got ';'$"):
        compile_in(folder, "a.asc")


def test_the_editor_may_be_another(folder: Path) -> None:
    (folder / "a.asc").write_text('function f() { Display("a"); int x = -1; }')
    assert compile_in(folder, "a.asc", "3.3.0").version == 89
    assert "Display^101" in used(compile_in(folder, "a.asc", "3.6.2.21"))


def test_a_room_gives_its_names(folder: Path) -> None:
    made = room(version=32)
    main = main_of(made)
    main.hotspot_count, main.walk_to_points = 2, [Point(), Point()]
    main.hotspot_names, main.hotspot_script_names = ["", ""], ["hNone", "hFloor"]
    main.hotspot_events = [[], []]
    main.objects = [RoomObject(), RoomObject()]
    main.object_events = [[], []]
    main.object_baselines, main.object_flags = [0, 0], [0, 0]
    made.blocks.add(9, ObjectScriptNames(names=["oDoor", "oLamp"]))
    (folder / "room3.crm").write_bytes(made.to_bytes())
    (folder / "Room3.asc").write_text("function room_Load() { oLamp.Visible = hFloor.Enabled; }")
    script = compile_in(folder, "Room3.asc")
    place = {name: slot for slot, name in enumerate(script.imports) if name}
    assert place["hFloor"] == place["oLamp"] + 2


def test_names_of_a_room_that_is_not_there_are_guessed(folder: Path) -> None:
    (folder / "room4.asc").write_text(
        "function hWell_Look() { cEgo.FaceLocation(1, 2); }\n"
        "function room_Load() { oBucket.Visible = false; hRope.Enabled = true; Lamp.Graphic = 3;\n"
        "  hHotspot7.Enabled = hWell.Enabled; }\n"
    )
    script = compile_in(folder, "room4.asc")
    place = {name: slot for slot, name in enumerate(script.imports) if name}
    first = place["oBucket"]
    assert place["Lamp"] == first + 1
    assert place["hWell"] == first + 3
    assert place["hRope"] == first + 4
    assert place["hHotspot7"] == first + 2 + 7


def test_what_is_no_name_of_a_room_stays_an_error(folder: Path) -> None:
    (folder / "room4.asc").write_text("function f() { Dispaly(1); }")
    with pytest.raises(
        ScriptError, match="'Dispaly' is not declared \\(did you mean 'Display'\\?\\)"
    ):
        compile_in(folder, "room4.asc")


def test_guesses_are_ordered_as_the_script_has_them() -> None:
    guesses = Guesses("oObject2 oZ hB oObject1 hHotspot3 hA")
    for name in ("hA", "oObject2", "hHotspot3", "oZ", "hB", "oObject1"):
        assert guesses.add(name, "", lambda _struct: frozenset())
    assert not guesses.add("x", "", lambda _struct: frozenset())
    names = guesses.names()
    assert names.objects == ["oZ", "oObject1", "oObject2"]
    assert names.hotspots[:5] == ["hHotspot0", "hB", "hA", "hHotspot3", "hHotspot4"]
    assert len(names.hotspots) == 50
    assert guesses.remove("hA")
    assert not guesses.remove("hA")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<a", "broken XML"),
        (b"<a/>", "not a project"),
        (b"<a><Game/></a>", "not a project"),
        (b"<AGSEditorDocument/>", "not a project"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a/>', "document type"),
        (project_text().replace(b"<ID>4</ID>", b"<ID>x</ID>"), "expected a number in ID"),
        (b'<?xml version="1.0" encoding="nonsense"?><a/>', "broken XML"),
    ],
)
def test_broken_projects_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "Game.agf").write_bytes(data)
    with pytest.raises(FormatError, match=message):
        ProjectCompiler(tmp_path)


def test_damaged_projects_have_no_other_errors(folder: Path) -> None:
    chosen = random.Random(5)
    whole = project_text()
    good = 0
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(chosen.choice((1, 1, 4))):
            at = chosen.randrange(len(data))
            match chosen.randrange(3):
                case 0:
                    data[at] = chosen.randrange(256)
                case 1:
                    del data[at : at + chosen.randrange(1, 40)]
                case 2:
                    data[at:at] = chosen.choice([b"<", b"&amp;", b'"', b"9" * 30, b"\0", b"#"])
        (folder / "Game.agf").write_bytes(data)
        try:
            compile_in(folder, chosen.choice(["GlobalScript.asc", "__DialogScripts.asc"]))
            good += 1
        except (FormatError, ScriptError) as error:
            assert str(error)
    assert 5 < good < 55


def test_missing_files_are_named(folder: Path) -> None:
    with pytest.raises(FormatError, match="the script does not exist"):
        compile_in(folder, "none.asc")
    (folder / "Module.ash").unlink()
    with pytest.raises(FormatError, match=r"Module\.ash: the header does not exist"):
        compile_in(folder, "Module.asc")
    with pytest.raises(FormatError, match=r"the folder has no Game\.agf"):
        ProjectCompiler(folder / "none")
    with pytest.raises(FormatError, match="expected a version"):
        ProjectCompiler(folder, "new")


@pytest.mark.parametrize(("encoding", "size"), [("UTF-8", 1), ("ANSI", 2)])
def test_the_encoding_of_texts_is_a_macro(folder: Path, encoding: str, size: int) -> None:
    setting = f"<GameTextEncoding>{encoding}</GameTextEncoding></Settings>".encode()
    (folder / "Game.agf").write_bytes(project_text().replace(b"</Settings>", setting, 1))
    (folder / "Module.asc").write_text(
        "#ifdef UNICODE\nchar a;\n#endif\n#ifndef UNICODE\nshort a;\n#endif"
    )
    script = compile_in(folder, "Module.asc", "3.6.1.27")
    assert len(script.global_data) == size
