"""Dialogs edited as options, each with its lines."""

from __future__ import annotations

import random
from typing import Any

import pytest

from overhaul.errors import WorkspaceError
from overhaul.workbench.dialogs import MOST, Lines, edited, options_of, renumbered, uses_in

TEXT = "// of the barman\n@S\nEgo: Hi.\nreturn\n@1 // who\nBarman: Bob.\n@3\nstop"


def dialog(count: int = 3) -> dict[str, Any]:
    return {
        "Name": "dBarman",
        "Options": [{"Text": f"o{n}", "Show": True, "Say": True} for n in range(1, count + 1)],
    }


def test_lines_are_divided_by_option_and_joined_again() -> None:
    lines = Lines.of(TEXT)
    assert lines.before == "// of the barman\n"
    assert [(each.number, each.head, each.lines) for each in lines.sections] == [
        (0, "@S\n", "Ego: Hi.\nreturn\n"),
        (1, "@1 // who\n", "Barman: Bob.\n"),
        (3, "@3\n", "stop"),
    ]
    assert lines.text == TEXT
    assert (lines.lines_of(1), lines.lines_of(2)) == ("Barman: Bob.\n", "")
    for text in ("", "no sections", "@S", "\n\n@1\n@1\n", "mail@1.com\n"):
        assert Lines.of(text).text == text
    assert Lines.of("mail@1.com\n").sections == []


def test_lines_of_an_option_are_changed_and_the_others_stay() -> None:
    lines = Lines.of(TEXT)
    assert lines.with_lines(1, "Barman: Al.").text == TEXT.replace("Bob.", "Al.")
    # an option without lines gets a section in the order of the options
    assert lines.with_lines(2, "goto-dialog dTwo\n").text == TEXT.replace(
        "@3", "@2\ngoto-dialog dTwo\n@3"
    )
    assert lines.with_lines(4, "stop").text == TEXT + "\n@4\nstop\n"
    assert lines.with_lines(2, "").text == TEXT
    assert Lines.of("").with_lines(0, "stop").text == "@S\nstop\n"
    assert Lines.of("// x").with_lines(0, "stop").text == "// x\n@S\nstop\n"
    with pytest.raises(WorkspaceError, match="lines of option 1 begin another one"):
        lines.with_lines(1, "Ego: Hm.\n@2\nstop")


def test_a_form_changes_texts_flags_and_lines() -> None:
    sent = {
        "row:1": "1", "text:1": "Who?", "show:1": "1", "lines:1": "Barman: Bob.\r\n",
        "row:3": "1", "text:3": "o3", "show:3": "1", "say:3": "1", "lines:3": "stop",
    }  # fmt: skip
    value, lines = edited(dialog(), Lines.of(TEXT), sent)
    assert options_of(value) == [
        {"Text": "Who?", "Show": True, "Say": False},
        {"Text": "o2", "Show": True, "Say": True},
        {"Text": "o3", "Show": True, "Say": True},
    ]
    assert lines.text == TEXT  # line ends of a browser change nothing
    # what a browser can't show is not changed by showing it
    odd = dialog(1)
    odd["Options"][0]["Text"] = "o1\0\udc81"
    shown = {"row:1": "1", "text:1": "o1\ufffd\\udc81", "show:1": "1", "say:1": "1"}
    assert edited(odd, Lines.of(""), shown)[0] == odd
    changed, _ = edited(odd, Lines.of(""), {**shown, "text:1": "o2"})
    assert options_of(changed)[0]["Text"] == "o2"
    value, _ = edited(dialog(), Lines.of(TEXT), {"do": "add"})
    assert options_of(value)[3] == {"Text": "", "Show": True, "Say": True}
    with pytest.raises(WorkspaceError, match="at most 30 options"):
        edited(dialog(MOST), Lines.of(""), {"do": "add"})
    with pytest.raises(WorkspaceError, match="no list of options"):
        edited({"Options": 3}, Lines.of(""), {})


