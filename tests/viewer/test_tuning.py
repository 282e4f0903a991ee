"""Emitters with sliders next to their picture, and what plays along a line of time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import overhaul
from browsing import browsing, check, fits, needs_browser, viewer
from furnished import furnished_lantern
from overhaul.viewer.pages.gamemaker.tuning import _tuned
from overhaul.workbench import FileBench
from overhaul.workbench.forms import FormField
from small_games import game_of
from viewing import HOST, looking_at

EMITTER = "/particle-emitters/Sparks"


@pytest.fixture
def furnished(tmp_path: Path) -> Path:
    return furnished_lantern(tmp_path / "game.win")


def tuned_of(page: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for _, fields in page["tuning"]["sections"] for each in fields}


@pytest.mark.parametrize("release", ["2023.4", "2024.14"])
def test_every_field_of_an_emitter_is_there_once(release: str, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    game = game_of(release)
    emitter = game.emitters.add("Sparks")
    emitter.lifetime_max, emitter.gravity_direction = 900.0, -45.0
    path.write_bytes(game.to_bytes())
    bench = FileBench(str(path))
    bench.load()
    stored = json.loads(bench.read("particle_emitters/Sparks.json"))
    bench.close()
    with looking_at(path) as client:
        page = client.get(f"{EMITTER}.json").json()
        text = client.get(EMITTER).text
        tuned = tuned_of(page)
        shown = [each["name"] for _, fields in page["tuning"]["sections"] for each in fields]
        assert sorted(shown) == sorted(stored) and text.count('type="range"') > 20
        played = client.get(f"{EMITTER}/play").json()["emitters"][0]["numbers"]
    sets = {name for each in tuned.values() for name in each["sets"]}
    untold = set(played) - sets  # what is played follows from some field, if the release has it
    assert {name.partition("_")[0] for name in untold} <= {"delay", "interval"}
    assert not untold or release == "2023.4"
    assert (tuned["lifetime_max"]["low"], tuned["lifetime_max"]["high"]) == (0, 900)
    assert (tuned["gravity_direction"]["low"], tuned["gravity_direction"]["high"]) == (-45, 360)
    assert tuned["start_colour"]["colour"] and not tuned["start_colour"]["step"]
    wide = tuned["size_min" if release == "2023.4" else "size_min_x"]
    assert wide["sets"] == (["size_min_x", "size_min_y"] if release == "2023.4" else ["size_min_x"])
    count = tuned["emit_count_whole" if release == "2023.4" else "emit_count"]
    assert count["sets"] == ["emit_count"] and (count["low"], count["high"]) == (0, 100)


def test_what_is_no_number_has_no_slider() -> None:
    assert not _tuned(FormField("/speed_min", "speed_min", "number", "fast")).step
    assert not _tuned(FormField("/enabled", "enabled", "flag", "yes")).step
    assert _tuned(FormField("/speed_min", "speed_min", "number", "2.0")).step


def test_an_emitter_is_changed_on_its_page(furnished: Path) -> None:
    with looking_at(furnished) as client:
        page = client.get(f"{EMITTER}.json").json()
        tuning = page["tuning"]
        sent = {"f:/lifetime_max": "33.5", "before": tuning["before"], "back": "1", "do": "save"}
        answer = client.post(tuning["action"], headers={"Origin": HOST}, data=sent)
        assert answer.status_code == 200 and answer.url.path == EMITTER
        after = tuned_of(client.get(f"{EMITTER}.json").json())
        assert after["lifetime_max"]["field"]["text"] == "33.5"
        steps = client.get("/-/steps.json").json()["done"]
        assert steps[0]["label"] == "Edit particle_emitters/Sparks.json"
        system = client.get("/particle-systems/ps_fire.json").json()
        assert system["tuning"] is None
        sections = system["emitters"][0]["sections"]
        facts = {fact["name"]: fact["text"] for each in sections for fact in each["facts"]}
        assert facts["lifetime max"] == "33.5"


def test_a_timeline_is_as_quick_as_its_game(furnished: Path, tmp_path: Path) -> None:
    with looking_at(furnished) as client:
        page = client.get("/timelines/tm_dusk.json").json()
        assert page["fps"] == overhaul.open_game(furnished).general.game_speed
        text = client.get("/timelines/tm_dusk").text
        assert text.count('data-at="') == 2 and 'visibility="hidden"' in text
    old = furnished_lantern(tmp_path / "old.win", "gms1")
    with looking_at(old) as client:
        assert client.get("/timelines/tm_dusk.json").json()["fps"] == 30


def test_moments_of_a_sequence_stand_on_its_line(furnished: Path) -> None:
    with looking_at(furnished) as client:
        text = client.get("/sequences/seq_walk").text
        page = client.get("/sequences/seq_walk.json").json()
    keys = sum(len(track["keys"]) for track in page["tracks"])
    assert text.count('data-at="') == keys + len(page["moments"]) + len(page["broadcasts"])
    for part in ("<i>0</i>", "<i>15</i>", "<i>60</i>", "<title>30: "):
        assert part in text


@needs_browser
def test_sliders_move_the_picture(browser: Any, furnished: Path) -> None:
    with viewer(furnished) as address, browsing(browser, address) as page:
        page.goto(EMITTER)
        page.wait_for_selector(".playing:not([hidden])")
        check(page, "tuning")
        page.set_viewport_size({"width": 390, "height": 800})
        fits(page, "tuning-phone")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.get_by_label("emit count, slider").fill("40")
        assert page.input_value('input[name="f:/emit_count"]') == "40"
        page.get_by_label("start colour, picker").fill("#ff8000")
        page.get_by_label("start colour, alpha").fill("128")
        assert page.input_value('input[name="f:/start_colour"]') == str(0x800080FF)
        page.wait_for_function(
            "() => Number(/(\\\\d+) particles/.exec(document.querySelector('.playing output')"
            ".textContent)[1]) >= 40".replace("\\\\", "\\")
        )
        page.get_by_role("button", name="Apply").last.click()
        page.wait_for_selector("#bench")
        assert page.input_value('input[name="f:/emit_count"]') == "40.0"


@needs_browser
def test_a_timeline_is_played_and_scrubbed(browser: Any, furnished: Path) -> None:
    with viewer(furnished) as address, browsing(browser, address) as page:
        page.emulate_media(reduced_motion="no-preference")
        page.goto("/timelines/tm_dusk")
        page.click('[data-do="after"]')
        assert page.inner_text(".at") == "10" and page.locator("#step10.now").count() == 1
        page.click('[data-do="after"]')
        assert page.inner_text(".at") == "40" and page.locator(".now").count() == 2
        page.click('[data-do="play"]')
        page.wait_for_function("() => document.querySelector('.at').textContent !== '40'")
        page.click('[data-do="play"]')
        page.emulate_media(reduced_motion="reduce")
        page.goto("/sequences/seq_walk")
        page.click(".track svg >> nth=1", position={"x": 2, "y": 12})
        assert page.inner_text(".at") == "0" and page.locator(".track details[open]").count() == 0
        page.click('[data-do="play"]')  # without motion, it goes on to the next key frame
        assert page.inner_text(".at") == "30"
        page.wait_for_selector('.now[src$="frames/30.png"]')
