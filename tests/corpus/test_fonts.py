"""Fonts of real games drawn again with a free typeface, and glyphs added to them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overhaul import translate
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.fonts import Font
from overhaul.media.typeface import Typeface
from real_files import NO_CORPUS, corpus_files, finished, sample

FOLDER = Path("/usr/share/fonts")
FILES = [
    FOLDER / "truetype/dejavu/DejaVuSans.ttf",
    FOLDER / "opentype/noto/NotoSansCJK-Regular.ttc",
]
GAMES_ALL = [
    path
    for path in finished([*corpus_files("datawin/*.*"), *corpus_files("datawin2/*.*")])
    if path.suffix not in (".tsv", ".md")
]
GAMES = sample(GAMES_ALL, 12, 41)

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not GAMES, reason=NO_CORPUS),
    pytest.mark.skipif(
        not all(map(Path.exists, FILES)), reason="needs fonts-dejavu and fonts-noto-cjk"
    ),
]


def pictures(font: Font) -> dict[str, tuple[object, ...]]:
    """All that a glyph is."""
    return {
        c: (g.width, g.height, g.shift, g.offset, None if g.image is None else g.image.tobytes())
        for c, g in font.glyphs.items()
    }


@pytest.fixture(scope="module")
def typefaces() -> list[Typeface]:
    return [Typeface(path.read_bytes(), path.name) for path in FILES]


def of(path: Path) -> GameData:
    return GameData.from_bytes(path.read_bytes())


def saved(game: GameData) -> GameData:
    data = game.to_bytes()
    read = GameData.from_bytes(data)
    read.decode()
    assert read.to_bytes() == data
    return read


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_every_font_is_drawn_anew(path: Path, typefaces: list[Typeface]) -> None:
    game = of(path)
    made: dict[str, dict[str, tuple[object, ...]]] = {}
    for font in game.fonts:
        old = {c: (g.shift, g.height) for c, g in font.glyphs.items()}
        size, line = font.size, max(height for _, height in old.values())
        known = frozenset().union(*(typeface.characters for typeface in typefaces))
        font.rebuild(typefaces, chars=[c for c in old if ord(c) in known or ord(c) < 160])
        assert font.size == size
        wider = [font.glyphs[c].shift / old[c][0] for c in old if c in font.glyphs and old[c][0]]
        assert 0.3 < np.median(wider) < 3, font.name
        assert 0.3 < max(g.height for g in font.glyphs.values()) / line < 3, font.name
        made[font.name] = pictures(font)
    read = saved(game)
    for name, glyphs in made.items():
        assert pictures(read.fonts[name]) == glyphs, name


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_added_glyphs_leave_the_others(path: Path, typefaces: list[Typeface]) -> None:
    game = of(path)
    before = {font.name: pictures(font) for font in game.fonts}
    for font in game.fonts:
        added = font.add_glyphs(typefaces, "éßЖ日")
        assert set(added) == set("éßЖ日") - before[font.name].keys()
    read = saved(game)
    for name, glyphs in before.items():
        font = read.fonts[name]
        assert font.covers("éßЖ日")
        after = pictures(font)
        assert {c: after[c] for c in glyphs} == glyphs, name
        assert all(font.glyphs[c].image is not None for c in "éßЖ日")


#: games of three releases with many texts, or all
OWNERS = ("CG573__", "SPowellTho__", "VVoytec__")
SPEAKING = [path for path in GAMES_ALL if path.name.startswith(OWNERS)]
SPEAKING = GAMES_ALL if sample(GAMES_ALL, 1) == GAMES_ALL else SPEAKING[:3]


@pytest.mark.parametrize("path", SPEAKING, ids=lambda path: path.name)
def test_a_translation_has_every_letter(path: Path, typefaces: list[Typeface]) -> None:
    messages = translate.extract(path)
    for entry in messages:
        entry.msgstr = f"é {entry.msgid} ß Ж 日"
    lacking = {each.text for each in translate.check(path, messages) if " no " in each.message}
    made = translate.apply(path, messages, ttf=typefaces)
    read = GameData.from_bytes(made.data)
    read.decode()
    assert read.to_bytes() == made.data and made.texts == len(messages)
    again = translate.extract(read)
    for entry in again:
        entry.msgstr = entry.msgid
    assert [each for each in translate.check(read, again) if " no " in each.message] == []
    assert not lacking or any(font.covers("éßЖ日") for font in read.fonts)
    for shown in translate.preview(read, again):
        assert not shown.missing or not shown.evident
