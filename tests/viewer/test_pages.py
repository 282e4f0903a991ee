"""Every page of a game, and its JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from viewing import crawl, looking_at


def test_every_page_of_the_demo(lantern: Path) -> None:
    with looking_at(lantern) as client:
        counts = crawl(client)
    with overhaul.open(lantern) as game:
        resources = list(game.tree())
    assert counts["text/html"] > len(resources)
    assert counts["image/png"] > sum(r.kind == "sprite" for r in resources)
    assert counts["audio/wav"] == 2


def test_a_page_shows_its_fields_with_links(lantern: Path) -> None:
    with looking_at(lantern) as client:
        page = client.get("/objects/obj_keeper").text
        assert '<a href="/sprites/spr_keeper">spr_keeper</a>' in page
        assert '<a href="/code/gml_Object_obj_keeper_Step_0">' in page
        data = client.get("/objects/obj_keeper.json").json()
    assert data["kind"] == "object"
    assert data["fields"]["sprite"] == "spr_keeper"


def test_a_list_is_filtered_and_comes_whole_as_json(lantern: Path) -> None:
    with looking_at(lantern) as client:
        rows = client.get("/code.json").json()["rows"]
        found = client.get("/code.json", params={"filter": "KEEPER"}).json()
        piece = client.get("/sprites?filter=door", headers={"HX-Request": "true"}).text
    with overhaul.open(lantern) as game:
        names = [r.name for r in game.tree() if r.kind == "code entry"]
    assert [row["name"] for row in rows] == names
    assert [row["name"] for row in found["rows"]] == [n for n in names if "keeper" in n]
    assert found["count"] == len(names)
    assert "<html" not in piece
    assert "spr_door" in piece
    assert "spr_keeper" not in piece


def test_what_is_not_there_is_404(lantern: Path) -> None:
    with looking_at(lantern) as client:
        for address in (
            *("/nothing", "/sprites/nothing", "/sprites/spr_keeper/nothing", "/-/nothing"),
            *("/sprites/spr_keeper/files/nothing", "/sprites/spr_keeper/files/../../general.json"),
            *("/in/room1.crm/", "/-/static/x/app.js", "/-/static/app.js", "/2/", "/-/tree/nothing"),
        ):
            assert client.get(address).status_code == 404, address
        assert client.get("/sprites/nothing.json").json()["status"] == 404


def test_several_files_stand_beside_each_other(lantern: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    overhaul.unpack(lantern, folder)
    with looking_at(lantern, folder) as client:
        assert "/2/" in client.get("/").text
        assert client.get("/2/sprites/spr_keeper").status_code == 200
        for address in ("/0/", "/3/", "/sprites", "/1234567890123/", "/²/"):
            assert client.get(address).status_code == 404, address
        counts = crawl(client)
    assert counts["audio/wav"] == 4


def test_a_file_that_changes_is_told_and_shown_again(lantern: Path, tmp_path: Path) -> None:
    copy = tmp_path / "game.win"
    copy.write_bytes(lantern.read_bytes())
    with looking_at(copy) as client:
        assert client.get("/-/state.json").json() == {"changed": False, "edition": 0}
        with overhaul.open_game(lantern) as game:
            game.sprites["spr_keeper"].name = "spr_watcher"
            game.save(copy, force=True)
        assert client.get("/-/state.json").json()["changed"] is True
        assert client.get("/sprites/spr_keeper").status_code == 200
        assert client.get("/-/reload").status_code == 404
        done = client.post("/-/reload", headers={"Origin": str(client.base_url).rstrip("/")})
        assert done.status_code == 200
        assert client.get("/sprites/spr_watcher").status_code == 200
        assert client.get("/sprites/spr_keeper").status_code == 404
        assert client.get("/-/state.json").json() == {"changed": False, "edition": 1}


@pytest.mark.parametrize("address", ["/sprites", "/objects/obj_keeper", "/-/search?q=keeper"])
def test_pages_are_whole_without_javascript(lantern: Path, address: str) -> None:
    with looking_at(lantern) as client:
        assert "obj_keeper" in client.get(address).text or "spr_keeper" in client.get(address).text
