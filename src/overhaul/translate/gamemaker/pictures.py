"""Sprites of a GameMaker game that may have lettering, as pictures to work through."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from overhaul.document.files import write_into
from overhaul.document.names import escape_name
from overhaul.errors import FormatError, OverhaulError
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.syntax import tree
from overhaul.translate.families import opened
from overhaul.translate.gamemaker.flow_values import LETTERS
from overhaul.translate.rules import Choice

if TYPE_CHECKING:
    from overhaul.folder.parallel import Progress
    from overhaul.translate.families import Game
    from overhaul.translate.rules import Rules

#: words in names of sprites, and of objects that show them, that speak for lettering
_WORDS: Final = frozenset(
    [
        "banner",
        "botao",
        "botaos",
        "boton",
        "btn",
        "btns",
        "button",
        "buttons",
        "caption",
        "continue",
        "controls",
        "credits",
        "dialog",
        "dialogue",
        "easy",
        "exit",
        "font",
        "gameover",
        "go",
        "hard",
        "help",
        "howto",
        "instruction",
        "instructions",
        "intro",
        "label",
        "letter",
        "letters",
        "loading",
        "logo",
        "lose",
        "lost",
        "menu",
        "message",
        "msg",
        "no",
        "normal",
        "ok",
        "options",
        "over",
        "panel",
        "pause",
        "paused",
        "play",
        "press",
        "ready",
        "replay",
        "restart",
        "resume",
        "retry",
        "save",
        "score",
        "settings",
        "sign",
        "skip",
        "start",
        "story",
        "text",
        "texto",
        "texts",
        "title",
        "titulo",
        "txt",
        "tutorial",
        "tutorials",
        "victory",
        "warning",
        "win",
        "won",
        "word",
        "words",
        "yes",
    ]
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_FONTS: Final = frozenset(("font_add_sprite", "font_add_sprite_ext"))
_WIDE: Final = 2


@dataclass
class Lettering:
    """A sprite that may have lettering: ``frames``, ``width`` and ``height`` in pixels, and why."""

    name: str
    frames: int
    width: int
    height: int
    reasons: list[str]


def pictures(
    game: Game, *, rules: Rules | None = None, progress: Progress | None = None
) -> list[Lettering]:
    """The sprites of a GameMaker game whose names or uses hint at lettering, with the reasons.

    ``sprites`` of the rules are there in any case, or not.  Sprites without a picture are left out.
    Raises FormatError for what is not the data of a GameMaker game.
    """
    with opened(game) as (_, document):
        return _found(_checked(document), rules, progress)


def save_pictures(
    game: Game,
    folder: str | os.PathLike[str],
    *,
    rules: Rules | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> list[Lettering]:
    """Save these sprites as strips into a folder, with a page of all of them, ``index.html``.

    ``sprites.add_folder(folder, replace=True)`` puts back what was changed.  Raises FileExistsError
    for a file that is there, without ``force``, and what :func:`pictures` raises.
    """
    with opened(game) as (_, document):
        data = _checked(document)
        letterings = _found(data, rules, progress)
        files = {
            f"{escape_name(lettering.name)}_strip{lettering.frames}.png": data.sprites[
                lettering.name
            ].strip
            for lettering in letterings
        }
        files["index.html"] = partial(_page, letterings, list(files))
        write_into(os.fspath(folder), files, force=force)
        return letterings


def _checked(document: object) -> GameData:
    if not isinstance(document, GameData):
        kind = getattr(document, "kind", "something else")
        raise FormatError(f"expected the data of a GameMaker game, got {kind}")
    return document


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
        words = _words(name)
        if words:
            reasons.append(f"its name has {' and '.join(words)}")
        for item in shown[name]:
            if _words(item):
                reasons.append(f"{item} shows it")
                break
        single = len(sprite.frames) == 1 and sprite.width >= _WIDE * sprite.height
        if single and name in drawn:
            reasons.append(f"it is wide, has one frame, and {drawn[name]}")
        if reasons:
            size = (sprite.width, sprite.height)
            letterings.append(Lettering(name, len(sprite.frames), *size, reasons))
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
            block = game.language.tree(entry).block
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


def _words(name: str) -> list[str]:
    """The words in a name that speak for lettering."""
    parts = (part.lower() for part in _PART.findall(name))
    return list(dict.fromkeys(repr(part) for part in parts if part in _WORDS))


def _page(letterings: list[Lettering], files: list[str]) -> bytes:
    """A page that shows all of them."""
    rows = [
        f'<figure id="{escape(each.name)}"><a href="{quote(file)}"><img src="{quote(file)}" alt="">'
        f"</a><figcaption><b>{escape(each.name)}</b> {each.frames} &times; {each.width} &times; "
        f"{each.height}<br>{'<br>'.join(map(escape, each.reasons))}</figcaption></figure>"
        for each, file in zip(letterings, files, strict=True)
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Pictures with text</title>\n'
        "<style>body{font-family:sans-serif;background:#888}figure{display:inline-block;margin:1em;"
        "padding:.5em;background:#eee}img{max-width:40em;image-rendering:pixelated;"
        "background:#bbb}</style>\n"
        f"<h1>{len(letterings)} sprites that may have text</h1>\n" + "\n".join(rows) + "\n</html>\n"
    ).encode("utf-8")
