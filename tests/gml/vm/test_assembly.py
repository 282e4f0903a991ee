"""The assembly text: its layout, every operand, other tools' spellings, and its errors."""

from __future__ import annotations

import pytest

from overhaul import gml
from overhaul.gml.vm.code import (
    AssetReference,
    Child,
    Code,
    FunctionReference,
    Instruction,
    LocalName,
    RawDouble,
    StringReference,
    VariableReference,
)
from overhaul.gml.vm.opcodes import Opcode
from overhaul.gml.vm.text import name_text, read_name

LISTING = """\
.localvar 0 arguments
.localvar 1 total

:[0]
b [2]

> gml_Script_tally (locals=1, argc=2)
:[1]
push.v arg.argument0
pop.v.v local.total
pushloc.v local.total
ret.v

:[2]
push.i [function]gml_Script_tally
conv.i.v
pushi.e -1
conv.i.v
call.i method(argc=2)
dup.v 0
pushi.e -1
pop.v.v [stacktop]self.tally
popz.v
pushi.e 5
pushenv [4]

:[3]
push.s "a \\"quoted\\" line\\nand \\\\ more"
pop.v.s self.text
popenv [3]
push.v self.text
pushi.e 0
cmp.i.v NEQ
bf [end]

:[4]
b [6]

:[5]
popenv <drop>

:[6]
push.d 0.5
push.l 4294967296
popz.l

:[end]"""


def test_a_listing_is_a_fixed_point() -> None:
    code = gml.assemble(LISTING)
    # popenv closes no block, so pushenv's target is not where this text has [4]: labels are
    # numbered again, and the text is then stable.
    text = gml.disassemble(code)
    assert gml.disassemble(gml.assemble(text)) == text
    assert gml.assemble(text) == code
    assert code.children == [Child("gml_Script_tally", 4, 1, 2)]
    assert code.local_names == ["arguments", "total"]


def test_layout() -> None:
    text = gml.disassemble(gml.assemble(LISTING))
    lines = text.split("\n")
    assert lines[:6] == [
        ".localvar 0 arguments", ".localvar 1 total", "", ":[0]", "b [2]", "",
    ]  # fmt: skip
    assert lines[6:8] == ["> gml_Script_tally (locals=1, argc=2)", ":[1]"]
    assert lines[-2:] == ["", ":[end]"]
    assert not text.startswith("\n")
    assert gml.disassemble(Code()) == ":[end]"
    assert gml.disassemble(gml.assemble("exit.i")) == ":[0]\nexit.i\n\n:[end]"


def test_blocks_begin_behind_exits_and_branches_but_not_behind_popenv() -> None:
    text = gml.disassemble(
        gml.assemble(
            "pushi.e 1\npushenv [a]\n:[a]\npopenv [a]\nexit.i\npopz.v\nbf [z]\nret.v\n:[z]"
        )
    )
    assert text.split("\n") == [
        ":[0]", "pushi.e 1", "pushenv [1]", "", ":[1]", "popenv [1]", "exit.i", "",
        ":[2]", "popz.v", "bf [end]", "", ":[3]", "ret.v", "", ":[end]",
    ]  # fmt: skip


