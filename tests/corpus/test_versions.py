"""Files of every release: real games, written in the layout of each earlier release.

The version is found again well enough that every chunk reads as it was written, and the file is
rebuilt identically; where a few words don't tell, the layout that consumes every byte does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.font import ascii_code_page
from overhaul.gamemaker.data.chunks.sprt import mask_size
from overhaul.gamemaker.data.detect import FLAG_NAMES, PRESENCE
from overhaul.gamemaker.data.version import BREAKS, Version
from present import opened, present
from real_files import corpus_files

#: games without code of their own time in them: one of native code, one of 2023.1, one of 2.3.6
GAMES = [
    path
    for name in ("MichaelBranagh46", "Joestar-V", "jnibali")
    for path in corpus_files(f"datawin/{name}*.win")
]
SINCE = {name: CHUNKS[name].since or () for name in (*PRESENCE, "PSYS", "ACRV", "TAGS")}


def as_of(path: Path, number: tuple[int, ...]) -> GameData:
    """The game with the chunks and layouts of another release."""
    game = overhaul.open(path)
    assert isinstance(game, GameData)
    game.load_all()
    old = game.release
    game.release = old.with_number(*number)._replace(lts=False)
    if number < (2, 3, 2):
        game.release = game.release._replace(string_alignment=1, background_alignment=1)
    if number < (2, 2, 1):
        game.alignment = 1
    for name, since in SINCE.items():
        if name in game.chunks and number < since:
            del game.chunks[name]
    for slot in game.chunks.values():
        slot.version = None
    if "FEAT" in game.chunks:
        later = {name for name, since in FLAG_NAMES if since > number}
        flags = game.chunks["FEAT"].record.flags
        flags[:] = [flag for flag in flags if flag.text not in later]
    fonts = game.chunks["FONT"].record
    fonts.code_page = fonts.code_page or ascii_code_page()
    for font in fonts.fonts:
        font.size = int(abs(font.size)) if number < (2, 2, 2, 302) else font.size
    for sprite in game.records.sprites:
        make_older(sprite, number, old, game.release)
    for background in game.records.backgrounds:
        present(background).exported_sprite = 0 if number < (2023, 8) else None
    return game


def make_older(sprite: Any, number: tuple[int, ...], old: Version, new: Version) -> None:
    newest = 3 if number >= (2, 3, 2) else 2 if number >= (2, 3) else 1
    sprite.sub_version = min(sprite.sub_version, newest)
    if newest < 3:
        sprite.nine_slice = None
    if newest < 2:
        sprite.sequence = None
    box = (
        sprite.width, sprite.height, sprite.margin_left, sprite.margin_right, sprite.margin_top,
        sprite.margin_bottom,
    )  # fmt: skip
    width, height = mask_size(new, *box)
    if mask_size(old, *box) != (width, height):
        sprite.masks = [bytes((width + 7) // 8 * height) for _ in sprite.masks]


@pytest.mark.parametrize("number", BREAKS[1:], ids=lambda number: ".".join(map(str, number)))
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_release_is_read_as_it_was_written(path: Path, number: tuple[int, ...]) -> None:
    game = opened(path, GameData)
    if number > game.release.number[: len(number)]:
        return
    written = as_of(path, number)
    data = written.to_bytes()
    found = GameData.from_bytes(data)
    assert found.to_bytes() == data
    assert found.warnings == []
    reported = GameData.from_bytes(data, assume_version=str(written.release))
    reported.release = written.release
    reported.load_all()
    for name, slot in reported.chunks.items():
        if name not in ("CODE", "VARI", "FUNC", "STRG", "GEN8", "TAGS"):
            assert found.chunks[name].record == slot.record, name
