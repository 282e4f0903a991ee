"""Nodes that only the compiler makes."""

from __future__ import annotations

from typing import ClassVar

from overhaul.gml.syntax import tree


class HoistedArgument(tree.Expression):
    """The value number ``index`` that is passed to the function of a struct literal."""

    fields: ClassVar[tuple[str, ...]] = ("index",)

    def __init__(self, index: int, position: int = -1) -> None:
        super().__init__(position)
        self.index = index


class Hooked(tree.Try):
    """A ``try`` whose ways out are rewritten already."""


class Truth(tree.Boolean):
    """The result of a folded comparison: a boolean even where ``true`` is a number."""
