"""Names for what compiled code has no names for: variables, parameters, structs, fields.

Where a block ends, its pointers are released in the order in which their *names* first stand in
the whole text.  So names of pointers are chosen to give the order that the code has.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from operator import itemgetter
from typing import Final

from overhaul.ags.api import ScriptSettings, builtin_header, script_macros
from overhaul.ags.decompiler.events import event_names
from overhaul.ags.decompiler.expressions import Expressions
from overhaul.ags.decompiler.inference import Inference
from overhaul.ags.decompiler.library import Library
from overhaul.ags.decompiler.nodes import (
    LOCAL,
    Binary,
    Block,
    Declare,
    Increase,
    Leave,
    Load,
    MemoryPlace,
    Property,
    Return,
    Variable,
    While,
    children,
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
    "GUIControl": "control", "MouseButton": "button", "DialogOptionsRenderingInfo": "info",
    "InventoryItem": "item", "Overlay": "overlay", "DynamicSprite": "sprite",
    "DrawingSurface": "surface", "AudioChannel": "channel", "AudioClip": "clip", "File": "file",
}  # fmt: skip
_COMPARES: Final = frozenset(("<", ">", "<=", ">=", "!="))
_LOOPS: Final = "ijklmn"
_Scope = tuple[int, ...]
"""Where a variable is visible: the numbers of the blocks around its declaration."""
#: Names of parameters in the built-in header that may be those of any pointer.
_PLAIN_WORDS: Final = (
    "token", "option", "data", "slot", "thing1", "thing2", "origin", "start", "end", "base",
    "position",
)  # fmt: skip
_OLD_AUDIO: Final = re.compile(r"#ifndef STRICT_AUDIO\r?\n(.*?)#endif", re.DOTALL)
#: So many names of one type are looked at.
_MOST_NAMES: Final = 30


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
def _doubtful_words(version: str) -> frozenset[str]:
    """Words whose first place in the header depends on EnforceNewAudio, which games do not store:
    those of the old functions of sounds."""
    text = builtin_header(version)
    parts = _OLD_AUDIO.split(text)  # text outside, and inside, in turn
    return frozenset(_WORD.findall(" ".join(parts[1::2]))) - set(_WORD.findall(parts[0]))


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
    """The name of a variable of a type, without a number."""
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
        self.doubtful: frozenset[str] = _doubtful_words(settings.version)

    def reserve(self, name: str) -> None:
        """Note that a name stands in the text."""
        self.ranks.setdefault(name, len(self.ranks))

    def function(self, body: Body) -> None:
        """Name the parameters and variables of a function."""
        variables = [*body.parameters, *body.variables]
        if not variables:
            return
        loops = set(_loop_variables(body.block)) if body.variables else set()
        given = event_names(body.function.name.full, len(body.parameters), self.inference.handlers)
        groups = list(_groups(body.block)) if len(variables) > 1 else []
        scopes = dict(_scopes(body.block, ())) if len(body.variables) > 1 else {}
        for group in groups:  # their names say in which order they are released
            scopes.update(dict.fromkeys(group, ()))
        holders: dict[str, list[_Scope]] = {}
        for number, variable in enumerate(variables):
            stem = self._stem(variable)
            if id(variable) in loops:
                stem = ""
            if number < len(given):
                stem = given[number]
            variable.name = self._give(stem, holders, scopes.get(variable, ()))
        self._order(groups, variables, set(holders))
        for variable in variables:
            self.reserve(variable.name)

    def _give(self, stem: str, holders: dict[str, list[_Scope]], scope: _Scope) -> str:
        """A name that no variable has which is visible where another is of ``scope``."""
        for name in _candidates(stem):
            others = holders.setdefault(name, [])
            if name not in self.taken and not any(_meet(scope, other) for other in others):
                others.append(scope)
                return name
        raise AssertionError("unreachable: there is always another name")

    def _order(
        self, groups: list[list[Variable]], variables: list[Variable], used: set[str]
    ) -> None:
        """Rename pointers if names do not stand in the order in which blocks release them."""
        order = {variable: number for number, variable in enumerate(variables)}
        groups = [g for g in groups if len(g) > 1 and all(v in order for v in g)]
        if all(self._is_ordered(group, order) for group in groups):
            return
        wanted = list(_in_order(groups, order))
        before = [variable.name for variable in wanted]
        used.difference_update(before)
        ways: tuple[Callable[[], list[str]], ...] = (
            lambda: self._own_names(wanted, used),
            lambda: self._fresh_names(wanted, order, used),
            lambda: self._own_names(wanted, used, _PLAIN_WORDS),
        )
        for way in ways:
            names = way()
            for variable, name in zip(wanted, names, strict=True):
                variable.name = name
            if all(self._is_ordered(group, order) for group in groups):
                used.update(names)
                return
        words = (w for w in _free_words(self.settings) if w not in self.taken | used)
        for variable, other, name in itertools.zip_longest(wanted, before, words):
            if variable is None:
                break
            variable.name = name or other
            used.add(variable.name)

    def _own_names(
        self, wanted: list[Variable], used: set[str], words: tuple[str, ...] = ()
    ) -> list[str]:
        """Names by types that stand in the text already, in the order of their first places; the
        last ones are new if there are no more.  All but the last may be one of ``words``."""
        names: list[str] = []
        last = -1
        for variable in wanted:
            stem = self._stem(variable)
            own = [stem, *(f"{stem}{number}" for number in range(2, _MOST_NAMES))]
            own += words if variable is not wanted[-1] else ()
            known = [
                (rank, name)
                for name in own
                if name not in used and name not in self.taken and name not in names
                and name not in self.doubtful
                and (rank := self.ranks.get(name, len(self.ranks))) > last
            ]  # fmt: skip
            last_name = len(self.ranks), f"{stem}{_MOST_NAMES}"
            rank, name = min(known, key=itemgetter(0), default=last_name)
            last = rank if rank < len(self.ranks) else last
            names.append(name)
        return names

    def _fresh_names(
        self, wanted: list[Variable], order: dict[Variable, int], used: set[str]
    ) -> list[str]:
        """Names by types that stand nowhere in the text yet: their order is that in which the
        variables are declared."""
        names: dict[Variable, str] = {}
        for variable in sorted(wanted, key=lambda one: order[one]):
            names[variable] = next(
                name
                for name in _candidates(self._stem(variable))
                if name not in self.ranks and name not in self.taken | used | self.doubtful
                and name not in names.values()
            )  # fmt: skip
        return [names[variable] for variable in wanted]

    def _stem(self, variable: Variable) -> str:
        type = self.expressions.variable_type(variable)
        item = variable.item
        return stem_of(type) + ("s" if item is not None and item.count else "")

    def _is_ordered(self, group: list[Variable], order: dict[Variable, int]) -> bool:
        if any(variable.name in self.doubtful for variable in group):
            return False
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


def _groups(block: Block) -> Iterator[list[Variable]]:
    """The pointers that are released together, for each block."""
    if block.released:
        yield block.released
    for statement in block.statements:
        if isinstance(statement, (Leave, Return)) and statement.released:
            yield statement.released
        for child in children(statement):
            yield from _groups(child)


def _scopes(block: Block, around: _Scope) -> Iterator[tuple[Variable, _Scope]]:
    """The variables that a block and its inner blocks declare, each with its scope."""
    inside = (*around, id(block))
    for statement in block.statements:
        if isinstance(statement, Declare):
            yield statement.variable, inside
        scope = (*inside, id(statement))
        if isinstance(statement, While) and isinstance(statement.first, Declare):
            yield statement.first.variable, scope
        for child in children(statement):
            yield from _scopes(child, scope)


def _meet(one: _Scope, other: _Scope) -> bool:
    """Whether one of two variables is visible where the other is."""
    return all(a == b for a, b in zip(one, other, strict=False))


def _loop_variables(block: Block) -> Iterator[int]:
    """The variables that heads of ``for`` declare, and the variables that ``while`` counts."""
    for statement in block.statements:
        if isinstance(statement, While) and isinstance(statement.first, Declare):
            yield id(statement.first.variable)
        elif isinstance(statement, While):
            yield from _counters(statement)
        for child in children(statement):
            yield from _loop_variables(child)


def _counters(loop: While) -> Iterator[int]:
    """The numbers that the condition of a loop compares, and a statement of its body counts."""
    condition = loop.condition
    if not isinstance(condition, Binary) or condition.operator not in _COMPARES:
        return
    for side in (condition.left, condition.right):
        variable = _local(side.place) if isinstance(side, Load) else None
        for statement in loop.body.statements:
            counts = isinstance(statement, Increase) and _local(statement.target) is variable
            if variable is not None and counts and not variable.is_parameter:
                yield id(variable)


def _local(place: MemoryPlace | Property) -> Variable | None:
    """The local variable that a place is."""
    if not isinstance(place, MemoryPlace) or place.kind != LOCAL or place.indexes:
        return None
    return place.base if isinstance(place.base, Variable) else None
