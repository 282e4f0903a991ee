"""Frames, sounds, letters and masks edited in the viewer."""

from __future__ import annotations

import io
import json
import zlib
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
from PIL import Image

import overhaul
from ags_package import package
from furnished import furnish
from overhaul.errors import WorkspaceError
from overhaul.viewer.opened import Opened
from overhaul.workbench import pictures
from sound_files import wave
from typefaces import typeface
from viewing import HOST, Browser, looking_at


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    return client.post(address, headers={"Origin": HOST}, **sent)


def picture(width: int, height: int, *colours: tuple[int, int, int], kind: str = "PNG") -> bytes:
    data = io.BytesIO()
    first, *others = (Image.new("RGB", (width, height), colour) for colour in colours)
    more: dict[str, Any] = {"save_all": True, "append_images": others} if kind == "GIF" else {}
    first.save(data, kind, **more)
    return data.getvalue()


def frames(client: Browser) -> list[bytes]:
    """The pixels of the frames of a sprite, as the library gives them."""
    page = client.get("/-/frames/sprites/spr_keeper.json").json()
    made = []
    for href in page["frames"]:
        image = Image.open(io.BytesIO(client.get(href).content)).convert("RGBA")
        made.append(image.tobytes())
    return made


def test_frames_are_put_in_order(game: Path) -> None:
    where = "/-/frames/sprites/spr_keeper"
    with looking_at(game) as client:
        assert "Edit frames" in client.get("/sprites/spr_keeper").text
        assert client.get(where).status_code == 200
        old = frames(client)
        assert len(old) > 1
        assert post(client, where, data={"order": "1 0 0"}).status_code == 200
        assert frames(client) == [old[1], old[0], old[0]]
        assert post(client, where, data={"order": "2"}).status_code == 200
        assert frames(client) == [old[0]]
        for wrong in ("", "7", "-1", "x", "0 " * 5000, "1e9"):
            assert post(client, where, data={"order": wrong}).status_code == 422, wrong
        post(client, "/-/undo")
        post(client, "/-/undo")
        assert frames(client) == old


