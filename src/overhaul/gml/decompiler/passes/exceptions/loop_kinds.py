"""Tells ``for`` from ``while`` by what compilers do with the ways out of try statements.

A ``for`` without a ``continue`` has the code of a ``while``, but the kind of loop counts:

- behind a try the flags of its ways out are asked only within a ``for``, ``repeat`` or ``with``;
- from 2024.11 on, behind a ``while`` in a part of a try no way out sets a flag any more.

Where what was read contradicts that, a loop becomes one of the other kind.
"""

from __future__ import annotations

from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.passes.exceptions.jumps import asked, is_flag, is_guard, number_of
from overhaul.gml.decompiler.passes.idioms import changed
from overhaul.gml.decompiler.passes.nested import Statements, continues, lists_inside, statements_of
from overhaul.gml.syntax import tree

Loop = tree.While | tree.For | tree.Repeat | tree.With


def choose_loop_kinds(fragment: Fragment) -> None:
    """Make loops of a function ``for`` or ``while`` as its try statements want it, in place.

    What the compiler has rewritten in the try statements must still be there.
    """
    finder = _Finder(fragment.dialect.better_try_break_continue, fragment.marked_loops)
    finder.visit(fragment.statements, 0, len(fragment.statements))
    finder.choose()


class _Loop:
    """A loop and the list that it stands in.

    ``stepping``: whether it is no ``while``; ``known``: whether that is certain.
    """

    __slots__ = ("among", "known", "node", "stepping")

    def __init__(self, node: Loop, among: Statements) -> None:
        self.node = node
        self.among = among
        self.stepping = not isinstance(node, tree.While)
        self.known = (
            not isinstance(node, (tree.While, tree.For))
            or node.condition is None
            or continues(statements_of(node.body))  # to the head, or to the step
        )

    def want(self, stepping: bool) -> None:
        """Make it a kind unless it is known to be one."""
        if not self.known:
            self.stepping = stepping
            self.known = True

    @property
    def is_endless(self) -> bool:
        """Whether it is read as ``for (;;)``, which may be a ``while`` with the same condition."""
        return isinstance(self.node, tree.For) and not (self.node.condition or self.node.step)

    def deny(self) -> None:
        """Make it a ``while``, also if it has the condition that a ``for`` without one has."""
        if self.is_endless:
            self.known = False
        self.want(False)

    def apply(self) -> None:
        """Put a loop of the kind that was chosen in the place of what was read."""
        node = self.node
        if isinstance(node, tree.While) and self.stepping:
            made = self._for(node)
        elif isinstance(node, tree.For) and not self.stepping:
            made = self._while(node, node.condition or tree.Int64(1))
        else:
            return
        made.address = node.address
        self.among[self._place()] = made

    def _place(self) -> int:
        return next(at for at, each in enumerate(self.among) if each is self.node)

    def _for(self, node: tree.While) -> tree.Statement:
        body = statements_of(node.body)
        initial = step = None
        counter = changed(body[-1]) if body else None
        if counter is not None:
            step = body.pop()
            place = self._place()
            before = self.among[place - 1] if place else None
            if isinstance(before, tree.Assignment) and before.target == counter:
                initial = self.among.pop(place - 1) if before.operator == "=" else None
        return tree.For(initial, node.condition, step, node.body)

    def _while(self, node: tree.For, condition: tree.Expression) -> tree.Statement:
        place = self._place()
        self.among[place:place] = statements_of(node.initial)
        body = [*statements_of(node.body), *statements_of(node.step)]
        if isinstance(node.body, tree.Block):
            node.body.statements[:] = body  # the list that loops inside stand in
            return tree.While(condition, node.body)
        return tree.While(condition, tree.Block(body))


