"""The base of every node of the tree of GML source, and rebuilding of trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar


class Node:
    """Base of every node of the tree.

    ``fields`` names the attributes that make up a node, in source order.  ``position`` is the
    offset of its first character in the source, ``address`` the offset in bytes of the first
    instruction that it came from; both are -1 where there is none.
    """

    fields: ClassVar[tuple[str, ...]] = ()
    #: none of the fields can hold nodes
    is_leaf: ClassVar[bool] = False
    address: int = -1

    def __init__(self, position: int = -1) -> None:
        self.position = position

    def __eq__(self, other: object) -> bool:
        """Equal in kind and content; positions, addresses and spellings are not compared."""
        if not isinstance(other, Node):
            return NotImplemented
        return _equal(self, other)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields)
        return f"{type(self).__name__}({inside})"

    def children(self) -> list[Node]:
        """The nodes directly below this one, in source order."""
        nodes: list[Node] = []
        if self.is_leaf:
            return nodes
        for name in self.fields:
            value = getattr(self, name)
            if isinstance(value, Node):
                nodes.append(value)
            elif isinstance(value, list):
                nodes += [item for item in value if isinstance(item, Node)]
        return nodes

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in source order, without recursion."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            if node.is_leaf:
                continue
            for name in reversed(node.fields):
                value = getattr(node, name)
                if isinstance(value, Node):
                    stack.append(value)
                elif isinstance(value, list):
                    stack += [item for item in reversed(value) if isinstance(item, Node)]


def _equal(left: object, right: object) -> bool:
    """Compare two trees without recursion (spines and nests may be deep)."""
    stack: list[tuple[object, object]] = [(left, right)]
    while stack:
        a, b = stack.pop()
        if isinstance(a, Node):
            if type(a) is not type(b):
                return False
            for name in a.fields:
                stack.append((getattr(a, name), getattr(b, name)))
        elif isinstance(a, list):
            if not isinstance(b, list) or len(a) != len(b):
                return False
            stack.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True


class Transformer:
    """Rebuilds a tree in place: ``visit_<NodeClass>`` returns the node to stand there.

    In a list of statements None removes the node and a list replaces it by several. The default
    visits the children and returns the node itself.
    """

    def visit(self, node: Node) -> Node | list[Node] | None:
        """The replacement of a node: another, several, or none."""
        method = getattr(self, "visit_" + type(node).__name__, None)
        result: Node | list[Node] | None = (
            self.generic_visit(node) if method is None else method(node)
        )
        return result

    def generic_visit(self, node: Node) -> Node:
        """Visit what a node of a class without a method of its own has in it."""
        for name in node.fields:
            value = getattr(node, name)
            if isinstance(value, Node):
                setattr(node, name, self.visit(value))
            elif isinstance(value, list):
                out: list[object] = []
                for item in value:
                    if not isinstance(item, Node):
                        out.append(item)
                        continue
                    new = self.visit(item)
                    if isinstance(new, list):
                        out.extend(new)
                    elif new is not None:
                        out.append(new)
                setattr(node, name, out)
        return node
