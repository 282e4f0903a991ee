"""Drag-and-drop actions and events as people read them."""

from __future__ import annotations

import re
from typing import Any

import pytest

import overhaul
from overhaul.gamemaker.classic.action_table import definitions
from overhaul.gamemaker.classic.actions import EVENTS, Action, ActionList, event_title
from overhaul.gamemaker.classic.describing import SENTENCES, SentencePart, describe, lines_of
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.surface.base import Places
from overhaul.gamemaker.classic.surface.objects import Actions
from real_files import corpus_files, finished, sample
from steps import at_most

NAMES = {
    ("objects", 3): "obj_wall", ("sprites", 2): "spr_player", ("scripts", 0): "scr_go",
    ("rooms", 1): "rm_end", ("triggers", 0): "low health", ("sounds", 4): "snd_hit",
}  # fmt: skip


def name_of(kind: str, index: int) -> str | None:
    return NAMES.get((kind, index))


def action(number: int, *arguments: str, **fields: Any) -> Action:
    """An action of Game Maker's own libraries."""
    made = definitions()[number].action()
    made.arguments[: len(arguments)] = arguments
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def said(*args: Any, **fields: Any) -> str:
    return str(describe(action(*args, **fields), name_of))


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (action(103, "4", relative=1), "Set the horizontal speed to 4 (relative)"),
        (action(103, "4"), "Set the horizontal speed to 4"),
        (action(101, "000010000", "0"), "Start moving nowhere with speed 0"),
        (action(101, "111101111", "2"),
         "Start moving down-left, down, down-right, left, right, up-left, up or up-right with "
         "speed 2"),
        (action(101, "000000000", "2"), "Start moving nowhere with speed 2"),
        (action(101, "000000110", "x"), "Start moving up-left or up with speed x"),
        (action(402, "0", "8", "1"), "If there is a collision at (0, 8) with any object"),
        (action(402, "0", "8", "0", negated=1),
         "If there is no collision at (0, 8) with solid objects"),
        (action(401, "0", "8", relative=1),
         "If there is nothing at (0, 8), of solid objects (relative)"),
        (action(203, applies_to=-2), "For the other instance: destroy the instance"),
        (action(203, applies_to=3), "For obj_wall: destroy the instance"),
        (action(203, applies_to=77), "For object 77: destroy the instance"),
        (action(201, "3", "x", "y"), "Create an instance of obj_wall at (x, y)"),
        (action(201, "-100"), "Create an instance of no object at (0, 0)"),
        (action(201, "50"), "Create an instance of object 50 at (0, 0)"),
        (action(201, "obj"), "Create an instance of obj at (0, 0)"),
        (action(541, "2", "1", "0.5"), "Set the sprite to spr_player, subimage 1, speed 0.5"),
        (action(211, "4", "1"), "Play the sound snd_hit in a loop"),
        (action(211, "4", "0"), "Play the sound snd_hit"),
        (action(224, "1", "21"), "Go to the room rm_end, faded out and in"),
        (action(224, "1", "99"), "Go to the room rm_end, 99"),
        (action(301, "30", "2"), "Set alarm 2 to 30 steps"),
        (action(321, "It's over"), "Show the message “It's over”"),
        (action(321, '"a" + b'), 'Show the message "a" + b'),
        (action(514, "'a' + b", "1", "2"), "Draw the text 'a' + b at (1, 2)"),
        (action(524, "8388863"), "Set the colour of drawings to #ff0080"),
        (action(524, "c_red"), "Set the colour of drawings to c_red"),
        (action(525, "Arial,12,0,1,0,0,0"), "Set the font to Arial,12,0,1,0,0,0"),
        (action(601, "0", "1", "0", "x"), "Execute the script scr_go (1, 0, x)"),
        (action(601, "0"), "Execute the script scr_go"),
        (action(603, "x = 1", applies_to=3), "For obj_wall: execute code"),
        (action(605, "begin here"), "begin here"),
        (action(611, "hp", "5"), "Set the variable hp to 5"),
        (action(612, "hp", "5", "1"), "If hp is smaller than 5"),
        (action(612, "hp", "5", "4", negated=1), "If hp is not at least 5"),
        (action(408, "a > b", negated=1), "If a > b is false"),
        (action(409, "1", negated=1), "If the left mouse button is not down"),
        (action(405, "6"), "If a die with 6 sides shows a one"),
        (action(423, "5"), "Repeat 5 times"),
        (action(542, "1", "2", "0", "3"),
         "Transform the sprite: scaled by 1 and 2, at an angle of 0, mirrored and flipped"),
        (action(709, "-1", "1", "255", "0", "Arial,9,0"),
         "Show the high scores on the background no background, with a border, new ones in "
         "#ff0000, others in #000000, font Arial,9,0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_an_action_is_a_sentence(made: Action, expected: str) -> None:
    assert str(describe(made, name_of)) == expected


def test_actions_of_other_libraries_are_reported_by_number_function_and_arguments() -> None:
    other = Action(
        version=440, library_id=68903, action_id=4, exec_type=2, code="show(argument0)",
        argument_count=2, argument_kinds=[1, 10], arguments=["hello", "3", "unused"],
    )  # fmt: skip
    assert str(describe(other, name_of)) == "Action 4 of library 68903(“hello”, obj_wall)"
    other.exec_type, other.function_name, other.is_question, other.negated = 1, "go", 1, 1
    assert str(describe(other, name_of)) == "If not call go(“hello”, obj_wall)"
    # one of this library that calls another function than Game Maker's is no action of it
    own = action(103, "4", function_name="action_other")
    assert str(describe(own, name_of)) == "Call action_other(4)"
    unknown = action(103, "4", action_id=999, exec_type=0)
    assert str(describe(unknown, name_of)) == "Action 999 of library 1(4)"


def test_words_say_what_they_are() -> None:
    words = describe(action(206, "3", "x", "y", "4", "90", relative=1), name_of)
    assert words[:4] == (
        SentencePart("Create an instance of "),
        SentencePart("obj_wall", "object"),
        SentencePart(" at ("),
        SentencePart("x", "gml"),
    )
    assert words[-1] == SentencePart(" (relative)")
    assert describe(action(524, "255"))[1] == SentencePart("#ff0000", "colour")
    assert describe(action(201, "7"))[0] == SentencePart("Create an instance of object 7 at (")


def test_what_an_action_does_not_offer_is_not_said() -> None:
    assert said(203, relative=1) == "Destroy the instance"


def test_missing_arguments_are_as_game_maker_stores_them() -> None:
    short = action(109, arguments=["5"])
    assert str(describe(short)) == "Jump to (5, 0)"
    assert str(describe(action(321, arguments=[]))) == "Show the message “0”"


def test_every_definition_has_a_sentence_with_all_its_arguments() -> None:
    """And each argument of each is in it; 421 to 424 are shown by their kinds."""
    assert SENTENCES.keys() == definitions().keys()
    for number, definition in definitions().items():
        places = {int(item) for item in re.findall(r"\{(\d)", SENTENCES[number])}
        rest = re.search(r"\{(\d)\+\}", SENTENCES[number])
        if rest:
            places |= set(range(int(rest[1]), len(definition.kinds)))
        expected = set() if number == 603 else set(range(len(definition.kinds)))
        assert places == expected, number
        made = definition.action()
        made.arguments = [f"⟦{n}⟧" for n in range(8)]
        text = str(describe(made))
        for place in expected:
            assert f"⟦{place}⟧" in text or (number == 101 and place == 0), (number, text)
        assert "{" not in text
        assert "|" not in text
        assert text.startswith("If ") == bool(made.is_question)
        negated = definition.action()
        negated.negated = 1
        plain = definition.action()
        assert (describe(negated) != describe(plain)) == bool(made.is_question), number


def shape(*actions: Action) -> list[tuple[int, int]]:
    """Number and depth of each line."""
    return [(line.number, line.depth) for line in lines_of(actions, name_of)]


IF, ELSE, BEGIN, END, REPEAT, DO = (
    action(408, "a"), action(421), action(422), action(424), action(423, "3"), action(203),
)  # fmt: skip


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([DO, DO], "00"),
        ([IF, DO, DO], "010"),
        ([IF, BEGIN, DO, DO, END, DO], "0.11.0"),
        ([IF, BEGIN, DO, END, ELSE, BEGIN, DO, END, DO], "0.1.0.1.0"),
        ([IF, DO, ELSE, DO, DO], "01010"),
        ([IF, IF, DO, ELSE, DO, DO], "012120"),
        ([IF, IF, DO, ELSE, DO, ELSE, DO, DO], "01212010"),
        ([IF, BEGIN, IF, DO, END, ELSE, DO, DO], "0.12.010"),
        ([REPEAT, DO, DO], "010"),
        ([REPEAT, IF, DO, DO], "0120"),
        ([IF, REPEAT, DO, ELSE, DO, DO], "012010"),
        ([REPEAT, BEGIN, DO, END, DO], "0.1.0"),
        ([BEGIN, DO, END, DO], "01.0"),
        ([BEGIN, BEGIN, DO, END, END, DO], "012..0"),
        ([IF, BEGIN, BEGIN, DO, END, END, DO], "0.12..0"),
        ([END, DO], "00"),
        ([IF, END, DO], "010"),
        ([BEGIN, IF, END, DO], "01.0"),
        ([ELSE, DO, DO], "010"),
        ([IF], "0"),
        ([], ""),
    ],
)
def test_blocks_are_indented(actions: list[Action], expected: str) -> None:
    """A digit is the depth of the line of an action, a dot one that has no line."""
    wanted = [(n, int(mark)) for n, mark in enumerate(expected) if mark != "."]
    assert shape(*actions) == wanted


