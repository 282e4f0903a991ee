"""Programs that are grown from those of people: statements and values of the corpus' sources stand
in each other's places.  ``gml_writer`` makes up its programs; these have the words, the lengths and
the habits of authors, in combinations that no author wrote.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any, Final

from gml_writer import context
from overhaul import gml
from overhaul.errors import SourceError
from overhaul.gml.context import Context
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse
from overhaul.gml.syntax.printer import to_source
from real_files import corpus_files

_SOURCES: Final = 600
_LARGEST_FILE: Final = 12_000
_LARGEST_GRAFT: Final = 60
_TRIES: Final = 50
#: what may have members or be called; the compiler takes numbers there too, but nobody writes them
_OWNERS: Final = (tree.Name, tree.Member, tree.Index, tree.Call)

Place = tuple[tree.Node, str, int | None, type]


@lru_cache(1)
def sources() -> list[tree.Block]:
    """The programs of some sources of the corpus, the same ones each time."""
    files = corpus_files("**/*.gml")
    Random(0).shuffle(files)
    found: list[tree.Block] = []
    for path in files:
        if path.stat().st_size > _LARGEST_FILE:
            continue
        try:
            found.append(parse(path.read_text("utf-8-sig")))
        except (SourceError, UnicodeDecodeError):
            continue
        if len(found) == _SOURCES:
            break
    return found


@lru_cache(1)
def _parts() -> dict[type, list[tree.Node]]:
    """The values and statements of all sources."""
    parts: dict[type, list[tree.Node]] = {tree.Expression: [], tree.Statement: []}
    for program in sources():
        for node in program.walk():
            for base, nodes in parts.items():
                if isinstance(node, base) and not isinstance(node, (tree.Name, tree.Number)):
                    nodes.append(node)
    return parts


def _places(program: tree.Node) -> Iterator[Place]:
    """Where a program has values and statements: node, field, index in its list, base class."""
    for node in program.walk():
        for field in getattr(node, "fields", ()):
            held = getattr(node, field)
            listed = isinstance(held, list)
            for index, value in enumerate(held if listed else [held]):
                base = tree.Expression if isinstance(value, tree.Expression) else tree.Statement
                if isinstance(value, base):
                    yield node, field, index if listed else None, base


class GraftWriter:
    """Writes one program; the same seed and corpus write the same program."""

    def __init__(self, seed: int, dialect: Dialect) -> None:
        self.random = Random(seed)
        self.dialect = dialect

    def program(self) -> str:
        """The source of a program that compiles as a script and as an event."""
        for _ in range(_TRIES):
            try:
                text = to_source(self._grown(), self.dialect)
                for kind in ("event", "global_script" if self.dialect.gml_v2 else "script"):
                    gml.compile(text, context(self.dialect), kind=kind, name="gml_Script_tools")
            except (SourceError, ValueError):
                continue
            return text
        return ""

    def _grown(self) -> tree.Block:
        pair = [self.random.choice(sources()) for _ in range(2)]
        program = copy.deepcopy(max(pair, key=lambda each: sum(1 for _ in each.walk())))
        for _ in range(self.random.randint(1, 6)):
            if places := list(_places(program)):
                self._graft(*self.random.choice(places))
        if not self.dialect.gml_v2:
            _call_known(program, context(self.dialect))
        return program

    def _graft(self, node: tree.Node, field: str, index: int | None, base: type) -> None:
        new: Any = copy.deepcopy(self.random.choice(_parts()[base]))
        owner = field in ("object", "function") and isinstance(node, (tree.Member, tree.Call))
        called = isinstance(node, tree.ExpressionStatement)
        chained = field == "function" and isinstance(new, tree.Call) and not self.dialect.gml_v2
        if sum(1 for _ in new.walk()) > _LARGEST_GRAFT:
            return
        if (owner and not isinstance(new, _OWNERS)) or chained or (called and _is_constant(new)):
            return
        if index is None:
            setattr(node, field, new)
        else:
            getattr(node, field)[index] = new


def _call_known(program: tree.Block, game: Context) -> None:
    """Let a program call scripts of the game where it calls those that the game lacks, which only
    code since 2.3 may do."""
    for node in program.walk():
        called = node.function if isinstance(node, tree.Call) else None
        if isinstance(called, tree.Name) and called.name not in game.builtin_functions:
            called.name = "scr_move"


def _is_constant(node: tree.Expression) -> bool:
    """Whether a call may be worked out by the compiler, as ``ord("A")``: no statement is."""
    return isinstance(node, tree.Call) and all(
        isinstance(each, (tree.Number, tree.String)) for each in node.arguments
    )


__all__ = ["GraftWriter"]
