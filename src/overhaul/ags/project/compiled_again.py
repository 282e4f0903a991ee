"""The mistakes that an edit makes in the scripts of a project, which are compiled again for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Set
from functools import cached_property, partial
from pathlib import Path

from overhaul.ags.agf import dialogs, variables
from overhaul.ags.agf.compiling import GENERATED, PROJECT_FILE, ProjectCompiler
from overhaul.ags.agf.files import HeldFiles
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.preprocessor import LINE_ENDS
from overhaul.ags.project.document import ProjectDocument
from overhaul.ags.project.handlers import handlers_in, handlers_of
from overhaul.ags.project.sources import (
    ROOM,
    SOURCE,
    ProjectScript,
    resources_of,
    source_names,
)
from overhaul.ags.room.room import Room
from overhaul.document.protocol import Surroundings
from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError, OverhaulError
from overhaul.findings import Finding, Findings


def new_mistakes(
    document: ProjectDocument, before: tuple[bytes, XmlNode], edited: Collection[str]
) -> Findings:
    """A warning for each mistake that an edit makes in a script, and for each function that is gone
    and that an event runs.

    ``before`` has the bytes and the element of the game as they were, ``edited`` the names of the
    scripts and rooms that are others now.  Lines of dialogs are in files called ``Dialog 3``.
    """
    now = _State(document, document.to_bytes(), document.game, document.near)
    then = _State(document, *before, partial(_as_it_was, document))
    rooms = {name.casefold()[: -len(ROOM)] for name in edited if name.lower().endswith(ROOM)}
    names = [name for name in source_names(document) if name.lower().endswith(SOURCE)]
    names += [variables.SCRIPT_NAME, dialogs.SCRIPT_NAME]
    found: dict[Finding, None] = {}
    changed: set[str] = set()
    for name in names:
        stem = name.casefold()[: -len(SOURCE)]
        if stem not in rooms and now.texts(name) == then.texts(name):
            continue
        changed.add(name.casefold())
        mistakes = [*now.mistakes(name), *now.events_in(stem, name)]
        known = [*then.mistakes(name), *then.events_in(stem, name)] if mistakes else []
        said = {(each.path, each.message) for each in known}
        new = [each for each in mistakes if (each.path, each.message) not in said]
        places = {then.place(name, each) for each in known if new} - {None}
        found |= dict.fromkeys(each for each in new if now.place(name, each) not in places)
    found |= dict.fromkeys(_lost_events(now, then, changed))
    return Findings(found)


def _lost_events(now: _State, then: _State, changed: Collection[str]) -> Iterator[Finding]:
    """A warning for each function that an event of the project runs, and that is gone, or that no
    event ran before; ``changed`` are the scripts that may lack others now."""
    before = {event[:2] for event in then.events}
    for script, function, owner in now.events:
        if (script, function) in before and (
            script.casefold() not in changed or then.lacks(script, function)
        ):
            continue
        if now.lacks(script, function):
            yield _without_function(f"an event of {owner}", function, script)


def _as_it_was(document: ProjectDocument, name: str) -> bytes:
    """A file next to the project without its edits."""
    assert document.siblings is not None
    return bytes(document.siblings.read(name))


def _without_function(event: str, function: str, script: str) -> Finding:
    return Finding(
        "warning", "missing-name", f"{event} runs {function}, which is not there", script
    )


def held_files(
    document: ProjectDocument,
    project: bytes,
    read: Callable[[str], bytes],
    absent: Collection[str] = (),
) -> HeldFiles:
    """The bytes of a project and the files next to it, which ``read`` gives by their names, for its
    compiler; ``absent`` are empty files."""
    near = document.siblings
    names = () if near is None else near.names()
    files = {name: partial(read, name) for name in names if name.lower() != PROJECT_FILE.lower()}
    if isinstance(near, Surroundings):
        made = [f"{GENERATED}/{name}" for name in near.listing(GENERATED)[0]]
        files |= {path: partial(near.read_at, path) for path in made}
    return HeldFiles({**dict.fromkeys(absent, bytes), **files, PROJECT_FILE: lambda: project})


class _State:
    """A project as it is, or as it was: its scripts, each compiled once."""

    def __init__(
        self,
        document: ProjectDocument,
        project: bytes,
        game: XmlNode,
        read: Callable[[str], bytes],
    ) -> None:
        # Without a header nothing compiles: names that it declares are unknown before and after.
        scripts = resources_of(document, ProjectScript.kind)
        absent = [script.wanted for script in scripts if not script.file]
        self._files = held_files(document, project, read, absent)
        self._game = game
        self._compiler: ProjectCompiler | OverhaulError
        try:
            self._compiler = ProjectCompiler(self._files)
        except OverhaulError as error:
            self._compiler = error
        self._lines: dict[str, dict[str, list[str]]] = {}
        self._made: dict[str, tuple[frozenset[str] | None, list[Finding]]] = {}

    def texts(self, name: str) -> object:
        """A value that differs where a script may compile to something else in the same room."""
        try:
            compiler = self._compiling()
            return compiler.options, compiler.sources(Path(name))
        except OverhaulError as error:  # no script after it compiles
            return str(error)

    def mistakes(self, name: str) -> list[Finding]:
        """The mistakes in a script, or in a header before it, as warnings."""
        return self._compiled(name)[1]

    def place(self, script: str, mistake: Finding) -> tuple[str, str, str, int] | None:
        """Where a mistake is, by the text of its line, which stays where lines before it come and
        go; None for a mistake in no line of a script."""
        if not mistake.line:
            return None
        if script not in self._lines:
            try:
                sources = self._compiling().sources(Path(script))
            except OverhaulError:  # the mistake is in what the script is made of: in dialogs
                sources = []
            self._lines[script] = {each.name: LINE_ENDS.split(each.text) for each in sources}
        lines = self._lines[script].get(mistake.path, [])
        if mistake.line > len(lines):
            return None
        return mistake.path, mistake.code, lines[mistake.line - 1], mistake.column

    @cached_property
    def events(self) -> Set[tuple[str, str, str]]:
        """The functions that events of the project run: script, function and thing."""
        found = handlers_of(self._game)
        return {(handler.script, handler.function, handler.owner) for handler in found}

    def lacks(self, script: str, function: str) -> bool:
        """Whether a script lacks a function; False for one that does not compile."""
        functions = self._compiled(script)[0]
        return functions is not None and function not in functions

    def events_in(self, stem: str, name: str) -> Iterator[Finding]:
        """A warning for each function that events of a room run, and that its script lacks."""
        place = self._files.find(f"{stem}{ROOM}")
        functions = self._compiled(name)[0]
        if place is None or functions is None:
            return
        try:
            room = Room.read(self._files.read(place), source=place.name)
        except FormatError:  # opening the room reports it
            return
        for function in handlers_in(room):
            if function not in functions:
                yield _without_function("an event of the room", function, name)

    def _compiling(self) -> ProjectCompiler:
        if isinstance(self._compiler, OverhaulError):
            raise self._compiler.with_traceback(None)
        return self._compiler

    def _compiled(self, name: str) -> tuple[frozenset[str] | None, list[Finding]]:
        """The functions of a script, None where it does not compile, and its mistakes."""
        key = name.casefold()
        if key not in self._made:
            self._made[key] = self._compile(name)
        return self._made[key]

    def _compile(self, name: str) -> tuple[frozenset[str] | None, list[Finding]]:
        found = self._files.find(name)
        try:
            made = self._compiling().compile(found or Path(name))
        except ScriptError as error:
            return None, [
                Finding("warning", each.code, each.message, each.name, "", each.line, each.column)
                for each in error.errors or (error,)
            ]
        except OverhaulError as error:
            return None, [
                each.replaced(severity="warning", path=each.path or name) for each in error.findings
            ]
        return frozenset(export.name.partition("$")[0] for export in made.exports), []
