"""Renaming what the scripts of a folder declare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.language.ags.names import ScriptNames, Target
from overhaul.language.ags.scanning import WORDS
from overhaul.language.ags.structs import ACCESSORS
from overhaul.language.answers import Doubt, Edit, Renamed
from overhaul.language.edits import after_edits
from overhaul.language.protocol import Proof
from overhaul.language.texts import Lines

_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
#: functions that the engine calls by their names (manual: "Event handlers in scripts")
CALLED: Final = frozenset(
    ("game_start", "repeatedly_execute", "repeatedly_execute_always",
     "late_repeatedly_execute_always", "on_key_press", "on_mouse_click", "on_event",
     "on_text_input", "interface_click", "dialog_request", "unhandled_event", "room_Load",
     "dialog_options_get_active", "dialog_options_render", "dialog_options_repexec",
     "dialog_options_mouse_click", "dialog_options_key_press", "dialog_options_get_dimensions",
     "dialog_options_text_input", "dialog_options_close", "validate_restored_save")
)  # fmt: skip


class Renamer:
    """Renames names of scripts."""

    def __init__(self, names: ScriptNames) -> None:
        self._names = names

    def refuse(self, target: Target) -> None:
        """Raise WorkspaceError if the new name is the present one."""
        said = ""
        if target.what == "known":
            said = "is declared by the editor, or is a thing of the game"
        elif target.what == "member":
            said = self._fixed(target)
        elif target.what == "unknown":
            said = "is not declared in these files"
        elif target.what == "own" and target.name in CALLED:
            said = "is called by the engine"
        elif target.what == "type":
            function = self._names.without_body(target.name)
            said = f"has {function}, which no script here defines" if function else ""
        if said:
            raise WorkspaceError(f"{target.name} {said}: it can't be renamed")

    def _fixed(self, target: Target) -> str:
        """Why a member has the name that it has; "" where it is one of the scripts' own."""
        structs = self._names.structs
        if not target.owner:
            return "is a member of a struct that is not known here"
        if not structs.home(target.owner, target.name):
            return "is declared by the editor"
        if structs.attribute(target.owner, target.name):
            return "belongs to an attribute, by whose name it is called"
        return ""

    def rename(self, target: Target, new: str, prove: Proof) -> Renamed:
        """All edits for another name.  Raises WorkspaceError where it is refused."""
        self.refuse(target)
        names = self._names
        self._check(target, new)
        edits = [*self._edits(target, new)]
        doubts: list[Doubt] = []
        edits += [Edit(event.path, event.start, event.end, new) for event in names.events(target)]
        try:
            before = set(prove({}))
        except OverhaulError:
            return Renamed(edits, [], doubts)  # its files report why it can't be packed
        try:
            findings = prove(dict(after_edits(names.texts, edits, [])))
        except OverhaulError as error:
            raise WorkspaceError(
                f"{target.name} can't become {new}: the folder could not be packed then: {error}"
            ) from error
        doubts += [Doubt("", 0, str(each)) for each in findings if each not in before]
        return Renamed(edits, [], doubts)

    def _edits(self, target: Target, new: str) -> Iterator[Edit]:
        """The places of a name, and of the functions of an attribute."""
        names = self._names
        for path, each in names.uses(target):
            span = names.span(path, each)
            yield Edit(path, span.start, span.end, new)
        if target.what == "member":
            for function in names.structs.accessors(target.owner, target.name):
                prefix = function[: -len(target.name)]
                for path, each in names.uses(target._replace(name=function)):
                    span = names.span(path, each)
                    yield Edit(path, span.start, span.end, prefix + new)

    def _check_member(self, target: Target, new: str) -> None:
        """Raise WorkspaceError where a member may be meant, or another one has the name."""
        names = self._names
        own = [target.name, *names.structs.accessors(target.owner, target.name)]
        for name in own:
            for path, each in names.unsure(target._replace(name=name)):
                place = self._place(path, each.position)
                raise WorkspaceError(f"{place}: what {name} is a member of is not known here")
            for path, macro in names.in_macros(name):
                place = self._place(path, macro.position)
                raise WorkspaceError(f"{place}: the macro {macro.name} may mean {target.name}")
        taken = names.structs.related(target.owner)
        for name in (new, *(f"{prefix}{new}" for prefix in ACCESSORS)):
            if name in taken:
                raise WorkspaceError(f"{new} is taken: {target.owner} has {name}")
        for path in names.paths():
            known = names.known(path)
            if known is not None and f"{target.owner}::{new}" in known.names.symbols:
                raise WorkspaceError(f"{new} is taken: {target.owner} has it")
            macros = {
                declaration.name
                for declaration in names.scan(path).declared
                if declaration.what == "macro"
            }
            if new in macros or (known is not None and new in known.macros):
                raise WorkspaceError(f"{new} is taken: it is a macro in {path}")

    def _place(self, path: str, offset: int) -> str:
        line, column = Lines(self._names.texts.read(path)).place(offset)
        return f"{path}:{line + 1}:{column + 1}"

    def _check(self, target: Target, new: str) -> None:
        names = self._names
        if _NAME.fullmatch(new) is None:
            raise WorkspaceError(f"{new!r} is not a name: letters, digits and _ only")
        if new in WORDS:
            raise WorkspaceError(f"{new} is a word of the language")
        if new == target.name:
            raise WorkspaceError(f"it is called {new} already")
        if target.what == "member":
            self._check_member(target, new)
            return
        if target.what == "type":
            for path, macro in names.in_macros(target.name):
                place = self._place(path, macro.position)
                raise WorkspaceError(f"{place}: the macro {macro.name} may mean {target.name}")
        for path in dict.fromkeys(path for path, _ in names.uses(target)):
            known = names.known(path)
            if known is not None and (new in known.names.symbols or new in known.macros):
                raise WorkspaceError(f"{new} is taken: it is declared for this script")
            for occurrence in names.scan(path).occurrences:
                if occurrence.name == new and not occurrence.dotted:
                    line = Lines(names.texts.read(path)).place(occurrence.position)[0] + 1
                    raise WorkspaceError(f"{new} is taken: {path}:{line} has it")
