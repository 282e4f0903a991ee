"""ds strings inside other files."""

from __future__ import annotations

import time

import pytest

from overhaul.errors import FormatError
from overhaul.gamemaker import ds
from present import instance

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
    found = ds.find(INI)[0]
    assert INI[found.start : found.end].decode() == MAP
    assert (found.generation, found.elements) == (2, 1)


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


def test_an_unknown_key_lists_the_known() -> None:
    with pytest.raises(FormatError, match="Player/bag, Player/list, Save slot 2/0"):
        ds.extract(INI, "Player/nothing")
    with pytest.raises(FormatError, match="none"):
        ds.extract(b"", "a")


def test_a_file_of_one_long_line_is_searched_once() -> None:
    data = b" ".join([LIST.encode()] * 20_000)
    start = time.process_time()
    assert len(ds.find(data)) == 20_000
    assert time.process_time() - start < 8  # takes 0.3 s