def test_the_lines_of_a_block_that_was_not_begun_say_so() -> None:
    assert [str(line.sentence) for line in lines_of([BEGIN, END, END])] == [
        "Block", "End of a block that has no beginning",
    ]  # fmt: skip


def test_very_deep_blocks_take_no_time() -> None:
    deep = [BEGIN] * 20000 + [END] * 20000
    with at_most(5_000_000):
        assert max(line.depth for line in lines_of(deep)) == 19999


def test_lines_have_the_code_of_actions() -> None:
    library = Action(version=440, library_id=9, action_id=1, exec_type=2, code="go();")
    code = [line.code for line in lines_of([action(603, "x = 1;"), DO, library, action(500)])]
    assert code == ["x = 1;", None, "go();", None]


def test_lines_have_roles() -> None:
    other = Action(version=440, library_id=9, action_id=605)
    shown = [IF, ELSE, REPEAT, BEGIN, DO, END, BEGIN, END, action(605, "x"), other]
    roles = [line.role for line in lines_of(shown)]
    assert roles == ["block", "block", "block", "", "block", "comment", ""]
    assert [str(line.sentence) for line in lines_of(shown)][-2:] == [
        "x", "Action 605 of library 9()",
    ]  # fmt: skip


def test_a_list_that_is_only_code() -> None:
    def code(*actions: Action) -> str | None:
        return Actions(Places({}), ActionList(actions=[*actions])).code

    assert code(action(603, "x = 1;")) == "x = 1;"
    assert code(action(603, "x = 1;", applies_to=-2)) is None
    assert code(action(603, "x = 1;"), DO) is None
    assert code(DO) is None
    assert code() is None
    shown = Actions(Places({}), ActionList(actions=[IF, DO]))
    assert str(shown) == "If a is true\n    Destroy the instance"


