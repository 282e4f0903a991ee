"""A compiled script as one text."""

from __future__ import annotations

from overhaul.ags.decompiler.decompiler import Decompiled
from overhaul.ags.decompiler.game import environment_of
from overhaul.ags.decompiler.proof import decompile_proven
from overhaul.ags.script.model import Script, read_script
from overhaul.errors import FormatError


def decompile(block: bytes, game: object = None) -> str:
    """The source of a compiled script (a block that begins with ``SCOM``).

    The names of other scripts, and of the game's things, that the script needs are declared at its
    beginning. Statements stand in the lines that the code says if that leaves them room. ``game``
    is the document of the game that the script is of: names of its things are then as the game has
    them. Code that can't be read is assembly in a comment that gives the reason.

    Raises FormatError for a block that does not hold a compiled script.
    """
    script, end = read_script(block)
    if end != len(block):
        raise FormatError(f"{len(block) - end} bytes follow the script", offset=end)
    return source_of(script, game)


def source_of(script: Script, game: object = None) -> str:
    """The source of a script, as :func:`decompile` gives it."""
    return whole_text(decompiled(script, game))


def decompiled(script: Script, game: object = None) -> Decompiled:
    """A script as :func:`source_of` has it, with what its source declares as values."""
    return decompile_proven(script, environment_of(game))[0]


def whole_text(made: Decompiled) -> str:
    """The declarations and the text, which stays in its lines where the declarations fit."""
    return with_lines(made.declarations.splitlines(), made.text)


def with_lines(head: list[str], text: str) -> str:
    """A text with lines in front of it; in empty lines at its beginning, if there are enough."""
    lines = text.split("\r\n")
    room = next((number for number, line in enumerate(lines) if line), len(lines))
    if head:
        lines = [*head, *lines[len(head) :]] if room >= len(head) else [*head, "", *lines]
    return "\r\n".join(lines)
