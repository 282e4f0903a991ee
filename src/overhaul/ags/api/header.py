"""The built-in header of an editor, as script text.

The editor compiles this text before everything else, so its declarations have the first places of
the import table.  The text says what the editor's own header says; its layout is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from overhaul.ags.api.table import Declaration, declarations

#: Macros that the header defines for itself, and what must not be defined for their removal.
_OWN_MACROS = {
    "CursorMode": "",
    "FontType": "",
    "AudioType": "",
    "HorizontalAlignment": "SCRIPT_API_v350",
    "MAX_LEGACY_GLOBAL_VARS": "SCRIPT_API_v330",
    "MAX_LISTBOX_SAVED_GAMES": "SCRIPT_API_v330",
    "MAX_LEGACY_SAVED_GAMES": "",
    "PALETTE_SIZE": "SCRIPT_API_v330",
}
_TYPES = ("struct", "enum")
_PARTS = ("method", "attribute", "enum_member")


@cache
def builtin_header(version: str) -> str:
    """The declarations that the editor ``version`` puts before all scripts.

    Conditions on the macros of the game's settings stand in it as ``#ifdef`` and ``#ifndef``.
    Raises ValueError for a text that does not name a version.
    """
    rows = declarations(version)
    members: dict[str, list[Declaration]] = {}
    for row in rows:
        if row.owner:
            members.setdefault(row.owner, []).append(row)
    lines: list[str] = []
    for row in rows:
        if row.owner:
            continue
        body = _type(row, members.get(row.name, [])) if row.kind in _TYPES else [_line(row)]
        lines += _conditional(row.macros, body)
    lines += _removals(row.name for row in rows if row.kind == "constant")
    return "\n".join(lines) + "\n"


def _type(row: Declaration, members: list[Declaration]) -> Iterator[str]:
    """A struct or an enum with its members."""
    if row.kind == "enum":
        yield f"enum {row.name} {{"
    else:
        words = "" if row.type == "plain" else f"{row.type} "
        base = f" extends {row.value}" if row.value else ""
        yield f"{words}struct {row.name}{base} {{"
    outer = set(row.macros)
    last = len(members) - 1
    for index, member in enumerate(members):
        text = _line(member)
        if member.kind == "enum_member" and index < last:
            text += ","
        macros = member.macros
        if not macros:
            yield "  " + text
        else:
            yield from _conditional([m for m in macros if m not in outer], ["  " + text])
    yield "};"


@cache
def _line(row: Declaration) -> str:
    """A declaration on one line."""
    match row.kind:
        case "constant":
            return f"#define {row.name} {row.value}".rstrip()
        case "enum_member":
            return f"{row.name} = {row.value}"
        case "forward":
            return f"{row.type} struct {row.name};"
        case "function":
            return f"import {row.type} {row.name}({row.parameters});"
        case "method":
            return f"import {_static(row)}{row.type} {row.name}({row.parameters});"
        case "attribute":
            array = "[]" if "a" in row.flags else ""
            return f"{_readonly(row)}import {_static(row)}attribute {row.type} {row.name}{array};"
    imported = "" if row.owner else "import "
    array = f"[{row.value}]" if "a" in row.flags else ""
    return f"{imported}{_readonly(row)}{row.type} {row.name}{array};"


def _static(row: Declaration) -> str:
    return "static " if "s" in row.flags else ""


def _readonly(row: Declaration) -> str:
    return "readonly " if "r" in row.flags else ""


def _conditional(macros: list[str], body: Iterable[str]) -> Iterator[str]:
    """Lines that count only where macros are, or are not, defined."""
    for macro in macros:
        yield f"#ifndef {macro[1:]}" if macro.startswith("!") else f"#ifdef {macro}"
    yield from body
    yield from ["#endif"] * len(macros)


def _removals(constants: Iterable[str]) -> Iterator[str]:
    """The header's own macros end with it."""
    for name in dict.fromkeys(constants):
        if name in _OWN_MACROS:
            unless = _OWN_MACROS[name]
            yield from _conditional([f"!{unless}"] if unless else [], [f"#undef {name}"])
