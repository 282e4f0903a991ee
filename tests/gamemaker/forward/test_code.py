"""Code of Studio 1 and before as later releases have it."""

from __future__ import annotations

import pytest

from overhaul.findings import Findings
from overhaul.gamemaker.forward.code import Forwarder, arguments_of, assigned_names
from overhaul.gamemaker.forward.texts import NewNames, calls_of, cleaned, closed
from overhaul.gml.syntax.parser import parse


def forwarded(source: str, *, names: NewNames | None = None) -> tuple[str, set[str], list[str]]:
    """The source, the functions that it needs, and what is reported."""
    findings = Findings()
    forwarder = Forwarder(names or NewNames(), {"scr_own": 2}, findings)
    forwarder.rename_variables(assigned_names(source), set())
    made = forwarder.source(source, "a.gml")
    return made, forwarder.used, findings.texts()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a := 'it\"s' <> \"b\\c\";", 'a = "it\\"s" != "b\\\\c";'),
        ("a = 'one\ntwo\t';", 'a = "one\\ntwo\\t";'),
        ("// 'kept' := <>\na = 1;", "// 'kept' := <>\na = 1;"),
        ("a = 5. + .5 + $FF;", "a = 5 + .5 + $FF;"),
        ("if a = 1 then begin b = 2 end else c = 3", "if a = 1 then begin b = 2 end else c = 3"),
        ("x = 1 /* open", "x = 1 /* open */\n"),
        ("draw_text(1, 2, 'a#b\\#c');", 'draw_text(1, 2, "a\\nb#c");'),
        ("draw_text(1, 2, 'a#' + b);", 'draw_text(1, 2, string_hash_to_newline("a#" + b));'),
        ("draw_text(1, 2, name);", "draw_text(1, 2, string_hash_to_newline(name));"),
        ("draw_text(1, 2, string(score));", "draw_text(1, 2, string(score));"),
        ("draw_text(f(1, 2), [0], 3);", "draw_text(f(1, 2), [0], 3);"),
        ("a = 'c#d';", 'a = "c#d";'),
        ("w = string_width(t[1]);", "w = string_width(string_hash_to_newline(t[1]));"),
        ("x = view_xview;", 'x = old_view_get("xview", 0);'),
        ("x = view_xview[view_current] + 1;", 'x = old_view_get("xview", view_current) + 1;'),
        ("view_xview[0] = x - view_wview / 2;\ny = 3",
         'old_view_set("xview", 0, x - old_view_get("wview", 0) / 2);\ny = 3'),
        ("view_yview -= f()", 'old_view_set("yview", 0, f(), "-=")'),
        ("view_angle[a[1]] = (b[2])", 'old_view_set("angle", a[1], (b[2]))'),
        ("with (a) view_object = noone; b = 1",
         'with (a) old_view_set("object", 0, noone); b = 1'),
        ("view_hborder[1]++;", 'old_view_set("hborder", 1, 1, "+=");'),
        ("--view_hborder;", 'old_view_set("hborder", 0, 1, "-=");'),
        ("background_color = c_red;", 'old_background_set("color", 0, c_red);'),
        ("background_x[i] += background_hspeed[i] * 2;",
         'old_background_set("x", i, old_background_get("hspeed", i) * 2, "+=");'),
        ("o.view_xview = 1;", "o.view_xview = 1;"),
        ("view_xview[0] = choose(1, g(2))", 'old_view_set("xview", 0, choose(1, g(2)))'),
        ("view_xview = a.b.c; d = 1", 'old_view_set("xview", 0, a.b.c); d = 1'),
        ("view_xview += a[1].b", 'old_view_set("xview", 0, a[1].b, "+=")'),
        ("view_xview[0] = -(a) z = 1", 'old_view_set("xview", 0, -(a)) z = 1'),
        ("layer = 2; o.layer += layer;", "own_layer = 2; o.own_layer += own_layer;"),
        ("var new; new = 1;", "var own_new; own_new = 1;"),
        ("string_split = 3; string_split(1);", "own_string_split = 3; string_split(1);"),
        ("view_visible[0] = true; room_speed = 60;", "view_visible[0] = true; room_speed = 60;"),
    ],
)  # fmt: skip
def test_sources(source: str, expected: str) -> None:
    made, _, _ = forwarded(source)
    assert made == expected
    parse(made)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("scr_own();", "scr_own(0, 0);"),
        (
            "a = scr_own( /* no */ ) + scr_own(f(1, 2));",
            "a = scr_own( /* no */ 0, 0) + scr_own(f(1, 2), 0);",
        ),
        ("scr_own(1, scr_own(2, 3), 4);", "scr_own(1, scr_own(2, 3), 4);"),
        ("a.scr_own();", "a.scr_own();"),
    ],
)
def test_arguments_that_calls_leave_out_are_0(source: str, expected: str) -> None:
    assert forwarded(source)[0] == expected


def test_what_a_script_reads() -> None:
    assert arguments_of("return argument0 + argument2; // argument7") == 3
    assert arguments_of("x = 1;") == 0
    assert arguments_of("return argument0 + argument[1];") == 0
    assert arguments_of("if (argument_count > 1) a = argument1;") == 0
    assert arguments_of("argument99 = 1;") == 0


def test_names_follow() -> None:
    names = NewNames()
    names.plain["ball"] = "obj_ball"
    names.calls["ball"] = "scr_ball"
    names.numbers["100001"] = "inst_A"
    made, _, _ = forwarded("ball(ball, a.ball, 'ball'); // ball", names=names)
    assert made == 'scr_ball(obj_ball, a.ball, "ball"); // ball'
    assert names.followed("x = 100001.y + 1000010;") == ("x = 100001.y + 1000010;", 0)
    assert names.followed("\n(100001).x = ball()") == ("\n(inst_A).x = scr_ball()", 2)


def test_what_code_needs() -> None:
    made, used, said = forwarded("instance_create(1, 2, a); scr_own(); sound_play(b); view_xview=1")
    assert used == {"instance_create", "sound_play", "old_view_set"} and said == []
    assert made.startswith("instance_create(1, 2, a);")


def test_what_nothing_stands_for() -> None:
    _, used, said = forwarded("a = 1;\nmplay_end();\ntransition_kind = 1;")
    assert used == set()
    assert said == [
        "a.gml:2: no later release has the function mplay_end, and nothing stands for it",
        "a.gml:3: no later release has the variable transition_kind: it is one of your own now",
    ]


def test_an_error_is_reported_and_the_rest_is_changed() -> None:
    made, _, said = forwarded("if (a { b = 'c'; }")
    assert made == 'if (a { b = "c"; }'
    assert said[0].startswith("a.gml:1: the code has an error (")


def test_texts_of_other_encodings() -> None:
    assert cleaned("a\udce4b\0c\x07d\te") == "a\ufffdbcd\te"
    assert cleaned("plain") == "plain"


def test_comments_without_an_end() -> None:
    assert closed("a /* b") == "a /* b */\n"
    assert closed("a /* b */ // /* c") == "a /* b */ // /* c"
    assert closed("'/*' + \"/*\"") == "'/*' + \"/*\""
    assert closed("/*/") == "/*/ */\n"


def test_calls_have_lines() -> None:
    assert list(calls_of("a = 1;\n\nsleep(3) + b;\n'sleep()'", {"sleep", "b"})) == [(3, "sleep")]
