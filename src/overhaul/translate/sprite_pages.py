"""Sprites of a game that may have lettering, as pictures to work through."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from html import escape
from urllib.parse import quote

from overhaul.document.files import write_into
from overhaul.folder.parallel import Progress
from overhaul.translate.families import Game, Job, opened
from overhaul.translate.lettering import Lettering
from overhaul.translate.rules import Rules


def pictures(
    game: Game, *, rules: Rules | None = None, progress: Progress | None = None
) -> list[Lettering]:
    """The sprites of a game whose names or uses hint at lettering, with the reasons.

    ``sprites`` of the rules are there in any case, or not. Sprites without a picture are left
    out. Raises FormatError for a file that is not a game.
    """
    with opened(game) as (family, document):
        return family.lettering(document, Job(rules, progress=progress))


def save_pictures(
    game: Game,
    folder: str | os.PathLike[str],
    *,
    rules: Rules | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> list[Lettering]:
    """Save these sprites into a folder, with a page of all of them, ``index.html``.

    Those of GameMaker are strips, which ``sprites.add_folder(folder, replace=True)`` puts back;
    those of Adventure Game Studio have the names of the folder ``sprites`` of an unpacked game.

    Raises FileExistsError for a file that is there, without ``force``, and what :func:`pictures`
    raises.
    """
    with opened(game) as (family, document):
        letterings = family.lettering(document, Job(rules, progress=progress))
        files: dict[str, Callable[[], bytes]] = {
            lettering.file: lettering.picture for lettering in letterings
        }
        files["index.html"] = partial(_page, letterings)
        write_into(os.fspath(folder), files, force=force)
        return letterings


def _page(letterings: list[Lettering]) -> bytes:
    """A page that shows all of them."""
    rows = []
    for picture in letterings:
        link = quote(picture.file)
        reasons = "<br>".join(map(escape, picture.reasons))
        rows.append(
            f'<figure id="{escape(picture.name)}"><a href="{link}"><img src="{link}" alt=""></a>'
            f"<figcaption><b>{escape(picture.name)}</b> {picture.frames} &times; "
            f"{picture.width} &times; {picture.height}<br>{reasons}</figcaption></figure>"
        )
    return (
        '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Pictures with text</title>\n'
        "<style>body{font-family:sans-serif;background:#888}figure{display:inline-block;margin:1em;"
        "padding:.5em;background:#eee}img{max-width:40em;image-rendering:pixelated;"
        "background:#bbb}</style>\n"
        f"<h1>{len(letterings)} sprites that may have text</h1>\n" + "\n".join(rows) + "\n</html>\n"
    ).encode("utf-8")
