"""Many files imported in the browser: the table of what they become, and the step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import numpy

import overhaul
from browsing import browsing, check, needs_browser, viewer
from ide_projects import modern_project
from overhaul.media import png
from sound_files import wave
from viewing import HOST, Browser, looking_at

WHERE = "/-/import"
PICTURE = png.encode(numpy.full((4, 8, 4), 200, numpy.uint8))


def send(
    client: Browser, files: dict[str, bytes], *, do: str = "", chosen: list[str] | None = None
) -> httpx2.Response:
    head: dict[str, Any] = {"files": [[path, len(data)] for path, data in files.items()]}
    if chosen is not None:
        head["chosen"] = chosen
    body = json.dumps(head).encode() + b"\n" + b"".join(files.values())
    return client.post(f"{WHERE}?do={do}", headers={"Origin": HOST}, content=body)


def test_chosen_files_are_one_step(game: Path) -> None:
    files = {
        "spr_fresh_strip2.png": PICTURE,
        "snd_new.wav": wave(),
        "<b>notes.txt": b"hi",
        "spr_left.png": PICTURE,
    }
    with looking_at(game) as client:
        assert f'href="{WHERE}"' in client.get("/").text
        assert f'href="{WHERE}"' in client.get("/sprites").text
        assert "A folder" in client.get(WHERE).text
        plan = send(client, files, do="plan").text
        assert "3 new, 1 not used" in plan and "<html" not in plan
        assert "&lt;b&gt;notes.txt" in plan and "<b>notes" not in plan
        assert plan.count('type="checkbox" name="file"') == 3
        done = send(client, files, chosen=["spr_fresh_strip2.png", "snd_new.wav", "<b>notes.txt"])
        assert done.url.path == "/-/steps/1"
        assert "Import spr_fresh_strip2.png, snd_new.wav" in done.text
        assert client.get("/sprites/spr_fresh.json").json()["frames"]
        assert client.get("/sprites/spr_left.json").status_code == 404
        shown = client.get("/-/steps/1/new/sprites/spr_fresh/0.png")
        assert shown.headers["content-type"] == "image/png"
        assert '<img class="pixels" src="/-/steps/1/new/sprites/spr_fresh/0.png"' in done.text
        assert '<audio controls preload="metadata" src="/-/steps/1/new/sounds' in done.text
        for lost in ("old/sprites/spr_fresh/0.png", "new/sprites/other.png", "x/a", "new/"):
            assert client.get(f"/-/steps/1/{lost}").status_code == 404, lost
        client.post("/-/undo", headers={"Origin": HOST})
        assert client.get("/sprites/spr_fresh.json").status_code == 404
        assert client.post("/-/redo", headers={"Origin": HOST}).status_code == 200
        assert client.post("/-/save", headers={"Origin": HOST}).status_code == 200
    with overhaul.open_game(game) as saved:
        assert len(saved.sprites["spr_fresh"].frames) == 2
        assert "snd_new" in saved.sounds


def test_projects_that_are_edited_in_place_take_no_files(tmp_path: Path) -> None:
    with looking_at(modern_project(tmp_path)) as client:
        assert WHERE not in client.get("/").text
        assert client.get(WHERE).status_code == 404
        assert send(client, {"snd_new.wav": wave()}, do="plan").status_code == 404


def test_what_can_not_be_imported_is_refused(game: Path) -> None:
    files = {"spr_fresh.png": PICTURE}
    with looking_at(game) as client:
        for body in (
            b"", b"x", b"{}\n", b'{"files": [["a", 3]]}\n12',
            b'{"files": [["a", -1], ["b", 3]]}\n12', b'{"files": [["a.zip", 3]]}\nPK\x03',
        ):  # fmt: skip
            answer = client.post(WHERE, headers={"Origin": HOST}, content=body)
            assert answer.status_code == 422, body
            assert 'role="alert"' in answer.text, body
        none = send(client, files, chosen=["other.png"])
        assert none.status_code == 422 and "no file is chosen" in none.text
        assert client.post(WHERE, content=b"").status_code == 403
        assert client.get("/-/steps.json").json()["done"] == []


@needs_browser
def test_a_folder_is_chosen_and_part_of_it_imported(
    browser: Any, game: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "art"
    (folder / "sub").mkdir(parents=True)
    (folder / "spr_fresh_strip2.png").write_bytes(PICTURE)
    (folder / "sub" / "spr_left.png").write_bytes(PICTURE)
    (folder / "sub" / "notes.txt").write_bytes(b"hi")
    with viewer(game) as address, browsing(browser, address) as page:
        page.goto(WHERE)
        page.locator("input[name=folder]").set_input_files(folder)
        page.locator("table.importing").wait_for()
        check(page, "import")
        assert page.locator(".import-picture img").count() == 2
        page.get_by_label("art/sub/spr_left.png").uncheck()
        page.get_by_role("button", name="Import the chosen files").click()
        page.wait_for_url("**/-/steps/1")
        assert "Import spr_fresh_strip2.png" in page.locator("h1").inner_text()
        assert page.locator("figure.after img").count() == 2
        page.goto("/sprites")
        names = page.locator("#rows .name").all_inner_texts()
        assert "spr_fresh" in names and "spr_left" not in names
