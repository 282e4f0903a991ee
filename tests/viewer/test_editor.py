"""The code editor in a real browser, and what it asks."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ags_editor_projects import make_project
from ags_scripted import scripted_package
from browsing import browsing, check, needs_browser, viewer
from handmade_project import project_file, unpacked
from overhaul.workbench.journal import digest_of
from real_files import ROOT
from viewing import HOST, Browser, looking_at

STEP = "gml_Object_obj_keeper_Step_0"
PATH = f"code/{STEP}.gml"
#: what a browser loads to edit code, as it comes over the network
LARGEST = 400_000


def ask(
    client: Browser, what: str, text: str, offset: int = 0, path: str = PATH, prefix: str = ""
) -> Any:
    """What the editor is answered."""
    answer = client.post(
        f"{prefix}/-/language/{what}",
        params={"path": path},
        content=json.dumps({"text": text, "offset": offset}),
        headers={"Origin": HOST},
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture(params=["file", "folder"])
def client(request: pytest.FixtureRequest, lantern: Path, folder: Path) -> Iterator[Browser]:
    with looking_at(lantern if request.param == "file" else folder) as client:
        yield client


def test_the_editor_has_what_pack_reports(client: Browser) -> None:
    text = client.get(f"/-/edit/code/{STEP}.json").json()["source"]
    said = ask(client, "check", text)
    assert said["diagnostics"] == []
    assert said["names"]["obj_wall"] == "asset"
    assert said["names"]["place_meeting"] == "builtin"
    # characters beyond 16 bits count twice
    wrong = f'var moon = "\U0001f319"; x = hpp;\n{text}'
    (found,) = ask(client, "check", wrong)["diagnostics"]
    assert found["message"] == "unknown variable hpp"
    units = wrong.encode("utf-16-le")
    assert units[2 * found["start"] : 2 * found["end"]].decode("utf-16-le") == "hpp"
    typed = wrong + "\nwalk"
    offered = ask(client, "complete", typed, len(typed) + 1)
    assert offered["items"][0]["name"] == "walk_speed"
    assert offered["end"] - offered["start"] == 4


def test_the_editor_knows_where_names_are(client: Browser) -> None:
    text = client.get(f"/-/edit/code/{STEP}.json").json()["source"]
    (place,) = ask(client, "define", text, text.index("dx"))["places"]
    assert place["own"]
    assert place["start"] == text.index("dx")
    asset = ask(client, "define", text, text.index("obj_wall"))["places"][0]
    assert asset["href"].startswith("/objects/obj_wall")
    hover = ask(client, "hover", text, text.index("place_meeting"))
    assert hover["code"].startswith("place_meeting(")
    call = ask(client, "signature", text, text.index("x + dx"))
    assert call["text"].startswith("place_meeting(")
    uses = ask(client, "uses", text, text.index("obj_wall"))["places"]
    assert sum(each["own"] for each in uses) == 2
    laid = ask(client, "format", "if(x){\ny=1;\n}")
    assert laid["text"] == "if (x) {\n    y = 1;\n}\n"
    assert ask(client, "name", text, text.index("walk_speed"))["name"] == "walk_speed"
    refused = ask(client, "name", text, text.index("place_meeting"))
    assert "can't be renamed" in refused["refused"]


def test_scripts_of_other_families_have_the_editor_too(tmp_path: Path) -> None:
    (tmp_path / "small.ags").write_bytes(scripted_package())
    room, path = "/in/room1.crm", "script.asc"
    with looking_at(tmp_path / "small.ags") as client:
        page = client.get(f"{room}/-/file.json", params={"path": path}).json()
        assert json.loads(page["editor"])["rules"]["strings"] == "ags"
        shown = client.get(f"{room}/-/file", params={"path": path}).text
        assert 'data-behaviour="editor"' in shown
        text = page["text"]
        assert ask(client, "check", text, path=path, prefix=room)["diagnostics"] == []
        (found,) = ask(client, "check", f"{text}int x = ;\n", path=path, prefix=room)["diagnostics"]
        assert found["severity"] == "error"
        call = text + "\nfunction typed()\n{\n  player."
        offered = ask(client, "complete", call, len(call), path, room)["items"]
        assert "Say" in {each["name"] for each in offered}
        hover = ask(client, "hover", text, text.index("strength") + 1, path, room)
        assert hover["code"].startswith("int strength(")


def test_code_of_projects_has_the_editor_too(tmp_path: Path) -> None:
    data = project_file(810)
    (tmp_path / "small.gm81").write_bytes(data)
    _, files = unpacked(data)
    path = min(path for path in files if path.endswith(".gml"))
    with looking_at(tmp_path / "small.gm81") as client:
        page = client.get("/-/file.json", params={"path": path}).json()
        assert json.loads(page["editor"])["rules"]["strings"] == "gms1"
        typed = page["text"] + "\ndraw_spri"
        offered = ask(client, "complete", typed, len(typed), path)["items"]
        assert offered[0]["name"].startswith("draw_spri")


def test_bad_questions_are_refused(client: Browser) -> None:
    for what, path, body, status in (
        ("check", PATH, b"{", 200),
        ("check", PATH, b'{"text": 3}', 200),
        ("check", PATH, b'{"text": "\\ud800 = ;"}', 200),
        ("check", "code/none.gml", b'{"text": ""}', 404),
        ("check", "../../etc/passwd", b'{"text": ""}', 404),
        ("nothing", PATH, b'{"text": ""}', 404),
        ("complete", PATH, b'{"text": "x", "offset": -5}', 200),
        ("complete", PATH, b'{"text": "x", "offset": 99999999}', 200),
    ):
        answer = client.post(
            f"/-/language/{what}",
            params={"path": path},
            content=body,
            headers={"Origin": HOST},
        )
        assert answer.status_code == status, (what, path, body)
    assert client.get("/-/language/check", params={"path": PATH}).status_code == 404
    stranger = client.post("/-/language/check", content=b"{}", headers={"Origin": "http://x"})
    assert stranger.status_code == 403


def test_the_built_editor_is_what_its_sources_build() -> None:
    web = ROOT / "editors" / "web"
    if shutil.which("node") is None or not (web / "node_modules").is_dir():
        pytest.skip("node, or its packages (npm ci in editors/web), are not here")
    done = subprocess.run(
        ["node", "build.mjs", "--check"], cwd=web, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_lock_of_packages_names_no_server() -> None:
    lock = json.loads((ROOT / "editors/web/package-lock.json").read_text("utf-8"))
    assert all("resolved" not in each for each in lock["packages"].values())
    wanted = json.loads((ROOT / "editors/web/package.json").read_text("utf-8"))
    for name, version in (wanted["dependencies"] | wanted["devDependencies"]).items():
        assert lock["packages"][f"node_modules/{name}"]["version"] == version


# -- in a browser


@pytest.fixture
def page(browser: Any, folder: Path) -> Iterator[Any]:
    """A page on which the code of an event is edited."""
    with viewer(folder) as address, browsing(browser, address) as page:
        page.goto(f"/-/edit/code/{STEP}")
        page.locator(".cm-content").wait_for()
        yield page


def typed(page: Any, text: str) -> None:
    """Type at the end of the source."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


