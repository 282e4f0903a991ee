"""The stages of the decompiler by themselves, on small made code."""

from __future__ import annotations

import pickle

import pytest

from gml_programs import RELEASES, context
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.context import Context
from overhaul.gml.decompiler import conclude, gather, read_facts
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.choices import ELSE, Choices
from overhaul.gml.decompiler.fragment import Fragment, Loop, RootEntry
from overhaul.gml.decompiler.lift.scope import Frame, Value
from overhaul.gml.decompiler.passes.nested import continues, lists_of
from overhaul.gml.decompiler.passes.pipeline import run
from overhaul.gml.decompiler.passes.tries import asked, is_flag, is_guard, number_of
from overhaul.gml.decompiler.regions.reader import Reader
from overhaul.gml.decompiler.types.facts import (
    FIELD,
    GLOBAL,
    LOCAL,
    NOTHING,
    PARAMETER,
    RESULT,
    GameFacts,
    Location,
)
from overhaul.gml.decompiler.types.infer import infer
from overhaul.gml.decompiler.types.locations import Locations, Uses
from overhaul.gml.decompiler.types.names import INSTANCE, NOONE, TypeNames
from overhaul.gml.decompiler.unstructured import MAXIMUM_DEPTH, StructureError
from overhaul.gml.dialect import Dialect
from overhaul.gml.roundtrip import decompile
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse, parse_expression
from overhaul.gml.vm.code import Child, Code, Instruction
from overhaul.gml.vm.opcodes import DataType, Opcode

GMS1, GMS2, TYPED = (16, (1, 0, 0, 1773)), (17, (2, 2, 5, 0)), (17, (2, 3, 7, 0))
EVENT = "gml_Object_obj_Create_0"
DIALECT = Dialect()


def game(release: tuple[int, tuple[int, ...]] = GMS1) -> Context:
    made = context(*release)
    made.add_assets("sprite", ["spr_zero", "spr_one", "spr_two"])
    return made


def shown(source: str, made: Context, whole: bool = False) -> str:
    """Compiled and decompiled, on one line; it compiles to the same code."""
    code = compile_source(source, made, kind="event", name=EVENT)
    text = decompile(code, made, inferred=gather([code], made) if whole else NOTHING)
    again = compile_source(text, made, kind="event", name=EVENT, previous=code)
    assert again.instructions == code.instructions
    return " ".join(text.split())


# -- cfg -------------------------------------------------------------------------------------------


def flow_of(source: str, release: tuple[int, tuple[int, ...]] = RELEASES[-1]) -> ControlFlow:
    return ControlFlow(compile_source(source, game(release), kind="event", name=EVENT))


def test_branches_and_where_they_lead() -> None:
    flow = flow_of("while (a) { if (b) continue; c = 1; }")
    count = len(flow.instructions)
    head, tails = next(iter(flow.loops.items()))
    assert head == 0 and len(flow.loops) == 1
    assert flow.is_opcode(tails[0], Opcode.B) and flow.targets[tails[0]] == 0
    leaving = flow.exits[tails[0] + 1]
    assert len(leaving) == 1 and flow.is_branch(leaving[0], Opcode.BF, tails[0] + 1)
    assert not flow.is_branch(leaving[0], Opcode.BT, tails[0] + 1)
    assert not flow.is_branch(leaving[0], Opcode.BF, tails[0])
    assert flow.landing == set(flow.targets.values())
    assert not flow.is_opcode(-1, flow.instructions[-1].opcode)
    assert not flow.is_opcode(count, Opcode.B)
    assert flow.where(count) == flow.where(count + 9) == f"byte {flow.offsets[count]}"


def test_short_circuits_and_single_stores() -> None:
    flow = flow_of("a = b && c; d = e || f;")
    assert sorted(flow.shorts.values()) == ["&&", "||"]
    for at, operator in flow.shorts.items():
        assert flow.instructions[at].value == (operator == "||")
    flow = flow_of("a = 1; if (b) c = 2;")
    stores = [
        at for at, instruction in enumerate(flow.instructions) if instruction.opcode == Opcode.POP
    ]
    first, second = stores
    assert flow.is_one_store(0, first + 1)
    assert not flow.is_one_store(0, first)  # it does not end in the store
    assert not flow.is_one_store(first + 1, second + 1)  # a branch is inside
    assert not flow_of("a = 1; b = 2;").is_one_store(0, 4)
    assert flow.behind(first, Opcode.POP) == first + 1
    assert flow.behind(first, Opcode.POPZ) == first


