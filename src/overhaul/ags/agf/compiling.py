"""A script of a project to the block that the editor would write."""

from __future__ import annotations

import hashlib
import re
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

from overhaul.ags.agf import dialogs, header, variables
from overhaul.ags.agf.files import ProjectFiles
from overhaul.ags.agf.model import Project, read_project
from overhaul.ags.agf.rooms import Guesses, RoomNames, guessed_names, names_in_room
from overhaul.ags.api import (
    ScriptSettings,
    builtin_header,
    declarations,
    parse_version,
    script_macros,
)
from overhaul.ags.language import (
    CompilerOptions,
    LateNames,
    ScriptError,
    Source,
    compile_block,
    compile_late,
)
from overhaul.ags.language.preprocessor import LINE_ENDS
from overhaul.ags.script.model import Script
from overhaul.ags.text import decode
from overhaul.document import caches
from overhaul.errors import FormatError

BUILT_IN_HEADER: Final = "_BuiltInScriptHeader.ash"
PROJECT_FILE: Final = "Game.agf"
GENERATED: Final = "generated"
_ROOM: Final = re.compile(r"room(-?\d+)\.asc", re.IGNORECASE)
_PROGRAM: Final = re.compile(r"\.(?:dll|so|dylib)$", re.IGNORECASE)
_MOST_GUESSES: Final = 200
_MOST_COMPILERS: Final = 4
#: Where the header with the names of the project's things is among the headers.
_PROJECT_HEADER: Final = 1
_DIGEST: Final = 20
#: The folders with the code that decides what a script becomes.
_COMPILED_BY: Final = ("ags/agf", "ags/api", "ags/language", "ags/script")
_BOM: Final = b"\xef\xbb\xbf"


def compile_project(folder: str | Path, script: str | Path, editor: str | None = None) -> bytes:
    """The block (SCOM) that the editor's compiler writes for a script of a project.

    ``folder`` holds ``Game.agf`` and the headers; ``script`` is the path of the script, in the
    folder or elsewhere.  Texts that the editor makes of the project (``_GlobalVariables.asc``,
    ``__DialogScripts.asc``) are made here if the script's file does not exist.  ``editor`` is a
    version such as "3.5.0.27"; the project's own is taken if none is given.

    Raises ScriptError for a text that does not compile, FormatError for a broken project.
    """
    return _compiler_of(Path(folder), editor).compile(Path(script)).to_bytes()


#: The compilers of the projects that were used last.
_COMPILERS: dict[tuple[Path, str | None], ProjectCompiler] = {}


def _compiler_of(folder: Path, editor: str | None) -> ProjectCompiler:
    """The compiler of a project, which is read again only if its file has changed."""
    key = folder.absolute(), editor
    compiler = _COMPILERS.pop(key, None)
    if compiler is None or not compiler.is_current():
        compiler = ProjectCompiler(folder, editor)
    while len(_COMPILERS) >= _MOST_COMPILERS:
        del _COMPILERS[next(iter(_COMPILERS))]
    _COMPILERS[key] = compiler
    return compiler


