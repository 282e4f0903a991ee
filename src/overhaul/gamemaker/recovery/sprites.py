"""Sprites with their frames, and tile sets, whose pictures become sprites."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, cast

import numpy as np
from PIL.Image import Image

from overhaul.gamemaker.data.chunks.sprt import CollisionKind
from overhaul.gamemaker.data.resources.backgrounds import Background
from overhaul.gamemaker.data.resources.sprites import NineSlice, Sprite
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.drafts import Draft
from overhaul.gamemaker.recovery.modern import ModernDraft, ModernProjectDraft, rows
from overhaul.gamemaker.recovery.sequences import sequence_members
from overhaul.media import png

_PRECISE, _RECTANGLE, _ROTATED = 0, 1, 5
#: The shape of masks that each frame has of its own.
PER_FRAME: Final = 4
_SHAPES: Final = {
    CollisionKind.PRECISE: _PRECISE,
    CollisionKind.RECTANGLE: _RECTANGLE,
    CollisionKind.ROTATED_RECTANGLE: _ROTATED,
}
_CUSTOM_ORIGIN: Final = 9
_GUIDES: Final = 4294902015
_HIGHLIGHT: Final = 1728023040
#: The text that the editor writes after the numbers of tiles that nothing painted.
_BORDER: Final = 2


def add_sprites(draft: ModernDraft) -> None:
    """Add the sprites of the game."""
    total = lossy = lost = 0
    for sprite in draft.own(draft.game.sprites):
        total += 1
        before = len(draft.findings)
        lost += not _add_sprite(draft, sprite)
        lossy += len(draft.findings) > before
    draft.count("sprites", total, lossy, lost)


def _add_sprite(draft: ModernDraft, sprite: Sprite) -> bool:
    """Add a sprite; whether all of it is there."""
    name = sprite.name
    path = draft.path_of("sprite", name)
    shape, tolerance = collisions(draft, sprite, path)
    is_whole = int(sprite.type) == 0
    if not is_whole:
        source = getattr(sprite.type, "name", f"type {sprite.type}")  # a number in a damaged file
        draft.lost(f"the source of its {source.lower()}", path)
    members: dict[str, Json] = {
        "type": 0,
        "bboxMode": int(sprite.bbox_mode),
        "bbox_left": sprite.bbox_left,
        "bbox_right": sprite.bbox_right,
        "bbox_top": sprite.bbox_top,
        "bbox_bottom": sprite.bbox_bottom,
        "collisionKind": shape,
        "collisionTolerance": tolerance,
        "nineSlice": _nine_slice(draft, sprite.nine_slice),
        "For3D": is_apart(sprite),
    }
    size = max(1, sprite.width), max(1, sprite.height)
    pictures = [partial(_png, sprite, number, size) for number in range(len(sprite.frames))]
    speed = float(sprite.speed) if sprite.game.release.at_least(2) else 30.0
    kind = int(sprite.speed_type) if sprite.game.release.at_least(2) else 0
    add_sprite(draft, name, size, sprite.origin, pictures, members, speed, kind)
    return is_whole


def collisions(draft: Draft, sprite: Sprite, path: str) -> tuple[int, int]:
    """The shape of the collision masks, and the tolerance that makes the same masks."""
    kind = _SHAPES.get(sprite.collision_kind, _PRECISE)
    if kind != _PRECISE or not sprite.mask_count:
        return kind, 0
    is_separate = sprite.mask_count > 1
    alphas = [_alpha(sprite, number) for number in range(len(sprite.frames))]
    masks = sprite.masks
    shape = PER_FRAME if is_separate else _PRECISE
    opaque = alphas if is_separate else [np.maximum.reduce(alphas)] if alphas else []
    if len(opaque) == len(masks):
        for tolerance in _tolerances(opaque, masks):
            if all(
                alpha.shape == mask.shape and np.array_equal(alpha > tolerance, mask)
                for alpha, mask in zip(opaque, masks, strict=True)
            ):
                return shape, tolerance
    draft.lost("how its collision masks are made", path)
    return shape, 0


def is_apart(sprite: Sprite) -> bool:
    """Whether each frame fills a texture page of its own: those begin at its very corner."""
    items = [item for item in sprite.record.textures if item is not None]
    pages = {id(getattr(item.page, "target", item.page)) for item in items}
    return (
        bool(items)
        and len(pages) == len(items)
        and all(item.source_x == item.source_y == 0 for item in items)
    )


def _alpha(sprite: Sprite, number: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    image = sprite.frames[number].image
    if image is None:
        return np.zeros((sprite.height, sprite.width), np.uint8)
    return np.asarray(image.convert("RGBA"))[:, :, 3]


def _tolerances(
    alphas: list[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]],
    masks: list[np.ndarray[tuple[int, ...], np.dtype[np.bool_]]],
) -> list[int]:
    """The usual tolerance, and the greatest that leaves out the pixels that do not collide."""
    free = [
        alpha[~mask] for alpha, mask in zip(alphas, masks, strict=True) if alpha.shape == mask.shape
    ]
    most = max((int(part.max()) for part in free if part.size), default=0)
    return [0, most] if most else [0]


def _nine_slice(draft: ModernDraft, cuts: NineSlice | None) -> Json:
    if cuts is None:
        return None
    modes = (cuts.left_mode, cuts.top_mode, cuts.right_mode, cuts.bottom_mode, cuts.centre_mode)
    members: dict[str, Json] = {
        "left": cuts.left,
        "top": cuts.top,
        "right": cuts.right,
        "bottom": cuts.bottom,
        "guideColour": rows([_GUIDES] * 4),
        "highlightColour": _HIGHLIGHT,
        "highlightStyle": 0,
        "enabled": cuts.enabled,
        "tileMode": rows([int(mode) for mode in modes]),
        "loadedVersion": None,
    }
    return draft.record("GMNineSliceData", members)


def add_sprite(
    draft: ModernProjectDraft,
    name: str,
    size: tuple[int, int],
    origin: tuple[int, int],
    pictures: Sequence[Callable[[], bytes]],
    members: dict[str, Json],
    speed: float = 30.0,
    speed_type: int = 0,
) -> None:
    """Add a sprite of pictures."""
    own_name, path = draft.name_for("sprite", name), draft.path_of("sprite", name)
    own = draft.place(own_name, path)
    ids = [draft.id("frame", own_name, number) for number in range(len(pictures))]
    layer = draft.id("layer", own_name)
    files: dict[str, Callable[[], bytes]] = {}
    for number, read in zip(ids, pictures, strict=True):
        kept = draft.once(read)  # the two files stand one after another
        files[f"{number}.png"] = kept
        files[f"layers/{number}/{layer}.png"] = kept
    frames = [_frame(draft, own, number, layer) for number in ids]
    image_layer = {
        "visible": True,
        "isLocked": False,
        "blendMode": 0,
        "opacity": 100.0,
        "displayName": "default",
    }
    usual: dict[str, Json] = {
        "type": 0,
        "bboxMode": 0,
        "collisionKind": _RECTANGLE,
        "collisionTolerance": 0,
        "bbox_left": 0,
        "bbox_top": 0,
        "bbox_right": size[0] - 1,
        "bbox_bottom": size[1] - 1,
        "origin": origin_of(origin, size),
        "preMultiplyAlpha": False,
        "edgeFiltering": False,
        "swfPrecision": 2.525,
        "HTile": False,
        "VTile": False,
        "For3D": False,
        "DynamicTexturePage": False,
        "width": size[0],
        "height": size[1],
        "textureGroupId": draft.texture_group("sprite", name),
        "swatchColours": None,
        "gridX": 0,
        "gridY": 0,
        "nineSlice": None,
        "frames": rows(frames),
        "layers": [draft.record("GMImageLayer", cast("dict[str, Json]", image_layer), layer)],
        "sequence": _sequence(draft, own, ids, size, origin, speed, speed_type),
    }
    draft.add("sprite", name, "GMSprite", usual | members, files)


def origin_of(origin: tuple[int, int], size: tuple[int, int]) -> int:
    """The number of an origin: by rows from top left to bottom right, or of one elsewhere."""
    places = [
        {0: 0, whole // 2: 1, whole: 2}.get(at) for at, whole in zip(origin, size, strict=True)
    ]
    across, down = places
    return _CUSTOM_ORIGIN if across is None or down is None else across + 3 * down


def _frame(draft: ModernProjectDraft, own: dict[str, Json], frame: str, layer: str) -> Json:
    """A frame of a sprite of one layer."""
    path = str(own["path"])
    inside = draft.place(frame, path)
    composite = draft.record("GMSpriteBitmap", {"FrameId": inside, "LayerId": None})
    image = draft.record("GMSpriteBitmap", {"FrameId": inside, "LayerId": draft.place(layer, path)})
    parts: dict[str, Json] = {}
    if draft.style.letter == "B":
        parts = {"compositeImage": composite, "images": [image], "parent": own}
    return draft.record("GMSpriteFrame", parts, frame)


def _sequence(
    draft: ModernProjectDraft,
    own: dict[str, Json],
    ids: list[str],
    size: tuple[int, int],
    origin: tuple[int, int],
    speed: float,
    speed_type: int,
) -> dict[str, Json]:
    """The sequence of a sprite: each frame is shown once."""
    members = sequence_members(
        draft,
        {
            "playback": 1,
            "playbackSpeed": speed,
            "playbackSpeedType": speed_type,
            "length": float(max(1, len(ids))),
            "tracks": [_track(draft, own, ids)],
            "xorigin": origin[0],
            "yorigin": origin[1],
            "seqWidth": float(size[0]),
            "seqHeight": float(size[1]),
        },
    )
    if draft.style.letter == "B":
        members |= {"spriteId": own, "parent": own}
    return draft.record("GMSequence", members, str(own["name"]))


def _track(draft: ModernProjectDraft, own: dict[str, Json], ids: list[str]) -> Json:
    """The track of a sprite's frames."""
    keys: list[Json] = []
    for number, frame in enumerate(ids):
        shown = draft.record("SpriteFrameKeyframe", {"Id": draft.place(frame, str(own["path"]))})
        members: dict[str, Json] = {
            "id": draft.id("keyframe", own["name"], number),
            "Key": float(number),
            "Length": 1.0,
            "Stretch": False,
            "Disabled": False,
            "IsCreationKey": False,
            "Channels": {"0": shown},
        }
        keys.append(draft.record("Keyframe<SpriteFrameKeyframe>", members))
    return draft.record(
        "GMSpriteFramesTrack",
        {
            "spriteId": None,
            "keyframes": draft.record("KeyframeStore<SpriteFrameKeyframe>", {"Keyframes": keys}),
            "trackColour": 0,
            "inheritsTrackColour": True,
            "builtinName": 0,
            "traits": 0,
            "interpolation": 1,
            "tracks": [],
            "events": [],
            "modifiers": [],
            "isCreationTrack": False,
        },
        "frames",
    )


