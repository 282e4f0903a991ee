"""Statements as lines of text, each in the line that the code says it was in.

Line numbers in code are of the statements; braces go where there is room for them.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from overhaul.ags.decompiler.code import VARIADIC, Name
from overhaul.ags.decompiler.expressions import Expressions
from overhaul.ags.decompiler.habits import Habits, chained_if
from overhaul.ags.decompiler.inference import Inference
from overhaul.ags.decompiler.members import ACCESSOR
from overhaul.ags.decompiler.nodes import (
    Assign,
    Block,
    Braces,
    Constant,
    Declare,
    Do,
    Evaluate,
    Expression,
    If,
    Increase,
    Leave,
    Return,
    Statement,
    Switch,
    Unary,
    While,
)
from overhaul.ags.decompiler.structure import Body

#: The function of a dialog, and what the numbers that it returns are called.
DIALOG: Final = re.compile(r"_run_dialog(\d+)")
_ENDS: Final[dict[int | None, str]] = {
    -1: "RUN_DIALOG_RETURN", -2: "RUN_DIALOG_STOP_DIALOG", -4: "RUN_DIALOG_GOTO_PREVIOUS"
}  # fmt: skip
SIMPLE: Final = (Assign, Declare, Evaluate, Increase, Leave, Return)
_INDENT: Final = "  "
#: The types of functions that return a number, or nothing, and of those that set attributes.
_PLAIN, _NOTHING = "function", "void"
_OF_DIALOGS: Final = "_run_dialog"


class Piece(NamedTuple):
    """A piece of text: in a line of its own (``line`` > 0), behind the piece before it (0), or
    where there is room (-1)."""

    text: str
    indent: int
    line: int


JOIN, FREE = 0, -1


class Lines:
    """Text by lines; pieces come in order."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._free: list[Piece] = []

    def add(self, piece: Piece) -> None:
        """Append a piece."""
        if piece.line == FREE:
            self._free.append(piece)
            return
        if piece.line == JOIN or piece.line <= len(self.lines):
            for free in self._free:
                self._join(free)
            self._free.clear()
            self._join(piece)
            return
        self._place_free(piece.line - 1 - len(self.lines))
        while len(self.lines) < piece.line - 1:
            self.lines.append("")
        self.lines.append(_INDENT * piece.indent + piece.text)

    def end(self, count: int | None = None) -> None:
        """Place the pieces that are left.  Each gets a line of its own; with ``count``, only while
        the text has fewer lines."""
        self._place_free(len(self._free) if count is None else count - len(self.lines))

    def _place_free(self, room: int) -> None:
        for number, free in enumerate(self._free):
            follows = number and free.text.startswith("else") and room < len(self._free) - number
            if room > 0 and not follows:
                self.lines.append(_INDENT * free.indent + free.text)
                room -= 1
            else:
                self._join(free)
        self._free.clear()

    def _join(self, piece: Piece) -> None:
        if not piece.text:
            return
        if not self.lines:
            self.lines.append(_INDENT * piece.indent + piece.text)
        elif self.lines[-1]:
            self.lines[-1] += " " + piece.text
        else:
            self.lines[-1] = _INDENT * piece.indent + piece.text


