"""Pictures, sounds, fonts and paths of a recovered project of Studio 1: what the game says, and
what stands where it says nothing."""

from __future__ import annotations

import random
from io import BytesIO
from math import gcd

import numpy as np
import pytest
from PIL import Image

from overhaul.document.xmltext import XmlNode, read_xml
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.sprt import CollisionKind
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.recovery import Recovered, recover
from sound_files import ogg, wave

#: What a compiled game does not say, by the file: as in a new resource of the editor.
NEW = {
    "sprites/spr.sprite": {
        "type": "0", "HTile": "0", "VTile": "0", "TextureGroups/TextureGroup0": "0", "For3D": "0",
    },
    "background/bg.background": {
        "istileset": "0", "tilewidth": "16", "tileheight": "16", "tilexoff": "0", "tileyoff": "0",
        "tilehsep": "0", "tilevsep": "0", "HTile": "0", "VTile": "0",
        "TextureGroups/TextureGroup0": "0", "For3D": "0",
    },
    "sound/snd.sound": {
        "kind": "0", "pan": "0", "bitRates/bitRate": "192", "bitDepths/bitDepth": "16",
        "preload": "-1", "effects": "0", "audioGroup": "0",
    },
    "fonts/fnt.font": {
        "renderhq": "0", "includeTTF": "0", "TTFName": "", "texgroups/texgroup0": "0",
    },
    "paths/pth.path": {"backroom": "-1", "hsnap": "16", "vsnap": "16"},
}  # fmt: skip


def studio_game() -> GameData:
    return blank_game({"version": "1.4.9999"})


def root_of(found: Recovered, path: str) -> XmlNode:
    return read_xml(found.files[path]()).root


def picture(width: int = 8, height: int = 8, alpha: int = 255) -> Image.Image:
    return Image.new("RGBA", (width, height), (9, 8, 7, alpha))


@pytest.mark.parametrize("kind", NEW)
def test_what_a_game_does_not_say_is_as_in_a_new_resource(kind: str) -> None:
    game = studio_game()
    game.sprites.add("spr", [picture(), picture()])
    game.backgrounds.add("bg", picture())
    game.sounds.add("snd", wave())
    game.fonts.add("fnt", picture(), {"x": (0, 0, 4, 4)})
    game.paths.add("pth")
    made = root_of(recover(game), f"{kind}.gmx")
    assert {path: made.value(path) for path in NEW[kind]} == NEW[kind]


@pytest.mark.parametrize("seed", range(6))
def test_tiles_are_as_large_as_rooms_use_them(seed: int) -> None:
    dice = random.Random(seed)
    game = studio_game()
    wide, high = dice.randrange(1, 20), dice.randrange(1, 20)
    used: dict[str, list[int]] = {"tilewidth": [], "tileheight": []}
    for name in ("bg_used", "bg_unused"):
        game.backgrounds.add(name, picture(400, 400))
    for number in range(2):
        room = game.rooms.add(f"rm_{number}")
        for _ in range(2):
            left, top = wide * dice.randrange(6), high * dice.randrange(6)
            width, height = wide * dice.choice([6, 12]), high * dice.choice([6, 12])
            room.tiles.add("bg_used", 0, 0, source=(left, top, width, height))
            used["tilewidth"] += [left, width]
            used["tileheight"] += [top, height]
    found = recover(game)
    made = root_of(found, "background/bg_used.background.gmx")
    assert {tag: made.value(tag) for tag in used} == {
        tag: str(gcd(*each)) for tag, each in used.items()
    }
    other = root_of(found, "background/bg_unused.background.gmx")
    assert (made.value("istileset"), other.value("istileset")) == ("-1", "0")
    assert (made.value("width"), made.value("height")) == ("400", "400")


