"""The scripts of a game as those of its project: texts, headers, dialogs, global variables.

A compiled game keeps the code of scripts, and which names they use of each other; their headers are
lost.  What a script declares for itself is collected in one header in front of all others, each
name once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from overhaul.ags.api import ScriptSettings, all_declarations, script_macros
from overhaul.ags.api import declarations as declared_by_editor
from overhaul.ags.decompiler import Decompiled, decompile_block
from overhaul.ags.decompiler.game import environment_of_game
from overhaul.ags_project.project import ScriptFile
from overhaul.ags_project.structs import merged

if TYPE_CHECKING:
    from overhaul.ags.game.game import Game
    from overhaul.ags.script.model import Script
    from overhaul.ags_project.elements import Value

#: The header that declares what scripts use of each other, and its script.
RECOVERED: Final = "Recovered"
GLOBAL: Final = "GlobalScript"
VARIABLES: Final = "_GlobalVariables"
_DIALOGS: Final = re.compile(r"Dialog (\d+)")
_STRUCT: Final = re.compile(r"^(?:[a-z]+ )*struct (\w+)")
_IMPORT: Final = re.compile(r"^import (?:[\w*]+ )+?(\w+)(?:\[|\(|;)")
_IMPORTED_VARIABLE: Final = re.compile(r"^import (?P<type>\w+ ?\*?) ?(?P<name>\w+)(?:\[\d*\])?;")
#: The type of a struct whose name is ours.
_OWN_STRUCT: Final = re.compile(r"\bStruct\d+\b")
_ANY_OWN: Final = re.compile(r"\b\w+_Struct\d+\b")
_ACCESSOR: Final = re.compile(
    r"(?P<static>static )?(?P<type>\b[A-Za-z_]\w*(?: ?\*+ ?| ))(?P<struct>\w+)::"
    r"(?P<name>[gs]eti?_\w+)\((?P<parameters>[^()]*)\)"
)
#: The head of a function, and the struct that it extends.
_DEFINED: Final = re.compile(
    r"(?:^|\} )(?P<head>[A-Za-z_]\w* ?\*? ?(?P<name>\w+)\([^()]*\))\s*(?:\{|$)", re.M
)
_EXTENDED: Final = re.compile(r"\((?:this|static) (\w+)")
_MEMBER: Final = re.compile(r"(\w+)(?:\[[^\]]*\])?(?:\(|;)")
#: The functions behind an attribute.
_VERBS: Final = ("get", "set", "geti", "seti")
_VARIABLE: Final = re.compile(
    r"^(?P<type>\w+\s?\*?) ?(?P<name>\w+)(?P<array>\[\d*\])?(?: = (?P<value>[^;]*))?;"
)
_ASSIGNED: Final = re.compile(r"^\s*(\w+) = (\"(?:[^\"\\]|\\.)*\");")
#: What every script of a game can use without a header: lists, and what the editor declares.
_LISTS: Final = frozenset(
    ("character", "inventory", "dialog", "gui", "hotspot", "object", "region", "dialog_request")
)


@dataclass(slots=True)
class Sources:
    """What was read of a game's scripts: those of the project in their order, room scripts, dialogs
    by their numbers, global variables, and what could not be read."""

    scripts: list[ScriptFile] = field(default_factory=list)
    rooms: dict[int, str] = field(default_factory=dict)
    dialogs: dict[int, str] = field(default_factory=dict)
    variables: list[Mapping[str, Value]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    old_audio: bool = False


def sources_of(game: Game, rooms: Mapping[int, Script], known: Collection[str]) -> Sources:
    """The sources of a game's scripts and its rooms' scripts.

    ``known`` are the names that the editor itself declares: those of the game's things.
    """
    made = Sources()
    environment = environment_of_game(game)
    declarations = _Declared({*known, *_LISTS, *built_in(environment.version)})
    texts: list[tuple[str, str]] = []
    types = _Types()
    for name, script in _named(game):
        read = decompile_block(script, environment)
        made.failures += _failures(name, read)
        made.old_audio = made.old_audio or uses_old_audio(script)
        declarations.take(name, read.declarations)
        types.take(read.declarations)
        if name == VARIABLES:
            made.variables += global_variables(read.text)
            declarations.know(str(variable["Name"]) for variable in made.variables)
            continue
        for section, text in read.parts:
            dialog = _DIALOGS.fullmatch(section)
            if dialog is not None:
                number = int(dialog[1])
                if number not in read.dialogs:
                    made.failures.append(f"dialog {number}: its script is not one of dialogs")
                made.dialogs[number] = read.dialogs.get(number) or _commented(text)
            elif not _is_of_editor(name):
                texts.append((name, renamed(name, text)))
    for number, script in sorted(rooms.items()):
        name = f"room{number}"
        read = decompile_block(script, environment)
        made.failures += _failures(name, read)
        made.old_audio = made.old_audio or uses_old_audio(script)
        declarations.take(name, read.declarations)
        types.take(read.declarations)
        made.rooms[number] = renamed(name, read.text)
    made.variables = [types.typed(variable) for variable in made.variables]
    attributes = declarations.attributes()
    texts = [
        (name, declarations.with_shared(with_accessors(text, attributes))) for name, text in texts
    ]
    made.rooms = {n: declarations.with_shared(text) for n, text in made.rooms.items()}
    for _, text in texts:
        declarations.define(text)
    header = declarations.header()
    if header:
        made.scripts.append(ScriptFile(RECOVERED, header, ""))
    made.scripts += [ScriptFile(name, "", text) for name, text in texts]
    if not any(script.name == GLOBAL for script in made.scripts):
        made.scripts.append(ScriptFile(GLOBAL, "", ""))
    return made


def built_in(version: str) -> frozenset[str]:
    """The functions and variables that the editor declares in all games, but for those that the
    settings of some leave out."""
    settings = set(script_macros(ScriptSettings(version)))
    return frozenset(
        row.name
        for row in declared_by_editor(version)
        if not row.owner
        and all(macro[0] == "!" or macro in settings for macro in row.macros)
    )


def _named(game: Game) -> Iterator[tuple[str, Script]]:
    """The scripts by the names of their files: modules, then dialogs, then the global script."""
    content = game.content
    if content is None:
        return
    for module in content.script_modules or []:
        yield _stem(module.name), module
    if content.dialog_script is not None:
        yield "__DialogScripts", content.dialog_script
    if content.global_script is not None:
        yield GLOBAL, content.global_script


def _commented(text: str) -> str:
    """A text as comments of a dialog."""
    return "".join(f"// {line}\r\n" if line else "\r\n" for line in text.splitlines())


def _stem(name: str) -> str:
    """The name of a script's file without the ending."""
    base = name.replace("\\", "/").rpartition("/")[2]
    return base[: -len(".asc")] if base.casefold().endswith(".asc") else base or "Module"


