"""Names for what compiled code has no names for: variables, parameters, structs, fields.

Where a block ends, its pointers are released in the order in which their *names* first stand in
the whole text.  So names of pointers are chosen to give the order that the code has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Final

from overhaul.ags.api import ScriptSettings, builtin_header, script_macros
from overhaul.ags.decompiler.events import event_names
from overhaul.ags.decompiler.expressions import Expressions
from overhaul.ags.decompiler.inference import Inference
from overhaul.ags.decompiler.library import Library
from overhaul.ags.decompiler.nodes import (
    Block,
    Braces,
    Declare,
    Do,
    If,
    Leave,
    Return,
    Statement,
    Switch,
    Variable,
    While,
)
from overhaul.ags.decompiler.structure import Body
from overhaul.ags.language import CompilerOptions, Source, tokens_of

_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_KEYWORDS: Final = frozenset(
    (
        "int", "short", "long", "char", "float", "string", "String", "void", "function", "if",
        "else", "while", "do", "for", "switch", "case", "default", "break", "continue", "return",
        "new", "null", "this", "import", "export", "struct", "enum", "managed", "extends",
        "protected", "writeprotected", "readonly", "static", "const", "noloopcheck", "attribute",
        "builtin", "autoptr", "internalstring", "bool", "true", "false",
    )
)  # fmt: skip
_STEMS: Final = {
    "int": "value", "float": "number", "char": "letter", "short": "short", "bool": "flag",
    "String": "text", "string": "buffer", "const string": "message",
}  # fmt: skip
_LOOPS: Final = "ijklmn"


@cache
def header_words(settings: ScriptSettings) -> dict[str, int]:
    """The places of the words in the built-in header, by the word."""
    options = CompilerOptions(macros=tuple(script_macros(settings).items()))
    header = Source("_BuiltInScriptHeader.ash", builtin_header(settings.version))
    words: dict[str, int] = {}
    for token, _ in tokens_of(header, options):
        if _WORD.fullmatch(token):
            words.setdefault(token, len(words))
    return words


@cache
def _free_words(settings: ScriptSettings) -> tuple[str, ...]:
    """Words of the header that name parameters only, in its order."""
    text = builtin_header(settings.version)
    parameters = set()
    for inner in re.findall(r"\(([^()]*)\)", text):
        for part in inner.split(","):
            words = _WORD.findall(part.partition("=")[0])
            if len(words) > 1:
                parameters.add(words[-1])
    outside = set(_WORD.findall(re.sub(r"\([^()]*\)", "", text)))
    return tuple(w for w in header_words(settings) if w in parameters and w not in outside)


def stem_of(type: str) -> str:
    """What a variable of a type is called."""
    if type.endswith("[]"):
        return stem_of(type[:-2]) + "s"
    bare = type.rstrip("*")
    return _STEMS.get(bare, "the" + bare[:1].upper() + bare[1:])


class Namer:
    """Gives names to the variables of a script, function by function."""

    def __init__(
        self,
        inference: Inference,
        expressions: Expressions,
        settings: ScriptSettings,
        taken: Iterable[str],
    ) -> None:
        self.inference = inference
        self.expressions = expressions
        self.settings = settings
        self.ranks: dict[str, int] = dict(header_words(settings))
        self.taken: set[str] = {*taken, *_KEYWORDS}
        self.library: Library = inference.library

    def reserve(self, name: str) -> None:
        """Note that a name stands in the text."""
        self.ranks.setdefault(name, len(self.ranks))

    def function(self, body: Body) -> None:
        """Name the parameters and variables of a function."""
        used: set[str] = set()
        loops = set(_loop_variables(body.block))
        variables = [*body.parameters, *body.variables]
        given = event_names(body.function.name.full, len(body.parameters))
        for number, variable in enumerate(variables):
            type = self.expressions.variable_type(variable)
            item = variable.item
            stem = stem_of(type) + ("s" if item is not None and item.count else "")
            if id(variable) in loops:
                stem = ""
            if number < len(given):
                stem = given[number]
            variable.name = self._give(stem, used)
        self._order(body, variables, used)
        for variable in variables:
            self.reserve(variable.name)

    def _give(self, stem: str, used: set[str]) -> str:
        for name in _candidates(stem):
            if name not in used and name not in self.taken:
                used.add(name)
                return name
        raise AssertionError("unreachable: there is always another name")

    def _order(self, body: Body, variables: list[Variable], used: set[str]) -> None:
        """Rename pointers if names do not stand in the order in which blocks release them."""
        order = {variable: number for number, variable in enumerate(variables)}
        groups = [g for g in _groups(body.block) if len(g) > 1 and all(v in order for v in g)]
        if all(self._is_ordered(group, order) for group in groups):
            return
        words = (w for w in _free_words(self.settings) if w not in self.taken | used)
        for variable, name in zip(_in_order(groups, order), words, strict=False):
            used.add(name)
            variable.name = name

    def _is_ordered(self, group: list[Variable], order: dict[Variable, int]) -> bool:
        last = len(self.ranks)
        ranks = [self.ranks.get(v.name, last + order[v]) for v in group]
        return ranks == sorted(ranks)


def _in_order(groups: list[list[Variable]], order: dict[Variable, int]) -> Iterator[Variable]:
    """The variables of groups, each behind those that are before it in one of them."""
    before: dict[Variable, set[Variable]] = {v: set() for group in groups for v in group}
    for group in groups:
        for first, second in pairwise(group):
            before[second].add(first)
    waiting = sorted(before, key=lambda variable: order[variable])
    while waiting:
        free = next((v for v in waiting if before[v].isdisjoint(waiting)), waiting[0])
        waiting.remove(free)
        yield free


def _candidates(stem: str) -> Iterator[str]:
    if not stem:
        yield from _LOOPS
        stem = "i"
    else:
        yield stem
    number = 2
    while True:
        yield f"{stem}{number}"
        number += 1


def _children(statement: Statement) -> Iterator[Block]:
    match statement:
        case If():
            yield statement.then
            if statement.otherwise is not None:
                yield statement.otherwise
        case While() | Do() | Braces():
            yield statement.body
        case Switch():
            for case in statement.cases:
                yield case.body
        case _:
            pass


def _groups(block: Block) -> Iterator[list[Variable]]:
    """The pointers that are released together, for each block."""
    if block.released:
        yield block.released
    for statement in block.statements:
        if isinstance(statement, (Leave, Return)) and statement.released:
            yield statement.released
        for child in _children(statement):
            yield from _groups(child)


def _loop_variables(block: Block) -> Iterator[int]:
    """The variables that are declared in heads of ``for``."""
    for statement in block.statements:
        if isinstance(statement, While) and isinstance(statement.first, Declare):
            yield id(statement.first.variable)
        for child in _children(statement):
            yield from _loop_variables(child)
