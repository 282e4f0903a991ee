"""What following texts through code costs follows the size of the code, not the number of ways."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse
from overhaul.translate.gamemaker.flow import Flow
from overhaul.translate.gamemaker.flow_reading import FlowReader

#: ``say_N`` looks its argument up, and returns it where it finds nothing
LOOKUP = """function say_{0}(key) {{
  switch (key) {{ case "key_{0}": return "Text {0}"; case "other_{0}": return "Other {0}"; }}
  return key;
}}
global.said = say_{0}(global.said);
"""


@contextmanager
def counted() -> Iterator[list[str]]:
    """The kinds of the places that explanations were asked for: one for each that was visited."""
    visited: list[str] = []
    shown_as = "overhaul.translate.gamemaker.flow._shown_as"

    def counting(place: tuple[object, ...]) -> str:
        visited.append(str(place[0]))
        return ""

    with patch(shown_as, counting):
        yield visited


def read(*codes: str, parents: dict[str, str], own: list[str]) -> tuple[Flow, list[tree.Block]]:
    """The flow of entries: the first is of no object, the others are those of the objects."""
    reader = FlowReader(own, parents)
    blocks = [parse(code) for code in codes]
    for block, owner in zip(blocks, ["", *parents], strict=True):
        reader.read(block, f"code_of_{owner}", "", owner)
    reader.finish()
    return reader.flow, blocks


def lookups(count: int) -> tuple[Flow, tree.Block]:
    """The flow of functions that look up what the others did not find."""
    code = "".join(LOOKUP.format(number) for number in range(count))
    first = 'global.said = "key_0"; global.said = "Quit"; draw_text(0, 0, global.said);'
    names = [f"say_{number}" for number in range(count)]
    flow, (block,) = read(code + first, parents={}, own=names)
    return flow, block


def text_nodes(block: tree.Block) -> dict[str, int]:
    """The number of the last text node of each value."""
    return {node.value: id(node) for node in block.walk() if isinstance(node, tree.String)}


@pytest.mark.parametrize("count", [6, 24])
def test_lookups_one_after_another_are_walked_through_a_few_times(count: int) -> None:
    flow, block = lookups(count)
    nodes = text_nodes(block)
    with counted() as visited:
        shown = flow.shown()
    said = {text for text, node in nodes.items() if node in shown}
    assert len(flow.lookups) == count
    assert said >= {"Quit", "Text 0", f"Text {count - 1}", f"Other {count - 1}"}
    # once for all, and once for the keys of each lookup, which come around it
    assert len(visited) < 20 * count * (count + 1)
    assert nodes["key_0"] in shown  # it comes around the only function that looks it up


def test_a_key_that_all_ways_look_up_is_no_text() -> None:
    code = LOOKUP.format(0) + 'draw_text(0, 0, say_0("key_0")); draw_text(0, 0, say_0("Quit"));'
    flow, (block,) = read(code, parents={}, own=["say_0"])
    nodes = text_nodes(block)
    shown = flow.shown()
    assert nodes["key_0"] not in shown
    assert nodes["Quit"] in shown
    assert flow.looked_up() == {nodes["key_0"]: "say_0"}


def of_objects(count: int) -> tuple[Flow, list[tree.Block]]:
    """The flow of objects that each have a variable of one name, and may run events of any."""
    own = [f'hp = "Text {number}"; draw_text(0, 0, hp);' for number in range(count)]
    parents = {f"obj_{number}": "" for number in range(count)}
    return read("", *own, parents=parents, own=[])


def edges(flow: Flow) -> int:
    """How many sources the places have that were visited."""
    return sum(map(len, flow._found.values()))


@pytest.mark.parametrize("count", [10, 200])
def test_objects_that_may_run_the_events_of_any_share_what_they_read(count: int) -> None:
    flow, blocks = of_objects(count)
    flow.link("", "")
    shown = flow.shown()
    assert all(text_nodes(block).popitem()[1] in shown for block in blocks[1:])
    assert edges(flow) < 10 * count


def test_a_parent_reads_what_its_children_write_and_no_more() -> None:
    parents = {f"obj_{number}": "obj_0" if number else "" for number in range(100)}
    own = ['hp = "Text"; draw_text(0, 0, hp); draw_text(0, 0, name);', 'name = "Name";']
    flow, blocks = read("", *own, *["x = 1;"] * 98, parents=parents, own=[])
    shown = flow.shown()
    assert len(shown) == 2
    assert text_nodes(blocks[2])["Name"] in shown
    assert edges(flow) < 40


def test_calls_without_the_arguments_of_their_functions_hold_nothing() -> None:
    code = 'ds_list_add(); ds_map_add(m); array_push(); ds_list_add(l, "A"); draw_text(); x = "B";'
    flow, (block,) = read(code + "draw_text(0, 0, ds_list_find_value(l, 0));", parents={}, own=[])
    nodes = text_nodes(block)
    assert {text for text, node in nodes.items() if node in flow.shown()} == {"A"}
