"""Rebuilding trees."""

from __future__ import annotations

from overhaul.gml.syntax.node import Node


class Transformer:
    """Rebuilds a tree in place: ``visit_<NodeClass>`` returns the node to stand there.

    In a list of statements None removes the node and a list replaces it by several. The default
    visits the children and returns the node itself.
    """

    def visit(self, node: Node) -> Node | list[Node] | None:
        method = getattr(self, "visit_" + type(node).__name__, None)
        result: Node | list[Node] | None = (
            self.generic_visit(node) if method is None else method(node)
        )
        return result

    def generic_visit(self, node: Node) -> Node:
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
