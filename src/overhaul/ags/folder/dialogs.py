"""Dialogs in a folder: ``dialogs/dBarman.ads``, each in the language of the editor's dialogs.

From 3.1 on, the editor compiles one script of all dialogs, in which each is a part.  A part whose
lines in that language give the same code is a file next to the dialog's JSON; one without such
lines stays in the script, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from overhaul.ags.agf.dialogs import DialogConverter
from overhaul.ags.agf.model import Named, Project, ProjectDialog
from overhaul.ags.decompiler.files import ScriptFiles, compile_files, text_parts
from overhaul.ags.language import ScriptError
from overhaul.ags.script.model import Script
from overhaul.document.plainfiles import Folder
from overhaul.errors import FormatError, PlainFileError, WorkspaceError

ENDING: Final = ".ads"
FOLDER: Final = "dialogs/"
_SECTION: Final = "Dialog "
_NUMBER: Final = re.compile(rf"{_SECTION}(0|[1-9][0-9]{{0,8}})")
_STAYS: Final = "// not in the language of dialogs: "
_NO_LINES: Final = "its function is not one that the editor makes of a dialog"


class Split(NamedTuple):
    """The script of all dialogs as files: the text that stays, and the dialogs by number."""

    text: str
    dialogs: dict[int, str]


class Joined(NamedTuple):
    """The text of the script of all dialogs, and the files that its parts are from."""

    text: str
    paths: dict[str, str]


def is_dialog(path: str) -> bool:
    """Whether a path is that of a dialog's lines."""
    return path.startswith(FOLDER) and path.endswith(ENDING) and path.count("/") == 1


def take_along(folder: Folder, files: Iterable[str]) -> None:
    """Read the lines next to the edited JSON ``files`` of dialogs: they stay theirs by whatever
    name the dialog has."""
    for path in files:
        lines = path.removesuffix(".json") + ENDING
        if lines in folder:
            folder.read(lines)


