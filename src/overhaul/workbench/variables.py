"""The global variables of a game of Adventure Game Studio, as a table.

The editor makes a script of them: their declarations and exports, and a ``game_start`` that gives
texts their first values.  Compiled games have that script, so its source is the list.  An edit
changes what it must in the source, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from overhaul.errors import WorkspaceError
from overhaul.workbench.forms import Mistyped

#: Where the script is among the files of a game.
PATH: Final = "scripts/modules/_GlobalVariables.asc"
#: The types that the editor offers and that have values of their own.
TYPES: Final = ("int", "bool", "float", "String", "char", "short")
_TEXT: Final = "String"
_HEAD: Final = re.compile(r"^[ \t]*(?:function|void|int)[ \t]+\w+[ \t]*\(", re.MULTILINE)
_START: Final = re.compile(r"^[ \t]*function[ \t]+game_start[ \t]*\([^)]*\)\s*\{", re.MULTILINE)
_VARIABLE: Final = re.compile(
    r"(?<![\w.])(?P<type>[A-Za-z_]\w*)(?P<star>[ \t]*\*[ \t]*|[ \t]+)(?P<name>[A-Za-z_]\w*)"
    r"(?P<array>[ \t]*\[[^\]\n]*\])?(?:[ \t]*=[ \t]*(?P<value>[^;\n\"]+?))?[ \t]*;",
    re.ASCII,
)
_NO_TYPES: Final = frozenset(("export", "import", "return", "struct", "enum"))
_SETS: Final = r'^[ \t]*{}[ \t]*=[ \t]*"(?P<text>(?:[^"\\\n]|\\.)*)"[ \t]*;[ \t]*\n?'
_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_WHOLE: Final = re.compile(r"-?\d{1,10}|0[xX][0-9A-Fa-f]{1,8}", re.ASCII)
_REAL: Final = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?", re.ASCII)
_LONGEST: Final = 2000


class Variable(msgspec.Struct, frozen=True):
    """A variable; ``fixed`` says why its type and value can't be edited, and is empty where they
    can."""

    name: str
    type: str
    value: str
    fixed: str = ""


class _Place(NamedTuple):
    """Where a variable is declared, and where its first text is set."""

    variable: Variable
    found: re.Match[str]
    text: re.Match[str] | None


def variables_of(source: str) -> list[Variable]:
    """The variables, in the order of their declarations."""
    return [place.variable for place in _places(source)]


def _places(source: str) -> Iterator[_Place]:
    head = _HEAD.search(source)
    end = len(source) if head is None else head.start()
    for found in _VARIABLE.finditer(source, 0, end):
        if found["type"] in _NO_TYPES:
            continue
        kind = found["type"] + ("*" if "*" in found["star"] else "")
        fixed = ""
        text = None
        value = found["value"] or ""
        if found["array"] is not None:
            fixed = f"an array {found['array'].strip()}"
        elif kind.endswith("*") or kind not in TYPES:
            fixed = "it begins as nothing"
        elif kind == _TEXT:
            text = re.compile(_SETS.format(found["name"]), re.MULTILINE).search(source, end)
            value = "" if text is None else _unescaped(text["text"])
        yield _Place(Variable(found["name"], kind, value, fixed), found, text)


def edited(source: str, given: Mapping[str, str]) -> str:
    """The source with what a form has: ``type:NAME``, ``value:NAME``, and ``do``: ``remove:NAME``,
    or ``add`` of ``name``, ``type`` and ``value``.

    Raises Mistyped, and WorkspaceError for a variable that there is not.
    """
    made = source
    for variable in variables_of(source):
        kind = given.get(f"type:{variable.name}", variable.type).strip()
        value = given.get(f"value:{variable.name}", variable.value)
        if not variable.fixed and (kind, value) != (variable.type, variable.value):
            made = _changed(made, variable.name, kind, value, f"value:{variable.name}")
    do, _, name = given.get("do", "").partition(":")
    if do == "remove":
        return _without(made, name)
    if do == "add":
        return _with(made, given)
    if do:
        raise WorkspaceError(f"{do[:20]!r} can't be done with a variable")
    return made


def _place(source: str, name: str) -> _Place:
    for place in _places(source):
        if place.variable.name == name:
            return place
    raise WorkspaceError(f"there is no variable {name[:60]}")


def _changed(source: str, name: str, kind: str, value: str, field: str) -> str:
    """The source with another type and value of a variable."""
    place = _place(source, name)
    literal = _literal(kind, value, field)
    if place.text is not None:
        source = source[: place.text.start()] + source[place.text.end() :]
    first = f" = {literal}" if literal and kind != _TEXT else ""
    declared = f"{kind} {name}{first};"
    source = source[: place.found.start()] + declared + source[place.found.end() :]
    return _with_text(source, name, literal) if kind == _TEXT and literal else source


def _with_text(source: str, name: str, literal: str) -> str:
    """The source in which ``game_start`` sets a text."""
    start = _START.search(source)
    if start is None:
        return f"{source.rstrip()}\nfunction game_start() {{\n  {name} = {literal};\n}}\n"
    rest = source[start.end() :].removeprefix("\n")
    return f"{source[: start.end()]}\n  {name} = {literal};\n{rest}"


def _literal(kind: str, value: str, field: str) -> str:
    """A value as it stands in the source; "" for what a variable is anyway."""
    if kind not in TYPES:
        types = ", ".join(TYPES)
        raise Mistyped(field.replace("value", "type", 1), f"{kind[:40]!r} is none of {types}")
    if kind == _TEXT:
        if len(value) > _LONGEST or not value.isprintable():
            raise Mistyped(field, "a text of one line, up to 2,000 characters")
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"' if value else ""
    value = value.strip()
    if kind == "bool" and value in ("true", "false"):
        return value if value == "true" else ""
    if (_REAL if kind == "float" else _WHOLE).fullmatch(value or "0") is None:
        raise Mistyped(field, f"{value[:40]!r} is not a value of a variable of the type {kind}")
    if kind == "float" and value and "." not in value:
        value += ".0"
    return "" if not value.strip("-0.xX") else value


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _without(source: str, name: str) -> str:
    """The source without a variable."""
    place = _place(source, name)
    if place.text is not None:
        source = source[: place.text.start()] + source[place.text.end() :]
    start, end = place.found.span()
    while end < len(source) and source[end] in " \t":
        end += 1
    if source[end : end + 1] == "\n" and source[:start].rpartition("\n")[2].strip() == "":
        end += 1
    source = source[:start] + source[end:]
    return re.sub(rf"^[ \t]*export[ \t]+{name}[ \t]*;[ \t]*\n?", "", source, flags=re.MULTILINE)


def _with(source: str, given: Mapping[str, str]) -> str:
    """The source with a new variable."""
    name, kind = given.get("name", "").strip(), given.get("type", "int").strip()
    if _NAME.fullmatch(name) is None:
        raise Mistyped("name", f"{name[:40]!r} is not a name: letters, digits and _ only")
    if any(each.name == name for each in variables_of(source)):
        raise Mistyped("name", f"{name} is taken")
    literal = _literal(kind, given.get("value", ""), "value")
    first = f" = {literal}" if literal and kind != _TEXT else ""
    head = _HEAD.search(source)
    at = len(source) if head is None else head.start()
    before = source[:at] if not source[:at] or source[:at].endswith("\n") else source[:at] + "\n"
    source = f"{before}{kind} {name}{first};\nexport {name};\n{source[at:]}"
    return _with_text(source, name, literal) if kind == _TEXT and literal else source
