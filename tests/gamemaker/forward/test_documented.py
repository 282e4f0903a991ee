"""The page about dropped functions is made of the table."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from overhaul.gamemaker.forward import dropped
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse

PAGE = Path(__file__).parents[3] / "docs/formats/forward.md"
TABLE = re.compile(r"<!-- dropped -->\n(.*?)<!-- end of dropped -->", re.DOTALL)


def natives(name: str) -> list[str]:
    """The functions of the release that stand for one, with the help of others."""
    found: dict[str, None] = {}
    for each in dropped.needed([name]):
        known = dropped.scripted().get(each)
        for node in parse(known.source).walk() if known is not None else ():
            if isinstance(node, tree.Call) and isinstance(node.function, tree.Name):
                called = node.function.name
                if called not in dropped.scripted() and called not in dropped.MADE:
                    found.setdefault(called)
    return list(found)


def without_natives(name: str) -> str:
    """What a function does that calls none."""
    if name in dropped.MADE:
        return "a function made for each project"
    (statement,) = parse(dropped.scripted()[name].source).statements
    assert isinstance(statement, tree.ExpressionStatement)
    assert isinstance(statement.expression, tree.Function)
    return "GML of its own" if statement.expression.body.statements else "nothing: no effect"


def lines() -> Iterator[str]:
    yield "| Scripted | With |"
    yield "|---|---|"
    for name in sorted((*dropped.scripted(), *dropped.MADE)):
        if not name.startswith("old_"):
            used = natives(name)
            shown = ", ".join(f"`{each}`" for each in used[:4]) + (", …" if len(used) > 4 else "")
            yield f"| `{name}` | {shown or without_natives(name)} |"
    for name in sorted((*dropped.VIEWS, *dropped.BACKGROUNDS)):
        kind = "view" if name in dropped.VIEWS else "background"
        yield f"| `{name}` | `old_{kind}_get`, `old_{kind}_set` |"
    yield ""
    names = ", ".join(f"`{name}`" for name in sorted(dropped.without_equivalent()))
    yield f"No equivalent: {names}; and the variables"
    yield ", ".join(f"`{name}`" for name in sorted(dropped.GONE)) + "."


def test_the_table_is_that_of_the_functions() -> None:
    made = "\n".join(lines()) + "\n"
    text = PAGE.read_text("utf-8")
    if os.environ.get("OVERHAUL_WRITE_LAYOUTS") == "1":
        block = f"<!-- dropped -->\n{made}<!-- end of dropped -->"
        PAGE.write_text(TABLE.sub(lambda _: block, text), "utf-8")
        return
    found = TABLE.search(text)
    assert found is not None
    assert found[1] == made
