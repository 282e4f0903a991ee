"""Going on behind an error, to report several at once.

A statement or a declaration that is wrong is skipped. Names that it may have declared are not
reported as missing later, and a name without a declaration is reported once.
"""

from __future__ import annotations

import re
from typing import Final

from overhaul.ags.language.errors import ScriptError

_MOST: Final = 50
_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_HEADED: Final = frozenset({"if", "while", "for"})


class Repair:
    """The errors of a text with these ``tokens``, and where to go on behind each."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.errors: list[ScriptError] = []
        self.ended = False
        self._doubtful: set[str] = set()

    def take(self, error: ScriptError, end: int) -> None:
        """Keep the error of what goes up to the token ``end``.

        Raises the error if no more are looked for.
        """
        if self.ended:
            raise error
        name = error.unknown
        if not name or name not in self._doubtful:
            self.errors.append(error)
        if name:
            self._doubtful.add(name)
        if len(self.errors) >= _MOST or not self.tokens[end]:
            self.ended = True
            raise error

    def doubt(self, start: int, end: int) -> None:
        """Names declared between two tokens are not reported as missing later."""
        self._doubtful.update(
            token for token in self.tokens[start:end] if _NAME.fullmatch(token) is not None
        )

    def behind_statement(self, start: int, at: int) -> int:
        """Where the statement behind one begins that is wrong ``at`` a token."""
        tokens = self.tokens
        if tokens[start] in _HEADED and tokens[start + 1] == "(":
            closed = self._closed(start + 1)
            if start < at <= closed:
                return closed + 1  # its body is looked at
        if tokens[start] == "switch" and tokens[start + 1] == "(":
            closed = self._closed(start + 1)
            if at <= closed and tokens[closed] and tokens[closed + 1] == "{":
                end = self._closed(closed + 1)
                return end + bool(tokens[end])
        at = max(at, start)
        while tokens[at] not in ("", ";", "}"):
            at = self._closed(at) if tokens[at] == "{" else at
            if tokens[at] in ("", "}"):
                return at + bool(tokens[at])
            at += 1
        return max(at + (tokens[at] == ";"), start + (tokens[start] not in ("", "}")))

    def behind_declaration(self, start: int, at: int) -> int:
        """Where the declaration behind one begins that is wrong ``at`` a token."""
        tokens = self.tokens
        index = start
        while tokens[index]:
            if tokens[index] == "{":
                index = self._closed(index)
                if index >= at:
                    return index + bool(tokens[index]) + (tokens[index + 1 : index + 2] == [";"])
            elif tokens[index] in (";", "}") and index >= at:
                return index + 1
            index += 1
        return index

    def _closed(self, at: int) -> int:
        """Where a bracket closes; the end of the text if it does not."""
        tokens = self.tokens
        opening, closing = tokens[at], ")" if tokens[at] == "(" else "}"
        depth = 0
        while tokens[at]:
            depth += (tokens[at] == opening) - (tokens[at] == closing)
            if not depth:
                break
            at += 1
        return at