class ProjectCompiler:
    """Compiles the scripts of the project in a folder, by the rules of an editor's version."""

    def __init__(self, folder: Path | ProjectFiles, editor: str | None = None) -> None:
        self.files = folder if isinstance(folder, ProjectFiles) else ProjectFiles(folder)
        self.folder: Path = self.files.root
        path = self.files.find(PROJECT_FILE)
        if path is None:
            raise FormatError(f"the folder has no {PROJECT_FILE}", source=str(self.folder))
        self._data = self.files.read(path)
        self.project: Project = read_project(self._data, source=str(path))
        self.editor: str = editor or self.project.editor
        try:
            self.version: tuple[int, ...] = parse_version(self.editor)
        except ValueError as error:
            message = f"expected a version such as 3.5.0.27, got {self.editor!r}"
            raise FormatError(message, source=str(path)) from error
        self.options: CompilerOptions = self._options()
        #: Texts in the place of the files of these names.
        self.texts: dict[str, str] = {}
        #: The names in rooms, with a digest of the room's file, by its path.
        self._rooms: dict[Path, tuple[bytes, RoomNames]] = {}

    def is_current(self) -> bool:
        """Whether the file of the project is as it was."""
        path = self.files.find(PROJECT_FILE)
        return path is not None and self.files.read(path) == self._data

    def _options(self) -> CompilerOptions:
        """The compiler's options, from the settings of the project."""
        project = self.project
        settings = ScriptSettings(
            self.editor,
            api=_level(project.settings.get("ScriptAPIVersion")),
            compatibility=_level(project.settings.get("ScriptCompatLevel")),
            object_based=project.setting("EnforceObjectBasedScript"),
            new_strings=project.setting("EnforceNewStrings"),
            new_audio=project.setting("EnforceNewAudio"),
            new_dialog_options=not project.setting("UseOldCustomDialogOptionsAPI"),
            new_keyboard=not project.setting("UseOldKeyboardHandling"),
            left_to_right=project.setting("LeftToRightPrecedence"),
            debug=project.setting("DebugMode"),
            unicode=project.settings.get("GameTextEncoding", "").lower() == "utf-8",
        )
        return CompilerOptions(
            editor=self.version,
            left_to_right=settings.left_to_right,
            old_strings=not settings.new_strings,
            macros=tuple(script_macros(settings).items()),
        )

    def compile(self, script: Path) -> Script:
        """The block of a script."""
        path = self._place(script)
        source = Source(script.name, self.text_of(path))
        room = _ROOM.fullmatch(script.name)
        if room is None:
            return self._compiled(self.headers(script.name, RoomNames()), source)
        names = self._room_names(path)
        shared = self.headers(script.name, RoomNames())
        if names is None:
            late = guessed_names(_PROJECT_HEADER, Guesses(source.text), self._members)
        else:
            late = LateNames(_PROJECT_HEADER, names.imports())
        made = compile_late(shared, source, self.options, late)
        if made is not None:
            return made
        if names is not None:
            return self._compiled(self.headers(script.name, names), source)
        return self._with_guesses(source)

    def headers_of(self, script: Path) -> list[Source]:
        """The texts before a script, with the things of its room."""
        room = _ROOM.fullmatch(script.name)
        names = None if room is None else self._room_names(self._place(script))
        return self.headers(script.name, names or RoomNames())

    def sources(self, script: Path) -> list[Source]:
        """The texts that a script is compiled with, and its own, without the things of its room."""
        own = Source(script.name, self.text_of(self._place(script)))
        return [*self.headers(script.name, RoomNames()), own]

    def inputs(self, script: Path) -> str:
        """A digest of all that the block of a script is made of."""
        path = self._place(script)
        is_room = _ROOM.fullmatch(script.name) is not None
        names = self._room_names(path) if is_room else None
        parts = [caches.stamp_of(*_COMPILED_BY), repr(self.options), script.name]
        parts.append("" if names is None else repr(names.imports()))
        for source in self.sources(script):
            parts += [source.name, source.text]
        digest = hashlib.blake2b(digest_size=_DIGEST)
        for part in parts:
            data = part.encode("utf-8", "surrogateescape")
            digest.update(len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()

    def line_of(self, script: Path, error: ScriptError) -> str:
        """The line that an error in a script or its headers is in; "" where it is not known."""
        names = RoomNames()
        texts = {source.name: source.text for source in self.headers(script.name, names)}
        texts[script.name] = self.text_of(self._place(script))
        lines = LINE_ENDS.split(texts.get(error.name, ""))
        return lines[error.line - 1] if 0 < error.line <= len(lines) else ""

    @cached_property
    def _made(self) -> list[Source]:
        """The headers that the editor makes of the project, for a script without a room."""
        result = [
            Source(BUILT_IN_HEADER, builtin_header(self.editor)),
            Source(header.NAME, self.made_header),
        ]
        if self.project.variables:
            text = variables.variables_header(self.project.variables)
            result.append(Source(variables.HEADER_NAME, text))
        return result

    @property
    def made_header(self) -> str:
        """The declarations that the editor generates for the project's things."""
        return header.project_header(self.project, self.version)

    def _place(self, script: Path) -> Path:
        """Where a script lies: at its path, or in the project's folder."""
        there = script.is_absolute() or self.files.exists(script)
        return script if there else self.folder / script

    def text_of(self, path: Path) -> str:
        """The text of a script, made of the project if the file does not exist."""
        if path.name in self.texts:
            return self.texts[path.name]
        if self.files.exists(path):
            return _decoded(self.files.read(path))
        generated = self.files.find(f"{GENERATED}/{path.name}")
        if generated is not None:
            return _decoded(self.files.read(generated))
        if path.name == variables.SCRIPT_NAME:
            return variables.variables_script(self.project.variables)
        if path.name == dialogs.SCRIPT_NAME:
            return dialogs.dialogs_script(self.project)
        raise FormatError("the script does not exist", source=str(path))

    def headers(self, script: str, names: RoomNames) -> list[Source]:
        """The texts before a script, in order."""
        imports = header.import_lines(names.imports())
        result = [self._made[0], Source(header.NAME, self._made[1].text + imports), *self._made[2:]]
        result += self._plugins()[0]
        if script == variables.SCRIPT_NAME:
            return result
        own = f"{script.rpartition('.')[0]}.ash".lower()
        for name in self.project.headers:
            path = self.files.find(name)
            if path is None:
                raise FormatError("the header does not exist", source=str(self.folder / name))
            result.append(Source(name, _decoded(self.files.read(path))))
            if name.lower() == own:
                break
        return result

    def _plugins(self) -> tuple[list[Source], list[str]]:
        """The headers of plugins that are there, and the plugins whose header is not.

        The editor asks the plugin for its header.  Here it is a file of the plugin's name in the
        folder of generated texts or in the project (``agsbox2d.ash`` for ``agsbox2d.dll``).
        """
        found: list[Source] = []
        missing: list[str] = []
        own = {name.lower() for name in self.project.headers}
        for plugin in self.project.plugins:
            name = f"{re.sub(_PROGRAM, '', plugin)}.ash"
            path = self.files.find(f"{GENERATED}/{name}") or self.files.find(name)
            if path is not None and name.lower() not in own:
                found.append(Source(path.name, _decoded(self.files.read(path))))
            elif path is None:
                missing.append(plugin)
        return found, missing

    def _compiled(self, headers: list[Source], source: Source) -> Script:
        """The block of a script.  Raises ScriptError, with every error that is found."""
        try:
            return compile_block(headers, source, self.options, every=True)
        except ScriptError as first:
            missing = self._plugins()[1]
            for error in first.errors:
                if missing and error.unknown:
                    name = re.sub(_PROGRAM, "", missing[0])
                    error.message += (
                        f"; the header of the plugin {', '.join(missing)} is not there:"
                        f" it belongs into {GENERATED}/{name}.ash"
                    )
            raise

    def _room_names(self, script: Path) -> RoomNames | None:
        """The names in the room that a script belongs to; None if the file does not exist."""
        name = f"{script.stem}.crm"
        for files in (self._next_to(script), self.files):
            path = files.find(name)
            if path is not None:
                return self._names_in(path, files.read(path))
        return None

    def _names_in(self, path: Path, data: bytes) -> RoomNames:
        """The names in the bytes of a room's file, which are read once."""
        digest = hashlib.blake2b(data, digest_size=_DIGEST).digest()
        kept = self._rooms.get(path)
        if kept is None or kept[0] != digest:
            kept = self._rooms[path] = digest, names_in_room(data, source=str(path))
        return kept[1]

    def _next_to(self, script: Path) -> ProjectFiles:
        """The files next to a script, which may lie elsewhere."""
        return self.files if script.parent == self.folder else ProjectFiles(script.parent)

    def _with_guesses(self, source: Source) -> Script:
        """The block of a room's script without the room: undeclared names are its things."""
        guesses = Guesses(source.text)
        for _ in range(_MOST_GUESSES):
            headers = self.headers(source.name, guesses.names())
            try:
                return compile_block(headers, source, self.options)
            except ScriptError as error:
                name, member = error.undeclared
                if not guesses.add(name, member, self._members) and not guesses.remove(
                    error.redeclared
                ):
                    return self._compiled(headers, source)
        raise FormatError("too many names are not declared", source=source.name)

    def _members(self, struct: str) -> frozenset[str]:
        """The members of a struct of the built-in header."""
        return _members_of(self.editor, struct)


@lru_cache
def _members_of(editor: str, struct: str) -> frozenset[str]:
    return frozenset(row.name for row in declarations(editor) if row.owner == struct)


def _level(text: str | None) -> str:
    """A level of the script API as settings name it; "" for the newest."""
    return "" if text in (None, "Highest") else str(text)


def _decoded(data: bytes) -> str:
    return decode(data.removeprefix(_BOM))
