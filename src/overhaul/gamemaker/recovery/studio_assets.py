"""Pictures, sounds, fonts and paths of a project of Studio 1."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from math import gcd
from typing import Final

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.data.resources.backgrounds import Background
from overhaul.gamemaker.data.resources.fonts import Font
from overhaul.gamemaker.data.resources.sounds import Sound
from overhaul.gamemaker.data.resources.sprites import Sprite
from overhaul.gamemaker.recovery.drafts import there
from overhaul.gamemaker.recovery.sprites import PER_FRAME, collisions, encoded, is_apart
from overhaul.gamemaker.recovery.studio import StudioDraft, flag, leaf, number, parent

_DEFAULT_TILE: Final = 16
#: The bits of a sound's flags that say how it is kept: 0 streamed, 1 as it is, 2 compressed, 3
#: decompressed when it is loaded.
_KEPT: Final = 3
_EMBEDDED: Final = 1


def drawn(is_apart: bool = False) -> Iterator[XmlNode]:
    """The elements of sprites and backgrounds for textures."""
    yield leaf("HTile", 0)
    yield leaf("VTile", 0)
    yield parent("TextureGroups", [leaf("TextureGroup0", 0)])
    yield leaf("For3D", flag(is_apart))


def add_sprites(draft: StudioDraft) -> None:
    """Add the sprites with a file for each frame."""
    total = lossy = lost = 0
    for sprite in draft.own(draft.game.sprites):
        total += 1
        before = len(draft.findings)
        draft.add("sprite", sprite.name, _sprite(draft, sprite))
        lossy += len(draft.findings) > before
        if int(sprite.type):
            lost += 1
            draft.lost("what it is made of, but bitmaps", draft.path_of("sprite", sprite.name))
    draft.count("sprites", total, lossy, lost)


def _sprite(draft: StudioDraft, sprite: Sprite) -> Iterator[XmlNode]:
    shape, tolerance = collisions(draft, sprite, draft.path_of("sprite", sprite.name))
    made = draft.name_for("sprite", sprite.name)
    yield leaf("type", 0)
    yield leaf("xorig", sprite.origin_x)
    yield leaf("yorigin", sprite.origin_y)
    yield leaf("colkind", 0 if shape == PER_FRAME else min(shape, 3) if shape < PER_FRAME else 1)
    yield leaf("coltolerance", tolerance)
    yield leaf("sepmasks", flag(shape == PER_FRAME))
    yield leaf("bboxmode", int(sprite.bbox_mode))
    yield leaf("bbox_left", sprite.bbox_left)
    yield leaf("bbox_right", sprite.bbox_right)
    yield leaf("bbox_top", sprite.bbox_top)
    yield leaf("bbox_bottom", sprite.bbox_bottom)
    yield from drawn(is_apart(sprite))
    yield leaf("width", sprite.width)
    yield leaf("height", sprite.height)
    size = max(1, sprite.width), max(1, sprite.height)
    frames = []
    for index, (file, path) in enumerate(picture_names(made, len(sprite.frames))):
        draft.files[path] = partial(_frame, sprite, index, size)
        frames.append(XmlNode("frame", file, {"index": str(index)}))
    yield parent("frames", frames)


def picture_names(name: str, count: int) -> Iterator[tuple[str, str]]:
    """The names of the pictures of a sprite's frames in its file, and their paths."""
    for index in range(count):
        yield f"images\\{name}_{index}.png", f"sprites/images/{name}_{index}.png"


def _frame(sprite: Sprite, index: int, size: tuple[int, int]) -> bytes:
    return encoded(sprite.frames[index].image, size)


def add_backgrounds(draft: StudioDraft) -> None:
    """Add the backgrounds; where rooms use parts of one, it is a tile set."""
    sizes = _tile_sizes(draft)
    total = 0
    for background in draft.game.backgrounds:
        total += 1
        draft.add("background", background.name, _background(draft, background, sizes))
    draft.count("backgrounds", total, total)
    if total:
        draft.lost("the settings of tile sets, but the size of tiles that rooms use,", "background")


def _tile_sizes(draft: StudioDraft) -> dict[str, tuple[int, int]]:
    """The largest size that divides the places and sizes of the tiles of each background."""
    sizes: dict[str, tuple[int, int]] = {}
    for room in draft.game.rooms:
        for tile in there(room.tiles):
            if tile.background is not None:
                name = tile.background.name
                width, height = sizes.get(name, (0, 0))
                sizes[name] = (
                    gcd(width, tile.width, tile.source_x),
                    gcd(height, tile.height, tile.source_y),
                )
    return sizes


def _background(
    draft: StudioDraft, background: Background, sizes: dict[str, tuple[int, int]]
) -> Iterator[XmlNode]:
    made = draft.name_for("background", background.name)
    used = sizes.get(background.name)
    width, height = used or (_DEFAULT_TILE, _DEFAULT_TILE)
    yield leaf("istileset", flag(used is not None))
    yield leaf("tilewidth", width or _DEFAULT_TILE)
    yield leaf("tileheight", height or _DEFAULT_TILE)
    for tag in ("tilexoff", "tileyoff", "tilehsep", "tilevsep"):
        yield leaf(tag, 0)
    yield from drawn()
    yield leaf("width", background.width)
    yield leaf("height", background.height)
    file = f"{made}.png"
    draft.files[f"background/images/{file}"] = partial(_picture, background)
    yield leaf("data", f"images\\{file}")


