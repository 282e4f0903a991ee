"""Debugger files: read, written, as folders, and made for games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import overhaul
from debug_files import debug_file
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.data.chunks.objt import GameObject
from overhaul.gamemaker.data.code.additions import add_event, add_script
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.debug import DebugData
from overhaul.gamemaker.debug.document import (
    DebugFunctionList,
    LocalsList,
    PlaceList,
    SourceList,
    SourcePlace,
)
from overhaul.gamemaker.debug.generate import DEFAULT_PORT, enable_debugger, generate
from overhaul.gamemaker.debug_folder import FORMAT as debug_folder
from overhaul.gml.compiler import compile_with_source_map
from present import present
from small_games import blank
from small_games import game_of as small_game

SCRIPT = """function climb(height, step = 2)
{
    var made = { left: 1, right: height };
    return made.left + step;
}
"""
EVENT = """var i = 0;
while (i < 3)
{
    i += 1;
    if (climb(i) > 2)
    {
        break;
    }
}
"""


def places_of(document: DebugData, entry: int = -1) -> list[SourcePlace]:
    return present(document.record(PlaceList).entries[entry]).places


def source_of(document: DebugData, entry: int = -1) -> str:
    return str(present(document.record(SourceList).sources[entry]).source)


@pytest.mark.parametrize("version", ["1.0.0.1451", "1.0.0.1773", "2.2.5", "2.3.2", "2024.14"])
@pytest.mark.parametrize("text", ["with (other)\n{\n    y = 1;\n}", "alarm[0] = 2;", "f(1, 2);"])
def test_a_breakpoint_can_stand_at_the_beginning(version: str, text: str) -> None:
    game = small_game(version)
    modern = game.release.at_least(2, 3)
    body = "function f(a, b) { return a + b; }" if modern else "return argument0 + argument1;"
    add_script(game, "f", body)
    add_event(game, "obj_a", "Step_0", text)
    made = generate(game)
    assert made.warnings == []
    first = places_of(made)[0]
    assert first.bytecode_offset == 0
    if text.startswith("with"):
        assert first.source_offset == text.index("other")


@pytest.mark.parametrize("modern", [True, False])
def test_written_and_read(modern: bool) -> None:
    data = debug_file(modern=modern).to_bytes()
    read = overhaul.open(data)
    assert isinstance(read, DebugData)
    assert read.kind == "gamemaker-debug"
    assert read.to_bytes() == data
    assert read.layout.functions == modern
    assert read.info()["places"] == 3
    assert read.coverage().opaque == 0


@pytest.mark.parametrize("modern", [True, False])
def test_the_folder_is_enough(modern: bool, tmp_path: Path) -> None:
    file = tmp_path / "a.yydebug"
    file.write_bytes(debug_file(modern=modern).to_bytes())
    overhaul.unpack(file, tmp_path / "folder")
    for scratch in (False, True):
        overhaul.pack(tmp_path / "folder", tmp_path / f"{scratch}.yydebug", from_scratch=scratch)
        assert (tmp_path / f"{scratch}.yydebug").read_bytes() == file.read_bytes()


def test_strings_that_are_not_in_the_order_of_use_are_kept(tmp_path: Path) -> None:
    document = debug_file()
    document.strings.add_new("nobody uses this")
    again = document.strings.add_new("arguments")
    present(document.record(LocalsList).entries[1]).locals[0].name = again
    file = tmp_path / "a.yydebug"
    file.write_bytes(document.to_bytes())
    overhaul.unpack(file, tmp_path / "folder")
    assert (tmp_path / "folder/strings.json").exists()
    overhaul.pack(tmp_path / "folder", tmp_path / "b.yydebug", from_scratch=True)
    assert (tmp_path / "b.yydebug").read_bytes() == file.read_bytes()


def test_edits_of_the_folder(tmp_path: Path) -> None:
    file = tmp_path / "a.yydebug"
    file.write_bytes(debug_file().to_bytes())
    folder = tmp_path / "folder"
    overhaul.unpack(file, folder)
    (folder / "sources/2.gml").write_bytes(b"// more\nx = 1;")
    shown = json.loads((folder / "debug.json").read_text())
    shown["DBGI"]["entries"][1]["places"] = [[0, 12]]
    (folder / "debug.json").write_text(json.dumps(shown))
    overhaul.pack(folder, tmp_path / "b.yydebug")
    read = overhaul.open(tmp_path / "b.yydebug")
    assert isinstance(read, DebugData)
    assert source_of(read, 2) == "// more\nx = 1;"
    assert places_of(read, 1)[0].source_offset == 12


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sources", "no"),
        ("sources", [0, -1]),
        ("sources", [0, 7]),
        ("DBGI", {"roots": "x"}),
        ("DBGI", {"entries": [{"places": [[1]]}]}),
        ("LOCL", {"entries": [{"count": 3, "name": "a", "locals": 1}]}),
        ("DFNC", {"functions": [{"argument_cont": 1}]}),
        ("DFNC", {"nonsense": 1}),
        ("LOCL", {"entries": [{"count": 0, "name": {"string": 99}, "locals": []}]}),
    ],
)
def test_a_wrong_folder_is_refused(key: str, value: object, tmp_path: Path) -> None:
    file = tmp_path / "a.yydebug"
    file.write_bytes(debug_file().to_bytes())
    folder = tmp_path / "folder"
    overhaul.unpack(file, folder)
    shown = json.loads((folder / "debug.json").read_text())
    (folder / "debug.json").write_text(json.dumps({**shown, key: value}))
    with pytest.raises((FormatError, WorkspaceError)):
        overhaul.pack(folder, tmp_path / "b.yydebug")
    assert not (tmp_path / "b.yydebug").exists()


@pytest.mark.parametrize(
    "settings",
    [{"alignment": 3}, {"chunks": ["SCPT"]}, {"chunks": "all"}, {"functions": False, "chunks": 1}],
)
def test_wrong_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(WorkspaceError):
        debug_folder.empty(settings)


# ------------------------------------------------------------------------------------- generating


def game_of(version: str) -> GameData:
    """A game with a script and an event."""
    game = GameData.from_bytes(blank(version))
    game.load_all()
    events = 15 if game.release.major >= 2 else 12
    game.records.objects.append(
        GameObject(game.strings.add("obj_a"), events=[[] for _ in range(events)])
    )
    game.language.forget()
    modern = game.language.context.dialect.gml_v2
    add_script(game, "climb", SCRIPT if modern else "return argument0 + 2;")
    add_event(game, "obj_a", "Step_0", EVENT)
    return game


VERSIONS = [
    "1.0.0.412",
    "1.0.0.1044",
    "1.0.0.1250",
    "1.0.0.1567",
    "1.0.0.1763",
    "2.0.6",
    "2.3.1",
    "2023.4",
    "2024.14",
]


@pytest.mark.parametrize("version", VERSIONS)
def test_made_for_games_of_every_generation(version: str) -> None:
    game = game_of(version)
    made = generate(game)
    assert made.warnings == []
    read = overhaul.open(made.to_bytes())
    assert isinstance(read, DebugData)
    assert read.to_bytes() == made.to_bytes()
    bytecode = game.release.bytecode
    modern = game.language.context.dialect.gml_v2
    first = version in ("1.0.0.412", "1.0.0.1044")
    wanted = ["SCPT", "DBGI", *["INST"] * (not first), *["LOCL"] * (bytecode >= 15)]
    wanted += [*["DFNC"] * modern, "STRG"]
    assert list(read.chunks) == wanted
    entries = [entry for entry in game.records.code if entry is not None]
    assert len(read.record(SourceList).sources) == len(entries)
    event = source_of(read)
    places = places_of(read)
    last = {place.bytecode_offset: place.source_offset for place in places}
    words = [event[offset:].split()[0].rstrip(";)") for offset in last.values()]
    assert words[:4] == ["0", "i", "3", "i"] or words[:3] == ["0", "i", "3"]
    assert "break" in words
    offsets = game.language.code(game.records.code[len(entries) - 1]).offsets()
    starts = {*offsets, len(game.records.code[len(entries) - 1].to_bytes())}
    assert {place.bytecode_offset for place in places} <= starts


@pytest.mark.parametrize(
    ("text", "every", "last"),
    [
        ("x = 1;", ["= 1;", "1;"], ["1;"]),
        ("var i; i = f(2);", ["var i", "= f(2", "f(2);", "2);"], ["2);"]),
        ("if (!a) b = c + 1;", ["if (!", "!a) b", "a) b ", "= c +", "c + 1", "1;"],
         ["a) b ", "c + 1", "1;"]),
        ("global.a += 2;", [" += 2", "2;"], [" += 2", "2;"]),
        ("global.a++;", ["a++;"], ["a++;"]),
        ("while (global.a) exit;", ["while", "a) ex", "exit;"], ["a) ex", "exit;"]),
        ("switch (a) { case 3: b[1] = 2; default: exit; }",
         ["switc", "a) { ", "3: b[", "= 2; ", "2; de", "b[1] ", "1] = ", "exit;"],
         ["a) { ", "case ", "3: b[", "defau", "2; de", "b[1] ", "1] = ", "exit;"]),
        ("with (a) f();", ["with ", "a) f(", "f();"], ["a) f(", "f();"]),
        ("repeat (3) { f(x, g()); }", ["repea", "3) { ", "f(x, ", "g());", "x, g("],
         ["3) { ", "g());", "x, g("]),
    ],
)  # fmt: skip
def test_the_first_files_have_a_place_for_each_part(
    text: str, every: list[str], last: list[str]
) -> None:
    for build, wanted in ((1044, every), (1307, last)):
        game = game_of(f"1.0.0.{build}")
        context = game.language.context
        for name in "fg":
            context.add_extension_function(name)
        made = compile_with_source_map(text, context, "event", "gml_Object_obj_a_Step_0")
        offsets = [offset for offset, _ in made.points]
        assert offsets == sorted(offsets)
        assert (len(set(offsets)) == len(offsets)) or build == 1044
        assert [text[place : place + 5] for _, place in made.points] == wanted, build


def test_functions_and_locals() -> None:
    game = game_of("2023.4")
    made = generate(game)
    functions = {
        str(function.name): function
        for function in map(present, made.record(DebugFunctionList).functions)
    }
    climb = functions["climb"]
    assert [str(name) for name in climb.locals] == ["made"]
    assert climb.argument_count == 2
    child = game.records.code["gml_Script_climb"]
    assert climb.length == len(child.to_bytes())
    assert game.records.code[climb.code_index] is child
    assert made.record(PlaceList).roots == [0, 0, 0, 1]
    lists = present(game.record("FUNC")).code_locals
    assert [
        [(local.index, str(local.name)) for local in present(entry).locals]
        for entry in made.record(LocalsList).entries
    ] == [[(local.index, str(local.name)) for local in item.locals] for item in lists]


def test_original_sources_are_taken_where_they_fit() -> None:
    game = game_of("2023.4")
    text = "// the original\n" + EVENT
    made = generate(game, {"gml_Object_obj_a_Step_0": text})
    assert made.warnings == []
    assert source_of(made) == text
    first = places_of(made)[0]
    assert text[first.source_offset] == "0"
    for wrong in ("x = 2;", "x = ;"):
        made = generate(game, {"gml_Object_obj_a_Step_0": wrong})
        assert len(made.warnings) == 1
        assert source_of(made) != wrong


def test_code_without_a_source_that_compiles_back_is_shown_as_assembly() -> None:
    game = game_of("2023.4")
    entry = game.records.code["gml_Object_obj_a_Step_0"]
    entry.assembly = ":[0]\npushi.e 1\npop.v.i self.x\npushi.e 5\npopz.v\n\n:[end]"
    made = generate(game)
    assert "shown as assembly" in made.warnings[0]
    text = source_of(made)
    places = places_of(made)
    assert [place.bytecode_offset for place in places] == [0, 4, 12, 16]
    assert [text[place.source_offset :].split()[0] for place in places] == [
        "pushi.e",
        "pop.v.i",
        "pushi.e",
        "popz.v",
    ]


@pytest.mark.parametrize("version", ["1.0.0.1250", "1.0.0.1567", "2023.4"])
def test_the_copy_waits_for_the_debugger(version: str) -> None:
    game = game_of(version)
    assert game.general.debugger_disabled == 1
    enable_debugger(game)
    read = GameData.from_bytes(game.to_bytes())
    assert read.general.debugger_disabled == 0
    assert read.release.bytecode < 14 or read.general.debugger_port == DEFAULT_PORT


def test_no_debugger_data_without_bytecode() -> None:
    game = GameData.from_bytes(blank("2023.4"))
    del game.chunks["CODE"]
    with pytest.raises(FormatError, match="no readable bytecode"):
        generate(game)
