"""Code of a game as people change it: before, behind, in the place of what is there."""

from __future__ import annotations

import pytest

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.code.additions import add_room_code
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.errors import CompileError, SyntaxError_
from present import present
from small_games import again, game_of

VERSIONS = ["1.0.0.1250", "1.4.9999", "2.2.5", "2.3.1", "2023.11", "2024.14"]
LOOP = "while (x < 3)\n{\n    x += 1;\n}"
STEP = "gml_Object_obj_a_Step_0"


def with_step(version: str, source: str) -> GameData:
    game = game_of(version)
    game.objects["obj_a"].events.add("Step_0", source)
    return game


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.parametrize("version", VERSIONS)
def test_code_goes_before_and_behind_what_is_there(version: str) -> None:
    game = with_step(version, LOOP)
    code = game.code[STEP]
    code.prepend("y = 1; // first")
    code.append("y = 2;\ny = 3;")
    expected = ["y = 1;", *lines(LOOP), "y = 2;", "y = 3;"]
    got = [line for line in lines(again(game).code[STEP].gml) if line]
    assert got == expected


@pytest.mark.parametrize("version", VERSIONS)
def test_assembly_goes_before_and_behind_what_is_there(version: str) -> None:
    one, two = (with_step(version, LOOP) for _ in range(2))
    extra = with_step(version, "y = 7;").code[STEP].assembly
    text = "\n".join(line for line in lines(extra) if line and line[0] not in ":.")
    one.code[STEP].prepend(text, assembly=True)
    one.code[STEP].append(text, assembly=True)
    two.code[STEP].gml = f"y = 7;\n{LOOP}\ny = 7;"
    assert one.code[STEP].to_bytes() == two.code[STEP].to_bytes()
    assert lines(again(one).code[STEP].gml) == lines(two.code[STEP].gml)


def test_appended_assembly_keeps_a_text_about_the_end() -> None:
    game = with_step("2024.14", 'if (x)\n{\n    show_debug_message("b [end]");\n}')
    game.code[STEP].append("pushi.e 7\npop.v.i self.y", assembly=True)
    assert '"b [end]"' in game.code[STEP].gml
    assert lines(game.code[STEP].gml)[-1] == "self.y = 7;"


def test_replacing_counts_from_the_beginning() -> None:
    game = with_step("2024.14", "a = 5;\nb = 5;\nc = 5;")
    code = game.code[STEP]
    assert code.replace("= 5", "= 6", 2) == 2
    assert lines(code.gml) == ["a = 6;", "b = 6;", "c = 5;"]
    assert code.replace("= 6", "= 7") == 2
    assert code.replace("= 7", "= 9", 0) == 0
    assert lines(code.gml) == ["a = 7;", "b = 7;", "c = 5;"]
    assert code.replace("pushi.e 5", "pushi.e 8", assembly=True) == 1
    assert lines(code.gml)[-1] == "c = 8;"


def refused(game: GameData, kind: type[Exception], message: str | None, change: object) -> None:
    """The change is refused, and nothing is another than before."""
    before = game.to_bytes()
    with pytest.raises(kind, match=message):
        change()  # type: ignore[operator]
    assert game.to_bytes() == before


def test_what_is_not_there_or_does_not_compile_changes_nothing() -> None:
    game = with_step("2024.14", "x  =  max(1, 2);\nif (x) { y = 1; }")
    code = game.code[STEP]
    refused(game, EncodeError, "no 'zz = 1'", lambda: code.replace("zz = 1", ""))
    refused(
        game,
        EncodeError,
        r"line 1 has it with other white space: 'x = max\(1, 2\)'",
        lambda: code.replace("x=max( 1,2 )", "x = 1"),
    )
    refused(game, EncodeError, "its assembly has no", lambda: code.replace("zz", "", assembly=True))
    refused(game, SyntaxError_, None, lambda: code.replace("max(", "max(("))
    refused(game, CompileError, None, lambda: code.append("break;"))
    refused(game, SyntaxError_, None, lambda: code.prepend("x = ;"))
    refused(game, SyntaxError_, None, lambda: code.append("else { y = 2; }"))
    refused(game, SyntaxError_, None, lambda: code.prepend("if (y)"))
    refused(game, SyntaxError_, None, lambda: code.prepend("not.an.instruction", assembly=True))
    refused(game, SyntaxError_, "is not closed", lambda: code.prepend("y = 1; /* open"))
    refused(game, EncodeError, "goes on after its end", lambda: code.prepend("#macro A 1 \\"))
    refused(game, ValueError, "an empty one", lambda: code.replace("", "x = 1;"))


