"""The rules of the viewer's styles that a piece of HTML needs: each cell of a notebook keeps its
own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
#: the parts of a selector that are looked for in the piece: its classes, ids and elements
_NAMED: Final = re.compile(r"([.#]?)([A-Za-z_][\w-]*)")
#: the parts of a selector that do not name elements: texts, attributes, states
_ASIDE: Final = re.compile(r"\[[^\]]*\]|::?[\w-]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?")
_CLASSES: Final = re.compile(r'\bclass="([^"]*)"')
_IDS: Final = re.compile(r'\bid="([^"]*)"')
_ELEMENTS: Final = re.compile(r"<([A-Za-z][\w-]*)")
_SPLIT: Final = re.compile(r",(?![^()]*\))")
#: elements around every piece
_AROUND: Final = frozenset(("html", "body", "root"))


class Rule(NamedTuple):
    """A rule: its selectors or the words of an at-rule, its declarations, the rules in it."""

    head: str
    body: str
    rules: tuple[Rule, ...] = ()

    @property
    def is_group(self) -> bool:
        """Whether it only has other rules: ``@media``."""
        return self.head.startswith(("@media", "@supports", "@container", "@layer"))


@lru_cache(maxsize=4)
def rules_of(style: str) -> tuple[Rule, ...]:
    """The rules of a style sheet."""
    return tuple(_rules(_COMMENT.sub("", style)))


def _rules(style: str) -> Iterator[Rule]:
    at = 0
    while (begin := style.find("{", at)) >= 0:
        end, depth = begin + 1, 1
        while depth and end < len(style):
            depth += {"{": 1, "}": -1}.get(style[end], 0)
            end += 1
        rule = Rule(" ".join(style[at:begin].split()), style[begin + 1 : end - 1])
        yield rule._replace(rules=tuple(_rules(rule.body))) if rule.is_group else rule
        at = end


def needed(style: str, piece: str) -> str:
    """The rules of a style sheet that may apply to something in a piece of HTML."""
    there = {f".{name}" for names in _CLASSES.findall(piece) for name in names.split()}
    there |= {f"#{name}" for name in _IDS.findall(piece)}
    there |= {name.lower() for name in _ELEMENTS.findall(piece)} | _AROUND
    kept = [*_needed(rules_of(style), there)]
    used = " ".join(kept)
    frames = [
        f"{rule.head} {{{rule.body}}}"
        for rule in rules_of(style)
        if rule.head.startswith("@keyframes") and rule.head.split()[-1] in used
    ]
    return "\n".join([*kept, *frames])


def _needed(rules: tuple[Rule, ...], there: set[str]) -> Iterator[str]:
    for rule in rules:
        if rule.is_group:
            inner = "\n".join(_needed(rule.rules, there))
            if inner:
                yield f"{rule.head} {{{inner}}}"
        elif rule.head.startswith("@"):
            if not rule.head.startswith("@keyframes"):
                yield f"{rule.head} {{{rule.body}}}"
        else:
            own = [one.strip() for one in _SPLIT.split(rule.head) if _applies(one, there)]
            if own:
                yield f"{', '.join(own)} {{{rule.body}}}"


def _applies(selector: str, there: set[str]) -> bool:
    """Whether everything that a selector names is there; states may come."""
    named = _NAMED.findall(_ASIDE.sub(" ", selector))
    return all((mark + name if mark else name.lower()) in there for mark, name in named)
