"""What is in a mod, and what is not."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from lantern_edits import CATCH, EDITS, FIRST, GAME, GLOW, STEP
from modded_games import BLUE, KEEPER, RED, Edit, changed, picture, plain, repainted
from overhaul import mods
from overhaul.media import png


def test_a_mod_is_small_and_always_the_same(made: dict[str, mods.Mod]) -> None:
    data = made["first line"].to_bytes()
    assert len(data) < 2000
    again = mods.make(GAME, changed(GAME, EDITS["first line"]), name="first line")
    assert again.to_bytes() == data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["mod.toml", "index.json", f"changes/{KEEPER}.diff"]
        assert archive.read(f"changes/{KEEPER}.diff").decode().split("\n")[:3] == [
            "@@ -1,3 +1,4 @@", "+lives = 3;", f" {FIRST}",
        ]  # fmt: skip


def test_nothing_of_the_game_is_in_a_mod(made: dict[str, mods.Mod]) -> None:
    everything = b"".join(content for name in made for content in _contents(made[name].to_bytes()))
    pixels = plain(GAME, "sprites/spr_keeper/0.png")
    assert pixels not in everything
    assert plain(GAME, CATCH) not in everything
    assert plain(GAME, "sounds/snd_door.wav") not in everything  # what the one became is a copy
    lines = {line for line in STEP.split("\n")[4:-5] if len(line) > 12}
    assert lines
    assert not any(line.encode() in everything for line in lines)


def _contents(data: bytes) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [archive.read(name) for name in archive.namelist()]


def test_a_repainted_part_has_no_pixels_of_the_picture(made: dict[str, mods.Mod]) -> None:
    two = repainted(GAME, GLOW, 1, 1, RED)
    edits: dict[str, Edit] = {GLOW: repainted(changed(GAME, {GLOW: two}), GLOW, 4, 4, BLUE)}
    mod = mods.make(GAME, changed(GAME, edits), name="dots")
    patch = mod.patches[GLOW]
    assert isinstance(patch, mods.PicturePatch)
    assert (patch.x, patch.y, patch.pixels.shape) == (1, 1, (4, 4, 4))
    assert int(patch.mask.sum()) == 2
    assert int((patch.pixels != 0).any(axis=2).sum()) == 2
    assert mods.apply(GAME, [mods.load(mod.to_bytes())]).data == changed(GAME, edits)


def test_a_mod_is_edited_as_a_folder(tmp_path: Path, made: dict[str, mods.Mod]) -> None:
    with zipfile.ZipFile(io.BytesIO(made["first line"].to_bytes())) as archive:
        archive.extractall(tmp_path)
    diff = tmp_path / "changes" / f"{KEEPER}.diff"
    diff.write_text(diff.read_text().replace("lives = 3", "lives = 9"))
    result = mods.apply(GAME, [mods.load(tmp_path)])
    assert plain(result.data, KEEPER).startswith(b"lives = 9;\n")


@pytest.mark.parametrize("size", [(16, 4), (4, 16)])
def test_less_than_half_of_a_picture_is_a_part(size: tuple[int, int]) -> None:
    path = "sprites/spr_bar/0.png"
    shape = json.dumps({"width": size[1], "height": size[0]}).encode()
    old = changed(GAME, {"sprites/spr_bar/sprite.json": shape, path: picture(RED, size)})

    def repainted_pixels(count: int) -> mods.Mod:
        pixels = png.decode(plain(old, path)).copy()
        pixels.reshape(-1, 4)[:count] = BLUE
        return mods.make(old, changed(old, {path: png.encode(pixels)}), name="bar")

    assert isinstance(repainted_pixels(31).patches[path], mods.PicturePatch)
    assert not isinstance(repainted_pixels(32).patches.get(path), mods.PicturePatch)