def test_functions_and_calls_are_found() -> None:
    flow = flow_of("a = function() { b(); }; room_restart();")
    (start,) = flow.functions
    assert flow.is_opcode(start - 1, Opcode.B)
    calls = [at for at in range(len(flow.instructions)) if flow.is_call(at, "room_restart")]
    assert len(calls) == 1 and not flow.is_call(calls[0], "room")


# -- lift ------------------------------------------------------------------------------------------


def value(name: str = "a") -> Value:
    return Value(tree.Name(name), int(DataType.VARIABLE))


def test_sizes_and_depths_of_expressions() -> None:
    frame = Frame([0, 4, 8])
    assert frame.budget == 2080
    left, right = value(), value()
    left.size, left.depth, right.size, right.depth = 5, 7, 3, 2
    both = frame.grow(value(), left, right)
    assert (both.size, both.depth) == (9, 8)
    chain = frame.grow_chain(value(), left, right)
    assert (chain.size, chain.depth) == (9, 7)
    left.depth = MAXIMUM_DEPTH
    assert frame.grow_chain(value(), left, right).depth == MAXIMUM_DEPTH
    with pytest.raises(StructureError, match="nests deeper"):
        frame.grow(value(), left)
    left.depth, left.size = 1, frame.budget
    for grown in (frame.grow, frame.grow_chain):
        with pytest.raises(StructureError, match="unreasonable size"):
            grown(value(), left, right)


def test_statements_know_their_address() -> None:
    frame = Frame([0, 4, 12, 16])
    frame.begin = 1
    frame.last_owner = 3 << 16
    frame.emit(tree.Exit(), 3)
    assert frame.out[0].address == 4 and frame.begin == 3 and frame.owner == 3 << 16
    element = tree.Index(tree.Name("a"), [tree.Number(1)])
    assert frame.owned(element) == tree.Index(tree.Name("a"), [tree.Number(1)], "@")
    assert frame.owned(tree.Name("a")) == tree.Name("a")
    frame.owner = -1
    assert frame.owned(element) is element


def test_an_array_in_the_first_operand_of_a_short_circuit() -> None:
    # Only an element that is itself the operand of an accessor is read by a call.
    source = "a = m[? b[0] && c];"
    assert shown(source, game(TYPED)) == source


def test_constants_that_are_booleans() -> None:
    source = "switch (true) { case a: b = 1; break; }"
    assert shown(source, game(TYPED)) == source


@pytest.mark.parametrize(
    ("release", "source"),
    [
        (GMS1, "while (true) { a = 1; }"),
        (GMS1, "while (2) { a = 1; }"),
        (TYPED, "while (1) { a = 1; }"),
        (TYPED, "while (true) { a = 1; }"),
        (GMS1, "repeat (1) { a = 1; }"),
    ],
)
def test_endless_loops(release: tuple[int, tuple[int, ...]], source: str) -> None:
    assert shown(source, game(release)) == source


@pytest.mark.parametrize(
    ("instructions", "reason"),
    [
        ([Instruction(Opcode.DUP, 5, 0, 0)], "dup reaches below the stack"),
        (
            [Instruction(Opcode.PUSHI, 15, 0, 1), Instruction(Opcode.DUP, 0, 0, 0)],
            "dup reaches below the stack",
        ),
        (
            [Instruction(Opcode.PUSH, 0, 0, 0, 1.5), Instruction(Opcode.DUP, 2, 0, 0)],
            "dup takes half a value",
        ),
        ([Instruction(Opcode.PUSHI, 15, 0, 1)], "values are left on the stack"),
        (
            [*[Instruction(Opcode.PUSHI, 15, 0, 1)] * 2, Instruction(Opcode.CMP, 2, 2, 7)],
            "a comparison of unknown kind 7",
        ),
        ([Instruction(Opcode.PUSH, 0, 0, 0, float("inf"))], "the constant inf has no literal"),
        ([Instruction(Opcode.BREAK, 15, 0, -99)], "an unknown operation break.e -99"),
        ([Instruction(Opcode.BT, 0, 0, 1)], "a value is missing"),
    ],
)
def test_reasons(instructions: list[Instruction], reason: str) -> None:
    assert f"could not be decompiled: {reason}" in decompile(Code(EVENT, instructions), game())


