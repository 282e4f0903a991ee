"""Statements: assignments, calls, loops, conditions, and the ends of blocks.

``level`` counts the blocks around: 1 is the function's body.  Where code is written that a break
or a continue may come from, the enclosing loops are in ``loops``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from overhaul.ags.language import opcodes as o
from overhaul.ags.language import symbols as s
from overhaul.ags.language.assignments import Assignments
from overhaul.ags.language.emitter import Chunk
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.expressions import Expressions
from overhaul.ags.language.options import CASE_LINES, STATEMENTS
from overhaul.ags.language.repair import Repair
from overhaul.ags.language.symbols import Function, NamedType, Variable
from overhaul.ags.language.unit import Unit

_DEEPEST: Final = 50


class Loop:
    """A loop or a switch around a statement."""

    __slots__ = ("exit", "increment", "level", "start", "switch")

    def __init__(self, level: int, start: int, leave: int, *, switch: bool = False) -> None:
        self.level: int = level
        #: Where a continue leads.
        self.start: int = start
        #: The instruction that a break jumps to.
        self.exit: int = leave
        self.switch: bool = switch
        self.increment: Chunk | None = None


class Statements(Assignments):
    """Compiles the statements of functions.

    ``declare`` compiles the declaration of local variables whose type is the next token.
    """

    def __init__(self, unit: Unit, expressions: Expressions) -> None:
        super().__init__(unit, expressions)
        self.loops: list[Loop] = []
        #: Where the switches of old editors end, and the jumps there.
        self.ends: list[tuple[int, tuple[int, int]]] = []
        self.declare: Callable[[], None] = self.wrong
        old = {"if": self._if, "while": self._while, "return": self._return, "{": self._plain_block}
        new = {
            "for": self._for,
            "do": self._do,
            "switch": self._switch,
            "break": self._break,
            "continue": self._continue,
        }
        modern = unit.options.editor >= STATEMENTS
        self.by_token: dict[str, Callable[[], None]] = old | new if modern else old
        self._depth = 0

    def end_switches(self) -> None:
        """Let switches of a function end behind the line of what follows, as editors before 3.4.1
        have it."""
        words = self.code.words
        for end, jumps in self.ends:
            if words[end] == o.LINE:
                for place in jumps:
                    words[place] += 2
        self.ends.clear()

    def start_over(self) -> None:
        """Nothing is around the next statement."""
        self.loops.clear()
        self.ends.clear()
        self._depth = self.expressions.depth = 0

    def wrong(self) -> None:
        """The next token can't begin a statement."""
        self.unit.fail(f"expected a statement, got {self.unit.shown(self.unit.at)}")

    # blocks

    def block(self) -> None:
        """Statements up to a closing brace, which becomes the next token."""
        unit = self.unit
        tokens = unit.tokens
        opened = unit.at - 1
        if unit.repair is not None:
            self._repaired(unit.repair, opened)
            return
        while True:
            token = tokens[unit.at]
            if token == "}":
                return
            if not token:
                unit.fail("the '{' is not closed", opened)
            self.statement(token, allowed=True)

    def _repaired(self, repair: Repair, opened: int) -> None:
        """Statements up to a closing brace; those that are wrong are skipped."""
        unit = self.unit
        tokens = unit.tokens
        while tokens[unit.at] != "}":
            token = tokens[unit.at]
            if not token:
                repair.take(unit.error("the '{' is not closed", opened), unit.at)
            elif token == "else" and repair.errors:  # of an if that is skipped
                unit.at += 1
            else:
                self._tried(token, allowed=True)

    def _tried(self, token: str, *, allowed: bool) -> None:
        """A statement; if it is wrong and errors are collected, it is skipped."""
        unit = self.unit
        repair = unit.repair
        if repair is None:
            self.statement(token, allowed=allowed)
            return
        start, level = unit.at, unit.level
        loops, depth, inner = len(self.loops), self._depth, self.expressions.depth
        try:
            self.statement(token, allowed=allowed)
        except ScriptError as error:
            end = repair.behind_statement(start, error.at)
            error.function = error.function or (unit.function.name if unit.function else "")
            repair.take(error, end)
            unit.at = end
            unit.level = level
            del self.loops[loops:]
            self._depth, self.expressions.depth = depth, inner
            self.forget(level)
            kind = unit.pointed(token)
            if kind is not None:
                repair.doubt(start, end)
                self._assume(kind, start + 1)

    def _assume(self, kind: NamedType, at: int) -> None:
        """Declare the variable of a declaration that is wrong behind its name."""
        unit = self.unit
        pointer = unit.tokens[at] == "*"
        name = unit.tokens[at + pointer]
        if unit.tokens[at + pointer + 1] != "=" or name in unit.symbols or name in unit.keywords:
            return
        item = Variable(name, s.LOCAL, kind.number, 4 if pointer else kind.size)
        item.pointer = pointer or kind.autoptr
        item.simple = item.pointer or not kind.struct
        item.level = unit.level
        unit.symbols[name] = item
        unit.locals.append(item)

    def statement(self, token: str, *, allowed: bool) -> None:
        """A statement whose first token is ``token``; ``allowed``: it may be a declaration."""
        unit = self.unit
        at = unit.at
        line = unit.lines[at]
        if line != unit.lines[at - 1] and at != unit.skipped:
            unit.line = line
        if unit.line != unit.marked:
            self.code.line = unit.marked = unit.line
        handler = self.by_token.get(token)
        if handler is not None:
            self._depth += 1
            if self._depth > _DEEPEST:
                unit.fail("the statements are nested too deeply")
            handler()
            self._depth -= 1
            return
        symbol = unit.symbols.get(token)
        if isinstance(symbol, Function):
            self._call(symbol)
        elif isinstance(symbol, Variable):
            self._of_variable(symbol, at)
        elif isinstance(symbol, NamedType) or token == "readonly":
            if token != "readonly" and unit.tokens[unit.at + 1] == ".":
                self._path()
            elif allowed:
                self.declare()
            else:
                unit.fail(f"a declaration needs braces around it here: {token!r}")
        elif symbol is None and token not in _SIGNS:
            if unit.tokens[unit.at] in _STRAY:
                unit.fail(f"{token!r} is outside the block of its statement")
            if not unit.guessed(unit.at):
                unit.unknown(unit.at)
            self.statement(token, allowed=allowed)
        else:
            self.wrong()

    def _of_variable(self, item: Variable, at: int) -> None:
        """A statement that begins with a variable."""
        tokens = self.unit.tokens
        if tokens[at + 1] == "=":
            if item.simple and item.type != s.STRING:
                self._set(item)
                return
        elif tokens[at + 1] == "." and tokens[at + 3] == "(":
            function = self.paths.method(item, tokens[at + 2])
            if function is not None:
                self._method(item, function)
                return
        self._path()

    def _close(self) -> None:
        """The closing brace of a block that is not a function's: its variables end."""
        unit = self.unit
        unit.mark(unit.at)
        unit.at += 1
        unit.level -= 1
        self.end_variables()

    def _plain_block(self) -> None:
        """A block of its own."""
        self.unit.at += 1
        self.unit.level += 1
        self.block()
        self._close()

    def _body(self) -> None:
        """The body of an if or a loop: a block or a statement; its level is entered."""
        unit = self.unit
        if unit.tokens[unit.at] == "{":
            unit.see(unit.at)
            unit.at += 1
            self.block()
            self._close()
        else:
            self.statement(unit.tokens[unit.at], allowed=False)
            unit.level -= 1

    def _return(self) -> None:
        """A return, with a value or without."""
        unit = self.unit
        code = self.code
        at = unit.at
        unit.at += 1
        function = unit.function
        result = function.result if function else s.VOID
        if unit.tokens[unit.at] != ";":
            if result == s.VOID:
                unit.fail(f"{function.name if function else ''} returns nothing", at)
            self.expressions.whole()
            self.expressions.make_string(result)
            unit.check_convertible(unit.value, result, at + 1)
        elif result not in (s.INT, s.VOID):
            unit.fail(f"expected a value of type {unit.names.text(result)} to return")
        else:
            unit.see(unit.at)
            if not code.old:
                code.load(o.AX, 0)
        self._end()
        size = self.release(0)
        if size:
            code.op2(o.SUBI, o.SP, size)
        code.op(o.RETURN)

    # conditions and loops

    def _condition(self) -> None:
        """A condition in round brackets."""
        unit = self.unit
        if unit.tokens[unit.at] != "(":
            unit.fail(f"expected '(', got {unit.shown(unit.at)}")
        closed = self.paths.close(unit.at)
        if closed == unit.at + 1:
            unit.fail("expected a condition between the brackets", closed)
        self.expressions.between(unit.at + 1, closed)
        unit.at = closed + 1
        unit.skipped = unit.at

    def _if(self) -> None:
        """An if, with the else that belongs to it, and the if behind that."""
        unit = self.unit
        code = self.code
        ends: list[int] = []
        while True:
            unit.at += 1
            self._condition()
            code.op1(o.JUMP_ZERO, 0)
            position = len(code.words) - 1
            unit.level += 1
            self._body()
            if unit.tokens[unit.at] != "else":
                ends.append(position)
                break
            unit.see(unit.at)
            unit.at += 1
            code.op1(o.JUMP, 0)
            code.patch(position)
            ends.append(len(code.words) - 1)
            unit.level += 1
            if unit.tokens[unit.at] != "if":
                self._body()
                break
            unit.mark(unit.at)
        unit.level -= len(ends) - 1
        for position in ends:
            code.patch(position)

    def _while(self) -> None:
        """A while loop."""
        unit = self.unit
        code = self.code
        start = len(code.words)
        unit.at += 1
        self._condition()
        code.op1(o.JUMP_ZERO, 0)
        leave = len(code.words) - 2
        unit.level += 1
        self.loops.append(Loop(unit.level, start, leave))
        self._body()
        self._loop_end()

    def _loop_end(self) -> None:
        """Back to the start of a while or for loop."""
        code = self.code
        loop = self.loops.pop()
        code.flush()
        if loop.increment is not None:
            code.paste(loop.increment)
        code.jump(o.JUMP, loop.start)
        code.patch(loop.exit + 1)

    def _do(self) -> None:
        """A do loop."""
        unit = self.unit
        code = self.code
        code.op1(o.JUMP, 2)
        code.op1(o.JUMP, 0)
        leave = len(code.words) - 2
        unit.at += 1
        unit.level += 1
        self.loops.append(Loop(unit.level, len(code.words), leave))
        self._body()
        unit.see(unit.at)
        code.flush()
        unit.expect("while", "'while' after the block of 'do'")
        self._condition()
        unit.expect(";")
        loop = self.loops.pop()
        code.jump(o.JUMP_NOT_ZERO, loop.start)
        code.patch(leave + 1)

    def _for(self) -> None:
        """A for loop."""
        unit = self.unit
        code = self.code
        unit.level += 1
        unit.at += 1
        unit.see(unit.at)
        unit.expect("(")
        self._for_start()
        start = len(code.words)
        limited = unit.tokens[unit.at] != ";"
        if limited:
            self.expressions.whole()
        begin = len(code.words)
        fixups = len(code.fixups)
        unit.taken(";")
        self._for_increment()
        unit.level += 1
        increment = code.cut(begin, fixups)
        if not limited:
            code.load(o.AX, 1)
        code.op1(o.JUMP_ZERO, 0)
        loop = Loop(unit.level, start, len(code.words) - 2)
        if increment.words:
            loop.increment = increment
        self.loops.append(loop)
        self._body()
        self._loop_end()
        unit.level -= 1
        self.end_variables()

    def _for_start(self) -> None:
        """The first part of a for loop's head, with its semicolon."""
        unit = self.unit
        token = unit.tokens[unit.at]
        unit.see(unit.at)
        if token == ";":
            unit.at += 1
            return
        symbol = unit.symbols.get(token)
        if isinstance(symbol, NamedType) and unit.tokens[unit.at + 1] != ".":
            self.declare()
            return
        self._assign()
        self._end()

    def _for_increment(self) -> None:
        """The last part of a for loop's head, with the bracket behind it."""
        unit = self.unit
        unit.see(unit.at)
        if unit.tokens[unit.at] != ")":
            self._assign()
            unit.see(unit.at)
        unit.expect(")")

    def _assign(self) -> None:
        """An assignment in a for loop's head."""
        unit = self.unit
        symbol = unit.symbols.get(unit.tokens[unit.at])
        if not isinstance(symbol, (Variable, NamedType)):
            unit.unknown(unit.at)
        path = self.paths.parse(unit.at)
        if path.call is not None:
            unit.fail("expected an assignment, got a call", unit.at)
        unit.see_range(unit.at + 1, path.end)
        self.assignment(path)

    def _leave(self, loop: Loop) -> None:
        """Release what the blocks up to a loop have, for a jump out of them."""
        size = self.release(loop.level - 1)
        if size:
            self.code.op2(o.SUBI, o.SP, size)

    def _break(self) -> None:
        """A break: to the jump that leaves the loop, with a condition that is not met."""
        unit = self.unit
        code = self.code
        if not self.loops:
            unit.fail("'break' is outside a loop or switch")
        unit.at += 1
        unit.taken(";")
        loop = self.loops[-1]
        self._leave(loop)
        code.flush()
        code.load(o.AX, 0)
        code.jump(o.JUMP, loop.exit)

    def _continue(self) -> None:
        """A continue."""
        unit = self.unit
        code = self.code
        loops = [loop for loop in self.loops if not loop.switch]
        if not loops:
            unit.fail("'continue' is outside a loop")
        unit.at += 1
        unit.taken(";")
        loop = loops[-1]
        self._leave(loop)
        if loop.increment is not None:
            code.paste(loop.increment)
        code.flush()
        code.load(o.AX, 0)
        code.jump(o.JUMP, loop.start)

    # switch

    def _switch(self) -> None:
        """A switch: the bodies, and behind them the table of the cases."""
        unit = self.unit
        code = self.code
        unit.at += 1
        unit.level += 1
        self._condition()
        value = unit.value
        code.op2(o.MOVE, o.AX, o.BX)
        code.flush()
        start = len(code.words)
        code.op1(o.JUMP, 0)
        code.op1(o.JUMP, 0)
        unit.taken("{")
        self.loops.append(Loop(unit.level, start, start + 2, switch=True))
        cases, default = self._cases(value)
        self._close()
        self.loops.pop()
        self._case_table(value, start, cases, default)

    def _cases(self, value: int) -> tuple[list[Chunk], int]:
        """The bodies of a switch; returns the values of the cases, and where the default is."""
        unit = self.unit
        opened = unit.at - 1
        cases: list[Chunk] = []
        default = -1
        if unit.tokens[unit.at] not in ("case", "default", "}"):
            unit.fail(f"expected 'case' or 'default', got {unit.shown(unit.at)}")
        while unit.tokens[unit.at] != "}":
            token = unit.tokens[unit.at]
            if token == "case":
                if unit.options.editor >= CASE_LINES:
                    unit.mark(unit.at)
                unit.at += 1
                cases.append(self._case(value))
                unit.taken(":")
            elif token == "default":
                unit.mark(unit.at)
                if default >= 0:
                    unit.fail("the switch has a default already")
                unit.at += 1
                default = len(self.code.words)
                unit.taken(":")
            elif token:
                self._tried(token, allowed=False)
            else:
                unit.fail("the '{' is not closed", opened)
        return cases, default

    def _case(self, value: int) -> Chunk:
        """The value of a case, cut out."""
        unit = self.unit
        code = self.code
        start = len(code.words)
        fixups = len(code.fixups)
        at = unit.at
        code.push(o.BX)
        if unit.options.editor < CASE_LINES:
            unit.mark(at - 1)
        self.expressions.whole()
        if not unit.converts(unit.value, value) and not unit.converts(value, unit.value):
            text = unit.names.text
            unit.fail(f"can't compare {text(value)} with {text(unit.value)}", at)
        self.expressions.typed(o.EQUAL, unit.value, value, at)
        code.pop(o.BX)
        return code.cut(start, fixups)

    def _case_table(self, value: int, start: int, cases: list[Chunk], default: int) -> None:
        """The comparisons behind the bodies of a switch."""
        code = self.code
        words = code.words
        compare = o.STRINGS_NOT_EQUAL if self.unit.is_text(value) else o.NOT_EQUAL
        if words[-2] != o.JUMP or words[-1] != start + 2 - len(words):
            code.op1(o.JUMP, 0)
        skip = len(words)
        words[start + 1] = skip - start - 2
        for case in cases:
            code.paste(case)
            code.op2(compare, o.AX, o.BX)
            code.jump(o.JUMP_ZERO, case.start)
        if default >= 0:
            code.jump(o.JUMP, default)
        words[start + 3] = len(words) - start - 4
        words[skip - 1] = len(words) - skip
        if self.unit.options.editor < CASE_LINES:
            self.ends.append((len(words), (start + 3, skip - 1)))


_SIGNS: Final = frozenset("(){}[];,.=:+-*/%&|^!<>")
_STRAY: Final = frozenset({"else", "case", "default"})