def put_cursor(page: Any, word: str) -> None:
    """Put the cursor into a word."""
    page.evaluate(
        """word => {
            const { view } = document.getElementById("source").editor;
            view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf(word) + 1 } });
            view.focus();
        }""",
        word,
    )


@needs_browser
def test_mistakes_are_shown_while_one_types(page: Any) -> None:
    page.get_by_text("No mistakes").wait_for()
    typed(page, "\nx = hpp;")
    page.get_by_text("1 warning").wait_for()
    assert page.locator(".cm-lintRange-warning").text_content() == "hpp"
    check(page, "editor")
    typed(page, "\nx = (;")
    page.locator("#editor-status[data-state='wrong']").wait_for()


@needs_browser
def test_names_have_colours(page: Any) -> None:
    page.get_by_text("No mistakes").wait_for()
    typed(page, "\nx = place_meeting(y, 1, obj_wall);")
    page.locator(".cm-builtin", has_text="place_meeting").first.wait_for()
    page.locator(".cm-asset", has_text="obj_wall").first.wait_for()


@needs_browser
def test_completion_and_arguments(page: Any) -> None:
    typed(page, "\nwalk_s")
    page.locator(".cm-tooltip-autocomplete li").first.wait_for()
    assert (
        page.locator(".cm-tooltip-autocomplete li[aria-selected]")
        .inner_text()
        .startswith("walk_speed")
    )
    page.wait_for_timeout(150)  # choosing right after it opens does nothing
    page.keyboard.press("Enter")
    typed(page, " = 3;\ndraw_sprite(spr_keeper, ")
    page.locator(".cm-about strong").wait_for()
    source = page.locator("#source").input_value()
    assert source.endswith("walk_speed = 3;\ndraw_sprite(spr_keeper, )")


@needs_browser
def test_names_lead_to_their_places(page: Any) -> None:
    page.locator(".cm-line", has_text="walk_speed").first.wait_for()
    put_cursor(page, "obj_wall")
    page.keyboard.press("Shift+F12")
    page.get_by_role("heading", name="Uses").wait_for()
    assert page.locator("#editor-found a").count() > 2
    page.keyboard.press("F12")
    page.wait_for_url("**/objects/obj_wall*")


