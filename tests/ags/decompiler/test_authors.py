"""What authors write where code leaves a choice."""

from __future__ import annotations

import re

import pytest

from ags_decompiled import compiled
from overhaul.ags.decompiler import Environment, decompile_block
from overhaul.ags.decompiler.library import VIEWS
from overhaul.ags.decompiler.proof import prove


def text_of(text: str, editor: str = "3.5.1.22") -> str:
    """What a script is read as, in one line; it compiles to its bytes."""
    script = compiled(text, editor=editor)
    assert prove(script) == []
    made = decompile_block(script)
    return " ".join((made.declarations + made.text).split())


@pytest.mark.parametrize(
    "value",
    ["a > b", "!a", "a != b", "a && b", "a == 2 || b", 'String.Format("") == "a"', "1.0 < 2.0"],
)
def test_a_function_that_gives_what_is_compared_is_bool(value: str) -> None:
    assert text_of(f"int f(int a, int b) {{ return {value}; }}").startswith("bool f(")


def test_a_function_that_gives_other_numbers_too_is_int() -> None:
    shown = text_of("char kept[2]; int f(int a) { if (a > 1) return kept[1]; return a == 2; }")
    assert "int f(int value)" in shown
    assert "int f(" in text_of("int f(int a) { if (a > 4) return 2; return a > 3; }")


GAME = "import int Count(); import int Put(int a); import int One; import bool Is();\n"


def test_what_is_only_compared_with_0_is_no_bool() -> None:
    shown = text_of(GAME + "function f() { if (Count() == 0 && One == 0) return 1; }")
    assert "import int Count();" in shown
    assert "import int One;" in shown
    assert "Count() == 0 && One == 0" in shown
    shown = text_of(GAME + "function f() { if (Is() == 0) return 1; if (Is()) return 2; }")
    assert "import bool Is()" in shown
    assert "Is() == false" in shown


def test_one_number_that_a_function_always_gets_is_no_bool() -> None:
    assert "Put(0);" in text_of(GAME + "function f() { Put(0); Put(0); }")
    shown = text_of(GAME + "function f() { Put(0); Put(1); }")
    assert "import int Put(bool p0)" in shown
    assert "Put(false); Put(true);" in shown


def test_a_parameter_of_the_script_is_bool_as_its_uses_say() -> None:
    shown = text_of(
        "int kept; function f(int a) { kept = a; } function g() { if (kept == 0) f(1); }"
    )
    assert "function f(bool flag)" in shown
    assert "if (g_flag1 == false) f(true);" in shown


@pytest.mark.parametrize("editor", ["3.2.1.0", "3.3.5.8", "3.6.1.26"])
@pytest.mark.parametrize(
    "written",
    [
        "a == -1", "-a == b", "-1 == a", "-a + b", "a + -b", "a - -b * 2", "-a * b", "-(2 * a)",
        "(-a) * b", "a * (-b)", "-(a + b)", "-a > b && a < -b", "a & -8", "-(-a)", "a - -1",
    ],
)  # fmt: skip
def test_a_minus_has_brackets_where_it_needs_them(editor: str, written: str) -> None:
    shown = text_of(f"int f(int a, int b) {{ Wait({written}); return a; }}", editor)
    assert f"Wait({written});" in re.sub(r"\bvalue\b", "a", re.sub(r"\bvalue2\b", "b", shown))


def test_a_minus_before_a_float() -> None:
    shown = text_of("float f(float a, float b) { return a * -(10.0 * b) - -2.5; }")
    assert "return number * (-10.0 * number2) - -2.5;" in shown


@pytest.mark.parametrize("left_to_right", [True, False])
def test_a_minus_means_the_same_whichever_way_operators_group(left_to_right: bool) -> None:
    for written in ("-a + b", "a + -b + a", "-a - b - a", "-a == b", "(-a) + b", "-(a + b) - b"):
        text = f"int f(int a, int b) {{ return {written}; }}"
        script = compiled(text, left_to_right=left_to_right)
        assert prove(script, Environment(left_to_right=left_to_right)) == [], written


@pytest.mark.parametrize(
    "number", ["0.00000001", "1.5", "100000000000000000000.0", "0.1", "-0.000005", "2.0"]
)
def test_floats_are_written_with_the_digits_that_they_need(number: str) -> None:
    assert f"float g_number1 = {number};" in text_of(
        f"float f = {number};\nfloat g() {{ return f + 1.5; }}"
    )


def test_options_and_views_have_names_where_a_number_is_one() -> None:
    text = (
        "function f(int a) { SetGameOption(OPT_PIXELPERFECT, 1); "
        "if (GetGameOption(OPT_WALKONLOOK)) dialog[0].SetOptionState(2, eOptionOn); "
        "player.SpeechView = 3; SetGameOption(98, 3); }\n"
    )
    game = Environment(enums=((VIEWS, ((3, "VTALK"),)),))
    script = compiled(text)
    assert prove(script, game) == []
    shown = decompile_block(script, game).text
    assert "SetGameOption(OPT_PIXELPERFECT, 1);" in shown
    assert "GetGameOption(OPT_WALKONLOOK)" in shown
    assert "SetOptionState(2, eOptionOn);" in shown
    assert "player.SpeechView = VTALK;" in shown
    assert "SetGameOption(98, 3);" in shown


@pytest.mark.parametrize("editor", ["3.2.1.0", "3.6.1.26"])
def test_ends_of_dialogs_have_names(editor: str) -> None:
    text = "function _run_dialog3(int p) { if (p == 1) return RUN_DIALOG_STOP_DIALOG; return -1; }"
    shown = text_of(text, editor)
    assert "return RUN_DIALOG_STOP_DIALOG; return RUN_DIALOG_RETURN; }" in shown


USUAL = "  if (a)\n  {\n    other = 1;\n  }\n  else\n  {\n    other = 2;\n    other = 3;\n  }\n"
CHAIN = "  if (a)\n  {\n    other = 1;\n  }\n  else if (b)\n  {\n    other = 2;\n  }\n"
INNER = "    if (b)\n    {\n      other = 2;\n    }\n"
NESTED = "  if (a)\n  {\n    other = 1;\n  }\n  else\n  {\n" + INNER + "  }\n"


@pytest.mark.parametrize("last", ["", "  Wait(1);\n"])
def test_an_if_in_an_else_has_braces_where_its_lines_are_those_of_others(last: str) -> None:
    text = f"function f(int a, int b)\n{{\n{USUAL}{CHAIN}{NESTED}{last}}}\n"
    script = compiled(text)
    assert prove(script) == []
    shown = decompile_block(script).text.replace("\r\n", "\n")
    assert re.findall(r"else( if| \{|\n *\{)", shown) == ["\n  {", " if", "\n  {"]


def test_an_if_behind_an_else_has_no_braces_where_nothing_shows_them() -> None:
    for body in (CHAIN, NESTED, CHAIN + NESTED, USUAL + CHAIN.replace("\n  else", "\n\n\n  else")):
        script = compiled(f"function f(int a, int b)\n{{\n{body}}}\n")
        assert prove(script) == []
        assert decompile_block(script).text.count("else if") == body.count("if (b)")


def test_a_statement_in_the_line_of_its_else_has_no_braces() -> None:
    then = "  if (a)\n  {\n    other = 1;\n    other = 2;\n"
    text = f"function f(int a)\n{{\n{then}  }} else Wait(1);\n}}\n"
    script = compiled(text)
    assert prove(script) == []
    assert "  } else Wait(1);" in decompile_block(script).text