def test_pictures_become_frames(game: Path) -> None:
    where = "/-/frames/sprites/spr_keeper"
    with looking_at(game) as client:
        page = client.get(f"{where}.json").json()
        width, height = page["width"], page["height"]
        old = frames(client)
        red, green = (200, 0, 0), (0, 200, 0)
        png = picture(width, height, red)
        assert post(client, f"{where}?do=add&name=a.png", content=png).status_code == 200
        assert frames(client)[:-1] == old
        gif = picture(width, height, red, green, (0, 0, 200), kind="GIF")
        assert post(client, f"{where}?do=replace&name=a.gif", content=gif).status_code == 200
        assert len(frames(client)) == 3
        strip = picture(2 * width, height, green)
        done = post(client, f"{where}?do=replace&name=b_strip2.png", content=strip)
        assert done.status_code == 200
        assert len(frames(client)) == 2
        larger = picture(width + 3, height + 5, green)
        assert post(client, f"{where}?do=replace&name=c.png", content=larger).status_code == 200
        assert client.get(f"{where}.json").json()["width"] == width + 3
        for name, body in (
            ("a.png", b""), ("a.png", b"no picture"), ("b_strip3.png", png[:60]),
            ("b_strip7.png", strip), ("../../x.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 50),
        ):  # fmt: skip
            answer = post(client, f"{where}?do=add&name={name}", content=body)
            assert answer.status_code == 422, name
        assert post(client, "/-/save").status_code == 200
    with overhaul.open(game) as saved:
        saved.decode()


def test_a_picture_of_too_many_pixels_is_refused(game: Path) -> None:
    huge = io.BytesIO()
    Image.new("1", (30_000, 30_000)).save(huge, "PNG", compress_level=1)
    with looking_at(game) as client:
        for do in ("add", "replace"):
            where = f"/-/frames/sprites/spr_keeper?do={do}&name=a.png"
            assert post(client, where, content=huge.getvalue()).status_code == 422
        file = "/-/replace/sprites/spr_keeper?file=sprites/spr_keeper/0.png"
        assert post(client, file, content=huge.getvalue()).status_code == 422


def test_a_sound_is_added(game: Path) -> None:
    with looking_at(game) as client:
        assert "New sound" in client.get("/sounds").text
        done = post(client, "/-/sound?name=snd_new&file=x.WAV", content=wave())
        assert done.status_code == 200
        assert done.url.path == "/sounds/snd_new"
        for query in ("name=snd_new&file=x.wav", "name=&file=x.wav", "name=a&file=x.exe",
                      "name=a&file=wav", "name=a/../b&file="):  # fmt: skip
            assert post(client, f"/-/sound?{query}", content=wave()).status_code == 422, query


def test_letters_are_drawn_again(game: Path) -> None:
    with overhaul.open_game(game) as made:
        furnish(made)
        made.save(game, force=True)
        letters = {each for font in made.fonts for each in font.glyphs} | {" ", "é"}
    boxes = dict.fromkeys(letters, (100, 0, 500, 600, 600))
    font = typeface("".join(sorted(letters)), outlines=boxes)
    with looking_at(game) as client:
        rows = client.get("/fonts.json").json()["rows"]
        where = f"/-/typeface{rows[0]['href']}"
        assert "Rebuild from a font file" in client.get(rows[0]["href"]).text
        done = post(client, f"{where}?size=20&chars=%C3%A9", content=font)
        assert done.status_code == 200, done.text[-500:]
        opened = client.site.documents[0]
        assert opened.writer is not None
        path = next(path for path in opened.files if path.startswith("fonts/") and "json" in path)
        assert b'"character": 233' in opened.writer.read(path)
        for query, body in (("", b"no font"), ("size=0", font), ("size=x", font)):
            assert post(client, f"{where}?{query}", content=body).status_code == 422, query


def room_areas(room: Opened) -> list[object]:
    assert room.writer is not None
    value = json.loads(room.writer.read("room.json"))
    return cast("list[object]", value["Hotspots"])


def test_masks_are_painted(tmp_path: Path) -> None:
    path = tmp_path / "game.ags"
    path.write_bytes(package())
    with looking_at(path) as client:
        whole = client.site.documents[0]
        name = next(each for each in whole.inside.paths() if each.endswith(".crm"))
        room = whole.inside.open(name)
        assert room.writer is not None
        old = room.writer.read("hotspots.png")
        address = f"{room.prefix}/-/paint?path=hotspots.png"
        page = client.get(address.replace("paint?", "paint.json?")).json()
        assert client.get(address).status_code == 200
        image = Image.open(io.BytesIO(old)).convert("RGB")
        inks = page["inks"]
        assert page["title"] == "Hotspots"
        assert [each for each, _ in page["masks"]] == [
            "Hotspots", "Regions", "Walkable areas", "Walk-behinds",
        ]  # fmt: skip
        # those that the room has, not 256 colours
        assert [ink["number"] for ink in inks] == [*range(len(room_areas(room)))]
        assert inks[0]["name"] == "no area"
        assert inks[1]["script_name"] == "hDoor"
        assert "hDoor" in client.get(address).text
        colour = inks[1]["colour"]
        image.putpixel((0, 0), tuple(bytes.fromhex(colour[1:])))
        image.putpixel((1, 0), tuple(bytes.fromhex(inks[0]["colour"][1:])))
        sent = io.BytesIO()
        image.save(sent, "PNG")
        where = f"{address}&before={page['before']}"
        done = post(client, where, content=sent.getvalue())
        assert done.status_code == 200, done.text[-600:]
        now = whole.inside.open(name).writer
        assert now is not None
        pixels = Image.open(io.BytesIO(now.read("hotspots.png")))
        assert pixels.getpixel((0, 0)) == 1
        assert pixels.getpixel((1, 0)) == 0
        assert post(client, where, content=sent.getvalue()).status_code == 409


def test_what_can_not_be_painted_is_refused() -> None:
    data = io.BytesIO()
    image = Image.new("P", (2, 2))
    image.putpalette([0, 0, 0, 255, 0, 0, 255, 0, 0])
    image.putpixel((0, 0), 2)
    image.save(data, "PNG")
    old = data.getvalue()
    assert pictures.palette_of(old)[:3] == ["#000000", "#ff0000", "#ff0000"]
    new = Image.open(io.BytesIO(old)).convert("RGB")
    new.putpixel((1, 1), (255, 0, 0))
    data = io.BytesIO()
    new.save(data, "PNG")
    made = Image.open(io.BytesIO(pictures.painted(old, data.getvalue())))
    # a colour that is there twice stays what it was
    assert [made.getpixel(at) for at in ((0, 0), (1, 0), (1, 1))] == [2, 0, 1]
    for wrong in (picture(3, 2, (0, 0, 0)), picture(2, 2, (1, 2, 3)), b"no picture", huge()):
        with pytest.raises(WorkspaceError):
            pictures.painted(old, wrong)


def huge() -> bytes:
    """A picture whose header says 30,000 by 30,000 pixels."""
    data = bytearray(picture(1, 1, (0, 0, 0)))
    data[16:24] = (30_000).to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    return bytes(data)


@pytest.mark.parametrize(("mode", "colour"), [("RGB", (9, 8, 7, 0)), ("L", (9, 8, 7, 255))])
def test_what_is_painted_keeps_colours_that_the_mode_lacks(
    mode: str, colour: tuple[int, ...]
) -> None:
    old, new = io.BytesIO(), io.BytesIO()
    Image.new(mode, (2, 1)).save(old, "PNG")
    image = Image.new("RGBA", (2, 1), (0, 0, 0, 255))
    image.save(new, "PNG")
    made = Image.open(io.BytesIO(pictures.painted(old.getvalue(), new.getvalue())))
    assert made.mode == mode  # nothing that it lacks
    image.putpixel((1, 0), colour)
    new = io.BytesIO()
    image.save(new, "PNG")
    made = Image.open(io.BytesIO(pictures.painted(old.getvalue(), new.getvalue())))
    assert made.convert("RGBA").getpixel((1, 0)) == colour
