"""The scripts of a game as those of its project: texts, headers, dialogs, global variables.

A compiled game keeps the code of scripts, and which names they use of each other; their headers
are lost. Declarations of scripts are collected, each name once, in the header of the script that
defines it, or of the first that uses it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from overhaul.ags.api import ScriptSettings, all_declarations, script_macros
from overhaul.ags.api import declarations as declared_by_editor
from overhaul.ags.decompiler import Decompiled, decompile_blocks
from overhaul.ags.decompiler.game import declared_by, environment_of_room
from overhaul.ags.game.game import Game
from overhaul.ags.language.lexer import unquoted
from overhaul.ags.project.declared import DeclaredNames
from overhaul.ags.project.elements import Value
from overhaul.ags.project.project import ScriptFile, editor_version
from overhaul.ags.room.room import Room
from overhaul.ags.script.model import Script
from overhaul.ags.text import decode

GLOBAL: Final = "GlobalScript"
VARIABLES: Final = "_GlobalVariables"
#: The text in a compiled script for each header in front of it.
_HEADER: Final = re.compile(r"__NEWSCRIPTSTART_([^\0]*)\.ash\0")
_DIALOGS: Final = re.compile(r"Dialog (\d+)")
#: The names that every script of a game can use without a header: lists, and the editor's
#: declarations.
_LISTS: Final = frozenset(
    ("character", "inventory", "dialog", "gui", "hotspot", "object", "region", "dialog_request")
)


@dataclass(slots=True)
class Sources:
    """The scripts that were read of a game: those of the project in their order, room scripts,
    dialogs by their numbers, global variables, and the scripts that could not be read."""

    scripts: list[ScriptFile] = field(default_factory=list)
    rooms: dict[int, str] = field(default_factory=dict)
    dialogs: dict[int, str] = field(default_factory=dict)
    variables: list[Mapping[str, Value]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    old_audio: bool = False


def scripts_of(game: Game, rooms: Mapping[int, Room]) -> dict[str, Script]:
    """A game's scripts and its rooms' scripts by the names of their files in a project."""
    made = {f"{name}.asc": script for name, script in _named(game)}
    return made | {f"room{number}.asc": script for number, _, script in _of_rooms(rooms)}


def _of_rooms(rooms: Mapping[int, Room]) -> Iterator[tuple[int, Room, Script]]:
    for number, room in sorted(rooms.items()):
        if room.script is not None:
            yield number, room, room.script


def sources_of(
    game: Game,
    rooms: Mapping[int, Room],
    known: Collection[str],
    *,
    apart: bool = False,
    as_given: bool = False,
) -> Sources:
    """The sources of a game's scripts and its rooms' scripts.

    ``known`` are the names that the editor itself declares: those of the game's things; ``apart``
    and ``as_given`` say how they are read (:class:`overhaul.ags.decompiler.Environment`).
    """
    made = Sources()
    environment = replace(declared_by(game), apart=apart, as_given=as_given, extended=True)
    editor = editor_version(game.header.compiled_with)
    declarations = DeclaredNames({*known, *_LISTS, *built_in(editor)})
    texts: list[tuple[str, str]] = []
    defined: list[Mapping[str, str]] = []
    members: dict[str, list[str]] = {}
    named = list(_named(game))
    listed = list(_of_rooms(rooms))
    scripts = [*(script for _, script in named), *(script for _, _, script in listed)]
    environments = [environment] * len(named)
    environments += [environment_of_room(room, environment) for _, room, _ in listed]
    reads = decompile_blocks(scripts, environments)
    for (name, script), read in zip(named, reads, strict=False):
        _take(made, declarations, name, script, read)
        if name == VARIABLES:
            made.variables += global_variables(read)
            declarations.know(str(variable["Name"]) for variable in made.variables)
            continue
        for text in _without_dialogs(made, read):
            if not _is_of_editor(name):
                texts.append((name, text))
                defined.append(read.prototypes)
                members[name] = [full for full in read.members if full not in read.prototypes]
    for (number, _, script), read in zip(listed, reads[len(named) :], strict=True):
        _take(made, declarations, f"room{number}", script, read)
        made.rooms[number] = read.text
    for prototypes in defined:
        declarations.define(prototypes)
    if not any(name == GLOBAL for name, _ in texts):
        texts.append((GLOBAL, ""))
    ordered = _in_order(texts, game)
    own = declarations.own_structs(members)
    ordered = [(name, own.get(name, "") + text) for name, text in ordered]
    definers = {
        export.name.partition("$")[0]: name
        for name, script in _named(game)
        for export in script.exports
    }
    headers = declarations.headers([name for name, _ in ordered], definers, places_of(game))
    made.scripts = [ScriptFile(name, headers[name], text) for name, text in ordered]
    return made


def _take(
    made: Sources, declarations: DeclaredNames, name: str, script: Script, read: Decompiled
) -> None:
    """Take what a script declares, and what could not be read of it."""
    made.failures += _failures(name, read)
    made.old_audio = made.old_audio or uses_old_audio(script)
    declarations.take(name, read.declared)


def _without_dialogs(made: Sources, read: Decompiled) -> Iterator[str]:
    """The texts of a script but for those of dialogs, which ``made`` gets."""
    for section, text in read.parts:
        dialog = _DIALOGS.fullmatch(section)
        if dialog is None:
            yield text
            continue
        number = int(dialog[1])
        lines = read.dialogs.get(number)
        if lines is None:
            made.failures.append(f"dialog {number}: its script is not one of dialogs")
            lines = _commented(text)
        made.dialogs[number] = lines


def places_of(game: Game) -> dict[str, int]:
    """Where the tables of scripts have the names that they import.

    All have the same headers in front of them, up to their own, so a name has one place.
    """
    made: dict[str, int] = {}
    for _, script in _named(game):
        for place, name in enumerate(script.imports):
            if name:
                made.setdefault(name.partition("^")[0], place)
    return made


def _in_order(texts: list[tuple[str, str]], game: Game) -> list[tuple[str, str]]:
    """Scripts in the order of the author's: compiled scripts list the headers in front of them.

    The game data has modules in their order, and the global script apart.
    """
    content = game.content
    dialogs = None if content is None else content.dialog_script
    headers = [] if dialogs is None else _HEADER.findall(decode(dialogs.strings))
    if GLOBAL not in headers:
        return texts
    behind = headers[headers.index(GLOBAL) + 1 :]
    first = next((at for at, (name, _) in enumerate(texts) if name in behind), len(texts))
    main = [pair for pair in texts if pair[0] == GLOBAL]
    before = [pair for pair in texts[:first] if pair[0] != GLOBAL]
    return [*before, *main, *(pair for pair in texts[first:] if pair[0] != GLOBAL)]


def built_in(version: str) -> frozenset[str]:
    """The functions and variables that the editor declares in all games, but for those that the
    settings of some leave out."""
    settings = set(script_macros(ScriptSettings(version)))
    return frozenset(
        row.name
        for row in declared_by_editor(version)
        if not row.owner and all(macro[0] == "!" or macro in settings for macro in row.macros)
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


def global_variables(script: Decompiled) -> Iterator[Mapping[str, Value]]:
    """The global variables of a project, by the script that declares them."""
    for variable in script.variables:
        value = variable.value
        yield {
            "Name": variable.name,
            "Type": variable.type,
            "DefaultValue": unquoted(value) if value.startswith('"') else value,
        }