@pytest.mark.parametrize(
    ("category", "sub_type", "expected"),
    [
        (0, 0, "Create"), (1, 0, "Destroy"), (2, 3, "Alarm 3"), (3, 0, "Step"),
        (3, 1, "Begin step"), (3, 2, "End step"), (4, 3, "Collision with obj_wall"),
        (4, 9, "Collision with number 9"), (5, 37, "Keyboard: left"), (5, 65, "Keyboard: A"),
        (6, 4, "Mouse: left pressed"), (6, 16, "Mouse: joystick1 left"), (7, 4, "Room start"),
        (7, 13, "User event 3"), (7, 8, "End of path"), (8, 0, "Draw"),
        (9, 13, "Key press: enter"), (10, 112, "Key release: f1"), (11, 0, "Trigger: low health"),
        (5, 255, "Event 5, 255"), (12, 1, "Event 12, 1"), (7, 99, "Event 7, 99"),
    ],
)  # fmt: skip
def test_events_have_titles(category: int, sub_type: int, expected: str) -> None:
    assert event_title(category, sub_type, name_of) == expected


def test_no_two_events_have_one_title() -> None:
    titles = [
        event_title(category, sub_type, name_of)
        for category, (_, known) in enumerate(EVENTS)
        for sub_type in known
    ]
    assert len(titles) == len(set(titles))


@pytest.mark.corpus
def test_the_actions_of_real_projects_have_sentences(corpus: Any) -> None:
    count = own = 0
    for path in sample(finished(corpus_files("projects/*.g[mb]*")), 15, seed=3):
        with overhaul.open(path) as document:
            for item in document.objects if isinstance(document, ProjectDocument) else ():
                for event in item.events:
                    lines = event.lines
                    assert all(str(line.sentence) for line in lines)
                    count += len(lines)
                    own += sum(not str(x.sentence).startswith("Action ") for x in lines)
    assert own > 0.9 * count > 0