SPELLINGS = [
    ("conv.i.v", Instruction(Opcode.CONV, 2, 5)),
    ("neg.v", Instruction(Opcode.NEG, 5)),
    ("dup.i 1", Instruction(Opcode.DUP, 2, 0, 1)),
    ("dup.v 2 8", Instruction(Opcode.DUP, 5, 0, 0x8802 - 0x10000)),
    ("callv.v 2", Instruction(Opcode.CALLV, 5, 0, 2)),
    ("cmp.i.v EQ", Instruction(Opcode.CMP, 2, 5, 3)),
    ("push.d 1E-05", Instruction(Opcode.PUSH, 0, 0, 0, 1e-05)),
    ("push.d 1.5E+16", Instruction(Opcode.PUSH, 0, 0, 0, 1.5e16)),
    ("push.d -0", Instruction(Opcode.PUSH, 0, 0, 0, -0.0)),
    ("push.d NaN", Instruction(Opcode.PUSH, 0, 0, 0, RawDouble(0xFFF8000000000000))),
    ("push.d $7FF8000000000001", Instruction(Opcode.PUSH, 0, 0, 0, RawDouble(0x7FF8000000000001))),
    ("push.i 70000", Instruction(Opcode.PUSH, 2, 0, 0, 70000)),
    ("push.l 3", Instruction(Opcode.PUSH, 3, 0, 0, 3)),
    ("push.e 1", Instruction(Opcode.PUSH, 15, 0, 1)),
    ("pushi.e -1", Instruction(Opcode.PUSHI, 15, 0, -1)),
    ('push.s "it\\\\n"', Instruction(Opcode.PUSH, 6, 0, 0, "it\\n")),
    ('push.s "a ;;; b"', Instruction(Opcode.PUSH, 6, 0, 0, "a ;;; b")),
    ('push.s "two"@41', Instruction(Opcode.PUSH, 6, 0, 0, StringReference("two", 41))),
    ("push.i [function]f", Instruction(Opcode.PUSH, 2, 0, 0, FunctionReference("f"))),
    ("push.i [variable]x", Instruction(Opcode.PUSH, 2, 0, 0, VariableReference("x", -1, 0))),
    ("push.v self.x", Instruction(Opcode.PUSH, 5, 0, -1, VariableReference("x", -1, 0xA0))),
    ("push.v other.x", Instruction(Opcode.PUSH, 5, 0, -2, VariableReference("x", -1, 0xA0))),
    ("push.v x", Instruction(Opcode.PUSH, 5, 0, 0, VariableReference("x", -1, 0xA0))),
    ("push.v 5.x", Instruction(Opcode.PUSH, 5, 0, 5, VariableReference("x", -1, 0xA0))),
    ("push.v arg.argument0",
     Instruction(Opcode.PUSH, 5, 0, -15, VariableReference("argument0", -6, 0xA0))),
    ("push.v stacktop.f", Instruction(Opcode.PUSH, 5, 0, -9, VariableReference("f", -1, 0xA0))),
    ("push.v static.n", Instruction(Opcode.PUSH, 5, 0, -16, VariableReference("n", -16, 0xA0))),
    ("push.v local.$$$$temp$$$$",
     Instruction(Opcode.PUSH, 5, 0, -7, VariableReference("$$$$temp$$$$", -7, 0xA0))),
    ("pop.v.v [stacktop]static.___struct___1",
     Instruction(Opcode.POP, 5, 5, 0, VariableReference("___struct___1", -16, 0x80))),
    ("pop.i.v [array]local.a", Instruction(Opcode.POP, 2, 5, 0, VariableReference("a", -7, 0))),
    ("push.v -21.[instance]self.x",
     Instruction(Opcode.PUSH, 5, 0, -21, VariableReference("x", -1, 0xE0))),
    ("call.i instance_create(argc=3)",
     Instruction(Opcode.CALL, 2, 0, 3, FunctionReference("instance_create"))),
    ("pop.e.v 5", Instruction(Opcode.POP, 15, 5, 5)),
    ("isstaticok.e", Instruction(Opcode.BREAK, 15, 0, -6)),
    ("break.e -12", Instruction(Opcode.BREAK, 15, 0, -12)),
    ("pushref.i 16777219", Instruction(Opcode.BREAK, 2, 0, -11, AssetReference("sprite", 3))),
    ("pushref.i f", Instruction(Opcode.BREAK, 2, 0, -11, FunctionReference("f"))),
    ("popenv <drop>", Instruction(Opcode.POPENV, 0, 0, -0x80000000)),
    ("b $-12", Instruction(Opcode.B, 0, 0, -12)),
    # What the established text cannot say.
    ("push.v global.[normal]self.x",
     Instruction(Opcode.PUSH, 5, 0, -5, VariableReference("x", -1, 0xA0))),
    ('push.v self."two words "',
     Instruction(Opcode.PUSH, 5, 0, -1, VariableReference("two words ", -1, 0xA0))),
    ("add.i.v{5}", Instruction(Opcode.ADD, 2, 5, 5)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "instruction"), SPELLINGS, ids=[text for text, _ in SPELLINGS])
def test_operands_both_ways(text: str, instruction: Instruction) -> None:
    code = gml.assemble(text)
    assert code.instructions == [instruction]
    if isinstance(instruction.operand, float):
        assert str(code.instructions[0].operand) == str(instruction.operand)
    assert gml.disassemble(code).split("\n")[1] == text


