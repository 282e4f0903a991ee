"""Files that people drop into the folder of a project: strips, pictures and sounds."""

from __future__ import annotations

import random
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import overhaul
from overhaul.errors import WorkspaceError
from overhaul.media import png
from sound_files import ogg, wave

COLOURS = [np.full((4, 3, 4), (40 * n, 9, 200, 255), np.uint8) for n in range(4)]


@pytest.fixture(params=["600", "800", "810"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    overhaul.new(folder, version=request.param, kind="gamemaker-project")
    return folder


def put(folder: Path, path: str, data: bytes) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(data)


def repacked(folder: Path) -> tuple[Any, list[str]]:
    out = folder.parent / "out.bin"
    done = overhaul.pack(folder, out, force=True)
    return overhaul.open(out), done.warnings


def strip(*numbers: int) -> bytes:
    return png.encode(np.concatenate([COLOURS[number] for number in numbers], axis=1))


def gif(*numbers: int) -> bytes:
    out = BytesIO()
    first, *others = [Image.fromarray(COLOURS[number]).convert("RGB") for number in numbers]
    first.save(out, "GIF", save_all=True, append_images=others)
    return out.getvalue()


def unpacked(folder: Path) -> Path:
    """The folder of what the folder packs to."""
    out, again = folder.parent / "out.bin", folder.parent / "again"
    overhaul.pack(folder, out, force=True)
    overhaul.unpack(out, again, force=True)
    return again


@pytest.mark.parametrize(
    ("path", "data", "count"),
    [
        ("sprites/spr_new.png", strip(1), 1),
        ("sprites/spr_new_strip3.png", strip(1, 2, 3), 3),
        ("sprites/spr_new.gif", gif(1, 2, 3), 3),
    ],
)
def test_pictures_make_a_sprite(path: str, data: bytes, count: int, project: Path) -> None:
    put(project, path, data)
    _, warnings = repacked(project)
    assert warnings == []
    again = unpacked(project)
    frames = sorted((again / "sprites/spr_new").glob("[0-9]*.png"))
    assert len(frames) == count
    for number, frame in enumerate(frames, 1):
        assert np.array_equal(png.decode(frame.read_bytes()), COLOURS[number])


def test_a_background_of_another_format(project: Path) -> None:
    put(project, "backgrounds/bg_new.gif", gif(2))
    assert repacked(project)[1] == []
    shown = unpacked(project) / "backgrounds/bg_new.png"
    assert np.array_equal(png.decode(shown.read_bytes()), COLOURS[2])
    put(project, "backgrounds/bg_new.gif", gif(1, 2))
    with pytest.raises(WorkspaceError, match=r"bg_new.gif: expected one picture, got 2"):
        repacked(project)


@pytest.mark.parametrize(("name", "data"), [("snd_new.wav", wave(90)), ("snd_new.OGG", ogg())])
def test_a_sound(name: str, data: bytes, project: Path) -> None:
    put(project, f"sounds/{name}", data)
    assert repacked(project)[1] == []
    again = unpacked(project)
    assert (again / "sounds" / name).read_bytes() == data
    # next to a JSON file it is what that says
    put(project, "sounds/other.json", f'{{"file": "{name}"}}'.encode())
    again = unpacked(project)
    assert [item.stem for item in (again / "sounds").glob("*.json")] == ["other"]


def test_what_has_no_place_is_refused(project: Path) -> None:
    put(project, "sprites/spr_a/0.png", strip(1))
    put(project, "sprites/spr_a_strip2.png", strip(1, 2))
    with pytest.raises(WorkspaceError, match=r"spr_a_strip2.png: the frames .* \(sprites/spr_a/0"):
        repacked(project)
    (project / "sprites/spr_a/0.png").unlink()
    put(project, "sprites/spr_a.png", strip(1))
    with pytest.raises(WorkspaceError, match=r"spr_a.png and .*spr_a_strip2.png: several files"):
        repacked(project)
    (project / "sprites/spr_a.png").unlink()
    put(project, "sprites/spr_a_strip2.png", strip(1, 2, 3)[:-30])
    with pytest.raises(WorkspaceError, match=r"^sprites/spr_a_strip2.png: "):
        repacked(project)
    assert not (project.parent / "out.bin").exists()


def test_damaged_strips_are_refused_or_whole(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    overhaul.new(folder, version="800", kind="gamemaker-project")
    chance = random.Random(5)
    whole, refused = strip(1, 2, 3), 0
    for _ in range(30):
        data = bytearray(whole)
        at = chance.randrange(len(data))
        if chance.random() < 0.5:
            data[at] ^= 1 << chance.randrange(8)
        else:
            del data[max(1, at) :]
        put(folder, "sprites/spr_new_strip3.png", bytes(data))
        (tmp_path / "out.bin").unlink(missing_ok=True)
        try:
            repacked(folder)
        except WorkspaceError as error:
            refused += 1
            assert str(error).startswith("sprites/spr_new_strip3.png: ")
            assert not (tmp_path / "out.bin").exists()
    assert refused > 10
