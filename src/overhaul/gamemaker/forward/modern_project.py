"""A project of Studio 1 made into one of later releases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from overhaul.errors import FormatError
from overhaul.gamemaker.forward import modern_assets, modern_code
from overhaul.gamemaker.forward.actions import CODE, VARIABLE, Act
from overhaul.gamemaker.forward.modern import EDITOR, ForwardDraft, defined
from overhaul.gamemaker.forward.modern_assets import Sheet
from overhaul.gamemaker.forward.modern_extensions import add_extensions
from overhaul.gamemaker.forward.modern_options import (
    add_options,
    configured,
    report_options,
    texture_groups,
)
from overhaul.gamemaker.forward.modern_rooms import Rooms
from overhaul.gamemaker.forward.naming import PARTS
from overhaul.gamemaker.forward.rich_text import plain_text
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.recovery.project import add_project_file

_INFORMATION: Final = "game_information"
_HELP: Final = "help.rtf"


def modern_of(old: IdeProjectDocument, name: str, *, is_classic: bool = False) -> ForwardDraft:
    """The project of a later release that one of Studio 1 becomes; ``is_classic``: that was made
    of one of Game Maker 5 to 8.1."""
    draft = ForwardDraft(old, name, is_classic=is_classic)
    options = configured(draft)
    draft.texture_groups = texture_groups(options)
    for part in PARTS:
        draft.count(part, 0)
    sheets = dict(_sheets(draft))
    rooms = Rooms(draft, sheets)
    draft.choose_variables(_sources(draft, rooms))
    modern_assets.add_sprites(draft)
    modern_assets.add_backgrounds(draft, rooms.used)
    modern_assets.add_sounds(draft)
    modern_assets.add_paths(draft)
    modern_code.add_scripts(draft)
    modern_assets.add_shaders(draft)
    modern_assets.add_fonts(draft)
    modern_code.add_timelines(draft)
    modern_code.add_objects(draft)
    order = rooms.add()
    modern_code.add_constants(draft)
    add_extensions(draft)
    modern_code.add_dropped(draft, _add_information(draft))
    report_options(draft, options)
    groups = modern_assets.audio_groups(draft)
    add_project_file(draft, EDITOR, order, groups, modern_assets.included(draft))
    add_options(draft, rooms.speed, options)
    return draft


def _sheets(draft: ForwardDraft) -> Iterator[tuple[str, Sheet]]:
    """The tile sets that backgrounds can become, by the new names of those."""
    for name, entry in draft.all("background"):
        path = draft.old.path_of(entry)
        if path is None:
            continue
        try:
            root = draft.old.gmx_file(path).root
        except FormatError:  # adding the background says so
            continue
        text = root.value("data").strip().replace("\\", "/")
        sheet = Sheet(name, root)
        if sheet.is_usable and text and draft.old.files.spelled(f"{entry.folder}/{text}"):
            yield name, sheet


def _sources(draft: ForwardDraft, rooms: Rooms) -> Iterator[str]:
    """All code of the project."""
    yield from rooms.sources()
    for entry in draft.old.entries_of("script"):
        path = draft.old.files.spelled(entry.path)
        if path is not None:
            text = draft.old.files.read(path).decode("utf-8", "replace").replace("\r\n", "\n")
            for _, source in defined(text, entry.name):
                yield source
    for kind in ("object", "timeline"):
        for entry in draft.old.entries_of(kind):
            path = draft.old.path_of(entry)
            if path is None:
                continue
            try:
                root = draft.old.gmx_file(path).root
            except FormatError:  # adding the resource says so
                continue
            for node in root.walk():
                if node.tag == "event":
                    yield from _code_of(modern_code.acts_of(node))


def _code_of(acts: Iterable[Act]) -> Iterator[str]:
    """The code of actions, and assignments for those that set a variable."""
    for act in acts:
        first = act.arguments[0][1] if act.arguments else ""
        if act.kind == CODE:
            yield first
        elif act.kind == VARIABLE:
            yield f"{first} = 0"


def _add_information(draft: ForwardDraft) -> str:
    """Keep what F1 showed as a note; its text."""
    path = draft.old.files.spelled(_HELP)
    if path is None:
        return ""
    text = plain_text(draft.old.files.read(path))
    draft.count(_INFORMATION, 1)
    if not text.strip():
        return ""
    draft.add("note", _INFORMATION, "GMNotes", {}, {f"{_INFORMATION}.txt": draft.source(text)})
    message = "what F1 showed is a note: later releases have no game information"
    draft.findings.warn("approximated", message, f"notes/{_INFORMATION}")
    return text
