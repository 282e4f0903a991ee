"""A project to its game: scripts are compiled, the game's data is made, and all is packed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from overhaul.ags.agf.built import BuildError, Built
from overhaul.ags.agf.compiling import PROJECT_FILE, ProjectCompiler
from overhaul.ags.agf.dialogs import SCRIPT_NAME as DIALOGS
from overhaul.ags.agf.files import ProjectFiles
from overhaul.ags.agf.model import version_index
from overhaul.ags.agf.variables import SCRIPT_NAME as VARIABLES
from overhaul.ags.language import ScriptError
from overhaul.ags.project.building import checks, package, rooms, setup, speech, translations
from overhaul.ags.project.building.game import GLOBAL_SCRIPT, Compiled, GameBuilder
from overhaul.ags.project.building.reading import ElementError, number, text_of
from overhaul.ags.project.building.releases import Release, release_of
from overhaul.ags.project.document import ROOT
from overhaul.ags.project.setup_file import FILE as SETUP
from overhaul.ags.script.model import Script, read_script
from overhaul.ags.text import UTF_8, unshow
from overhaul.document import caches
from overhaul.document.files import already_exists, write_into
from overhaul.document.names import LONGEST
from overhaul.document.xmltext import XmlFile, XmlNode, read_xml
from overhaul.errors import (
    CharacterError,
    EncodeError,
    FormatError,
    OverhaulError,
    PlainFileError,
)
from overhaul.findings import Findings

T = TypeVar("T")
#: The names of the caches of compiled scripts.
_BLOCKS: Final = "block"
_PACKAGES: Final = (".ags", ".exe")
_REQUEST: Final = re.compile(r"\bdialog_request\b")
_NEW_LAYOUT: Final = (3, 6, 1)
_UNICODE_SINCE: Final = (3, 6)
#: The encoding of a game whose editor took that of its system, which no project names.
_ANSI: Final = "cp1252"
#: The version index since which each character says whether it moves with its animation.
_LINKED_SINCE: Final = 2


def build(
    project: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    engine: str | os.PathLike[str] | None = None,
    strict: bool = False,
    force: bool = False,
) -> Built:
    """Build the game of a project: see :func:`overhaul.ags.build`."""
    made = _Project(Path(project))
    target = Path(out)
    is_file = target.suffix.casefold() in _PACKAGES and not target.is_dir()
    folder = target.parent if is_file else target
    name = target.name if is_file else f"{made.name}{'.exe' if engine is not None else '.ags'}"
    if name.casefold().endswith(".exe") and engine is None:
        raise FormatError(
            "an .exe needs an engine, which Overhaul does not have: name one with --engine, or "
            "build an .ags",
            source=str(out),
        )
    files = made.build(name, None if engine is None else Path(engine))
    if strict and made.built.findings:
        raise BuildError(made.built.findings, made.built.scripts)
    existing = [str(folder / path) for path in files if os.path.lexists(folder / path)]
    if existing and not force:
        raise already_exists(existing[0])
    write_into(str(folder), {path: partial(bytes, data) for path, data in files.items()},
               force=force)  # fmt: skip
    built = made.built
    built.path = str(folder / name)
    built.files = [str(folder / path) for path in files]
    return built


class _Project:
    """A project while it is built."""

    def __init__(self, path: Path) -> None:
        root = path.parent if path.is_file() else path
        self.files = ProjectFiles(root)
        found = path if path.is_file() else self.files.find(PROJECT_FILE)
        if found is None:
            raise FormatError(f"the folder has no {PROJECT_FILE}", source=str(path))
        self.source = str(found)
        self.data = self.files.read(found)
        self.file: XmlFile = read_xml(self.data, source=self.source)
        game = self.file.root.find("Game")
        if self.file.root.tag != ROOT or game is None:
            raise FormatError(f"not a project: expected {ROOT} with Game", source=self.source)
        self.game = game
        attributes = self.file.root.attributes
        self.release: Release = release_of(
            attributes.get("EditorVersion", "3.2.1"), attributes.get("VersionIndex", "")
        )
        self.built = Built("", self.release.name)
        self.errors = Findings()
        self._stored_texts()
        if self.release.name != self.release.project:
            self._open_in_later()
        named = game.find("Settings/GameFileName")
        if named is not None and len(os.fsencode(self.name)) > LONGEST:
            self.fault(f"the game's files can't have a name of more than {LONGEST} bytes", named)

    @property
    def name(self) -> str:
        """The name of the game's files, without an ending."""
        own = text_of(self.game, "Settings/GameFileName") if self.release.since(3, 5, 0, 11) else ""
        name = own or self.files.root.resolve().name
        return re.sub(r'[\\/:*?"<>|\x00-\x1f]+', "", name).strip(" .") or "game"

    def _stored_texts(self) -> None:
        """Give elements their texts as the game stores them: bytes in its encoding."""
        encoding = self.file.encoding
        if self.release.since(*_UNICODE_SINCE):
            named = text_of(self.game, "Settings/GameTextEncoding")
            encoding = UTF_8 if named.casefold() == UTF_8 else _ANSI
        if encoding.casefold() == UTF_8:
            return
        for node in self.game.walk():
            try:
                node.text = unshow(node.text, encoding)
                for name, value in node.attributes.items():
                    node.attributes[name] = unshow(value, encoding)
            except CharacterError as error:
                self.fault(str(error), node)

    def _open_in_later(self) -> None:
        """Do what a later editor does when it opens the project, and say so."""
        release = self.release
        self.built.findings.warn(
            "older-editor",
            f"the project is of the editor {release.project}: its game is built as the editor "
            f"{release.name} builds it, and needs an engine of that release or a later one",
            self.source,
        )
        if not 0 <= version_index(self.file.root.attributes) < _LINKED_SINCE:
            return
        linked = text_of(self.game, "Settings/AntiGlideMode") or "True"
        for node in self.game.walk():
            if node.tag == "Character" and node.find("MovementLinkedToAnimation") is None:
                node.children.append(XmlNode("MovementLinkedToAnimation", linked))

    def place(self, node: XmlNode) -> tuple[int, int]:
        """The line and the column of an element."""
        if node.start < 0:
            return 0, 0
        before = self.data[: self.file.place(node, self.data)]
        return before.count(b"\n") + 1, len(before) - before.rfind(b"\n")

    def fault(self, message: str, node: XmlNode, code: str = "invalid") -> None:
        """Note an error in an element of the project."""
        at = PlainFileError(message, self.source, node.tag, *self.place(node), code=code)
        self._note(at)

    # -- the steps -----------------------------------------------------------------------------

    def build(self, name: str, engine: Path | None) -> dict[str, bytes]:
        """The files of the game by their names.  Raises BuildError."""
        compiler = ProjectCompiler(self.files, self.release.name)
        made_rooms: dict[str, bytes] = {}
        scripts: Compiled | None = None
        for fault in self._guarded(lambda: list(checks.faults(self.game, self.release))) or ():
            self.fault(*fault)
        self._guarded(lambda: made_rooms.update(self._rooms(compiler)))
        scripts = self._scripts(compiler)
        builder = self._guarded(lambda: GameBuilder(self.game, self.release))
        data = None
        if builder is not None and scripts is not None:
            found = scripts
            data = self._guarded(lambda: builder.build(found).to_bytes())
            for one in builder.findings:
                self.built.findings.warn(one.code, one.message, self.source)
        files = {}
        if builder is not None:
            clips = package.clips_in_folders([node for node, _ in builder.clips], self.game)
            files = self._guarded(lambda: self._files(name, data, made_rooms, clips, engine)) or {}
        if scripts is not None:
            self._warn_handlers(scripts)
        if self.release.has_clips:
            lost = checks.unknown_sounds(self.game, self.place, self.source)
            self.built.findings += self._guarded(lambda: list(lost)) or ()
        if self.errors:
            raise BuildError(self.errors, self.built.scripts)
        return files

    def _guarded(self, work: Callable[[], T]) -> T | None:
        """The result of a step; None where it finds an error, which is noted."""
        try:
            return work()
        except ElementError as error:
            self.fault(error.message, error.node, error.code)
        except EncodeError as error:  # a value of the project that game data has no room for
            self._note(FormatError(error.message, source=self.source, path=error.path))
        except OverhaulError as error:
            self._note(error)
        return None

    def _note(self, error: OverhaulError) -> None:
        """Note an error, once."""
        self.errors += error.findings.without(self.errors)

    def _compile(self, compiler: ProjectCompiler, name: str) -> Script | None:
        """A script, compiled; None for one with errors, which are noted."""
        self.built.scripts.names.append(name)
        path = self.files.find(name) or self.files.root / name
        try:
            return self._compiled(compiler, path.absolute())
        except (ScriptError, FormatError) as error:
            moved = error.moved(self._path_of) if isinstance(error, ScriptError) else error
            self.built.scripts.failed[name] = moved.findings[0]
            self._note(moved)
            return None

    def _compiled(self, compiler: ProjectCompiler, path: Path) -> Script:
        """A script, compiled now or by an earlier build of the same texts."""
        key = compiler.inputs(path)
        held = caches.read(key, _BLOCKS)
        if held is not None:
            self.built.scripts.reused.append(path.name)
            return read_script(held)[0]
        made = compiler.compile(path)
        caches.write(key, _BLOCKS, made.to_bytes())
        return made

    def _path_of(self, name: str) -> str:
        """The path of a script's file; the name of one that is made of the project."""
        found = self.files.find(name)
        return name if found is None else str(found)

    def _rooms(self, compiler: ProjectCompiler) -> Iterator[tuple[str, bytes]]:
        """The rooms in the order of the tree, with their scripts compiled."""
        unique_id = number(self.game, "Settings/UniqueID")
        for node in package.rooms_in_order(self.game):
            stem = f"room{number(node, 'Number')}"
            found = self.files.find(f"{stem}.crm")
            if found is None:
                self.fault(f"the room {stem}.crm is not in the project", node, "absent-file")
                continue
            script = self._compile(compiler, f"{stem}.asc")
            if script is not None:
                data, missing = rooms.with_script(
                    self.files.read(found), script, unique_id, str(found)
                )
                for name in missing:
                    message = f"an event of the room runs {name}, which its script lacks"
                    self.built.findings.warn("missing-name", message, str(found))
                yield found.name, data

    def _scripts(self, compiler: ProjectCompiler) -> Compiled | None:
        """The scripts of the game; None where one does not compile."""
        project = compiler.project
        names = [name for name in project.scripts if name.casefold() != GLOBAL_SCRIPT.casefold()]
        if project.variables:
            names.insert(0, VARIABLES)
        self._add_request(compiler)
        main = self._compile(compiler, GLOBAL_SCRIPT)
        modules = {name: self._compile(compiler, name) for name in names}
        dialogs = self._compile(compiler, DIALOGS)
        if main is None or dialogs is None or None in modules.values():
            return None
        compiled = {name: script for name, script in modules.items() if script is not None}
        return Compiled(main, dialogs, compiled)

    def _add_request(self, compiler: ProjectCompiler) -> None:
        """Add the function that dialogs call to the global script, where it lacks it."""
        found = self.files.find(GLOBAL_SCRIPT)
        if found is None:
            return
        text = compiler.text_of(found)
        if not _REQUEST.search(text):
            stub = "\r\nfunction dialog_request(int param) {\r\n}"
            if self.release.since(*_NEW_LAYOUT):
                stub = "\r\nfunction dialog_request(int param)\r\n{\r\n}\r\n"
            compiler.texts[found.name] = text + stub

    def _files(
        self,
        name: str,
        data: bytes | None,
        made_rooms: dict[str, bytes],
        clips: list[XmlNode],
        engine: Path | None,
    ) -> dict[str, bytes]:
        """All files of the game."""
        members = package.Members(self.game, self.files, self.release)
        clips = [clip for clip in clips if self._has_sound(members, clip)]
        listed = members.listed(data or b"", made_rooms, clips)
        self.built.findings += members.findings
        self.built.members = {member: len(held) for member, held in listed.items()}
        split = number(self.game, "Settings/SplitResources")
        made = package.package_of(listed, self.name, self.release, split)
        if engine is not None:
            package.with_engine(made, self.files.read(engine), self.release, str(engine))
        files = {name: made.to_bytes(), **made.other_parts()}
        voices = members.voices(clips)
        if voices:
            files["audio.vox"] = package.voices_package(voices, "audio.vox", self.release)
        files |= members.loose()
        files |= speech.speech_packages(self.game, self.files, self.release)
        files |= self._translations()
        own = self.files.find(SETUP)
        config = setup.setup(self.game, self.release, None if own is None else self.files.read(own))
        if config is not None:
            files[SETUP] = config
        return files

    def _has_sound(self, members: package.Members, clip: XmlNode) -> bool:
        """Whether a sound is there; one that is not is left out, with a warning."""
        if members.sound_file(clip) is not None:
            return True
        name, source = text_of(clip, "ScriptName"), text_of(clip, "SourceFileName")
        cached = f"{package.CACHE}/{package.cache_name(clip)}"
        self.built.findings.warn(
            "absent-file",
            f"the sound {name} is left out: there is neither its source {source} nor {cached}",
            self.source,
            "SourceFileName",
            *self.place(clip.find("SourceFileName") or clip),
        )
        return False

    def _translations(self) -> Iterator[tuple[str, bytes]]:
        section = self.game.find("Translations")
        unique_id = number(self.game, "Settings/UniqueID")
        game = text_of(self.game, "Settings/GameName")
        for node in () if section is None else section.all("Translation"):
            stem = text_of(node, "Name") or text_of(node, "FileName").rpartition(".")[0]
            found = self.files.find(f"{stem}.trs")
            if found is None:
                self.fault(f"the translation {stem}.trs is not in the project", node, "absent-file")
                continue
            made = self._guarded(
                partial(
                    translations.translation_of, self.files.read(found), found.name, self.release,
                    unique_id, game, self.built.findings,
                )
            )  # fmt: skip
            if made is not None:
                yield f"{stem}.tra", made

    def _warn_handlers(self, scripts: Compiled) -> None:
        """Warn about events without a function."""
        every = {GLOBAL_SCRIPT: scripts.main, **scripts.modules}
        self.built.findings += checks.unknown_handlers(self.game, every, self.place, self.source)


__all__ = ["BuildError", "Built", "build"]
