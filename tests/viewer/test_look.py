"""Pages with pictures and sounds: sprites, rooms, texture pages, sounds."""

from __future__ import annotations

import io
import wave
import zipfile
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import overhaul
from overhaul.errors import FormatError
from overhaul.gamemaker.data.resources.rooms import Room
from overhaul.media import canvas
from overhaul.media.audio_check import peaks
from overhaul.media.canvas import Drawing
from overhaul.viewer.pages.gamemaker import fonts
from overhaul.viewer.thumbnails import SIDE
from viewing import looking_at


def picture(answer: httpx2.Response) -> NDArray[np.uint8]:
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/png"
    return np.asarray(Image.open(io.BytesIO(answer.content)).convert("RGBA"))


def test_a_sprite_has_its_frames_masks_and_files(lantern: Path) -> None:
    with overhaul.open_game(lantern) as game:
        sprite = game.sprites["spr_keeper"]
        images = [frame.image for frame in sprite.frames]
        frames = [np.asarray(image) for image in images if image is not None]
        origin, bbox, mask, fps = sprite.origin, sprite.bbox, sprite.mask, sprite.fps
    with looking_at(lantern) as client:
        page = client.get("/sprites/spr_keeper.json").json()
        shown = [picture(client.get(href)) for href in page["frames"]]
        strip = picture(client.get("/sprites/spr_keeper/strip.png"))
        red = [picture(client.get(href)) for href in page["masks"]]
        gif = client.get("/sprites/spr_keeper/animation.gif")
        apng = client.get("/sprites/spr_keeper/animation.png")
        zipped = client.get("/sprites/spr_keeper/frames.zip")
        text = client.get("/sprites/spr_keeper").text
        for wrong in ("frames/2.png", "frames/-1.png", "frames/x.png", "masks/9.png"):
            assert client.get(f"/sprites/spr_keeper/{wrong}").status_code == 404, wrong
    assert (tuple(page["origin"]), tuple(page["bbox"]), page["fps"]) == (origin, bbox, fps)
    for one, other in zip(shown, frames, strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(strip, np.concatenate(frames, axis=1))
    assert len(red) == (mask is not None)
    for each in red:
        assert mask is not None
        assert np.array_equal(each[..., 3] > 0, mask)
    assert 'filename="spr_keeper_strip2.png"' in client_header(lantern, "strip.png")
    for moving in (gif, apng):
        opened = Image.open(io.BytesIO(moving.content))
        assert getattr(opened, "n_frames", 1) == len(frames)
    with zipfile.ZipFile(io.BytesIO(zipped.content)) as archive:
        assert archive.namelist() == ["0.png", "1.png"]
    assert 'data-behaviour="player"' in text


def client_header(lantern: Path, part: str) -> str:
    with looking_at(lantern) as client:
        answer = client.get(f"/sprites/spr_keeper/{part}")
        return str(answer.headers["content-disposition"])


def test_a_room_comes_in_tiles(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern) as game:
        room = game.rooms[0]
        room.width, room.height = 700, 1100
        name, ids = room.name, {instance.id for instance in room.instances}
        whole = np.asarray(room.image())
        layers = [layer.name for layer in room.layers] if game.release.major >= 2 else []
        last = np.asarray(room.image(layers=[layers[-1]] if layers else ["foregrounds"]))
        number = len(layers) - 1 if layers else 3
        game.save(path)
    with looking_at(path) as client:
        page = client.get(f"/rooms/{name}.json").json()
        tiles = {
            (x, y): picture(client.get(f"/rooms/{name}/tiles/0/{x}/{y}.png"))
            for x in range(2)
            for y in range(3)
        }
        half = picture(client.get(f"/rooms/{name}/tiles/1/0/1.png"))
        small = picture(client.get(f"/rooms/{name}/picture.png"))
        alone = picture(client.get(f"/rooms/{name}/tiles/0/0/0.png?layers={number}"))
        for wrong in ("tiles/0/2/0.png", "tiles/7/0/0.png", "tiles/0/0.png", "tiles/a/0/0.png"):
            assert client.get(f"/rooms/{name}/{wrong}").status_code == 404, wrong
        text = client.get(f"/rooms/{name}").text
    rows = [np.concatenate([tiles[0, y], tiles[1, y]], axis=1) for y in range(3)]
    assert np.array_equal(np.concatenate(rows), whole)
    assert half.shape[:2] == (38, 350)
    assert small.shape[0] == 1024
    assert np.array_equal(alone, last[:512, :512])
    assert {each["id"] for each in page["instances"]} == ids
    assert (page["width"], page["height"], page["count"]) == (700, 1100, len(ids))
    assert '<a href="/objects/obj_keeper">obj_<wbr>keeper</a>' in text


def test_an_instance_is_boxed_where_its_sprite_is_drawn(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern) as game:
        room, sprite = game.rooms[0], game.sprites["spr_keeper"]
        it = next(i for i in room.instances if i.object and i.object.name == "obj_keeper")
        it.x, it.y, it.scale_x, it.scale_y = 100, 50, -2.0, 3.0
        number, name, (ox, oy) = it.id, room.name, sprite.origin
        width, height = sprite.width, sprite.height
        game.save(path)
    with looking_at(path) as client:
        page = client.get(f"/rooms/{name}.json").json()
    box = next(each for each in page["instances"] if each["id"] == number)
    assert (box["width"], box["height"]) == (2 * width, 3 * height)
    assert box["left"] == 100 - 2 * (width - ox)
    assert box["top"] == 50 - 3 * oy


def test_a_texture_page_knows_whose_its_pictures_are(lantern: Path) -> None:
    with looking_at(lantern) as client:
        page = client.get("/texture-pages/0.json").json()
        text = client.get("/texture-pages/0").text
        whole = picture(client.get(page["picture"]))
    assert whole.shape[:2] == (page["height"], page["width"])
    owned = {
        (owner["link"]["text"], frame)
        for each in page["rectangles"]
        for owner in each["owners"]
        for frame in owner["frames"]
    }
    assert ("spr_keeper", 1) in owned
    for each in page["rectangles"]:
        assert each["owners"][0]["link"]["href"].startswith("/")
        assert each["x"] + each["width"] <= page["width"]
    assert "<title>spr_keeper 1</title>" in text


def test_a_sound_is_played_and_drawn(lantern: Path) -> None:
    with overhaul.open_game(lantern) as game:
        data = game.sounds["snd_catch"].bytes
    with looking_at(lantern) as client:
        page = client.get("/sounds/snd_catch.json").json()
        answer = client.get(page["audio"])
        wrong = client.get("/sounds/snd_catch/sound.ogg").status_code
    assert answer.content == data
    assert answer.headers["content-type"] == "audio/wav"
    assert page["waveform"].count("M") == 400
    assert page["bytes"] == len(data or b"")
    assert wrong == 404


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_peaks_of_every_size_of_sample(width: int) -> None:
    full = (1 << (8 * width - 1)) - 1
    values = [0, full, -full, full // 2]
    raw = b"".join(
        (v + 128).to_bytes(1, "little") if width == 1 else v.to_bytes(width, "little", signed=True)
        for v in values
    )
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(width)
        out.setframerate(8000)
        out.writeframes(raw)
    found = peaks(file.getvalue(), 2)
    assert [pytest.approx(pair, abs=0.02) for pair in ((0, 1), (-1, 0.5))] == found
    assert len(peaks(file.getvalue(), 100)) == 4


def test_what_is_no_wave_is_reported() -> None:
    with pytest.raises(FormatError, match="not a WAV file"):
        peaks(b"OggS" + bytes(60), 10)


def test_a_text_is_set_in_a_font(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern) as game:
        boxes = {"a": (0, 0, 5, 9), "b": (6, 0, 4, 9)}
        game.fonts.add("fnt_small", Image.new("RGBA", (16, 16), (255, 255, 255, 255)), boxes)
        game.fonts["fnt_small"].glyphs["a"].shift = 7
        game.save(path)
    with looking_at(path) as client:
        page = client.get("/fonts/fnt_small.json?text=ab?a").json()
        text = client.get("/fonts/fnt_small?text=<b>").text
        whole = picture(client.get(page["picture"]))
    assert page["missing"] == ["?"]
    lefts = [each["left"] for each in page["placed"]]
    assert lefts[:2] == [0, 7]
    assert [each["x"] for each in page["placed"]] == [0, 6, 0]
    assert {each["character"] for each in page["glyphs"]} == {"a", "b"}
    assert (page["picture_width"], page["picture_height"]) == whole.shape[1::-1]
    assert "<b>" not in text.replace("<b></b>", "")
    assert "&lt;b&gt;" in text
    # 9 pixels high: shown at whole numbers of times that, each glyph cut out of its own box
    assert (page["zoom"], page["text_zoom"]) == (6, 4)
    glyph = '<svg viewBox="0 0 4 9" width="24" height="54"'
    inner = '<svg x="0" y="0" width="4" height="9" viewBox="6 0 4 9"><image '
    assert inner in text.partition(glyph)[2].partition("</li>")[0]


@pytest.mark.parametrize(
    ("size", "room", "zoom"), [(9, 56, 6), (10, 56, 5), (29, 56, 1), (80, 56, 1), (0, 56, 6)]
)
def test_small_fonts_are_shown_at_whole_numbers_of_times(size: int, room: int, zoom: int) -> None:
    assert fonts._zoom(size, room) == zoom


def test_paths_are_drawn_as_they_run(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    corners = [(0, 0), (100, 0), (100, 50)]
    with overhaul.open_game(lantern) as game:
        game.paths.add("path_straight", corners)
        game.paths.add("path_closed", corners)
        game.paths["path_closed"].closed = True
        game.paths.add("path_smooth", corners)
        game.paths["path_smooth"].smooth = True
        game.save(path)
    with looking_at(path) as client:
        drawn = {
            name: client.get(f"/paths/path_{name}.json").json()["lines"][0]
            for name in ("straight", "closed", "smooth")
        }
        assert client.get("/paths/path_smooth").status_code == 200
    assert drawn["straight"]["path"] == "M0 0 L100 0 L100 50"
    assert drawn["closed"]["path"] == "M0 0 L100 0 L100 50 Z"
    assert [(dot["x"], dot["y"]) for dot in drawn["straight"]["dots"]] == corners
    assert drawn["smooth"]["path"] == "M0 0 L50 0 Q100 0 100 25 L100 50"


def test_a_tile_set_shows_its_tiles(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern) as game:
        if game.release.major < 2:
            pytest.skip("tile sets came with GameMaker 2")
        tiles = game.tile_sets.add("ts_cave", Image.new("RGBA", (64, 32)), tile_size=(16, 16))
        cell = (16 + 2 * tiles.border_x, 16 + 2 * tiles.border_y)
        border, columns, count = (tiles.border_x, tiles.border_y), tiles.columns, tiles.tile_count
        game.save(path)
    with looking_at(path) as client:
        page = client.get("/backgrounds/ts_cave.json").json()
        text = client.get("/backgrounds/ts_cave").text
    assert (page["count"], len(page["tiles"])) == (count, count)
    last = page["tiles"][-1]
    number = count - 1
    assert last["number"] == number
    assert last["x"] == number % columns * cell[0] + border[0]
    assert last["y"] == number // columns * cell[1] + border[1]
    assert f"<title>tile {number}</title>" in text


def test_sprites_without_a_name_have_pages(lantern: Path, tmp_path: Path) -> None:
    with overhaul.open_game(lantern) as game:
        first, second = game.records.sprites[0], game.records.sprites[1]
        sizes = [(each.width, each.height) for each in (first, second)]
        first.name = second.name = None
        path = tmp_path / "nameless.win"
        path.write_bytes(game.to_bytes())
    with looking_at(path) as client:
        rows = client.get("/sprites.json").json()["rows"]
        shown = [client.get(f"{row['href']}.json").json() for row in rows[:2]]
        pictures = [picture(client.get(page["frames"][0])) for page in shown]
    assert [row["name"] for row in rows[:2]] == ["", ""]
    assert [(width, height) for height, width, _ in (each.shape for each in pictures)] == sizes


def test_thumbnails_are_small(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "large.win"
    with overhaul.open_game(lantern) as game:
        halves = np.zeros((496, 992, 4), np.uint8)
        halves[:, :496], halves[:, 496:] = (255, 0, 0, 255), (0, 0, 255, 255)
        image = Image.fromarray(halves)
        game.sprites.add("spr_large", frames=[image])
        game.backgrounds.add("bg_large", image)
        game.fonts.add("fnt_large", image, {"a": (0, 0, 496, 496)})
        game.sprites.add("spr_line", frames=[Image.new("RGBA", (1000, 1), "red")])
        game.save(path)
    with looking_at(path) as client:
        for address in ("/sprites/spr_large", "/backgrounds/bg_large", "/fonts/fnt_large"):
            shown = picture(client.get(f"{address}/thumbnail.png"))
            assert shown.shape == (SIDE // 2, SIDE, 4), address
            assert shown[5, 5].tolist() == [255, 0, 0, 255]
            assert shown[-5, -5].tolist() == [0, 0, 255, 255]
        assert max(picture(client.get("/backgrounds/bg_large/picture.png")).shape) >= 992
        assert picture(client.get("/sprites/spr_large/frames/0.png")).shape == (496, 992, 4)
        assert picture(client.get("/sprites/spr_line/thumbnail.png")).shape == (1, SIDE, 4)
        pages = client.get("/texture-pages.json").json()["rows"]
        sizes = [picture(client.get(page["thumbnail"])).shape[:2] for page in pages]
        small = client.get("/sprites/spr_keeper/thumbnail.png").content
        whole = client.get("/sprites/spr_keeper/frames/0.png").content
    assert max(max(size) for size in sizes) == SIDE
    assert small == whole


def test_a_thumbnail_of_nothing_shows_nothing(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "none.win"
    with overhaul.open_game(lantern) as game:
        game.fonts.add("fnt_none", Image.new("RGBA", (4, 4)), {"a": (0, 0, 4, 4)})
        game.fonts["fnt_none"].record.texture = None
        game.save(path)
    with looking_at(path) as client:
        assert picture(client.get("/fonts/fnt_none/thumbnail.png")).tolist() == [[[0, 0, 0, 0]]]
        assert client.get("/fonts/fnt_none/picture.png").status_code == 404


def test_a_room_is_made_ready_once_for_all_its_tiles(
    lantern: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    ready = Room.drawing

    def drawing(room: Room, **how: Any) -> Drawing:
        made.append(how["layers"])
        return ready(room, **how)

    monkeypatch.setattr(Room, "drawing", drawing)
    with looking_at(lantern) as client:
        for part in ("tiles/0/0/0.png", "tiles/1/0/0.png", "picture.png", "thumbnail.png"):
            assert client.get(f"/rooms/rm_cave/{part}").status_code == 200
        client.get("/rooms/rm_cave/tiles/0/0/0.png?layers=0")
        client.get("/rooms/rm_cave/tiles/1/0/0.png?layers=0")
        first = client.site.documents[0]
        assert len(made) == 2
        assert made[0] is None and made[1] is not None
        first.reload()
        client.get("/rooms/rm_cave/tiles/0/0/0.png")
    assert len(made) == 3


def test_a_large_room_is_drawn_quickly(
    lantern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scales: list[float] = []
    monkeypatch.setattr(canvas, "_STRIP", 1 << 18)
    paint = canvas.Canvas.fill

    def fill(drawn: canvas.Canvas, colour: canvas.RGBA) -> None:
        scales.append(drawn.scale)
        paint(drawn, colour)

    monkeypatch.setattr(canvas.Canvas, "fill", fill)
    path = tmp_path / "large.win"
    with overhaul.open_game(lantern) as game:
        game.rooms["rm_cave"].width = game.rooms["rm_cave"].height = 6000
        game.save(path)
    with looking_at(path) as client:
        assert picture(client.get("/rooms/rm_cave/thumbnail.png")).shape == (160, 160, 4)
        assert max(scales) < 0.2
        scales.clear()
        assert picture(client.get("/rooms/rm_cave/tiles/0/1/1.png")).shape == (512, 512, 4)
        assert set(scales) == {1}
