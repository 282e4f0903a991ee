"""Code that no compiler made: it ends, in time, and what can be read still comes out."""

from __future__ import annotations

import random
from contextlib import nullcontext

import pytest

from gml_programs import NEW_PROGRAMS, PROGRAMS, RELEASES, context
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.context import Context
from overhaul.gml.decompiler import gather
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.roundtrip import analyse, decompile
from overhaul.gml.vm.code import Child, Code, FunctionReference, Instruction, VariableReference
from overhaul.gml.vm.opcodes import MNEMONICS, POPENV_DROP, Opcode
from steps import at_most

#: three readings of a small entry take at most this many calls
STEPS = 3_000_000


def plain(opcode: int, type1: int = 0, type2: int = 0, value: int = 0) -> Instruction:
    return Instruction(opcode, type1, type2, value)


def store(name: str) -> list[Instruction]:
    """``name = 1``"""
    variable = VariableReference(name, -1, 0xA0)
    return [plain(Opcode.PUSHI, 15, 0, 1), Instruction(Opcode.POP, 5, 2, -1, variable)]


@pytest.fixture(scope="module")
def material() -> list[tuple[Context, Code]]:
    """Real shapes to damage."""
    made = []
    for release in RELEASES[1::4]:
        game = context(*release)
        for source in [*PROGRAMS, *NEW_PROGRAMS]:
            try:
                code = compile_source(source, game, kind="event", name="gml_Object_o_Step_0")
            except SyntaxError_:
                continue
            made.append((game, code))
    return made


def damaged(code: Code, source: random.Random, pool: list[Instruction]) -> Code:
    instructions = [instruction.copy() for instruction in code.instructions]
    for _ in range(source.choice((1, 1, 2, 5, 20))):
        if not instructions:
            break
        at = source.randrange(len(instructions))
        match source.randrange(5):
            case 0:
                del instructions[at]
            case 1:
                instructions.insert(at, source.choice(pool).copy())
            case 2:
                instructions[at].value = source.randrange(-300, 300)
            case 3:
                other = source.randrange(len(instructions))
                instructions[at], instructions[other] = instructions[other], instructions[at]
            case _:
                if instructions[at].operand is None:
                    instructions[at].opcode = source.choice(list(MNEMONICS))
    return Code("gml_Object_o_Step_0", instructions, list(code.children))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_damaged_code_never_raises(seed: int, material: list[tuple[Context, Code]]) -> None:
    source = random.Random(seed)
    pool = [instruction for _, code in material for instruction in code.instructions]
    for number in range(400):
        game, code = source.choice(material)
        odd = damaged(code, source, pool)
        # counting takes most of the time
        with at_most(STEPS) if number % 4 == 0 else nullcontext():
            decompile(odd, game)
            decompile(odd, game, inferred=gather([odd], game))


@pytest.mark.parametrize("seed", range(2))
def test_random_streams_never_raise(seed: int, material: list[tuple[Context, Code]]) -> None:
    source = random.Random(seed)
    pool = [instruction for _, code in material for instruction in code.instructions]
    game = context(*RELEASES[-1])
    for _ in range(300):
        instructions = [source.choice(pool).copy() for _ in range(source.choice((3, 20, 200)))]
        places = [0]
        for instruction in instructions:
            places.append(places[-1] + instruction.size)
        for at, instruction in enumerate(instructions):
            if Opcode.B <= instruction.opcode <= Opcode.POPENV and instruction.value != POPENV_DROP:
                goal = source.randrange(max(0, at - 8), min(len(places), at + 9))
                instruction.value = places[goal] - places[at]
        code = Code("gml_Object_o_Step_0", instructions)
        decompile(code, game)
        made = analyse(code, game)
        assert made.block.statements or made.problems or not instructions


def test_duplication_does_not_explode() -> None:
    variable = VariableReference("x", -1, 0xA0)
    instructions = [Instruction(Opcode.PUSH, 5, 0, -1, variable)]
    for _ in range(200):
        instructions += [plain(Opcode.DUP, 5), plain(Opcode.ADD, 5, 5)]
    instructions.append(Instruction(Opcode.POP, 5, 5, -1, variable))
    game = context(*RELEASES[-1])
    made = analyse(Code("x", instructions), game)
    assert "unreasonable size" in made.problems[0]
    assert len(decompile(Code("x", instructions), game)) < 100_000


def test_nesting_is_bounded() -> None:
    depth = 5000
    instructions = [plain(Opcode.PUSHI, 15), *[plain(Opcode.NEG, 2) for _ in range(depth)]]
    instructions.append(plain(Opcode.RET, 5))
    made = analyse(Code("x", instructions), context(*RELEASES[-1]))
    assert "nests deeper" in made.problems[0]


