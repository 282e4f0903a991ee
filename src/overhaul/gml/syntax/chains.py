"""Chains of calls: ``f(a).g(b).h(c)``."""

from __future__ import annotations

from overhaul.gml.syntax import tree


def starts_with_call(node: tree.Expression) -> bool:
    """Whether the method that is called on ``node`` gets its arguments before its instance.

    So it is in ``f().g(a)`` and along ``f().g(a).h(b)``: the official compilers push ``a``, then
    call ``f``. In ``x.g(a)``, ``x.f().g(a)``, ``f().x.g(a)`` and ``(f()).g(a)`` the instance
    comes first. A tree made otherwise sets ``Call.grouped`` where the instance comes first
    although this is true.
    """
    while isinstance(node, tree.Call):
        function = node.function
        if node.grouped:
            return False
        if not isinstance(function, tree.Member):
            return isinstance(function, (tree.Name, tree.Call, tree.Index))
        node = function.object
    return isinstance(node, (tree.ArrayLiteral, tree.StructLiteral))
