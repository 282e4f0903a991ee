"""The release of a file whose code is of a later one than its layout shows."""

from __future__ import annotations

import pytest

from overhaul.gamemaker.data.code.checking import why_not_identical
from overhaul.gamemaker.data.detect_code import NOTHING, Probe, asset_types, enclosing_calls
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.form import read_form
from overhaul.gml.dialect import Dialect
from small_games import again, game_of

ENTRY = "gml_Object_obj_a_Create_0"
#: what shows the releases of blank games
LAYOUT = ("names of feature flags", "layout of ROOM", "no code locals")
OUTWARD = "function a() { function b() { } function c() { b(); } c(); } x = a;"


def compiled_by(version: str, release: tuple[int, ...], source: str) -> GameData:
    """A game of one release's layout, with an event that another release compiled."""
    game = game_of(version)
    later = Dialect.for_version(17, release)
    game.language.context.dialect = later
    game.add_event("obj_a", "Create_0", "x = 1;")
    game.language.context.dialect = later
    game.records.code[ENTRY].gml = source
    return again(game)


@pytest.mark.parametrize(
    ("version", "release", "source", "found"),
    [
        ("2024.14", (2026, 0, 0, 0), "y.list[0](x);", "2026.0"),
        ("2024.14", (2026, 0, 0, 0), OUTWARD, "2026.0"),
        ("2024.14", (2024, 14, 0, 0), "y.list[0](x);", "2024.14"),
        ("2024.14", (2024, 14, 0, 0), OUTWARD, "2024.14"),
        ("2024.14", (2026, 0, 0, 0), "y.list[0](); a = function() { b(); };", "2024.14"),
        ("2023.8", (2023, 8, 0, 0), "x = y; f = function() { };", "2023.8"),
        ("2023.8", (2023, 11, 0, 0), "x = global;", "2023.11"),
        ("2023.8", (2023, 11, 0, 0), "f = function() { };", "2023.11"),
        ("2023.8", (2024, 2, 0, 0), "x = y;", "2024.2"),
        ("2023.8", (2024, 2, 0, 0), "var i = 0;", "2023.8"),
        ("2023.8", (2024, 2, 0, 0), "var i = y;", "2024.2"),
        ("2023.8", (2024, 4, 0, 0), "x = rm_first;", "2024.2"),
        ("2023.8", (2024, 4, 0, 0), "x = tm_day;", "2024.4"),
        ("2023.8", (2023, 8, 0, 0), "x = tm_day;", "2023.8"),
        ("2023.8", (2024, 2, 0, 0), "function f() { } x = f;", "2024.2"),
        ("2024.8", (2024, 11, 0, 0), "f = function() constructor { };", "2024.11"),
        ("2024.8", (2024, 14, 0, 0), 'x = $"a{y}";', "2024.14"),
        ("2024.6", (2024, 14, 0, 0), 'x = $"a{y}";', "2024.6"),  # it lists the locals of code
    ],
)
def test_code_dates_a_file(version: str, release: tuple[int, ...], source: str, found: str) -> None:
    game = compiled_by(version, release, source)
    assert str(game.release) == found
    assert why_not_identical(game, ENTRY) is None
    reasons = [conclusion.reason for conclusion in game.evidence if conclusion.version == found]
    assert found == version or not {*LAYOUT} & {*reasons}


def test_a_release_that_is_given_is_not_corrected() -> None:
    game = compiled_by("2023.8", (2024, 4, 0, 0), "x = tm_day;")
    assert game.language.context.dialect.renumbered_asset_types
    assert game.release.number == (2024, 4, 0, 0)


@pytest.mark.parametrize(("size", "shown"), [(3, NOTHING), (4, (2024, 4))])
def test_a_list_without_a_count_has_no_element(size: int, shown: tuple[int, ...]) -> None:
    data = compiled_by("2023.8", (2024, 4, 0, 0), "x = tm_day;").to_bytes()
    probe = Probe(data, read_form(data))
    chunk = probe.chunks["TMLN"]
    probe.chunks["TMLN"] = chunk._replace(end=chunk.start + size)
    assert asset_types(probe) == shown


def test_a_count_of_functions_that_is_too_large_ends_with_their_chunk() -> None:
    data = compiled_by("2024.14", (2026, 0, 0, 0), OUTWARD).to_bytes()
    (chunk,) = (each for each in read_form(data).chunks if each.name == "FUNC")
    data = data[: chunk.start] + b"\xff" * 4 + data[chunk.start + 4 :]
    for behind in (b"", b"\0"):  # the rest of the file is no list of whole entries in one of them
        assert enclosing_calls(Probe(data + behind, read_form(data))) == (2026, 0)


@pytest.mark.parametrize("version", ["2024.13", "2024.14"])
def test_a_function_in_a_function_of_a_script_shows_no_later_release(version: str) -> None:
    """The function around it is named without the script."""
    game = game_of(version)
    game.add_script("scr", "function f(a) { function b() { return 1; } x = b; b(); return b; }")
    game = again(game)
    assert str(game.release) == version
    assert why_not_identical(game, "gml_GlobalScript_scr") is None