def test_tiles_without_a_size_are_as_in_a_new_tile_set() -> None:
    game = studio_game()
    game.backgrounds.add("bg", picture())
    tile = game.rooms.add("rm").tiles.add("bg", 0, 0, source=(0, 0, 8, 8))
    tile.width = tile.height = 0
    made = root_of(recover(game), "background/bg.background.gmx")
    assert [made.value(tag) for tag in ("istileset", "tilewidth", "tileheight")] == [
        "-1", "16", "16"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "masks", "shape", "is_separate"),
    [
        (CollisionKind.PRECISE, 1, "0", "0"),
        (CollisionKind.PRECISE, 2, "0", "-1"),
        (CollisionKind.RECTANGLE, 0, "1", "0"),
        (CollisionKind.ROTATED_RECTANGLE, 0, "1", "0"),
    ],
)
def test_how_sprites_collide(kind: CollisionKind, masks: int, shape: str, is_separate: str) -> None:
    game = studio_game()
    shown = [np.full((8, 8), alpha > 100) for alpha in (255, 50)[:masks]]
    frames = [picture(alpha=255), picture(alpha=50)]
    game.sprites.add("spr", frames, collision_kind=kind, masks=shown or None, origin=(3, 5))
    sprite = game.sprites["spr"]
    sprite.bbox_left, sprite.bbox_right, sprite.bbox_top, sprite.bbox_bottom = 1, 6, 2, 7
    made = root_of(recover(game), "sprites/spr.sprite.gmx")
    expected = {
        "colkind": shape, "sepmasks": is_separate, "xorig": "3", "yorigin": "5", "bbox_left": "1",
        "bbox_right": "6", "bbox_top": "2", "bbox_bottom": "7", "width": "8", "height": "8",
    }  # fmt: skip
    assert {tag: made.value(tag) for tag in expected} == expected
    assert [(node.text, node.attributes) for node in made.walk() if node.tag == "frame"] == [
        ("images\\spr_0.png", {"index": "0"}), ("images\\spr_1.png", {"index": "1"})
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kept", "said"), [(0, "-1 -1 0"), (1, "0 0 0"), (2, "-1 0 0"), (3, "-1 0 -1")]
)
def test_how_a_sound_is_kept(kept: int, said: str) -> None:
    game = studio_game()
    game.sounds.add("snd", ogg(), volume=0.123456789)
    record = game.sounds["snd"].record
    record.flags = 100 | kept
    record.effects, record.group = 6, -1
    found = recover(game)
    made = root_of(found, "sound/snd.sound.gmx")
    tags = ("compressed", "streamed", "uncompressOnLoad")
    assert [made.value(tag) for tag in tags] == said.split()
    assert [made.value(tag) for tag in ("extension", "origname", "data")] == [
        ".ogg", "sound\\audio\\snd.ogg", "snd.ogg"
    ]  # fmt: skip
    assert (made.value("effects"), made.value("audioGroup")) == ("6", "0")
    assert made.value("volume/volume") == "0.123457"
    data = found.files.get("sound/audio/snd.ogg")
    if kept:
        assert data is not None and data() == ogg()
    else:  # its file would be next to the game, which is in memory
        assert data is None and found.tallies["sounds"] == (1, 0, 1)


def test_pairs_of_letters_are_by_the_first_and_the_second() -> None:
    game = studio_game()
    boxes = {"x": (0, 0, 3, 4), "y": (3, 1, 4, 5)}
    font = game.fonts.add("fnt", picture(16, 16), boxes, size=11, bold=True, display_name="Mono")
    glyph = font.glyphs["y"]
    glyph.kerning, glyph.shift, glyph.offset = {"x": -2}, 9, 1
    made = root_of(recover(game), "fonts/fnt.font.gmx")
    (pair,) = [node.attributes for node in made.walk() if node.tag == "kerningPair"]
    assert pair == {"first": "120", "second": "121", "amount": "-2"}
    shown = [node.attributes for node in made.walk() if node.tag == "glyph"]
    names = ("character", "x", "y", "w", "h", "shift", "offset")
    assert [[int(glyph[name]) for name in names] for glyph in shown] == [
        [120, 0, 0, 3, 4, 3, 0], [121, 3, 1, 4, 5, 9, 1]
    ]  # fmt: skip
    expected = {"name": "Mono", "size": "11", "bold": "-1", "italic": "0", "charset": "1",
                "aa": "3", "ranges/range0": "120,121", "image": "fnt.png"}  # fmt: skip
    assert {path: made.value(path) for path in expected} == expected


def test_pictures_without_a_size_are_of_one_pixel() -> None:
    game = studio_game()
    game.backgrounds.add("bg", picture())
    game.sprites.add("spr", [picture()])
    game.backgrounds["bg"].record.texture = None
    sprite = game.sprites["spr"]
    sprite.record.textures[0] = None
    sprite.record.width = sprite.record.height = 0
    game.fonts.add("fnt", picture(), {"x": (0, 0, 4, 4)})
    game.fonts["fnt"].record.texture = None
    found = recover(game)
    for path in ("background/images/bg.png", "sprites/images/spr_0.png", "fonts/fnt.png"):
        with Image.open(BytesIO(found.files[path]())) as image:
            assert (image.size, image.convert("RGBA").getpixel((0, 0))) == ((1, 1), (0, 0, 0, 0))
