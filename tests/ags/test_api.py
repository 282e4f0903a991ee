"""The built-in header of each editor: what it declares, in which order, under which macros."""

from __future__ import annotations

import re

import pytest

from overhaul.ags.api import (
    ScriptSettings,
    all_declarations,
    builtin_header,
    declarations,
    parse_version,
    script_macros,
    version_in,
)
from overhaul.ags.api.macros import LEVELS
from overhaul.ags.language import CompilerOptions, Source, compile_block


def names(version: str, kind: str, owner: str = "") -> list[str]:
    """The names of a kind, in the order of the header."""
    return [
        row.name
        for row in declarations(version)
        if row.kind == kind and row.owner == owner and not row.condition.startswith("!")
    ]


def test_rows_are_whole() -> None:
    """Each row has a name, and its releases are in order."""
    for row in all_declarations():
        assert row.name
        assert parse_version(row.since)[:3] <= parse_version(row.until)[:3], row


@pytest.mark.parametrize(
    ("text", "version"),
    [("3.6.1.26 (Release)", "3.6.1.26"), ("v3.2.1", "3.2.1"), ("3.6.1.26.7", "3.6.1.26"),
     ("3.6.", "3.6"), ("", ""), ("3", ""), ("3..4", ""), ("\u0663.\u0665", ""),
     ("9" * 5000 + ".1", ""), ("3." + "9" * 5000, ""), ("12345678.1", ""),
     ("1234567.1", "1234567.1")],
)  # fmt: skip
def test_the_version_in_a_text(text: str, version: str) -> None:
    assert version_in(text) == version


def test_a_short_version_is_the_last_build_of_its_release() -> None:
    assert parse_version("3.4.1") > parse_version("3.4.1.15")
    assert parse_version("3.4.1") < parse_version("3.5.0.1")
    assert "GetFontHeight" in names("3.4.1", "function")
    assert "GetFontHeight" not in names("3.4.1.1", "function")


def test_old_and_future_versions_have_the_nearest_header() -> None:
    assert declarations("2.72") == declarations("3.2.0")
    assert declarations("3.9.0.0") == declarations("3.6.3.13")


@pytest.mark.parametrize("text", ["", "3", "three.two", "3.x.1"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"version|invalid literal"):
        parse_version(text)


def test_parts_of_a_struct_stand_in_the_order_of_the_header() -> None:
    assert names("3.5.0.27", "method", "Parser") == [
        "FindWordID",
        "ParseText",
        "Said",
        "SaidUnknownWord",
    ]
    old = names("3.4.1.15", "method", "DrawingSurface")
    new = names("3.6.0.36", "method", "DrawingSurface")
    assert old.index("DrawSurface") > old.index("DrawLine")
    assert new.index("DrawSurface") < new.index("DrawLine")


def test_the_game_struct_moved_with_3_5() -> None:
    for version, first in (("3.4.1.15", "Game"), ("3.5.0.27", "Parser")):
        structs = [name for name in names(version, "struct") if name in ("Game", "Parser")]
        assert structs[0] == first


def test_the_header_says_conditions_as_directives() -> None:
    text = builtin_header("3.5.0.27")
    assert "#ifndef STRICT\nimport void NewRoom(int roomNumber);\n#endif" in text
    assert text.count("#if") == text.count("#endif")
    assert "import readonly Character* player;" in text
    assert re.search(r"struct Label extends GUIControl \{", text)
    assert "  readonly import attribute char Chars[];" in text
    assert text.rstrip().endswith("#undef FontType")


def macros(version: str, **settings: object) -> set[str]:
    """The macros of a game."""
    return set(script_macros(ScriptSettings(version, **settings)))  # type: ignore[arg-type]


def test_levels_of_the_api() -> None:
    assert "SCRIPT_API_v350" in macros("3.5.0.27")
    assert "SCRIPT_API_v3507" in macros("3.5.0.27")
    assert "SCRIPT_API_v351" not in macros("3.5.0.27")
    assert "SCRIPT_API_v350" not in macros("3.5.0.27", api="v341")
    assert "SCRIPT_COMPAT_v341" not in macros("3.5.0.27")
    assert "SCRIPT_COMPAT_v341" in macros("3.5.0.27", compatibility="v340")
    assert "SCRIPT_COMPAT_v335" not in macros("3.5.0.27", compatibility="v340")


def test_editors_without_levels_have_all_of_their_api() -> None:
    assert {"SCRIPT_API_v330", "SCRIPT_COMPAT_v321"} <= macros("3.3.5.11", api="v321")


def test_switches_of_the_settings() -> None:
    assert {"STRICT", "STRICT_STRINGS", "STRICT_AUDIO", "LRPRECEDENCE"} <= macros("3.6.1.27")
    plain = macros(
        "3.6.1.27", object_based=False, new_strings=False, new_audio=False, left_to_right=False
    )
    assert not {"STRICT", "STRICT_STRINGS", "STRICT_AUDIO", "LRPRECEDENCE"} & plain
    assert "NEW_KEYINPUT_API" in plain
    assert "NEW_KEYINPUT_API" not in macros("3.5.1.10")


@pytest.mark.parametrize("version", ["3.2.1", "3.4.0.16", "3.5.0.27", "3.6.0.51", "3.6.3.13"])
def test_no_name_is_declared_twice(version: str) -> None:
    for level in ("", "v321", "v330", "v340", "v341", "v350", "v360", "v362"):
        for strict in (True, False):
            defined = macros(version, api=level, compatibility=level, object_based=strict)
            seen: set[tuple[str, str]] = set()
            for row in declarations(version):
                holds = all((m[1:] in defined) != m.startswith("!") for m in map(plain, row.macros))
                if row.kind in ("method", "attribute", "function") and holds:
                    assert (row.owner, row.name) not in seen, (version, level, strict)
                    seen.add((row.owner, row.name))


@pytest.mark.parametrize("version", ["3.4.3.1", "3.5.1.22", "3.6.2.12", "3.6.3.10", "3.6.3.13"])
def test_the_header_compiles_at_every_level(version: str) -> None:
    build = parse_version(version)
    header = Source("_BuiltInScriptHeader.ash", builtin_header(version))
    for level in [level for level, since in LEVELS.items() if since <= build]:
        settings = ScriptSettings(version, api=level)
        options = CompilerOptions(editor=build, macros=tuple(script_macros(settings).items()))
        made = compile_block([header], Source("a.asc", "function f() {\r\n}\r\n"), options)
        assert [export.name for export in made.exports] == ["f$0"], level


def plain(macro: str) -> str:
    """A macro with a mark in front: ``!`` if it must not be defined, else a space."""
    return macro if macro.startswith("!") else f" {macro}"
