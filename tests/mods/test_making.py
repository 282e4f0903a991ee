"""What is in a mod, and what is not."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from lantern_edits import CATCH, EDITS, FIRST, GAME, GLOW, STEP
from modded_games import (
    BLUE,
    KEEPER,
    RED,
    Edit,
    changed,
    files_of,
    lantern,
    picture,
    plain,
    repainted,
)
from overhaul import mods
from overhaul.gamemaker.data.game import GameData
from overhaul.media import png
from overhaul.mods import comparing, making
from overhaul.mods.view import FileView, opened


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


def test_a_game_that_is_made_again_is_not_compared_file_by_file(
    made: dict[str, mods.Mod], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of a mod ends where the bytes are those of the changed game; what comparing would
    find is the same."""
    compared: list[FileView] = []

    def compare(old: FileView, new: FileView) -> mods.Diff:
        compared.append(new)
        return comparing.compare(old, new)

    monkeypatch.setattr(making, "compare", compare)
    for name in ("first line", *sorted(made)[:6]):
        mods.make(GAME, changed(GAME, EDITS[name]), name=name)
    quick = len(compared)
    monkeypatch.setattr(making, "_same_files", lambda made, wanted: False)
    for name in ("first line", *sorted(made)[:6]):
        again = mods.make(GAME, changed(GAME, EDITS[name]), name=name)
        assert again.to_bytes() == made[name].to_bytes()
    assert len(compared) - quick == 7 > quick


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


OLD = lantern("gms1")
DOOR_MASK = "sprites/spr_door/mask_0.png"


def margin_alone(sprite: str = "spr_door") -> bytes:
    """A game in which the box of a sprite is another, but not its mask."""
    game = GameData.from_bytes(OLD)
    game.sprites[sprite].record.margin_left += 1
    return game.to_bytes()


def test_a_mask_that_packing_would_recompute_is_kept() -> None:
    new = margin_alone()
    mod = mods.load(mods.make(OLD, new, name="box").to_bytes())
    assert mod.left_out == []
    kept = mod.patches[DOOR_MASK]
    assert isinstance(kept, mods.WholePatch)
    assert kept.keeps
    assert mods.apply(OLD, [mod]).data == new


def test_what_one_mod_keeps_another_one_changes() -> None:
    box = mods.make(OLD, margin_alone(), name="box")
    mask = png.decode(plain(OLD, DOOR_MASK)).copy()
    mask[:4] = 0, 0, 0, 255
    drawn = mods.make(OLD, changed(OLD, {DOOR_MASK: png.encode(mask)}), name="mask")
    for both in ([box, drawn], [drawn, box]):
        result = mods.apply(OLD, both)
        assert result.conflicts == []
        assert [change.path for change in mods.diff(margin_alone(), result.data).changes] == [
            DOOR_MASK
        ]
        assert (png.decode(plain(result.data, DOOR_MASK)) == mask).all()


def test_what_is_kept_is_what_the_mod_knows() -> None:
    """In a game with another mask, the mask is as packing makes it."""
    mask = png.decode(plain(OLD, DOOR_MASK)).copy()
    mask[:4] = 0, 0, 0, 255
    other = changed(OLD, {DOOR_MASK: png.encode(mask)})
    result = mods.apply(other, [mods.make(OLD, margin_alone(), name="box")])
    assert result.conflicts == []
    assert (png.decode(plain(result.data, DOOR_MASK)) == mask).all()


def test_a_mod_may_remove_all_code() -> None:
    game = GameData.from_bytes(GAME)
    game.objects.remove("obj_keeper", force=True)  # before those that it collides with
    for resources in (game.objects, game.rooms, game.scripts):
        while len(resources):
            resources.remove(resources[0].name, force=True)
    new = game.to_bytes()
    mod = mods.make(GAME, new, name="empty")
    result = mods.apply(GAME, [mod])
    assert [conflict.reason for conflict in result.conflicts] == []
    assert not [path for path in files_of(result.data) if path.startswith("code/")]


FIREFLY = "gml_Object_obj_firefly_Create_0"


def inexact(source: str, plain: str, by: str) -> bytes:
    """A game with code whose source compiles to other instructions."""
    game = GameData.from_bytes(GAME)
    entry = game.records.code[FIREFLY]
    entry.gml = source
    assert plain in entry.assembly
    game.language.assemble(entry, entry.assembly.replace(plain, by))
    data = game.to_bytes()
    with opened(data) as view:
        assert not view.files[f"code/{FIREFLY}.gml"].is_exact
        assert view.read(f"code/{FIREFLY}.gml").decode() == source
    return data


def test_code_whose_source_compiles_to_other_instructions_is_changed_as_assembly() -> None:
    source = "home_x = 3;\n"
    exact = changed(GAME, {f"code/{FIREFLY}.gml": source.encode()})
    other = inexact(source, "pushi.e 3", "push.i 3")
    for old, new in ((GAME, other), (exact, other), (other, exact), (other, GAME)):
        mod = mods.make(old, new, name="odd")
        assert mod.left_out == []
        assert [*mod.patches] == [f"code/{FIREFLY}.{'gml' if new == GAME else 'asm'}"]
        result = mods.apply(old, [mods.load(mod.to_bytes())])
        assert (result.data == new, result.conflicts) == (True, [])
