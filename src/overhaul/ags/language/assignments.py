"""Assignments and calls as statements."""

from __future__ import annotations

from overhaul.ags.language import opcodes as o
from overhaul.ags.language import symbols as s
from overhaul.ags.language.expressions import Expressions
from overhaul.ags.language.parsing import Path
from overhaul.ags.language.paths import Paths, writer
from overhaul.ags.language.scopes import Scopes
from overhaul.ags.language.symbols import Function, NamedType, Variable
from overhaul.ags.language.unit import Unit


class Assignments(Scopes):
    """Compiles assignments and calls."""

    def __init__(self, unit: Unit, expressions: Expressions) -> None:
        super().__init__(unit)
        self.expressions = expressions
        self.paths: Paths = expressions.paths

    def _set(self, item: Variable) -> None:
        """An assignment to a simple variable."""
        unit = self.unit
        at = unit.at
        unit.see(at + 1)
        unit.at = at + 2
        self.expressions.whole()
        if unit.value & ~s.CONST == s.STRING:
            self.expressions.make_string(item.type)
        self.paths.write_variable(item, at)
        self._end()

    def _call(self, function: Function) -> None:
        """A call of a function."""
        unit = self.unit
        opened = unit.at + 1
        tokens = unit.tokens
        if tokens[opened] == "(" and tokens[self.paths.close(opened) + 1] == ";":
            self.expressions.call(function, None, opened)
            unit.skipped = unit.at
        else:
            self.expressions.whole()
        self._end()

    def _end(self) -> None:
        """The semicolon behind an expression."""
        unit = self.unit
        at = unit.at
        if unit.tokens[at] != ";":
            unit.see(at)
            unit.fail(f"expected ';', got {unit.shown(at)}")
        line = unit.lines[at]
        if line != unit.lines[at - 1] and at != unit.skipped:
            unit.line = line
        unit.at = at + 1

    def _method(self, item: Variable, function: Function) -> None:
        """A call of a function of the object in a variable, which is known."""
        unit = self.unit
        at = unit.at
        end = self.paths.close(at + 3)
        if unit.lines[at] != unit.lines[end]:
            unit.see_range(at + 1, end)
        self.expressions.call(function, item, at + 3)
        unit.skipped = unit.at
        self._end()

    def _path(self) -> None:
        """A statement that begins with a variable or a type: a call or an assignment."""
        unit = self.unit
        at = unit.at
        path = self.paths.parse(at)
        if path.call is None:
            unit.see_range(at + 1, path.end)
            self.assignment(path)
        else:
            end = path.end
            if unit.tokens[end] == "(":
                end = self.paths.close(end)
            if unit.lines[at] != unit.lines[end]:
                unit.see_range(at + 1, end)
            self.expressions.call(path.call, path, path.end)
            unit.skipped = unit.at
        self._end()

    def assignment(self, path: Path) -> None:
        """An assignment to a path; what ends it becomes the next token."""
        unit = self.unit
        steps = path.steps
        first = steps[0]
        at = path.end
        token = unit.tokens[at]
        unit.at = at + 1
        if isinstance(first, NamedType) and len(steps) < 2:
            unit.fail(f"{first.name!r} is a type, not a variable", path.start)
        if (
            isinstance(first, Variable)
            and len(steps) == 1
            and (not first.simple or first.type == s.STRING)
        ):
            self._check_target(first, path, token)
        if token == "=":
            self.expressions.whole()
            if unit.value & ~s.CONST == s.STRING:
                target = steps[-1]
                self.expressions.make_string(target.type if isinstance(target, Variable) else 0)
            self.paths.write(path)
        elif token in ("++", "--"):
            self._step(path, token, at)
        elif token in o.COMPOUND:
            self._compound(path, o.COMPOUND[token], at)
        else:
            unit.fail(f"expected an assignment or a call, got {unit.shown(at)}", at)

    def _check_target(self, item: Variable, path: Path, token: str) -> None:
        """Fail if a variable can't be assigned to as a whole."""
        unit = self.unit
        if not path.indexed:
            if item.dynamic and token != "=":
                unit.fail(f"{token!r} can't work on an array", path.end)
            if item.array and not item.dynamic:
                unit.fail(f"can't assign to the whole of {item.name!r}", path.start)
        if item.type == s.STRING and not item.parameter:
            unit.fail(f"can't assign to the string {item.name!r}: use StrCopy", path.start)

    def _step(self, path: Path, token: str, at: int) -> None:
        """``++`` or ``--``."""
        code = self.code
        unit = self.unit
        in_place = self.paths.update(path)
        instruction = self.expressions.typed(o.ADDI if token == "++" else o.SUBI, unit.value, 0, at)
        code.op2(instruction, o.AX, 1)
        if in_place:
            target = path.target
            code.op1(writer(target.size if isinstance(target, Variable) else 4), o.AX)
        else:
            self.paths.write(path)

    def _compound(self, path: Path, instruction: int, at: int) -> None:
        """An assignment that also computes."""
        code = self.code
        unit = self.unit
        self.expressions.whole()
        code.push(o.AX)
        value = unit.value
        self.paths.read(path)
        unit.check_convertible(value, unit.value, at + 1)
        instruction = self.expressions.typed(instruction, value, unit.value, at)
        code.pop(o.BX)
        code.op2(instruction, o.AX, o.BX)
        self.paths.write(path)
