"""What differs between two games, in words of its own."""

from __future__ import annotations

import io
import re
import wave
from pathlib import Path
from typing import Any

import pytest

import ags_games
import overhaul
from lantern_edits import CATCH, EDITS, FIRST, GAME, GLOW, first_line
from modded_games import CAVE, KEEPER, changed, field, lantern, new_sprite, value
from overhaul import mods
from overhaul.ags.project.converting import convert


def test_a_game_does_not_differ_from_itself() -> None:
    found = mods.diff(GAME, GAME)
    assert not found
    assert found.changes == []
    assert repr(found) == "<Diff: no differences>"


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_the_only_difference(name: str) -> None:
    found = mods.diff(GAME, changed(GAME, EDITS[name]))
    touched = {path.removesuffix("/object.json") for path in EDITS[name]}
    touched = {path.partition("/sprite.json")[0].partition("/0.png")[0] for path in touched}
    paths = {
        change.path.removesuffix("/0.png").removesuffix("/object.json") for change in found.changes
    }
    follows = {"texture_groups.json", "general.json", "objects/obj_wall", "sounds/snd_catch.json"}
    assert touched <= paths <= touched | follows
    backwards = mods.diff(changed(GAME, EDITS[name]), GAME)
    opposite = {"added": "removed", "removed": "added", "changed": "changed"}
    assert [(opposite[c.kind], c.path) for c in backwards.changes] == [
        (c.kind, c.path) for c in found.changes
    ]


def test_code_is_reported_as_a_diff_of_its_source() -> None:
    (change,) = mods.diff(GAME, changed(GAME, EDITS["first line"])).changes
    assert (change.kind, change.path) == ("changed", KEEPER)
    diff = str(change.details["diff"])
    assert diff.startswith("@@ -1,3 +1,4 @@\n+lives = 3;\n " + FIRST)


def test_fields_are_reported_by_path() -> None:
    (change,) = mods.diff(GAME, changed(GAME, EDITS["field"])).changes
    assert change.to_json() == {
        "kind": "changed",
        "path": CAVE,
        "details": {"fields": [{"path": "width", "old": 320, "new": 640}]},
    }


def test_instances_are_reported_by_their_id() -> None:
    found = mods.diff(GAME, changed(GAME, EDITS["instance"]))
    (change,) = [change for change in found.changes if change.path == CAVE]
    details: Any = change.details
    (row,) = details["fields"]
    assert row["path"].startswith("instances[id=1")
    assert row["new"]["x"] == 16


def test_pictures_are_reported_by_pixels() -> None:
    (change,) = mods.diff(GAME, changed(GAME, EDITS["frame"])).changes
    assert change.path == GLOW
    assert change.details["pixels"] == 1


def test_sounds_are_reported_by_format_and_length() -> None:
    made = io.BytesIO()
    with wave.open(made, "wb") as sound:
        sound.setparams((1, 1, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(1234))
    found = mods.diff(GAME, changed(GAME, {CATCH: made.getvalue()}), only=["*.wav"])
    (change,) = found.changes
    assert change.details["format"] == change.details["old_format"] == "wav"
    assert (change.details["old_seconds"], change.details["seconds"]) == (0.22, 0.154)


def test_a_sprite_in_front_changes_nothing_else() -> None:
    order = value(GAME, "order.json")
    front = {**order, "sprites": ["spr_new", *order["sprites"]]}
    other = changed(
        GAME, {**new_sprite("spr_new"), "order.json": field("sprites", front["sprites"])}
    )
    assert value(other, "order.json")["sprites"][0] == "spr_new"
    assert [(c.kind, c.path) for c in mods.diff(GAME, other).changes] == [
        ("added", "sprites/spr_new"),
        ("changed", "texture_groups.json"),
    ]


def test_another_order_of_those_that_are_there_is_reported() -> None:
    order = value(GAME, "order.json")["sprites"]
    other = changed(GAME, {"order.json": field("sprites", order[::-1])})
    assert [c.path for c in mods.diff(GAME, other).changes] == ["order.json"]
    assert mods.apply(GAME, [mods.make(GAME, other, name="order")]).data == other


def test_only_some_files_are_compared() -> None:
    other = changed(GAME, {**EDITS["first line"], **EDITS["field"]})
    found = mods.diff(GAME, other, only=["rooms/*"])
    assert [change.path for change in found.changes] == [CAVE]
    assert not mods.diff(GAME, other, only=["sprites"])


def test_a_folder_is_compared_as_the_file_it_makes(tmp_path: Path) -> None:
    overhaul.unpack(GAME, tmp_path / "game")
    assert not mods.diff(GAME, tmp_path / "game")
    step = tmp_path / "game" / KEEPER
    step.write_text(first_line(step.read_text()))
    assert [c.path for c in mods.diff(GAME, tmp_path / "game").changes] == [KEEPER]


def test_games_of_other_versions_are_compared() -> None:
    found = mods.diff(lantern("gms1"), GAME)
    assert "general.json" in [change.path for change in found.changes]
    with pytest.raises(overhaul.OverhaulError):
        mods.make(GAME, b"TOY1", name="x")


def test_a_page_shows_pictures_and_escapes_names() -> None:
    other = changed(GAME, {**EDITS["frame"], KEEPER: lambda text: 'x = "<script>";\n' + text})
    found, page = mods.html_report(GAME, other)
    assert len(found) == 2
    assert page.count("data:image/png;base64,") == 3
    assert "&lt;script&gt;" in page
    assert "<script" not in page


def test_a_game_is_compared_with_its_project(tmp_path: Path) -> None:
    """As what both have: the bytes of the two have nothing in common."""
    made, project = tmp_path / "game28.dta", tmp_path / "Game.agf"
    made.write_bytes(ags_games.game().to_bytes())
    with overhaul.open(made) as document:
        project.write_bytes(convert(document).files["Game.agf"]())
    for pair in ((made, project), (project, made)):
        found = mods.diff(*pair)
        assert [change.path for change in found.changes] == []
        assert any("does not store" in words for words in found.apart)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("new sprite", ["after"]),
        ("frame", ["before", "after", "differs"]),
        ("first line", []),
        ("field", []),
    ],
)
def test_a_report_shows_the_pictures_of_a_change(name: str, shown: list[str]) -> None:
    new = changed(GAME, EDITS[name])
    for pair, words in (((GAME, new), shown), ((new, GAME), opposite(shown))):
        _, page = mods.html_report(*pair)
        assert re.findall("<figcaption>(.*?)</figcaption>", page) == words


def opposite(words: list[str]) -> list[str]:
    return ["before"] if words == ["after"] else words
