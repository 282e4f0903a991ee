"""A project next to the game that was compiled from it: two sides of the same form.

The project's code is compiled with its macros and enums against what the game shows of its
compiler; an entry is equal where the instructions are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from overhaul.document.protocol import Document
from overhaul.errors import FormatError, OverhaulError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.dialects import closed
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide_game.assets import Assets
from overhaul.gamemaker.ide_game.documents import Side
from overhaul.gamemaker.ide_game.game_side import game_side
from overhaul.gamemaker.ide_game.options import add_options
from overhaul.gamemaker.ide_game.project_side import project_side
from overhaul.gamemaker.ide_game.saying import rounded_alike
from overhaul.gamemaker.ide_game.sequences import add_sequences
from overhaul.gamemaker.ide_game.sources import (
    CodeSource,
    add_version,
    definitions_of,
    entries_of,
)
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.compiler.definitions import add_definitions
from overhaul.gml.context import Context
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.disassembler import disassemble
from overhaul.gml.vm.opcodes import BRANCHES, Opcode
from overhaul.suggest import some_of

#: Games of this bytecode and before have pictures that their compiler rounded.
_ROUNDING: Final = 13
#: The replacement of a function that the platform lacks, by its result.
_STUBS: Final = {1: "extension_stubfunc_string", 2: "extension_stubfunc_real"}
_GLOBAL: Final = "gml_GlobalScript_"
#: Code that the compiler makes without a source of its own.
_OWN: Final = ("_PreCreate_0", "gml_RoomCC_")
#: Kinds whose names are compared, with what people call several.
_KINDS: Final = {
    "sprite": "sprites", "object": "objects", "room": "rooms", "path": "paths", "sound": "sounds",
    "frame": "frames", "code": "code entries", "shader": "shaders", "font": "fonts",
    "tile set": "tile sets", "font picture": "pictures of fonts",
    "tile set picture": "pictures of tile sets", "background": "pictures of backgrounds",
    "sound file": "files of sounds", "sequence": "sequences",
    "animation curve": "animation curves", "particle system": "particle systems",
    "room interface": "room interfaces", "options": "options",
}  # fmt: skip
#: Lists of projects whose resources have no side here yet.
_NOT_COMPARED: Final = ("extensions", "included files")


def compared(
    project: IdeProjectDocument, other: Document
) -> tuple[Document, Document, list[str]] | None:
    """Both sides, and in words what only one of them has; None for a document that is not a game.

    Raises FormatError for a project whose other files are not known.
    """
    if not isinstance(other, GameData):
        return None
    if not project.files.are_known:
        raise FormatError("the files of the project are not known", source=project.source)
    ours, theirs = project_side(project), game_side(other)
    apart = ProjectCode(project, other).add(ours, theirs) if not other.is_native else [_NATIVE]
    apart += Assets(project, other, ours, theirs).add()
    add_sequences(project, other, ours, theirs)
    add_options(project, other, ours, theirs)
    if other.release.bytecode <= _ROUNDING:
        apart += _round_alike(ours, theirs)
    return ours, theirs, [*apart, *not_compared(project), *_only_one(ours, theirs)]


def kinds_not_compared(project: IdeProjectDocument) -> Iterator[str]:
    """The kinds of the project that have no side here: a game keeps its own."""
    for kind in _NOT_COMPARED:
        if len(getattr(project, kind.replace(" ", "_"))):
            yield kind


def not_compared(project: IdeProjectDocument) -> Iterator[str]:
    """The parts of the project that are not compared."""
    yield from kinds_not_compared(project)
    if len(project.sounds):
        yield "fields of sounds but their volume"


def _round_alike(ours: Side, theirs: Side) -> Iterator[str]:
    """Let pictures be equal that differ in what the compilers of Studio 1 round."""
    for path in ours.listed.keys() & theirs.listed.keys():
        if path.endswith(".png"):
            ours.listed[path] = partial(_as_rounded, ours.listed[path], theirs.listed[path])
    yield "the last bit of partly transparent pixels, which this compiler rounds"


def _as_rounded(own: Callable[[], bytes], other: Callable[[], bytes]) -> bytes:
    one, two = own(), other()
    return two if rounded_alike(one, two) else one


_NATIVE: Final = "code: the game was compiled to native code"


def _only_one(ours: Side, theirs: Side) -> Iterator[str]:
    """Resources that only one side has: the compiler leaves out unused ones, and extensions add
    some."""
    both = ours.listed.keys() & theirs.listed.keys()
    for here, where in ((ours, "project"), (theirs, "game")):
        left: dict[str, list[str]] = {}
        for path, resource in here.resources_of.items():
            if path not in both:
                left.setdefault(resource.kind, []).append(resource.name)
        for kind, names in left.items():
            yield f"{_KINDS[kind]} only in the {where}: {some_of(names)}"
    ours.keep(both)
    theirs.keep(both)


class ProjectCode:
    """Compiles the code of a project as its game was."""

    def __init__(self, project: IdeProjectDocument, game: GameData) -> None:
        self._project = project
        self._game = game
        self._made: dict[str, tuple[bytes, bytes]] = {}
        self._context: Context | None = None

    def add(self, ours: Side, theirs: Side) -> list[str]:
        """Give both sides the code.  The result names what the comparison leaves out."""
        dialect = self._game.language.context.dialect
        known = {str(entry.name) for entry in self._game.records.code.present()
                 if entry.root is None}  # fmt: skip
        seen: set[str] = set()
        dragged: list[str] = []
        for entry in entries_of(self._project, dialect):
            name = self.name_of(entry)
            if name in seen:
                continue
            seen.add(name)
            path = f"bytecode/{name}.asm"
            if not entry.is_code:
                dragged.append(name)
            elif name in known or not self.is_empty(entry):
                ours.add("code", name, path, partial(self._side, entry, name, 0))
            if name in known and entry.is_code:
                theirs.add("code", name, path, partial(self._side, entry, name, 1))
        rest = sorted(known - seen)
        made = [name for name in rest if is_made(name)]
        for name in rest:
            if not is_made(name):
                theirs.add("code", name, f"bytecode/{name}.asm", bytes)
        words = [f"drag and drop: {some_of(dragged)}"] if dragged else []
        words += [f"code that the compiler makes: {some_of(made)}"] if made else []
        return words

    def name_of(self, entry: CodeSource) -> str:
        """The name that an entry has in the game."""
        code = None
        if isinstance(entry.part, str):
            kind = self._game.objects.get(entry.owner)
            event = None if kind is None else kind.events.get(entry.part)
            code = None if event is None else event.code
        elif entry.name.startswith("Timeline_"):
            timeline = self._game.timelines.get(entry.owner)
            moment = None if timeline is None else timeline.moments.get(entry.part)
            code = None if moment is None else moment.code
        else:
            room = self._game.rooms.get(entry.owner)
            instances = [] if room is None else list(room.instances)
            inside = entry.part < len(instances)
            code = instances[entry.part].creation_code if inside else None
        return entry.name if code is None else code.name

    def is_empty(self, entry: CodeSource) -> bool:
        """Whether an entry has no code, which the compiler leaves out."""
        try:
            made = self.compiled(entry, entry.name, None)
        except SyntaxError_:
            return False
        return all(one.opcode == Opcode.EXIT for one in made.instructions)

    def _side(self, entry: CodeSource, name: str, number: int) -> bytes:
        """The assembly of an entry, as one of the sides has it; one text where both are equal."""
        if name not in self._made:
            self._made[name] = self._both(entry, name)
        return self._made[name][number]

    def _both(self, entry: CodeSource, name: str) -> tuple[bytes, bytes]:
        official = self._game.language.code(self._game.records.code[name])
        context = self._game.language.context
        theirs = disassemble(official, context).encode("utf-8", "surrogateescape")
        try:
            made = self.compiled(entry, name, official)
        except OverhaulError as error:
            return f"; {entry.path}: {error}\n".encode(), theirs
        if same(made, official):
            return theirs, theirs
        return disassemble(made, context).encode("utf-8", "surrogateescape"), theirs

    def compiled(self, entry: CodeSource, name: str, official: Code | None) -> Code:
        """An entry as the compiler of the game makes it.  Raises what compiling raises."""
        kind = "global_script" if name.startswith(_GLOBAL) else "event"
        source = closed(entry.source, self._known.dialect)
        return compile_source(source, self._known, kind, name, previous=official)

    def definitions(self) -> str:
        """The definitions of the project, as a source."""
        return "\n".join(definitions_of(self._project, self._known.dialect))

    @property
    def _known(self) -> Context:
        """The game as the compiler knew it, with the definitions of the project."""
        if self._context is None:
            context = self._game.language.context.overlay()
            for extension in self._project.extensions:
                for function, returned in extension.function_types.items():
                    self._add(context, function, returned)
            add_version(self._project, context)
            _define(context, definitions_of(self._project, context.dialect))
            self._context = context
        return self._context

    def _add(self, context: Context, function: str, returned: int) -> None:
        """Make a function of an extension known: one that the game's platform does not have is
        compiled as a stub."""
        if function in context.functions or function in context.extension_functions:
            return
        stub = _STUBS[returned]
        context.add_extension_function(stub)
        context.add_macro(function, stub)


def _define(context: Context, definitions: list[str]) -> None:
    """Make definitions known: all at once, or where one is wrong each by itself."""
    try:
        add_definitions(context, "\n".join(definitions))
        return
    except OverhaulError:  # one of them: its users report that it is unknown
        pass
    for definition in definitions:
        try:
            add_definitions(context, definition)
        except OverhaulError:  # as above
            continue


def is_made(name: str) -> bool:
    """Whether the compiler makes an entry, for which a project has no source."""
    return any(part in name for part in _OWN)


def same(one: Code, other: Code) -> bool:
    """Whether two codes have the same instructions, functions inside, counts and names."""
    return (
        _plain(one) == _plain(other)
        and one.children == other.children
        and one.locals_count == other.locals_count
        and one.arguments_count == other.arguments_count
    )


def _plain(code: Code) -> list[object]:
    return [
        (one.opcode, one.value) if one.opcode in BRANCHES else one.key()
        for one in code.instructions
    ]
