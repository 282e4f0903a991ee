"""Fields of JSON files: layouts to the byte, one kind of error, records over those of before."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_folder import memory_folder
from overhaul.document.jsontext import JsonError, parse_json, place_of
from overhaul.errors import EncodeError, FormatError, PlainFileError, WorkspaceError
from overhaul.folder import edits, json_fields, records
from overhaul.schema import Counted, Inline, Record, Scheme, u8, u16

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)
LAYOUTS = [json_fields.wide, json_fields.fitted, json_fields.rows, json_fields.indented]


@given(value=VALUES)
def test_every_layout_reads_back(value: object) -> None:
    for layout in LAYOUTS:
        data = json_fields.json_bytes(value, layout)
        assert json_fields.read_json(data, "x.json") == value, layout
        assert data.endswith(b"\n") and not data.endswith(b"\n\n"), layout


def lines(value: object, layout: json_fields.Layout) -> list[str]:
    return json_fields.json_text(value, layout).splitlines()


def test_the_wide_layout_keeps_short_parts_on_one_line() -> None:
    assert lines({"a": 1}, json_fields.wide) == ["{", '  "a": 1', "}"]
    assert lines({"a": {"b": [1, 2]}}, json_fields.wide)[1] == '  "a": {"b": [1, 2]}'
    assert lines([1, 2], json_fields.wide) == ["[1, 2]"]
    assert lines({"a": [{"b": 1}]}, json_fields.wide) == [
        "{",
        '  "a": [',
        '    {"b": 1}',
        "  ]",
        "}",
    ]


@pytest.mark.parametrize("length", [128, 129, 130, 131, 132])
def test_the_wide_layout_breaks_after_140(length: int) -> None:
    part = {"b": "x" * length}
    line = json.dumps(part)
    assert (f'  "a": {line}' in lines({"a": part}, json_fields.wide)) is (len(line) + 2 <= 140)
    assert (f"    {line}" in lines({"k": [part]}, json_fields.wide)) is (len(line) + 4 <= 140)


def test_the_wide_layout_never_breaks_deep_numbers() -> None:
    numbers = list(range(100))
    deep = lines({"a": {"b": numbers, "c": "x" * 150}}, json_fields.wide)
    assert any(line.strip().startswith('"b": [0, 1,') for line in deep)
    assert len(lines({"a": numbers}, json_fields.wide)) == 104
    assert len(lines(["a"] * 40, json_fields.wide)) == 42
    assert len(lines(["a"] * 20, json_fields.wide)) == 1
    assert len(lines({"a": dict.fromkeys(map(str, range(35)), 1)}, json_fields.wide)) == 39
    assert len(lines({"a": dict.fromkeys("abcd", 1)}, json_fields.wide)) == 3


@pytest.mark.parametrize("length", [87, 88, 89, 90])
def test_the_fitted_layout_breaks_after_100(length: int) -> None:
    value = {"key": ["x" * length]}
    inner = f'  "key": {json.dumps(value["key"])}'
    assert (inner in lines(value, json_fields.fitted)) is (len(inner) + 1 <= 100)
    assert lines(["x" * (length + 6)], json_fields.fitted)[0] == (
        json.dumps(["x" * (length + 6)]) if length <= 90 else "["
    )


def test_the_layouts_of_rows_and_of_numbers() -> None:
    value = [{"a": [1, {"b": "x" * 200}]}, 2]
    assert lines(value, json_fields.rows) == ["[", f"  {json.dumps(value[0])},", "  2", "]"]
    assert lines({"a": [1, 2], "b": [1.5], "c": []}, json_fields.indented) == [
        "{", '  "a": [1, 2],', '  "b": [', "    1.5", "  ],", '  "c": []', "}",
    ]  # fmt: skip
    assert lines({"a": [True]}, json_fields.indented)[2] == "    true"


def test_bytes_that_are_not_utf8_are_escaped() -> None:
    assert json_fields.json_bytes("é\udc81") == b'"\xc3\xa9\\udc81"\n'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a": 1,\n "b": }', "f.json:2:7: not valid JSON: Expecting value"),
        (b'{"a": 1, "b": {"a": 2, "a": 3}}', "f.json:1:24: not valid JSON: duplicate key 'a'"),
        (b'[{"a": 1},\n {"b": 2,\n  "b": 3}]', "f.json:3:3: not valid JSON: duplicate key 'b'"),
        (b"[" * 100_000, "f.json: not valid JSON: nested too deeply"),
        (b"\xff", "f.json:1:1: not UTF-8"),
        (b'{"a":\n "\xff"}', "f.json:2:3: not UTF-8"),
        (b"1" * 5000, "f.json: not valid JSON: Exceeds the limit"),
    ],
)
def test_bad_json_is_a_workspace_error_with_its_place(data: bytes, message: str) -> None:
    with pytest.raises(WorkspaceError) as caught:
        json_fields.read_json(data, "f.json")
    assert str(caught.value).startswith(message)


TEXT = """{
  "name": "a \\"x\\": {[",
  "list": [1, [2,
    3], {"x": {"y": null}}],
  "x": {}
}
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("name", (2, 3)),
        ("list", (3, 3)),
        ("list[0]", (3, 12)),
        ("list[1][1]", (4, 5)),
        ("list[2]", (4, 9)),
        ("list[2].x.y", (4, 16)),
        ("x", (5, 3)),
        ("x.missing.y", (5, 3)),
        ("list[7]", (3, 3)),
        ("list[2].xy", (4, 9)),
        ("nam", (0, 0)),
        ("", (0, 0)),
    ],
)
def test_the_place_of_a_key_is_found(path: str, place: tuple[int, int]) -> None:
    assert place_of(TEXT, path) == place
    assert place_of(TEXT.replace("\n", "\r\n"), path) == place


