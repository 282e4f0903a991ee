"""Pictures, sounds, fonts, paths and files of a project of Studio 1, for later releases."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError
from overhaul.gamemaker.forward.modern import ForwardDraft, is_on, real, whole
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.assets import add_sound_record, font_members
from overhaul.gamemaker.recovery.modern import rows
from overhaul.gamemaker.recovery.sprites import PER_FRAME, add_sprite, add_tile_set
from overhaul.media import png

_MOST_PIXELS: Final = 1 << 26
_PRECISE: Final = 0
_CUSTOM: Final = 2
_MARKER: Final = "//######################_==_YOYO_SHADER_MARKER_==_######################@~"
_LANGUAGES: Final = {"GLSLES": 1, "GLSL": 2, "HLSL9": 3, "HLSL11": 4}
#: The editor's names for the ways to keep a sound.
_UNCOMPRESSED, _COMPRESSED, _ON_LOAD, _STREAMED = 0, 1, 2, 3
#: Formats of sounds that later releases play.
_PLAYED: Final = (".wav", ".mp3", ".ogg", ".wma")


#: No side of a picture is larger.
_LARGEST: Final = 16384


def size_of(root: XmlNode) -> tuple[int, int]:
    """The width and height of a picture."""
    sides = whole(root.value("width")), whole(root.value("height"))
    return min(max(1, sides[0]), _LARGEST), min(max(1, sides[1]), _LARGEST)


# -- sprites ---------------------------------------------------------------------------------------


def add_sprites(draft: ForwardDraft) -> None:
    """Add the sprites with the pictures of their frames."""
    paths = []
    lost = 0
    for name, entry in draft.all("sprite"):
        path = draft.path_of("sprite", name)
        paths.append(path)
        root = draft.root(entry)
        is_whole = _add_sprite(draft, name, root, path, entry.folder)
        lost += not is_whole or draft.is_broken(entry)
    draft.tally("sprites", paths, lost)


def _add_sprite(draft: ForwardDraft, name: str, root: XmlNode, path: str, folder: str) -> bool:
    size = size_of(root)
    pictures: list[Callable[[], bytes]] = []
    is_whole = True
    for node in root.walk():
        if node.tag == "frame":
            read = draft.file_at(f"{folder}/{node.text.strip()}", path)
            is_whole = is_whole and read is not None
            pictures.append(partial(_clear, size) if read is None else partial(_fitted, read, size))
    if whole(root.value("type")) != 0:
        is_whole = False
        draft.findings.warn("left-out", "its contents, but bitmaps, are left out", path)
    kind = whole(root.value("colkind"))
    if is_on(root.value("sepmasks")) and kind == _PRECISE:
        kind = PER_FRAME
    members: dict[str, Json] = {
        "bboxMode": whole(root.value("bboxmode")),
        "bbox_left": whole(root.value("bbox_left")),
        "bbox_right": whole(root.value("bbox_right")),
        "bbox_top": whole(root.value("bbox_top")),
        "bbox_bottom": whole(root.value("bbox_bottom")),
        "collisionKind": kind,
        "collisionTolerance": whole(root.value("coltolerance")),
        "HTile": is_on(root.value("HTile")),
        "VTile": is_on(root.value("VTile")),
        "For3D": is_on(root.value("For3D")),
        "textureGroupId": draft.group_in(root),
    }
    origin = whole(root.value("xorig")), whole(root.value("yorigin"))
    add_sprite(draft, name, size, origin, pictures, members, 1.0, 1)
    return is_whole


def _clear(size: tuple[int, int]) -> bytes:
    return png.encode(np.zeros((size[1], size[0], 4), np.uint8))


def _fitted(read: Callable[[], bytes], size: tuple[int, int]) -> bytes:
    """A picture as large as its sprite, as it is where that is so."""
    data = read()
    if data.startswith(png.SIGNATURE) and png.size(data) == size:
        return data
    try:
        pixels = png.decode(data)
    except FormatError:
        return _clear(size)
    made = np.zeros((size[1], size[0], 4), np.uint8)
    part = pixels[: size[1], : size[0]]
    made[: part.shape[0], : part.shape[1]] = part
    return png.encode(made)


# -- backgrounds -----------------------------------------------------------------------------------


class Sheet:
    """The tile set that a background becomes: ``first`` is the row of its first tile, as the first
    tile of a tile set shows nothing."""

    def __init__(self, name: str, root: XmlNode) -> None:
        self.name = f"ts_{name}"
        self.root = root
        self.size = whole(root.value("tilewidth")), whole(root.value("tileheight"))
        self.offset = whole(root.value("tilexoff")), whole(root.value("tileyoff"))
        self.gap = whole(root.value("tilehsep")), whole(root.value("tilevsep"))
        self.width, self.height = whole(root.value("width")), whole(root.value("height"))
        self.steps = self.size[0] + self.gap[0], self.size[1] + self.gap[1]
        self.columns = self._count(0, self.width)
        self.rows = self._count(1, self.height)

    def _count(self, axis: int, side: int) -> int:
        size, step = self.size[axis], self.steps[axis]
        if size <= 0 or step <= 0 or self.offset[axis] < 0 or self.gap[axis] < 0:
            return 0
        return max(0, (side - self.offset[axis] - size) // step + 1)

    @property
    def is_usable(self) -> bool:
        """Whether there are tiles in it."""
        return self.columns > 0 and self.rows > 0 and self.width * self.height < _MOST_PIXELS

    def tile(self, left: int, top: int, width: int, height: int) -> int | None:
        """The number of the tile that a part of the background is; None for none."""
        across, down = left - self.offset[0], top - self.offset[1]
        if (width, height) != self.size or across < 0 or down < 0:
            return None
        if across % self.steps[0] or down % self.steps[1]:
            return None
        column, row = across // self.steps[0], down // self.steps[1]
        if column >= self.columns or row >= self.rows:
            return None
        return (row + 1) * self.columns + column


def add_backgrounds(draft: ForwardDraft, used: set[str]) -> None:
    """Add the backgrounds: each as a sprite, and tile sets of those that rooms use as such, or that
    were meant for it; ``used`` has the names of the former."""
    paths = []
    lost = sets = 0
    for name, entry in draft.all("background"):
        path = draft.path_of("sprite", name)
        paths.append(path)
        root = draft.root(entry)
        size = size_of(root)
        text = root.value("data").strip()
        read = draft.file_at(f"{entry.folder}/{text}", path) if text else None
        lost += read is None
        pictures = [] if read is None else [partial(_fitted, read, size)]
        members: dict[str, Json] = {
            "HTile": is_on(root.value("HTile")),
            "VTile": is_on(root.value("VTile")),
            "For3D": is_on(root.value("For3D")),
            "textureGroupId": draft.group_in(root),
        }
        add_sprite(draft, name, size, (0, 0), pictures, members, 1.0, 1)
        sheet = Sheet(name, root)
        wanted = name in used or is_on(root.value("istileset"))
        if wanted and sheet.is_usable and read is not None:
            sets += 1
            _add_sheet(draft, name, sheet, partial(_fitted, read, size))
    draft.tally("backgrounds", paths, lost)
    draft.count("tile_sets", sets)


def _add_sheet(draft: ForwardDraft, name: str, sheet: Sheet, read: Callable[[], bytes]) -> None:
    """Add a tile set with a sprite of its own, whose first row of tiles is empty."""
    sprite = f"spr_{sheet.name}"
    height = sheet.height + sheet.steps[1]
    picture = partial(_with_row, read, sheet.steps[1])
    add_sprite(draft, sprite, (sheet.width, height), (0, 0), [picture], {}, 1.0, 1)
    members: dict[str, Json] = {
        "tileWidth": sheet.size[0],
        "tileHeight": sheet.size[1],
        "tilexoff": sheet.offset[0],
        "tileyoff": sheet.offset[1],
        "tilehsep": sheet.gap[0],
        "tilevsep": sheet.gap[1],
        "out_columns": sheet.columns,
        "textureGroupId": draft.group_in(sheet.root),
    }
    add_tile_set(draft, sheet.name, sprite, sheet.columns * (sheet.rows + 1), members)


def _with_row(read: Callable[[], bytes], rows_: int) -> bytes:
    """A picture with clear pixels above it."""
    pixels = png.decode(read())
    clear = np.zeros((rows_, pixels.shape[1], 4), np.uint8)
    return png.encode(np.concatenate([clear, pixels]))


# -- sounds ----------------------------------------------------------------------------------------


def add_sounds(draft: ForwardDraft) -> None:
    """Add the sounds with their files."""
    groups = audio_groups(draft)
    paths = []
    lost = 0
    for name, entry in draft.all("sound"):
        path = draft.path_of("sound", name)
        paths.append(path)
        root = draft.root(entry)
        text = root.value("data").strip()
        read = draft.file_at(f"{entry.folder}/audio/{text}", path) if text else None
        ending = f".{text.rpartition('.')[2].lower()}" if "." in text else ".wav"
        if read is None:
            lost += 1
        elif ending not in _PLAYED:
            message = f"later releases do not play {ending} files: replace it by a .wav or .ogg"
            draft.findings.warn("unsupported", message, path)
        number = whole(root.value("audioGroup"))
        group = groups[number] if 0 <= number < len(groups) else groups[0]
        file = f"{name}{ending}"
        members: dict[str, Json] = {
            "compression": _kept(root),
            "volume": min(1.0, max(0.0, round(real(root.value("volume/volume", "1")), 6))),
            "preload": is_on(root.value("preload")),
            "bitRate": whole(root.value("bitRates/bitRate")) or 128,
            "sampleRate": whole(root.value("sampleRates/sampleRate")) or 44100,
            "type": min(2, max(0, whole(root.value("types/type")))),
            "bitDepth": 0 if whole(root.value("bitDepths/bitDepth")) == 8 else 1,
            "audioGroupId": draft.place(group, f"audiogroups/{group}"),
            "soundFile": "" if read is None else file,
        }
        add_sound_record(draft, name, members, {} if read is None else {file: read})
    draft.tally("sounds", paths, lost)


def _kept(root: XmlNode) -> int:
    if is_on(root.value("streamed")):
        return _STREAMED
    if is_on(root.value("uncompressOnLoad")):
        return _ON_LOAD
    return _COMPRESSED if is_on(root.value("compressed")) else _UNCOMPRESSED


def audio_groups(draft: ForwardDraft) -> list[str]:
    """The names of the audio groups in their order."""
    root = draft.old.gmx_file(draft.old.name).root
    found = [node.attributes.get("name", "") for node in root.walk() if node.tag == "audiogroup"]
    return [name for name in found if name] or ["audiogroup_default"]


# -- fonts, paths, shaders -------------------------------------------------------------------------


def add_fonts(draft: ForwardDraft) -> None:
    """Add the fonts with their letters; the editor draws those that have none."""
    paths = []
    lost = 0
    for name, entry in draft.all("font"):
        path = draft.path_of("font", name)
        paths.append(path)
        root = draft.root(entry)
        _add_font(draft, name, root, path, entry.folder)
        lost += draft.is_broken(entry)
    draft.tally("fonts", paths, lost)


def _add_font(draft: ForwardDraft, name: str, root: XmlNode, path: str, folder: str) -> None:
    glyphs: dict[str, Json] = {}
    pairs: list[Json] = []
    for node in root.walk():
        values = {key: whole(text) for key, text in node.attributes.items()}
        if node.tag == "glyph" and values.get("character", 0) >= 0:
            glyphs[str(values.get("character", 0))] = draft.ordered(
                {**dict.fromkeys(("x", "y", "w", "h", "shift", "offset"), 0), **values},
                "GMFont.glyphs.#",
            )
        elif node.tag == "kerningPair":
            pairs.append(draft.ordered(dict(values), "GMFont.kerningPairs[]"))
    text = root.value("image").strip()
    read = draft.file_at(f"{folder}/{text}", path) if text else None
    if read is None:
        message = f"the editor draws its letters when {root.value('name')} is installed"
        draft.findings.warn_once("approximated", message, path)
    members = font_members(draft, root.value("name"), real(root.value("size")) or 12.0)
    members |= {
        "bold": is_on(root.value("bold")),
        "italic": is_on(root.value("italic")),
        "styleName": _style(is_on(root.value("bold")), is_on(root.value("italic"))),
        "charset": whole(root.value("charset")),
        "textureGroupId": draft.group_in(root),
        "AntiAlias": min(1, whole(root.value("aa"))),
        "glyphs": {} if read is None else glyphs,
        "kerningPairs": pairs,
        "ranges": rows([draft.ordered(each, "GMFont.ranges[]") for each in _ranges(root)]),
        "regenerateBitmap": read is None,
    }
    picture = partial(_clear, (1, 1)) if read is None else read
    draft.add("font", name, "GMFont", members, {f"{name}.png": picture})


def _style(bold: bool, italic: bool) -> str:
    words = [word for word, has in (("Bold", bold), ("Italic", italic)) if has]
    return " ".join(words) or "Regular"


def _ranges(root: XmlNode) -> list[dict[str, Json]]:
    made: list[dict[str, Json]] = []
    for node in root.walk():
        if node.tag.startswith("range") and "," in node.text:
            low, _, high = node.text.partition(",")
            made.append({"lower": whole(low), "upper": whole(high)})
    return made or [{"lower": 32, "upper": 127}]


def add_paths(draft: ForwardDraft) -> None:
    """Add the paths with their points."""
    paths = []
    lost = 0
    for name, entry in draft.all("path"):
        paths.append(draft.path_of("path", name))
        root = draft.root(entry)
        lost += draft.is_broken(entry)
        points: list[Json] = []
        for node in root.walk():
            if node.tag == "point":
                x, y, speed = ([real(each) for each in node.text.split(",")] + [0.0] * 3)[:3]
                point: dict[str, Json] = {"speed": speed, "x": x, "y": y}
                points.append(draft.ordered(point, "GMPath.points[]"))
        draft.count_more("points", len(points))
        members: dict[str, Json] = {
            "kind": min(1, max(0, whole(root.value("kind")))),
            "closed": is_on(root.value("closed")),
            "precision": whole(root.value("precision")),
            "points": points,
        }
        draft.add("path", name, "GMPath", members)
    draft.tally("paths", paths, lost)


def add_shaders(draft: ForwardDraft) -> None:
    """Add the shaders."""
    paths = []
    kinds = {
        node.text.strip().replace("\\", "/"): node.attributes.get("type", "")
        for node in draft.old.gmx_file(draft.old.name).root.walk()
        if node.tag == "shader"
    }
    for name, entry in draft.all("shader"):
        path = draft.path_of("shader", name)
        paths.append(path)
        vertex, _, fragment = (draft.text_of(entry.path) or "").partition(_MARKER)
        kind = _LANGUAGES.get(kinds.get(entry.path, ""), 1)
        if kind > _LANGUAGES["GLSL"]:
            message = "later releases have no shaders in HLSL: write it in GLSL ES"
            draft.findings.warn("unsupported", message, path)
        files = {
            f"{name}.vsh": draft.source(vertex),
            f"{name}.fsh": draft.source(fragment.removeprefix("\n")),
        }
        draft.add("shader", name, "GMShader", {"type": min(kind, 2)}, files)
    if paths:
        draft.tally("shaders", paths)


# -- included files --------------------------------------------------------------------------------


def included(draft: ForwardDraft) -> list[Json]:
    """The rows of the included files, which are copied."""
    made: list[Json] = []
    total = lost = 0
    for entry in draft.old.project.included:
        total += 1
        read = draft.file_at(entry.path, "datafiles")
        if read is None:
            lost += 1
            continue
        draft.files[entry.path] = read
        folder, _, name = entry.path.rpartition("/")
        members: dict[str, Json] = {"CopyToMask": -1, "filePath": folder}
        made.append(draft.record("GMIncludedFile", members, name))
    draft.count("included_files", total, 0, lost)
    return made
