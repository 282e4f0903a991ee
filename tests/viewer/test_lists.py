"""Lists with columns, sorting and downloads; objects with their code; folders of games; searches by
letters."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from PIL import Image

import overhaul
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.resources.code import Code, owners_of_all
from overhaul.gamemaker.data.resources.objects import GameObject
from overhaul.viewer import games_in
from overhaul.viewer.matching import Query, span_of
from overhaul.viewer.pages import archives
from overhaul.viewer.pages.columns import by_value
from overhaul.viewer.pages.gamemaker import action_lists
from overhaul.viewer.serving import _games
from viewing import looking_at


def names(text: str) -> list[str]:
    """The names in a table, from top to bottom."""
    return [
        re.sub("<wbr>", "", name)
        for name in re.findall(r'<th scope="row">.*?<a [^>]*>(.*?)</a>', text)
    ]


def test_a_table_is_sorted_by_any_column(lantern: Path) -> None:
    with looking_at(lantern) as client:
        gallery = client.get("/sprites").text
        table = client.get("/sprites?as=table").text
        wide = client.get("/sprites?as=table&sort=width&down=1").text
        narrow = client.get("/sprites?as=table&sort=width").text
        by_name = client.get("/sprites?as=table&sort=name&down=1").text
        odd = client.get("/sprites?as=table&sort=nothing").text
    assert '<a href="/sprites?as=table">As a table</a>' in gallery
    assert "<table" not in gallery
    listed = ["spr_door", "spr_firefly", "spr_glow", "spr_keeper", "spr_wall"]
    assert names(table) == names(odd) == listed
    assert names(wide)[0] == "spr_glow"
    assert names(narrow)[0] == "spr_firefly"
    assert names(by_name) == listed[::-1]
    assert 'aria-sort="descending"' in wide
    assert 'aria-sort="ascending"' in narrow
    # a column that is sorted by leads to the other order, with what the address has else
    assert 'href="/sprites?as=table&amp;sort=width&amp;down=1"' in narrow
    assert 'href="/sprites?as=table&amp;sort=width"' in wide
    assert '<td class="number">64</td><td class="number">64</td><td class="number">1</td>' in table


def test_other_kinds_are_tables(lantern: Path) -> None:
    with looking_at(lantern) as client:
        objects = client.get("/objects?sort=events&down=1").text
        code = client.get("/code").text
        sounds = client.get("/sounds.json").json()
        rooms = client.get("/rooms.json").json()
        part = client.get("/objects?filter=door&sort=events", headers={"HX-Request": "true"}).text
    assert names(objects)[0] == "obj_keeper"
    assert re.search(
        r"gml_<wbr>?.*obj_keeper.*</a></th><td>obj_keeper</td><td>Create</td>",
        code.replace("\n", ""),
    )
    assert [column["title"] for column in sounds["columns"]] == ["name", "bytes", "group"]
    assert {row["name"]: row["values"][0] for row in sounds["rows"]}["snd_catch"] == 4894
    assert {row["name"]: row["values"] for row in rooms["rows"]}["rm_cave"] == [320, 192, 87]
    assert names(part) == ["obj_door"]
    assert "<thead" not in part


def test_uses_are_counted_when_the_list_asks(lantern: Path) -> None:
    with looking_at(lantern) as client:
        table = client.get("/sounds").text
        counts = client.get("/-/counts/sounds").json()
        uses = client.get("/-/uses/sounds/snd_catch.json").json()["uses"]
        played = client.get("/sounds/snd_catch/play")
        assert 'data-address="/-/counts/sounds"' in table
        assert '<a class="play" href="/sounds/snd_catch/play"' in table
        assert "/-/counts/" not in client.get("/tables").text
        assert client.get("/-/counts/tables").status_code == 404
        for kind in ("sprites", "objects", "scripts", "rooms", "code", "texture-pages"):
            answer = client.get(f"/-/counts/{kind}")
            shown = "/-/counts/" in client.get(f"/{kind}?as=table").text
            assert answer.status_code == 200 or not shown, kind
    assert counts["snd_catch"] == len(uses) > 0
    assert played.headers["content-type"] == "audio/wav"
    assert played.content.startswith(b"RIFF")


def test_what_has_no_value_stands_last() -> None:
    values = [None, "b", 3, "", "A", 2.5]
    assert sorted(values, key=by_value) == [2.5, 3, "A", "b", None, ""]


def test_code_in_the_tree_is_called_by_its_event(lantern: Path) -> None:
    with looking_at(lantern) as client:
        tree = client.get("/-/tree/code").text
    assert "<span>obj_keeper</span><span> · Create</span></a>" in tree
    assert "<span>obj_keeper</span><span> · Collision with obj_door</span></a>" in tree
    assert ">gml_Object_obj_keeper" not in tree


def test_an_object_shows_the_code_of_its_events(lantern: Path) -> None:
    with looking_at(lantern) as client:
        page = client.get("/objects/obj_keeper").text
        data = client.get("/objects/obj_keeper.json").json()
        line = client.get("/timelines").status_code
    assert line == 404
    create = next(event for event in data["events"] if event["name"] == "Create_0")
    assert create["anchor"] == "event-Create_0"
    text = "".join(part["text"] for part in create["lines"][0]["parts"])
    assert text == "walk_speed = 1.5;"
    assert 'id="event-Create_0-L1"' in page
    assert '<a class="open" href="/code/gml_Object_obj_keeper_Create_0">' in page


def test_long_code_of_events_is_a_link(
    lantern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code that there is no room for has its page; that of the other events stands there."""
    monkeypatch.setattr(action_lists, "_COPIED", 6)
    with looking_at(lantern) as client:
        data = client.get("/objects/obj_keeper.json").json()
        page = client.get("/objects/obj_keeper").text
    shown = {event["name"]: len(event["lines"]) for event in data["events"]}
    assert shown["Create_0"] == 4
    assert shown["Step_0"] == 0
    assert sum(shown.values()) <= 6
    assert data["more_lines"] == 0
    assert '<td><a href="/code/gml_Object_obj_keeper_Step_0">' in page.replace("<wbr>", "")


