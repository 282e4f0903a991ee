"""Run the tests that reach a change: ``mutate.py`` gives this to cosmic-ray as its test command.

It stands in a copy of the repository whose code differs from ``original/`` in one place, and where
``.coverage`` says which test ran which line.  A change of what runs at import (a declaration) is
shown to every test that runs a line of the module.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import coverage

#: More tests than these are named by their files: the list would be longer than the tests take.
MOST = 400
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def main(tests: list[str]) -> int:
    """Exit code of the tests that reach the change; all of ``tests`` where none is known to.

    What the tests of a file share is made by the first of them, which then is the one that reaches
    the change: where it does not notice it, the other tests of the file are run too.
    """
    chosen = sorted(reaching(*changed_place()))
    files = sorted({test.partition("::")[0] for test in chosen})
    if len(chosen) > MOST:
        chosen = files
    code = run(chosen or tests)
    return code if code or chosen in ([], files) else run(files)


def run(tests: list[str]) -> int:
    """Exit code of tests, which end with the first that fails."""
    options = ["-x", "-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider"]
    return subprocess.call([sys.executable, "-m", "pytest", *options, *tests])


def changed_place() -> tuple[Path, int]:
    """The changed module and the first line that differs."""
    for original in sorted(Path("original").rglob("*.py")):
        module = Path("src") / original.relative_to("original")
        before, after = original.read_text("utf-8"), module.read_text("utf-8")
        if before != after:
            pairs = zip(before.split("\n"), after.split("\n"), strict=False)
            return module, next(n for n, (old, new) in enumerate(pairs, 1) if old != new)
    raise SystemExit("noticing.py: nothing is changed")


def reaching(module: Path, line: int) -> set[str]:
    """The tests that run the statement at a line, or any line of the module if none is known.

    What runs at import is reached by all tests of the module, not by the first that imports it.
    """
    data = coverage.CoverageData()
    data.read()
    contexts = data.contexts_by_lineno(str(module))
    tree = ast.parse((Path("original") / module.relative_to("src")).read_text("utf-8"))
    wanted = smallest_statement(tree, line) if in_function(tree, line) else range(0)
    tests = {test for number in wanted for test in named(contexts.get(number, []))}
    return tests or {test for found in contexts.values() for test in named(found)}


def in_function(tree: ast.AST, line: int) -> bool:
    """Whether a line runs when a function is called."""
    functions = (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))
    return any(each.body[0].lineno <= line <= (each.end_lineno or 0) for each in functions)


def named(contexts: list[str]) -> Iterator[str]:
    """The tests among contexts, which are spelled ``tests/test_x.py::test_y|run``."""
    return (context.rpartition("|")[0] for context in contexts if "|" in context)


def smallest_statement(tree: ast.AST, line: int) -> range:
    """The lines of the innermost statement at a line; of one that holds others, its head."""
    best = range(line, line + 1)
    size = sys.maxsize
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            lines = range(node.lineno, max(end, node.lineno) + 1)
            if line in lines and len(lines) < size:
                best, size = lines, len(lines)
    return best


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
