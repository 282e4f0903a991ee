"""What is done with the texts of any game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.translate.families import Game, opened
from overhaul.translate.messages import column_of

if TYPE_CHECKING:
    import polib

    from overhaul.folder.parallel import Progress
    from overhaul.translate.results import Explanation, GameFile, Problem, Translated
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
    progress: Progress | None = None,
) -> Translated:
    """Put translated texts in where they are shown; the game that is given stays as it is.

    What is not translated, fuzzy or obsolete stays in the game's language.  Texts that the game
    does not show are warnings, as are letters that none of its fonts has.  Raises FormatError for
    what is not a game whose texts are known.
    """
    with opened(game) as (family, document):
        return family.apply(
            document, messages, keep=document is game, rules=rules, progress=progress
        )


def check(
    game: Game,
    messages: polib.POFile,
    *,
    rules: Rules | None = None,
    progress: Progress | None = None,
) -> list[Problem]:
    """What would not work in the game: lost placeholders, other line breaks, letters that no font
    of the game has, texts that it does not show.  Fuzzy and untranslated texts are not looked at.
    """
    with opened(game) as (family, document):
        found = family.check(document, messages, rules=rules, progress=progress)
    column = column_of(messages)
    if column:
        for problem in found:
            problem.cell = f"{column}{problem.line}" if problem.line else ""
    return found


def explain(
    game: Game, text: str, *, rules: Rules | None = None, progress: Progress | None = None
) -> list[Explanation]:
    """Why a text is translated or not, for each place that has it; [] where the game has none.

    Raises FormatError for what is not a game whose texts are known.
    """
    with opened(game) as (family, document):
        return family.explain(document, text, rules=rules, progress=progress)


def game_files(game: Game) -> list[GameFile]:
    """The files that a game's code reads, those that are beside it first.

    Raises FormatError for what is not a game whose texts are known.
    """
    with opened(game) as (family, document):
        return family.files(document)
