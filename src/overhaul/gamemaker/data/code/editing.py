"""Parts of an entry's code changed as text: something put before or behind it, or replaced.

A change is compiled (or assembled) whole, and nothing is changed where that fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.checking import why_source_differs
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse

_SCRIPT = "gml_Script_"
#: the declarations of an assembly text before its first instruction
_DECLARATIONS = (".", ";")
_WORDS = re.compile(r"\w+|[^\w\s]")
#: a statement that shows whether the text before it ended
_PROBE = "overhaul_probe();"
#: statements behind which nothing runs
_LEAVING = (tree.Return, tree.Exit, tree.Throw)
_END = re.compile(r"^:\[end\][ \t]*$", re.MULTILINE)
_TO_END = re.compile(
    r"^([ \t]*(?:b|bt|bf|pushenv|popenv)[ \t]+)\[end\]", re.MULTILINE | re.IGNORECASE
)


class Span(NamedTuple):
    """The source of a root entry, and where in it a part of it lies."""

    source: str
    start: int
    stop: int


def prepend(game: CodeModel, entry: CodeEntry, text: str, *, assembly: bool = False) -> None:
    """Let code run before what an entry does; see :meth:`.resources.code.Code.prepend`."""
    if assembly:
        _edit_assembly(game, entry, lambda old: _prepended(old, text))
        return
    _statements(game, entry, text)
    _edit_source(game, entry, lambda old: f"{text}\n{old}")


def append(game: CodeModel, entry: CodeEntry, text: str, *, assembly: bool = False) -> None:
    """Let code run after what an entry does; see :meth:`.resources.code.Code.append`."""
    if assembly:
        _edit_assembly(game, entry, lambda old: _appended(old, text))
        return
    _statements(game, entry, text)

    def appended(old: str) -> str:
        last = _statements(game, entry, old)[-1:]
        if last and isinstance(last[0], _LEAVING):
            word = type(last[0]).__name__.lower()
            raise EncodeError(
                f"{entry.name}: its last statement is {word}, so nothing after it would run: "
                "use replace or prepend"
            )
        return f"{old}\n{text}\n"

    _edit_source(game, entry, appended)


def replace(
    game: CodeModel,
    entry: CodeEntry,
    old: str,
    new: str,
    count: int = -1,
    *,
    assembly: bool = False,
) -> int:
    """Replace text in an entry's code; see :meth:`.resources.code.Code.replace`."""
    if not old:
        raise ValueError("expected the text to replace, got an empty one")
    replacements = 0

    def replaced(text: str) -> str:
        nonlocal replacements
        replacements = text.count(old) if count < 0 else min(count, text.count(old))
        if not replacements:
            what = "assembly" if assembly else "source"
            raise EncodeError(f"{entry.name}: its {what} has no {_short(old)}{_almost(old, text)}")
        return text.replace(old, new, count)

    if count == 0:
        return 0
    if assembly:
        _edit_assembly(game, entry, replaced)
    else:
        _edit_source(game, entry, replaced)
    return replacements


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _almost(old: str, text: str) -> str:
    """The end of a message about a text that occurs with different white space."""
    parts = [re.escape(part) for part in _WORDS.findall(old)]
    match = re.search(r"\s*".join(parts), text) if parts and len(old) < 10_000 else None
    if match is None:
        return ""
    line = text.count("\n", 0, match.start()) + 1
    return f" (line {line} has it with other white space: {_short(match[0])})"


# -- source -------------------------------------------------------------------------------------


def _edit_source(game: CodeModel, entry: CodeEntry, change: Callable[[str], str]) -> None:
    """Change the source of an entry, compile it and put the result into the game."""
    root = entry if entry.root is None else entry.root
    source, problems = game.language.decompiled.source(root)
    span = part_of_source(game, entry, source)
    changed = source[: span.start] + change(source[span.start : span.stop]) + source[span.stop :]
    differs = why_source_differs(game, root, source, problems)
    game.language.assign_source(root, changed)
    if differs is not None:
        game.findings.warn(
            "changed-with-it",
            f"all of it was compiled again, and what was not edited may differ too ({differs})",
            str(root.name),
        )


def part_of_source(game: CodeModel, entry: CodeEntry, source: str) -> Span:
    """The span of an entry's code in its root's source: all of it for a root, the text between the
    braces for a function.

    Raises EncodeError for several functions of the name.
    """
    if entry.root is None:
        return Span(source, 0, len(source))
    context = game.language.context
    name = str(entry.name)
    block = parse(source, context.dialect, macros=context.macros)
    places = [
        node
        for node in block.walk()
        if isinstance(node, tree.Function) and node.name and _is_named(name, node.name)
    ]
    if len(places) != 1:
        raise EncodeError(
            f"{name} is the name of several functions in {entry.root.name}: "
            "change that entry instead"
        )
    body = places[0].body
    return Span(source, body.position + 1, body.end)


def _is_named(entry: str, function: str) -> bool:
    """Whether an entry is the function of a name: the name alone, or followed by the name of the
    code around it."""
    own = entry.removeprefix(_SCRIPT)
    return own == function or own.startswith((f"{function}@", f"{function}_gml_"))


def _statements(game: CodeModel, entry: CodeEntry, text: str) -> list[tree.Statement]:
    """The statements of a text.  Raises SyntaxError_, and EncodeError for one that would change how
    code behind it reads."""
    context = game.language.context
    read = partial(parse, language=context.dialect, macros=context.macros, name=str(entry.name))
    own = read(text).statements
    if read(f"{text}\n{_PROBE}\n").statements != [*own, *read(_PROBE).statements]:
        raise EncodeError(f"{entry.name}: {_short(text)} is not complete: it goes on after its end")
    return own


# -- assembly -----------------------------------------------------------------------------------


def _edit_assembly(game: CodeModel, entry: CodeEntry, change: Callable[[str], str]) -> None:
    if entry.root is not None:
        raise EncodeError(f"{entry.name} is a part of {entry.root.name}: change that entry instead")
    entry.assembly = change(entry.assembly)


def _prepended(old: str, text: str) -> str:
    """Assembly with instructions before the first; a jump to the first does not repeat them."""
    lines = old.splitlines(keepends=True)
    at = next(
        (n for n, line in enumerate(lines) if line.strip() and not line.startswith(_DECLARATIONS)),
        len(lines),
    )
    return f"{''.join(lines[:at])}{text}\n{''.join(lines[at:])}"


def _appended(old: str, text: str) -> str:
    """Assembly with instructions behind the last, where jumps to the end now lead."""
    label = "appended"
    while f"[{label}]" in old + text:
        label += "_"
    body = _TO_END.sub(rf"\1[{label}]", _END.sub("", old))
    return f"{body}\n:[{label}]\n{text}\n:[end]\n"
