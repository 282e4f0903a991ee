"""The scripts of a recovered project, compiled as the editor would."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from overhaul.ags.agf import dialogs, variables
from overhaul.ags.agf.built import Scripts
from overhaul.ags.agf.compiling import ProjectCompiler
from overhaul.ags.agf.files import HeldFiles
from overhaul.ags.language import ScriptError
from overhaul.errors import FormatError

_ROOM: Final = re.compile(r"room\d+\.asc")


def compiled(files: Mapping[str, Callable[[], bytes]]) -> Scripts:
    """Which scripts of a project compile; its files are what gives their bytes."""
    compiler = ProjectCompiler(HeldFiles(files))
    names = list(compiler.project.scripts)
    if compiler.project.variables:
        names.insert(0, variables.SCRIPT_NAME)
    names.append(dialogs.SCRIPT_NAME)
    names += sorted(filter(_ROOM.fullmatch, files), key=lambda name: (len(name), name))
    made = Scripts(names)
    for name in names:
        try:
            compiler.compile(Path(name))
        except (ScriptError, FormatError) as error:
            made.failed[name] = error.findings[0]
    return made
