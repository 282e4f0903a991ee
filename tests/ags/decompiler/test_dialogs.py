"""Dialogs: the functions that the editor makes of them are read back in its own language."""

from __future__ import annotations

from ags_decompiled import compiled
from overhaul.ags.decompiler import decompile_block

_DIALOG = """
function _run_dialog3(int entryPoint) { if (entryPoint == 0) {
cEgo.Say("Hello \\"you\\".");
Display("Nobody answers.");
entryPoint = 1; } if (entryPoint == 1) {
dialog[3].SetOptionState(2, eOptionOff);
  if (other == 2) {
    player.Say("Two.");
  }
player.AddInventory(inventory[4]);
return -1; }
else if (entryPoint == 2) {

return 7;}
else if (entryPoint == 3) {
  Wait(3);
player.ChangeRoom(5); return -2;}
return -1; }
"""
_TEXT = """@S
Ego: Hello "you".
narrator: Nobody answers.
@1
option-off 2
  if (other == 2) {
    player.Say("Two.");
  }
add-inv 4
return
@2

goto-dialog 7
@3
  Wait(3);
new-room 5
"""


def test_a_dialog_has_its_words_in_their_lines() -> None:
    script = compiled(_DIALOG.removeprefix("\n"))
    made = decompile_block(script)
    assert made.dialogs == {3: _TEXT.replace("\n", "\r\n")}


def test_what_the_language_has_no_word_for_is_script() -> None:
    script = compiled(
        "function _run_dialog0(int entryPoint) { if (entryPoint == 0) {\n"
        'cEgo.Say(" x ");\n'
        'cEgo.Say("see http://x"); other = 7;\n'
        "return -1; }\n"
        "return -1; }\n"
    )
    assert decompile_block(script).dialogs[0].split("\r\n") == [
        "@S",
        '  cEgo.Say(" x ");',
        '  cEgo.Say("see http://x"); other = 7;',
        "return",
        "",
    ]


def test_a_function_of_another_shape_is_no_dialog() -> None:
    script = compiled("function _run_dialog0(int entryPoint) { Wait(1); return -1; }\n")
    assert decompile_block(script).dialogs == {}


def test_options_that_nothing_ends_keep_their_lines() -> None:
    script = compiled(
        "function _run_dialog0(int entryPoint) { if (entryPoint == 0) {\n"
        "dialog[0].SetOptionState(2, eOptionOn);\n"
        "entryPoint = 1; } if (entryPoint == 1) {\n"
        "Wait(2);\n"
        "entryPoint = 2; } if (entryPoint == 2) {\n"
        "  {\n"
        "  int i = 3;\n"
        "  Wait(i);\n"
        "  }\n"
        "  if (other == 3) return -2;\n"
        "}\n"
        "return -1; }\n"
    )
    assert decompile_block(script).dialogs[0].split("\r\n") == [
        "@S",
        "option-on 2",
        "@1",
        "  Wait(2);",
        "@2",
        "  {",
        "    int value = 3;",
        "    Wait(value);",
        "  }",
        "  if (other == 3) return RUN_DIALOG_STOP_DIALOG;",
        "",
    ]


def test_variables_that_end_before_an_option_are_in_braces() -> None:
    text = (
        "function _run_dialog0(int entryPoint) { if (entryPoint == 0) {\n"
        "  int i = 3;\n"
        "  Wait(i);\n"
        "%sreturn -1; }\n"
    )
    inside = decompile_block(compiled(text % "}\n")).dialogs[0]
    assert inside.split("\r\n") == ["@S", "  int value = 3;", "  Wait(value);", ""]
    before = decompile_block(compiled(text.replace("  int", "{\n  int") % "}\n}\n")).dialogs[0]
    assert before.split("\r\n") == [
        "@S", "  {", "    int value = 3;", "    Wait(value);", "  }", ""
    ]  # fmt: skip


def test_a_dialog_without_options_has_no_lines() -> None:
    empty = compiled("function _run_dialog0(int entryPoint) { return -1; }\n")
    assert decompile_block(empty).dialogs == {0: ""}
    blank = compiled("function _run_dialog0(int entryPoint) { \n\nreturn -1; }\n")
    assert decompile_block(blank).dialogs == {0: "\r\n\r\n"}