def test_nothing_is_appended_behind_a_return() -> None:
    game = game_of("1.4.9999")
    script = game.scripts.add("scr_two", "x = 1;\nreturn 2;")
    refused(game, EncodeError, "last statement is return", lambda: script.append("x = 2;"))
    script.prepend("x = 0;")
    assert lines(script.gml) == ["x = 0;", "x = 1;", "return 2;"]


FUNCTIONS = """
function scr_one(arg0)
{
    return arg0 * 2;
}

function scr_two(arg0, arg1)
{
    x = arg0;
    y = 0.5;
}
"""


@pytest.mark.parametrize("version", ["2.3.1", "2023.11", "2024.14"])
def test_a_function_changes_by_itself(version: str) -> None:
    game = game_of(version)
    game.scripts.add("scr_one", FUNCTIONS)
    one, two = game.code["gml_Script_scr_one"], game.code["gml_Script_scr_two"]
    one.prepend("arg0 += 1;")
    two.append("y = arg1;")
    assert two.replace("0.5", "0.25") == 1
    with pytest.raises(EncodeError, match=r"no 'arg0 \* 2'"):
        two.replace("arg0 * 2", "arg0")
    with pytest.raises(EncodeError, match="last statement is return"):
        one.append("x = 1;")
    read = [line.strip() for line in lines(again(game).code["gml_GlobalScript_scr_one"].gml)]
    first, second = read.index("return arg0 * 2;"), read.index("y = arg1;")
    assert read[first - 1] == "arg0 += 1;"
    assert read[second - 2 : second] == ["x = arg0;", "y = 0.25;"]
    assert [child.name for child in game.code["gml_GlobalScript_scr_one"].children] == [
        one.name,
        two.name,
    ]
    assert one.parent == game.code["gml_GlobalScript_scr_one"]


def test_a_function_without_a_name_can_not_be_chosen_by_name() -> None:
    game = with_step("2024.14", "f = function() { x = 1; };\ng = function() { x = 2; };")
    child = game.code[STEP].children[0]
    refused(game, EncodeError, f"change that entry|{STEP}", lambda: child.prepend("x = 3;"))
    refused(game, EncodeError, "change that entry", lambda: child.prepend("popz.v", assembly=True))


def test_who_runs_code() -> None:
    for version in VERSIONS:
        game = with_step(version, "x = 1;")
        game.objects["obj_a_b"].events.add("Step_0", "x = 2;")
        game.objects["obj_a_b"].events.add("Collision_obj_a", "x = 3;")
        game.timelines["tm_day"].moments.add(30, "x = 4;")
        script = game.scripts.add("scr_x", "x = 5;" if version < "2.3" else "function f() {}")
        room = add_room_code(game, 0, "x = 6;")
        hit = "Collision_obj_a"
        for name, resource, place in [
            (STEP, "obj_a", "Step_0"),
            ("gml_Object_obj_a_b_Step_0", "obj_a_b", "Step_0"),
            (present(game.objects["obj_a_b"].events[hit].code).name, "obj_a_b", hit),
            ("Timeline_tm_day_0", "tm_day", "step 30"),
            (present(script.code).name, "scr_x", ""),
            (str(room.name), "rm_first", "creation code"),
        ]:  # fmt: skip
            owner = game.code[name].owner
            assert owner is not None, (version, name)
            assert (owner.resource.name, owner.place) == (resource, place)
        # the name is a guess: what runs it counts
        game.records.code[STEP].name = game.strings.add("gml_Object_obj_a_b_Step_9")
        owner = game.code["gml_Object_obj_a_b_Step_9"].owner
        assert owner is not None and str(owner) == "obj_a Step_0"
        game.records.objects["obj_a"].events[3][0].actions.clear()
        assert game.code["gml_Object_obj_a_b_Step_9"].owner is None


