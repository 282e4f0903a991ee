"""The library that scripts can use: structs, functions, variables and enums with their types.

The library of an editor is made of the declarations in :mod:`overhaul.ags.api`; which editor made a
script, and which of the game's settings count, is found from what it imports.
"""

from __future__ import annotations

import copy
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from overhaul.ags.api import LEVELS, ScriptSettings, declarations, script_macros
from overhaul.ags.api.table import Declaration, all_declarations, parse_version
from overhaul.ags.decompiler.code import VARIADIC, Name
from overhaul.ags.language.options import ARRAY_LENGTH, COUNTED_IMPORTS, STATEMENTS

#: The bytes of the types that have no other size.
SIZES: Final = {"char": 1, "short": 2}
#: Stands for the type of numbers of views, which have names.
VIEWS: Final = "number of a view"
#: Stands for the type of numbers of the game's options, which have names.
OPTIONS: Final = "number of an option"
#: Names of keys with this beginning have other names: Ctrl+M is Return.
_SECOND_NAMES: Final = "eKeyCtrl"
_SWITCHES: Final = ("STRICT", "STRICT_STRINGS", "STRICT_AUDIO")
#: What has the attribute Length of dynamic arrays.
_ARRAY: Final = "__Builtin_DynamicArray"
_GETTERS: Final = ("geti_", "seti_", "get_", "set_")


class Parameter(NamedTuple):
    """A parameter: its type, name (may be empty) and default value as written."""

    type: str
    name: str = ""
    default: str | None = None


@dataclass(slots=True)
class Signature:
    """A function; ``values`` are the numbers of the parameters' defaults (None: none)."""

    result: str
    parameters: list[Parameter] = field(default_factory=list)
    is_variadic: bool = False
    is_static: bool = False
    values: list[int | None] = field(default_factory=list)


@dataclass(slots=True, unsafe_hash=True)
class Member:
    """A field or attribute: ``count`` is the length of a field's array, 0 for none."""

    name: str
    type: str
    offset: int = 0
    count: int = 0
    is_static: bool = False
    is_indexed: bool = False


@dataclass(slots=True)
class Struct:
    """A struct: what it extends, its fields by offset, and what it declares."""

    name: str
    parent: str = ""
    is_managed: bool = False
    is_automatic: bool = False
    size: int = 0
    fields: list[Member] = field(default_factory=list)
    attributes: dict[str, Member] = field(default_factory=dict)
    methods: dict[str, Signature] = field(default_factory=dict)


class Library:
    """The declarations that a script sees."""

    def __init__(self) -> None:
        self.structs: dict[str, Struct] = {}
        self.functions: dict[str, Signature] = {}
        self.variables: dict[str, Member] = {}
        self.enums: dict[str, dict[int, str]] = {"bool": {0: "false", 1: "true"}}
        self.constants: dict[str, str] = {}
        self.spoken: dict[str, str] = {}
        """The names by which authors call functions that have another one."""
        self.words: set[str] = set()

    def is_struct(self, name: str) -> bool:
        return name in self.structs

    def lineage(self, name: str) -> Iterator[Struct]:
        """A struct and those it extends."""
        seen: set[str] = set()
        while name in self.structs and name not in seen:
            seen.add(name)
            yield self.structs[name]
            name = self.structs[name].parent

    def derives(self, name: str, base: str) -> bool:
        """Whether a struct is another one, or extends it."""
        return any(struct.name == base for struct in self.lineage(name))

    def declares(self, owner: str, name: str) -> bool:
        """Whether a struct has a method, or, without a struct, whether there is a function."""
        if not owner:
            return name in self.functions
        return owner in self.structs and name in self.structs[owner].methods

    def method(self, owner: str, name: str) -> Signature | None:
        """A method of a struct, or of one that it extends."""
        for struct in self.lineage(owner):
            if name in struct.methods:
                return struct.methods[name]
        return None

    def attribute(self, owner: str, name: str) -> Member | None:
        """An attribute of a struct, or of one that it extends."""
        for struct in self.lineage(owner):
            if name in struct.attributes:
                return struct.attributes[name]
        return None

    def field_at(self, owner: str, offset: int) -> Member | None:
        """The field of a struct that holds a byte."""
        for struct in self.lineage(owner):
            for member in struct.fields:
                size = self.size_of(member.type) * max(member.count, 1)
                if member.offset <= offset < member.offset + size:
                    return member
        return None

    def size_of(self, type: str) -> int:
        """The bytes of a value of a type."""
        if type in self.structs and not self.structs[type].is_automatic:
            return self.structs[type].size
        return SIZES.get(type, 4)

    def is_pointer(self, type: str) -> bool:
        """Whether values of a type are pointers."""
        struct = self.structs.get(type)
        return type.endswith("*") or (struct is not None and struct.is_automatic)

    def number(self, text: str) -> int | None:
        """The value of a constant, a member of an enum or a literal; None for anything else."""
        if text.startswith("-"):
            value = self.number(text[1:])
            return None if value is None else -value
        for _ in range(8):
            try:
                return int(text, 0)
            except ValueError:
                pass
            if text in self.constants:
                text = self.constants[text]
                continue
            for members in self.enums.values():
                for value, name in members.items():
                    if name == text:
                        return value
            return {"false": 0, "true": 1, "null": 0}.get(text)
        return None


