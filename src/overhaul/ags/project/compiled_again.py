"""The mistakes that an edit makes in the scripts of a project, which are compiled again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial

from overhaul.ags.agf.compiling import GENERATED, PROJECT_FILE, ProjectCompiler
from overhaul.ags.agf.files import HeldFiles
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.project.document import ProjectDocument
from overhaul.ags.project.sources import HEADER, ROOM, SOURCE, source_names
from overhaul.document.protocol import Surroundings
from overhaul.errors import OverhaulError
from overhaul.findings import Finding, Findings


def new_mistakes(document: ProjectDocument, before: bytes, edited: Collection[str]) -> Findings:
    """A warning for each mistake in a script that an edit made.

    ``before`` is the project's file as it was, ``edited`` has the names of the scripts and rooms
    that are others now. All scripts are compiled where a header differs, an edited one or that of
    the project's things; else the edited ones, and those of the rooms.
    """
    names = [name for name in source_names(document) if name.lower().endswith(SOURCE)]
    try:
        now = ProjectCompiler(held_files(document, document.to_bytes(), document.near))
        then = ProjectCompiler(held_files(document, before, partial(_as_it_was, document)))
        if now.made_header == then.made_header and not any(
            name.lower().endswith(HEADER) for name in edited
        ):
            rooms = {name[: -len(ROOM)] for name in edited if name.lower().endswith(ROOM)}
            names = [name for name in names if name in edited or name[: -len(SOURCE)] in rooms]
    except OverhaulError as error:
        return Findings([each.replaced(severity="warning") for each in error.findings])
    found: dict[Finding, None] = {}
    for name in names:
        mistakes = list(_mistakes(now, name))
        known = {(each.path, each.message) for each in _mistakes(then, name)} if mistakes else ()
        found |= dict.fromkeys(each for each in mistakes if (each.path, each.message) not in known)
    return Findings(found)


def _as_it_was(document: ProjectDocument, name: str) -> bytes:
    """A file next to the project without its edits."""
    assert document.siblings is not None
    return bytes(document.siblings.read(name))


def held_files(
    document: ProjectDocument, project: bytes, read: Callable[[str], bytes]
) -> HeldFiles:
    """The bytes of a project and the files next to it, which ``read`` gives by their names, for its
    compiler."""
    near = document.siblings
    names = () if near is None else near.names()
    files = {name: partial(read, name) for name in names if name.lower() != PROJECT_FILE.lower()}
    if isinstance(near, Surroundings):
        made = [f"{GENERATED}/{name}" for name in near.listing(GENERATED)[0]]
        files |= {path: partial(near.read_at, path) for path in made}
    return HeldFiles({**files, PROJECT_FILE: lambda: project})


def _mistakes(compiler: ProjectCompiler, name: str) -> Iterator[Finding]:
    """The mistakes in a script, or in a header before it, as warnings."""
    try:
        compiler.compile(compiler.folder / name)
    except ScriptError as error:
        for each in error.errors or (error,):
            yield Finding("warning", each.code, each.message, each.name, "", each.line, each.column)
    except OverhaulError as error:
        for found in error.findings:
            yield found.replaced(severity="warning", path=found.path or name)
