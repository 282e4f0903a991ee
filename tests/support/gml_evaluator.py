"""A small evaluator of GML: it walks the tree, and calls what a test gives it for functions."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse

Instance = dict[str, Any]
_BINARY: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "%": math.fmod, "div": lambda a, b: math.trunc(a / b), "<": operator.lt, ">": operator.gt,
    "<=": operator.le, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
    "&": lambda a, b: int(a) & int(b), "|": lambda a, b: int(a) | int(b),
    "^": lambda a, b: int(a) ^ int(b), "^^": lambda a, b: bool(a) != bool(b),
}  # fmt: skip
_UNARY: Final[dict[str, Callable[[Any], Any]]] = {
    "-": operator.neg, "+": operator.pos, "~": operator.invert,
}  # fmt: skip
_MOST_STEPS: Final = 100_000
UNDEFINED: Final = None


class _Exit(Exception):
    pass


class _Return(Exception):
    def __init__(self, value: object) -> None:
        self.value = value


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class Machine:
    """Runs code: ``functions`` are those of the runner, ``objects`` the instances by the names of
    their objects, ``constants`` what names stand for.

    ``calls`` has each call of a function of the runner with its arguments.
    """

    def __init__(
        self,
        functions: Mapping[str, Callable[..., object]] = {},
        objects: Mapping[str, Sequence[Instance]] = {},
        constants: Mapping[str, object] = {},
    ) -> None:
        self.functions = dict(functions)
        self.objects = dict(objects)
        self.constants = dict(constants)
        self.globals: Instance = {}
        self.calls: list[tuple[str, tuple[object, ...]]] = []
        self.scripts: dict[str, tree.Function] = {}
        self.statics: dict[str, Instance] = {}
        self.self: Instance = {}
        self.other: Instance = {}
        self._locals: Instance = {}
        self._arguments: tuple[object, ...] = ()
        self._function = ""
        self._steps = 0

    def declare(self, source: str) -> None:
        """Take the functions that a source declares."""
        for statement in parse(source).statements:
            assert isinstance(statement, tree.ExpressionStatement)
            function = statement.expression
            assert isinstance(function, tree.Function)
            self.scripts[function.name] = function

    def run(self, source: str, own: Instance | None = None, other: Instance | None = None) -> None:
        """Run a source for an instance."""
        self.self = {} if own is None else own
        self.other = self.self if other is None else other
        self._locals = {}
        try:
            self._statement(parse(source))
        except _Exit:
            pass

    def call(self, name: str, *arguments: object) -> object:
        """Call a function that a source declared, or one of the runner."""
        function = self.scripts.get(name)
        if function is None:
            self.calls.append((name, arguments))
            return self.functions[name](*arguments)
        before = self._locals, self._arguments, self._function
        self._locals, self._arguments, self._function = {}, arguments, name
        try:
            for number, parameter in enumerate(function.parameters):
                given = arguments[number] if number < len(arguments) else UNDEFINED
                if given is UNDEFINED and parameter.default is not None:
                    given = self._value(parameter.default)
                self._locals[parameter.name] = given
            self._statement(function.body)
        except _Return as returned:
            return returned.value
        except _Exit:
            pass
        finally:
            self._locals, self._arguments, self._function = before
        return UNDEFINED

    # -- statements --------------------------------------------------------------------------------

    def _statement(self, node: tree.Node | None) -> None:
        if node is None:
            return
        self._steps += 1
        assert self._steps < _MOST_STEPS, "the code does not end"
        getattr(self, f"_do_{type(node).__name__}")(node)

    def _do_Block(self, node: tree.Block) -> None:
        for statement in node.statements:
            self._statement(statement)

    def _do_ExpressionStatement(self, node: tree.ExpressionStatement) -> None:
        self._value(node.expression)

    def _do_Assignment(self, node: tree.Assignment) -> None:
        value = self._value(node.value)
        if node.operator != "=":
            value = _BINARY[node.operator[:-1]](self._value(node.target), value)
        self._store(node.target, value)

    def _do_Var(self, node: tree.Var) -> None:
        for each in node.declarators:
            self._locals[each.name] = UNDEFINED if each.value is None else self._value(each.value)

    def _do_Static(self, node: tree.Static) -> None:
        kept = self.statics.setdefault(self._function, {})
        for each in node.declarators:
            if each.name not in kept and each.value is not None:
                kept[each.name] = self._value(each.value)

    def _do_If(self, node: tree.If) -> None:
        self._statement(node.then if self._truth(node.condition) else node.otherwise)

    def _do_While(self, node: tree.While) -> None:
        while self._truth(node.condition) and self._body(node.body):
            self._steps += 1
            assert self._steps < _MOST_STEPS, "the code does not end"

    def _do_Repeat(self, node: tree.Repeat) -> None:
        for _ in range(int(self._value(node.count))):
            if not self._body(node.body):
                break

    def _do_For(self, node: tree.For) -> None:
        self._statement(node.initial)
        while node.condition is None or self._truth(node.condition):
            if not self._body(node.body):
                break
            self._statement(node.step)

    def _body(self, node: tree.Statement) -> bool:
        """Run the body of a loop; whether the loop goes on."""
        try:
            self._statement(node)
        except _Break:
            return False
        except _Continue:
            pass
        return True

    def _do_With(self, node: tree.With) -> None:
        target = self._value(node.target)
        found = target if isinstance(target, list) else [target]
        before = self.self, self.other
        try:
            for instance in found:
                self.self, self.other = instance, before[0]
                if not self._body(node.body):
                    break
        finally:
            self.self, self.other = before

    def _do_Switch(self, node: tree.Switch) -> None:
        value = self._value(node.value)
        labels = [None if case.value is None else self._value(case.value) for case in node.cases]
        start = next(
            (n for n, case in enumerate(node.cases) if case.value and labels[n] == value), None
        )
        if start is None:
            start = next((n for n, case in enumerate(node.cases) if case.value is None), None)
        try:
            for case in [] if start is None else node.cases[start:]:
                for statement in case.body:
                    self._statement(statement)
        except _Break:
            pass

    def _do_Exit(self, node: tree.Exit) -> None:
        raise _Exit

    def _do_Return(self, node: tree.Return) -> None:
        raise _Return(self._value(node.value))

    def _do_Break(self, node: tree.Break) -> None:
        raise _Break

    def _do_Continue(self, node: tree.Continue) -> None:
        raise _Continue

    # -- values ------------------------------------------------------------------------------------

    def _truth(self, node: tree.Expression) -> bool:
        value = self._value(node)
        return bool(value > 0.5) if isinstance(value, int | float) else bool(value)

    def _value(self, node: tree.Expression | None) -> Any:
        return getattr(self, f"_get_{type(node).__name__}")(node)

    def _get_Number(self, node: tree.Number) -> object:
        return node.value

    def _get_String(self, node: tree.String) -> object:
        return node.value

    def _get_Boolean(self, node: tree.Boolean) -> object:
        return node.value

    def _get_Name(self, node: tree.Name) -> object:
        name = node.name
        if name in ("self", "id"):
            return self.self
        if name == "other":
            return self.other
        if name == "global":
            return self.globals
        for place in (self._locals, self.statics.get(self._function, {}), self.constants):
            if name in place:
                return place[name]
        if name.startswith("argument") and name[8:].isdigit():
            return self._arguments[int(name[8:])]
        if name == "undefined":
            return UNDEFINED
        if name in self.objects:
            return list(self.objects[name])
        return self.self[name] if name in self.self else self.globals[name]

    def _get_Member(self, node: tree.Member) -> object:
        owner = self._value(node.object)
        return (owner[0] if isinstance(owner, list) else owner)[node.name]

    def _get_Index(self, node: tree.Index) -> object:
        return self._value(node.object)[int(self._value(node.indices[0]))]

    def _get_Call(self, node: tree.Call) -> object:
        assert isinstance(node.function, tree.Name)
        return self.call(node.function.name, *map(self._value, node.arguments))

    def _get_Unary(self, node: tree.Unary) -> object:
        if node.operator == "!":
            return not self._truth(node.operand)
        value = self._value(node.operand)
        return _UNARY[node.operator](value)

    def _get_Binary(self, node: tree.Binary) -> object:
        if node.operator == "&&":
            return self._truth(node.left) and self._truth(node.right)
        if node.operator == "||":
            return self._truth(node.left) or self._truth(node.right)
        return _BINARY[node.operator](self._value(node.left), self._value(node.right))

    def _get_Conditional(self, node: tree.Conditional) -> object:
        return self._value(node.then if self._truth(node.condition) else node.otherwise)

    def _get_ArrayLiteral(self, node: tree.ArrayLiteral) -> object:
        return [self._value(each) for each in node.elements]

    def _get_StructLiteral(self, node: tree.StructLiteral) -> object:
        return {member.name: self._value(member.value) for member in node.members}

    def _store(self, target: tree.Expression, value: object) -> None:
        if isinstance(target, tree.Name):
            kept = self.statics.get(self._function, {})
            if target.name in self._locals:
                self._locals[target.name] = value
            elif target.name in kept:
                kept[target.name] = value
            elif target.name in self.globals and target.name not in self.self:
                self.globals[target.name] = value
            else:
                self.self[target.name] = value
        elif isinstance(target, tree.Member):
            owner = self._value(target.object)
            for each in owner if isinstance(owner, list) else [owner]:
                each[target.name] = value
        else:
            assert isinstance(target, tree.Index)
            place, index = self._value(target.object), int(self._value(target.indices[0]))
            place.extend([0] * (index + 1 - len(place)))
            place[index] = value
