"""The statements of Python files of this project: ``from own_code import statements, tree_of``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path


def tree_of(path: Path) -> ast.Module:
    """A file, parsed; trees that are kept would cost the garbage collector more than reading."""
    return ast.parse(path.read_text("utf-8"))


def statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Statements and those inside them, without expressions, which are most of a tree."""
    for node in body:
        yield node
        yield from statements(parts_of(node))


def parts_of(statement: ast.AST) -> Iterator[ast.AST]:
    """The statements inside one."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        yield from getattr(statement, name, ())
