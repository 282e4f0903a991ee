"""Macros: their definitions, and replacing their names by their tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.language import Language
from overhaul.gml.syntax.lexer import END, NAME, Tokens, tokenize

# Tokens that the macros of a text may have: some for every token of the text itself.
TOKENS_PER_TOKEN: Final = 20
LEAST_TOKENS: Final = 20_000
MAX_NESTING: Final = 50
#: The end of a line that a macro goes on behind: a backslash, perhaps with a comment.
_CONTINUED: Final = re.compile(r"\\([ \t]*(?://[^\n]*)?(?:\r?\n|\Z))")


def expand_macros(
    tokens: Tokens, macros: Mapping[str, str], problems: ProblemList, language: Language
) -> Tokens:
    """Replace the names of macros by their tokens, which get the position of the name.

    Notes a problem when the macros of the text have more than ``LEAST_TOKENS`` tokens and
    ``TOKENS_PER_TOKEN`` for each of its own.
    """
    if not any(
        kind == NAME and text in macros
        for kind, text in zip(tokens.kinds, tokens.values, strict=True)
    ):
        return tokens
    limit = max(LEAST_TOKENS, TOKENS_PER_TOKEN * len(tokens))
    expansion = _Expansion(macros, problems, language, limit)
    out = expansion.out
    for kind, text, position in zip(tokens.kinds, tokens.values, tokens.positions, strict=True):
        if kind != NAME or text not in macros:
            out.append(kind, text, position)
            continue
        expansion.expand(text, position)
        if expansion.left < 0:
            problems.add(f"macros expand to more than {limit:,} tokens", position)
            out.append(END, "", tokens.positions[-1])
            break
    return out


class _Expansion:
    """The expansion of one text; ``left`` is how many tokens of macros it may still read."""

    def __init__(
        self, macros: Mapping[str, str], problems: ProblemList, language: Language, left: int
    ) -> None:
        self.macros = macros
        self.problems = problems
        self.language = language
        self.left = left
        self.out = Tokens()
        self.active: list[str] = []
        self.bodies: dict[str, tuple[Tokens, ProblemList]] = {}

    def body(self, name: str) -> tuple[Tokens, ProblemList]:
        """The tokens of a macro, and what is wrong with them."""
        if name not in self.bodies:
            text = _CONTINUED.sub(r" \1", self.macros[name])
            problems = ProblemList(text)
            language = self.language
            tokens = tokenize(text, problems, gms2=language.gms2_or_later, v2=language.gml_v2)
            self.bodies[name] = tokens, problems
        return self.bodies[name]

    def expand(self, name: str, position: int) -> None:
        """Append the tokens of a macro."""
        tokens, problems = self.body(name)
        for _, message in problems.found:
            self.problems.add(f"in macro {name}: {message}", position)
        active = self.active
        active.append(name)
        for kind, value in zip(tokens.kinds, tokens.values, strict=True):
            self.left -= 1
            if kind == END or self.left < 0:
                break
            nested = kind == NAME and value in self.macros and value not in active
            if nested and len(active) < MAX_NESTING:
                self.expand(value, position)
            else:
                self.out.append(kind, value, position)
        active.pop()


def macro_parts(text: str) -> tuple[str, str, str]:
    """The name, the body and the build configuration (or "") of a ``#macro`` line."""
    text = text[len("#macro") :].strip()
    head = text.split(maxsplit=1)[0] if text else ""
    configuration, _, name = head.rpartition(":")
    return name, text[len(head) :].strip(), configuration