class _Finder:
    """Goes through a function as the compiler did."""

    def __init__(self, better: bool, marked: list[tree.For]) -> None:
        self.better = better
        self.marked = marked
        self.loops: list[_Loop] = []
        self.around: list[_Loop] = []
        self.before: list[_Loop] | None = None
        """Loops of this part of a try, while a way out may set a flag."""
        self.number = ""
        self.switch = False
        self.wishes: list[tuple[list[_Loop], bool]] = []
        """Of these loops at least one is of this kind."""

    def choose(self) -> None:
        """Make all loops what they must be."""
        for loops, stepping in self.wishes:
            if any(loop.known and loop.stepping == stepping for loop in loops):
                continue
            open_ = [loop for loop in reversed(loops) if not loop.known]
            likely = [loop for loop in open_ if loop.stepping == stepping or _counts(loop.node)]
            for loop in (likely or open_)[:1]:
                loop.want(stepping)
            if not open_ and not stepping:
                for loop in [each for each in reversed(loops) if each.is_endless][:1]:
                    loop.deny()
        for loop in self.loops:
            loop.apply()

    def visit(self, statements: Statements, position: int, end: int) -> None:
        """A list of statements, from ``position`` to ``end``."""
        while position < end:
            each = statements[position]
            if isinstance(each, tree.Try):
                position += self.attempt(each, statements, position)
            elif isinstance(each, (tree.While, tree.For, tree.Repeat, tree.With)):
                self.loop(each, statements)
            elif isinstance(each, (tree.Break, tree.Continue)):
                self.jump(statements, position)
            else:
                outer = self.switch
                self.switch = outer or isinstance(each, tree.Switch)
                for inside in lists_inside(each):
                    self.visit(inside, 0, len(inside))
                self.switch = outer
            position += 1

    def body(self, statement: tree.Statement | None) -> None:
        inside = statements_of(statement)
        self.visit(inside, 0, len(inside))

    def loop(self, node: Loop, among: Statements) -> None:
        loop = _Loop(node, among)
        loop.known = loop.known or any(each is node for each in self.marked)
        self.loops.append(loop)
        if self.before is not None and isinstance(node, (tree.While, tree.For)):
            self.before.append(loop)
        outer = self.before, self.switch
        self.before, self.switch = None, False
        self.around.append(loop)
        self.body(node.body)
        self.around.pop()
        self.before, self.switch = outer

    def attempt(self, node: tree.Try, among: Statements, position: int) -> int:
        """A try; returns how many statements behind it ask for its flags."""
        number = number_of(among[position - 2]) if position >= 2 else ""
        questions = asked(among, position + 1, number) if number else 0
        if questions:
            self.wishes.append((self.around[:], True))
        elif number:
            for loop in self.around:
                loop.deny()
        self.body(node.final)  # the compiler looks at it first
        outer = self.before, self.number
        self.number = number
        for part in (node.body, node.handler):
            self.before = []
            self.part(part)
        self.before, self.number = outer
        return questions

    def part(self, part: tree.Block | None) -> None:
        """The body or the handler, perhaps in the loop that runs once."""
        statements = statements_of(part)
        if len(statements) == 1 and isinstance(statements[0], tree.While):
            inside = statements_of(statements[0].body)
            if is_guard(inside, self.number):
                self.visit(inside, 1, len(inside) - 1)
                return
        self.visit(statements, 0, len(statements))

    def jump(self, statements: Statements, position: int) -> None:
        """A ``break`` or ``continue``: what its flag says about the loops before it."""
        breaks = isinstance(statements[position], tree.Break)
        if self.before is None or (breaks and self.switch) or not self.better:
            return
        flag = statements[position - 1] if position else None
        if self.number and isinstance(flag, tree.Assignment) and is_flag(flag, self.number):
            for loop in self.before:
                loop.want(True)
            self.before = []
        else:
            self.wishes.append((self.before, False))
            self.before = None


def _counts(node: tree.Statement) -> bool:
    """Whether a loop ends with what may be the step of a ``for``."""
    body = statements_of(node.body) if isinstance(node, tree.While) else []
    return bool(body) and changed(body[-1]) is not None
