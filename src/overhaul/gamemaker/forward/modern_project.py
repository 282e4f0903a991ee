"""A project of Studio 1 made into one of later releases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from overhaul.errors import FormatError
from overhaul.gamemaker.forward import modern_assets, modern_code
from overhaul.gamemaker.forward.actions import CODE, VARIABLE, Act
from overhaul.gamemaker.forward.modern import EDITOR, ForwardDraft, defined, is_on, whole
from overhaul.gamemaker.forward.modern_assets import Sheet
from overhaul.gamemaker.forward.modern_extensions import add_extensions
from overhaul.gamemaker.forward.modern_rooms import Rooms
from overhaul.gamemaker.forward.naming import PARTS
from overhaul.gamemaker.forward.rich_text import plain_text
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.options import WINDOWS, add_main_options, add_windows_options
from overhaul.gamemaker.recovery.project import add_project_file

_INFORMATION: Final = "game_information"
_HELP: Final = "help.rtf"
#: Options that are on and that no later release has: what the old runner did.
_GONE: Final[Mapping[str, Mapping[str, str]]] = {
    "later runners do nothing when these keys are pressed": {
        "quitkey": "Esc ended the game",
        "savekey": "F5 saved the game and F6 loaded it",
        "screenshotkey": "F9 made a picture of the game",
    },
    "no option of later releases does this": {
        "freeze": "the game stood still while another window was active",
        "stayontop": "the window stayed above others",
        "nobuttons": "the window had no buttons",
        "changeresolution": "the game changed the resolution of the screen",
    },
}
#: What a project says about itself, in a note.
_SAID_BY: Final = "project_information"
_SAID: Final = {"author": "Author", "version": "Version", "information": "Information"}
_ICON: Final = "options/windows/icons/icon.ico"


def modern_of(old: IdeProjectDocument, name: str, *, is_classic: bool = False) -> ForwardDraft:
    """The project of a later release that one of Studio 1 becomes; ``is_classic``: that was made
    of one of Game Maker 5 to 8.1."""
    draft = ForwardDraft(old, name, is_classic=is_classic)
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
    values = _configured(draft)
    _report_options(draft, values)
    groups = modern_assets.audio_groups(draft)
    add_project_file(draft, EDITOR, order, groups, modern_assets.included(draft))
    _add_options(draft, rooms.speed, values)
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


# -- options ---------------------------------------------------------------------------------------


def _add_options(draft: ForwardDraft, speed: int, values: Mapping[str, str]) -> None:
    """Add the options: the main ones, and those for Windows."""
    main: dict[str, Json] = {
        "option_author": values.get("author", ""),
        "option_game_speed": speed,
        "option_gameid": str(whole(values.get("gameid", "0"))),
        "option_legacy_other_behaviour": True,
        "option_allow_instance_change": True,
    }
    add_main_options(draft, main)
    icon = values.get("windows_game_icon", "").replace("\\", "/")
    read = draft.file_at(icon, WINDOWS) if icon else None
    if read is not None:
        draft.files[_ICON] = read
    parts = [values.get(f"version_{part}", "0") for part in ("major", "minor", "release", "build")]
    windows: dict[str, Json] = {
        "allow_fullscreen_switching": is_on(values.get("screenkey", "0")),
        "borderless": is_on(values.get("borderless", values.get("noborder", "0"))),
        "company_info": values.get("version_company", ""),
        "copyright_info": values.get("version_copyright", ""),
        "description_info": values.get("version_description", ""),
        "display_cursor": is_on(values.get("showcursor", "-1")),
        "display_name": values.get("display_name", "") or draft.name,
        "interpolate_pixels": is_on(values.get("interpolate", "0")),
        "product_info": values.get("version_product", ""),
        "resize_window": is_on(values.get("sizeable", "0")),
        "scale": 0 if whole(values.get("scale", "0")) == -1 else 1,
        "start_fullscreen": is_on(values.get("fullscreen", "0")),
        "version": ".".join(str(max(0, whole(part))) for part in parts),
        "vsync": is_on(values.get("sync_vertex", "0")),
    }
    if read is not None:
        windows["icon"] = "${options_dir}/windows/icons/icon.ico"
    add_windows_options(draft, windows)


def _report_options(draft: ForwardDraft, values: Mapping[str, str]) -> None:
    """Report options that no later release has, and keep what the author says of the game."""
    for done, options in _GONE.items():
        found = [what for option, what in options.items() if is_on(values.get(option, "0"))]
        if found:
            draft.findings.warn("unsupported", f"{', '.join(found)}: {done}", WINDOWS)
    said = [
        f"{title}: {values[option]}" for option, title in _SAID.items() if values.get(option, "")
    ]
    if values.get("information", ""):
        draft.add(
            "note", _SAID_BY, "GMNotes", {}, {f"{_SAID_BY}.txt": draft.source("\n".join(said))}
        )
        message = "the information about the project is a note: later releases have none"
        draft.findings.warn("approximated", message, f"notes/{_SAID_BY}")


def _configured(draft: ForwardDraft) -> dict[str, str]:
    """The options of the first configuration; those of others are reported."""
    entries = draft.old.entries_of("configuration")
    for entry in entries[1:]:
        message = f"the configuration {entry.name} is left out"
        draft.findings.warn("left-out", message, entry.path)
    options = draft.root(entries[0]).find("Options") if entries else None
    found = () if options is None else options.children
    return {node.tag.removeprefix("option_"): node.text for node in found}
