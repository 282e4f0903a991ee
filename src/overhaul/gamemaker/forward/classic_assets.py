"""Pictures, sounds, fonts, paths, scripts and files of an old project, for Studio 1."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from overhaul.document.names import FileNames
from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.classic.pictures import pixels_of
from overhaul.gamemaker.classic.resources import (
    Background,
    Font,
    Path,
    Picture,
    Script,
    Sound,
    Sprite,
)
from overhaul.gamemaker.classic.settings import Include
from overhaul.gamemaker.data.chunks.font import Glyph
from overhaul.gamemaker.forward.classic import ClassicDraft
from overhaul.gamemaker.forward.letters import Letters, letters_of
from overhaul.gamemaker.forward.texts import cleaned
from overhaul.gamemaker.recovery.studio import datafile, flag, leaf, number, parent
from overhaul.gamemaker.recovery.studio_assets import drawn, picture_names
from overhaul.gamemaker.recovery.studio_code import add_script
from overhaul.media import png

#: A font of 8.1 has its character set and its smoothing in the number of its first character.
_FIRST: Final = 0xFFFF
_MUSIC, _SPATIAL, _PLAYER = 1, 2, 3
#: How many actions an included file may have: those that Studio 1 knows.
_TEMPORARY, _WORKING, _NAMED = 1, 2, 3


# -- sprites and backgrounds -----------------------------------------------------------------------


def add_sprites(draft: ClassicDraft) -> None:
    """Add the sprites with a file for each frame."""
    paths = []
    lost = 0
    for name, sprite in draft.all("sprites"):
        path = draft.path_of("sprite", name)
        paths.append(path)
        lost += not _add_sprite(draft, name, cast("Sprite", sprite), path)
    draft.tally("sprites", paths, lost)


def _add_sprite(draft: ClassicDraft, name: str, sprite: Sprite, path: str) -> bool:
    """Add a sprite; whether all of its pictures are there."""
    sizes = {(frame.width, frame.height) for frame in sprite.frames if _has_pixels(frame)}
    size = max((each[0] for each in sizes), default=1), max((each[1] for each in sizes), default=1)
    if len(sizes) > 1:
        message = f"its frames differ in size: all have {size[0]} by {size[1]} pixels now"
        draft.findings.warn("approximated", message, path)
    empty = sum(not _has_pixels(frame) for frame in sprite.frames)
    if empty:
        draft.findings.warn("left-out", f"{empty} of its frames have no picture: clear ones", path)
    pictures = [partial(_frame, frame, size) for frame in sprite.frames]
    draft.add("sprite", name, _sprite(draft, name, sprite, size, pictures))
    return not empty


def _has_pixels(picture: Picture | None) -> bool:
    return picture is not None and min(picture.width, picture.height) > 0


def _frame(picture: Picture, size: tuple[int, int]) -> bytes:
    """The picture of a frame as PNG, as large as the sprite is."""
    pixels = pixels_of(picture) if _has_pixels(picture) else None
    return png.encode(_sized(pixels, size))


def _sized(pixels: NDArray[np.uint8] | None, size: tuple[int, int]) -> NDArray[np.uint8]:
    if pixels is not None and pixels.shape[:2] == (size[1], size[0]):
        return pixels
    made = np.zeros((size[1], size[0], 4), np.uint8)
    if pixels is not None:
        made[: pixels.shape[0], : pixels.shape[1]] = pixels
    return made


def _sprite(
    draft: ClassicDraft,
    name: str,
    sprite: Sprite,
    size: tuple[int, int],
    pictures: Sequence[Callable[[], bytes]],
) -> Iterator[XmlNode]:
    yield leaf("type", 0)
    yield leaf("xorig", sprite.origin_x)
    yield leaf("yorigin", sprite.origin_y)
    yield leaf("colkind", sprite.mask_shape if 0 <= sprite.mask_shape <= 3 else 0)
    yield leaf("coltolerance", min(max(sprite.alpha_tolerance, 0), 255))
    yield leaf("sepmasks", flag(sprite.separate_masks))
    yield leaf("bboxmode", sprite.bbox_mode if 0 <= sprite.bbox_mode <= 2 else 0)
    yield leaf("bbox_left", sprite.bbox_left)
    yield leaf("bbox_right", sprite.bbox_right)
    yield leaf("bbox_top", sprite.bbox_top)
    yield leaf("bbox_bottom", sprite.bbox_bottom)
    yield from drawn()
    yield leaf("width", size[0])
    yield leaf("height", size[1])
    frames = []
    for index, (file, path) in enumerate(picture_names(name, len(pictures))):
        draft.files[path] = pictures[index]
        frames.append(XmlNode("frame", file, {"index": str(index)}))
    yield parent("frames", frames)


def add_backgrounds(draft: ClassicDraft) -> None:
    """Add the backgrounds, tile sets too."""
    paths = []
    lost = 0
    for name, resource in draft.all("backgrounds"):
        background = cast("Background", resource)
        path = draft.path_of("background", name)
        paths.append(path)
        if not _has_pixels(background.image):
            lost += 1
            draft.findings.warn("left-out", "it has no picture", path)
        draft.add("background", name, _background(draft, name, background))
    draft.tally("backgrounds", paths, lost)


def _background(draft: ClassicDraft, name: str, background: Background) -> Iterator[XmlNode]:
    picture = background.image
    yield leaf("istileset", flag(background.use_as_tileset))
    yield leaf("tilewidth", background.tile_width)
    yield leaf("tileheight", background.tile_height)
    yield leaf("tilexoff", background.tile_h_offset)
    yield leaf("tileyoff", background.tile_v_offset)
    yield leaf("tilehsep", background.tile_h_sep)
    yield leaf("tilevsep", background.tile_v_sep)
    yield from drawn()
    if picture is None or not _has_pixels(picture):
        yield leaf("width", 0)
        yield leaf("height", 0)
        yield leaf("data")
        return
    yield leaf("width", picture.width)
    yield leaf("height", picture.height)
    file = f"{name}.png"
    size = picture.width, picture.height
    draft.files[f"background/images/{file}"] = partial(_frame, picture, size)
    yield leaf("data", f"images\\{file}")


# -- sounds ----------------------------------------------------------------------------------------


def add_sounds(draft: ClassicDraft) -> None:
    """Add the sounds with their files."""
    paths = []
    lost = 0
    for name, resource in draft.all("sounds"):
        sound = cast("Sound", resource)
        path = draft.path_of("sound", name)
        paths.append(path)
        if sound.data is None:
            lost += 1
            draft.findings.warn("left-out", "the project does not hold its file", path)
        if sound.effects:
            message = (
                "chorus, echo, flanger, gargle and reverb are left out: no later editor has them"
            )
            draft.findings.warn("unsupported", message, path)
        if sound.pan and sound.data is not None:
            message = f"its pan ({sound.pan:g}) is stored, and later runners ignore it"
            draft.findings.warn("unsupported", message, path)
        draft.add("sound", name, _sound(draft, name, sound))
    draft.tally("sounds", paths, lost)


def _sound(draft: ClassicDraft, name: str, sound: Sound) -> Iterator[XmlNode]:
    data = sound.data if sound.data is None or isinstance(sound.data, bytes) else sound.data.data
    ending = _ending(sound)
    file = f"{name}{ending}" if data is not None else ""
    if data is not None:
        draft.files[f"sound/audio/{file}"] = data.__bytes__
    is_streamed = sound.kind in (_MUSIC, _PLAYER)
    yield leaf("kind", sound.kind if sound.kind in (0, _MUSIC, _SPATIAL, _PLAYER) else 0)
    yield leaf("extension", ending)
    yield leaf("origname", f"sound\\audio\\{file}" if file else "")
    yield leaf("effects", sound.effects)
    yield parent("volume", [leaf("volume", number(round(float(sound.volume), 6)))])
    yield leaf("pan", number(round(float(sound.pan), 6)))
    yield parent("bitRates", [leaf("bitRate", 192)])
    yield parent("sampleRates", [leaf("sampleRate", 44100)])
    yield parent("types", [leaf("type", 1)])
    yield parent("bitDepths", [leaf("bitDepth", 16)])
    yield leaf("preload", flag(sound.preload))
    yield leaf("data", file)
    yield leaf("compressed", flag(False))
    yield leaf("streamed", flag(is_streamed))
    yield leaf("uncompressOnLoad", flag(False))
    yield leaf("audioGroup", 0)


def _ending(sound: Sound) -> str:
    """The ending of the file of a sound, as its type or its name has it."""
    for text in (sound.file_type, os.path.splitext(sound.file_name)[1]):
        ending = cleaned(text).strip().lower()
        bare = ending.removeprefix(".")
        if bare.isascii() and bare.isalnum():
            return f".{bare}"
    return ".wav"


# -- fonts, paths and scripts ----------------------------------------------------------------------


def add_fonts(draft: ClassicDraft) -> None:
    """Add the fonts with their letters, if this machine has the typeface; else the editor draws
    them."""
    paths = []
    for name, resource in draft.all("fonts"):
        path = draft.path_of("font", name)
        paths.append(path)
        font = cast("Font", resource)
        face = cleaned(font.font_name)
        letters = letters_of(
            face,
            font.size,
            (bool(font.bold), bool(font.italic)),
            range(font.range_start & _FIRST, min(font.range_end, _FIRST) + 1),
            smooth=bool(_smoothing(font)),
        )
        draft.add("font", name, _font(draft, name, font, letters))
        message = f"its letters are drawn with the typeface {face} of this machine"
        if letters is None:
            message = f"the editor draws its letters when {face} is installed"
        draft.findings.warn("approximated", message, path)
    draft.tally("fonts", paths)


def _smoothing(font: Font) -> int:
    """The smoothing of the edges of letters: 0 to 3; before 8.1 they are smoothed."""
    return min(3, font.range_start >> 24 & 255) if font.range_start > _FIRST else 3


def _font(draft: ClassicDraft, name: str, font: Font, letters: Letters | None) -> Iterator[XmlNode]:
    first = font.range_start & _FIRST
    yield leaf("name", cleaned(font.font_name))
    yield leaf("size", font.size)
    yield leaf("bold", flag(font.bold))
    yield leaf("renderhq", 0)
    yield leaf("italic", flag(font.italic))
    yield leaf("charset", font.range_start >> 16 & 255)
    yield leaf("aa", _smoothing(font))
    yield leaf("includeTTF", 0)
    yield leaf("TTFName")
    yield parent("texgroups", [leaf("texgroup0", 0)])
    yield parent("ranges", [leaf("range0", f"{first},{font.range_end}")])
    if letters is None:
        yield XmlNode("glyphs", is_open=True)
        yield XmlNode("kerningPairs")
        yield leaf("image")
        return
    yield parent("glyphs", map(_glyph, letters.glyphs))
    yield XmlNode("kerningPairs")
    draft.files[f"fonts/{name}.png"] = letters.picture.__bytes__
    yield leaf("image", f"{name}.png")


def _glyph(glyph: Glyph) -> XmlNode:
    values = {
        "character": glyph.character, "x": glyph.x, "y": glyph.y, "w": glyph.width,
        "h": glyph.height, "shift": glyph.shift, "offset": glyph.offset,
    }  # fmt: skip
    return XmlNode("glyph", attributes={key: str(value) for key, value in values.items()})


def add_paths(draft: ClassicDraft) -> None:
    """Add the paths with their points."""
    paths = []
    for name, resource in draft.all("paths"):
        paths.append(draft.path_of("path", name))
        path = cast("Path", resource)
        points = [
            leaf("point", f"{number(each.x)},{number(each.y)},{number(each.speed)}")
            for each in path.points
        ]
        draft.count_more("points", len(points))
        children = [
            leaf("kind", path.connection),
            leaf("closed", flag(path.closed)),
            leaf("precision", path.precision),
            leaf("backroom", _room_place(draft, path.background_room)),
            leaf("hsnap", path.snap_x),
            leaf("vsnap", path.snap_y),
            parent("points", points),
        ]
        draft.add("path", name, children)
    draft.tally("paths", paths)


def _room_place(draft: ClassicDraft, index: int) -> int:
    """Where a room is in the order of the new project; -1 for none."""
    name = draft.naming.name("rooms", index)
    return -1 if name is None else [made for made, _ in draft.all("rooms")].index(name)


def add_scripts(draft: ClassicDraft) -> None:
    """Add the scripts, and what the action libraries of the project run at first."""
    paths = []
    for name, resource in draft.all("scripts"):
        path = f"{draft.path_of('script', name).removesuffix('.script.gmx')}.gml"
        paths.append(path)
        source = draft.code(cast("Script", resource).code, path)
        add_script(draft, name, source.rstrip("\n") + "\n")
    draft.tally("scripts", paths)
    codes = [(n, each) for n, each in enumerate(draft.old.library_codes.codes) if each.code.strip()]
    if codes:
        draft.count("library_codes", len(codes), len(codes))
    for place, each in codes:
        name = draft.new_name("script", f"library_creation_{place}")
        path = f"scripts/{name}.gml"
        add_script(draft, name, draft.code(each.code, path))
        message = "an action library runs this before the game: call it in the first room"
        draft.findings.warn("unsupported", message, path)


# -- included files --------------------------------------------------------------------------------


def included(draft: ClassicDraft) -> list[XmlNode]:
    """The rows of included files, whose bytes become files of the project."""
    made: list[XmlNode] = []
    total = lost = 0
    names = FileNames()
    for slot in draft.old.includes.slots:
        each = slot.include
        if each is None:
            continue
        total += 1
        shown = cleaned(each.file_name) or f"file_{total}"
        if each.data is None:
            lost += 1
            message = f"the project names {shown}, and does not hold it: {cleaned(each.file_path)}"
            draft.findings.warn("left-out", message, "datafiles")
            continue
        name = names(shown)
        draft.files[f"datafiles/{name}"] = bytes(each.data).__bytes__
        made.append(_included(each, name, len(each.data)))
        if name != shown:
            message = f"{shown!r} is called {name}"
            draft.findings.warn("renamed", message, f"datafiles/{name}")
    draft.count("included_files", total, 0, lost)
    return made


def _included(each: Include, name: str, size: int) -> XmlNode:
    return datafile(
        name,
        size,
        export=each.export if 0 <= each.export <= _NAMED else _WORKING,
        folder=cleaned(each.export_folder),
        overwrite=bool(each.overwrite),
        freeData=bool(each.free_memory),
        removeEnd=bool(each.remove_at_end),
    )
