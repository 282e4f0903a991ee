"""Pages of what happens over time: timelines, sequences, particles; and shaders."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import overhaul
from overhaul.gamemaker.data.chunks.seqn import AnimationCurve, CurveChannel, CurvePoint
from overhaul.viewer.templates import breaks
from small_games import game_of
from viewing import links_of, looking_at

PRELUDE = "uniform mat4 gm_Matrices[5];\n#define _YY_GLSLES_ 1\n"
RED = (255, 0, 0, 255)


@pytest.fixture
def current(tmp_path: Path) -> Path:
    """The demo game of today with things that it lacks."""
    path = tmp_path / "game.win"
    overhaul.pack(Path(__file__).resolve().parents[2] / "examples/lantern/current", path)
    return path


def test_a_timeline_has_its_moments_in_order(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern) as game:
        long = "\n".join(f"x += {n};" for n in range(6))
        game.timelines.add("tm_dusk", {40: "x = 1;", 10: long})
        game.timelines.add("tm_empty")
        name = game.timelines["tm_dusk"].moments[10].code
        assert name is not None
        code = name.name
        game.save(path)
    with looking_at(path) as client:
        page = client.get("/timelines/tm_dusk.json").json()
        text = client.get("/timelines/tm_dusk").text
        empty = client.get("/timelines/tm_empty").text
        assert client.get(page["moments"][0]["code"]["href"]).status_code == 200
    assert [each["step"] for each in page["moments"]] == [10, 40]
    assert [each["place"] for each in page["moments"]] == [0.25, 1]
    assert (page["last"], page["count"]) == (40, 2)
    assert page["moments"][0]["first"] == ["x += 0;", "x += 1;", "x += 2;", "x += 3;"]
    assert [each["more"] for each in page["moments"]] == [2, 0]
    assert f'<a href="/code/{code}">' in text
    assert 'href="#step10"' in text
    assert 'id="step10"' in text
    assert "2 more lines" in text
    assert "It has no moments." in empty


def test_a_sequence_is_drawn_at_a_frame_and_its_values_plotted(current: Path) -> None:
    with overhaul.open_game(current) as game:
        game.sprites.add("spr_dot", frames=[Image.new("RGBA", (4, 4), RED)])
        sequence = game.sequences.add("seq_move", length=20, speed=10, playback="loop")
        track = sequence.tracks.add(game.sprites["spr_dot"], start=5, length=10)
        track.tracks.add_values("position", {0: (0, 0), 10: (8, 2)})
        game.sequences.add("seq_empty")
        game.save(current, force=True)
    with looking_at(current) as client:
        page = client.get("/sequences/seq_move.json?frame=10").json()
        text = client.get("/sequences/seq_move?frame=10").text
        shown = client.get(page["picture"])
        wrong = [client.get(f"/sequences/seq_move/frames/{n}.png") for n in ("21", "-1", "x")]
        last = client.get("/sequences/seq_move.json?frame=99").json()
        empty = client.get("/sequences/seq_empty").text
        none = client.get("/sequences/seq_empty/frames/0.png")
        small = client.get("/sequences/seq_move/thumbnail.png")
    assert (page["length"], page["fps"], page["playback"], page["last"]) == (20, 10, "loop", 20)
    # it is shown from frame 5 to 15, and moves until frame 10
    assert page["area"] == [4, 1, 8, 5]
    assert page["picture"] == "/sequences/seq_move/frames/10.png"
    pixels = np.asarray(Image.open(io.BytesIO(shown.content)).convert("RGBA"))
    assert pixels.shape == (5, 8, 4)
    assert pixels[1:5, 4:8].tolist() == [[list(RED)] * 4] * 4
    assert pixels[..., 3].astype(bool).sum() == 16
    assert [answer.status_code for answer in wrong] == [404] * 3
    assert last["frame"] == 20
    rows = page["tracks"]
    assert [(row["name"], row["kind"], row["depth"]) for row in rows] == [
        ("spr_dot", "Graphic", 0), ("position", "Real", 1),
    ]  # fmt: skip
    key = rows[0]["keys"][0]
    assert (key["start"], key["end"], key["about"]) == (5, 15, "spr_dot")
    assert key["href"] == "/sprites/spr_dot"
    assert rows[0]["lines"] == []
    assert (rows[1]["low"], rows[1]["high"]) == (0, 8)
    across, down = rows[1]["lines"]
    assert across.startswith("M0 37.00 L")
    assert "L10 3.00" in across
    assert across.endswith("L20 3.00")
    assert "L10 28.50" in down
    assert 'class="playhead" d="M10 0 V40"' in text
    assert "It shows no picture." in empty
    assert "It has no tracks." in empty
    assert none.status_code == 404
    assert Image.open(io.BytesIO(small.content)).size == (8, 5)


def test_a_shader_shows_what_its_author_wrote(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    fragment = "uniform vec2 u_size;\nvoid main() { discard; }\n"
    with overhaul.open_game(lantern) as game:
        game.shaders.add("sh_glow", PRELUDE + "void main() {}", PRELUDE + fragment, glsl=("a", ""))
        assert game.shaders["sh_glow"].uniforms == [("vec2", "u_size")]
        game.save(path)
    with looking_at(path) as client:
        page = client.get("/shaders/sh_glow.json").json()
        text = client.get("/shaders/sh_glow").text
    assert page["uniforms"] == [["vec2", "u_size"]]
    assert page["attributes"] == ["in_Position", "in_Colour", "in_TextureCoord"]
    assert [each["title"] for each in page["main"]] == ["vertex.glsl", "fragment.glsl"]
    assert [each["title"] for each in page["others"]] == ["desktop_vertex.glsl"]
    shown = page["main"][1]
    assert [line["number"] for line in shown["prelude"]] == [1, 2]
    assert [line["number"] for line in shown["lines"]] == [3, 4]
    parts = [(part["text"], part.get("role", "")) for part in shown["lines"][1]["parts"]]
    assert ("void", "constant") in parts
    assert ("discard", "keyword") in parts
    assert 'id="fragment.glsl-L3"' in text
    assert '<span class="role-keyword">discard</span>' in text


def test_particles_are_shown_over_their_life(current: Path) -> None:
    with overhaul.open_game(current) as game:
        for _ in range(2):
            game.emitters.add("Spark" if not len(game.emitters) else "Smoke")
        spark, smoke = game.emitters
        spark.start_colour, spark.mid_colour = (255, 0, 0, 255), (0, 255, 0, 51)
        spark.end_colour = (0, 0, 255, 0)
        spark.lifetime_min, spark.lifetime_max = 4, 8
        spark.size_min_x, spark.size_max_x, spark.size_increase_x = 1.0, 2.0, -0.25
        spark.sprite = game.sprites["spr_keeper"]
        spark.spawn_on_death = smoke
        assert spark.widths_at(0) == (1, 2)
        assert spark.widths_at(8) == (0, 0)
        assert spark.widths_at(6) == (0, 0.5)
        game.particle_systems.add("ps_fire", [spark, smoke])
        game.save(current, force=True)
    with looking_at(current) as client:
        page = client.get("/particle-systems/ps_fire.json").json()
        text = client.get("/particle-systems/ps_fire").text
        played = client.get("/particle-systems/ps_fire/play").json()
        one_alone = client.get("/particle-emitters/Spark/play").json()
        alone = client.get("/particle-emitters/Smoke.json").json()
        links = set(links_of(text, "/particle-systems/ps_fire"))
    one = page["emitters"][0]
    assert page["count"] == 2
    assert one["emitter"] == {"text": "Spark", "href": "/particle-emitters/Spark"}
    assert one["stops"] == [
        {"place": 0, "colour": "#ff0000", "alpha": 1},
        {"place": 0.5, "colour": "#00ff00", "alpha": 0.2},
        {"place": 1, "colour": "#0000ff", "alpha": 0},
    ]
    assert one["life"] == [4, 8]
    assert one["largest"] == 2
    # from 2 and 1 at the first step to nothing at the last
    assert one["sizes"].startswith("M0 0.00 L")
    assert "L240 60.00 L240 60.00 L" in one["sizes"]
    assert one["sizes"].endswith("L0 30.00 Z")
    facts = {fact["name"]: fact for section in one["sections"] for fact in section["facts"]}
    assert facts["sprite"]["href"] == "/sprites/spr_keeper"
    assert facts["spawn on death"]["href"] == "/particle-emitters/Smoke"
    assert facts["start colour"] == {"name": "start colour", "text": "#ff0000", "colour": "#ff0000"}
    assert facts["lifetime max"]["text"] == "8"
    assert facts["emit relative"]["text"] == "no"
    assert one["picture"] == "/sprites/spr_keeper/thumbnail.png"
    assert {"/particle-emitters/Spark", "/particle-emitters/Smoke"} <= links
    assert 'stop-color="#00ff00" stop-opacity="0.2"' in text
    assert [each["emitter"]["text"] for each in alone["emitters"]] == ["Smoke"]
    assert alone["facts"] == []
    assert 'data-played="/particle-systems/ps_fire/play"' in text
    assert (played["count"], len(played["emitters"])) == (2, 2)
    assert played["emitters"][0]["colours"] == [0xFF0000, 0x00FF00, 0x0000FF]
    assert played["emitters"][0]["alphas"] == [1, 0.2, 0]
    assert played["emitters"][0]["spawn_on_death"] == 1
    assert played["emitters"][0]["picture"]["frames"][1] == "/sprites/spr_keeper/frames/1.png"
    assert played["emitters"][1]["picture"] is None
    # alone, it plays; what its particles leave behind comes with it
    assert (one_alone["count"], len(one_alone["emitters"])) == (1, 2)


def test_emitters_of_one_name_have_pages_of_their_own(current: Path) -> None:
    with overhaul.open_game(current) as game:
        for speed in (1, 2):
            game.emitters.add(f"Emitter{speed}").speed_min = speed
        for emitter in game.emitters:
            emitter.record.name = game.strings.add("Emitter")
        game.particle_systems.add("ps_two", list(game.emitters))
        game.save(current, force=True)
    with looking_at(current) as client:
        page = client.get("/particle-systems/ps_two.json").json()
        shown = [client.get(f"{e['emitter']['href']}.json").json() for e in page["emitters"]]
    for number, each in enumerate(shown, 1):
        facts = {f["name"]: f["text"] for s in each["emitters"][0]["sections"] for f in s["facts"]}
        assert facts["speed min"] == str(number)


def test_the_record_of_a_resource_comes_when_it_is_asked_for(lantern: Path) -> None:
    with looking_at(lantern) as client:
        text = client.get("/sprites/spr_keeper").text
        fields = client.get("/sprites/spr_keeper.json").json()["fields"]
        piece = client.get("/-/record/sprites/spr_keeper", headers={"HX-Request": "true"}).text
        whole = client.get("/-/record/sprites/spr_keeper").text
        record = client.get("/-/record/sprites/spr_keeper.json").json()
        assert client.get("/-/record/sprites/spr_nobody").status_code == 404
        assert client.get("/-/record/sprites").status_code == 404
        table = client.get("/tables/strings").text
    assert 'hx-get="/-/record/sprites/spr_keeper"' in text
    assert "<dt>origin</dt>" not in text
    assert record["fields"] == fields
    assert "<html" not in piece
    for key in fields:
        assert f"<dt>{breaks(key)}</dt>" in piece
    assert "<h1>Record of spr_keeper</h1>" in whole
    assert "<dt>" in whole
    assert "raw record" not in table


def test_the_json_beside_a_sound_is_its_record(lantern: Path) -> None:
    with looking_at(lantern) as client:
        page = client.get("/sounds/snd_catch.json").json()
        record = client.get("/-/record/sounds/snd_catch.json").json()["fields"]
    assert record == page["fields"]
    assert record["file"] == "snd_catch.wav"
    assert page["files"] == []
    assert [(each["name"], each["text"]) for each in page["facts"]] == [
        ("volume", "1"), ("pitch", "0"), ("file name", "snd_catch.wav"),
    ]  # fmt: skip


def test_a_curve_is_an_open_line_in_its_box(tmp_path: Path) -> None:
    game = game_of("2024.13")
    name = game.strings.add("curve")
    points = [CurvePoint(0.0, 2.0), CurvePoint(0.5, 1.0), CurvePoint(1.0, 2.0)]
    game.records.curves.append(AnimationCurve(name, channels=[CurveChannel(name, points=points)]))
    game.save(tmp_path / "game.win")
    with looking_at(tmp_path / "game.win") as client:
        page = client.get("/animation-curves/curve.json").json()
    (line,) = page["lines"]
    ends = [(dot["x"], dot["y"]) for dot in line["dots"]]
    assert ends[0][1] == ends[2][1] == 0 and ends[1][0] * 2 == ends[2][0]
    assert line["path"] == "M" + " L".join(f"{x:g} {y:g}" for x, y in ends)
