"""The commands for code, on a small game."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from io import BufferedWriter
from pathlib import Path

import pytest

import overhaul
from modded_games import lantern
from overhaul import gml
from overhaul.cli import main
from overhaul.document.mapped import write_pieces
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.objt import GameObject
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.code.additions import add_event, add_script
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.debug import DebugData
from overhaul.gamemaker.debug.document import SourceList
from overhaul.gml.decompiler import Decompiled
from overhaul.gml.decompiler.options import DecompileOptions
from overhaul.gml.decompiler.types.facts import InferredTypes
from overhaul.gml.roundtrip import analyse
from overhaul.gml.vm.code import Code
from present import opened, present

CapSys = pytest.CaptureFixture[str]
STEP = "gml_Object_obj_ball_Step_0"
SCRIPT = "gml_GlobalScript_climb"


@cache
def game_bytes() -> bytes:
    """A game of two objects, an event and a script."""
    made = GameData.from_bytes(blank_game({"version": "2023.4"}).to_bytes())
    made.load_all()
    made.records.objects.append(
        GameObject(made.strings.add("obj_ball"), events=[[] for _ in range(15)])
    )
    made.records.objects.append(
        GameObject(made.strings.add("obj_wall"), events=[[] for _ in range(15)])
    )
    made.language.forget()
    add_script(made, "climb", "function climb(h) { return h + 1; }")
    add_event(made, "obj_ball", "Step_0", 'y -= climb(2);\nshow_debug_message("up");')
    return made.to_bytes()


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "game.win"
    path.write_bytes(game_bytes())
    return path


def run(capsys: CapSys, *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_decompile(game: Path, capsys: CapSys) -> None:
    code, out, err = run(capsys, "decompile", "game.win", STEP)
    assert (code, err) == (0, "")
    assert out.splitlines() == ["y -= climb(2);", 'show_debug_message("up");']
    code, out, _ = run(capsys, "decompile", "game.win")
    assert code == 0
    assert f"// {SCRIPT}\nfunction climb(" in out
    assert f"\n// {STEP}\ny -= climb(2);\n" in out


@pytest.mark.parametrize("name", ["climb", "gml_Script_climb", SCRIPT, "*climb"])
def test_entries_are_named_as_people_name_them(game: Path, capsys: CapSys, name: str) -> None:
    code, out, _ = run(capsys, "decompile", "game.win", name)
    assert code == 0
    assert out.startswith("function climb(")


def test_decompile_plainly(tmp_path: Path, capsys: CapSys) -> None:
    path = tmp_path / "lantern.win"
    path.write_bytes(lantern("gms1"))
    usual, plain = (
        run(capsys, "decompile", str(path), "--style", style) for style in ("default", "plain")
    )
    assert usual[0] == plain[0] == 0
    assert "is_open = false;" in usual[1]
    assert "is_open = 0;" in plain[1]
    assert run(capsys, "decompile", str(path)) == usual
    assert run(capsys, "decompile", str(path), "--style", "odd")[0] == 2


def test_decompile_says_what_is_missing(game: Path, capsys: CapSys) -> None:
    code, out, err = run(capsys, "decompile", "game.win", "nothing", STEP)
    assert code == 1
    assert "y -= climb(2);" in out
    assert err == "overhaul: no code entry is called nothing\n"


def test_decompile_to_json_and_files(game: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "decompile", "--json", "game.win", STEP)
    assert code == 0
    (row,) = json.loads(out)["entries"]
    assert row["name"] == STEP
    assert row["problems"] == []
    assert row["text"].startswith("y -= climb(2);")
    assert run(capsys, "decompile", "game.win", "-o", "source", "-j", "2")[0] == 0
    assert sorted(path.name for path in Path("source").iterdir()) == [
        f"{SCRIPT}.gml",
        f"{STEP}.gml",
    ]
    code, _, err = run(capsys, "decompile", "game.win", "-o", "source")
    assert code == 2
    assert "already exists" in err
    assert run(capsys, "decompile", "game.win", "-o", "source", "--force")[0] == 0


def test_ls_lists_entries_by_their_names(game: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "ls", "game.win", "gml_Object_*")
    assert (code, out) == (0, f"code entry  -  code/{STEP}.gml\n")
    rows = json.loads(run(capsys, "ls", "--json", "game.win", "--kind", "code*")[1])["resources"]
    assert [row["name"] for row in rows] == [SCRIPT, STEP]


def test_searching_compiles_nothing(
    game: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overhaul.gamemaker.data.code import compiling

    monkeypatch.setattr(compiling, "compile_source", None)
    code, out, _ = run(capsys, "grep", "climb", "game.win", "--code")
    assert code == 0
    assert f"code/{STEP}.gml:1: y -= climb(2);" in out


def test_an_entry_that_fails_is_reported_and_the_others_shown(
    game: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overhaul.gamemaker.data.code import decompiling, learning

    def failing(
        code: Code, context: gml.Context, options: DecompileOptions, inferred: InferredTypes
    ) -> Decompiled:
        if code.name == STEP:
            raise KeyError("a fault")
        return analyse(code, context, options, inferred)

    monkeypatch.setattr(decompiling, "analyse", failing)
    monkeypatch.setattr(learning, "read_first", lambda *_: None)
    code, out, err = run(capsys, "decompile", "game.win")
    assert code == 1
    assert "function climb(" in out
    assert f"{STEP}: failed: an internal error: KeyError" in err
    code, out, _ = run(capsys, "verify", "--code", "game.win")
    assert "1 of 2 entries identical" in out
    assert f"{STEP}: not decompiled: an internal error" in out


def test_what_disasm_prints_assembles(game: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "disasm", "game.win", STEP)
    assert code == 0
    assert "call.i gml_Script_climb(argc=1)" in out
    Path(f"{STEP}.asm").write_text(out)
    code, out, _ = run(capsys, "asm", "game.win", f"{STEP}.asm")
    assert (code, out) == (0, f"{STEP}.asm: {STEP}: identical to the game's\n")


def test_asm_writes_a_changed_copy(game: Path, capsys: CapSys) -> None:
    before = game.read_bytes()
    Path("new.asm").write_text(":[0]\npushi.e 7\npop.v.i self.lives\n\n:[end]\n")
    words = ["asm", "game.win", "new.asm", "--entry", STEP, "-o", "new.win"]
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "differs from the game's" in out
    changed = overhaul.open("new.win")
    assert isinstance(changed, GameData)
    assert "7" in changed.records.code[STEP].gml
    assert game.read_bytes() == before
    assert run(capsys, *words)[0] == 2
    Path("bad.asm").write_text("pushi.e 7\nnonsense.v 3\n")
    code, _, err = run(capsys, "asm", "game.win", "bad.asm", "--entry", STEP)
    assert code == 1
    assert "bad.asm:2:" in err


def test_compile_checks_and_writes_nothing(game: Path, capsys: CapSys) -> None:
    before = sorted(path.name for path in Path().iterdir())
    Path(f"{STEP}.gml").write_text('y -= climb(2);\nshow_debug_message("up");\n')
    code, out, _ = run(capsys, "compile", "game.win", f"{STEP}.gml")
    assert (code, out) == (0, f"{STEP}.gml: {STEP}: identical to the game's\n")
    Path(f"{STEP}.gml").write_text("y -= climb(3);\n")
    code, out, _ = run(capsys, "compile", "game.win", f"{STEP}.gml")
    assert (code, out) == (0, f"{STEP}.gml: {STEP}: differs from the game's\n")
    assert sorted(path.name for path in Path().iterdir()) == [*before, f"{STEP}.gml"]


def test_compile_tells_every_error_with_its_place(game: Path, capsys: CapSys) -> None:
    Path("bad.gml").write_text("x = ;\ny = 1;\n  z = (2;\n")
    code, _, err = run(capsys, "compile", "game.win", "bad.gml", "--entry", STEP, "-o", "new.win")
    assert code == 1
    lines = err.splitlines()
    assert lines[0].startswith("bad.gml:1:5: error: ")
    assert lines[1:3] == ["    x = ;", "        ^"]
    assert any(line.startswith("bad.gml:3:") for line in lines)
    assert not Path("new.win").exists()
    code, out, _ = run(capsys, "compile", "game.win", "bad.gml", "--entry", STEP, "--json")
    (row,) = json.loads(out)["files"]
    assert [error["line"] for error in row["errors"]] == [1, 3]
    assert row["errors"][0]["text"] == "x = ;"
    Path("bad.gml").write_text("pi = 3;\nbreak;\n")
    code, _, err = run(capsys, "compile", "game.win", "bad.gml", "--entry", STEP)
    assert code == 1
    assert "bad.gml:1:1: error: " in err
    assert "bad.gml:2:1: error: " in err


def test_compile_adds_what_is_new(game: Path, capsys: CapSys) -> None:
    Path("gml_GlobalScript_fall.gml").write_text("function fall(h) { return climb(-h); }")
    Path("gml_Object_obj_ball_Alarm_3.gml").write_text("y = fall(SPEED);")
    Path("macros.gml").write_text("#macro SPEED 9\n")
    names = ["gml_GlobalScript_fall.gml", "gml_Object_obj_ball_Alarm_3.gml"]
    before = game.read_bytes()
    code, out, _ = run(capsys, "compile", "game.win", names[0])
    assert (code, out) == (0, f"{names[0]}: gml_GlobalScript_fall: new\n")
    assert game.read_bytes() == before
    code, _, err = run(capsys, "compile", "game.win", names[1], "--entry", "gml_Object_no_Step_0")
    assert code == 1
    assert "does not name an object" in err
    code, out, _ = run(
        capsys, "compile", "game.win", *names, "--definitions", "macros.gml", "-o", "new.win"
    )
    assert code == 0
    assert out.count(": new\n") == 2
    assert run(capsys, "verify", "--code", "new.win")[0] == 0
    assert "y = fall(9);" in run(capsys, "decompile", "new.win", "*Alarm_3")[1]


def test_files_that_are_compiled_together_know_each_other(game: Path, capsys: CapSys) -> None:
    Path("gml_Object_obj_ball_Alarm_3.gml").write_text("y = fall(SPEED);")
    Path("gml_GlobalScript_fall.gml").write_text(
        "#macro SPEED 7\nfunction fall(h) { return sink(h); }"
    )
    Path("gml_GlobalScript_sink.gml").write_text("function sink(h) { return fall(h - SPEED); }")
    files = sorted(map(str, Path().glob("*.gml")), reverse=True)
    code, _, err = run(capsys, "compile", "game.win", *files, "-o", "new.win")
    assert (code, err) == (0, "")
    assert run(capsys, "verify", "--code", "new.win")[0] == 0
    for name in ("fall", "sink"):
        text = run(capsys, "disasm", "new.win", f"gml_GlobalScript_{name}")[1]
        assert f"call.i gml_Script_{'sink' if name == 'fall' else 'fall'}(argc=1)" in text
    assert "y = fall(7);" in run(capsys, "decompile", "new.win", "*Alarm_3")[1]


def test_compile_names_the_callers_of_functions_that_are_gone(game: Path, capsys: CapSys) -> None:
    Path(f"{SCRIPT}.gml").write_text("function rise(h) { return h + 1; }")
    message = (
        f"{SCRIPT}: it no longer has the function climb, which code calls: {STEP}:1 "
        "(it is rise now: write that name there)"
    )
    code, _, err = run(capsys, "compile", "game.win", f"{SCRIPT}.gml")
    assert (code, err) == (0, f"{SCRIPT}.gml: warning: {message}\n")
    code, _, err = run(capsys, "compile", "game.win", f"{SCRIPT}.gml", "--strict", "-o", "new.win")
    assert (code, err) == (1, f"{SCRIPT}.gml: error: {message}\n")
    assert not Path("new.win").exists()
    code, out, _ = run(capsys, "compile", "game.win", f"{SCRIPT}.gml", "--json", "-o", "new.win")
    answer = json.loads(out)
    assert (code, answer["written"]) == (0, "new.win")
    assert [warning["message"] for warning in answer["files"][0]["warnings"]] == [message]
    Path(f"{STEP}.gml").write_text("y -= rise(2);")
    both = (f"{SCRIPT}.gml", f"{STEP}.gml")
    assert run(capsys, "compile", "game.win", *both, "--strict", "-o", "two.win")[::2] == (0, "")
    assert run(capsys, "verify", "--code", "two.win")[0] == 0


def test_several_processes_tell_the_same(game: Path, capsys: CapSys) -> None:
    made = overhaul.open(game)
    assert isinstance(made, GameData)
    for number in range(20):
        made.add_event("obj_wall", f"KeyPress_{65 + number}", f"x = climb({number});")
    made.save("many.win")
    run(capsys, "decompile", "many.win", "-o", "source")
    run(capsys, "disasm", "many.win", "-o", "source")
    Path("source/gml_Object_obj_wall_KeyPress_70.gml").write_text("x = climb(;")
    Path("source/gml_Object_obj_wall_KeyPress_71.gml").write_text("x = 71;")
    Path("source/gml_Object_obj_ball_Alarm_3.gml").write_text("x = 3;")
    for command in ("compile", "asm"):
        ending = "gml" if command == "compile" else "asm"
        files = sorted(map(str, Path("source").glob(f"*.{ending}")))
        reported = [
            run(capsys, command, "many.win", *files, "--json", "-j", jobs) for jobs in ("1", "3")
        ]
        assert reported[0] == reported[1]
        rows = json.loads(reported[0][1])["files"]
        assert len(rows) == len(files)
        assert reported[0][0] == (command == "compile")
        changed = [row["entry"] for row in rows if not row["errors"] and not row["identical"]]
        assert changed == (
            ["gml_Object_obj_ball_Alarm_3", "gml_Object_obj_wall_KeyPress_71"]
            if command == "compile"
            else []
        )
    Path("source/gml_Object_obj_wall_KeyPress_70.gml").unlink()
    files = sorted(map(str, Path("source").glob("*.gml")))
    assert run(capsys, "compile", "many.win", *files, "-j", "3", "-o", "new.win")[0] == 0
    assert "x = 71;" in run(capsys, "decompile", "new.win", "*KeyPress_71")[1]
    assert run(capsys, "verify", "--code", "new.win")[0] == 0
    assert run(capsys, "debug", "many.win", "-o", "one")[0] == 0
    assert run(capsys, "debug", "many.win", "-o", "three", "-j", "3")[0] == 0
    assert Path("one/many.yydebug").read_bytes() == Path("three/many.yydebug").read_bytes()


def test_asm_adds_what_is_new(game: Path, capsys: CapSys) -> None:
    name = "gml_Object_obj_ball_Alarm_3"
    Path(f"{name}.asm").write_text(":[0]\npushi.e 7\npop.v.i self.hp\n\n:[end]\n")
    assert run(capsys, "asm", "game.win", f"{name}.asm", "-o", "new.win")[0] == 0
    assert run(capsys, "decompile", "new.win", name)[1] == "hp = 7;\n"


def test_one_file_for_an_entry(game: Path, capsys: CapSys) -> None:
    Path("a").mkdir()
    for path in (f"{STEP}.gml", f"a/{STEP}.gml"):
        Path(path).write_text("x = 1;")
    code, _, err = run(capsys, "compile", "game.win", f"{STEP}.gml", f"a/{STEP}.gml")
    assert code == 2
    assert "more than one file" in err


def test_errors_in_definitions_name_their_file(game: Path, capsys: CapSys) -> None:
    Path(f"{STEP}.gml").write_text("x = 1;")
    Path("macros.gml").write_text("#macro A 1\nenum B {\n")
    words = ["game.win", "--definitions", "macros.gml"]
    for command in (["compile", f"{STEP}.gml"], ["debug", "-o", "made"]):
        code, _, err = run(capsys, command[0], *words, *command[1:])
        assert code == 3
        assert err.startswith("overhaul: macros.gml:2:9: ")
    code, _, err = run(capsys, "compile", "game.win", f"{STEP}.gml", "-o", "no/new.win")
    assert (code, err) == (3, "overhaul: no/new.win: No such file or directory\n")


def test_grep(game: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "grep", "climb *\\(2", "game.win", "--code")
    assert (code, out) == (0, f"code/{STEP}.gml:1: y -= climb(2);\n")
    code, out, _ = run(capsys, "grep", "-i", "-F", "UP", "game.win", "--strings", "--json")
    assert code == 0
    assert {match["path"] for match in json.loads(out)["matches"]} == {"strings.csv"}
    code, out, _ = run(capsys, "grep", "obj_ball", "game.win", "--names")
    assert code == 0
    assert "objects/obj_ball" in out
    assert run(capsys, "grep", "no such thing", "game.win")[0] == 1
    assert run(capsys, "grep", "(", "game.win")[0] == 2


def test_refs(game: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "refs", "game.win", "climb")
    assert code == 0
    assert f"code/{STEP}.gml:1: y -= climb(2);" in out
    assert run(capsys, "refs", "game.win", "obj_none")[0] == 1


def test_refs_of_an_object(game: Path, capsys: CapSys) -> None:
    name = "gml_Object_obj_ball_Collision_obj_wall"
    Path(f"{name}.gml").write_text("with (obj_wall) x = 1;")
    run(capsys, "compile", "game.win", f"{name}.gml", "-o", "2.win")
    code, out, _ = run(capsys, "refs", "2.win", "obj_wall")
    assert code == 0
    assert f"code/{name}.gml:1: with (obj_wall)" in out
    assert f'"Collision_obj_wall": "{name}"' in out


def test_debug(game: Path, capsys: CapSys) -> None:
    Path("project").mkdir()
    text = '// up it goes\ny -= climb(2);\nshow_debug_message("up");\n'
    Path(f"project/{STEP}.gml").write_text(text)
    code, out, err = run(capsys, "debug", "game.win", "--sources", "project")
    assert (code, err) == (0, "")
    assert "waits for a debugger" in out
    made = opened("game_debug/game.yydebug", DebugData)
    assert str(present(made.record(SourceList).sources[-1]).source) == text
    copy = overhaul.open("game_debug/game.win")
    assert isinstance(copy, GameData)
    assert copy.general.debugger_disabled == 0
    assert run(capsys, "debug", "game.win")[0] == 2
    code, out, _ = run(capsys, "debug", "game.win", "-o", "other", "--json")
    assert json.loads(out)["functions"] == 1


@pytest.mark.parametrize("command", ["decompile", "disasm", "debug"])
def test_only_games_have_code(game: Path, capsys: CapSys, command: str) -> None:
    run(capsys, "debug", "game.win")
    Path("game_debug/game.yydebug").rename("no_game.bin")
    code, _, err = run(capsys, command, "no_game.bin")
    assert code == 3
    assert "expected a compiled GameMaker game" in err


def break_chunk(game: Path, chunk: bytes, change: str) -> None:
    """Spoil a chunk: its name, or its first count."""
    data = bytearray(game.read_bytes())
    at = data.index(chunk)
    if change == "name":
        data[at : at + 4] = b"XXXX"
    else:
        data[at + 8 : at + 12] = b"\xff\xff\xff\x7f"
    game.write_bytes(data)


def test_code_that_cannot_be_read(game: Path, capsys: CapSys) -> None:
    break_chunk(game, b"CODE", "count")
    for command in ("decompile", "disasm", "debug"):
        code, _, err = run(capsys, command, "game.win")
        assert code == 3
        assert "YYC" not in err
    code, out, _ = run(capsys, "verify", "--code", "--json", "game.win")
    assert code == 1
    (row,) = json.loads(out)["files"]
    assert row["identical"]
    (failed,) = row["code"]["failed"]
    assert failed["name"] == "CODE"
    assert "does not fit" in failed["reason"]


def test_a_game_whose_code_is_kept_as_bytes_unpacks(tmp_path: Path) -> None:
    """Its scripts refer to entries that are not there."""
    data = bytearray(lantern())
    at = data.index(b"FUNC")
    data[at + 16 : at + 20] = b"\xff\0\0\0"  # so many calls of the first function
    (tmp_path / "game.win").write_bytes(data)
    with overhaul.open_game(tmp_path / "game.win") as damaged:
        assert any(script is not None for script in damaged.records.scripts)
        assert damaged.code_names() == ["CODE"]
    overhaul.unpack(tmp_path / "game.win", tmp_path / "folder")
    overhaul.pack(tmp_path / "folder", tmp_path / "again.win")
    assert (tmp_path / "again.win").read_bytes() == data


@pytest.mark.parametrize("chunk", [b"VARI", b"FUNC"])
def test_a_game_without_a_table_of_the_code_unpacks(
    game: Path, capsys: CapSys, chunk: bytes
) -> None:
    break_chunk(game, chunk, "name")
    before = game.read_bytes()
    for how in ("gml", "asm", "both"):
        assert run(capsys, "unpack", "game.win", how, "--code", how, "-q")[0] == 0
        assert run(capsys, "pack", how, "-o", f"{how}.win")[0] == 0
        assert Path(f"{how}.win").read_bytes() == before
    Path(f"gml/code/{STEP}.gml").write_text("x = 1;")
    code, _, err = run(capsys, "pack", "gml", "-o", "new.win")
    assert code == 3
    assert "overhaul: " in err
    code, _, err = run(capsys, "pack", "gml", "-o", "new.win", "--from-scratch")
    assert code == 3
    assert "VARI and FUNC" in err or "code that can't be shown" in err
    assert not Path("new.win").exists()


def test_verify_tells_that_there_is_no_bytecode(game: Path, capsys: CapSys) -> None:
    made = GameData.from_bytes(blank_game({"version": "2023.4"}).to_bytes())
    made.save("native.win")
    code, out, _ = run(capsys, "verify", "--code", "--json", "native.win")
    assert code == 0
    (row,) = json.loads(out)["files"]
    assert row["code"] == {"entries": 0, "identical": 0, "failed": []}
    assert "code: no bytecode" in run(capsys, "verify", "--code", "native.win")[1]


def test_an_interrupted_command_leaves_no_files(
    game: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(file: BufferedWriter, pieces: Iterable[bytes]) -> None:
        if STEP in file.name:
            raise KeyboardInterrupt
        write_pieces(file, pieces)

    monkeypatch.setattr("overhaul.document.files.write_pieces", interrupted)
    code, _, err = run(capsys, "decompile", "game.win", "-o", "source")
    assert code == 130
    assert err.strip() == "overhaul: interrupted; nothing was left half-written"
    assert not Path("source").exists()
    Path("source").mkdir()
    Path(f"source/{SCRIPT}.gml").write_text("mine")
    assert run(capsys, "decompile", "game.win", "-o", "source", "--force")[0] == 130
    assert [path.name for path in Path("source").iterdir()] == [f"{SCRIPT}.gml"]
    assert Path(f"source/{SCRIPT}.gml").read_text() == "mine"


def test_several_processes_learn_what_one_does(
    game: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overhaul.gamemaker.data.code import learning

    made = overhaul.open(game)
    assert isinstance(made, GameData)
    for number in range(24):  # what one tells of a variable, the others use
        text = f"target{number} = {number % 2}; draw_sprite(picture{(number + 7) % 24}, 0, 0, 0);"
        made.add_event("obj_wall", f"KeyPress_{65 + number}", f"picture{number} = 0; {text}")
    made.records.sprites.append(Sprite(made.strings.add("spr_wall")))
    made.save("many.win")
    alone = run(capsys, "decompile", "many.win")
    assert alone[1].count("= spr_wall;") == 24
    monkeypatch.setattr(learning, "_MUCH", 1)
    assert run(capsys, "decompile", "many.win", "-j", "3") == alone
    for command in (["verify", "--code"], ["grep", "spr_wall"], ["refs"]):
        name = ["many.win", "spr_wall"] if command == ["refs"] else ["many.win"]
        assert run(capsys, *command, *name, "-j", "3") == run(capsys, *command, *name)


def test_compile_warns_of_names_that_nothing_has(game: Path, capsys: CapSys) -> None:
    Path(f"{STEP}.gml").write_text("y -= climb(2);\nclmb(fresh);\n", "utf-8")
    Path(f"{SCRIPT}.gml").write_text("function climb(h) { fresh = 1; return h + 2; }\n", "utf-8")
    both = [f"{STEP}.gml", f"{SCRIPT}.gml"]
    assert main(["compile", str(game), *both, "-o", "new.win"]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        f"{STEP}.gml:2:1: warning: unknown function clmb (did you mean climb?)",
        "    clmb(fresh);",
        "    ^",
    ]
    assert "written to new.win" in said.out
    assert main(["compile", str(game), both[0], "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["compile", str(game), *both, "-o", "strict.win", "--strict", "-q"]) == 1
    said = capsys.readouterr()
    assert f"{STEP}.gml:2:1: error: unknown function clmb" in said.err
    assert not Path("strict.win").exists()
    assert main(["compile", str(game), both[0], "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["files"]
    assert row["errors"] == []
    assert [(each["line"], each["column"], each["text"]) for each in row["warnings"]] == [
        (2, 1, "clmb(fresh);"), (2, 6, "clmb(fresh);"),
    ]  # fmt: skip
    assert main(["compile", str(game), both[1], "--strict"]) == 0


def test_pack_with_strict_writes_nothing_after_a_warning(game: Path, capsys: CapSys) -> None:
    assert main(["unpack", str(game), "folder"]) == 0
    Path("folder", "code", f"{STEP}.gml").write_text("x = lonely;\n", "utf-8")
    capsys.readouterr()
    assert main(["pack", "folder", "-o", "strict.win", "--strict"]) == 3
    assert "1:5: unknown variable lonely" in capsys.readouterr().err
    assert not Path("strict.win").exists()
    assert main(["pack", "folder", "-o", "new.win"]) == 0
    assert f"warning: code/{STEP}.gml:1:5: unknown variable lonely" in capsys.readouterr().err
