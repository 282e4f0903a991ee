"""What is done with the texts of any game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.errors import FormatError
from overhaul.translate.families import DRAW_FONTS, Game, opened
from overhaul.translate.messages import column_of
from overhaul.translate.typefaces import font_files

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polib

    from overhaul.document.protocol import Document
    from overhaul.folder.parallel import Progress
    from overhaul.gamemaker.data.resources.typesetting import Typefaces
    from overhaul.translate.results import Explanation, GameFile, Preview, Problem, Translated
    from overhaul.translate.rules import Rules


def extract(
    game: Game, *, rules: Rules | None = None, progress: Progress | None = None
) -> polib.POFile:
    """The texts of a game that a player sees, untranslated.

    Each has the code that shows it as its occurrence and comment.  Code that can't be read is named
    in the header; ``rules`` change which texts are there.  Raises FormatError for what is not a
    game whose texts are known.
    """
    with opened(game) as (family, document):
        return family.extract(document, rules=rules, progress=progress)


def apply(
    game: Game,
    messages: polib.POFile,
    *,
    rules: Rules | None = None,
    ttf: Typefaces | None = None,
    fonts: Mapping[str, Typefaces] | None = None,
    rebuild_fonts: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Translated:
    """Put translated texts in where they are shown; the game that is given stays as it is.

    What is not translated, fuzzy or obsolete stays in the game's language.  Texts that the game
    does not show are warnings, as are letters that its fonts have not.

    With ``ttf`` (one or several TrueType or OpenType files), or ``fonts`` (such files by the name
    of a font of the game), letters that a font lacks are drawn into it.  The old ones stay as they
    are, or are drawn again with ``rebuild_fonts``.  A game without fonts gets one, where its code
    can set it.  Raises ValueError for letters that no file has, KeyError for a font that there is
    not, FormatError for a broken file and for what is not a game whose texts are known.  Raises
    EncodeError for translations whose placeholders are not those of their texts; with ``force``
    these are warnings.
    """
    typefaces = font_files(ttf, fonts, rebuild=rebuild_fonts)
    with opened(game) as (family, document):
        if typefaces is not None:
            _check_draws(document)
        return family.apply(
            document,
            messages,
            keep=document is game,
            rules=rules,
            typefaces=typefaces,
            force=force,
            progress=progress,
        )


def _check_draws(document: Document) -> None:
    if document.kind not in DRAW_FONTS:
        raise FormatError(
            f"expected the data of a GameMaker game, whose fonts can be drawn, got {document.kind}",
            source=document.source,
        )


def check(
    game: Game,
    messages: polib.POFile,
    *,
    rules: Rules | None = None,
    ttf: Typefaces | None = None,
    fonts: Mapping[str, Typefaces] | None = None,
    rebuild_fonts: bool = False,
    progress: Progress | None = None,
) -> list[Problem]:
    """What would not work in the game: lost placeholders, other line breaks, letters that no font
    of the game has, texts that it does not show.  Fuzzy and untranslated texts are not looked at.

    With ``ttf`` and ``fonts``, the game is as :func:`apply` makes it with them; letters that no
    file has are problems.  The game that is given stays as it is.
    """
    typefaces = font_files(ttf, fonts, rebuild=rebuild_fonts)
    with opened(game) as (family, document):
        if typefaces is not None:
            _check_draws(document)
        found = family.check(
            document,
            messages,
            keep=document is game,
            rules=rules,
            typefaces=typefaces,
            progress=progress,
        )
    column = column_of(messages)
    if column:
        for problem in found:
            problem.cell = f"{column}{problem.line}" if problem.line else ""
    return found


def preview(
    game: Game,
    messages: polib.POFile,
    *,
    rules: Rules | None = None,
    ttf: Typefaces | None = None,
    fonts: Mapping[str, Typefaces] | None = None,
    rebuild_fonts: bool = False,
    progress: Progress | None = None,
) -> list[Preview]:
    """Each text and its translation, drawn with the font that the code sets before it draws it.

    A text that is drawn in several ways has several.  With ``ttf`` and ``fonts``, the fonts have
    the letters that :func:`apply` draws into them.  Raises FormatError for what is not the data of
    a GameMaker game.
    """
    typefaces = font_files(ttf, fonts, rebuild=rebuild_fonts)
    with opened(game) as (family, document):
        _check_draws(document)
        return family.preview(
            document,
            messages,
            keep=document is game,
            rules=rules,
            typefaces=typefaces,
            progress=progress,
        )


def explain(
    game: Game, text: str, *, rules: Rules | None = None, progress: Progress | None = None
) -> list[Explanation]:
    """Why a text is translated or not, for each place that has it; [] where the game has none.

    Raises FormatError for what is not a game whose texts are known.
    """
    with opened(game) as (family, document):
        return family.explain(document, text, rules=rules, progress=progress)


def game_files(game: Game) -> list[GameFile]:
    """The files that a game's code reads, those that are next to it first.

    Raises FormatError for what is not a game whose texts are known.
    """
    with opened(game) as (family, document):
        return family.files(document)