def _picture(background: Background) -> bytes:
    return encoded(background.image, (max(1, background.width), max(1, background.height)))


# -- sounds ----------------------------------------------------------------------------------------


def add_sounds(draft: StudioDraft) -> None:
    """Add the sounds with their files."""
    total = lossy = lost = 0
    for sound in draft.game.sounds:
        total += 1
        known = sound.format
        lossy += known is not None and known.value != "wav"
        draft.add("sound", sound.name, _sound(draft, sound))
        if sound.bytes is None:
            lost += 1
            message = "its file (it is not next to the game)"
            draft.lost(message, draft.path_of("sound", sound.name))
    draft.count("sounds", total, lossy, lost)
    if lossy:
        draft.lost("the files that compressed sounds were made of", "sound")


def _sound(draft: StudioDraft, sound: Sound) -> Iterator[XmlNode]:
    made = draft.name_for("sound", sound.name)
    known = sound.format
    stored = str(sound.record.type or "") or os.path.splitext(str(sound.file_name or ""))[1]
    ending = f".{known.value}" if known is not None else stored or ".wav"
    file = f"{made}{ending}"
    data = sound.bytes
    if data is not None:
        draft.files[f"sound/audio/{file}"] = data.__bytes__
    kept = int(sound.record.flags) & _KEPT
    yield leaf("kind", 0)
    yield leaf("extension", ending)
    yield leaf("origname", f"sound\\audio\\{file}")
    yield leaf("effects", int(sound.record.effects))
    yield parent("volume", [leaf("volume", number(round(float(sound.volume), 6)))])
    yield leaf("pan", 0)
    yield parent("bitRates", [leaf("bitRate", 192)])
    yield parent("sampleRates", [leaf("sampleRate", sound.sample_rate or 44100)])
    yield parent("types", [leaf("type", int((sound.channels or 1) > 1))])
    yield parent("bitDepths", [leaf("bitDepth", 16)])
    yield leaf("preload", flag(True))
    yield leaf("data", file)
    yield leaf("compressed", flag(kept != _EMBEDDED))
    yield leaf("streamed", flag(kept == 0))
    yield leaf("uncompressOnLoad", flag(kept == _KEPT))
    if draft.game.general.bytecode >= 14:
        yield leaf("audioGroup", max(0, int(sound.record.group)))


# -- fonts and paths -------------------------------------------------------------------------------


def add_fonts(draft: StudioDraft) -> None:
    """Add the fonts with their glyphs."""
    total = 0
    for font in draft.game.fonts:
        total += 1
        draft.add("font", font.name, _font(draft, font))
    draft.count("fonts", total)


def _font(draft: StudioDraft, font: Font) -> Iterator[XmlNode]:
    made = draft.name_for("font", font.name)
    yield leaf("name", font.display_name or "")
    yield leaf("size", number(font.size))
    yield leaf("bold", flag(font.bold))
    yield leaf("renderhq", 0)
    yield leaf("italic", flag(font.italic))
    yield leaf("charset", font.charset)
    yield leaf("aa", font.anti_alias)
    yield leaf("includeTTF", 0)
    yield leaf("TTFName")
    yield parent("texgroups", [leaf("texgroup0", 0)])
    yield parent("ranges", [leaf("range0", f"{font.range_start},{font.range_end}")])
    glyphs, pairs = [], []
    for character, glyph in font.glyphs.items():
        values = {
            "character": ord(character), "x": glyph.x, "y": glyph.y, "w": glyph.width,
            "h": glyph.height, "shift": glyph.shift, "offset": glyph.offset,
        }  # fmt: skip
        glyphs.append(
            XmlNode("glyph", attributes={key: str(value) for key, value in values.items()})
        )
        for other, amount in glyph.kerning.items():
            row = {"first": ord(other), "second": ord(character), "amount": amount}
            pairs.append(
                XmlNode("kerningPair", attributes={key: str(value) for key, value in row.items()})
            )
    yield parent("glyphs", glyphs)
    yield parent("kerningPairs", pairs)
    draft.files[f"fonts/{made}.png"] = partial(_glyphs, font)
    yield leaf("image", f"{made}.png")


def _glyphs(font: Font) -> bytes:
    return encoded(font.image, (1, 1))


def add_paths(draft: StudioDraft) -> None:
    """Add the paths."""
    total = 0
    for path in draft.game.paths:
        total += 1
        points = [
            leaf("point", f"{number(point.x)},{number(point.y)},{number(point.speed)}")
            for point in path.points
        ]
        children = [
            leaf("kind", int(path.smooth)),
            leaf("closed", flag(path.closed)),
            leaf("precision", path.precision),
            leaf("backroom", -1),
            leaf("hsnap", _DEFAULT_TILE),
            leaf("vsnap", _DEFAULT_TILE),
            parent("points", points),
        ]
        draft.add("path", path.name, children)
    draft.count("paths", total)
