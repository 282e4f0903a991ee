"""Two files compared in the viewer."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import overhaul
from viewing import crawl, looking_at


@pytest.fixture(scope="module")
def changed(lantern: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo game with a change of each kind."""
    path = tmp_path_factory.mktemp("changed") / "game.win"
    with overhaul.open_game(lantern) as game:
        frame = game.sprites["spr_keeper"].frames[0]
        assert frame.image is not None
        picture = frame.image.convert("RGBA")
        picture.putpixel((3, 4), (1, 2, 3, 255))
        frame.image = picture
        game.code["gml_Object_obj_keeper_Create_0"].append("bonus = 3;")
        game.objects["obj_door"].solid = not game.objects["obj_door"].solid
        game.sounds.remove("snd_door", force=True)
        game.save(path)
    return path


def test_every_difference_has_a_page(lantern: Path, changed: Path) -> None:
    with looking_at(lantern, changed) as client:
        page = client.get("/1/-/diff/2.json").json()
        by_path = {each["path"]: each for each in page["changes"]}
        code = client.get(by_path["code/gml_Object_obj_keeper_Create_0.gml"]["href"] + ".json")
        door = client.get(by_path["objects/obj_door/object.json"]["href"] + ".json").json()
        sound = client.get(by_path["sounds/snd_door"]["href"] + ".json").json()
        picture = client.get(by_path["sprites/spr_keeper/0.png"]["href"] + ".json").json()
        pair = picture["pairs"][0]
        shown = [client.get(pair[side]).content for side in ("old", "new", "marked")]
        played = client.get(sound["pairs"][0]["old"])
        counts = crawl(client, "/1/-/diff/2", most=80)
    assert page["counts"]["removed"] == 1
    rows = code.json()["rows"]
    added = [row["new"] for row in rows if row["kind"] == "changed" and not row["old_number"]]
    assert added == ["bonus = 3;"]
    assert door["fields"][0]["path"] == "solid"
    assert door["new_page"] == "/2/objects/obj_door"
    assert (sound["old_page"], sound["new_page"]) == ("/1/sounds/snd_door", "")
    assert played.headers["content-type"] == "audio/wav"
    old, new, marked = (np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")) for data in shown)
    places = np.argwhere(np.any(old != new, axis=2)).tolist()
    assert places == [[4, 3]]
    assert marked[4, 3].tolist() == [255, 0, 60, 255]
    assert counts["text/html"] > len(by_path)


def test_equal_files_and_wrong_addresses(lantern: Path) -> None:
    with looking_at(lantern, lantern) as client:
        assert "The two are equal." in client.get("/1/-/diff/2").text
        assert client.get("/1/-/diff/2.json").json()["changes"] == []
        assert '/1/-/diff/2"' in client.get("/").text
        for address in (
            *("/1/-/diff/", "/1/-/diff/1", "/1/-/diff/3", "/2/-/diff/1", "/1/-/diff/x"),
            *("/1/-/diff/2/change/0", "/1/-/diff/2/old/../general.json", "/1/-/diff/2/else"),
            "/1/-/diff/2/marked/nothing.png",
        ):
            assert client.get(address).status_code == 404, address
