"""Sprites of a GameMaker game that may have lettering, as pictures to work through."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhaul.document.names import escape_name
from overhaul.document.protocol import Document
from overhaul.errors import OverhaulError
from overhaul.folder.parallel import Progress
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.syntax import tree
from overhaul.translate.gamemaker.flow_values import LETTERS
from overhaul.translate.lettering import Lettering, words_in
from overhaul.translate.rules import Choice, Rules

if TYPE_CHECKING:
    from overhaul.translate.families import Job

_FONTS: Final = frozenset(("font_add_sprite", "font_add_sprite_ext"))
_WIDE: Final = 2


def lettering(game: Document, job: Job) -> list[Lettering]:
    """The sprites whose names or uses hint at lettering: see
    :func:`overhaul.translate.sprite_pages.pictures`."""
    assert isinstance(game, GameData)
    return _found(game, job.rules, job.progress)


def _found(game: GameData, rules: Rules | None, progress: Progress | None) -> list[Lettering]:
    include, exclude = (rules.include, rules.exclude) if rules else (Choice(), Choice())
    drawn, fonts = _uses(game, progress)
    shown = _objects(game)
    letterings = []
    for sprite in game.sprites:
        name = sprite.name
        if exclude.sprite(name) or not sprite.has_pictures():
            continue
        reasons = ["the rules include it"] if include.sprite(name) else []
        if name in fonts:
            reasons.append(f"a font is made of it in {fonts[name]}")
        words = words_in(name)
        if words:
            reasons.append(f"its name has {' and '.join(words)}")
        for item in shown[name]:
            if words_in(item):
                reasons.append(f"{item} shows it")
                break
        single = len(sprite.frames) == 1 and sprite.width >= _WIDE * sprite.height
        if single and name in drawn:
            reasons.append(f"it is wide, has one frame, and {drawn[name]}")
        if reasons:
            size = (sprite.width, sprite.height)
            frames = len(sprite.frames)
            file = f"{escape_name(name)}_strip{frames}.png"
            letterings.append(Lettering(name, frames, *size, reasons, file, sprite.strip))
    return letterings


def _uses(game: GameData, progress: Progress | None) -> tuple[dict[str, str], dict[str, str]]:
    """Which code draws each sprite by its name, and which makes a font of it."""
    drawn: dict[str, str] = {}
    fonts: dict[str, str] = {}
    code = list(roots(game))
    for number, entry in enumerate(code):
        name = str(entry.name)
        if progress is not None:
            progress(number, len(code), name)
        try:
            block = game.language.decompiled.tree(entry).block
        except OverhaulError:
            continue
        for function, sprite in _calls(block):
            if function in LETTERS:
                drawn.setdefault(sprite, f"{function} in {name} draws it")
            elif function in _FONTS:
                fonts.setdefault(sprite, name)
    if progress is not None:
        progress(len(code), len(code), "")
    return drawn, fonts


def _calls(block: tree.Node) -> Iterator[tuple[str, str]]:
    """The functions that are called with a name as the first argument, and the name."""
    for node in block.walk():
        if isinstance(node, tree.Call) and isinstance(node.function, tree.Name) and node.arguments:
            first = node.arguments[0]
            if isinstance(first, tree.Name):
                yield node.function.name, first.name


def _objects(game: GameData) -> defaultdict[str, list[str]]:
    """The objects that each sprite is the sprite of."""
    objects: defaultdict[str, list[str]] = defaultdict(list)
    for item in game.objects:
        if item.sprite is not None:
            objects[item.sprite.name].append(item.name)
    return objects