def parse_parameters(text: str) -> tuple[list[Parameter], bool]:
    """The parameters of a declaration, and whether any number of arguments may follow."""
    made: list[Parameter] = []
    variadic = False
    for part in filter(None, map(str.strip, text.split(","))):
        if part == "...":
            variadic = True
            continue
        head, _, default = part.partition("=")
        words = head.replace("*", "* ").split()
        optional = words[:1] == ["optional"]
        words = words[1:] if optional else words
        types = 2 if words[0] in ("const", "readonly") else 1
        type = " ".join(words[:types])
        rest = words[types:]
        if rest and rest[0] == "*":
            type, rest = type + "*", rest[1:]
        name = rest[0] if rest else ""
        if name.endswith("[]"):
            type, name = type + "[]", name[:-2]
        made.append(Parameter(type, name, default.strip() if default or optional else None))
    return made, variadic


class _Maker:
    def __init__(
        self, rows: Iterable[Declaration], macros: Mapping[str, str], enums: frozenset[str]
    ) -> None:
        self.library = Library()
        self.enums = enums
        self.aliases: dict[str, str] = {}
        self.defined = set(macros)
        for row in rows:
            if all(self._holds(macro) for macro in row.macros):
                self._add(row)
        for struct in self.library.structs.values():
            self._lay_out(struct)
        self._finish()

    def _holds(self, macro: str) -> bool:
        return macro[1:] not in self.defined if macro[0] == "!" else macro in self.defined

    def _type(self, text: str) -> str:
        text = "int" if text == "function" else text
        bare = text.rstrip("*")
        return self.aliases.get(bare, bare) + text[len(bare) :]

    def _add(self, row: Declaration) -> None:
        library = self.library
        library.words.add(row.name)
        match row.kind:
            case "constant":
                self.defined.add(row.name)
                if row.name in self.enums:
                    pass
                elif row.type == "alias" and row.name[0].isupper() and "_" not in row.name:
                    self.aliases[row.name] = row.value
                elif row.value:
                    library.constants[row.name] = row.value
            case "enum":
                library.enums.setdefault(row.name, {})
            case "enum_member":
                value = library.number(row.value)
                if value is not None:
                    members = library.enums[row.owner]
                    if value not in members or members[value].startswith(_SECOND_NAMES):
                        members[value] = row.name
            case "struct" | "forward":
                struct = library.structs.setdefault(row.name, Struct(row.name))
                struct.parent = row.value or struct.parent
                struct.is_managed = "managed" in row.type
                struct.is_automatic = "autoptr" in row.type
            case "function":
                library.functions[row.name] = self._signature(row)
            case "method":
                library.structs[row.owner].methods[row.name] = self._signature(row)
            case "attribute":
                library.structs[row.owner].attributes[row.name] = Member(
                    row.name, row.type, is_static="s" in row.flags, is_indexed="a" in row.flags
                )
            case _:
                count = library.number(row.value) or 0 if "a" in row.flags else 0
                member = Member(row.name, self._type(row.type), count=count)
                if row.owner:
                    library.structs[row.owner].fields.append(member)
                else:
                    library.variables[row.name] = member

    def _signature(self, row: Declaration) -> Signature:
        parameters, variadic = parse_parameters(row.parameters)
        return Signature(row.type, parameters, variadic, "s" in row.flags)

    def _finish(self) -> None:
        """Resolve names that a later line may define."""
        library = self.library
        options = {
            int(value): name
            for name, value in library.constants.items()
            if name.startswith("OPT_") and value.isdigit()
        }
        if options:
            library.enums[OPTIONS] = options
        for name, value in self.aliases.items():
            if value in library.functions:
                library.spoken[value] = name
        signatures = [*library.functions.values()]
        for struct in library.structs.values():
            signatures += struct.methods.values()
            for attribute in struct.attributes.values():
                attribute.type = self._type(attribute.type)
        for signature in signatures:
            signature.result = self._type(signature.result)
            signature.parameters = [
                p._replace(type=self._type(p.type)) for p in signature.parameters
            ]
            signature.values = [
                None if p.default is None else library.number(p.default or "0")
                for p in signature.parameters
            ]

    def _lay_out(self, struct: Struct) -> None:
        offset = 0
        for member in struct.fields:
            member.offset = offset
            offset += self.library.size_of(member.type) * max(member.count, 1)
        struct.size = (offset + 3) // 4 * 4


