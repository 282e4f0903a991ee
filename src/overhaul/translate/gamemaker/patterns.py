"""The forms of a text that code puts together: its written parts, and ``*`` for others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, islice
from typing import Final, TypeAlias

from overhaul.gml.syntax import tree
from overhaul.gml.values import arguments_with, called_name
from overhaul.translate.gamemaker.flow import Flow, Place
from overhaul.translate.gamemaker.flow_values import PASSED, Scope, Values

#: expressions, and where they stand
Given: TypeAlias = "tuple[tree.Expression | None, Scope]"

#: how many texts are found, at most, and through how many variables and functions
_MOST: Final = 16
_DEEPEST: Final = 5
#: functions whose result is an argument, but for its case
_SAME: Final = frozenset(("string", "choose", "string_lower", "string_upper"))


class Patterns:
    """Reads the expressions of a game; ``assigned`` has what each place is given in its code."""

    def __init__(
        self,
        values: Values,
        flow: Flow,
        assigned: Mapping[Place, list[tuple[tree.Expression, Scope]]],
    ) -> None:
        self._values = values
        self._flow = flow
        self._assigned = assigned

    def of(self, node: tree.Expression | None, scope: Scope) -> list[str]:
        """The possible forms of a text."""
        return _few(self._of(node, scope, {}, _DEEPEST))

    def _of(
        self,
        node: tree.Expression | None,
        scope: Scope,
        given: Mapping[Place, Given],
        depth: int,
    ) -> list[str]:
        """The same, where a function's arguments are ``given``."""
        match node:
            case tree.String():
                return [node.value]
            case tree.TemplateString():
                parts = (part.value if type(part) is tree.String else "*" for part in node.parts)
                return ["".join(parts)]
            case tree.Binary() if node.operator == "+":
                left = self._of(node.left, scope, given, depth)
                right = self._of(node.right, scope, given, depth)
                return [one + two for one in left for two in right][:_MOST]
            case tree.Conditional():
                either = (node.then, node.otherwise)
                return _few(
                    one for branch in either for one in self._of(branch, scope, given, depth)
                )
            case tree.Name() | tree.Member() | tree.Index() if depth:
                place = self._values.target(node, scope)
                if place is not None and place in given:
                    argument, its = given[place]
                    return self._of(argument, its, {}, depth - 1)
                places = () if place is None else chain([place], self._flow.written(place))
                return self._assigned_to(places, given, depth)
            case tree.Call() if depth:
                return self._called(node, scope, given, depth)
        return ["*"]

    def _called(
        self, node: tree.Call, scope: Scope, given: Mapping[Place, Given], depth: int
    ) -> list[str]:
        """The result of a function."""
        name, arguments = called_name(node.function), node.arguments
        if name in self._values.builtin:
            values = arguments_with(PASSED, name, arguments)
            texts = (text for value in values for text in self._of(value, scope, given, depth))
            return _few(text if name in _SAME else f"*{text}*" for text in texts)
        passed: dict[Place, Given] = {}
        for number, argument in enumerate(arguments):
            place = self._values.target(argument, scope) if argument is not None else None
            known = given.get(place) if place is not None else None
            passed["argument", name, number] = known or (argument, scope)
        return self._assigned_to([("result", name)], passed, depth)

    def _assigned_to(
        self, places: Iterable[Place], given: Mapping[Place, Given], depth: int
    ) -> list[str]:
        values = (each for place in places for each in self._assigned.get(place, ()))
        return _few(
            one
            for value, its in islice(values, _MOST)
            for one in self._of(value, its, given, depth - 1)
        )


def _few(patterns: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(patterns))[:_MOST] or ["*"]