@needs_browser
def test_search_folding_layout_and_assembly(page: Any) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+f")
    page.locator(".cm-search input").first.wait_for()
    page.keyboard.press("Escape")
    page.locator(".cm-foldGutter span[title='Fold line']").first.click()
    page.locator(".cm-foldPlaceholder").wait_for()
    page.locator(".cm-foldPlaceholder").click()
    typed(page, "\nif(x>1){\ny=2;\n}")
    page.get_by_role("button", name="Format").click()
    page.locator(".cm-line", has_text="if (x > 1) {").wait_for()
    assert "y = 2;" in page.locator("#source").input_value()
    assert page.locator("#editor-assembly").is_hidden()
    page.get_by_role("checkbox", name="Assembly").check()
    page.locator("#editor-assembly li").first.wait_for()
    check(page, "editor-assembly")


@needs_browser
def test_what_is_saved_is_what_was_typed(page: Any, folder: Path) -> None:
    typed(page, "\nlight = 1;")
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("+light = 1;").wait_for()
    page.get_by_role("button", name="Apply").click()
    page.get_by_text("The step is made.").wait_for()
    assert (folder / PATH).read_text().rstrip().endswith("light = 1;")


@needs_browser
def test_without_javascript_the_source_is_a_field(browser: Any, folder: Path) -> None:
    with (
        viewer(folder) as address,
        browsing(browser, address, java_script_enabled=False) as page,
    ):
        page.goto(f"/-/edit/code/{STEP}")
        assert "walk_speed" in page.locator("#source").input_value()
        assert page.locator("#editor-tools").is_hidden()


@needs_browser
def test_the_editor_fits_a_phone_and_the_dark(browser: Any, folder: Path) -> None:
    phone: dict[str, Any] = {"viewport": {"width": 390, "height": 780}, "color_scheme": "dark"}
    with viewer(folder) as address, browsing(browser, address, **phone) as page:
        page.goto(f"/-/edit/code/{STEP}")
        page.get_by_text("No mistakes").wait_for()
        page.get_by_role("checkbox", name="Assembly").check()
        page.locator("#editor-assembly li").first.wait_for()
        check(page, "editor-phone")


@needs_browser
def test_the_page_is_small(browser: Any, folder: Path) -> None:
    with viewer(folder) as address, browsing(browser, address) as page:
        sizes: list[int] = []
        page.on("requestfinished", lambda each: sizes.append(each.sizes()["responseBodySize"]))
        page.goto(f"/-/edit/code/{STEP}")
        page.get_by_text("No mistakes").wait_for()
        assert sum(sizes) < LARGEST


@needs_browser
def test_a_name_is_renamed_everywhere_as_one_step(page: Any, folder: Path) -> None:
    put_cursor(page, "walk_speed")
    page.keyboard.press("F2")
    page.get_by_label("New name").fill("light")
    page.get_by_role("button", name="Rename everywhere").click()
    page.get_by_text("light is taken").wait_for()
    page.get_by_label("New name").fill("pace")
    page.get_by_role("button", name="Rename everywhere").click()
    page.locator(".cm-line", has_text="pace").first.wait_for()
    assert "walk_speed" not in (folder / PATH).read_text()
    assert (folder / "code/gml_Object_obj_keeper_Create_0.gml").read_text().startswith("pace = ")
    page.locator("#bench").get_by_role("button", name="Undo").click()
    page.wait_for_load_state()
    assert "walk_speed" in (folder / PATH).read_text()


def test_scripts_of_a_project_have_what_building_reports(tmp_path: Path) -> None:
    with looking_at(make_project(tmp_path) / "Game.agf") as client:
        text = (tmp_path / "GlobalScript.asc").read_text()
        path = "GlobalScript.asc"
        said = ask(client, "check", text, path=path)
        assert said["diagnostics"] == []
        wrong = text + "int a = modul(1);\n"
        (found,) = ask(client, "check", wrong, path=path)["diagnostics"]
        assert "modul" in found["message"] and found["start"] > len(text)
        typed = text + "function f() { mod"
        offered = ask(client, "complete", typed, len(typed), path=path)
        assert "module" in [item["name"] for item in offered["items"]]
        # another script has the header as it is after a step
        given = {
            "text": "import int modul(int a);\n",
            "before": digest_of((tmp_path / "Module.ash").read_bytes()),
        }
        answer = client.post("/-/file?path=Module.ash", data=given, headers={"Origin": HOST})
        assert "GlobalScript.asc" in client.get("/-/steps").text
        assert ask(client, "check", text, path=path)["diagnostics"]
        assert answer.url.query == b"path=Module.ash&saved=made"
        assert (tmp_path / "Module.ash").read_text() == "import int module(int a);\n"
