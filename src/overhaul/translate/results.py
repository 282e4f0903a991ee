"""Results of the functions of translation, and the messages that they read and write."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

import polib

from overhaul.errors import EncodeError
from overhaul.findings import Findings, warning

if TYPE_CHECKING:
    from PIL.Image import Image

_LONGEST = 40


@dataclass
class Translated:
    """A translated game: ``data`` are the bytes of its data.win, or of the translation (.tra) of a
    game of Adventure Game Studio.

    ``texts`` counts the texts that were put in; ``findings`` lists what was not, and what the game
    can't draw; ``companions`` are the translated companion files, by their paths.
    """

    data: bytes
    texts: int = 0
    findings: Findings = field(default_factory=Findings)
    companions: dict[str, bytes] = field(default_factory=dict)

    @property
    def warnings(self) -> list[str]:
        """The findings as texts."""
        return self.findings.texts()


@dataclass
class Problem:
    """A problem of a translation; ``line`` is its line in the PO file, or its row in a spreadsheet,
    whose ``cell`` is named then.

    ``text`` is the text in question, ``message`` says what is wrong.
    """

    text: str
    line: int
    message: str
    cell: str = ""

    def __str__(self) -> str:
        place = f"cell {self.cell}" if self.cell else f"line {self.line}"
        return f"{place}: {quoted(self.text)}: {self.message}"


@dataclass
class Explanation:
    """Whether a text at one place is translated, and why.

    ``where`` is the code entry or file, ``line`` the line there, ``source`` the text, ``shown``
    whether it is translated, ``reason`` why.
    """

    where: str
    line: int
    source: str
    shown: bool
    reason: str


@dataclass
class GameFile:
    """A file that a game's code reads.

    ``pattern`` is its name as the code has it, with ``*`` for what is not written there,
    ``function`` what reads it, ``where`` the code entry; ``path`` is that of a file next to the
    game, with ``/`` between folders, "" where there is none (``found`` is False).
    """

    path: str
    pattern: str
    function: str
    where: str
    found: bool


@dataclass
class Preview:
    """A text and its translation ("" for none) as the game draws them.

    ``font`` is the name of the font, ``evident`` whether the code shows that it is this one, and
    ``width`` the width of the box in pixels (0 for none).  ``missing`` are the letters of the
    translation that the font has not: red boxes in ``image``.  ``overflow`` is how many pixels it
    goes beyond the box.  ``original`` and ``image`` are pictures of the text and the translation.
    """

    text: str
    translation: str
    font: str
    evident: bool
    width: float
    missing: str
    overflow: float
    original: Image
    image: Image | None


def quoted(text: str) -> str:
    """A text in a message."""
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


# -- messages --------------------------------------------------------------------------------------

_LONGEST_COMMENT = 160
#: how the lines of a file's header begin that are not a translator's
MADE = "Made by overhaul translate extract"
#: the line above the parts of a game whose texts could not be read
MISSING_PARTS = "Texts of these parts of the game are not here:"
#: the line of a game without bytecode
NATIVE = "The game is native code (YYC): only the texts in its rooms are here."
#: the line above the code that could not be read whole
MISSING_CODE = "Texts in this code may be missing, as it could not be read whole:"
#: the line above the files that the game reads
COMPANIONS = "The game reads these companion files, which may have texts:"
#: how the lines begin that Overhaul writes into the header of a PO file
OWN_LINES = (
    MADE, MISSING_PARTS, "  missing ", NATIVE, MISSING_CODE, "  gml_", COMPANIONS, "  file ",
)  # fmt: skip


def new_messages(name: str) -> polib.POFile:
    """A file without entries, for a game of this name."""
    made = polib.POFile(wrapwidth=0)
    made.metadata = {
        "Project-Id-Version": one_line(name) or "game",
        "Report-Msgid-Bugs-To": "",
        "PO-Revision-Date": "YEAR-MO-DA HO:MI+ZONE",
        "Last-Translator": "",
        "Language-Team": "",
        "Language": "",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    return made


def one_line(text: str) -> str:
    """A text for a comment."""
    text = " ".join(text.split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= _LONGEST_COMMENT else f"{text[:_LONGEST_COMMENT]}…"


def column_of(messages: polib.POFile) -> str:
    """The column of the translations in the table that messages are from; "" for other files.

    The ``linenum`` of a message of a table is its row.
    """
    return str(getattr(messages, "column", ""))


def place(messages: polib.POFile, entry: polib.POEntry) -> str:
    """Where a message is in its file: ``line 7``, ``cell C7``; "" if it was not read from one."""
    if not entry.linenum:
        return ""
    if column_of(messages):
        return f"cell {column_of(messages)}{entry.linenum}"
    return f"line {entry.linenum}"


def refuse(messages: polib.POFile, entry: polib.POEntry | None, what: str) -> NoReturn:
    """Raise EncodeError for a message, with its place."""
    name = str(getattr(messages, "fpath", "") or "")
    where = place(messages, entry) if entry is not None else ""
    raise EncodeError(": ".join(filter(None, (name, where, what))))


#: The attribute of messages with warnings about translations in their file that no message has.
PASSED_OVER = "passed_over"


def translations(messages: polib.POFile, shown: Container[str]) -> dict[str, str]:
    """The translation of each text that is shown and has one."""
    return {str(entry.msgid): str(entry.msgstr) for entry in _translated(messages, shown)}


def usable(messages: polib.POFile, findings: Findings) -> Iterator[polib.POEntry]:
    """The messages with a translation that a game can have, the first for each text; the others are
    warnings."""
    known: dict[str, str] = {}
    for said in getattr(messages, PASSED_OVER, ()):
        findings.warn("left-out", said)
    for entry in messages:
        text, new = str(entry.msgid), str(entry.msgstr) or "".join(entry.msgstr_plural.values())
        if entry.obsolete or entry.fuzzy or not new:
            continue
        shown = quoted(text)
        if entry.msgctxt or entry.msgid_plural:
            findings.warn("left-out", f"{shown} has a context or a plural, which no text has")
        elif "\0" in text or "\0" in new:
            message = f"the translation of {shown} has a NUL character, which ends a text"
            findings.warn("left-out", message)
        elif text not in known:
            known[text] = new
            yield entry
        elif known[text] != new:
            message = f"{shown} has two translations; the first one counts"
            findings.warn("two-translations", message)


def refuse_broken(
    messages: polib.POFile,
    shown: Container[str],
    placeholders: Callable[[str, str], Iterable[str]],
    *,
    force: bool,
) -> Findings:
    """Raise EncodeError for translations of shown texts whose placeholders are not those of their
    texts; with ``force``, return warnings of them."""
    broken: list[tuple[polib.POEntry, str]] = []
    for entry in _translated(messages, shown):
        said = "; ".join(placeholders(str(entry.msgid), str(entry.msgstr)))
        if said:
            broken.append((entry, f"the translation of {quoted(str(entry.msgid))}: {said}"))
    if broken and not force:
        entry, said = broken[0]
        more = f" ({len(broken) - 1} more: check lists them)" if len(broken) > 1 else ""
        refuse(messages, entry, f"{said}{more}; force puts it in")
    return Findings(warning("placeholders", said) for _, said in broken)


def _translated(messages: polib.POFile, shown: Container[str]) -> Iterable[polib.POEntry]:
    for entry in messages:
        wanted = bool(entry.msgstr) and not entry.obsolete and not entry.fuzzy
        if wanted and str(entry.msgid) in shown and not entry.msgctxt:
            yield entry
