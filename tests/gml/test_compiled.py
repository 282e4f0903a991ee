"""The syntax modules compiled by mypyc pass the same tests as the plain ones."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from compiled_build import ROOT, SYNTAX, passes, why_not
from own_code import statements, tree_of


@pytest.mark.slow
@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_the_compiled_syntax_passes_the_same_tests(tmp_path: Path) -> None:
    passes(tmp_path, ["tests/gml/syntax"], SYNTAX)


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the sources are not here")
def test_every_module_that_is_compiled_is_there() -> None:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        from compiled import SOURCE, hot_modules
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    modules = hot_modules()
    expected = {"media/qoi.py", "gml/compiler/emitter.py", "gml/vm/rows.py"}
    assert expected <= set(modules)
    assert not any(name.endswith("__init__.py") for name in modules)
    assert all((SOURCE / name).is_file() for name in modules)


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the sources are not here")
def test_no_module_that_is_compiled_does_what_mypyc_cannot() -> None:
    """Classes derive from no builtin type but dict, and are made by calling them."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        from compiled import SOURCE, hot_modules
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    builtin = {"bytes", "float", "int", "list", "set", "str", "tuple"}
    wrong = []
    for name in hot_modules():
        for node in ast.walk(tree_of(SOURCE / name)):
            if isinstance(node, ast.ClassDef):
                names = {ast.unparse(base).partition("[")[0] for base in node.bases}
                wrong += [f"{name}: class {node.name}"] if names & builtin else []
            if isinstance(node, ast.Attribute) and node.attr == "__new__":
                wrong.append(f"{name}:{node.lineno}: __new__")
    assert wrong == []


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the sources are not here")
def test_no_other_class_derives_from_one_that_is_compiled() -> None:
    """Interpreted classes can't."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        from compiled import SOURCE, hot_modules
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    hot = set(hot_modules())
    packages = {name.rpartition("/")[0].replace("/", ".") for name in hot}
    wrong = []
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        text = path.read_text("utf-8")
        if name in hot or not re.search(r"^ *class \w+\(", text, re.M):
            continue
        nodes = list(statements(tree_of(path).body))
        compiled = {
            alias.asname or alias.name
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module is not None
            and (
                node.module.removeprefix("overhaul.") in packages
                or node.module.removeprefix("overhaul.").replace(".", "/") + ".py" in hot
            )
            for alias in node.names
        }  # fmt: skip
        wrong += [
            f"{name}: class {node.name}"
            for node in nodes
            if isinstance(node, ast.ClassDef)
            and compiled & {ast.unparse(base).partition("[")[0] for base in node.bases}
        ]
    assert wrong == []