def _is_of_editor(name: str) -> bool:
    """Whether the editor makes a script itself."""
    return name == "__DialogScripts"


def _failures(name: str, read: Decompiled) -> list[str]:
    return [f"{name}: {failure.name}: {failure.reason}" for failure in read.failures]


def uses_old_audio(script: Script) -> bool:
    """Whether a script calls a function that games with EnforceNewAudio do not have."""
    return any(name.partition("^")[0] in _OLD_AUDIO for name in script.imports if name)


_OLD_AUDIO: Final = frozenset(
    row.name for row in all_declarations() if "!STRICT_AUDIO" in row.macros and not row.owner
)


# -- what scripts declare of each other ----------------------------------------------------------


class _Declared:
    """The declarations of several scripts, each name once; members of a struct are put together.

    A struct that only holds values has a name of ours, ``Struct1``: it gets that of its script in
    front, as another script may have one of this name.
    """

    def __init__(self, known: Collection[str]) -> None:
        self._known = set(known)
        self._forward: dict[str, None] = {}
        self._values: dict[str, list[str]] = {}
        self._heads: dict[str, str] = {}
        self._same: dict[str, str] = {}
        self._structs: dict[str, tuple[str, dict[str, str]]] = {}
        self._imports: dict[str, str] = {}

    def know(self, names: Iterable[str]) -> None:
        """Leave out names that the editor declares."""
        self._known.update(names)

    def take(self, script: str, declarations: str) -> None:
        """Add those of a script."""
        lines = iter(renamed(script, declarations).splitlines())
        for line in lines:
            struct, imported = _STRUCT.match(line), _IMPORT.match(line)
            if struct is not None and line.endswith(";"):  # declared before it is defined
                self._forward.setdefault(line)
            elif struct is not None:
                members = _members(lines)
                if any("import " in member for member in members):
                    self._take_struct(struct[1], line, members)
                else:
                    self._values[struct[1]] = members
                    self._heads[struct[1]] = line
            elif imported is not None and imported[1] not in self._known:
                name = _full_name(imported[1], line)
                self._share(self._imports.setdefault(name, line), line)

    def _share(self, first: str, line: str) -> None:
        """Put the structs together that two scripts have for one variable."""
        ours, other = (declared.split()[1] for declared in (first, line))
        ours = self._same.get(ours, ours)
        if ours != other and ours in self._values and other in self._values:
            members = merged(self._values[ours], self._values[other])
            if members is not None:
                self._values[ours] = members
                del self._values[other]
                self._same[other] = ours

    def with_shared(self, text: str) -> str:
        """A text with the names of structs that were put together."""
        return _ANY_OWN.sub(lambda found: self._same.get(found[0], found[0]), text)

    def define(self, text: str) -> None:
        """Declare functions as a script defines them, not as others use them."""
        for found in _DEFINED.finditer(text):
            name = _full_name(found["name"], found["head"])
            if name in self._imports:
                self._imports[name] = f"import {found['head']};"

    def _take_struct(self, name: str, head: str, lines: Iterable[str]) -> None:
        _, members = self._structs.setdefault(name, (head, {}))
        for line in lines:
            found = _MEMBER.search(line)
            members.setdefault(found[1] if found else line, line)

    def attributes(self) -> dict[str, set[str]]:
        """The attributes of each struct."""
        return {
            name: {member for member, line in members.items() if "attribute " in line}
            for name, (_, members) in self._structs.items()
        }

    def header(self) -> str:
        """The text of a header."""
        attributes = self.attributes()
        made = [*self._forward]
        for name, fields in self._values.items():
            made += [self._heads[name], *fields, "};"]
        for name, (head, members) in self._structs.items():
            accessors = {f"{verb}_{one}" for one in attributes[name] for verb in _VERBS}
            made += [head, *(members[one] for one in members if one not in accessors), "};"]
        made += self._imports.values()
        return self.with_shared("".join(f"{line}\r\n" for line in made))


