"""Steps in the viewer: made by forms, listed, undone, saved; and nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import httpx2
import pytest

import overhaul
from ags_package import package
from overhaul import mods
from overhaul.viewer.opened import Site
from overhaul.workbench.journal import Journal, digest_of
from viewing import HOST, TOKEN, Browser, crawl, looking_at

CODE = "code/gml_Object_obj_keeper_Create_0.gml"
OBJECT = "objects/obj_keeper/object.json"


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    """Send what a page of the viewer sends."""
    return client.post(address, headers={"Origin": HOST}, **sent)


def type_in(client: Browser, path: str, old: str, new: str) -> httpx2.Response:
    assert client.get(f"/-/file?path={path}").status_code == 200
    text = before_of(client, path)
    assert old in text
    digest = digest_of(text.encode())
    return post(
        client, f"/-/file?path={path}", data={"text": text.replace(old, new, 1), "before": digest}
    )


def before_of(client: Browser, path: str) -> str:
    writer = client.site.documents[0].writer
    assert writer is not None
    return writer.read(path).decode()


def test_a_game_in_a_zip_is_saved_next_to_the_zip(game: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.zip"
    with ZipFile(path, "w") as archive:
        archive.write(game, "Game/data.win")
    old = path.read_bytes()
    with looking_at(path) as client:
        assert type_in(client, OBJECT, '"visible": true', '"visible": false').status_code == 200
        text = client.get("/-/steps").text
        assert "stays as it is</p>" in text and "It is inside another file" in text
        assert ">Save</button>" not in text and ".bak" not in text
        answer = post(client, "/-/save", data={"as": "new.win"})
        assert answer.status_code == 200
    with overhaul.open_game(tmp_path / "new.win") as saved:
        assert not saved.objects["obj_keeper"].visible
    assert path.read_bytes() == old


def test_a_step_is_made_listed_undone_and_saved(game: Path) -> None:
    old = game.read_bytes()
    with looking_at(game) as client:
        assert "Nothing is changed yet" in client.get("/-/steps").text
        assert type_in(client, OBJECT, '"visible": true', '"visible": false').status_code == 200
        page = client.get("/-/steps.json").json()
        assert [row["label"] for row in page["done"]] == [f"Edit {OBJECT}"]
        assert page["unsaved"]
        assert "1 step, not saved" in client.get("/objects/obj_keeper").text
        step = client.get("/-/steps/1").text
        assert '"visible": <mark>false</mark>' in step.replace("&#34;", '"')
        assert client.get("/-/steps/1.json").json()["files"][0]["path"] == OBJECT
        assert client.get("/-/steps/9").status_code == 404
        changes = client.get("/-/steps/changes").text
        assert "visible: true → false" in changes
        assert client.get("/-/steps/changes/change/0").status_code == 200
        assert game.read_bytes() == old
        downloaded = client.get("/-/steps/game").content
        assert post(client, "/-/undo").status_code == 200
        assert post(client, "/-/redo", data={"back": "steps"}).url.path == "/-/steps"
        assert post(client, "/-/save").status_code == 200
        assert game.read_bytes() == downloaded != old
        assert game.with_name("game.win.bak").read_bytes() == old
        assert not client.get("/-/steps.json").json()["unsaved"]
        assert not client.get("/-/state.json").json()["changed"]
        mod = mods.load(client.get("/-/steps/mod?name=mine&download=1").content)
        assert not mods.diff(mods.apply(old, [mod]).data, game).changes
        assert post(client, "/-/go", data={"to": "0"}).status_code == 200
        assert post(client, "/-/save").status_code == 200
    assert game.read_bytes() == old


def test_what_can_not_be_taken_is_shown_at_its_place(game: Path) -> None:
    with looking_at(game) as client:
        broken = type_in(client, OBJECT, '"visible": true', '"visible": 7.5,,')
        wrong = type_in(client, CODE, "\n", "\na = (2;\n")
        steps = client.get("/-/steps.json").json()
    assert broken.status_code == wrong.status_code == 422
    assert "data-line=" in broken.text
    assert "7.5,," in broken.text
    assert "data-line=" in wrong.text
    assert steps["done"] == []


def test_two_browsers_lose_nothing(game: Path) -> None:
    with looking_at(game) as client:
        text = before_of(client, CODE)
        sent = {"text": text + "mine = 1;\n", "before": digest_of(text.encode())}
        assert type_in(client, CODE, "\n", "\ntheirs = 1;\n").status_code == 200
        late = post(client, f"/-/file?path={CODE}", data=sent)
        assert late.status_code == 409
        assert "mine = 1;" in late.text
        assert "Create_0.gml" in late.text.replace("<wbr>", "")
        assert "theirs" in before_of(client, CODE)
        assert "mine" not in before_of(client, CODE)


def test_a_program_that_changed_the_file_is_noticed(game: Path, lantern: Path) -> None:
    with looking_at(game) as client:
        type_in(client, CODE, "\n", "\nmine = 1;\n")
        mine = client.get("/-/steps/game").content
        with overhaul.open(lantern) as other:
            other.save(game, force=True)
        game.write_bytes(game.read_bytes() + b"\0" * 16)
        theirs = game.read_bytes()
        refused = post(client, "/-/save")
        assert refused.status_code == 409
        assert "another program" in refused.text
        assert game.read_bytes() == theirs
        assert post(client, "/-/save", data={"as": "mine.win"}).status_code == 200
        assert game.with_name("mine.win").read_bytes() == mine
        assert post(client, "/-/reload").status_code == 200
        assert "1 step made on that" in client.get("/-/steps").text
        assert client.get("/-/steps/left/0/game").content == mine
        assert mods.load(client.get("/-/steps/left/0/mod?download=1").content)
        for wrong in ("1/mod", "x/mod", "0/x", "0", "-1/game"):
            assert client.get(f"/-/steps/left/{wrong}").status_code == 404, wrong
        for wrong in ("../x.win", "/tmp/x.win", "..", "a\\b", "x\0y", "mine.win"):
            answer = post(client, "/-/save", data={"as": wrong})
            assert answer.status_code == 422, wrong
    assert not (game.parent.parent / "x.win").exists()


def test_no_path_of_a_request_leaves_the_game(game: Path) -> None:
    with looking_at(game) as client:
        for path in ("../../etc/passwd", "/etc/passwd", "overhaul.toml", "", "code", "x%00y"):
            assert client.get(f"/-/file?path={path}").status_code == 404, path
            sent = {"text": "x", "before": ""}
            assert post(client, f"/-/file?path={path}", data=sent).status_code == 404, path
        for address in ("/-/undo", "/-/redo", "/-/go", "/-/save"):
            assert client.get(address).status_code == 404
            assert client.post(address).status_code == 403


def test_a_room_in_a_package_is_edited(tmp_path: Path) -> None:
    path = tmp_path / "game.ags"
    path.write_bytes(package())
    with looking_at(path) as client:
        whole = client.site.documents[0]
        name = next(each for each in whole.inside.paths() if each.endswith(".crm"))
        room = whole.inside.open(name)
        assert room.writer is not None
        text = room.writer.read("room.json").decode()
        address = f"{room.prefix}/-/file?path=room.json"
        assert client.get(address).status_code == 200
        assert "a lamp" in text
        sent = {"text": text.replace("a lamp", "a tower"), "before": digest_of(text.encode())}
        assert post(client, address, data=sent).status_code == 200
        changed = whole.inside.open(name).writer
        assert changed is not None
        assert "a tower" in changed.read("room.json").decode()
        assert post(client, "/-/undo").status_code == 200
        assert post(client, "/-/redo").url.path.startswith(room.prefix)
        assert post(client, "/-/save").status_code == 200
    with overhaul.open(path) as game:
        game.decode()
    assert {change.path for change in mods.diff(package(), path).changes} == {"rooms/1/room.json"}


def test_all_pages_answer_while_there_are_steps(game: Path) -> None:
    with looking_at(game) as client:
        type_in(client, OBJECT, '"visible": true', '"visible": false')
        post(client, "/-/undo")
        type_in(client, CODE, "\n", "\nmine = 1;\n")
        crawl(client, "/-/steps", most=60, most_of_kind=4)


def test_a_full_disk_is_said_and_nothing_is_lost(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> None:
        raise OSError(28, "No space left on device", "journal")

    with looking_at(game) as client:
        type_in(client, CODE, "\n", "\none = 1;\n")
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "append", full)
            answer = type_in(client, CODE, "\n", "\ntwo = 2;\n")
            assert answer.status_code == 422
            assert "No space left" in answer.text
            assert "two = 2;" in answer.text
            assert post(client, "/-/undo").status_code == 422
        assert "one = 1;" in before_of(client, CODE)
        assert "two" not in before_of(client, CODE)
        assert type_in(client, CODE, "\n", "\ntwo = 2;\n").status_code == 200
        assert "two = 2;" in before_of(client, CODE)


def test_where_steps_can_not_be_kept_the_game_is_shown(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"no folder")
    monkeypatch.setenv("OVERHAUL_DATA", str(tmp_path / "file"))
    with looking_at(game) as client:
        answer = type_in(client, CODE, "\n", "\none = 1;\n")
        assert answer.status_code == 422
        assert "be kept in" in answer.text
        assert client.get("/objects/obj_keeper").status_code == 200


def test_a_viewer_that_does_not_edit_shows_the_file_itself(game: Path) -> None:
    with looking_at(game) as client:
        type_in(client, CODE, "\n", "\nmine = 1;\n")
    site = Site([str(game)], edits=False)
    try:
        with Browser(site) as client:
            client.get("/", params={"token": TOKEN})
            assert "mine" not in client.get(f"/{CODE.removesuffix('.gml')}.json").text
            assert post(client, "/-/undo").status_code == 422
            assert client.get("/-/steps").status_code == 404
            assert client.get(f"/-/file?path={CODE}").status_code == 404
    finally:
        site.close()
    with looking_at(game) as client:
        assert "mine" in before_of(client, CODE)