# -- passes ----------------------------------------------------------------------------------------


def block(source: str) -> list[tree.Statement]:
    return parse(source).statements


def test_lists_inside_statements() -> None:
    source = (
        "if (a) { b(); } else if (c) { d(); } else { while (e) { f(); } } try { } catch (g) { }"
    )
    lengths = [len(statements) for statements in lists_of(block(source))]
    assert len(lengths) == 7 and lengths[0] == 2
    assert continues(block("if (a) { } else { switch (b) { case 1: continue; } }"))
    assert continues(block("try { } finally { continue; }"))
    assert not continues(block("while (a) { continue; } break;"))


def test_flags_of_ways_out() -> None:
    statements = block(
        "__yy_breakEx3 = 0; a(); if (__yy_continueEx3) continue; if (__yy_breakEx3) break;"
    )
    assert number_of(statements[0]) == "3" and number_of(statements[1]) == ""
    assert asked(statements, 2, "3") == 2 and asked(statements, 3, "3") == 1
    assert asked(statements, 2, "4") == asked(statements, 4, "3") == 0
    assert asked(block("if (__yy_breakEx3) { break; a(); }"), 0, "3") == 0
    assert asked(block("if (__yy_breakEx3) continue;"), 0, "3") == 0
    flag = statements[0]
    assert isinstance(flag, tree.Assignment)
    assert is_flag(flag, "") and is_flag(flag, "3") and not is_flag(flag, "33")
    guard = block("if (__yy_continueEx3) break; a(); break;")
    assert is_guard(guard, "3") and not is_guard(guard, "4")
    assert not is_guard(guard[:2], "3") and not is_guard(guard[2:], "3")


def read_only(source: str) -> Fragment:
    """An entry as reading leaves it, before any pass."""
    made = game(TYPED)
    code = compile_source(source, made, kind="event", name=EVENT)
    locations = Locations(TypeNames(made, NOTHING))
    entry = RootEntry(code, made.dialect, Choices())
    fragment = Reader(entry, locations, Uses()).read()[-1]
    assert {point.kind for point in entry.choices.asked} <= {ELSE}
    return fragment


def test_reading_marks_loops_and_does_not_decide_what_they_are() -> None:
    first, mark = read_only("for (i = 0; i < 3; i++) { a(); }").statements
    assert first == block("i = 0;")[0]
    assert isinstance(mark, Loop) and isinstance(mark.loop, tree.While)
    assert mark.is_open and mark.may_end and not mark.is_part
    assert mark.loop.body == tree.Block(block("a(); i++;"))

    (_, mark) = read_only("for (i = 0; i < 3; i++) { if (b) continue; a(); }").statements
    assert isinstance(mark, Loop) and isinstance(mark.loop, tree.For) and not mark.is_open
    assert mark.loop.initial is None
    assert mark.loop.step == tree.Block(block("i++;"))

    (mark,) = read_only("while (b) { if (c) { a(); continue; } d(); e(); }").statements
    assert isinstance(mark, Loop) and isinstance(mark.loop, tree.While) and not mark.is_open

    (mark,) = read_only("repeat (3) { a(); }").statements
    assert isinstance(mark, Loop) and isinstance(mark.loop, tree.Repeat) and not mark.is_open


def test_reading_gives_functions_behind_those_inside_them() -> None:
    made = game(TYPED)
    source = "f = function(a) { g = function(b) { return b; }; return a; };"
    code = compile_source(source, made, kind="event", name=EVENT)
    entry = RootEntry(code, made.dialect, Choices())
    fragments = Reader(entry, Locations(TypeNames(made, NOTHING)), Uses()).read()
    depths = [fragment.end - fragment.start for fragment in fragments]
    assert depths == sorted(depths) and len(depths) == 3
    assert [fragment.child is None for fragment in fragments] == [False, False, True]
    assert not any(fragment.parameters for fragment in fragments)  # a pass makes them


def passed(source: str, used: int = 0) -> Fragment:
    """What the passes over a function make of statements."""
    child = Child("gml_Script_f", 0)
    fragment = Fragment(RootEntry(Code("f", []), DIALECT, Choices()), child, 0, 9)
    fragment.statements = block(source)
    fragment.used = used
    fragment.has_try = True
    run([fragment])
    return fragment


