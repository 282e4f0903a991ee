"""ds strings inside other files."""

from __future__ import annotations

import base64

import pytest

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker import ds
from present import instance
from steps import at_most

LIST = ds.dumps([1, 2, 3])
MAP = ds.dumps({"gold": 5}, generation=2)
GRID = ds.dumps(ds.DsGrid(2, 2))

INI = (
    f'[Player]\r\nname="A \xe9"\r\nbag="{MAP}"\r\nlist={LIST}\r\n\r\n'
    f'[Save slot 2]\r\n0="{LIST}"\r\nhash=2F0100000\r\nnoise=2F010000FF000000\r\n'
).encode("latin-1")
XML = f"<level>\n  <colors>{GRID}</colors><colors>{LIST.lower()}</colors>\n</level>".encode()
JSON = f'{{"slots": ["{LIST}"], "map": "{MAP}"}}'.encode()
GML = f'var key = "{LIST}";\nds_list_read(list, "{LIST}");\n'.encode()


def keys(data: bytes) -> list[tuple[str, str]]:
    return [(item.key, item.kind) for item in ds.find(data)]


def test_find_names_what_it_finds() -> None:
    assert keys(INI) == [
        ("Player/bag", "map"),
        ("Player/list", "list"),
        ("Save slot 2/0", "list"),
    ]
    assert keys(XML) == [("colors", "grid"), ("colors#2", "list")]
    place = GML.rindex(LIST.encode())
    assert keys(GML) == [("var key", "list"), (f"@{place}", "list")]
    assert keys(JSON)[1] == ("map", "map")
    assert keys(MAP.encode()) == [("@0", "map")]
    assert keys(b"") == keys(b"nothing here") == []
    result = ds.find(INI)[0]
    assert INI[result.start : result.end].decode() == MAP
    assert (result.generation, result.elements) == (2, 1)


def test_one_string_is_edited_in_place() -> None:
    value = ds.extract(INI, "Player/bag")
    assert ds.replaced(INI, "Player/bag", value) == INI
    assert isinstance(value, ds.DsMap)
    value["gold"] = 999
    value["sword"] = "yes"
    edited = ds.replaced(INI, "Player/bag", value)
    assert edited == INI.replace(MAP.encode(), ds.dumps(value).encode())
    assert ds.extract(edited, "player/BAG") == value  # INI keys disregard case
    assert instance(ds.DsList, ds.extract(edited, "Player/list")) == [1.0, 2.0, 3.0]


def test_lower_case_stays() -> None:
    value = ds.extract(XML, "colors#2")
    assert isinstance(value, ds.DsList)
    value.append(4.0)
    assert ds.dumps(value).islower()
    assert ds.replaced(XML, "colors#2", value) == XML.replace(
        LIST.lower().encode(), ds.dumps(value).encode()
    )


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode("latin-1")).decode()


KINDS = [[1, 2], ds.DsStack([1]), ds.DsQueue([1]), {"a": 1}, ds.DsPriority(), ds.DsGrid(1, 1)]


@pytest.mark.parametrize("generation", [1, 2, 3])
@pytest.mark.parametrize("value", KINDS, ids=lambda value: type(value).__name__)
def test_digits_in_base64_are_read_and_come_back(
    value: ds.Structure | dict[str, int], generation: int
) -> None:
    plain = ds.dumps(value, generation=generation)
    for digits in (plain, plain.lower(), plain + "\0", plain + "\xff"):
        text = in_base64(digits)
        for around in ("{}", '"{}"', " {}\r\n"):
            whole = around.format(text)
            read = ds.loads(whole)
            assert read == ds.loads(plain)
            assert ds.dumps(read) == whole
            json = ds.json_text(ds.to_json(read))
            assert ds.dumps(ds.from_json(ds.parse_json(json))) == whole
        (result,) = ds.find(f"[a]\nkey={text}\n".encode())
        assert (result.key, result.end - result.start) == ("a/key", len(text))


def test_a_string_in_base64_is_edited_in_place() -> None:
    data = f'[Player]\r\nbag="{in_base64(MAP)}"\r\nlist={LIST}\r\n'.encode()
    value = instance(ds.DsMap, ds.extract(data, "Player/bag"))
    assert ds.replaced(data, "Player/bag", value) == data
    value["gold"] = 999
    plain = ds.loads(ds.dumps({"gold": 999}, generation=2))
    changed = in_base64(ds.dumps(plain)).encode()
    for structure in (value, plain):  # it is the file that says how
        edited = ds.replaced(data, "Player/bag", structure)
        assert edited == data.replace(in_base64(MAP).encode(), changed)
    assert ds.replaced(data, "Player/list", value) == data.replace(
        LIST.encode(), ds.dumps(plain).encode()
    )
    assert (value.base64, plain.base64) == ("", None)


def test_what_is_nearly_base64_stays() -> None:
    text = in_base64(MAP)
    for other in (text[:-1] if text.endswith("=") else text + "=", "x" + text, in_base64("92")):
        assert ds.find(f"key={other}".encode()) == []
    for other in (in_base64(MAP[:30]), in_base64(" " + MAP), "OTIwMTAw*", in_base64("92010000")):
        with pytest.raises(FormatError, match="begins with hexadecimal digits"):
            ds.loads(other)
    with pytest.raises(EncodeError, match="no form in base64"):
        ds.dumps(ds.from_json({"ds": "list", "items": [], "base64": "\u20ac"}))


def test_strings_in_base64_inside_a_string_are_opened() -> None:
    text = ds.dumps({"bag": in_base64(LIST), "note": in_base64("92010000")})
    read = instance(ds.DsMap, ds.loads(text, nested=True))
    assert instance(ds.DsList, read["bag"]) == [1.0, 2.0, 3.0]
    assert read["note"] == in_base64("92010000")
    assert ds.dumps(read) == text


def test_an_unknown_key_lists_the_known() -> None:
    with pytest.raises(FormatError, match="Player/bag, Player/list, Save slot 2/0"):
        ds.extract(INI, "Player/nothing")
    with pytest.raises(FormatError, match="none"):
        ds.extract(b"", "a")


def test_a_file_of_one_long_line_is_searched_once() -> None:
    data = b" ".join([LIST.encode()] * 20_000)
    with at_most(8_000_000):
        assert len(ds.find(data)) == 20_000