def test_nested_ifs_are_bounded() -> None:
    instructions: list[Instruction] = []
    depth = 2000
    for level in range(depth):
        instructions += [plain(Opcode.PUSHI, 15, 0, 1), plain(Opcode.CONV, 2, 4)]
        instructions.append(plain(Opcode.BF, 0, 0, 3 * (depth - level) - 2))
    code = Code("x", instructions)
    decompile(code, context(*RELEASES[-1]))
    assert "nest" in analyse(code, context(*RELEASES[-1])).problems[0]


def test_what_can_be_read_still_comes_out() -> None:
    broken = [plain(Opcode.PUSHI, 15, 0, 1), plain(Opcode.BF, 0, 0, 100)]
    code = Code("x", [*store("a"), *broken, *store("b")])
    made = analyse(code, context(*RELEASES[-1]))
    text = decompile(code, context(*RELEASES[-1]))
    assert len(made.problems) == 1
    assert text.startswith("self.a = 1;")
    assert "leads out of its block" in text
    assert "pop.v.i self.b" in text


def test_a_broken_function_leaves_the_others() -> None:
    game = context(17, (2, 3, 1, 0))
    source = "function f() { return 1; } function g() { return 2; }"
    code = compile_source(source, game, kind="global_script", name="gml_GlobalScript_s")
    for instruction in code.instructions:
        if instruction.opcode == Opcode.PUSHI and instruction.value == 2:
            instruction.opcode = int(Opcode.CALLV)
            break
    text = decompile(code, game)
    assert "function f()\n{\n    return 1;\n}" in text
    assert "could not be decompiled" in text


def test_no_code_at_all() -> None:
    assert decompile(Code("x", []), context(*RELEASES[0])).strip() == ""


def test_children_that_begin_nowhere_are_left_out() -> None:
    code = Code("x", store("a"), [Child("gml_Script_f", 3), Child("gml_Script_g", 4000)])
    assert "a = 1;" in decompile(code, context(17, (2, 3, 1, 0)))


def test_calls_need_their_arguments() -> None:
    call = Instruction(Opcode.CALL, 2, 0, 5, FunctionReference("show_message"))
    made = analyse(Code("x", [call]), context(17, (2, 3, 1, 0)))
    assert "more values than the stack holds" in made.problems[0]


def test_a_pushenv_that_leaves_early_is_none() -> None:
    instructions = [
        Instruction(Opcode.PUSHI, 15, 0, 1),
        Instruction(Opcode.PUSHENV, 0, 0, POPENV_DROP),
    ]
    made = analyse(Code("gml_Object_o_Step_0", instructions), context(*RELEASES[0]))
    assert made.problems


def compiled(source: str) -> tuple[Code, Context]:
    game = context(*RELEASES[-1])
    return compile_source(source, game, kind="event", name="gml_Object_o_Step_0"), game


def led(code: Code, jump: int, goal: int) -> Code:
    """The code with another goal of the jump at an instruction."""
    instructions = code.instructions
    sizes = [instruction.size for instruction in instructions]
    instructions[jump].value = sum(sizes[jump:goal]) if jump < goal else -sum(sizes[goal:jump])
    return Code(code.name, instructions)


def places(code: Code, *opcodes: int) -> list[int]:
    return [at for at, one in enumerate(code.instructions) if one.opcode in opcodes]


def test_a_statement_begins_where_the_one_before_it_ends() -> None:
    code, game = compiled("exit; x = 1; y = 2;")
    assert [one.address for one in analyse(code, game).block.statements] == [0, 4, 16]


@pytest.mark.parametrize("head", ["repeat (2)", "with (a)"])
def test_a_jump_over_a_part_of_a_body_is_no_continue(head: str) -> None:
    code, game = compiled(head + " { continue; x = 1; y = 2; }")
    assert analyse(code, game).problems == []
    (jump,) = places(code, Opcode.B)
    _, last = places(code, Opcode.POP)
    odd = led(code, jump, last - 1)
    assert "fits nothing" in analyse(odd, game).problems[0]


def test_a_switch_ends_in_the_block_that_it_is_in() -> None:
    code, game = compiled("if (a) { switch (b) { case 1: x = 1; } } switch (c) { case 2: y = 2; }")
    assert analyse(code, game).problems == []
    first = places(code, Opcode.B)[0]
    odd = led(code, first, places(code, Opcode.POPZ)[-1])
    assert "has no end" in analyse(odd, game).problems[0]


def test_a_return_before_code_that_is_never_run_is_joined() -> None:
    code, game = compiled("try { return a; b = 1; } finally { c = 1; }")
    words = decompile(code, game).split()
    assert " ".join(words) == "try { return a; b = 1; } finally { c = 1; }"