def test_default_values_become_parameters() -> None:
    made = passed(
        "if (argument1 == undefined) argument1 = 5; if (argument0 == undefined) argument0 = 6;",
        used=1,
    )
    assert [parameter.name for parameter in made.parameters] == ["arg0", "arg1"]
    assert [parameter.default for parameter in made.parameters] == [None, tree.Number(5)]
    assert len(made.statements) == 1  # in this order it is no default value
    for other in ("x = 1", "argument0 = 1; b = 2", "argument0 += 1", "argument0 ??= 1"):
        assert len(passed(f"if (argument0 == undefined) {{ {other}; }}").statements) == 1
    for test in (
        "argument0 != undefined",
        "argument0 == noone",
        "argument == undefined",
        "a == undefined",
    ):
        assert len(passed(f"if ({test}) argument0 = 1;").statements) == 1


def test_returned_copies_and_finally_parts() -> None:
    made = passed("try { if (a) { c(); copyVar = b; c(); return copyVar; } } finally { c(); }")
    assert made.statements == block("try { if (a) { c(); return b; } } finally { c(); }")
    same = "try { d(); return b; } finally { c(); }"
    assert passed(same).statements == block(same)


@pytest.mark.parametrize("before", ["", "x = 1; "])
def test_a_flag_that_is_not_two_statements_before_a_try_is_no_flag_of_it(before: str) -> None:
    source = before + (
        "try { while (true) { if (__yy_continueEx3) break; a(); break; } } catch (e) { b(); } "
        "if (__yy_breakEx3) break; __yy_breakEx3 = 0;"
    )
    assert passed(source).statements == block(source)


# -- types -----------------------------------------------------------------------------------------


def facts_of(**kinds: int) -> GameFacts:
    facts = GameFacts()
    for kind, count in kinds.items():
        for _ in range(count):
            facts.at(Location(GLOBAL, "a")).add(f"Asset.GM{kind}")
    return facts


def inferred(facts: GameFacts) -> str:
    return infer(facts, DIALECT).types.get(Location(GLOBAL, "a"), "")


def test_nearly_all_signs_must_agree() -> None:
    assert inferred(facts_of(Sprite=4, Sound=1)) == "Asset.GMSprite"
    assert inferred(facts_of(Sprite=3, Sound=1)) == ""
    facts = facts_of(Sprite=2)
    facts.at(Location(GLOBAL, "a")).numeric = 2
    assert inferred(facts) == "Asset.GMSprite"
    facts.at(Location(GLOBAL, "a")).numeric = 3
    assert inferred(facts) == ""


def test_absent_instances() -> None:
    def given(*numbers: int) -> str:
        facts = GameFacts()
        facts.at(Location(GLOBAL, "a")).given = set(numbers)
        return inferred(facts)

    assert given(NOONE) == given(NOONE, 7, -1) == "Id.Instance"
    assert given(NOONE, 4) == given(NOONE, -3) == given(NOONE, -5) == ""


def test_types_pass_on_twice() -> None:
    facts = facts_of(Sprite=1)
    for left, right in ("ab", "bc", "cd"):
        facts.link(Location(GLOBAL, left), Location(GLOBAL, right))
    facts.at(Location(GLOBAL, "e")).numeric = 1
    facts.link(Location(GLOBAL, "a"), Location(GLOBAL, "e"))
    # Two rounds before booleans are decided, two behind.
    assert {kind.name for kind in infer(facts, DIALECT).types} == set("abcd")


def test_zero_may_be_false() -> None:
    made = game()
    text = shown("pic = 0; pic = 1; if (pic) draw_sprite(pic, 0, x, y);", made, whole=True)
    assert text.startswith("pic = false; pic = spr_one;")


def test_what_shares_a_location() -> None:
    assert Location(FIELD, "a", "obj").shared() == Location(FIELD, "a")
    element = Location(FIELD, "a", "obj").element_at(tree.String("key"))
    assert element == Location(FIELD, "a", "obj", 0, "key") and element.element_at() is element
    assert element.shared() == Location(FIELD, "a", "", 0, "key")
    assert Location(GLOBAL, "a").element_at(tree.String("two words")).element == ""
    for same in (Location(GLOBAL, "a"), Location(LOCAL, "a", "entry"), Location(RESULT, "f")):
        assert same.shared() is same
    anonymous = Location(LOCAL, "a", "entry:gml_Script_anon@12@entry").shared()
    assert anonymous == Location(LOCAL, "b", "entry:gml_Script_anon@99@entry").shared()
    assert Location(RESULT, "anon@12@a").shared() == Location(RESULT, "anon@13@b").shared()