OTHER_SPELLINGS = [
    ("call.i f 2", "call.i f(argc=2)"),
    ("push.v [multipush]self.a", "push.v [arraypushaf]self.a"),
    ("push.v [multipushpop]self.a", "push.v [arraypopaf]self.a"),
    ("isnullish.e", "chknullish.e"),
    ("break.e -1", "chkindex.e"),
    ("pushref.i 3 Sprite", "pushref.i 16777219"),
    ("pushref.i 3 AnimCurve", "pushref.i 167772163"),
    ("cmp.i.v leq", "cmp.i.v LTE"),
    ("CMP.I.V GEQ", "cmp.i.v GTE"),
    ("  PUSH.V Self.x   ;;; said twice", "push.v self.x"),
    ("push.d 00.50", "push.d 0.5"),
    ("push.i 0x10", "push.i 16"),
    ("push.i 4294967295", "push.i -1"),
    ("pop.i.v self.[array]self.a", "pop.i.v{-1} [array]self.a"),
]


@pytest.mark.parametrize(("text", "established"), OTHER_SPELLINGS)
def test_other_spellings(text: str, established: str) -> None:
    assert gml.disassemble(gml.assemble(text)).split("\n")[1] == established


def test_swap_counts_of_other_tools() -> None:
    text = "dup.v 2 1"
    assert gml.assemble(text, swaps_in_values=True) == gml.assemble("dup.v 2 8")
    assert gml.assemble("dup.v 2 8") != gml.assemble(text)


def test_comments_and_empty_lines() -> None:
    text = "; a comment\n# another\n\n   exit.i ;;; leaves\n> f (locals=1, args=2)\nexit.i"
    code = gml.assemble(text)
    assert [instruction.opcode for instruction in code.instructions] == [Opcode.EXIT, Opcode.EXIT]
    assert code.children == [Child("f", 4, 1, 2)]


def context() -> gml.Context:
    result = gml.Context(dialect=gml.Dialect())
    result.add_asset("object", 12, "obj_wall")
    result.add_asset("font", 1, "fnt_small")
    result.strings = ["prototype", "here"]
    return result


def test_names_of_assets() -> None:
    code = gml.assemble("pushi.e obj_wall\npush.i fnt_small\npushref.i fnt_small", context())
    assert code.instructions[0].value == 12
    assert code.instructions[1].operand == 1
    assert code.instructions[2].operand == AssetReference("font", 1)
    assert "pushref.i 100663297" in gml.disassemble(code)


def test_asset_numbers_follow_the_dialect() -> None:
    old = gml.Dialect(renumbered_asset_types=False)
    code = gml.assemble("pushref.i 117440513", old)
    assert code.instructions[0].operand == AssetReference("font", 1)
    assert "pushref.i 117440513" in gml.disassemble(code)
    assert "pushref.i 100663297" in gml.disassemble(code, gml.Dialect())


def test_strings_by_number() -> None:
    operand = gml.assemble("push.s @1", context()).instructions[0].operand
    assert isinstance(operand, StringReference)
    assert (operand, operand.number) == ("here", 1)
    with pytest.raises(gml.SyntaxError_, match="no string number 7"):
        gml.assemble("push.s @7", context())


class Numbering:
    def string_index(self, text: str) -> int | None:
        return {"known": 7}.get(text)

    def local_names(self, code: Code) -> list[str]:
        return [LocalName("arguments", 2), LocalName("total", 31, 118), "plain"]


def test_a_games_numbers() -> None:
    code = gml.assemble('push.s "known"\npush.s "unknown"')
    text = gml.disassemble(code, numbering=Numbering())
    assert text.split("\n") == [
        ".localvar 2 arguments", ".localvar 31 total 118", ".localvar 2 plain", "", ":[0]",
        'push.s "known"@7', 'push.s "unknown"', "", ":[end]",
    ]  # fmt: skip
    again = gml.assemble(text)
    assert again.local_names == ["arguments", "total", "plain"]
    assert again.instructions == code.instructions
    assert gml.disassemble(again) == text


NESTED = """\
:[0]
b [4]

> outer (locals=0, argc=0)
:[1]
b [3]

> inner (locals=0, argc=0)
:[2]
exit.i

:[3]
exit.i

:[4]
exit.i

:[end]"""


