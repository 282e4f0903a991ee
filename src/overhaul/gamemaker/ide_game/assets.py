"""Shaders, fonts, tile sets and the files of sounds, as a project and its game have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from overhaul.gamemaker.data.pictures import has_picture
from overhaul.gamemaker.ide_game.saying import as_json, number, picture
from overhaul.gamemaker.recovery.code import shader_parts
from overhaul.gamemaker.recovery.drafts import is_added
from overhaul.media import audio, png
from overhaul.suggest import some_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.resources.backgrounds import Background as GameBackground
    from overhaul.gamemaker.data.resources.fonts import Font as GameFont
    from overhaul.gamemaker.data.resources.sounds import Sound as GameSound
    from overhaul.gamemaker.data.version import Version
    from overhaul.gamemaker.ide.document import IdeProjectDocument
    from overhaul.gamemaker.ide.resources.assets import Background, Font, Sound
    from overhaul.gamemaker.ide.resources.base import Resource
    from overhaul.gamemaker.ide_game.documents import Side

    Tiles: TypeAlias = Background | GameBackground

#: The first release whose games in the corpus have kerning.
_KERNING: Final = (2, 3, 6)
#: The values of a letter, by their names in games and in projects.
_LETTER: Final = {
    "x": "x", "y": "y", "width": "w", "height": "h", "shift": "shift", "offset": "offset",
}  # fmt: skip
#: Games have how long a tile is shown in whole microseconds: digits that a speed keeps.
_SPEED_DIGITS: Final = 3
_MICROSECONDS: Final = 1e6


class Assets:
    """Gives both sides of a comparison what is a text, a picture or a file of its own."""

    def __init__(
        self, project: IdeProjectDocument, game: GameData, ours: Side, theirs: Side
    ) -> None:
        self._project = project
        self._game = game
        self._ours = ours
        self._theirs = theirs

    def add(self) -> Iterator[str]:
        """Add all of them.  The result names what the comparison leaves out."""
        yield from self._add_shaders()
        yield from self._add_fonts()
        if self._game.release.major < 2:
            self._add_backgrounds()
        else:
            yield from self._add_tile_sets()
        yield from self._add_sound_files()

    def _is_here(self, resource: Resource) -> bool:
        return self._project.path_of(resource.entry) is not None

    def _add_shaders(self) -> Iterator[str]:
        lost, added = [], []
        for shader in self._game.shaders:
            name = shader.name
            _, *parts = shader_parts(shader)
            if is_added(name):
                added.append(name)
            elif not any(parts):
                lost.append(name)
            else:
                path = f"shaders/{name}.glsl"
                self._theirs.add("shader", name, path, partial(shader_file, *parts))
        for own in self._project.shaders:
            if self._is_here(own) and own.name not in lost:
                path = f"shaders/{own.name}.glsl"
                read = partial(shader_file, own.vertex, own.fragment)
                self._ours.add("shader", own.name, path, read)
        if lost:
            yield f"shaders whose source the game lacks: {some_of(lost)}"
        if added:
            yield f"shaders that the compiler adds: {some_of(added)}"

    def _add_fonts(self) -> Iterator[str]:
        release = self._game.release
        left_out = []
        for own in self._project.fonts:
            if self._is_here(own):
                has_pairs = release.at_least(*_KERNING) or _is_kerned(self._game, own.name)
                if own.kerning and not has_pairs:
                    left_out.append(own.name)
                read = partial(own_font_file, own, release, has_pairs=has_pairs)
                self._ours.add("font", own.name, f"fonts/{own.name}.json", read)
                if own.has_picture:
                    _add_picture(self._ours, "font picture", own.name, partial(_letters, own))
        for font in self._game.fonts:
            read = partial(game_font_file, font, release)
            self._theirs.add("font", font.name, f"fonts/{font.name}.json", read)
            if has_picture(font.record.texture):
                _add_picture(self._theirs, "font picture", font.name, partial(_letters, font))
        if left_out:
            yield f"kerning, which the game lacks: {some_of(left_out)}"

    def _add_backgrounds(self) -> None:
        """The backgrounds of Studio 1: games have nothing of them but the picture."""
        for own in self._project.backgrounds:
            if self._is_here(own) and own.has_picture:
                _add_picture(self._ours, "background", own.name, partial(_whole, own))
        for background in self._game.backgrounds:
            if background.has_picture:
                name = background.name
                _add_picture(self._theirs, "background", name, partial(_whole, background))

    def _add_tile_sets(self) -> Iterator[str]:
        moving = []
        for own in self._project.backgrounds:
            if self._is_here(own):
                _add_tile_set(self._ours, own, own.animation_speed)
                if own.is_animated:
                    moving.append(own.name)
        for tiles in self._game.backgrounds:
            length = tiles.frame_length
            _add_tile_set(self._theirs, tiles, _MICROSECONDS / length if length else 0.0)
        if moving:
            yield f"the tiles of animations: {some_of(moving)}"
        if len(self._project.backgrounds):
            yield "the first tile of each tile set, which the compiler clears"

    def _add_sound_files(self) -> Iterator[str]:
        converted, absent = [], []
        for own in self._project.sounds:
            sound = self._game.sounds.get(own.name)
            if sound is None or not self._is_here(own):
                continue
            one, other = own.bytes, sound.bytes
            if one is None and other is None:
                absent.append(own.name)
            elif one is not None and other is not None and not is_kept(one, other):
                converted.append(own.name)
            else:
                path = f"sounds/{own.name}{audio.inspect(one or other or b'').extension}"
                for side, of, data in ((self._ours, own, one), (self._theirs, sound, other)):
                    if data is not None:
                        side.add("sound file", own.name, path, partial(_sound_bytes, of))
        if converted:
            yield f"files of sounds that compilers convert: {some_of(converted)}"
        if absent:
            yield f"files of sounds that neither has: {some_of(absent)}"


def _add_picture(side: Side, kind: str, name: str, read: Callable[[], bytes]) -> None:
    side.add(kind, name, f"{kind.replace(' ', '_')}s/{name}.png", read)


def _letters(font: Font | GameFont) -> bytes:
    return picture(font.image)


def _whole(background: Tiles) -> bytes:
    return picture(background.image)


# -- shaders and fonts -----------------------------------------------------------------------------


def shader_file(vertex: str, fragment: str) -> bytes:
    """Both sources of a shader, whatever ends their lines."""
    parts = (part.replace("\r\n", "\n").rstrip("\n") for part in (vertex, fragment))
    return "// for vertices\n{}\n// for fragments\n{}\n".format(*parts).encode(
        "utf-8", "surrogateescape"
    )


def _is_kerned(game: GameData, name: str) -> bool:
    font = game.fonts.get(name)
    return font is not None and any(glyph.kerning for glyph in font.glyphs.values())


def own_font_file(font: Font, release: Version, *, has_pairs: bool) -> bytes:
    """The fields and the letters of a font of a project; ``has_pairs``: with kerning."""
    glyphs = {
        key: {name: row.get(own, 0) for name, own in _LETTER.items()}
        for key, row in sorted(font.glyphs.items())
    }
    pairs = font.kerning if has_pairs else {}
    value: dict[str, object] = {
        "face": font.face, "size": number(font.size), "bold": font.bold, "italic": font.italic,
        "anti_alias": font.antialias, **_letters_of(glyphs, pairs),
    }  # fmt: skip
    if release.at_least(2023, 2):
        value["distance_fields"] = font.uses_sdf
    return as_json(value)


def game_font_file(font: GameFont, release: Version) -> bytes:
    """The fields and the letters of a font of a game."""
    glyphs: dict[int, dict[str, int]] = {}
    pairs: dict[tuple[int, int], int] = {}
    for key, glyph in sorted(font.glyphs.items()):
        glyphs[ord(key)] = {name: getattr(glyph, name) for name in _LETTER}
        pairs |= {(ord(other), ord(key)): amount for other, amount in glyph.kerning.items()}
    value: dict[str, object] = {
        "face": str(font.display_name or ""), "size": number(font.size), "bold": font.bold,
        "italic": font.italic, "anti_alias": font.anti_alias, **_letters_of(glyphs, pairs),
    }  # fmt: skip
    if release.at_least(2023, 2):
        value["distance_fields"] = font.sdf_spread > 0
    return as_json(value)


def _letters_of(
    glyphs: dict[int, dict[str, int]], pairs: dict[tuple[int, int], int]
) -> dict[str, object]:
    """The letters, and their kerning: games have no other pairs."""
    kept = {
        chr(one) + chr(other): amount
        for (one, other), amount in sorted(pairs.items())
        if one in glyphs and other in glyphs
    }
    return {"glyphs": {chr(key): value for key, value in glyphs.items()}, "kerning": kept}


# -- tile sets -------------------------------------------------------------------------------------


def _add_tile_set(side: Side, tiles: Tiles, speed: float) -> None:
    name = tiles.name
    side.add("tile set", name, f"tile_sets/{name}.json", partial(_tile_set_file, tiles, speed))
    if tiles.has_picture:
        _add_picture(side, "tile set picture", name, partial(tiles_picture, tiles))


def _tile_set_file(tiles: Tiles, speed: float) -> bytes:
    return as_json({
        "tile_size": list(tiles.tile_size), "border": [tiles.border_x, tiles.border_y],
        "columns": tiles.columns, "tile_count": tiles.tile_count,
        "animation_speed": number(float(f"{speed:.{_SPEED_DIGITS}g}")),
    })  # fmt: skip


def tiles_picture(tiles: Tiles) -> bytes:
    """The tiles from the second on, one below the other: their layout in a game is another one."""
    image = tiles.image
    places = tiles.tile_places[1 : tiles.tile_count]
    if image is None or not places:
        return b""
    pixels = png.from_image(image.convert("RGBA"))
    wide, high = tiles.tile_size
    sheet = np.zeros((len(places) * high, wide, 4), np.uint8)
    for row, (left, top) in enumerate(places):
        part = pixels[top : top + high, left : left + wide]
        sheet[row * high : row * high + part.shape[0], : part.shape[1]] = part
    return picture(png.to_image(sheet))


# -- files of sounds -------------------------------------------------------------------------------


def is_kept(one: bytes, other: bytes) -> bool:
    """Whether the compiler kept a file: as it is, or its samples.

    It converts a file into another format, rate or number of channels.  Where both are compressed
    and differ, nothing says whether it compressed the file again, or the file is another one.
    """
    first, second = audio.inspect(one), audio.inspect(other)
    if one == other:
        return True
    return first.format is audio.AudioFormat.WAV and (
        (first.format, first.codec, first.channels, first.sample_rate, first.bits)
        == (second.format, second.codec, second.channels, second.sample_rate, second.bits)
    )


def _sound_bytes(sound: Sound | GameSound) -> bytes:
    return audio.plain_wav(sound.bytes or b"")
