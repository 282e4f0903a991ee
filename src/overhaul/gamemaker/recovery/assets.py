"""Sounds, fonts and paths."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.modern import ModernDraft, ModernProjectDraft, rows
from overhaul.gamemaker.recovery.texture_groups import DEFAULT
from overhaul.media import png

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.fonts import Font
    from overhaul.gamemaker.data.resources.sounds import Sound

#: The values of a new font in the editor.
_SAMPLE: Final = (
    "abcdef ABCDEF\n0123456789 .,<>\"'&!?\nthe quick brown fox jumps over the lazy dog\n"
    "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG\nDefault character: \u25af (9647)"
)
#: The editor's names for the compression of a sound, by two bits of the game's flags.
_COMPRESSIONS: Final = {0: 3, 1: 0, 2: 1, 3: 2}
_KEPT: Final = 3
_LAST_SHOWN: Final = 126
_MOST_MONO: Final = 1


def add_sounds(draft: ModernDraft) -> None:
    """Add the sounds of the game with their files."""
    total = lossy = lost = 0
    for sound in draft.game.sounds:
        total += 1
        is_there = _add_sound(draft, sound)
        lost += not is_there
        lossy += is_there and (sound.format is None or sound.format.value != "wav")
    draft.count("sounds", total, lossy, lost)
    if lossy:
        draft.lost("the files that compressed sounds were made of", "sounds")


def _add_sound(draft: ModernDraft, sound: Sound) -> bool:
    name, made = sound.name, draft.name_for("sound", sound.name)
    known = sound.format
    stored = os.path.splitext(str(sound.file_name or ""))[1].lower()
    ending = f".{known.value}" if known is not None else stored or ".wav"
    data = sound.bytes
    if data is None:
        draft.lost("its file (it is not next to the game)", draft.path_of("sound", name))
    file = f"{made}{ending}"
    group = sound.group
    group_name = group.name if group is not None else "audiogroup_default"
    members: dict[str, Json] = {
        "compression": _COMPRESSIONS[int(sound.record.flags) & _KEPT],
        "volume": round(float(sound.volume), 6),
        "preload": bool(getattr(sound.record, "preload", False)),
        "sampleRate": sound.sample_rate or 44100,
        "type": 1 if (sound.channels or 1) > _MOST_MONO else 0,
        "audioGroupId": draft.place(group_name, f"audiogroups/{group_name}"),
        "soundFile": file if data is not None else "",
        "duration": round(sound.duration or 0.0, 6),
    }
    files = {} if data is None else {file: data.__bytes__}
    add_sound_record(draft, name, members, files)
    return data is not None


def add_sound_record(
    draft: ModernProjectDraft,
    name: str,
    given: Mapping[str, Json],
    files: Mapping[str, Callable[[], bytes]],
) -> None:
    """Add a sound with its file."""
    members: dict[str, Json] = {
        "conversionMode": 0,
        "bitRate": 128,
        "bitDepth": 1,
        "duration": 0.0,
        **given,
    }
    draft.add("sound", name, "GMSound", members, files)


# -- fonts -----------------------------------------------------------------------------------------


def add_fonts(draft: ModernDraft) -> None:
    """Add the fonts with the pictures of their glyphs."""
    total = 0
    for font in draft.game.fonts:
        total += 1
        _add_font(draft, font)
    draft.count("fonts", total, total)
    if total:
        draft.lost("the styles and the sample texts", "fonts")


def _add_font(draft: ModernDraft, font: Font) -> None:
    made = draft.name_for("font", font.name)
    glyphs: dict[str, Json] = {}
    pairs: list[Json] = []
    for character, glyph in font.glyphs.items():
        number = ord(character)
        glyphs[str(number)] = draft.ordered(
            {
                "x": glyph.x,
                "y": glyph.y,
                "w": glyph.width,
                "h": glyph.height,
                "character": number,
                "shift": glyph.shift,
                "offset": glyph.offset,
            },
            "GMFont.glyphs.#",
        )
        for other, amount in glyph.kerning.items():
            pair: dict[str, Json] = {"first": ord(other), "second": number, "amount": amount}
            pairs.append(draft.ordered(pair, "GMFont.kerningPairs[]"))
    spread = font.sdf_spread if draft.game.release.at_least(2023, 2) else 0
    members = font_members(draft, font.display_name or "", float(font.size))
    members |= {
        "textureGroupId": draft.texture_group("font", font.name),
        "styleName": _style_of(font),
        "bold": font.bold,
        "italic": font.italic,
        "charset": font.charset,
        "AntiAlias": font.anti_alias,
        "ascenderOffset": font.ascender_offset if draft.game.release.at_least(2, 3) else 0,
        "ascender": font.ascender if draft.game.release.at_least(2022, 2) else 0,
        "lineHeight": font.line_height if draft.game.release.at_least(2023, 6) else 0,
        "usesSDF": spread > 0,
        "sdfSpread": spread or 8,
        "glyphs": glyphs,
        "kerningPairs": rows(sorted(pairs, key=_pair)),
        "ranges": rows([draft.ordered(each, "GMFont.ranges[]") for each in ranges_of(font)]),
    }
    draft.add("font", font.name, "GMFont", members, {f"{made}.png": partial(_picture, font)})


def font_members(draft: ModernProjectDraft, face: str, size: float) -> dict[str, Json]:
    """The members of a font of a typeface, without letters, in the group that each project has."""
    return {
        "hinting": 0,
        "glyphOperations": 0,
        "interpreter": 0,
        "pointRounding": 0,
        "applyKerning": 0,
        "fontName": face,
        "styleName": "Regular",
        "size": size,
        "bold": False,
        "italic": False,
        "charset": 0,
        "AntiAlias": 1,
        "first": 0,
        "last": 0,
        "sampleText": _SAMPLE,
        "includeTTF": False,
        "TTFName": "",
        "textureGroupId": draft.in_group(DEFAULT),
        "ascenderOffset": 0,
        "ascender": 0,
        "lineHeight": 0,
        "usesSDF": False,
        "sdfSpread": 8,
        "glyphs": {},
        "kerningPairs": [],
        "ranges": [],
        "regenerateBitmap": False,
        "canGenerateBitmap": True,
        "maintainGms1Font": False,
    }


def _style_of(font: Font) -> str:
    """The name of the style, as most typefaces call it."""
    words = [word for word, has in (("Bold", font.bold), ("Italic", font.italic)) if has]
    return " ".join(words) or "Regular"


def ranges_of(font: Font) -> list[dict[str, Json]]:
    """The ranges of numbers that the glyphs of a font have."""
    made: list[dict[str, Json]] = []
    last: int | None = None
    for number in sorted(map(ord, font.glyphs)):
        if last is not None and number == last + 1:
            made[-1]["upper"] = number
        else:
            made.append({"lower": number, "upper": number})
        last = number
    if made and made[0]["lower"] == ord(" ") and made[0]["upper"] == _LAST_SHOWN:
        made[0]["upper"] = _LAST_SHOWN + 1  # DEL, which the usual range has and nothing draws
    return made


def _pair(pair: Json) -> tuple[int, int]:
    """The key by which pairs for kerning are sorted."""
    assert isinstance(pair, dict)
    first, second = pair["first"], pair["second"]
    assert isinstance(first, int) and isinstance(second, int)
    return first, second


def _picture(font: Font) -> bytes:
    image = font.image
    if image is None:
        return png.encode(np.zeros((1, 1, 4), np.uint8))
    return png.encode(png.from_image(image.convert("RGBA")))


# -- paths ----------------------------------------------------------------------------------------


def add_paths(draft: ModernDraft) -> None:
    """Add the paths of the game."""
    total = 0
    for path in draft.game.paths:
        total += 1
        points: list[Json] = [
            draft.ordered(
                {"speed": float(point.speed), "x": float(point.x), "y": float(point.y)},
                "GMPath.points[]",
            )
            for point in path.points
        ]
        members: dict[str, Json] = {
            "kind": int(path.smooth),
            "closed": path.closed,
            "precision": path.precision,
            "points": points,
        }
        draft.add("path", path.name, "GMPath", members)
    draft.count("paths", total)
