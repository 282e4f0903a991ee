"""Folding of expressions: constant parts are worked out, bottom-up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhaul.gml.compiler.folding import CONSTANTS, fold_binary, fold_unary, is_true, truncated
from overhaul.gml.compiler.names import INSTANCE_WORDS, Names
from overhaul.gml.syntax import tree

if TYPE_CHECKING:
    from overhaul.gml.dialect import Dialect

_DECIMAL: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")


COLOR_PARTS: Final = {
    f"{word}_get_{part}": 8 * index
    for word in ("color", "colour")
    for index, part in enumerate(("red", "green", "blue"))
}
"""Functions of a colour's part -> its lowest bit."""


class Folder:
    """Works out the constant parts of expressions."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.dialect: Dialect = names.dialect

    def fold(self, node: tree.Expression) -> tree.Expression:
        """The expression with its constant parts worked out (the tree is changed in place)."""
        if type(node) is tree.Name:
            return self.names.constant(node) or node
        if type(node) is tree.Binary:
            return self.fold_chain(node)
        if isinstance(node, tree.Unary):
            operand = self.fold(node.operand)
            if isinstance(operand, CONSTANTS):
                folded = fold_unary(node, operand)
                if folded is not None:
                    return folded
            node.operand = operand
        elif isinstance(node, tree.Member):
            return self.names.enum_value(node) or node
        elif isinstance(node, tree.Call):
            return self.fold_call(node) or node
        elif isinstance(node, tree.TemplateString):
            texts = [part.value for part in node.parts if type(part) is tree.String]
            if self.dialect.template_strings and len(texts) == len(node.parts):
                return tree.String("".join(texts), position=node.position)
        elif isinstance(node, tree.Conditional):
            node.condition = self.fold(node.condition)
            if isinstance(node.condition, CONSTANTS):
                return self.fold(node.then if is_true(node.condition) else node.otherwise)
        return node

    def fold_chain(self, node: tree.Binary) -> tree.Expression:
        spine: list[tree.Binary] = []
        left: tree.Expression = node
        while isinstance(left, tree.Binary):
            spine.append(left)
            left = left.left
        left = self.fold(left)
        for each in reversed(spine):
            right = self.fold(each.right)
            each.left = left
            each.right = right
            left = each
            if isinstance(each.left, CONSTANTS) and isinstance(right, CONSTANTS):
                folded = fold_binary(each, each.left, right)
                if folded is not None:
                    left = folded
        return left

    def fold_call(self, node: tree.Call) -> tree.Expression | None:
        """The few functions that are worked out when their argument is constant."""
        if not isinstance(node.function, tree.Name) or len(node.arguments) != 1:
            return None
        name = node.function.name
        if name not in ("ord", "chr", "int64", "real", "string") and name not in COLOR_PARTS:
            return None
        argument = node.arguments[0]
        if argument is None:
            return None
        value = self.fold(argument)
        position = node.position
        if name == "ord" and isinstance(value, tree.String) and self.dialect.ord_folds:
            return tree.Number(ord(value.value[0]) if value.value else 0, position=position)
        if name == "chr" and isinstance(value, tree.Number) and self.dialect.chr_folds:
            code = truncated(value.value)
            if 0 <= code < 0x110000:
                return tree.String(chr(code), position=position)
        if name in COLOR_PARTS:
            if isinstance(value, tree.Number) and self.dialect.color_parts_fold:
                part = truncated(value.value) >> COLOR_PARTS[name] & 0xFF
                return tree.Number(part, position=position)
            return None
        if name == "int64" and isinstance(value, (tree.Number, tree.Int64)):
            return tree.Int64(truncated(value.value), position=position)
        if self.dialect.string_real_optimizations:
            if name == "real":
                return value if isinstance(value, tree.Number) else _number_in(value)
            if name == "string" and self.dialect.string_call_folds:
                if isinstance(value, tree.Number) and isinstance(value.value, int):
                    return tree.String(str(value.value), position=position)
                return value if isinstance(value, tree.String) else None
        return None

    def instance_number(self, node: tree.Expression) -> int | None:
        """The instance a dot's left side names at compile time, None where it is computed."""
        if isinstance(node, tree.Name):
            word = INSTANCE_WORDS.get(node.name)
            if word is not None and node.name not in self.names.scopes.current.locals:
                return word
            constant = self.names.constant(node)
            if constant is not None and isinstance(constant, tree.Number):
                return int(constant.value)
            return None
        folded = self.fold(node)
        if isinstance(folded, tree.Number) and isinstance(folded.value, int):
            return folded.value
        return None


def _number_in(node: tree.Expression) -> tree.Expression | None:
    """The number a constant string spells, None where it spells none."""
    if not isinstance(node, tree.String) or not _DECIMAL.fullmatch(node.value):
        return None
    value = float(node.value)
    return tree.Number(int(value) if value.is_integer() else value, position=node.position)