@cache
def library_of(settings: ScriptSettings, enums: frozenset[str] = frozenset()) -> Library:
    """The library of an editor's header, for a game with some settings and ``enums``."""
    return _Maker(declarations(settings.version), script_macros(settings), enums).library


class Known(NamedTuple):
    """The facts that another script shows about a name it exports: the type of a variable (a
    function's result), and of a function's parameters."""

    name: str
    type: str
    parameters: tuple[str, ...] = ()


Enums = tuple[tuple[str, tuple[tuple[int, str], ...]], ...]


@cache
def library_of_game(
    settings: ScriptSettings, variables: tuple[Member, ...], enums: Enums
) -> Library:
    """The library of an editor's header, and what it declares for the game."""
    library = copy.copy(library_of(settings, frozenset(name for name, _ in enums)))
    known = {member.name: member for member in variables if member.name not in library.variables}
    library.variables = library.variables | known
    library.enums = library.enums | {name: dict(members) for name, members in enums}
    return library


# ------------------------------------------------------------------------------- who made a script


@cache
def _index() -> dict[tuple[str, str], list[Declaration]]:
    rows: dict[tuple[str, str], list[Declaration]] = {}
    for row in all_declarations():
        if row.kind in ("function", "method", "attribute", "variable"):
            rows.setdefault((row.owner, row.name), []).append(row)
    return rows


@cache
def _builds() -> list[tuple[tuple[int, ...], str]]:
    texts = {row.since for row in all_declarations()} | {row.until for row in all_declarations()}
    return sorted(((*parse_version(f"{text}.0.0")[:4],), text) for text in texts)


@cache
def _span(row: Declaration) -> tuple[int, int]:
    builds = [build for build, _ in _builds()]
    since = (*parse_version(f"{row.since}.0.0")[:4],)
    until = (*parse_version(f"{row.until}.0.0")[:4],)
    return bisect_left(builds, since), bisect_right(builds, until)


class Import(NamedTuple):
    """An import that a script uses: its name, how many arguments it is called with (empty: it is
    no function, or the name says it), with what bound it is indexed (0: it is not), and whether the
    number that stands for no value is an argument."""

    name: Name
    arguments: frozenset[int] = frozenset()
    bound: int = 0
    leaves_out: bool = False


def _rows(used: Import) -> list[Declaration]:
    """The declarations that an import can be of."""
    name = used.name
    rows = _index().get((name.owner, name.name))
    if rows is None and name.owner:
        for head in _GETTERS:
            if name.name.startswith(head):
                rows = _index().get((name.owner, name.name.removeprefix(head)))
                return [row for row in rows or [] if row.kind == "attribute"]
    rows = rows or []
    if used.leaves_out:
        rows = [row for row in rows if "SCR_NO_VALUE" in row.parameters] or rows
    if name.parameters >= 0:
        return [row for row in rows if _count(row) == name.parameters]
    if used.arguments:
        return [row for row in rows if all(_takes(row, count) for count in used.arguments)]
    return rows