def test_a_list_is_downloaded(lantern: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with looking_at(lantern) as client:
        answer = client.get("/-/zip/sprites?filter=keep")
        assert answer.headers["content-type"] == "application/zip"
        assert "-sprites.zip" in answer.headers["content-disposition"]
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert sorted(archive.namelist()) == [
                "sprites/spr_keeper.json", "sprites/spr_keeper/0.png", "sprites/spr_keeper/1.png",
            ] or all("spr_keeper" in name for name in archive.namelist())  # fmt: skip
            with Image.open(io.BytesIO(archive.read("sprites/spr_keeper/0.png"))) as image:
                assert image.size == (16, 16)
        assert client.get("/-/zip/nothing").status_code == 404
        monkeypatch.setattr(archives, "DOWNLOAD", 100)
        answer = client.get("/-/zip/sprites")
        assert answer.status_code == 422
        assert "overhaul unpack writes them" in answer.text


def test_letters_of_a_name_are_enough(lantern: Path) -> None:
    assert span_of("obj_keeper", Query("okp")) == (0, 8)
    assert span_of("aaab", Query("ab")) == (2, 4)  # the shortest
    assert span_of("obj_keeper", Query("pk")) is None
    assert span_of("obj_keeper", Query("k")) is None
    assert span_of("obj_keeper", Query("okp", "word")) is None
    assert span_of("a" * 5000, Query("a" * 500 + "b")) is None  # in no time
    with looking_at(lantern) as client:
        found = client.get("/-/search.json?q=objkpr").json()
    results = [hit["found"] for group in found["groups"] for hit in group["results"]]
    assert "obj_keeper" in results


def test_the_first_page_has_a_picture(lantern: Path) -> None:
    with looking_at(lantern) as client:
        front = client.get("/").text
        picture = client.get("/rooms/rm_cave/front.png")
    assert '<img class="front" src="/rooms/rm_cave/front.png"' in front
    with Image.open(io.BytesIO(picture.content)) as image:
        assert image.size == (320, 192)


def test_a_folder_of_games_shows_its_games(lantern: Path, tmp_path: Path) -> None:
    for name in ("b.win", "a.win"):
        (tmp_path / name).write_bytes(lantern.read_bytes())
    (tmp_path / "notes.txt").write_text("no game")
    (tmp_path / "broken.win").write_bytes(b"FORM\xff\xff\xff\x7fGEN8")
    assert [Path(path).name for path in games_in(tmp_path)] == ["a.win", "b.win"]
    assert _games(str(tmp_path)) == games_in(tmp_path)
    (tmp_path / "none").mkdir()
    with pytest.raises(WorkspaceError, match="has no game in it"):
        _games(str(tmp_path / "none"))
    overhaul.unpack(lantern, tmp_path / "folder")
    assert _games(str(tmp_path / "folder")) == [str(tmp_path / "folder")]
    with looking_at(*games_in(tmp_path)) as client:
        page = client.get("/").text
    assert page.count("<b>Lantern</b> a.win, GameMaker game data") == 1
    assert 'src="/1/rooms/rm_cave/front.png"' in page


def test_a_file_is_checked(lantern: Path, tmp_path: Path) -> None:
    with looking_at(lantern) as client:
        assert "/-/check" in client.get("/").text
        page = client.get("/-/check").text
        data = client.get("/-/check.json").json()
    assert "<b>Identical.</b>" in page
    assert data["identical"] is True
    assert data["opaque"] == 0
    assert data["decoded"] + data["media"] == lantern.stat().st_size


def test_tiles_have_their_numbers(lantern: Path, tmp_path: Path) -> None:
    with overhaul.open_game(lantern) as game:
        if game.release.major < 2:
            pytest.skip("tile sets say their tiles from GameMaker 2 on")
        sheet = Image.new("RGBA", (64, 32), "red")
        game.tile_sets.add("ts_wood", sheet, tile_size=(16, 16))
        game.save(tmp_path / "tiles.win")
    with looking_at(tmp_path / "tiles.win") as client:
        page = client.get("/backgrounds/ts_wood").text
    assert 'class="tile-numbers viewer-only"' in page
    # tiles stand two pixels apart from their borders
    assert re.findall(r'<text x="30.0" y="10.0" font-size="6.72">(\d+)</text>', page) == ["1"]


def test_a_list_asks_about_all_resources_at_once(
    lantern: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with looking_at(lantern) as client:
        before = [client.get(f"/{kind}.json").json()["rows"] for kind in ("objects", "code")]

    def asked(it: GameObject | Code) -> None:
        raise AssertionError(it.name)

    with overhaul.open_game(lantern) as game:
        shared = {code.index for code in game.code} - owners_of_all(game).keys()
    monkeypatch.setattr(GameObject, "instance_count", property(asked))
    if not shared:
        monkeypatch.setattr(Code, "owner", property(asked))
    with looking_at(lantern) as client:
        after = [client.get(f"/{kind}.json").json()["rows"] for kind in ("objects", "code")]
    assert after == before
    counts = {row["name"]: row["values"][3] for row in after[0]}
    assert counts["obj_firefly"] > 1
    assert ["obj_door", "Step"] in [row["values"][:2] for row in after[1]]
