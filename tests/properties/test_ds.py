"""ds strings made at random: whatever is written reads back, whatever reads writes back."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from overhaul.errors import FormatError
from overhaul.gamemaker import ds

reals = st.binary(min_size=8, max_size=8).map(lambda raw: struct.unpack("<d", raw)[0])
strings = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.binary(
    min_size=1, max_size=6
).map(lambda raw: b"\xff" + raw)
scalars = st.one_of(
    reals,
    strings,
    st.none(),
    st.booleans(),
    st.integers(-(1 << 31), (1 << 31) - 1).map(ds.Int32),
    st.integers(-(1 << 63), (1 << 63) - 1).map(ds.Int64),
    st.integers(0, (1 << 64) - 1).map(ds.Pointer),
    st.integers(0, (1 << 64) - 1).map(ds.Reference),
    reals.filter(lambda x: struct.pack("<d", x) not in (bytes(8), struct.pack("<d", 1))).map(
        ds.Boolean
    ),
)
elements = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4), max_leaves=8)


@st.composite
def structures(draw: st.DrawFn) -> ds.Structure:
    values = draw(st.lists(elements, max_size=6))
    keys = draw(st.lists(elements, min_size=len(values), max_size=len(values)))
    cut = draw(st.integers(0, len(values)))
    width = draw(st.integers(1, 3))
    whole = len(values) // width * width
    made: list[ds.Structure] = [
        ds.DsList(values),
        ds.DsStack(values),
        ds.DsMap(zip(keys, values, strict=True)),
        ds.DsQueue(values[cut:], before=values[:cut], after=keys[:cut]),
        ds.DsPriority(map(ds.Prioritized, values, keys)),
        ds.DsGrid(width, whole // width, values[:whole]),
    ]
    result = draw(st.sampled_from(made))
    result.generation = draw(st.sampled_from([2, 3]))
    result.lower_case = draw(st.booleans())
    result.trailing = draw(st.binary(max_size=3))
    return result


@given(structures())
def test_structures_come_back(structure: ds.Structure) -> None:
    text = ds.dumps(structure)
    again = ds.loads(text)
    assert ds.dumps(again) == text
    assert type(again) is type(structure)
    assert repr(ds.to_json(again)["ds"]) == repr(ds.to_json(structure)["ds"])
    written = ds.json_text(ds.to_json(again))
    assert ds.dumps(ds.from_json(ds.parse_json(written))) == text


@given(st.sampled_from([101, 201, 301, 302, 303, 401, 403, 501, 603]), st.binary(max_size=80))
def test_any_bytes_read_or_fail_clearly(magic: int, data: bytes) -> None:
    data = struct.pack("<I", magic) + data
    try:
        value = ds.decode_bytes(data)
    except FormatError as error:
        assert error.offset is None or 0 <= error.offset <= len(data)
        return
    assert ds.encode_bytes(value) == data


@given(st.lists(st.one_of(reals, strings), max_size=8))
def test_generation_1(values: list[object]) -> None:
    text = ds.dumps(values, generation=1)
    assert ds.dumps(ds.loads(text)) == text


@given(st.binary(max_size=200))
def test_any_file_can_be_searched(data: bytes) -> None:
    for item in ds.find(data):
        assert ds.replaced(data, item.key, ds.extract(data, item.key)) == data