@cache
def _builds_of(row: Declaration, bound: int) -> frozenset[int]:
    """The builds that have a declaration; of an array with a bound, if it is not 0."""
    builds = range(*_span(row))
    if not bound or row.kind != "variable" or row.value.isdigit():
        return frozenset(builds if not bound or row.value in ("", str(bound)) else ())
    found: set[int] = set()
    for other in all_declarations():
        if other.kind == "constant" and other.name == row.value and other.value == str(bound):
            found.update(range(*_span(other)))
    return frozenset(found.intersection(builds))


def _takes(row: Declaration, count: int) -> bool:
    """Whether a function can be called with a number of arguments."""
    fixed = _count(row)
    return count == fixed or (fixed >= VARIADIC and count >= fixed - VARIADIC)


@cache
def _count(row: Declaration) -> int:
    parameters, variadic = parse_parameters(row.parameters)
    return len(parameters) + (VARIADIC if variadic else 0)


def fitting_settings(imports: Iterable[Import], scom: int, version: str = "") -> ScriptSettings:
    """The newest editor that has what a script imports, and the settings of its game.

    ``version`` is the editor's, where it is known.
    """
    imports = list(imports)
    used = [(rows, item.bound) for item in imports if (rows := _rows(item))]
    counted = any(item.name.parameters >= 0 and not item.name.owner for item in imports)
    measured = any(item.name.owner == _ARRAY for item in imports)
    builds = _builds()
    votes = [0] * (len(builds) + 1)
    for rows, bound in used:
        covered: set[int] = set()
        for row in rows:
            covered |= _builds_of(row, bound)
        for build in covered:
            votes[build] += 1
    if not version:
        oldest = ARRAY_LENGTH if measured else COUNTED_IMPORTS if counted else STATEMENTS
        first = bisect_left(builds, (oldest, ""))
        is_new = counted or measured
        last = len(builds) if is_new else bisect_left(builds, (COUNTED_IMPORTS, ""))
        allowed = range(first, last) if scom >= 90 else range(first if not counted else 0)
        chosen = max(allowed, key=lambda build: (votes[build], build), default=0)
        version = builds[chosen][1]
    else:
        exact = (*parse_version(version)[:4],)
        chosen = max(bisect_right(builds, (exact, "~")) - 1, 0)
    return _settings([rows for rows, _ in used], chosen, version)


def _settings(used: list[list[Declaration]], build: int, version: str) -> ScriptSettings:
    """The settings under which an editor declares what is used."""
    wanted: dict[str, bool] = {}
    newest_api, oldest = "", ""
    for rows in used:
        there = [row for row in rows if _span(row)[0] <= build < _span(row)[1]]
        if not there or any(not row.macros for row in there):
            continue
        for macro in _common(there):
            name = macro.removeprefix("!")
            if name.startswith("SCRIPT_COMPAT_") and macro[0] != "!":
                level = name.removeprefix("SCRIPT_COMPAT_")
                if not oldest or LEVELS.get(level, ()) < LEVELS.get(oldest, ()):
                    oldest = level
            elif name.startswith("SCRIPT_API_") and macro[0] == "!":
                level = _level_before(name.removeprefix("SCRIPT_API_"))
                if not newest_api or LEVELS[level] < LEVELS[newest_api]:
                    newest_api = level
            elif name in _SWITCHES:
                wanted[name] = wanted.get(name, True) and macro[0] != "!"
    return ScriptSettings(
        version,
        api=newest_api,
        compatibility=oldest,
        object_based=wanted.get("STRICT", True),
        new_strings=wanted.get("STRICT_STRINGS", True),
        new_audio=wanted.get("STRICT_AUDIO", True),
    )


def _common(rows: list[Declaration]) -> list[str]:
    """The macros that all of some declarations ask for."""
    first, *rest = rows
    return [macro for macro in first.macros if all(macro in row.macros for row in rest)]


def _level_before(level: str) -> str:
    names = sorted(LEVELS, key=lambda name: LEVELS[name])
    place = names.index(level) if level in LEVELS else 0
    return names[max(place - 1, 0)]
