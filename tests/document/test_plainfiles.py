"""Which plain files globs may ask for."""

from __future__ import annotations

import pytest

from overhaul.document.plainfiles import UnpackOptions, matches


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