class DialogFiles:
    """The dialogs of a game: the ``paths`` of their lines by number, and what these may name."""

    def __init__(
        self,
        paths: Iterable[str],
        names: Sequence[str],
        options: Sequence[int],
        people: Sequence[str],
    ) -> None:
        self.paths: list[str] = list(paths)
        self._project = Project(
            characters=[Named(name, number) for number, name in enumerate(people)],
            dialogs=[
                ProjectDialog(name, number, options=count)
                for number, (name, count) in enumerate(zip(names, options, strict=True))
            ],
        )

    # -- unpacking ---------------------------------------------------------------------------

    def split(self, files: ScriptFiles, script: Script) -> Split:
        """The files of a script, with those dialogs in files of their own that compile to it."""
        parts = list(text_parts(files.text, files.tables.name))
        numbers = [number for name, _, _ in parts if (number := self._number(name)) is not None]
        if files.reason or not numbers:
            return Split(files.text, {})
        taken, left = self._proven(files, script, numbers)
        text = ""
        for name, part, _ in parts:
            number = self._number(name)
            if number in taken:
                continue
            reason = "" if number is None else f"{_STAYS}{left[number]}\n"
            text += (mark(name) if text or name != files.tables.name else "") + part + reason
        return Split(text, taken)

    def _number(self, name: str) -> int | None:
        """The number of the dialog that a part is of; None for one that the game lacks."""
        found = _NUMBER.fullmatch(name)
        return int(found[1]) if found is not None and int(found[1]) < len(self.paths) else None

    def _proven(
        self, files: ScriptFiles, script: Script, numbers: Iterable[int]
    ) -> tuple[dict[int, str], dict[int, str]]:
        """The lines of dialogs that give the script's code, and why the others do not."""
        made: dict[int, tuple[str, str]] = {}
        left: dict[int, str] = {}
        for number in numbers:
            if number not in files.dialogs:
                left[number] = _NO_LINES
                continue
            lines = files.dialogs[number].replace("\r\n", "\n")
            try:
                made[number] = lines, self._script(number, lines, "")
            except ScriptError as error:
                left[number] = error.message
        wanted = script.to_bytes()
        if not self._difference(files, wanted, made):
            return {number: lines for number, (lines, _) in made.items()}, left
        taken: dict[int, tuple[str, str]] = {}
        for number, pair in made.items():
            reason = self._difference(files, wanted, {**taken, number: pair})
            if reason:
                left[number] = reason
            else:
                taken[number] = pair
        return {number: lines for number, (lines, _) in taken.items()}, left

    def _difference(
        self, files: ScriptFiles, wanted: bytes, made: Mapping[int, tuple[str, str]]
    ) -> str:
        """The reason why the script of these dialogs differs from the wanted one; empty if it
        does not."""
        text = ""
        for name, part, _ in text_parts(files.text, files.tables.name):
            number = self._number(name)
            own = made[number][1] if number is not None and number in made else part
            text += (mark(name) if text or name != files.tables.name else "") + own
        try:
            same = compile_files(replace(files, text=text)).to_bytes() == wanted
        except (ScriptError, FormatError) as error:
            return " ".join(str(error).split())
        return "" if same else "its lines give other code"

    # -- packing -----------------------------------------------------------------------------

    def check(self, files: Iterable[str]) -> None:
        """Raise WorkspaceError for a file of lines whose dialog the game does not have."""
        for file in files:
            if is_dialog(file) and file not in self.paths:
                raise PlainFileError(f"there is no {file.removesuffix(ENDING)}.json", file)

    def check_lines(self, path: str, lines: str) -> None:
        """Raise ScriptError, with the file and the line, for lines that their dialog can't have."""
        self._script(self.paths.index(path), lines, path)

    def joined(
        self, files: ScriptFiles, lines: Mapping[str, str], path: str, had: Iterable[str] = ()
    ) -> Joined:
        """The text of the script: what stayed in ``files`` (those of ``path``), and ``lines`` by
        their paths, in the order of the sections; ``had`` are the parts that the script had before.

        Raises WorkspaceError, and ScriptError with the file and the line.
        """
        first, *rest = text_parts(files.text.replace("\r\n", "\n"), files.tables.name)
        parts: dict[str, str] = {}
        for name, part, _ in rest:
            parts[name] = _ended(parts[name]) + mark(name) + part if name in parts else part
        paths: dict[str, str] = {}
        self.check(lines)
        for file, own in lines.items():
            number = self.paths.index(file)
            name = f"{_SECTION}{number}"
            if name in parts:
                raise PlainFileError(f"{path} has the lines of dialog {number}, too", file)
            parts[name] = self._script(number, own, file)
            paths[name] = file
        for name in had:
            missing = self._number(name)
            if missing is not None and name not in parts:
                raise WorkspaceError(
                    f"{self.paths[missing]} is missing: dialog {missing} would have no lines"
                )
        names = (name for group in files.tables.sections for name in group)
        known = {name: at for at, name in enumerate(names)}
        order = sorted(parts, key=lambda name: (known.get(name, len(known)), *_natural(name)))
        text = first[1]
        for name in order:
            text = _ended(text) + mark(name) + parts[name]
        return Joined(text, paths)

    def as_packed(self, files: ScriptFiles, script: Script) -> ScriptFiles:
        """The files of a script with the text that its files in a folder are put together to."""
        split = self.split(files, script)
        lines = {self.paths[number]: own for number, own in split.dialogs.items()}
        return replace(files, text=self.joined(replace(files, text=split.text), lines, "").text)

    def _script(self, number: int, lines: str, path: str) -> str:
        """The script that the editor makes of a dialog's lines.  Raises ScriptError."""
        dialog = replace(self._project.dialogs[number], script=lines)
        try:
            return "".join(f"{line}\n" for line in DialogConverter(self._project, dialog).lines())
        except ScriptError as error:
            error.name = path or error.name
            raise


def _ended(text: str) -> str:
    """A text that something follows: its last line ends."""
    return text if not text or text.endswith("\n") else text + "\n"


def _natural(name: str) -> tuple[int, str]:
    found = _NUMBER.fullmatch(name)
    return (int(found[1]) if found is not None else -1, name)


def mark(name: str) -> str:
    """The line that begins a part of the script."""
    return f'"__NEWSCRIPTSTART_{name}"\n'
