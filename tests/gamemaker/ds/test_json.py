"""ds strings as JSON."""

from __future__ import annotations

import math

import pytest

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker import ds
from present import instance


def json_of(*values: object, generation: int = 3) -> list[object]:
    structure = ds.DsList(values)
    structure.generation = generation
    items: list[object] = ds.to_json(structure)["items"]
    return items


def test_values_people_read() -> None:
    assert json_of(4.0, 2.5, "é", True, None, [1.0]) == [4, 2.5, "é", True, None, [1]]
    assert repr(json_of(-0.0, 0.0, 1e300, 2.0**53)) == "[-0.0, 0, 1e+300, 9007199254740992.0]"
    assert json_of(math.inf, -math.inf, math.nan) == [
        {"real": "Infinity"},
        {"real": "-Infinity"},
        {"real": "NaN"},
    ]
    assert json_of(ds.Int32(5), ds.Int64(2**60), ds.Pointer(1)) == [
        {"int32": 5},
        {"int64": str(2**60)},
        {"pointer": 1},
    ]
    assert json_of(b"\xff", ds.Boolean(2.0), ds.Boolean(math.inf)) == [
        {"bytes": "FF"},
        {"boolean": 2},
        {"boolean": "Infinity"},
    ]


def test_maps_are_objects_where_they_can_be() -> None:
    assert ds.to_json(ds.DsMap({"a": 1.0}))["entries"] == {"a": 1}
    assert ds.to_json(ds.DsMap({"a": 1.0, 2.0: 3.0}))["entries"] == [["a", 1], [2, 3]]
    assert ds.to_json(ds.DsMap([("a", 1.0), ("a", 2.0)]))["entries"] == [["a", 1], ["a", 2]]


def test_nested_strings() -> None:
    inner = ds.DsList([1.0, "x"])
    inner.generation, inner.lower_case = 2, True
    text = ds.dumps({"inner": ds.dumps(inner), "deeper": {"again": [ds.dumps([2.0])]}})
    value = ds.to_json(ds.loads(text, nested=True))
    assert value["entries"]["inner"] == {
        "ds": "list",
        "generation": 2,
        "lower_case": True,
        "items": [1, "x"],
    }
    assert value["entries"]["deeper"]["entries"]["again"][0]["items"] == [2]
    assert ds.dumps(ds.from_json(value)) == text


def test_strings_are_opened_in_every_structure() -> None:
    text = ds.dumps([2.0])
    queue = ds.DsQueue([text], before=["a", text], after=[text, "b"])
    grid = ds.DsGrid(1, 2, [1.0, text])
    priority = ds.DsPriority([ds.Prioritized(text, "low")])
    inner = ds.DsList([2.0])
    for made, opened in (
        (queue, [["a", inner], [inner], [inner, "b"]]),
        (grid, [1.0, inner]),
        (priority, [(inner, "low")]),
        (ds.DsStack([text, [text]]), [inner, [inner]]),
        (ds.DsMap([(text, text)]), [(text, inner)]),
    ):
        read = ds.loads(ds.dumps(made), nested=True)
        assert values_in(read) == opened
        assert ds.dumps(read) == ds.dumps(made)


def values_in(structure: ds.Structure) -> list[object]:
    if isinstance(structure, ds.DsQueue):
        return [structure.before, list(structure), structure.after]
    if isinstance(structure, ds.DsMap):
        return list(structure.pairs())
    return list(structure.cells if isinstance(structure, ds.DsGrid) else instance(list, structure))


def test_strings_in_strings_are_opened_16_deep() -> None:
    text = ""
    for _ in range(18):
        text = ds.dumps([text])
    value: object = ds.loads(text, nested=True)
    depth = 0
    while isinstance(value, ds.DsList):
        (value,) = value
        depth += 1
    assert (depth, value) == (17, ds.dumps([""]))  # the outermost, 16 in it, and a text


def test_plain_json() -> None:
    made = ds.from_json(ds.parse_json('{"gold": 5, "items": ["sword", [1, 2]]}'), generation=2)
    assert isinstance(made, ds.DsMap) and made.generation == 2
    assert ds.dumps(made) == ds.dumps({"gold": 5, "items": ["sword", [1, 2]]}, generation=2)
    assert instance(ds.DsList, ds.from_json([1, 2])) == [1.0, 2.0]
    assert ds.from_json({"ds": "list", "items": []}).generation == 3
    made = instance(ds.DsMap, ds.from_json({"ds": "map", "entries": {"ds": "a word"}}))
    assert made == {"ds": "a word"}


