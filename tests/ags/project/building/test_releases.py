"""What each release of the editor writes, and the releases that are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from overhaul.ags.project.building.releases import release_of
from overhaul.errors import UnsupportedVersion


@pytest.mark.parametrize(
    ("editor", "index", "data", "gui", "library"),
    [
        ("3.2.1", "6", 42, 115, 21),
        ("3.3.0", "7", 43, 116, 21),
        ("3.3.5", "7", 43, 116, 21),
        ("3.4.0", "9", 45, 118, 21),
        ("3.4.0", "13", 47, 118, 21),
        ("3.4.1", "14", 48, 118, 21),
        ("3.1.2", "6", 40, 115, 21),
        ("3.4.1", "15", 49, 118, 21),
        ("3.4.3", "15", 49, 118, 21),
        ("3.5.0.24", "26", 50, 119, 30),
        ("3.5.1.22", "27", 50, 119, 30),
        ("3.6.0.51", "3060020", 3060021, 119, 30),
        ("3.6.1.9", "3060109", 3060100, 119, 30),
        ("3.6.1.26", "3060110", 3060114, 119, 30),
        ("3.6.2.10", "3060209", 3060203, 119, 30),
        ("3.6.2.12", "3060209", 3060212, 119, 30),
        ("3.6.3.10", "3060310", 3060310, 3060308, 30),
    ],
)
def test_versions(editor: str, index: str, data: int, gui: int, library: int) -> None:
    made = release_of(editor, index)
    assert (made.name, made.data, made.gui, made.library) == (editor, data, gui, library)
    assert made.voices_library == (30 if library == 30 else 6)


@pytest.mark.parametrize("editor", ["3.1.0", "3.1.0.54", "3.1.1", "3.1.1.60"])
def test_projects_of_releases_without_a_known_game_are_opened_in_a_later_one(editor: str) -> None:
    made, later = release_of(editor, "2"), release_of("3.1.2", "4")
    assert replace(made, project=later.project) == later
    assert made.project == editor and later.project == "3.1.2"
    assert release_of("3.1.2.82", "4").name == "3.1.2.82"


@pytest.mark.parametrize(
    ("editor", "blocks"),
    [
        ("3.5.1.22", []),
        ("3.6.1.13", ["v360_fonts", "v360_cursors"]),
        ("3.6.1.14", ["v360_fonts", "v360_cursors", "v361_objnames"]),
        ("3.6.2.1", ["v360_fonts", "v360_cursors", "v361_objnames", "v362_interevents"]),
        ("3.6.2.2", ["v360_fonts", "v360_cursors", "v361_objnames", "v362_interevents",
                     "v362_guictrls"]),
        ("3.6.2.21", ["v360_fonts", "v360_cursors", "v361_objnames", "v362_interevent2",
                      "v362_guictrls"]),
        ("3.6.3.13", ["v360_fonts", "v360_cursors", "v361_objnames", "v362_interevent2",
                      "v363_gameinfo", "v363_dialogsnew", "v363_guictrls2"]),
    ],
)  # fmt: skip
def test_extension_blocks(editor: str, blocks: list[str]) -> None:
    assert list(release_of(editor, "").blocks) == blocks


@pytest.mark.parametrize(
    ("editor", "index", "reason"),
    [
        ("3.0.1", "", "the oldest release that can is 3.1.0"),
        ("3.0.9", "", "the oldest release that can is 3.1.0"),
        ("3.6.4.0", "", "the newest release that can is 3.6.3"),
        ("4.0.0.9", "", "the newest release that can is 3.6.3"),
        ("3.5.0.6", "17", "a test release"),
        ("3.6.0.2", "27", "a test release"),
        ("3.6.3.6", "", "a test release"),
        ("3.6.3", "", "a test release"),
        ("new", "", "is not a version of the editor"),
        ("", "", "is not a version of the editor"),
    ],
)
def test_releases_that_are_refused_by_name(editor: str, index: str, reason: str) -> None:
    with pytest.raises(UnsupportedVersion, match=reason) as caught:
        release_of(editor, index)
    assert editor in str(caught.value)
