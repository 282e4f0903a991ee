"""Macros: their definitions, and putting their tokens in the place of their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.language import Language
from overhaul.gml.syntax.lexer import END, NAME, Tokens, tokenize

MAX_MACRO_TOKENS: Final = 300_000


def expand_macros(
    tokens: Tokens, macros: Mapping[str, str], problems: ProblemList, language: Language
) -> Tokens:
    """Replace the names of macros by their tokens (which stand at the place of the name)."""
    if not any(
        kind == NAME and text in macros
        for kind, text in zip(tokens.kinds, tokens.values, strict=True)
    ):
        return tokens
    out = Tokens()
    for kind, text, position in zip(tokens.kinds, tokens.values, tokens.positions, strict=True):
        if kind == NAME and text in macros:
            _expand(text, position, macros, problems, language, out, [])
            if len(out) > MAX_MACRO_TOKENS:
                problems.add("the macros of this text expand without end", position)
                break
        else:
            out.append(kind, text, position)
    if not out.kinds or out.kinds[-1] != END:
        out.append(END, "", tokens.positions[-1])
    return out


def _expand(
    name: str,
    position: int,
    macros: Mapping[str, str],
    problems: ProblemList,
    language: Language,
    out: Tokens,
    active: list[str],
) -> None:
    text = macros[name].replace("\\\r\n", " \n").replace("\\\n", " \n")
    inner = ProblemList(text)
    tokens = tokenize(text, inner, gms2=language.gms2_or_later, v2=language.gml_v2)
    for _, message in inner.found:
        problems.add(f"in macro {name}: {message}", position)
    active.append(name)
    for kind, value in zip(tokens.kinds, tokens.values, strict=True):
        if kind == END or len(out) > MAX_MACRO_TOKENS:
            break
        if kind == NAME and value in macros and value not in active and len(active) < 50:
            _expand(value, position, macros, problems, language, out, active)
        else:
            out.append(kind, value, position)
    active.pop()


def macro_parts(text: str) -> tuple[str, str, str]:
    """The name, the body and the build configuration (or "") of a ``#macro`` line."""
    text = text[len("#macro") :].strip()
    head = text.split(maxsplit=1)[0] if text else ""
    configuration, _, name = head.rpartition(":")
    return name, text[len(head) :].strip(), configuration
