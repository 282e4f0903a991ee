"""Makes a program that shows something as small as it can, by leaving out parts of its tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from overhaul.gml.context import Context
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse
from overhaul.gml.syntax.printer import to_source


def reduced(source: str, context: Context, shows: Callable[[str], bool]) -> str:
    """The smallest text that was found of which ``shows`` still holds.

    ``shows`` may raise whatever a compiler raises for a text that is none: that one is left out.
    """

    def holds(block: tree.Block) -> bool:
        try:
            return shows(to_source(block, context.dialect))
        except Exception:  # noqa: BLE001 - a text that shows nothing, whatever it is
            return False

    block = parse(source, context.dialect)
    smaller = True
    while smaller:
        smaller = False
        for put, back in _changes(block):
            try:
                put()
            except TypeError:  # a compiled class has no such value there
                continue
            if holds(block):
                smaller = True
            else:
                back()
    return to_source(block, context.dialect)


_Step = Callable[[], None]


def _changes(root: tree.Node) -> Iterator[tuple[_Step, _Step]]:
    """Each way to make a tree smaller, and back; nodes that are gone by then are skipped."""
    pending = [root]
    while pending:
        node = pending.pop()
        for name in node.fields:
            value = getattr(node, name)
            if isinstance(value, list):
                yield from _shorter(node, name)
            elif isinstance(value, tree.Node):
                yield from _simpler(node, name)
        pending += node.children()


def _shorter(node: tree.Node, name: str) -> Iterator[tuple[_Step, _Step]]:
    """A list without one of its elements, or with what is inside it in its place."""
    size = max(len(getattr(node, name)) // 2, 1)
    while size:
        at = 0
        while at < len(getattr(node, name)):
            items = getattr(node, name)
            yield _put(node, name, items[:at] + items[at + size :])
            at += size if getattr(node, name) is items else 0
        size //= 2
    for at in range(len(getattr(node, name))):
        items = getattr(node, name)
        if at >= len(items) or not isinstance(items[at], tree.Node):
            continue
        if isinstance(items[at], tree.Statement):
            for inside in _inside(items[at]):
                yield _put(node, name, [*items[:at], *inside, *items[at + 1 :]])
        elif isinstance(items[at], tree.Expression):
            for less in _less(items[at]):
                yield _put(node, name, [*items[:at], less, *items[at + 1 :]])


def _simpler(node: tree.Node, name: str) -> Iterator[tuple[_Step, _Step]]:
    """A smaller node in the place of one, or none."""
    yield _put(node, name, None)
    value = getattr(node, name)
    if isinstance(value, tree.Expression):
        for less in _less(value):
            yield _put(node, name, less)
    elif isinstance(value, tree.Statement) and not isinstance(value, tree.Block):
        yield _put(node, name, tree.Block([]))


def _less(value: tree.Expression) -> list[tree.Node]:
    simple = (tree.Name, tree.Number)
    inside = [child for child in value.children() if isinstance(child, tree.Expression)]
    return [] if isinstance(value, simple) else [tree.Name("a"), tree.Number(0), *inside]


def _inside(statement: tree.Statement) -> Iterator[list[tree.Node]]:
    """The lists of statements in a statement, and the statements in its fields."""
    for child in statement.children():
        if isinstance(child, tree.Block):
            yield [*child.statements]
        elif isinstance(child, tree.Case):
            yield [*child.body]
        elif isinstance(child, tree.Statement):
            yield [child]


def _put(node: tree.Node, name: str, value: object) -> tuple[_Step, _Step]:
    before = getattr(node, name)
    return (lambda: setattr(node, name, value)), (lambda: setattr(node, name, before))
