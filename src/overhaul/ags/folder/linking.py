"""Names, rooms, properties and fonts that scripts use and an edit removes.

A name that nothing has any more stops the engine when it loads the script, so the edit is refused.
A number or a text that a script holds is found where its source shows it, and is a warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from overhaul.ags.api import all_declarations
from overhaul.ags.folder.references import functions_of
from overhaul.ags.script.model import Script
from overhaul.document.plainfiles import Change
from overhaul.errors import PlainFileError
from overhaul.findings import Finding, warning

#: A literal, a comment, or a name.
_TOKENS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|//.*|/\*.*?(?:\*/|$)|\w+')
#: The beginnings of the names of functions that read or write an attribute.
_ACCESSOR: Final = re.compile(r"[gs]eti?_")
#: The lists of a game's things.
_LISTS: Final = frozenset({"character", "inventory", "dialog", "gui"})
_ENTERS: Final = re.compile(r"\w*(?:ChangeRoom|NewRoom)\w*")
ENTERED: Final = re.compile(
    r"\b(\w*(?:ChangeRoom|NewRoom)\w*(?=\s*\()|new-room(?=\s))[\s(]+(\d{1,9})\b"
)
_READS_PROPERTIES: Final = re.compile(r"\w*Get\w*Property\w*|\w*Set\w*Property\w*|\w+::\w*Property")
_USES_FONTS: Final = re.compile(
    r"\w*Font\w*|DrawString\w*|DrawMessage\w*|GetTextWidth|GetTextHeight|CreateTextual|SetText"
    r"|RawPrint\w*|CreateTextOverlay|SetTextOverlay|\w*SetLabelFont"
)


class ScriptSource(NamedTuple):
    """A script: the path of its source, and the texts that its files have, with their paths."""

    path: str
    script: Script
    texts: Callable[[], list[tuple[str, str]]]

    def find(self, token: str) -> tuple[str, int, int]:
        """The file, the line and the column where a token stands first; the source without a line
        where no text has it."""
        for path, text in self.texts():
            for number, line in enumerate(text.split("\n"), 1):
                for found in _TOKENS.finditer(line):
                    if found[0] == token:
                        return path, number, found.start() + 1
        return self.path, 0, 0


def check_names(
    lost: Collection[str],
    sources: Iterable[ScriptSource],
    changes: Mapping[str, Change],
    gone_from: str = "but nothing in the game is called that any more",
) -> None:
    """Raise PlainFileError with the place in a script that uses a name which nothing has any more;
    ``changes`` have the paths of files that are gone."""
    listed = list(sources) if lost else []
    left = set(lost) - functions_of(source.script for source in listed)
    for source in listed:
        used = {name.partition("^")[0] for name in source.script.imports} & left
        if used:
            gone = [path for path, change in changes.items() if change == "removed"]
            name = min(used)
            path, line, column = source.find(_member(name))
            message = f"{name} is used here, {gone_from}"
            if gone:
                message += f" without {gone[0]}"
            raise PlainFileError(message, path, "", line, column)


def check_imports(
    sources: Iterable[ScriptSource],
    had: Mapping[str, Collection[str]],
    known: Callable[[str], Collection[str]],
) -> None:
    """Raise PlainFileError with the place in a script that imports a name which nothing has, and
    did not before; ``had`` are the imports of scripts before, and ``known`` gives the names that
    the script of a path can use."""
    for source in sources:
        new = {name.partition("^")[0] for name in source.script.imports if name}
        new -= {*had.get(source.path, ()), *known(source.path), *functions_of([source.script])}
        for name in sorted(new):
            if not _is_built_in(name):
                path, line, column = source.find(_member(name))
                message = f"{name} is used here, but nothing in the game is called that"
                raise PlainFileError(message, path, "", line, column)


def _is_built_in(name: str) -> bool:
    """Whether the engine has a name, or the attribute that it reads or writes."""
    owner, _, member = name.rpartition("::")
    found = _ACCESSOR.match(member)
    attribute = member[found.end() :] if found is not None else member
    return not _built_in().isdisjoint({name, f"{owner}::{attribute}"})


@cache
def _built_in() -> frozenset[str]:
    """The names that editors declare for all games."""
    declared = (f"{row.owner}::{row.name}" if row.owner else row.name for row in all_declarations())
    return _LISTS.union(declared)


def _member(name: str) -> str:
    """The name in scripts of the thing that a script imports."""
    owner, _, member = name.rpartition("::")
    found = _ACCESSOR.match(member)
    return member[found.end() :] if owner and found is not None else member


def _using(
    sources: Iterable[ScriptSource], pattern: re.Pattern[str]
) -> Iterator[tuple[ScriptSource, str]]:
    """The scripts that import a name of a pattern, each with that name."""
    for source in sources:
        plain = (name.partition("^")[0] for name in source.script.imports if name)
        used = (name for name in plain if pattern.fullmatch(name.rpartition("::")[2]))
        first = next(used, "")
        if first:
            yield source, first


def rooms_entered(gone: Collection[int], sources: Iterable[ScriptSource]) -> Iterator[Finding]:
    """Warnings for scripts that enter a room by the number of one that was removed."""
    for source, _ in _using(sources, _ENTERS) if gone else ():
        for path, text in source.texts():
            for number, line in enumerate(text.split("\n"), 1):
                for found in ENTERED.finditer(line):
                    if int(found[2]) in gone:
                        message = f"{found[1]} enters the room {found[2]}, which was removed"
                        column = found.start(2) + 1
                        yield warning("still-named", message, path, line=number, column=column)


def properties_read(gone: Collection[str], sources: Iterable[ScriptSource]) -> Iterator[Finding]:
    """Warnings for scripts that name a property which is no longer defined; names are in small
    letters."""
    for source, function in _using(sources, _READS_PROPERTIES) if gone else ():
        lost = [text for text in source.script.texts() if text.casefold() in gone]
        for text in dict.fromkeys(lost):
            path, line, column = source.find(f'"{text}"')
            message = (
                f"{text!r} may be the property that is no longer defined: the script uses "
                f"{function}"
            )
            yield warning("still-named", message, path, line=line, column=column)


def fonts_used(before: int, after: int, sources: Iterable[ScriptSource]) -> Iterator[Finding]:
    """Warnings for scripts that may hold numbers of fonts where there are fewer than before."""
    if after >= before:
        return
    for source, function in _using(sources, _USES_FONTS):
        message = (
            f"the number of a font from {after} on may stand there, which the game no longer has: "
            f"the script uses {function}"
        )
        yield warning("still-named", message, source.path)