def paths(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """The path of each key and element, and the JSON text that begins there."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield f"{path}.{key}" if path else key, json.dumps(key, ensure_ascii=False)
            yield from paths(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield f"{path}[{index}]", json.dumps(item)[:1]
            yield from paths(item, f"{path}[{index}]")


TREES = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text('ab\\"{,:é', min_size=1), inner),
    max_leaves=20,
)


@given(value=TREES)
def test_the_place_of_every_key_is_where_it_stands(value: object) -> None:
    for layout in LAYOUTS:
        text = json_fields.json_text(value, layout)
        for path, start in paths(value):
            line, column = place_of(text, path)
            found = text.split("\n")[line - 1][column - 1 :]
            assert found.startswith(start), layout


@given(text=st.text('{}[],:"a1 \n'))
def test_any_text_has_a_place_or_none(text: str) -> None:
    line, column = place_of(text, "a[1].a")
    assert (line > 0) is (column > 0)


@pytest.mark.parametrize(
    ("file", "message"),
    [("f.json", "f.json:4:5: list[1][1]: no"), ("g.json", "g.json: list[1][1]: no")],
)
def test_errors_about_values_get_the_line_of_their_key(file: str, message: str) -> None:
    with (
        pytest.raises(PlainFileError) as caught,
        json_fields.placed_in(memory_folder({"f.json": TEXT.encode()})),
        json_fields.in_file(file),
        json_fields.at_key("list", 1),
        json_fields.at_key("", 1),
    ):
        raise FormatError("no")
    assert str(caught.value) == message
    assert (caught.value.file, caught.value.key, caught.value.message) == (file, "list[1][1]", "no")


def test_objects_and_lists_are_what_a_file_must_hold() -> None:
    assert json_fields.read_object(b'\xef\xbb\xbf{"a": []}', "f") == {"a": []}
    assert json_fields.read_list(b"[{}]", "f") == [{}]
    with pytest.raises(WorkspaceError, match=r"^f: expected an object, got a list$"):
        json_fields.read_object(b"[]", "f")
    with pytest.raises(WorkspaceError, match=r"^f: expected a list, got 'x'$"):
        json_fields.read_list(b'"x"', "f")


@pytest.mark.parametrize(
    ("expect", "good", "bad", "message"),
    [
        (json_fields.expect_text, "a", 1, "expected a text, got 1"),
        (json_fields.expect_texts, ["a"], ["a", None], r"\[1\]: expected a text, got null"),
        (json_fields.expect_integer, 5, True, "expected a whole number, got true"),
        (
            json_fields.expect_integer,
            -(1 << 31),
            1 << 31,
            "expected a whole number from -2147483648",
        ),
        (json_fields.expect_integer, (1 << 31) - 1, -(1 << 31) - 1, "expected a whole number from"),
        (json_fields.expect_number, 1.5, "1", "expected a number, got '1'"),
        (json_fields.expect_number, 2.0, False, "expected a number, got false"),
        (json_fields.expect_number, 0.0, 10**400, "the number is too large"),
        (json_fields.read_colour, -1, True, "expected a colour"),
        (json_fields.read_colour, 1, "#12345", "expected a colour"),
        (json_fields.read_colour, 1, 1 << 31, "expected a colour"),
        (json_fields.read_colour, -(1 << 31), "#12345G", "expected a colour"),
        (json_fields.read_colour, (1 << 31) - 1, -(1 << 31) - 1, "expected a colour"),
    ],
)
def test_values_are_checked(
    expect: Callable[[object], object], good: object, bad: object, message: str
) -> None:
    assert expect(good) == good
    with pytest.raises(FormatError, match=message):
        expect(bad)


def test_hexadecimal_bytes() -> None:
    assert json_fields.expect_bytes("00ff", 2) == b"\0\xff"
    with pytest.raises(FormatError, match="expected 3 bytes, got 2"):
        json_fields.expect_bytes("00ff", 3)
    with pytest.raises(FormatError, match="expected hexadecimal digits, got 5"):
        json_fields.expect_bytes(5)


def test_errors_gather_keys_and_the_file() -> None:
    with (
        pytest.raises(WorkspaceError, match=r"^f\.json: a\[2\]\.b: too much$"),
        json_fields.in_file("f.json"),
        json_fields.at_key("a", 2),
        json_fields.at_key("b"),
    ):
        raise EncodeError("too much")
    with pytest.raises(WorkspaceError, match="f: nested too deeply"), json_fields.in_file("f"):
        raise RecursionError


@given(st.integers(-(1 << 31), (1 << 31) - 1))
def test_colours_read_back(colour: int) -> None:
    shown = json_fields.show_colour(colour)
    assert json_fields.read_colour(shown) == colour
    assert isinstance(shown, str) is (0 <= colour < 1 << 24)


def test_colours_begin_with_red() -> None:
    assert json_fields.show_colour(0x0000FE) == "#FE0000"
    assert json_fields.read_colour("#0000fe") == 0xFE0000


class Point(Record):
    x: u8 = 0
    y: u16 = 7


class Shape(Record):
    count: u8 = 0
    points: Annotated[list[Point], Counted("count")] = []
    groups: Annotated[list[u8], Inline()] = []
    cache: object = None


def test_records_show_the_fields_asked_for() -> None:
    shape = Shape(1, [Point(1, 7)])
    brief = Scheme(omit_defaults=True)
    assert records.show_record(shape, brief, without=["count"]) == {
        "points": [{"x": 1}],
        "groups": [],
    }
    assert records.show_record(shape, Scheme(), only=["count", "groups"]) == {"groups": []}


def test_counts_follow_their_lists() -> None:
    shape = Shape(9, [Point(), Point()])
    records.set_counts(shape, None)
    assert shape.count == 2


def test_overlay_keeps_what_is_equal() -> None:
    mark = object()
    old = Shape(3, [Point(1), Point(2), Point(3)], [1], cache=mark)
    first, second, third = old.points
    same = Shape(3, [Point(1), Point(2), Point(3)], [1])
    assert records.overlay(old, same) is old
    new = records.overlay(old, Shape(4, [Point(1), Point(9), Point(2), Point(3)], [2]))
    assert new.count == 4 and new.groups == [2] and new.cache is mark
    assert new.points[0] is first and new.points[2] is second and new.points[3] is third
    shorter = records.overlay(old, Shape(2, [Point(1), Point(3)], [1]))
    assert shorter.points[0] is first and shorter.points[1] is third and len(shorter.points) == 2
    longer = records.overlay(old.points, [*same.points, Point(4)])
    assert [p.x for p in longer] == [1, 2, 3, 4] and longer[2] is third


def test_replaced_fields_leave_the_record_itself() -> None:
    target, source = Point(1, 1), Point(2, 2)
    records.replace_fields(target, source, ["y"])
    assert target == Point(2, 1)


def test_edits_know_files_and_changes() -> None:
    folder = memory_folder({"a.json": b'{"x": 1}', "b.json": b"[1]", "c.txt": b"\xff", "d/e": b""})
    found = edits.Edits(folder, {"a.json": "changed", "gone.json": "removed", "d/e": "added"})
    assert found.edited("a.json") and found.edited("d/e")
    assert not found.edited("gone.json") and not found.edited("b.json")
    assert found.json_object("a.json") == {"x": 1} and found.json_list("b.json") == [1]
    assert found.json_object("gone.json") == {} and found.json_list("gone.json") == []
    assert found.text("c.txt") == "\udcff" and found.bytes("d/e") == b""
    with pytest.raises(WorkspaceError):
        found.json("gone.json")


def test_files_are_sorted_to_their_resources() -> None:
    def unit_of(path: str) -> edits.Unit | None:
        folder, _, name = path.partition("/")
        return (folder, name.partition(".")[0]) if name else None

    assert edits.by_unit(["s/a.x", "top", "s/b.x", "s/a.y"], unit_of) == (
        {("s", "a"): ["s/a.x", "s/a.y"], ("s", "b"): ["s/b.x"]},
        ["top"],
    )


def test_each_renamed_thing_is_paired_once() -> None:
    same = lambda one, other: one[0] == other[0]  # noqa: E731
    assert edits.pair_renamed(["a1", "a2", "b1"], ["a3", "c", "a4"], same) == [
        ("a1", "a3"),
        ("a2", "a4"),
    ]


def test_long_lists_of_nulls_are_broken_up_even_where_numbers_are_not() -> None:
    def deep(count: int) -> list[str]:
        return lines({"a": {"b": [None] * count, "c": "x" * 150}}, json_fields.wide)

    assert len(deep(39)) == 6
    assert len(deep(40)) == 47


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_places_of_deep_text_cost_little(text: str) -> None:
    """The paths of text nested 100,000 deep would take 15 GB."""
    tracemalloc.start()
    assert place_of(text, "b") == (0, 0)
    assert place_of(text, "[0][0]" if text[0] == "[" else "a.a") == (
        (1, 3) if text[0] == "[" else (1, 7)
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


@pytest.mark.parametrize("depth", [3, 499, 600])
def test_keys_twice_in_deep_text(depth: int) -> None:
    text = "[" * depth + '{"a": 1, "a": 2}' + "]" * depth
    with pytest.raises(JsonError, match="duplicate key"):
        parse_json(text)
