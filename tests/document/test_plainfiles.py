"""Which plain files globs may ask for."""

from __future__ import annotations

import pytest

from overhaul.document.plainfiles import Folder, UnpackOptions, matches


@pytest.mark.parametrize(
    ("pattern", "path", "is_matched"),
    [
        ("code/a.gml", "code/a.gml", True),
        ("code/a", "code/a.gml", False),
        ("code", "code/a.gml", True),
        ("code/", "code/a.gml", True),
        ("cod", "code/a.gml", False),
        ("sprites/spr", "sprites/spr/0.png", True),
        ("*.gml", "code/a.gml", True),
        ("s*s", "sprites/spr/0.png", True),
        ("s?r", "sprites/spr/0.png", False),
        ("", "a", False),
    ],
)
def test_a_glob_matches_a_path_or_a_folder(pattern: str, path: str, is_matched: bool) -> None:
    assert matches(path, pattern) == is_matched


@pytest.mark.parametrize(
    ("only", "wanted"),
    [
        ([], ["code", "rooms", "sprites"]),
        (["code/a.gml"], ["code"]),
        (["code/*", "rooms/r*"], ["code", "rooms"]),
        (["rooms"], ["rooms"]),
        (["*.json"], ["code", "rooms", "sprites"]),
        (["r*"], ["rooms"]),
        (["sprites/spr_[ab]/0.png"], ["sprites"]),
        (["order.json"], []),
    ],
)
def test_folders_in_which_a_file_may_be_asked_for(only: list[str], wanted: list[str]) -> None:
    options = UnpackOptions(only=only)
    folders = ["code", "rooms", "sprites"]
    assert [folder for folder in folders if options.wants_in(folder)] == wanted


@pytest.mark.parametrize(
    ("only", "is_wanted"),
    [
        ([], True),
        (["*.json"], True),
        (["*"], True),
        (["rooms/*"], True),
        (["*n"], True),
        (["rooms/a.json"], True),
        (["rooms"], True),
        (["rooms/"], True),
        (["*.gml", "code/*.asm"], False),
        (["code/a.gml"], False),
        (["*.gml", "*.json"], True),
    ],
)
def test_endings_that_may_be_asked_for(only: list[str], is_wanted: bool) -> None:
    assert UnpackOptions(only=only).wants_ending(".json") == is_wanted


def test_left_folders_are_not_asked_for() -> None:
    options = UnpackOptions(only=["code/*", "rooms/*"], leaving=frozenset({"rooms", "sprites"}))
    assert [options.wants_in(folder) for folder in ("code", "rooms", "sprites")] == [
        True,
        False,
        False,
    ]
    assert not UnpackOptions(leaving=frozenset({"rooms"})).wants_in("rooms")


def test_a_folder_that_lists_some_files_without_the_others() -> None:
    paths = ["a.json", "code/one.gml", "code/two.gml", "codes/three.gml"]
    asked: list[str] = []

    def list_all() -> list[str]:
        asked.append("all")
        return paths

    def list_in(name: str) -> list[str]:
        asked.append(name)
        return [path for path in paths if path.startswith(name)]

    def made() -> Folder:
        return Folder(list_all, str.encode, list_in=list_in)

    folder = made()
    assert folder.lists("code/one.gml")
    assert not folder.lists("code/three.gml")
    assert not folder.lists("b.json")
    assert folder.lists("a.json")
    assert "code/two.gml" in folder
    assert folder.list_in("code") == ["code/one.gml", "code/two.gml"]
    assert asked == ["code", "b.json", "a.json"]
    other = folder.overlay({"code/one.gml": None, "code/four.gml": bytes, "b.json": bytes})
    assert other.list_in("code") == ["code/four.gml", "code/two.gml"]
    assert [other.lists(path) for path in ("code/one.gml", "b.json", "a.json")] == [
        False,
        True,
        True,
    ]
    used: set[str] = set()
    noting = other.noting(used)
    assert noting.list_in("codes") == ["codes/three.gml"]
    assert noting.read("a.json") == b"a.json"
    assert used == {"a.json"}
    some = other.only(lambda path: "t" in path)
    assert some.list_in("code") == ["code/two.gml"]
    assert not some.lists("code/four.gml")
    assert "all" not in asked
    assert list(some.list()) == ["code/two.gml", "codes/three.gml"]
    assert asked[-1] == "all"


def test_a_folder_without_such_a_list_lists_all_files() -> None:
    folder = Folder.of(dict.fromkeys(["code/b.gml", "code/a.gml", "codes/c.gml"], bytes))
    assert folder.list_in("code") == ["code/a.gml", "code/b.gml"]
    assert folder.lists("codes/c.gml")
    assert not folder.lists("code")
    under = folder.under("code/", {})
    assert under.lists("a.gml")
    assert not under.lists("c.gml")