class Writer:
    """Writes functions."""

    def __init__(self, inference: Inference, expressions: Expressions) -> None:
        self.inference = inference
        self.expressions = expressions
        self.pieces: list[Piece] = []
        self.body: Body | None = None
        self.habits: Habits = Habits(body.block for body in inference.bodies.values())

    # ------------------------------------------------------------------------------------ functions

    def function(self, body: Body) -> list[Piece]:
        """A function."""
        self.pieces = []
        self.body = body
        self.inference.function = body.function.number
        head = self.head(body)
        line = body.line
        if line > 1:
            self._add(head, 0, line - 1)
            self._add("{", 0, line)
        else:
            self._add(head + " {", 0, line or JOIN)
        self.statements(body.block.statements, 1, body.end)
        self._add("}", 0, body.end or JOIN)
        return self.pieces

    def head(self, body: Body, *, prototype: bool = False) -> str:
        """The line that a function begins with."""
        name = body.function.name
        result = self.result_type(body)
        types = map(self.expressions.variable_type, body.parameters)
        # A name in a prototype would be the first of its kind: see overhaul.ags.decompiler.names.
        names = [f"p{n}" if prototype else v.name for n, v in enumerate(body.parameters)]
        parameters = [declared(type, name) for type, name in zip(types, names, strict=True)]
        for place, value in self.expressions.defaults(True, body.function.number).items():
            parameters[place] += f" = {value}"
        title = name.name
        static = ""
        if name.owner and (self._is_accessor(body.function.number) or self.extends(name)):
            this = f"this {name.owner}*" if body.is_method else f"static {name.owner}"
            parameters.insert(0, this)
        elif name.owner and not prototype:
            title = name.full
            static = "" if body.is_method else "static "
        elif name.owner:
            static = "" if body.is_method else "static "
        check = "noloopcheck " if body.loop_check_off and not prototype else ""
        return f"{static}{result} {check}{title}({', '.join(parameters)})"

    def _is_accessor(self, number: int) -> bool:
        """Whether a function implements an attribute: its struct declares only the attribute."""
        attributes = self.inference.attributes.values()
        return any(number in attribute.functions for attribute in attributes)

    def extends(self, name: Name) -> bool:
        """Whether a function of a struct extends it: it is the editor's, or declares an attribute
        in the place of the function."""
        if self.inference.library.is_struct(name.owner):
            return True
        accessor = ACCESSOR.fullmatch(name.name)
        return accessor is not None and (name.owner, accessor[3]) in self.inference.shared.extending

    def stub(self, number: int, line: int, *, is_method: bool) -> list[Piece]:
        """A function without statements, in the place of one that could not be read."""
        text = f"{self.stub_head(number, is_method=is_method)} {{ /* left as assembly */ }}"
        return [Piece(text, 0, max(line, 1))]

    def stub_head(self, number: int, *, is_method: bool, prototype: bool = False) -> str:
        """The line that a function begins with which could not be read."""
        inference, types = self.inference, self.expressions.types
        name = inference.code.names[number]
        cells = inference.lost.get(number, [])
        count = max(name.parameters, 0) % VARIADIC
        texts = [types.of(cell, parameter=True) for cell in cells][:count]
        texts += ["int"] * (count - len(texts))
        parameters = [declared(type, f"p{place}") for place, type in enumerate(texts)]
        result = types.of(inference.results[number])
        extends = bool(name.owner) and self.extends(name)
        if extends:
            word = f"this {name.owner}*" if is_method else f"static {name.owner}"
            parameters.insert(0, word)
        title = name.name if extends or prototype else name.full
        static = "static " if name.owner and not extends and not is_method else ""
        return f"{static}{result} {title}({', '.join(parameters)})"

    def result_type(self, body: Body) -> str:
        """The return type of a function, as its declaration writes it."""
        number = body.function.number
        type = self.expressions.types.of(self.inference.results[number])
        name, gives = body.function.name, self.inference.returns_value[number]
        if name.owner and self._is_accessor(number) and (gives or name.name.startswith("set")):
            return type if gives else _NOTHING
        if type == "int":
            return type if gives and not name.full.startswith(_OF_DIALOGS) else _PLAIN
        is_pointer = type.endswith("[]") or self.inference.library.is_pointer(type)
        return type if gives or is_pointer or type == "float" else _PLAIN

    def _add(self, text: str, indent: int, line: int) -> None:
        self.pieces.append(Piece(text, indent, line))

    # ----------------------------------------------------------------------------------- statements

    def statements(self, statements: list[Statement], indent: int, end: int = 0) -> None:
        """Append the pieces of statements; ``end`` is the line of the brace behind them (0: not
        known)."""
        before: Statement | None = None
        for number, statement in enumerate(statements):
            following = statements[number + 1] if number + 1 < len(statements) else None
            after = end if following is None else following.line if following.marked else 0
            if not self._joins(before, statement):
                self._statement(statement, indent, after)
            before = statement

    def _joins(self, before: Statement | None, statement: Statement) -> bool:
        """Write two declarations of a line as one, if they are; whether they were."""
        if not isinstance(before, Declare) or not isinstance(statement, Declare):
            return False
        types = [self.expressions.variable_type(s.variable) for s in (before, statement)]
        library = self.inference.library
        plain = types[0] == types[1] and not types[0].endswith(("*", "[]"))
        if statement.marked or not plain or library.is_struct(types[0]):
            return False
        last = self.pieces[-1]
        text = self.simple(statement).removeprefix(f"{types[0]} ")
        self.pieces[-1] = last._replace(text=f"{last.text.removesuffix(';')}, {text};")
        return True

    def _statement(self, statement: Statement, indent: int, after: int) -> None:
        line = statement.line if statement.marked else JOIN
        match statement:
            case If():
                self._if(statement, indent, line, after)
            case While():
                head = self._loop_head(statement)
                self._controlled(head, statement.body, indent, line, after)
            case Do():
                self._do(statement, indent, line)
            case Switch():
                self._switch(statement, indent, line)
            case Braces():
                self._braces(statement, indent)
            case _:
                self._add(self.simple(statement) + ";", indent, line)

    def _braces(self, statement: Braces, indent: int) -> None:
        self._add("{", indent, FREE)
        self.statements(statement.body.statements, indent + 1, statement.body.end)
        self._add("}", indent, statement.body.end or JOIN)

    def simple(self, statement: Statement) -> str:
        """A statement of one line, without its semicolon."""
        write = self.expressions
        match statement:
            case Evaluate():
                return write.text(statement.value)
            case Assign():
                target = write.target(statement.target, statement.how)
                type = write.target_type(statement.target, statement.how)
                if statement.is_float:
                    type = "float"
                return f"{target} {statement.operator} {write.text(statement.value, type)}"
            case Increase():
                return write.target(statement.target, statement.how) + statement.operator
            case Declare():
                return self._declare(statement)
            case Leave():
                return statement.word
            case Return():
                return self._return(statement)
            case _:
                raise write.fail("a statement that no line has")

    def _declare(self, statement: Declare) -> str:
        variable, item = statement.variable, statement.variable.item
        type = self.expressions.variable_type(variable)
        if item is not None and item.count:
            return f"{declared(type, variable.name)}[{item.count}]"
        text = declared(type, variable.name)
        if statement.value is None:
            return text
        return f"{text} = {self.expressions.text(statement.value, type)}"

    def _return(self, statement: Return) -> str:
        assert self.body is not None
        number = self.body.function.number
        value = statement.value
        returns = self.inference.returns_value[number]
        result = "" if returns or not isinstance(value, Constant) else self.result_type(self.body)
        if result in (_PLAIN, _NOTHING):
            return "return"
        if DIALOG.fullmatch(self.body.function.name.full):
            word = _ENDS.get(_whole(value), "")
            if word in self.inference.library.constants:
                return f"return {word}"
        type = self.expressions.types.of(self.inference.results[number])
        return f"return {self.expressions.text(value, type)}"

    # -------------------------------------------------------------------------------------- blocks

    def _controlled(
        self, head: str, block: Block, indent: int, line: int, after: int, *, has_else: bool = False
    ) -> None:
        """The head of a statement, and its body with braces or without."""
        self._add(head, indent, line)
        if self._is_bare(block):
            text = self.simple(block.statements[0]) + ";"
            self._add(text, indent + 1, FREE if "if (" in head[:8] else JOIN)
            return
        self._add("{", indent, FREE if block.statements and block.statements[0].marked else JOIN)
        self.statements(block.statements, indent + 1, block.end)
        # The end of all but an ``if`` is code, which would have the line of the brace.
        is_free = head.startswith(("if", "else if")) and not has_else
        self._add("}", indent, block.end or (_closing(block) if is_free else JOIN))

    def _is_bare(self, block: Block) -> bool:
        """Whether a block had no braces: a statement without them has no line of its own."""
        statements = block.statements
        if len(statements) != 1 or block.end or isinstance(statements[0], Declare):
            return False
        return isinstance(statements[0], SIMPLE) and not statements[0].marked

    def _if(self, statement: If, indent: int, line: int, after: int, *, before: str = "") -> None:
        head = f"{before}if ({self.expressions.text(statement.condition)})"
        otherwise = statement.otherwise
        has_else = otherwise is not None
        self._controlled(head, statement.then, indent, line, after, has_else=has_else)
        if otherwise is None:
            return
        inner = otherwise.statements
        nested = chained_if(otherwise)
        if nested is not None and not self.habits.is_nested(statement, after):
            at = nested.line if nested.marked else JOIN
            self._if(nested, indent, at, after, before="else ")
            return
        place = FREE if inner and inner[0].marked else JOIN
        self._add("else", indent, place)
        bare = len(inner) == 1 and not otherwise.end
        bare = bare and (self._is_bare(statement.then) or self._lacks_braces(statement, after))
        if not bare or not isinstance(inner[0], SIMPLE):
            self._add("{", indent, place)
            self.statements(inner, indent + 1)
            self._add("}", indent, otherwise.end or _closing(otherwise))
        elif isinstance(inner[0], Declare):
            self._add("{", indent, place)
            self.statements(inner, indent + 1)
            self._add("}", indent, JOIN)
        else:
            self.statements(inner, indent + 1)

    def _lacks_braces(self, statement: If, after: int) -> bool:
        """Whether the lines around the one statement of an ``else`` leave no room for braces, as
        where it stands in the line of ``else``."""
        assert statement.otherwise is not None
        inner = statement.otherwise.statements[0]
        if not isinstance(inner, SIMPLE) or isinstance(inner, Declare):
            return False
        if not inner.marked:
            return True
        return after == inner.line + 1 if after else _gap(statement) < self.habits.with_braces

    def _loop_head(self, loop: While) -> str:
        condition = self.expressions.text(loop.condition)
        if not loop.is_for:
            return f"while ({condition})"
        first = self.simple(loop.first) if loop.first is not None else ""
        following = self.simple(loop.next) if loop.next is not None else ""
        condition = "" if loop.is_endless else f" {condition}"
        following = f" {following}" if following else ""
        return f"for ({first};{condition};{following})"

    def _do(self, loop: Do, indent: int, line: int) -> None:
        self._add("do {", indent, line)
        self.statements(loop.body.statements, indent + 1)
        condition = self.expressions.text(loop.condition)
        self._add(f"}} while ({condition});", indent, loop.last or loop.body.end or JOIN)

    def _switch(self, statement: Switch, indent: int, line: int) -> None:
        write = self.expressions
        self._add(f"switch ({write.text(statement.value)})", indent, line)
        self._add("{", indent, FREE)
        type = write.type_of(statement.value)
        for case in statement.cases:
            for value, at, brace in case.labels:
                if brace:
                    self._add("{", indent + 1, JOIN)
                    self._add("}", indent + 1, brace)
                label = "default:" if value is None else f"case {write.text(value, type)}:"
                self._add(label, indent + 1, at or (FREE if value is None else JOIN))
            self._case(case.body, indent + 2, case.brace)
            if case.joined:
                self._add("", 0, JOIN)
        self._add("}", indent, statement.end or JOIN)

    def _case(self, body: Block, indent: int, brace: int = 0) -> None:
        """The statements after a label; variables of its own are in braces, and code that ends
        with a brace is in the line ``brace``."""
        has_variables = any(isinstance(inner, Declare) for inner in body.statements)
        if not brace and not has_variables:
            self.statements(body.statements, indent)
            return
        self._add("{", indent - 1, FREE if body.statements and body.statements[0].marked else JOIN)
        if brace and has_variables:
            self._case(body, indent + 1)
        else:
            self.statements(body.statements, indent)
        self._add("}", indent - 1, brace or body.end or JOIN)


def _whole(value: Expression) -> int | None:
    """The whole number that an expression is; None for another one."""
    if isinstance(value, Unary) and value.operator == "-" and isinstance(value.value, Constant):
        return -value.value.value  # as early compilers have negative numbers
    return value.value if isinstance(value, Constant) else None


def _gap(statement: If) -> int:
    """The lines from the last statement before an ``else`` to the first behind it; 0 if they do
    not show."""
    assert statement.otherwise is not None
    then, otherwise = statement.then.statements, statement.otherwise.statements
    if not then or not otherwise or not (then[-1].marked and otherwise[0].marked):
        return 0
    return otherwise[0].line - then[-1].line if isinstance(then[-1], SIMPLE) else 0


def _closing(block: Block) -> int:
    """Where the brace of a block stands that the code has no line for."""
    return JOIN if any(isinstance(inner, Declare) for inner in block.statements) else FREE


def declared(type: str, name: str) -> str:
    """A declaration of a variable or parameter."""
    if type.endswith("[]"):
        return f"{declared(type[:-2], name)}[]"
    if type.endswith("*"):
        return f"{type[:-1]} *{name}"
    return f"{type} {name}"
