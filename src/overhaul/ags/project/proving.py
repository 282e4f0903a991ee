"""The scripts of a recovered project, compiled as the editor would."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from overhaul.ags.agf import dialogs, variables
from overhaul.ags.agf.built import Scripts
from overhaul.ags.agf.compiling import ProjectCompiler
from overhaul.ags.agf.files import HeldFiles
from overhaul.ags.api import builtin_header
from overhaul.ags.decompiler.proof import differences
from overhaul.ags.language import CompilerOptions, ScriptError, Source, import_table
from overhaul.ags.script.model import Script
from overhaul.errors import FormatError

_ROOM: Final = re.compile(r"room\d+\.asc")
_NEW_AUDIO: Final = "STRICT_AUDIO"


def declared_things(files: Mapping[str, Callable[[], bytes]]) -> str:
    """The editor's declarations of a project's things in front of its scripts."""
    return ProjectCompiler(HeldFiles(files)).made_header


def sees_old_audio(files: Mapping[str, Callable[[], bytes]], places: Mapping[str, int]) -> bool:
    """Whether the editor declared the old functions of sounds for the game's scripts.

    A game does not store EnforceNewAudio, and its scripts may call none of these functions.  They
    move what the header declares behind them: ``places`` are those in the tables of imports.
    """
    compiler = ProjectCompiler(HeldFiles(files))
    header = Source("_BuiltInScriptHeader.ash", builtin_header(compiler.editor))
    loose = [macro for macro in compiler.options.macros if macro[0] != _NEW_AUDIO]

    def agreeing(options: CompilerOptions) -> int:
        names = (name.partition("^")[0] for name in import_table((header,), options))
        return sum(places.get(name) == place for place, name in enumerate(names))

    options = compiler.options
    return agreeing(replace(options, macros=tuple(loose))) > agreeing(options)


def compiled(files: Mapping[str, Callable[[], bytes]], originals: Mapping[str, Script]) -> Scripts:
    """Which scripts of a project compile, and which of these are not what the game has.

    Its files are what gives their bytes; ``originals`` are the game's scripts by the same names.
    """
    compiler = ProjectCompiler(HeldFiles(files))
    names = list(compiler.project.scripts)
    if compiler.project.variables:
        names.insert(0, variables.SCRIPT_NAME)
    names.append(dialogs.SCRIPT_NAME)
    names += sorted(filter(_ROOM.fullmatch, files), key=lambda name: (len(name), name))
    made = Scripts(names)
    for name in names:
        try:
            script = compiler.compile(Path(name))
        except (ScriptError, FormatError) as error:
            made.failed[name] = error.findings[0]
            continue
        original = originals.get(name)
        for function, what in differences(original, script) if original is not None else ():
            made.different[name] = f"{function.partition('$')[0]}: {what}" if function else what
            break
    return made