def test_code_shows_itself_in_a_line() -> None:
    game = with_step("2024.14", "x = 1;")
    code = game.code[STEP]
    assert repr(code) == f"<Code {STEP} 2 instructions>"
    assert (code.locals, code.arguments, code.offset, code.parent) == (0, 0, 0, None)
    assert len(code.instructions) == 2
    assert len(code.to_bytes()) == 4 * sum(instruction.size for instruction in code.instructions)
    assert "gml" in dir(code) and "record" in dir(code)
    with pytest.raises(KeyError, match="did you mean 'gml_Object_obj_a_Step_0'"):
        game.code["gml_object_obj_a_step_0"]
    del game.code[STEP]
    assert STEP not in game.code
    assert list(game.objects["obj_a"].events) == []


def test_code_that_does_not_compile_to_itself_is_reported() -> None:
    game = with_step("2024.14", "x = 1;")
    code = game.code[STEP]
    code.append("y = 1;")
    assert game.warnings == []
    code.assembly = "push.i 5\npop.v.i self.x\n"
    code.append("y = 2;")
    (warning,) = game.warnings
    assert warning.startswith(f"{STEP}: all of it was compiled again, and what was not edited may")
    assert lines(code.gml)[-1] == "y = 2;"


def test_a_game_without_bytecode_gets_no_code() -> None:
    game = game_of("2024.14")
    game.chunks["CODE"].record = None
    before = len(game.objects), len(game.strings)
    with pytest.raises(EncodeError, match="no readable bytecode"):
        game.objects.add("obj_n", events={"Create_0": "x = 1;"})
    assert (len(game.objects), len(game.strings)) == before
    assert game.objects.add("obj_n").events == {}


def test_what_runs_code_changes_it_by_itself() -> None:
    game = with_step("2024.14", "x = 1;")
    event = game.objects["obj_a"].events["Step_0"]
    event.prepend("y = 0;")
    event.append("y = 2;")
    assert event.replace("x = 1", "x = 3") == 1
    event.append("pushi.e 9\npop.v.i self.z", assembly=True)
    assert lines(event.gml) == ["y = 0;", "x = 3;", "y = 2;", "self.z = 9;"]
    event.record.actions[0].code = None
    assert (event.code, event.gml) == (None, "")
    for change in (event.append, event.prepend, lambda text: event.replace("x", text)):
        refused(game, ValueError, "<Event Step_0 of obj_a> runs no code", lambda c=change: c("x"))
    with pytest.raises(ValueError, match="runs no code"):
        event.gml = "x = 1;"


@pytest.mark.parametrize("version", ["1.4.9999", "2024.14"])
def test_who_runs_code_is_known_of_all_at_once(version: str) -> None:
    game = with_step(version, "x = 1;")
    game.objects["obj_a"].events.add("Create_0", "y = 1;")
    game.add_script("scr_alone", "z = 1;")
    found = game.code_owners()
    owners = {code.index: code.owner for code in game.code}
    assert {number: owners[number] for number in found} == found
    assert len(found) == len(owners)
    step = game.objects["obj_a"].events["Step_0"].record.actions[0]
    other = game.objects["obj_a"].events["Create_0"].record.actions[0]
    shared, step.code = step.code.index, other.code
    found = game.code_owners()
    assert found[shared] is None
    assert found.keys() == owners.keys() - {other.code.index}
