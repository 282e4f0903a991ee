"""The file of the project itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from overhaul.gamemaker.ide.releases import RELEASES, family_of
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.included import FOLDER, included_files
from overhaul.gamemaker.recovery.modern import ModernDraft, ModernProjectDraft, rows
from overhaul.gamemaker.recovery.options import MAIN, WINDOWS, add_options

#: Every platform, as the editor writes it.
_ALL: Final = -1
_VERSIONS: Final = {"B": "1.5", "C": "1.6"}


def add_project(draft: ModernDraft) -> None:
    """Add the .yyp file, and the options."""
    rooms = [
        (name, path)
        for room in draft.game.general.room_order
        for kind, name, path in draft.listed
        if kind == "room" and room is not None and name == _room_name(draft, room)
    ]
    groups = [group.name for group in draft.game.audio_groups]
    add_project_file(draft, _editor(draft), rooms, groups, _included(draft))
    for (kind, name), tags in draft.tags.items():
        message = f"the tags {', '.join(tags)} of the {kind.replace('_', ' ')} {name} are left out"
        draft.findings.warn("left-out", message, f"{draft.name}.yyp")
    for name in draft.texture_groups.apart:
        message = f"the textures of the group {name} are next to the game: say so in the editor"
        draft.findings.warn("approximated", message, f"{draft.name}.yyp")
    add_options(draft)


def _included(draft: ModernDraft) -> list[Json]:
    """The rows of the included files, which are copied."""
    made: list[Json] = []
    for path, read in included_files(draft).items():
        draft.files[f"{FOLDER}/{path}"] = read
        folder, _, name = f"{FOLDER}/{path}".rpartition("/")
        members: dict[str, Json] = {"CopyToMask": _ALL, "filePath": folder}
        made.append(draft.record("GMIncludedFile", members, name))
    return made


def _editor(draft: ModernDraft) -> str:
    """The release of the editor, as far as the game says it. For a game whose editor wrote another
    form, the first release whose files have the draft's."""
    parts = str(draft.game.release).split(".")
    known = (".".join((*parts, "0", "0", "0")[:4]), *RELEASES)
    return next(text for text in known if family_of(text) >= draft.style.letter)


def add_project_file(
    draft: ModernProjectDraft,
    version: str,
    rooms: Sequence[tuple[str, str]],
    audio_groups: Sequence[str] = (),
    included: Sequence[Json] = (),
) -> None:
    """Add the .yyp file: ``version`` is that of the editor, ``rooms`` the names and paths of rooms
    in the order of the game."""
    style = draft.style
    listed: list[Json] = []
    for number, (_, name, path) in enumerate(draft.listed):
        row: dict[str, Json] = {"id": draft.place(name, path)}
        if style.letter == "B":
            row["order"] = number
        listed.append(row)
    ordered: list[Json] = [{"roomId": draft.place(name, path)} for name, path in rooms]
    members: dict[str, Json] = {
        "resources": listed,
        "isEcma": False,
        "tutorialPath": "",
        "configs": {"children": [], "name": "Default"},
        "RoomOrderNodes": ordered,
        "Folders": _folders(draft),
        "AudioGroups": _audio_groups(draft, audio_groups),
        "TextureGroups": _texture_groups(draft),
        "IncludedFiles": rows(included),
        "MetaData": {"IDEVersion": version},
        "defaultScriptType": 1,
        "LibraryEmitters": [],
        "templateType": None,
    }
    if style.letter == "B":
        members |= {
            "isDnDProject": False,
            "Options": rows([draft.place("Main", MAIN), draft.place("Windows", WINDOWS)]),
        }
    if style.letter in _VERSIONS:
        members["resourceVersion"] = _VERSIONS[style.letter]
    value = draft.record("GMProject", members, draft.name)
    if style.letter in _VERSIONS:
        value["resourceVersion"] = _VERSIONS[style.letter]
    draft.files[f"{draft.name}.yyp"] = draft.text(value)


def _room_name(draft: ModernDraft, room: object) -> str:
    target = getattr(room, "target", room)
    return draft.name_for("room", str(getattr(target, "name", "")))


def _folders(draft: ModernProjectDraft) -> list[Json]:
    made: list[Json] = []
    for number, group in enumerate(draft.groups(), 1):
        members: dict[str, Json] = {"folderPath": group["path"], "order": number}
        made.append(draft.record("GMFolder", members, str(group["name"])))
    return made


def _audio_groups(draft: ModernProjectDraft, given: Sequence[str]) -> list[Json]:
    names = given or ["audiogroup_default"]
    made: list[Json] = []
    for name in names:
        row = draft.record("GMAudioGroup", {"targets": _ALL}, name)
        if draft.style.letter in _VERSIONS:
            row["resourceVersion"] = "1.3"
        made.append(row)
    return made


def _texture_groups(draft: ModernProjectDraft) -> list[Json]:
    made: list[Json] = []
    for group in draft.texture_groups.groups:
        members: dict[str, Json] = {
            "isScaled": group.is_scaled,
            "autocrop": group.is_cropped,
            "border": group.border,
            "compressFormat": "bz2",
            "mipsToGenerate": group.mips,
            "targets": _ALL,
            "groupParent": draft.in_group(group.parent) if group.parent else None,
            "customOptions": "",
            "directory": group.directory,
            "loadType": "default",
        }
        row = draft.record("GMTextureGroup", members, group.name)
        if draft.style.letter in _VERSIONS:
            row["resourceVersion"] = "1.3"
        made.append(row)
    return made
