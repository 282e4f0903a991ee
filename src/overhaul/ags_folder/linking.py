"""What scripts use that an edit takes away: names, rooms, properties, fonts.

A name that nothing has any more stops the engine when it loads the script, so the edit is refused.
A number or a text that a script holds is found where its source shows it, and is a warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final

from overhaul.ags.decompiler.decompiler import NEWEST, Environment
from overhaul.ags.script.model import Script
from overhaul.ags_folder import code
from overhaul.ags_folder.references import functions_of
from overhaul.document.plainfiles import Change
from overhaul.errors import PlainFileError

Listed = Iterable[tuple[str, Script]]
#: What the names of functions begin with that read or write an attribute.
_ACCESSOR: Final = re.compile(r"[gs]eti?_")
_ENTERS: Final = re.compile(r"\w*(?:ChangeRoom|NewRoom)\w*")
ENTERED: Final = re.compile(r"\b(\w*(?:ChangeRoom|NewRoom)\w*)\s*\(\s*(\d{1,9})\b")
_READS_PROPERTIES: Final = re.compile(r"\w*Get\w*Property\w*|\w*Set\w*Property\w*|\w+::\w*Property")
_USES_FONTS: Final = re.compile(
    r"\w*Font\w*|DrawString\w*|DrawMessage\w*|GetTextWidth|GetTextHeight|CreateTextual|SetText"
    r"|RawPrint\w*|CreateTextOverlay|SetTextOverlay|\w*SetLabelFont"
)


def check_names(
    lost: Collection[str],
    scripts: Listed,
    changes: Mapping[str, Change],
    environment: Callable[[], Environment],
    gone_from: str = "which nothing in the game is called any more",
) -> None:
    """Raise PlainFileError with the place in a script that uses a name which nothing has any more;
    ``scripts`` have the paths of their files, and ``changes`` those of files that are gone."""
    listed = list(scripts) if lost else []
    left = set(lost) - functions_of(script for _, script in listed)
    for path, script in listed:
        used = {name.partition("^")[0] for name in script.imports} & left
        if used:
            gone = [path for path, change in changes.items() if change == "removed"]
            name = min(used)
            line, column = code.first_use(script, environment(), _member(name))
            message = f"{name} is used here, {gone_from}"
            if gone:
                message += f" without {gone[0]}"
            raise PlainFileError(message, path, "", line, column)


def _member(name: str) -> str:
    """What a script calls the thing that it imports by a name."""
    owner, _, member = name.rpartition("::")
    found = _ACCESSOR.match(member)
    return member[found.end() :] if owner and found is not None else member


def _using(scripts: Listed, pattern: re.Pattern[str]) -> Iterator[tuple[str, Script, str]]:
    """The scripts that import a name of a pattern: with the path of each, and that name."""
    for path, script in scripts:
        plain = (name.partition("^")[0] for name in script.imports if name)
        used = (name for name in plain if pattern.fullmatch(name.rpartition("::")[2]))
        first = next(used, "")
        if first and script.version <= NEWEST:
            yield path, script, first


def rooms_entered(
    gone: Collection[int], scripts: Listed, environment: Callable[[], Environment]
) -> Iterator[str]:
    """Warnings for scripts that enter a room by the number of one that was removed."""
    for path, script, _ in _using(scripts, _ENTERS) if gone else ():
        for number, line in enumerate(code.source_lines(script, environment()), 1):
            for found in ENTERED.finditer(line):
                if int(found[2]) in gone:
                    yield (
                        f"{path}:{number}:{found.start(2) + 1}: {found[1]} enters the room "
                        f"{found[2]}, which was removed"
                    )


def properties_read(
    gone: Collection[str], scripts: Listed, environment: Callable[[], Environment]
) -> Iterator[str]:
    """Warnings for scripts that name a property which is not defined any more; names are in small
    letters."""
    for path, script, function in _using(scripts, _READS_PROPERTIES) if gone else ():
        lost = [text for text in script.texts() if text.casefold() in gone]
        for text in dict.fromkeys(lost):
            line, column = code.first_use(script, environment(), f'"{text}"')
            place = f"{path}:{line}:{column}" if line else path
            yield (
                f"{place}: {text!r} may be the property that is not defined any more: the script "
                f"uses {function}"
            )


def fonts_used(before: int, after: int, scripts: Listed) -> Iterator[str]:
    """Warnings for scripts that may hold numbers of fonts where there are fewer than before."""
    if after >= before:
        return
    for path, _, function in _using(scripts, _USES_FONTS):
        yield (
            f"{path}: the number of a font from {after} on may stand there, which the game no "
            f"longer has: the script uses {function}"
        )