def test_locations_of_expressions() -> None:
    made = game()
    made.globals.add("score_")
    locations = Locations(TypeNames(made, NOTHING))
    locations.owner, locations.place, locations.locals = "obj", "entry", {"spare"}

    def of(source: str) -> Location | None:
        return locations.of(parse_expression(source))

    assert of("hp") == of("self.hp") == Location(FIELD, "hp", "obj")
    assert of("obj_first.hp") == Location(FIELD, "hp", "obj_first")
    assert of("target.hp") == Location(FIELD, "hp")
    assert of("global.hp") == Location(GLOBAL, "hp") and of("score_") == Location(GLOBAL, "score_")
    assert of("spare") == Location(LOCAL, "spare", "entry")
    assert of("x") is of("target.x") is of("5") is of("arg0.x") is None
    assert of("arg0") == Location(FIELD, "arg0", "obj") and of("argument0") is None
    locations.function = "f"
    assert of("arg0") == of("argument0") == of("argument[0]") == Location(PARAMETER, "f")
    assert of("arg12") == Location(PARAMETER, "f", "", 12) and of("argument[a * 2]") is None
    assert of("argument[a]") == Location(PARAMETER, "f", "", -1)
    assert of("argument[a + 2]") == Location(PARAMETER, "f", "", -3)
    assert of("F()") == of("target.F()") == Location(RESULT, "F")
    assert of("round(1)") is None and of("argument1x") == Location(FIELD, "argument1x", "obj")
    assert of("hp[3]") == Location(FIELD, "hp", "obj", 0, "") == of("hp[3, 4]")
    assert of('hp[? "key"]') == Location(FIELD, "hp", "obj", 0, "key")
    assert of('ds_map_find_value(hp, "key")') == Location(FIELD, "hp", "obj", 0, "key")
    assert of('ds_list_find_value(hp, "key")') == Location(FIELD, "hp", "obj", 0, "")


def test_types_of_built_in_things() -> None:
    names = TypeNames(game(), NOTHING)

    def of(source: str) -> str:
        return names.builtin_type(parse_expression(source))

    assert of("sprite_index") == of("other.sprite_index") == "Asset.GMSprite"
    assert of("keyboard_check(1)") == "Bool" and of("a") == of("a()") == of("1") == ""
    entry = of('async_load[? "type"]')
    assert entry == of('ds_map_find_value(async_load, "type")') != ""
    assert of('async_load[? "a"]') == of("async_load[? type]") == ""
    assert of('other.async_load[? "type"]') == of("ds_map_find_value(async_load)") == ""


def test_names_of_numbers() -> None:
    names = TypeNames(game(), NOTHING)
    assert names.name("Asset.GMSprite", 1) == tree.Name("spr_one")
    assert names.name("Asset.GMSprite", 3) is names.name("Asset.GMSprite", -1) is None
    assert names.name("Asset.GMSprite", NOONE) == names.name(INSTANCE, NOONE) == tree.Name("noone")
    assert names.name(INSTANCE, -3) == tree.Name("all") and names.name(INSTANCE, -5) is None
    assert names.name(INSTANCE, 100123) is None  # the game does not know it
    assert names.name("Bool", 1) == tree.Boolean(True) and names.name("Bool", 2) is None
    assert names.name("Constant.VirtualKey", 65) == parse_expression('ord("A")')
    assert names.name("Constant.VirtualKey", 37) == tree.Name("vk_left")
    assert TypeNames(game(), NOTHING._replace(numbers=True)).name("Bool", 1) is None


def test_globals_and_fields_of_one_name() -> None:
    text = shown("global.pic = 1; draw_sprite(global.pic, 0, x, y); pic = 1;", game(), whole=True)
    assert text.startswith("global.pic = spr_one;") and text.endswith("pic = 1;")