def test_random_edits_leave_what_a_model_says() -> None:
    choose = random.Random(11)
    for _ in range(200):
        lines = Lines.of(TEXT)
        model = {number: lines.lines_of(number) for number in range(6)}
        for _ in range(8):
            number = choose.randrange(6)
            new = choose.choice(["", "stop\n", "Ego: a @ b.\nreturn\n", "  Ego: x\n"])
            lines = lines.with_lines(number, new)
            model[number] = new
            again = Lines.of(lines.text)
            found = {n: again.lines_of(n).removesuffix("\n") for n in range(6)}
            assert found == {n: each.removesuffix("\n") for n, each in model.items()}
            assert lines.text.startswith("// of the barman\n")


NUMBERED = """@S
option-off 2
return
@1
Barman: Bob.
option-off-forever 3
@2
OPTION-ON 1
stop
@3
  this.SetOptionState(2, eOptionOff);
Ego: option-on 2
option-off 3"""


def pressed(do: str, text: str = NUMBERED) -> tuple[list[str], str]:
    value, lines = edited(dialog(), Lines.of(text), {"do": do})
    return [str(each["Text"]) for each in options_of(value)], lines.text


def test_options_are_moved_with_their_lines_and_names() -> None:
    texts, lines = pressed("down:1")
    assert texts == ["o2", "o1", "o3"]
    assert (
        lines
        == """@S
option-off 1
return
@1
OPTION-ON 2
stop
@2
Barman: Bob.
option-off-forever 3
@3
  this.SetOptionState(2, eOptionOff);
Ego: option-on 2
option-off 3
"""
    )
    assert pressed("up:2") == (texts, lines)
    last, text = pressed("up:3")
    assert last == ["o1", "o3", "o2"]
    assert text.index("Ego: option-on 2") < text.index("OPTION-ON 1")
    assert "option-off-forever 2" in text
    for nothing in ("up:1", "down:3", "save", ""):
        assert pressed(nothing) == (["o1", "o2", "o3"], NUMBERED)


def test_an_option_is_added_behind_another() -> None:
    texts, lines = pressed("add:1")
    assert texts == ["o1", "", "o2", "o3"]
    assert lines.startswith(
        "@S\noption-off 3\nreturn\n@1\nBarman: Bob.\noption-off-forever 4\n@3\n"
    )
    assert pressed("add:3") == pressed("add") == (["o1", "o2", "o3", ""], NUMBERED)


def test_an_option_is_removed_if_no_line_names_it() -> None:
    with pytest.raises(
        WorkspaceError, match=r"lines of how it begins have 'option-off 2', and opt"
    ):
        pressed("remove:2")
    free = NUMBERED.replace("option-off 2\n", "").replace("@1\n", "@1 // who\n")
    texts, lines = pressed("remove:2", free)
    assert texts == ["o1", "o3"]
    assert (
        lines
        == """@S
return
@1 // who
Barman: Bob.
option-off-forever 2
@2
  this.SetOptionState(2, eOptionOff);
Ego: option-on 2
option-off 2
"""
    )


def test_buttons_that_there_are_not() -> None:
    for do in ("remove:4", "up:0", "add:9", "add:0"):
        with pytest.raises(WorkspaceError, match="there is no option"):
            pressed(do)
    with pytest.raises(WorkspaceError, match=f"at most {MOST}"):
        edited(dialog(MOST), Lines.of(""), {"do": "add:3"})


def test_numbers_that_options_have_in_json_follow() -> None:
    value = dialog()
    for number, option in enumerate(value["Options"], 1):
        option["ID"] = number
    made, _ = edited(value, Lines.of(""), {"do": "add:1"})
    assert [(each["ID"], each["Text"]) for each in options_of(made)] == [
        (1, "o1"), (2, ""), (3, "o2"), (4, "o3"),
    ]  # fmt: skip


def test_scripts_that_name_options() -> None:
    source = "x = 1;\nif (dBob.HasOptionBeenChosen( 2 ))\n  dBob . SetOptionState(3, eOptionOn);\n"
    assert [*uses_in(source, "dBob")] == [(2, 2), (3, 3)]
    assert [*uses_in(source, "Bob")] == [*uses_in("dBob.Start(2)", "dBob")] == []
    assert renumbered(3, "add:1") == {2: 3, 3: 4}
    assert renumbered(3, "remove:2") == {2: 0, 3: 2}
    assert renumbered(3, "add") == renumbered(3, "save") == {}
