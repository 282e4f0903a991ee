"""Extract, apply, check, preview, explain and update the texts of any game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

import polib

from overhaul.translate.families import Game, Job, font_files, opened
from overhaul.translate.results import (
    OWN_LINES,
    Explanation,
    GameFile,
    Preview,
    Problem,
    Translated,
    column_of,
)

if TYPE_CHECKING:
    from overhaul.folder.parallel import Progress
    from overhaul.media.characters import Typefaces
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
        return family.extract(document, Job(rules, progress=progress))


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
    """Put translated texts in where they are shown; the game itself does not change.

    Untranslated, fuzzy and obsolete texts stay in the game's language.  Texts that the game does
    not show are warnings, as are letters that its fonts lack.

    With ``ttf`` (one or several TrueType or OpenType files), or ``fonts`` (such files by the name
    of a font of the game), letters that a font lacks are drawn into it.  The old ones stay as they
    are, or are drawn again with ``rebuild_fonts``.  A game without fonts gets one, where its code
    can set it.  Raises ValueError for letters that no file has, KeyError for a font that the game
    does not have, FormatError for a broken file and for what is not a game whose texts are known.
    Raises EncodeError for translations whose placeholders are not those of their texts; with
    ``force`` these are warnings.
    """
    typefaces = font_files(ttf, fonts, rebuild=rebuild_fonts)
    with opened(game) as (family, document):
        job = Job(rules, typefaces, document is game, force, progress)
        return family.apply(document, messages, job)


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
    """The problems of a translation: lost placeholders, other line breaks, letters that no font of
    the game has, texts that it does not show.  Fuzzy and untranslated texts are not checked.

    With ``ttf`` and ``fonts``, the game is as :func:`apply` makes it with them; letters that no
    file has are problems.  The game itself does not change.
    """
    typefaces = font_files(ttf, fonts, rebuild=rebuild_fonts)
    with opened(game) as (family, document):
        job = Job(rules, typefaces, document is game, progress=progress)
        problems = family.check(document, messages, job)
    column = column_of(messages)
    if column:
        for problem in problems:
            problem.cell = f"{column}{problem.line}" if problem.line else ""
    return problems


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
    the letters that :func:`apply` draws into them.  Raises FormatError for what is not a game whose
    texts are known.
    """
    typefaces = font_files(ttf, fonts, rebuild=rebuild_fonts)
    with opened(game) as (family, document):
        job = Job(rules, typefaces, document is game, progress=progress)
        return family.preview(document, messages, job)


def explain(
    game: Game, text: str, *, rules: Rules | None = None, progress: Progress | None = None
) -> list[Explanation]:
    """Why a text is translated or not, for each place that has it; [] where the game has none.

    Raises FormatError for what is not a game whose texts are known.
    """
    with opened(game) as (family, document):
        return family.explain(document, text, Job(rules, progress=progress))


def game_files(game: Game) -> list[GameFile]:
    """The files that a game's code reads, those that are next to it first.

    Raises FormatError for what is not a game whose texts are known.
    """
    with opened(game) as (family, document):
        return family.files(document)


#: the likeness (at most 1) from which a text takes the translation of another
_LIKE = 0.7


@dataclass
class Updated:
    """A translation for another build: ``messages``, and how many of its texts kept their
    translation, took that of a text like them (they are fuzzy), and have none (``untranslated``);
    ``gone`` are the texts that the game lost, which are obsolete now.
    """

    messages: polib.POFile
    kept: int = 0
    fuzzy: int = 0
    untranslated: int = 0
    gone: int = 0


def update(
    game: Game,
    messages: polib.POFile,
    *,
    rules: Rules | None = None,
    progress: Progress | None = None,
) -> Updated:
    """Carry a translation to another build of its game; ``messages`` does not change.

    Comments of translators, flags and the header are kept.  A text that changed a little takes the
    old translation, marked fuzzy, with the old text next to it.  A text that came back takes the
    translation it had before.  Raises FormatError for what is not a game
    whose texts are known.
    """
    made = extract(game, rules=rules, progress=progress)
    ordered = sorted(messages, key=lambda entry: not entry.obsolete)  # the others count
    old = {str(entry.msgid): entry for entry in ordered if _is_plain(entry)}
    current = {str(entry.msgid) for entry in made}
    lost = {text: entry for text, entry in old.items() if text not in current and entry.msgstr}
    done = Updated(made)
    for entry in made:
        before = old.get(str(entry.msgid))
        if before is not None:
            _keep(entry, before)
        else:
            alike = get_close_matches(str(entry.msgid), lost, 1, _LIKE)
            if alike:
                entry.msgstr = lost[alike[0]].msgstr
                entry.previous_msgid = alike[0]
                entry.flags.append("fuzzy")
        done.kept += bool(entry.msgstr) and not entry.fuzzy
        done.fuzzy += entry.fuzzy
        done.untranslated += not entry.msgstr
    for entry in messages:
        if not _is_plain(entry) or lost.get(str(entry.msgid)) is entry:
            done.gone += not entry.obsolete
            made.append(_obsolete(entry))
    notes = [line for line in messages.header.split("\n") if not line.startswith(OWN_LINES)]
    made.header = "\n".join([made.header, *notes]).rstrip("\n")
    made.metadata = {**made.metadata, **messages.metadata}
    made.metadata_is_fuzzy = messages.metadata_is_fuzzy
    return done


def _is_plain(entry: polib.POEntry) -> bool:
    return not entry.msgctxt and not entry.msgid_plural


def _keep(entry: polib.POEntry, before: polib.POEntry) -> None:
    """Keep the work of translators in an entry."""
    entry.msgstr = before.msgstr
    entry.tcomment = before.tcomment
    entry.flags += [flag for flag in before.flags if flag not in entry.flags]
    entry.previous_msgid = before.previous_msgid


def _obsolete(entry: polib.POEntry) -> polib.POEntry:
    return polib.POEntry(
        msgid=entry.msgid,
        msgstr=entry.msgstr,
        msgctxt=entry.msgctxt,
        msgid_plural=entry.msgid_plural,
        msgstr_plural=dict(entry.msgstr_plural),
        tcomment=entry.tcomment,
        flags=list(entry.flags),
        obsolete=True,
    )