def test_elements_of_literals() -> None:
    text = shown("pics = [1, [2]]; draw_sprite(pics[0], 0, x, y);", game(GMS2), whole=True)
    assert text.startswith("pics = [spr_one, [spr_two]];")


def test_facts_can_be_read_in_parts() -> None:
    made = game()
    codes = [
        compile_source(source, made, kind="event", name=EVENT)
        for source in (
            "pic = 1; other_pic = pic;",
            "draw_sprite(other_pic, 0, x, y); ds_map_add(m, 0, 9);",
        )
    ]
    facts = pickle.loads(pickle.dumps([read_facts([code], made) for code in codes]))
    parts = conclude(facts, made)
    assert parts.called
    assert gather(codes, made) == parts
    assert parts.types[Location(FIELD, "pic")] == "Asset.GMSprite"
    assert decompile(codes[0], game(), inferred=parts) == "pic = spr_one;\nother_pic = pic;"
    assert decompile(codes[0], made) == "pic = 1;\nother_pic = pic;"


def test_constructors_that_say_self() -> None:
    made = game(TYPED)
    source = "function A(p) constructor { x = p; var y; y = 1; self.y = y; z = 1; }"
    code = compile_source(source, made, kind="global_script", name="gml_GlobalScript_s")
    inferred = gather([code], made)
    assert inferred.says_self
    assert "self.z = 1;" in decompile(code, made, inferred=inferred)


# -- regions ---------------------------------------------------------------------------------------


def test_a_child_constructor_and_a_parent() -> None:
    made = game(TYPED)
    source = "function A() constructor { x = 1; } function B() : A() constructor { y = 2; }"
    code = compile_source(
        source + "function c() { z = 3; }", made, kind="global_script", name="gml_GlobalScript_s"
    )
    text = " ".join(decompile(code, made).split())
    assert "function A() constructor {" in text and "function B() : A() constructor {" in text
    assert "function c() {" in text


@pytest.mark.parametrize(
    ("source", "certain"),
    [
        ('a = string("{0} {", b);', False),
        ('a = $"{b} {c}";', False),
        ('a = $"{b}";', True),
        ('a = string("{0}", b);', True),
        ('a = string("{1}{0}", b, c);', True),
    ],
)
def test_templates_and_calls_of_string(source: str, certain: bool) -> None:
    release = (17, (2024, 14, 0, 0)) if certain else (17, (2023, 4, 0, 0))
    assert shown(source, game(release)) == source


def test_names_that_mean_something_else() -> None:
    made = game(TYPED)
    for name in ("spr_one", "pi", "mouse_x", "show_message", "F"):
        assert shown(f"self.{name} = self.{name} + 1;", made) == f"self.{name} += 1;"
    old = game()
    code = compile_source("self.hp = 1; hp = hp + self.fps;", old, kind="event", name=EVENT)
    assert decompile(code, old) == "hp = 1;\nhp += fps;"


def test_a_with_must_have_an_end() -> None:
    made = game()
    code = compile_source("with (obj) { a = 1; } b = 2;", made, kind="event", name=EVENT)
    at = next(
        n for n, instruction in enumerate(code.instructions) if instruction.opcode == Opcode.POPENV
    )
    code.instructions[at].value += 1
    assert "has no end" in decompile(code, made)


def nested(depth: int) -> str:
    return "if (a) { " * depth + "b = 1; " + "}" * depth


def test_how_deep_statements_may_nest() -> None:
    made = game()
    for depth, fits in ((MAXIMUM_DEPTH - 1, True), (MAXIMUM_DEPTH, False)):
        code = compile_source(nested(depth), made, kind="event", name=EVENT)
        assert ("statements nest deeper" not in decompile(code, made)) is fits


@pytest.mark.parametrize("words", [0, 4, 7])
def test_swaps_of_other_sizes(words: int) -> None:
    pushes = [Instruction(Opcode.PUSHI, 15, 0, 1)] * 4
    code = Code(EVENT, [*pushes, Instruction(Opcode.POP, 15, 5, words)])
    assert f"a swap of {words} words" in decompile(code, game())


def test_the_code_of_a_loop_that_runs_once() -> None:
    source = "while (a) { try { if (b) break; c(); } catch (e) { if (d) continue; } f(); }"
    assert shown(source, game(TYPED)) == shown(source, game(RELEASES[-1]))
    assert "__yy" not in shown(source, game(TYPED))
