"""Dialogs before 3.1: the lines that an author wrote, to the operations that the engine runs.

Game data has both: the text, which the editor shows, and byte code with the lines that are said,
which all dialogs share.  Source: the documentation of the dialog language; texts and byte code of
games of 2.0 to 3.0, which agree with this for all of their dialogs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.game.dialogs import OPERATIONS
from overhaul.errors import SourceError
from overhaul.schema.record import short_repr
from overhaul.suggest import did_you_mean

#: Who says a line that no character says.
PLAYER: Final = 998
NARRATOR: Final = 999
_SPEECH: Final = re.compile(r"\s*([^\s:]+):\s*(.*)", re.DOTALL)
_ENTRY: Final = re.compile(r"@(S|[0-9]{1,4})(?![A-Za-z0-9])")
_COUNTS: Final = {name: count for name, count in OPERATIONS.values() if name not in ("say", "end")}
_MOST: Final = (1 << 15) - 1


@dataclass(slots=True)
class CompiledDialog:
    """A dialog: its operations as :func:`overhaul.ags.game.dialogs.assemble` takes them, and where
    in their bytes its entry points are: 0 is the beginning, others are options."""

    code: list[str] = field(default_factory=list)
    entries: dict[int, int] = field(default_factory=dict)

    __repr__ = short_repr


@dataclass(slots=True)
class CompiledDialogs:
    """The dialogs of a game, and the lines that are said, which ``say`` numbers."""

    dialogs: list[CompiledDialog] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    __repr__ = short_repr


def compile_dialogs(
    texts: Mapping[str, str], characters: Sequence[str], dialogs: Sequence[str], most: int = 30
) -> CompiledDialogs:
    """The operations of dialogs; ``texts`` are those of the dialogs in their order by the paths of
    their files, ``characters`` and ``dialogs`` are script names, ``most`` is how many options a
    dialog can have.

    Raises SourceError with the file, the line and the column.
    """
    made = CompiledDialogs()
    names = _Names(characters, dialogs, most)
    for path, text in texts.items():
        dialog = CompiledDialog()
        size = 0
        for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
            try:
                size += _add(line, dialog, made.lines, names, size)
            except SourceError as error:
                column = len(line) - len(line.lstrip()) + 1
                raise SourceError(error.message, number, column, name=path) from None
        if text:
            dialog.code.append("end")
        made.dialogs.append(dialog)
    return made


class _Names:
    """The names that lines of dialogs can use."""

    def __init__(self, characters: Sequence[str], dialogs: Sequence[str], most: int) -> None:
        self.characters = [name.lower() for name in characters]
        self.dialogs = [name.lower() for name in dialogs]
        self.most = most

    def who(self, name: str) -> int:
        """The number of a character that is called with or without its "c"."""
        key = name.lower()
        for wanted in (key, f"c{key}"):
            if wanted in self.characters:
                return self.characters.index(wanted)
        raise SourceError(f"no character is called {name!r}{did_you_mean(key, self.characters)}")

    def argument(self, word: str, at: int, given: str) -> int:
        """The number that an argument of an operation stands for."""
        if given.isascii() and given.isdecimal() and len(given) < 6:
            number = int(given)
        elif word == "goto-dialog" and given in self.dialogs:
            number = self.dialogs.index(given)
        elif word == "set-speech-view" and not at:
            number = self.who(given)
        else:
            raise SourceError(f"{word}: expected a number, got {given!r:.40}")
        if word.startswith("option-"):
            if not 1 <= number <= self.most:
                raise SourceError(f"a dialog has at most {self.most} options: no {number}")
            number -= 1
        if number > _MOST:
            raise SourceError(f"{word}: {number} is too large")
        return number


def _add(line: str, dialog: CompiledDialog, said: list[str], names: _Names, size: int) -> int:
    """Take a line; return how many bytes of code it adds."""
    command = line.strip()
    if not command or command.startswith("//"):
        return 0
    if command[0] == "@":
        entry = _ENTRY.match(command)
        number = 0 if entry is None or entry[1] == "S" else int(entry[1])
        if entry is None or number > names.most:
            raise SourceError(f"expected @S or @ and the number of an option, got {command:.40}")
        dialog.entries[number] = size
        return 0
    speech = _SPEECH.fullmatch(line)
    if speech is not None:
        who = {"player": PLAYER, "narrator": NARRATOR}.get(speech[1].lower())
        dialog.code.append(f"say {names.who(speech[1]) if who is None else who} {len(said)}")
        said.append(speech[2])
        if len(said) > _MOST:
            raise SourceError(f"the dialogs of a game say at most {_MOST} lines")
        return 5
    words = command.partition("//")[0].lower().replace(",", " ").replace(";", "").split()
    word = words[0] if words else ""
    count = _COUNTS.get(word)
    if count is None:
        raise SourceError(f"unknown command {command:.40}{did_you_mean(word, _COUNTS)}")
    if len(words) <= count:
        raise SourceError(f"{word} lacks its parameter: {command:.40}")
    given = (names.argument(word, at, one) for at, one in enumerate(words[1 : count + 1]))
    dialog.code.append(" ".join([word, *map(str, given)]))
    return 1 + 2 * count
