"""The parts of a project that compiling lost: the text of ``RECOVERED.md``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhaul.ags.agf.built import Scripts
    from overhaul.ags.project.scripts import Sources

FILE: Final = "RECOVERED.md"

_LOST: Final = """\
# {name}: what compiling lost

This project was made from a compiled game of the editor {version}. The game does not store:

| lost | instead |
| --- | --- |
| folders of the project's tree | one folder `Main` each |
| names of fonts and of types of sounds | `Font 0` ..., the names of a new project |
| where sprites were imported from, and how | the sprites as they are |
| volumes, priorities and repeats that sounds inherit from folders | their values at each sound |
| file names of sounds | those of the editor's cache (`AudioCache`) |
| names of rooms (of games built without debug mode) | empty |
| what may have a custom property | everything |
| locked controls, colours of the editor, build targets, the setup program's settings | defaults |
| comments, macros, enums and local names of scripts | names by type and use |
| headers | what other scripts use of each script; names that no script uses are lost |
"""


def text(
    name: str,
    version: str,
    sources: Sources,
    scripts: Scripts,
    report: Sequence[str],
) -> str:
    """The text of the file; ``scripts`` is the result of compiling them again."""
    text = _LOST.format(name=name, version=version)
    counts = f"{len(sources.scripts)} scripts, {len(sources.rooms)} room scripts"
    text += f"\nScripts were decompiled: {counts}, {len(sources.dialogs)} dialogs.\n"
    compile_again = len(scripts.names) - len(scripts.failed)
    text += f"Of {len(scripts.names)} scripts {compile_again} compile again.\n"
    failed = [f"{script}: {error}" for script, error in scripts.failed.items()]
    text += _listed("Scripts that do not compile, with the first error of each", failed)
    different = [f"{script}: {what}" for script, what in scripts.different.items()]
    text += _listed("Scripts that compile to other code, with the first difference", different)
    text += _listed("Functions that are missing, as they could not be read", sources.failures)
    return text + _listed("What could not be read", report)


def _listed(what: str, lines: Sequence[str]) -> str:
    """A list under a sentence; nothing without lines."""
    return f"\n{what}:\n\n" + "".join(f"- {line}\n" for line in lines) if lines else ""
