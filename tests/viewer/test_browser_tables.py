"""Tables of what happens over time in a real browser, by keyboard; axe finds nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import overhaul
from ags_package import package
from browsing import browsing, check, needs_browser, viewer
from furnished import furnished_lantern

pytestmark = needs_browser


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return furnished_lantern(tmp_path / "game.win")


def test_keyframes_and_moments_by_keyboard(browser: Any, game: Path) -> None:
    with viewer(game) as address, browsing(browser, address) as page:
        page.goto("/-/table/sequences/seq_walk")
        check(page, "table-sequence")
        ruler = page.get_by_role("group", name="Keyframes of spr_keeper / position")
        mark = ruler.get_by_role("slider", name="Keyframe 1")
        mark.focus()
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert mark.get_attribute("aria-valuenow") == "39"
        page.get_by_role("button", name="Apply").focus()
        page.keyboard.press("Enter")
        page.locator("#bench", has_text="1 step").wait_for()
        assert page.locator("[data-key]").nth(0).input_value() is not None
        page.goto("/-/moments/timelines/tm_dusk")
        page.get_by_label("A new moment at step").fill("90")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.locator("#bench", has_text="2 steps").wait_for()
        assert page.get_by_label("Step of moment 2").input_value() == "90"
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_load_state("networkidle")
    with overhaul.open_game(game) as made:
        assert [*made.timelines["tm_dusk"].moments] == [10, 40, 90]
        (track,) = made.sequences["seq_walk"].tracks
        position = next(each for each in track.tracks if each.name == "position")
        assert [round(frame.frame) for frame in position.keyframes] == [0, 39, 60]


def test_frames_of_a_view_by_keyboard(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    with viewer(path) as address, browsing(browser, address) as page:
        page.goto("/in/game28.dta/-/table/views/vEgo")
        check(page, "table-view")
        page.get_by_label("Delay").first.fill("6")
        page.get_by_role("button", name="Move frame 0 down").first.focus()
        page.keyboard.press("Enter")
        page.locator("#bench", has_text="1 step").wait_for()
        assert page.get_by_label("Delay").nth(1).input_value() == "6"
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_load_state("networkidle")
    overhaul.unpack(path, tmp_path / "made")
    assert '"Delay": 6' in (tmp_path / "made/views/vEgo.json").read_text()


def test_controls_of_a_gui_on_its_picture(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    with viewer(path) as address, browsing(browser, address) as page:
        page.goto("/in/game28.dta/-/table/guis/gBar")
        check(page, "table-gui")
        control = page.get_by_role("button", name="bSave (Button)", exact=True)
        box = control.locator(".control").bounding_box()
        scale = box["width"] / 30
        x, y = box["x"] + box["width"] / 3, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 4 * scale, y + 3 * scale, steps=4)
        page.mouse.up()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Control+Shift+ArrowLeft")
        field = '[data-of="/Controls/1"][data-side="{}"]'
        values = [page.locator(field.format(side)).input_value() for side in ("Left", "Width")]
        assert values == ["7", "20"]
        page.get_by_role("button", name="Apply").click()
        page.wait_for_load_state("networkidle")
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_load_state("networkidle")
    overhaul.unpack(path, tmp_path / "made")
    text = (tmp_path / "made/guis/gBar.json").read_text()
    button = text[text.index('"bSave"') :]
    assert '"Left": 7' in button and '"Top": 3' in button and '"Width": 20' in button


def test_a_shader_is_compiled_while_it_is_typed(browser: Any, game: Path) -> None:
    with viewer(game) as address, browsing(browser, address) as page:
        page.goto("/-/file?path=shaders/sh_glow/fragment.glsl")
        said = page.locator(".shader-said")
        said.locator(".good, .mistakes").wait_for()
        source = page.get_by_label("Text", exact=True)
        text = "precision mediump float;\n\nvoid main() {\n\tgl_FragColor = vec4(1.0);\n}\n"
        source.fill(text)
        said.get_by_text("It compiles for WebGL.").wait_for()
        check(page, "shader-file")
        source.fill(text.replace("gl_FragColor", "gl_FragColr", 1))
        said.get_by_role("link", name="line 4").first.click()
        chosen = "it => it.value.slice(it.selectionStart, it.selectionEnd)"
        assert "gl_FragColr" in source.evaluate(chosen)
        source.fill(text.replace("1.0", "fwidth(gl_FragCoord.x)"))  # of an extension
        said.get_by_text("It compiles for WebGL.").wait_for()


def test_points_of_a_curve_are_dragged(browser: Any, tmp_path: Path) -> None:
    game = furnished_lantern(tmp_path / "game.win")
    with viewer(game) as address, browsing(browser, address) as page:
        page.goto("/animation-curves/ac_rise")
        page.get_by_role("link", name="Edit on a canvas").click()
        dot = page.locator(".curvestage .dot")
        dot.nth(1).wait_for()
        check(page, "curve")
        path = page.locator(".curvestage path.line")
        before = path.get_attribute("d")
        box = dot.nth(1).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 2000, y - 30, steps=4)  # not further than the next point
        page.mouse.up()
        assert path.get_attribute("d") != before
        page.keyboard.press("ArrowLeft")
        page.get_by_role("button", name="Apply").click()
        page.locator("#bench").wait_for()
        dot.nth(1).wait_for()
        page.locator(".curvestage path.line").dispatch_event(
            "dblclick", {"clientX": x, "clientY": y}
        )
        page.wait_for_function("document.querySelectorAll('.curvestage .dot').length === 4")
        dot.last.focus()
        page.keyboard.press("Delete")
        page.wait_for_function("document.querySelectorAll('.curvestage .dot').length === 3")
        page.get_by_role("button", name="Save").click()
        page.wait_for_load_state("load")
    with overhaul.open_game(game) as made:
        first, new, second = made.animation_curves["ac_rise"].channels[0].points
        assert (first.x, first.value) == (0, 0)
        assert round(second.x, 4) == 0.99 and second.value > 2
        assert 0 < new.x < second.x
