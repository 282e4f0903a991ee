"""Two files compared in the viewer."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import overhaul
from modded_games import lantern as packed_lantern
from overhaul import mods
from overhaul.viewer.pages.compare import _marks
from overhaul.viewer.templates import breaks, shortened
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
    assert by_path["code/gml_Object_obj_keeper_Create_0.gml"]["brief"] == "+bonus = 3;"
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


def test_what_only_one_file_has_is_shown_whole(lantern: Path, tmp_path: Path) -> None:
    with overhaul.open_game(lantern) as game:
        game.paths.add("pth_new", [(16, 16), (300, 16)])
        game.objects["obj_door"].events.add("Step_2", "spin += 1;")
        game.save(tmp_path / "more.win")
    with looking_at(lantern, tmp_path / "more.win") as client:
        changes = {each["path"]: each for each in client.get("/1/-/diff/2.json").json()["changes"]}
        added = [change for change in changes.values() if change["kind"] == "added"]
        pages = {each["path"]: client.get(f"{each['href']}.json").json() for each in added}
        texts = {each["path"]: client.get(each["href"]).text for each in added}
    with looking_at(tmp_path / "more.win", lantern) as client:
        gone = [e for e in client.get("/1/-/diff/2.json").json()["changes"]
                if e["kind"] == "removed"]  # fmt: skip
        removed = {each["path"]: client.get(f"{each['href']}.json").json() for each in gone}
        bytes_of = {each["path"]: client.get(removed[each["path"]]["wholes"][0]["href"])
                    for each in gone}  # fmt: skip
    (path,) = [each for each in pages if "pth_new" in each]
    (code,) = [each for each in pages if each.startswith("code/")]
    (whole,) = pages[path]["wholes"]
    assert (whole["type"], len(whole["fields"]["points"])) == ("fields", 2)
    assert "<dt>points</dt>" in texts[path]
    (whole,) = pages[code]["wholes"]
    assert whole["type"] == "text"
    assert whole["text"].endswith("spin += 1;")
    assert "spin += 1;" in texts[code]
    assert sorted(removed) == sorted(pages)
    for path, page in removed.items():
        assert page["wholes"][0]["path"] == pages[path]["wholes"][0]["path"]
        assert page["wholes"][0]["type"] == pages[path]["wholes"][0]["type"]
        assert bytes_of[path].status_code == 200


def test_large_values_are_shortened() -> None:
    value = {"a": [{"x": 1, "y": [2, 3]}, 4, 5], "b": "c", "d": []}
    assert shortened(value, 9) == value
    assert shortened(value, 2) == {
        "a": [{"x": 1, "y": [2, "… 1 more"]}, "… 2 more"], "…": "2 more"
    }  # fmt: skip
    assert shortened([1, 2, 3], 3) == [1, 2, 3]
    assert shortened([1, 2, 3, 4], 3) == [1, 2, 3, "… 1 more"]
    assert shortened("text", 0) == "text"


def test_a_large_value_makes_no_large_page(lantern: Path, tmp_path: Path) -> None:
    with overhaul.open_game(lantern) as game:
        game.paths.add("pth_long", [(0, 0), (1, 1)])
        game.save(tmp_path / "short.win")
        game.paths.remove("pth_long")
        game.paths.add("pth_long", [(x, x) for x in range(3000)])
        game.save(tmp_path / "long.win")
    with looking_at(tmp_path / "short.win", tmp_path / "long.win") as client:
        changes = client.get("/1/-/diff/2.json").json()["changes"]
        (change,) = [each for each in changes if "pth_long" in each["path"]]
        text = client.get(change["href"]).text
    assert "more</" in text
    assert len(text) < 60_000


def test_names_break_between_their_parts() -> None:
    assert breaks("a/b_c.gml") == "a/<wbr>b_<wbr>c.gml"
    assert breaks("__a__") == "__<wbr>a__"
    assert breaks("<a>_&") == "&lt;a&gt;_<wbr>&amp;"
    assert breaks("plain") == "plain"
    assert breaks("sArea1BigDust HTTP") == "s<wbr>Area1<wbr>Big<wbr>Dust HTTP"


def test_what_a_mod_leaves_out_is_shown_before_it_is_made(tmp_path: Path) -> None:
    old, new = tmp_path / "old.win", tmp_path / "new.win"
    old.write_bytes(packed_lantern("gms1"))
    new.write_bytes(packed_lantern("current"))
    left_out = mods.make(old, new, name="new").left_out
    assert left_out
    with looking_at(old, new) as client:
        address = "/1/-/diff/2/mod"
        assert f'<a href="{address}">Make a mod of all this</a>' in client.get("/1/-/diff/2").text
        page = client.get(f"{address}.json").json()
        text = client.get(address)
        made = client.get(f"{address}?download=1")
    assert text.headers["content-type"].startswith("text/html")
    assert [each["reason"] for each in page["left_out"]] == [each.reason for each in left_out]
    assert [each["where"].partition(":")[0] for each in page["left_out"]] == [
        each.path for each in left_out
    ]
    assert f"The mod leaves out {len(left_out)} change" in text.text
    assert '<a class="button" href="?download=1" download>' in text.text
    assert page["href"] == "?download=1"
    mod = mods.load(made.content)
    assert page["counts"]["changed"] == len(mod.patches)
    assert page["counts"]["added"] == len({*mod.added, *mod.copied})


def test_differences_are_grouped_filtered_and_pictured(lantern: Path, tmp_path: Path) -> None:
    old, new = lantern, tmp_path / "new.win"
    with overhaul.open_game(old) as game:
        game.sprites["spr_keeper"].frames[0].image = Image.new("RGBA", (16, 16), "red")
        game.sprites.add("spr_new", [Image.new("RGBA", (8, 8), "blue")])
        game.objects["obj_keeper"].events["Create_0"].append("lives_left = 3;")
        game.save(new)
    with looking_at(old, new) as client:
        whole = client.get("/1/-/diff/2.json").json()
        page = client.get("/1/-/diff/2").text
        some = client.get("/1/-/diff/2?filter=code/").text
        none = client.get("/1/-/diff/2?filter=nothing").text
        made = client.get("/1/-/diff/2/mod?download=1")
    assert whole["groups"]["code"] == 1
    assert whole["groups"]["sprites"] >= 2
    pictures = {change["path"]: (change["before"], change["after"]) for change in whole["changes"]}
    keeper = next(path for path in pictures if path.startswith("sprites/spr_keeper"))
    assert pictures[keeper] == tuple(f"/{n}/sprites/spr_keeper/thumbnail.png" for n in (1, 2))
    added = next(path for path in pictures if path.startswith("sprites/spr_new"))
    assert pictures[added] == ("", "/2/sprites/spr_new/thumbnail.png")
    assert '<a href="?filter=sprites/">sprites' in page
    assert "gml_Object_obj_keeper_Create_0" in some.replace("<wbr>", "")
    assert "spr_keeper" not in some.partition("<main")[2].replace("<wbr>", "")
    assert "Nothing that differs is called" in none
    assert made.headers["content-disposition"] == 'attachment; filename="new-mod.zip"'
    assert mods.apply(old, [made.content]).data == new.read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "marks"),
    [
        ("hp = 3;", "hp = 30;", ([(5, 6)], [(5, 7)])),
        ("a(b, c);", "a(b);", ([(3, 6)], [])),
        ("same", "same", ([], [])),
        ("x", "entirely different", ([], [])),
        ("y" * 2000, "y" * 2001, ([], [])),
    ],
)
def test_words_that_differ_are_marked(
    old: str, new: str, marks: tuple[list[tuple[int, int]], list[tuple[int, int]]]
) -> None:
    assert _marks(old, new) == marks


def test_marks_stand_in_the_lines(lantern: Path, tmp_path: Path) -> None:
    with overhaul.open_game(lantern) as game:
        game.objects["obj_keeper"].events["Create_0"].replace("walk_speed = 1.5", "walk_speed = 3")
        game.save(tmp_path / "new.win")
    with looking_at(lantern, tmp_path / "new.win") as client:
        page = client.get("/1/-/diff/2/change/0").text
    assert "walk_speed = <mark>1.5</mark>;" in page
    assert "walk_speed = <mark>3</mark>;" in page


def test_a_mod_of_chosen_differences(lantern: Path, changed: Path, tmp_path: Path) -> None:
    with looking_at(lantern, changed) as client:
        page = client.get("/1/-/diff/2.json").json()
        numbers = {each["path"]: each["number"] for each in page["changes"]}
        path = "objects/obj_door/object.json"
        shown = client.get("/1/-/diff/2").text
        assert f'name="c{numbers[path]}" value="1"' in shown and "Make a mod of the chosen" in shown
        query = f"c{numbers[path]}=1"
        assert "1 changed" in client.get(f"/1/-/diff/2/mod?{query}").text
        mod = tmp_path / "part.zip"
        mod.write_bytes(client.get(f"/1/-/diff/2/mod?{query}&download=1").content)
        assert mods.load(mod).paths() == [path]
        assert client.get("/1/-/diff/2/mod?c99999=1").status_code == 404
        everything = "&".join(f"c{number}=1" for number in numbers.values())
        mod.write_bytes(client.get(f"/1/-/diff/2/mod?{everything}&download=1").content)
        made = mods.apply(lantern, [mods.load(mod)])
        assert mods.diff(bytes(made.content), changed).changes == []
