"""Resources added, renamed, duplicated, removed and copied in the viewer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

import overhaul
from ags_package import package
from handmade_project import project_file
from modded_games import lantern
from overhaul import mods
from overhaul.viewer.pages.whole import add_href
from overhaul.workbench import FileBench
from viewing import HOST, Browser, links_of, looking_at


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    return client.post(address, headers={"Origin": HOST}, data=sent)


def names(client: Browser, slug: str) -> set[str]:
    return {row["name"] for row in client.get(f"/{slug}.json").json()["rows"]}


def text(client: Browser, path: str) -> str:
    writer = client.site.documents[0].writer
    assert writer is not None
    return writer.read(path).decode()


def saved(client: Browser, path: Path) -> None:
    """The game as it is shown can be saved and opened by others."""
    assert post(client, "/-/save").status_code == 200
    with overhaul.open(path) as game:
        game.decode()
        assert game.to_bytes() == path.read_bytes()


def test_a_name_is_changed_and_references_follow(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with looking_at(game) as client:
        assert "Rename, duplicate, remove" in client.get("/sprites/spr_keeper").text
        (opened,) = client.site.documents
        assert opened.writer is not None and add_href(opened, "sprite") == "/-/add?kind=sprite"
        with monkeypatch.context() as patched:
            patched.setattr(opened.writer.bench, "why", "it can't be packed")
            assert add_href(opened, "sprite") == ""
        where = "/-/whole/sprites/spr_keeper"
        shown = post(client, where, do="rename", name="spr_guard")
        assert shown.status_code == 200
        assert "spr_keeper" in names(client, "sprites")
        assert "spr_guard" in shown.text.replace("<wbr>", "")
        assert "/-/uses/sprites/spr_keeper" in shown.text
        done = post(client, where, do="rename", name="spr_guard", sure="1")
        assert done.status_code == 200
        assert done.url.path == "/sprites/spr_guard"
        assert "spr_keeper" not in names(client, "sprites")
        assert json.loads(text(client, "objects/obj_keeper/object.json"))["sprite"] == "spr_guard"
        for wrong in ("", " ", "spr_door", "SPR_DOOR", "a\nb", "..", "x" * 300):
            answer = post(client, "/-/whole/sprites/spr_guard", do="rename", name=wrong)
            assert answer.status_code == 422, wrong
        saved(client, game)
        assert post(client, "/-/undo").status_code == 200
        assert "spr_keeper" in names(client, "sprites")


def test_a_copy_has_its_own_code(game: Path) -> None:
    with looking_at(game) as client:
        done = post(client, "/-/whole/objects/obj_keeper", do="duplicate", name="obj_second")
        assert done.url.path == "/objects/obj_second"
        code = names(client, "code")
        assert "gml_Object_obj_second_Create_0" in code
        assert "gml_Object_obj_keeper_Create_0" in code
        taken = post(client, "/-/whole/objects/obj_keeper", do="duplicate", name="obj_second")
        assert taken.status_code == 422
        saved(client, game)


def test_what_is_removed_names_its_users_first(game: Path) -> None:
    with looking_at(game) as client:
        shown = post(client, "/-/whole/sprites/spr_keeper", do="remove")
        assert shown.status_code == 200
        assert "obj_keeper" in shown.text
        sent = {"do": "remove", "sure": "1", "accept": "1"}
        assert post(client, "/-/whole/sprites/spr_keeper", **sent).status_code == 200
        assert "spr_keeper" not in names(client, "sprites")
        assert post(client, "/-/whole/objects/obj_keeper", **sent).status_code == 200
        assert not [each for each in names(client, "code") if "obj_keeper" in each]
        saved(client, game)


def test_new_things_are_added(game: Path) -> None:
    with looking_at(game) as client:
        kinds = client.get("/-/add.json").json()["kinds"]
        assert {"sprite", "object", "room", "script", "path"} <= {kind for kind, _ in kinds}
        assert 'href="/-/add?kind=sprite"' in client.get("/sprites").text
        for kind, _ in kinds:
            name = f"new_{kind.replace(' ', '_')}"
            done = post(client, "/-/add", kind=kind, name=name)
            assert done.status_code == 200, (kind, done.text[-600:])
            assert name in done.url.path
            assert post(client, "/-/add", kind=kind, name=name).status_code == 422
        assert post(client, "/-/add", kind="moon", name="x").status_code == 422
        saved(client, game)


def test_a_resource_is_copied_into_another_open_game(game: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.win"
    bench = FileBench(str(game))
    bench.load()
    other.write_bytes(bytes(bench.data()))
    with looking_at(game, other) as client:
        assert post(client, "/2/-/whole/sprites/spr_keeper", do="rename", name="spr_new",
                    sure="1").status_code == 200  # fmt: skip
        page = client.get("/2/-/whole/sprites/spr_new").text
        assert "Copy into game.win" in page
        sent = {"from": "2", "to": "1", "slug": "sprites", "key": "spr_new"}
        assert post(client, "/2/-/copy", **sent).status_code == 404
        done = post(client, "/1/-/copy", **sent)
        assert done.url.path == "/1/sprites/spr_new"
        assert post(client, "/1/-/copy", **sent).status_code == 422
        assert post(client, "/1/-/copy", **sent | {"to": "9"}).status_code == 404
        assert post(client, "/1/-/copy", **sent, name="spr_third").status_code == 200


def test_what_a_copy_leaves_out_is_shown(tmp_path: Path) -> None:
    old, new = tmp_path / "old.win", tmp_path / "new.win"
    old.write_bytes(lantern("gms1"))
    new.write_bytes(lantern())
    with looking_at(old, new) as client:
        sent = {"from": "2", "to": "1", "slug": "sounds", "key": "snd_catch"}
        done = post(client, "/1/-/copy", **sent, name="snd_new")
        assert done.status_code == 200 and done.url.path == "/1/-/steps/1"
        text = done.text.replace("<wbr>", "")
        assert "sounds/snd_new.json: length is left out: GameMaker" in text
        assert "the sound is in the first one" in text
        assert client.get("/1/sounds/snd_new").status_code == 200


@pytest.mark.parametrize(("start", "to"), [("1", "2"), ("2", "1")])
def test_a_refused_copy_keeps_what_was_chosen(
    game: Path, tmp_path: Path, start: str, to: str
) -> None:
    other = tmp_path / "other.win"
    other.write_bytes(game.read_bytes())
    with looking_at(game, other) as client:
        sent = {"from": start, "to": to, "slug": "sprites", "key": "spr_keeper"}
        refused = post(client, "/1/-/copy", **sent, everything="1", name="spr_door")
        assert refused.status_code == 422
        text = refused.text
        # the page is that of the game which was copied from
        for name in ("from", "to"):
            assert f'name="{name}" value="{sent[name]}"' in text
        assert '<input type="checkbox" name="everything" value="1" checked>' in text
        assert 'placeholder="spr_keeper" value="spr_door"' in text
        for name in ("slug", "key"):
            assert f'name="{name}" value="{sent[name]}"' in text
        assert f'hx-get="/{start}/-/uses/sprites/spr_keeper"' in text
        for link in {*links_of(text, "/1/-/copy")} - {"/1/-/copy"}:
            assert client.get(link).status_code == 200, link
        plain = client.get("/1/-/whole/sprites/spr_keeper").text
        assert 'name="everything" value="1">' in plain


def test_a_refused_rename_of_a_project_keeps_its_check_box(tmp_path: Path) -> None:
    path = tmp_path / "game.gmk"
    path.write_bytes(project_file(800))
    with looking_at(path) as client:
        where = "/-/whole/sprites/spr_player"
        refused = post(client, where, do="rename", name=" ", rewrite="1")
        assert refused.status_code == 422
        assert '<input type="checkbox" name="rewrite" value="1" checked>' in refused.text
        for link in links_of(refused.text, where):
            assert client.get(link).status_code == 200, link


def test_projects_and_folders_follow_too(tmp_path: Path) -> None:
    path = tmp_path / "game.gmk"
    path.write_bytes(project_file(800))
    folder = tmp_path / "folder"
    overhaul.unpack(path, folder)
    for source in (path, folder):
        with looking_at(source) as client:
            for slug in ("objects", "sprites", "rooms", "scripts"):
                rows = client.get(f"/{slug}.json").json()["rows"]
                if not rows:
                    continue
                where = f"/-/whole{rows[0]['href']}"
                sent = {"do": "rename", "name": f"new_{slug}", "rewrite": "1"}
                assert post(client, where, **sent).status_code == 200
                done = post(client, where, **sent, sure="1")
                assert done.status_code == 200, done.text[-800:]
                assert f"new_{slug}" in names(client, slug)
            assert post(client, "/-/add", kind="object", name="obj_added").status_code == 200
            assert "obj_added" in names(client, "objects")
    assert (folder / "objects" / "obj_added" / "object.json").is_file()
    again = tmp_path / "again.gmk"
    overhaul.pack(folder, again)
    with looking_at(path) as client:
        post(client, "/-/save")
    assert {change.path for change in mods.diff(path, again).changes} <= {"dates.json"}


def test_things_of_adventure_game_studio_get_numbers(tmp_path: Path) -> None:
    path = tmp_path / "game.ags"
    path.write_bytes(package())
    with looking_at(path) as client:
        whole = client.site.documents[0]
        name = next(each for each in whole.inside.paths() if each.endswith(".dta"))
        prefix = whole.inside.open(name).prefix
        where = f"{prefix}/-/whole/characters/"
        rows = client.get(f"{prefix}/characters.json").json()["rows"]
        address = where + rows[0]["href"].rpartition("/")[2]
        done = post(client, address, do="duplicate", name="cTwin")
        assert done.status_code == 200, done.text[-800:]
        items = client.get(f"{prefix}/inventory.json").json()["rows"]
        item = f"{prefix}/-/whole/inventory/{items[0]['href'].rpartition('/')[2]}"
        done = post(client, item, do="duplicate", name="iTwin")
        assert done.status_code == 200, done.text[-800:]
        assert len(client.get(f"{prefix}/inventory.json").json()["rows"]) == len(items) + 1
        now = client.get(f"{prefix}/characters.json").json()["rows"]
        assert len(now) == len(rows) + 1


def test_things_and_rooms_of_adventure_game_studio_are_added(tmp_path: Path) -> None:
    path = tmp_path / "game.ags"
    path.write_bytes(package())
    with looking_at(path) as client:
        assert "/in/game28.dta/-/add?kind=character" in client.get("/in/game28.dta/characters").text
        before = client.site.documents[0].inside.digest("game28.dta")
        done = post(client, "/in/game28.dta/-/add?kind=character", name="cNew", kind="character")
        assert client.site.documents[0].inside.digest("game28.dta") != before
        assert done.url.path == "/in/game28.dta/characters/cNew"
        assert "Add a room" in client.get("/assets").text
        assert post(client, "/-/add?kind=room", name="hall", kind="room").status_code == 422
        assert post(client, "/-/add?kind=room", name="12", kind="room").status_code == 200
        assert client.get("/in/room12.crm/rooms/room").status_code == 200
        gone = post(client, "/in/game28.dta/-/whole/inventory/cup", do="remove", sure="1")
        assert gone.status_code == 200