def _png(sprite: Sprite, number: int, size: tuple[int, int]) -> bytes:
    return encoded(sprite.frames[number].image, size)


def encoded(image: Image | None, size: tuple[int, int]) -> bytes:
    """A picture as PNG; a clear one where there is none."""
    if image is None:
        return png.encode(np.zeros((size[1], size[0], 4), np.uint8))
    return png.encode(png.from_image(image.convert("RGBA")))


# -- tile sets -------------------------------------------------------------------------------------


def add_tile_sets(draft: ModernDraft) -> None:
    """Add the tile sets of the game, each with a sprite of its tiles without borders."""
    total = 0
    for tile_set in draft.game.tile_sets:
        total += 1
        _add_tile_set(draft, tile_set)
    draft.count("tile_sets", total, total)
    if total:
        draft.lost("the layout of their pictures, automatic tiles and brushes", "tilesets")


def _add_tile_set(draft: ModernDraft, tile_set: Background) -> None:
    name = tile_set.name
    columns = max(1, tile_set.columns)
    count = max(0, tile_set.tile_count)
    lines = max(1, -(-count // columns))
    size = columns * tile_set.tile_width, lines * tile_set.tile_height
    sprite = f"spr_{draft.name_for('tile_set', name)}"
    add_sprite(draft, sprite, size, (0, 0), [partial(_sheet, tile_set, columns, lines)], {})
    frames = tile_set.frames_per_tile
    members: dict[str, Json] = {
        "tileWidth": tile_set.tile_width,
        "tileHeight": tile_set.tile_height,
        "out_tilehborder": tile_set.border_x or _BORDER,
        "out_tilevborder": tile_set.border_y or _BORDER,
        "out_columns": columns,
        "tileAnimationFrames": rows(_animations(draft, tile_set)) if frames > 1 else [],
        "tileAnimationSpeed": round(1e6 / (tile_set.frame_length or 66667), 2),
    }
    add_tile_set(draft, name, sprite, count, members)


def add_tile_set(
    draft: ModernProjectDraft, name: str, sprite: str, count: int, given: dict[str, Json]
) -> None:
    """Add a tile set of a sprite; ``given`` has its layout."""
    animation: dict[str, Json] = {
        "FrameData": rows(list(range(count))),
        "SerialiseFrameCount": 1,
    }
    macro = {"SerialiseWidth": 0, "SerialiseHeight": 0, "TileSerialiseData": []}
    members: dict[str, Json] = {
        "spriteId": draft.place(draft.name_for("sprite", sprite), draft.path_of("sprite", sprite)),
        "tilexoff": 0,
        "tileyoff": 0,
        "tilehsep": 0,
        "tilevsep": 0,
        "spriteNoExport": True,
        "textureGroupId": draft.texture_group("tile_set", name),
        "out_tilehborder": _BORDER,
        "out_tilevborder": _BORDER,
        "tile_count": count,
        "autoTileSets": [],
        "tileAnimationFrames": [],
        "tileAnimationSpeed": 15.0,
        "tileAnimation": draft.ordered(animation, "GMTileSet.tileAnimation"),
        "macroPageTiles": draft.ordered(cast("dict[str, Json]", macro), "GMTileSet.macroPageTiles"),
        **given,
    }
    draft.add("tile_set", name, "GMTileSet", members)


def _animations(draft: ModernDraft, tile_set: Background) -> list[Json]:
    """The tiles that are shown one after another, of each that begins with itself."""
    frames = tile_set.frames_per_tile
    ids = [int(number) for number in tile_set.record.tile_ids]
    found: list[Json] = []
    seen: set[tuple[int, ...]] = set()
    for tile in range(tile_set.tile_count):
        shown = tuple(ids[tile * frames : (tile + 1) * frames])
        turned = tuple(sorted(shown))
        if len(set(shown)) > 1 and shown[0] == tile and turned not in seen:
            seen.add(turned)
            members: dict[str, Json] = {"frames": rows(list(shown))}
            found.append(draft.record("GMTileAnimation", members, f"animation_{len(found) + 1}"))
    return found


def _sheet(tile_set: Background, columns: int, lines: int) -> bytes:
    """The tiles of a tile set without the borders between them."""
    width, height = tile_set.tile_size
    sheet = np.zeros((lines * height, columns * width, 4), np.uint8)
    image = tile_set.image
    if image is not None:
        pixels = np.asarray(image.convert("RGBA"))
        for number, (x, y) in enumerate(tile_set.tile_places):
            left, top = number % columns * width, number // columns * height
            tile = pixels[y : y + height, x : x + width]
            sheet[top : top + tile.shape[0], left : left + tile.shape[1]] = tile
    return png.encode(sheet)