def test_children_are_listed_as_their_bodies_end() -> None:
    code = gml.assemble(NESTED)
    assert [child.name for child in code.children] == ["inner", "outer"]
    assert gml.disassemble(code) == NESTED
    code.children.reverse()
    text = gml.disassemble(code)
    assert "> outer (locals=0, argc=0, order=0)" in text
    assert gml.assemble(text).children == code.children


def test_counts_of_the_root() -> None:
    text = "pushloc.v local.a\npushloc.v local.b\npushloc.v local.a"
    assert gml.assemble(text).locals_count == 2
    assert gml.assemble(text, gml.Dialect(arguments_counted_as_local=True)).locals_count == 3
    assert gml.assemble("exit.i").arguments_count == 0x8000


ERRORS = [
    ("exit.i\nfoo.i", 2, 1, "unknown instruction 'foo'"),
    ("  add.i", 1, 3, "two types"),
    ("add.i.z", 1, 7, "unknown type 'z'"),
    ("b", 1, 2, "expected [label]"),
    ("bf.v [0]", 1, 1, "no type"),
    ("b [7]", 1, 3, "no label [7]"),
    (":[1]\n:[1]", 2, 1, "is defined twice"),
    ("pushi.e obj_wall", 1, 9, "not a number"),
    ("pushi.e 70000", 1, 9, "does not fit 16 bits"),
    ("push.s open", 1, 8, "quotes"),
    ('push.s "a" b', 1, 11, "unexpected text"),
    ("push.d", 1, 7, "missing"),
    ("call.i f", 1, 8, "argc"),
    ("push.v [odd]self.x", 1, 8, "unknown reference type"),
    ("push.v [array]x", 1, 8, "instance type"),
    ("push.v self.", 1, 8, "no name"),
    ("dup.i 1 300", 1, 7, "not in 0"),
    ("conv.i.v 3", 1, 10, "unexpected text"),
    ("> f (locals=1)", 1, 1, "expected > name"),
    (".localvar x", 1, 1, "expected .localvar"),
    ("pushref.i", 1, 10, "needs"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), ERRORS)
def test_errors_say_where(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(gml.SyntaxError_) as caught:
        gml.assemble(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


def test_several_errors_are_collected() -> None:
    with pytest.raises(gml.SyntaxError_) as caught:
        gml.assemble("foo\nexit.i\nbar\nb [x]")
    assert [(error.line, error.message) for error in caught.value.errors] == [
        (1, "unknown instruction 'foo'"),
        (3, "unknown instruction 'bar'"),
        (4, "there is no label [x]"),
    ]
    with pytest.raises(gml.SyntaxError_) as caught:
        gml.assemble("foo\n" * 1000)
    assert len(caught.value.errors) == 100


def test_low_bits_of_pop_are_the_instance_only_where_the_text_names_none() -> None:
    def value(text: str) -> int:
        return gml.assemble(text).instructions[0].value

    assert value("pop.v.v{3} self.a") == -1
    assert value("pop.i.v{3} [stacktop]self.a") == 3
    assert value("pop.i.v other.[stacktop]self.a") == -2
    with pytest.raises(gml.SyntaxError_, match="two instance types"):
        gml.assemble("pop.i.v{3} other.[stacktop]self.a")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a", "a"), ("a.b", "a.b"), ("self.b", '"self.b"'), ("5.b", '"5.b"'),
        ("32767.b", '"32767.b"'), ("32768.b", "32768.b"), ("-32768.b", '"-32768.b"'),
        ("", '""'), (" a", '" a"'), ("[a", '"[a"'), ("a (locals=1", '"a (locals=1"'),
    ],
)  # fmt: skip
def test_names_are_quoted_where_they_could_be_misread(name: str, shown: str) -> None:
    assert name_text(name) == shown
    assert read_name(shown) == name


def test_a_name_is_unquoted_only_as_a_whole() -> None:
    assert read_name('"a"b') == '"a"b'
    assert read_name('"a') == '"a'


@pytest.mark.parametrize("name", ["0 0", "total 118", "a -1", "b 1 c", "7"])
def test_names_of_locals_that_end_like_a_record(name: str) -> None:
    code = gml.assemble("")
    code.local_names = [name, name]
    assert gml.assemble(gml.disassemble(code)).local_names == [name, name]
