"""Moments, loops of frames and keyframes edited as tables: each button is a step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

import overhaul
from ags_package import package
from furnished import furnished_lantern
from handmade_project import project_file
from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import read_json
from overhaul.workbench import tables
from overhaul.workbench.forms import Mistyped
from viewing import HOST, Browser, looking_at

VIEW = {
    "Loops": [
        {"RunNextLoop": False, "Frames": [{"Image": 1, "Delay": 2}, {"Image": 5, "Sound": 3}]},
        {"RunNextLoop": True, "Frames": []},
    ]
}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return furnished_lantern(tmp_path / "game.win")


def form_on(client: Browser, address: str) -> dict[str, str]:
    """What the form of a page would send: all fields as they are."""
    page = client.get(f"{address}.json").json()
    fields = {"before": page["before"]}
    for number, moment in enumerate(page.get("moments", ())):
        fields[f"step:{number}"] = str(moment["step"])
    for table in page.get("tables", ()):
        for row in (*table["rows"], {"pointer": table["pointer"], "cells": table["own"]}):
            fields[f"r:{row['pointer']}"] = "1"
            fields |= {f"v:{each['pointer']}": each["text"] for each in row["cells"]}
    return fields


def send(client: Browser, address: str, **fields: str) -> httpx2.Response:
    data = form_on(client, address) | fields
    return client.post(address, data=data, headers={"origin": HOST})


# --- tables ---------------------------------------------------------------------------------


def fields_of(value: object) -> dict[str, str]:
    found = {}
    for table in tables.tables_of(value):
        for row in (*table.rows, tables.TableRow(table.pointer, table.own)):
            found[f"r:{row.pointer}"] = "1"
            found |= {f"v:{cell.pointer}": cell.text for cell in row.cells}
    return found


def test_what_is_not_changed_stays() -> None:
    assert tables.edited(VIEW, fields_of(VIEW)) == VIEW
    assert tables.edited(VIEW, {}) == VIEW
    assert tables.tables_of([1]) == tables.tables_of({"name": 1}) == []


@pytest.mark.parametrize(
    ("do", "frames", "loops"),
    [
        ("up:/Loops/0/Frames/1", [5, 1], 2),
        ("remove:/Loops/0/Frames/0", [5], 2),
        ("duplicate:/Loops/0/Frames/0", [1, 1, 5], 2),
        ("add:/Loops/0/Frames", [1, 5, 5], 2),
        ("add:/Loops", [1, 5], 3),
        ("remove:/Loops/0", [], 1),
        ("down:/Loops/0", [], 2),
    ],
)
def test_rows_are_moved_added_and_removed(do: str, frames: list[int], loops: int) -> None:
    made = tables.edited(VIEW, fields_of(VIEW) | {"do": do})
    assert isinstance(made, dict)
    assert [frame["Image"] for frame in made["Loops"][0]["Frames"]] == frames
    assert len(made["Loops"]) == loops


def test_cells() -> None:
    typed = {"v:/Loops/0/Frames/0/Flipped": "on", "v:/Loops/0/Frames/1/Delay": "7"}
    made = tables.edited(VIEW, fields_of(VIEW) | typed)
    assert isinstance(made, dict)
    assert made["Loops"][0]["Frames"] == [
        {"Image": 1, "Delay": 2, "Flipped": True},
        {"Image": 5, "Sound": 3, "Delay": 7},
    ]
    for text in ("", "x", "1e9", "9" * 20):
        with pytest.raises(Mistyped):
            tables.edited(VIEW, fields_of(VIEW) | {"v:/Loops/0/Frames/0/Image": text})
    for do in ("burn:/Loops/0", "remove:/Loops/9", "add:/Loops/0", "up:"):
        with pytest.raises(WorkspaceError):
            tables.edited(VIEW, {"do": do})


# --- the viewer -----------------------------------------------------------------------------


def test_frames_of_a_view(tmp_path: Path) -> None:
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    with looking_at(path) as client:
        address = "/in/game28.dta/-/table/views/vEgo"
        assert "Edit as tables" in client.get("/in/game28.dta/views/vEgo").text
        text = client.get(address).text
        assert text.count("Remove this loop") == 2
        typed = {"v:/Loops/0/Frames/0/Delay": "9"}
        assert send(client, address, do="up:/Loops/0/Frames/1", **typed).status_code == 200
        wrong = send(client, address, **{"v:/Loops/0/Frames/0/Image": "hat"})
        assert wrong.status_code == 422
        assert "is not a number" in wrong.text
        assert 'value="hat"' in wrong.text
        client.post("/-/save", headers={"origin": HOST})
    overhaul.unpack(path, tmp_path / "made")
    shown = read_json((tmp_path / "made/views/vEgo.json").read_bytes(), "vEgo.json")
    assert isinstance(shown, dict)
    assert [frame["Delay"] for frame in shown["Loops"][0]["Frames"]] == [4, 9]


def test_controls_of_a_gui(tmp_path: Path) -> None:
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    with looking_at(path) as client:
        address = "/in/game28.dta/-/table/guis/gBar"
        assert "Edit on a canvas" in client.get("/in/game28.dta/guis/gBar").text
        assert client.get(f"{address}.json").json()["stage"]["width"] == 40
        typed = {"v:/Controls/1/Left": "5", "v:/Controls/0/Text": "Points", "v:/Width": "60"}
        assert send(client, address, do="back:/Controls/1", **typed).status_code == 200
        assert send(client, address, do="duplicate:/Controls/0").status_code == 200
        refused = send(client, address, do="up:/Controls/1")
        assert "by ZOrder" in refused.text
        client.post("/-/save", headers={"origin": HOST})
    overhaul.unpack(path, tmp_path / "made")
    shown = read_json((tmp_path / "made/guis/gBar.json").read_bytes(), "gBar.json")
    assert isinstance(shown, dict)
    controls = [(each["Name"], each["ZOrder"], each["Left"]) for each in shown["Controls"]]
    assert controls == [("lScore", 1, 0), ("bSave", 0, 5), ("lScore2", 1, 0)]
    assert (shown["Width"], shown["Controls"][0]["Text"]) == (60, "Points")


def test_keyframes_of_a_sequence(game: Path) -> None:
    with looking_at(game) as client:
        address = "/-/table/sequences/seq_walk"
        page = client.get(f"{address}.json").json()
        table = next(each for each in page["tables"] if each["title"].endswith("position"))
        rows = [row["pointer"] for row in table["rows"]]
        typed = {f"v:{rows[1]}/key": "45", f"v:{rows[2]}/channels/1/value": "7.5"}
        assert send(client, address, do=f"remove:{rows[0]}", **typed).status_code == 200
        assert send(client, address, do=f"add:{table['pointer']}").status_code == 200
        steps = client.get("/-/steps.json").json()["done"]
        assert {row["label"] for row in steps} == {"Remove from seq_walk", "Add to seq_walk"}
        client.post("/-/save", headers={"origin": HOST})
    with overhaul.open_game(game) as made:
        (track,) = made.sequences["seq_walk"].tracks
        position = next(each for each in track.tracks if each.name == "position")
        frames = position.keyframes
        assert [round(frame.frame) for frame in frames] == [45, 60, 61]


def test_the_first_keyframe_of_an_empty_track(game: Path, tmp_path: Path) -> None:
    """A track without keyframes gets one at 0: of a sprite by its name, of numbers as it is."""
    tree = tmp_path / "tree"
    overhaul.unpack(game, tree)
    file = tree / "sequences/seq_walk.json"
    shown = json.loads(file.read_text())
    (outer,) = shown["tracks"]
    outer["keyframes"] = {"frames": []}
    for track in outer["tracks"]:
        track["keyframes"]["frames"] = []
    outer["tracks"].append({"model": "GMRealTrack", "name": "scale", "builtin_name": "scale"})
    outer["tracks"][-1]["keyframes"] = {"interpolation": 1}
    outer["tracks"].append({"model": "GMGroupTrack", "name": "group", "keyframes": {}})
    file.write_text(json.dumps(shown))
    overhaul.pack(tree, game, force=True)
    with looking_at(game) as client:
        address = "/-/table/sequences/seq_walk"
        tables = client.get(f"{address}.json").json()["tables"]
        assert [each["first"] for each in tables] == ["sprite", "", "", ""]
        assert not any(each["rows"] or each["full"] for each in tables)
        for name in ("", "spr_nothing"):
            typed = {f"n:{tables[0]['pointer']}": name}
            refused = send(client, address, do=f"add:{tables[0]['pointer']}", **typed)
            assert refused.status_code == 422, name
        for table in tables:
            typed = {f"n:{table['pointer']}": "spr_keeper"}
            assert send(client, address, do=f"add:{table['pointer']}", **typed).status_code == 200
        assert len(client.get(f"{address}.json").json()["tables"][0]["rows"]) == 1
        client.post("/-/save", headers={"origin": HOST})
    with overhaul.open_game(game) as made:
        (track,) = made.sequences["seq_walk"].tracks
        every: list[Any] = [each.record for each in (track, *list(track.tracks)[:3])]
        stored = [each.keyframes.frames[0] for each in every]
        assert str(stored[0].channels[0].sprite.target.name) == "spr_keeper"
        assert stored[0].length == 60
        values = [[channel.value for channel in frame.channels] for frame in stored[1:]]
        assert values == [[0, 0], [-1], [1, 1]]


def test_moments_of_a_timeline(game: Path) -> None:
    with looking_at(game) as client:
        address = "/-/moments/timelines/tm_dusk"
        assert "Edit its code" in client.get(address).text
        assert send(client, address, do="add", new="70", **{"step:0": "50"}).status_code == 200
        twice = send(client, address, **{"step:1": "40"})
        assert "two moments are at the step 40" in twice.text
        assert send(client, address, do="remove:0").status_code == 200
        client.post("/-/save", headers={"origin": HOST})
    with overhaul.open_game(game) as made:
        moments = made.timelines["tm_dusk"].moments
        assert [*moments] == [50, 70]
        code = moments[50].code
        assert code is not None
        assert "x += 1;" in code.gml


@pytest.mark.parametrize("version", [600, 810])
def test_moments_of_a_project(tmp_path: Path, version: int) -> None:
    path = tmp_path / "game.gmk"
    path.write_bytes(project_file(version))
    with looking_at(path) as client:
        address = "/-/moments/timelines/tl_intro"
        assert send(client, address, **{"step:0": "5"}).status_code == 200
        assert send(client, address, do="add", new="60").status_code == 200
        assert send(client, address, do="remove:1").status_code == 200
        client.post("/-/save", headers={"origin": HOST})
    overhaul.unpack(path, tmp_path / "made")
    files = {each.name for each in (tmp_path / "made/timelines/tl_intro").iterdir()}
    assert files == {"timeline.json", "5.gml", "60.gml"}
    assert (tmp_path / "made/timelines/tl_intro/5.gml").read_text().strip() == "x = 1;"
