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

from overhaul.ags.api import all_declarations
from overhaul.ags.decompiler import Decompiled, Environment, decompile_block
from overhaul.ags.decompiler.source import with_lines
from overhaul.ags_project.project import ScriptFile

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
_MEMBER: Final = re.compile(r"(\w+)(?:\[[^\]]*\])?(?:\(|;)")
#: The functions behind an attribute.
_VERBS: Final = ("get", "set", "geti", "seti")
_VARIABLE: Final = re.compile(
    r"^(?P<type>\w+\s?\*?) ?(?P<name>\w+)(?P<array>\[\d*\])?(?: = (?P<value>[^;]*))?;"
)
_ASSIGNED: Final = re.compile(r"^\s*(\w+) = (\"(?:[^\"\\]|\\.)*\");")
#: What every script of a game can use without a header: lists, and what the editor declares.
_LISTS: Final = frozenset(
    ("character", "inventory", "dialog", "gui", "hotspot", "object", "region")
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
    environment = _environment(game)
    declarations = _Declared({*known, *_LISTS})
    texts: list[tuple[str, str]] = []
    for name, script in _named(game):
        read = decompile_block(script, environment)
        made.failures += _failures(name, read)
        own = declarations.take(read)
        made.old_audio = made.old_audio or uses_old_audio(script)
        if name == VARIABLES:
            made.variables += _variables(read.text)
            continue
        for section, text in read.parts:
            dialog = _DIALOGS.fullmatch(section)
            if dialog is not None:
                made.dialogs[int(dialog[1])] = text
            elif not _is_of_editor(name):
                texts.append((name, with_lines(own, text)))
    for number, script in sorted(rooms.items()):
        read = decompile_block(script, environment)
        made.failures += _failures(f"room{number}", read)
        own = declarations.take(read)
        made.old_audio = made.old_audio or uses_old_audio(script)
        made.rooms[number] = with_lines(own, read.text)
    header = declarations.header()
    if header:
        made.scripts.append(ScriptFile(RECOVERED, header, ""))
    made.scripts += [ScriptFile(name, "", text) for name, text in texts]
    if not any(script.name == GLOBAL for script in made.scripts):
        made.scripts.append(ScriptFile(GLOBAL, "", ""))
    return made


def _environment(game: Game) -> Environment:
    """What the game says of its scripts."""
    found = re.match(r"\d+(?:\.\d+){1,3}", game.header.compiled_with)
    settings = game.settings
    option = 33  # left-to-right precedence
    left = settings is None or option >= len(settings.options) or bool(settings.options[option])
    return Environment(found[0] if found else "", left_to_right=left)


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

    A struct that only holds values has a name of ours: it stays with its script.
    """

    def __init__(self, known: Collection[str]) -> None:
        self._known = known
        self._structs: dict[str, tuple[str, dict[str, str]]] = {}
        self._imports: dict[str, str] = {}

    def take(self, read: Decompiled) -> list[str]:
        """Add those of a script; the lines that stay with it."""
        own: list[str] = []
        lines = iter(read.declarations.splitlines())
        for line in lines:
            struct = _STRUCT.match(line)
            if struct is not None:
                members = _members(lines)
                if any("import " in member for member in members):
                    self._take_struct(struct[1], line, members)
                else:
                    own += [line, *members, "};"]
                continue
            named = _IMPORT.match(line)
            if named is not None and named[1] not in self._known:
                self._imports.setdefault(named[1], line)
        return own

    def _take_struct(self, name: str, head: str, lines: Iterable[str]) -> None:
        _, members = self._structs.setdefault(name, (head, {}))
        for line in lines:
            found = _MEMBER.search(line)
            members.setdefault(found[1] if found else line, line)

    def header(self) -> str:
        """The text of a header."""
        made: list[str] = []
        for head, members in self._structs.values():
            attributes = {name for name, line in members.items() if "attribute " in line}
            accessors = {f"{verb}_{name}" for name in attributes for verb in _VERBS}
            made += [head, *(members[name] for name in members if name not in accessors), "};"]
        made += self._imports.values()
        return "".join(f"{line}\r\n" for line in made)


def _members(lines: Iterator[str]) -> list[str]:
    """The lines of a struct, up to its end."""
    members = []
    for line in lines:
        if line.startswith("}"):
            break
        members.append(line)
    return members


def _variables(text: str) -> Iterable[Mapping[str, Value]]:
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
