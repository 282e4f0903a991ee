"""Lists of actions as sources: what each action becomes, and what lists of them do."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gml_evaluator import Instance, Machine
from overhaul.findings import Findings
from overhaul.gamemaker.classic.action_table import Definition, definitions
from overhaul.gamemaker.forward.actions import (
    CONDITIONS,
    STATEMENTS,
    WITHOUT,
    Act,
    condition,
    quoted,
    statements,
)
from overhaul.gamemaker.forward.blocks import ActionSource
from overhaul.gamemaker.forward.code import Forwarder
from overhaul.gamemaker.forward.texts import NewNames
from overhaul.gml.compiler import compile as compile_gml
from overhaul.gml.context import Context
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.parser import parse
from repeats import times

#: an argument of each kind that is not a menu
_USUAL = {
    0: "4", 1: "text", 2: "words", 3: "1", 5: "spr_a", 6: "snd_a", 7: "bg_a", 8: "pth_a",
    9: "scr_a", 10: "obj_a", 11: "rm_a", 12: "fnt_a", 13: "255", 14: "tl_a", 15: '"Arial",12',
}  # fmt: skip


def act(number: int, *given: str, **fields: Any) -> Act:
    """An action of the standard libraries with some arguments, the others as they are usual."""
    definition = definitions()[number]
    action = definition.action()
    texts = [*given, *(_USUAL.get(kind, "0") for kind in definition.kinds[len(given) :])]
    values: dict[str, Any] = {
        "library": 1, "number": number, "kind": action.kind,
        "is_question": bool(action.is_question), "exec_type": action.exec_type,
        "function": action.function_name, "code": action.code, "who": "self", "relative": False,
        "negated": False, "arguments": tuple(zip(definition.kinds, texts, strict=True)),
    }  # fmt: skip
    return Act(**(values | fields))


def source(*acts: Act) -> str:
    found: list[str] = []
    made = ActionSource(acts, lambda code, message, line: found.append(message)).text()
    assert found == []
    return made


def reported(*acts: Act) -> list[str]:
    found: list[str] = []
    ActionSource(acts, lambda code, message, line: found.append(f"{code} {line}: {message}")).text()
    return found


@pytest.mark.parametrize(
    "definition",
    [each for each in definitions().values() if each.name.startswith("action_")],
    ids=lambda each: each.name,
)
@pytest.mark.parametrize("relative", [False, True])
def test_each_action_has_gml_that_compiles(definition: Definition, relative: bool) -> None:
    given = act(definition.id, relative=relative)
    made = condition(given) if given.is_question else statements(given)
    if definition.name in WITHOUT:
        assert made is None
        return
    assert made is not None, definition.name
    text = f"if ({made}) {{}}" if given.is_question else made
    forwarder = Forwarder(NewNames(), {}, Findings())
    code = forwarder.source(text, "")
    parse(code)
    compile_gml(code, Context(Dialect.for_version(17, (2024, 13, 0, 0))))


def test_no_template_is_for_no_action() -> None:
    names = {each.name for each in definitions().values()}
    assert STATEMENTS.keys() | CONDITIONS.keys() | WITHOUT <= names


@pytest.mark.parametrize(
    ("given", "relative", "expected"),
    [
        (act(101, "000001000", "4"), False, "direction = 0;\nspeed = 4;"),
        (act(101, "010000010", "4"), True, "direction = choose(270, 90);\nspeed += 4;"),
        (act(101, "000010000", "4"), False, "speed = 0;"),
        (act(102, "90", "3"), False, "motion_set(90, 3);"),
        (act(102, "90", "3"), True, "motion_add(90, 3);"),
        (act(103, "2"), True, "hspeed += 2;"),
        (act(105, "1", "2+3", "4"), True, "move_towards_point(x + 1, y + (2+3), 4);"),
        (act(109, "10", "20"), False, "x = 10;\ny = 20;"),
        (act(112, "1"), False, "action_wrap(1);"),
        (act(115, "1", "0"), False, "move_bounce_solid(true);"),
        (act(116, "180", "9", "1"), False, "move_contact_all(180, 9);"),
        (act(119, "pth_a", "5", "3", "1"), False, "path_start(pth_a, 5, 3, true);"),
        (act(201, "obj_a", "8", "9"), True, "instance_create(x + 8, y + 9, obj_a);"),
        (
            act(206, "obj_a", "8", "9", "3", "45"),
            False,
            "with (instance_create(8, 9, obj_a)) motion_set(45, 3);",
        ),
        (
            act(207, "obj_a", "obj_b", "<undefined>", "<undefined>", "1", "2"),
            False,
            "instance_create(1, 2, choose(obj_a, obj_b));",
        ),
        (act(202, "obj_a", "1"), False, "instance_change(obj_a, true);"),
        (act(211, "snd_a", "1"), False, "sound_loop(snd_a);"),
        (act(301, "30", "2"), True, "alarm[2] += 30;"),
        (act(321, "it's"), False, 'show_message("it\'s");'),
        (act(321, '"a" + b'), False, 'show_message("a" + b);'),
        (act(502, "bg_a", "1", "2", "1"), True, "draw_background_tiled(bg_a, x + 1, y + 2);"),
        (act(531, "0"), False, "window_set_fullscreen(!window_get_fullscreen());"),
        (act(541, "spr_a", "2", "0.5"), False,
         "sprite_index = spr_a;\nimage_index = 2;\nimage_speed = 0.5;"),
        (act(541, "spr_a", "-1", "1"), False, "sprite_index = spr_a;\nimage_speed = 1;"),
        (
            act(542, "2", "3", "45", "3"),
            False,
            "image_xscale = -(2);\nimage_yscale = -(3);\nimage_angle = 45;",
        ),
        (act(601, "scr_a", "1", "2"), False, "scr_a(1, 2, 4, 4, 4);"),
        (act(701, "10"), True, "score += 10;"),
        (act(703, "1", "2", "Score: "), False, 'draw_text(1, 2, "Score: " + string(score));'),
        (act(500), False, "draw_self();"),
    ],
)  # fmt: skip
def test_statements(given: Act, relative: bool, expected: str) -> None:
    assert statements(given._replace(relative=relative)) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (act(401, "0", "8", "0", relative=True), "place_free(x + 0, y + 8)"),
        (act(402, "0", "8", "1"), "!place_empty(0, 8)"),
        (act(404, "obj_a", "3", "4"), "instance_number(obj_a) >= 3"),
        (act(405, "6"), "random(6) < 1"),
        (act(409, "2"), "mouse_check_button(mb_right)"),
        (act(612, "a.b", "c", "1"), "a.b < c"),
        (act(712, "0", "3"), "lives <= 0"),
        (act(404, "obj_a", "3", "9"), None),
    ],
)
def test_conditions(given: Act, expected: str | None) -> None:
    assert condition(given) == expected


def test_blocks_questions_and_comments() -> None:
    acts = [
        act(612, "a", "1", "0", negated=True),
        act(422),
        act(611, "b", "2", relative=True),
        act(424),
        act(421),
        act(423, "3"),
        act(605, "a note"),
        act(425),
    ]
    assert source(*acts) == (
        "// If a is not equal to 1\n"
        "if (!(a == 1))\n"
        "{\n"
        "    // Set the variable b to 2 (relative)\n"
        "    b += 2;\n"
        "}\n"
        "else\n"
        "{\n"
        "    repeat (3)\n"
        "    {\n"
        "        // a note\n"
        "    }\n"
        "}\n"
        "exit;\n"
    )


def test_who_actions_apply_to() -> None:
    made = source(
        act(203, who="other"), act(612, "hp", "0", "1", who="obj_a"), act(203, who="obj_b")
    )
    assert made == (
        "// For the other instance: destroy the instance\n"
        "with (other)\n"
        "{\n"
        "    instance_destroy();\n"
        "}\n"
        "// For obj_a: if hp is smaller than 0\n"
        "var action_answer = false;\n"
        "with (obj_a) action_answer = (hp < 0);\n"
        "if (action_answer)\n"
        "{\n"
        "    // For obj_b: destroy the instance\n"
        "    with (obj_b)\n"
        "    {\n"
        "        instance_destroy();\n"
        "    }\n"
        "}\n"
    )


def test_code_alone_is_as_it_was() -> None:
    assert source(act(603, "x = 1\n/* open")) == "x = 1\n/* open */\n"
    assert source(act(603, "x = 1;"), act(603, "y = 2;")) == "x = 1;\ny = 2;\n"


def test_actions_of_other_libraries() -> None:
    other = act(603)._replace(library=68903, number=4, kind=0, function="", exec_type=2)
    code = other._replace(
        code="f(argument0, argument1, argument_relative)", arguments=((0, "1+2"), (2, "it"))
    )
    assert source(code).splitlines()[-1] == 'f((1+2), "it", false)'
    call = other._replace(exec_type=1, function="play", arguments=((0, "9"),))
    assert source(call).splitlines() == ["// Call play(9)", "play(9);"]
    unknown = other._replace(exec_type=0, arguments=((0, "9"),))
    assert reported(unknown) == [
        "unsupported 1: the action action 4 of library 68903 is unknown, and is a comment"
    ]


def test_what_is_reported() -> None:
    assert reported(act(323)) == [
        "unsupported 1: no later release has anything for action_show_video"
    ]
    assert reported(act(224, "rm_a", "3")) == [
        "unsupported 1: no later release has transitions between rooms"
    ]
    assert reported(act(424))[0].startswith("syntax 1: a block ends here")
    assert reported(act(421), act(203))[0].startswith("syntax 1: an else without a question")
    assert reported(act(422))[0].startswith("syntax 1: this block has no end")
    assert reported(act(612, "a", "1", "0"))[0].startswith("syntax 3: no action follows it")
    assert reported(act(603, "exit;"), act(203)) == []


def alone(*acts: Act) -> tuple[str, list[str]]:
    """The source of actions of Game Maker 5 to 8.1, and what is reported."""
    found: list[str] = []
    made = ActionSource(acts, lambda code, message, line: found.append(message), ends_alone=True)
    return made.text(), found


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a = 1;\nif (b) exit;\na = 2;",
         "repeat (1)  // a break leaves this code alone\n"
         "{\n    a = 1;\n    if (b) break;\n    a = 2;\n}"),
        ("if b { return; } a = 'exit'; // exit",
         "repeat (1)  // a break leaves this code alone\n"
         "{\n    if b { break; } a = 'exit'; // exit\n}"),
    ],
)  # fmt: skip
def test_an_exit_ends_the_code_of_an_action_alone(code: str, expected: str) -> None:
    made, said = alone(act(603, code), act(203))
    assert made == f"{expected}\n// Destroy the instance\ninstance_destroy();\n" and said == []
    assert alone(act(203), act(603, code))[0].endswith(f"{code}\n")


@pytest.mark.parametrize(
    "code", ["while (a) exit;", "with (b) exit;", "switch (a) { case 1: exit; }", "return 1;"]
)
def test_an_exit_that_ends_the_event_is_reported(code: str) -> None:
    made, said = alone(act(603, code), act(203))
    assert made.startswith(f"{code}\n") and len(said) == 1
    assert said[0].startswith("an exit in this code ends the event")


@pytest.mark.parametrize(("b", "a", "c"), [(0, 2, 9), (1, 1, 9)])
def test_actions_behind_an_exit_are_done(b: int, a: int, c: int) -> None:
    own: Instance = {"b": b, "a": 0, "c": 0}
    made, _ = alone(act(603, "a = 1; if (b) exit; a = 2;"), act(611, "c", "9"))
    Machine().run(made, own)
    assert own == {"b": b, "a": a, "c": c}


@pytest.mark.parametrize("number", [422, 408, 423])
def test_blocks_in_too_many_others_are_comments(number: int) -> None:
    acts = [*[act(number)] * 3000, act(611, "own", "5")]
    found: list[tuple[str, str]] = []
    made = ActionSource(acts, lambda code, message, line: found.append((code, message)))
    text = made.text()
    message = "it is in 64 others: it is a comment, and its contents always run"
    deep = ("unsupported", message)
    assert found.count(deep) == made.unknown == 2936
    assert text.count("{") == text.count("}") == 64
    assert text.count("own = 5;\n") == 1
    parse(text)


@pytest.mark.parametrize("text", ["", "a", "it's", 'say "no"', "\"'\"'", "a\nb"])
def test_texts_are_strings(text: str) -> None:
    machine = Machine()
    forwarder = Forwarder(NewNames(), {}, Findings())
    own: Instance = {}
    machine.run(forwarder.source(f"a = {quoted(text)};", ""), own)
    assert own["a"] == text


# -- random lists, run as Game Maker does, and as GML ----------------------------------------------


class _Ended(Exception):
    pass


class _Runner:
    """Runs a list of actions one by one."""

    def __init__(self, acts: list[Act], own: Instance, others: dict[str, list[Instance]]) -> None:
        self.acts = acts
        self.own = own
        self.others = others

    def run(self) -> None:
        at = 0
        try:
            while at < len(self.acts):
                at = self._one(at, True)
        except _Ended:
            pass

    def _targets(self, act: Act) -> list[Instance]:
        return [self.own] if act.who == "self" else self.others[act.who]

    def _one(self, at: int, is_done: bool) -> int:
        """Run the action at a place, if it is done; where the next one is."""
        act = self.acts[at]
        if act.is_question:
            answers = [self._answer(act, each) for each in self._targets(act)]
            answer = bool(answers and answers[-1]) != act.negated
            at = self._one(at + 1, is_done and answer)
            if at < len(self.acts) and self.acts[at].kind == 3:
                at = self._one(at + 1, is_done and not answer)
            return at
        if act.kind == 1:
            at += 1
            while self.acts[at].kind != 2:
                at = self._one(at, is_done)
            return at + 1
        if act.kind == 5:
            end = self._one(at + 1, False)
            for _ in range(int(act.arguments[0][1]) if is_done else 0):
                self._one(at + 1, True)
            return end
        if is_done and act.kind == 4:
            raise _Ended
        if is_done:
            name, value = (text for _, text in act.arguments)
            for each in self._targets(act):
                each[name] = each[name] + int(value) if act.relative else int(value)
        return at + 1

    def _answer(self, act: Act, own: Instance) -> bool:
        name, value, sign = (text for _, text in act.arguments)
        left, right = own[name], int(value)
        return bool([left == right, left < right, left > right, left <= right, left >= right][
            int(sign)])  # fmt: skip


def _random_acts(chance: random.Random, depth: int) -> list[Act]:
    """One statement of random actions."""
    who = chance.choice(["self", "self", "self", "other", "obj_a"])
    pick = chance.random()
    if depth > 4 or pick < 0.4:
        if chance.random() < 0.05:
            return [act(425)]
        value = str(chance.randint(-3, 3))
        name = chance.choice("abc")
        return [act(611, name, value, relative=chance.random() < 0.6, who=who)]
    if pick < 0.6:
        inside = [
            each for _ in range(chance.randint(0, 3)) for each in _random_acts(chance, depth + 1)
        ]
        return [act(422), *inside, act(424)]
    if pick < 0.7:
        return [act(423, str(chance.randint(0, 3))), *_random_acts(chance, depth + 1)]
    value, sign = str(chance.randint(-3, 3)), str(chance.randint(0, 4))
    asked = act(612, chance.choice("abc"), value, sign, who=who, negated=chance.random() < 0.3)
    made = [asked, *_random_acts(chance, depth + 1)]
    if made[-1].kind == 4 or chance.random() < 0.5:
        made += [act(421), *_random_acts(chance, depth + 1)]
    return made


@pytest.mark.parametrize("seed", range(times(2000, 10)))
def test_random_lists_do_the_same(seed: int) -> None:
    chance = random.Random(seed)
    acts = [each for _ in range(4) for each in _random_acts(chance, 0)]

    def instances() -> tuple[Instance, dict[str, list[Instance]]]:
        made = [{"a": n, "b": -n, "c": 0} for n in range(4)]
        return made[0], {"other": [made[1]], "obj_a": made[2:]}

    own, others = instances()
    _Runner(acts, own, others).run()
    same, same_others = instances()
    machine = Machine(objects={"obj_a": same_others["obj_a"]})
    forwarder = Forwarder(NewNames(), {}, Findings())
    machine.run(forwarder.source(source(*acts), ""), same, same_others["other"][0])
    assert (same, same_others) == (own, others), source(*acts)