def test_one_line_where_it_fits() -> None:
    grid = ds.DsGrid(2, 30)
    lines = ds.json_text(ds.to_json(grid)).splitlines()
    assert lines.count("    [0, 0],") == 29
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("7", "got a number"),
        ("null", "got null"),
        ("{", "not valid JSON"),
        ("[" * 100_000, "too deep"),
        ("[" + "[" * 200 + "]" * 200 + "]", "deep"),
        ("[" + "9" * 5000 + "]", "not valid JSON"),
        ('{"a": 1, "a": 2}', "duplicate key 'a'"),
        ('{"ds": "list"}', "the field 'items' is missing"),
        ('{"ds": "list", "items": 1}', "items: expected an array"),
        ('{"ds": "list", "items": [], "generation": 7}', "generation: expected 1, 2 or 3"),
        ('{"ds": "list", "items": [], "generation": true}', "generation: expected a number"),
        ('{"ds": "list", "items": [], "encoding": "klingon"}', "not an encoding"),
        ('{"ds": "list", "items": [], "trailing": "xyz"}', "trailing: expected hexadecimal"),
        ('{"ds": "list", "items": [1, {"int32": "x"}]}', "items[1]: expected an integer"),
        ('{"ds": "map", "entries": [[1, 2], [3]]}', "entries[1]: expected [key, value]"),
        ('{"ds": "map", "entries": {"a": {"real": "?"}}}', "entries.a"),
        ('{"ds": "map"}', "entries: expected an object"),
        ('{"ds": "grid", "width": 2, "height": 1, "rows": [[1]]}', "expected a row of 2"),
        ('{"ds": "grid", "width": 1, "height": 9, "rows": [[1]]}', "1 rows in a grid"),
        ('{"ds": "grid", "width": 2, "height": 9, "rows": []}', "0 rows in a grid"),
        ('{"ds": "grid", "width": -2, "height": 9, "rows": []}', "not a valid size"),
        ('{"ds": "priority", "items": [3]}', "items[0]: expected an object"),
        ('[{"rows": [1]}]', "rows: expected arrays"),
        ('{"ds": "mapp", "entries": {}}', "unknown kind of structure 'mapp' (did you mean 'map'?)"),
        ('{"a": {"ds": "a word of the game"}}', "a.ds: unknown kind of structure 'a word of"),
        ('{"ds": ["map"], "entries": {}}', "ds: expected a string, got an array"),
        ('{"ds": "map", "entries": {}, "entires": {}}', "a map has no field 'entires'"),
        ('{"ds": "grid", "rows": [], "items": []}', "a grid has no field 'items'"),
        ('{"ds": "list", "items": [], "base64": 1}', "base64: expected true or false"),
        ('[{"reference": 1, "size": 3}]', "4 or 8"),
        ('[{"marked": "set"}]', "list or map"),
        ('[{"bytes": 4}]', "expected hexadecimal"),
        ('[{"legacy": 5, "value": 1, "string": "a"}]', "expected a tag"),
        ('[{"real": 1' + "0" * 400 + "}]", "too large"),
    ],
)
def test_json_that_is_none_of_ours(text: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        ds.from_json(ds.parse_json(text))
    assert words in str(caught.value)


def test_a_grid_without_cells_may_claim_any_size() -> None:
    text = "5B020000FFFFFFFF00000000"
    assert ds.dumps(ds.from_json(ds.to_json(ds.loads(text)))) == text


def test_what_is_nested_has_the_generation_of_what_holds_it() -> None:
    inner = {"b": 1}
    structure = {"ds": "list", "items": [1]}
    for value in (
        ds.from_json({"a": inner, "c": structure}, generation=2),
        ds.from_json({"ds": "map", "generation": 2, "entries": {"a": inner, "c": structure}}),
    ):
        again = ds.loads(ds.dumps(value), nested=True)
        assert isinstance(again, ds.DsMap)
        a, c = again["a"], again["c"]
        assert isinstance(a, ds.DsMap) and isinstance(c, ds.DsList)
        assert (again.generation, a.generation, c.generation) == (2, 2, 2)


def test_strings_in_strings_have_an_end() -> None:
    value: object = {"x": 1}
    for _ in range(40):  # each level takes twice the room
        value = {"inside": value}
    with pytest.raises(EncodeError, match="strings in strings more than 16 deep"):
        ds.dumps(ds.from_json(value))
    endless = ds.DsMap()
    endless["itself"] = endless
    with pytest.raises(EncodeError, match="strings in strings"):
        ds.dumps(endless)
