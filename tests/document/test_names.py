from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from overhaul.document.names import (
    FileNames,
    escape_name,
    is_safe_component,
    is_safe_path,
    safe_path,
    spelling,
    unescape_name,
)

#: What names in games are: any text, bytes that are not UTF-8 as lone surrogates.
names = st.binary(max_size=40).map(lambda b: b.decode("utf-8", "surrogateescape")) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=40
)


@given(names)
@example("..")
@example("con.txt")
@example("%41")
@example("name.")
@example("%~2")
@example("\u202etxt.exe")
def test_escaping_is_safe_and_reversible(name: str) -> None:
    text = escape_name(name)
    assert unescape_name(text) == name
    if len(text.encode("utf-8", "surrogateescape")) <= 255:
        assert is_safe_component(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("spr_player", "spr_player"),
        ("straße 日本", "straße 日本"),
        ("", "%-"),
        ("..", "%2E%2E"),
        (".git", "%2Egit"),
        ("a/b\\c", "a%2Fb%5Cc"),
        ("CON", "%43ON"),
        ("aux.h", "%61ux.h"),
        ("com¹", "%63om¹"),
        ("console", "console"),
        ("end.", "end%2E"),
        ("end ", "end%20"),
        ("tab\there", "tab%09here"),
        ("100%", "100%25"),
        ("\udcff", "%FF"),
    ],
)
def test_names_people_may_meet(name: str, text: str) -> None:
    assert escape_name(name) == text
    assert unescape_name(text) == name


def test_names_of_one_folder_are_kept_apart() -> None:
    file_name = FileNames()
    made = [file_name(name) for name in ["a", "A", "a", "é", "e\u0301", "b"]]
    assert made == ["a", "A%~2", "a%~3", "é", "e\u0301%~2", "b"]
    assert [unescape_name(text) for text in made] == ["a", "A", "a", "é", "e\u0301", "b"]
    assert len({spelling(text) for text in made}) == len(made)


def test_a_very_long_name_is_cut_and_reported_apart() -> None:
    file_name = FileNames()
    first, second = file_name("ü/" * 300 + "1"), file_name("ü/" * 300 + "2")
    assert first != second
    assert max(len(first.encode()), len(second.encode())) <= 200
    assert is_safe_component(first)


@pytest.mark.parametrize(
    "path",
    ["", "/etc/passwd", "../x", "a/../b", "a//b", "a/", "C:/x", "a\\b", "nul", "a/con.png", "a\0"],
)
def test_unsafe_paths(path: str) -> None:
    assert not is_safe_path(path)


@given(st.lists(names, min_size=1, max_size=4).map("/".join))
def test_any_path_is_made_safe(path: str) -> None:
    made = safe_path(path)
    assert is_safe_path(made)
    assert safe_path(made) == made
