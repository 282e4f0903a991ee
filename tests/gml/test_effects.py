"""The table of what built-in functions do with their arguments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from overhaul.gml.builtins import effects, load_functions, table_rows
from overhaul.gml.builtins.effects import REST, chosen, load_effects
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse_expression
from overhaul.gml.values import (
    STORED,
    alternatives,
    called_name,
    initial_element,
    is_transparent,
    key_of,
)
from overhaul.translate.gamemaker import flow_values

#: functions of extensions, of Game Maker 8, and what accessors of two dimensions are compiled to
OTHERS = {
    *("scribble", "draw_text_scribble", "draw_text_scribble_ext"),
    *("action_draw_text", "action_draw_text_transformed", "action_if_question"),
    *("highscore_set_strings", "message_input", "show_message_ext"),
    *("array_get_2D", "array_set_2D"),
}
ROWS = table_rows("effects.tsv")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]}")
def test_functions_are_there_and_have_such_arguments(row: list[str]) -> None:
    known = load_functions()
    for name in set(row[2].split()) - OTHERS:
        function = known.get(name)
        assert function is not None, name
        last = max(int(part) for part in row[1].split(",") if part != "*")
        assert function.maximum < 0 or last < function.maximum, name


def test_no_function_is_there_twice() -> None:
    seen = [(effect, name) for effect, _, names in ROWS for name in names.split()]
    assert len(set(seen)) == len(seen)


def test_each_effect_is_explained() -> None:
    said = set(re.findall(r"``(\w+)``: ", effects.__doc__ or ""))
    named = set(re.findall(r"``(\w+)``", effects.__doc__ or ""))
    assert {row[0] for row in ROWS} <= said | named
    assert said <= {row[0] for row in ROWS}
    with pytest.raises(KeyError):
        load_effects("eaten")


def test_chosen_arguments() -> None:
    assert chosen((0, 2), 2) == chosen((0, 3), 2) == chosen((0, 300), 2) == [0]
    assert chosen((0, 2), 3) == [0, 2]
    assert chosen((0, REST), 3) == [0, 1, 2]
    assert chosen((0, 2, REST), 4) == [0, 2, 3]
    assert chosen((1, REST), 1) == []


def test_the_decompiler_and_translation_read_one_table() -> None:
    assert STORED is load_effects("stored")
    assert STORED.items() <= flow_values.STORED.items()
    for path in (Path(effects.__file__).parents[1] / "decompiler" / "types").glob("*.py"):
        assert "ds_list_add" not in path.read_text("utf-8"), path


def call(source: str) -> tree.Call:
    node = parse_expression(source)
    assert isinstance(node, tree.Call)
    return node


def test_what_an_expression_may_be() -> None:
    names = alternatives(parse_expression("a ? choose(b, c) : d ?? e"))
    assert names == [tree.Name(name) for name in "abcde"[1:]]
    coalesced = alternatives(parse_expression("a ? b : c ?? d"), nullish=False)
    assert coalesced == [tree.Name("b"), parse_expression("c ?? d")]
    assert alternatives(None) == []
    assert alternatives(call("scr(a, b)")) == [call("scr(a, b)")]


def test_keys_and_first_elements_of_calls() -> None:
    keys = [
        key_of(name, call(f"{name}(a, b, c)").arguments)
        for name in ("ds_map_add", "ds_map_find_value", "ds_list_add", "scr")
    ]
    assert keys == [tree.Name("b"), tree.Name("b"), None, None]
    assert key_of("ds_map_add", [tree.Name("a")]) is None
    assert initial_element(call("array_create(3, a)")) == tree.Name("a")
    assert initial_element(call("array_create(3)")) is None
    assert initial_element(call("scr(3, a)")) is None
    assert called_name(parse_expression("a.b.c[1]")) == "c"
    assert called_name(parse_expression("1")) == ""


def test_results_are_arguments_or_hold_them() -> None:
    found = {name: is_transparent(name) for name in ("choose", "array_create", "sqrt")}
    assert found == {"choose": True, "array_create": True, "sqrt": False}
