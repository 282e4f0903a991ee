"""A translation brought to another build of its game."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

import polib

from overhaul.translate.gamemaker.extracting import OWN_LINES as OF_GAMEMAKER
from overhaul.translate.messages import OWN_LINES
from overhaul.translate.verbs import extract

if TYPE_CHECKING:
    from overhaul.folder.parallel import Progress
    from overhaul.translate.families import Game
    from overhaul.translate.rules import Rules

#: how alike texts are of which one may take the other's translation, of 1
_LIKE = 0.7


@dataclass
class Updated:
    """A translation for another build: ``messages``, and how many of its texts kept their
    translation, took that of a text like them (they are fuzzy), and have none; ``gone`` are the
    texts that the game lost, which are obsolete now."""

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
    """Carry a translation to another build of its game; ``messages`` stays as it is.

    Comments of translators, flags and the header are kept.  A text that changed a little takes the
    old translation, marked fuzzy, with the old text next to it.  A text that came back takes the
    translation it had before.  Raises FormatError for what is not a game
    whose texts are known.
    """
    made = extract(game, rules=rules, progress=progress)
    ordered = sorted(messages, key=lambda entry: not entry.obsolete)  # the others win
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
    own = OWN_LINES + OF_GAMEMAKER
    notes = [line for line in messages.header.split("\n") if not line.startswith(own)]
    made.header = "\n".join([made.header, *notes]).rstrip("\n")
    made.metadata = {**made.metadata, **messages.metadata}
    made.metadata_is_fuzzy = messages.metadata_is_fuzzy
    return done


def _is_plain(entry: polib.POEntry) -> bool:
    return not entry.msgctxt and not entry.msgid_plural


def _keep(entry: polib.POEntry, before: polib.POEntry) -> None:
    """Let an entry have what its translators did."""
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