def renamed(script: str, text: str) -> str:
    """A text in which the structs of ours have the name of their script in front."""
    own = re.sub(r"\W", "_", script)
    return _OWN_STRUCT.sub(lambda found: f"{own}_{found[0]}", text)


def with_accessors(text: str, attributes: Mapping[str, Collection[str]]) -> str:
    """A text in which the functions behind attributes extend the struct, as the editor wants them.

    Functions of a struct are declared in it; those of an attribute are not.
    """

    def extended(found: re.Match[str]) -> str:
        name = found["name"].partition("_")[2]
        if name not in attributes.get(found["struct"], ()):
            return found[0]
        this = f"static {found['struct']}" if found["static"] else f"this {found['struct']}*"
        more = f", {found['parameters']}" if found["parameters"] else ""
        return f"{found['type']}{found['name']}({this}{more})"

    return _ACCESSOR.sub(extended, text)


class _Types:
    """The types of global variables, as the scripts that use them show them.

    Their own script shows only sizes: a pointer, and true or false, is a number there.
    """

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def take(self, declarations: str) -> None:
        """Take what the declarations of a script say; a pointer says more than a number."""
        for line in declarations.splitlines():
            found = _IMPORTED_VARIABLE.match(line)
            if found is None:
                continue
            name, kind = found["name"], found["type"].replace(" ", "")
            held = self._found.get(name, "int")
            if _strength(kind) > _strength(held):
                self._found[name] = kind

    def typed(self, variable: Mapping[str, Value]) -> Mapping[str, Value]:
        """A global variable with its type."""
        kind = self._found.get(str(variable["Name"]), "int")
        if variable["Type"] != "int" or kind == "int":
            return variable
        value = str(variable["DefaultValue"])
        if kind == "bool":
            value = {"0": "false", "1": "true"}.get(value, value)
        if kind == "bool" and value not in ("", "false", "true"):
            return variable
        return {**variable, "Type": kind, "DefaultValue": "" if kind.endswith("*") else value}


def _strength(kind: str) -> int:
    """How much a type says."""
    return 2 if kind.endswith("*") else {"int": 0, "bool": 1}.get(kind, 1)


def _full_name(name: str, head: str) -> str:
    """The name of a function with that of the struct that it extends."""
    extended = _EXTENDED.search(head)
    return f"{extended[1]}::{name}" if extended is not None else name


def _members(lines: Iterator[str]) -> list[str]:
    """The lines of a struct, up to its end."""
    members = []
    for line in lines:
        if line.startswith("}"):
            break
        members.append(line)
    return members


def global_variables(text: str) -> Iterable[Mapping[str, Value]]:
    """The global variables of a project, by the script that declares them."""
    assigned = (_ASSIGNED.match(line) for line in text.splitlines())
    values = {str(found[1]): str(found[2]) for found in assigned if found is not None}
    for line in text.splitlines():
        for statement in line.split("; "):
            found = _VARIABLE.match(statement.rstrip(";") + ";")
            if found is None or found["type"].strip() in ("export", "return", "import"):
                continue
            value = found["value"] or values.get(found["name"], "").strip('"')
            yield {
                "Name": found["name"],
                "Type": found["type"].replace(" ", ""),
                "DefaultValue": value,
            }
