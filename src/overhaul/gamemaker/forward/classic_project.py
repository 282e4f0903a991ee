"""A project of Game Maker 5 to 8.1 made into one of Studio 1."""

from __future__ import annotations

import uuid
from typing import Final

from overhaul.gamemaker.classic.conversion import convert
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.settings import Settings
from overhaul.gamemaker.forward import classic_assets, classic_objects, classic_rooms
from overhaul.gamemaker.forward.classic import ClassicDraft
from overhaul.gamemaker.forward.naming import PARTS, is_legal
from overhaul.gamemaker.forward.texts import cleaned
from overhaul.gamemaker.recovery.studio_rooms import add_project_file

#: The version whose records all are made of: each that is older becomes it first.
LAST: Final = 810
_ICON: Final = "Configs/Default/windows/runner_icon.ico"
_RTF: Final = b"{\\rtf"
_OWN_BAR: Final = 2
_NO_ARGUMENT: Final = 2
#: Options that are fields of the settings: truth values, numbers and texts.
_SWITCHES: Final = {
    "aborterrors": "errors_abort", "borderless": "dont_draw_border",
    "changeresolution": "set_resolution", "closeesc": "close_as_esc",
    "displayerrors": "errors_display", "freeze": "freeze_on_lose_focus",
    "fullscreen": "start_fullscreen", "helpkey": "key_f1", "interpolate": "interpolate",
    "loadtransparent": "load_transparent",
    "nobuttons": "dont_show_buttons", "noscreensaver": "disable_screensavers",
    "quitkey": "key_esc", "savekey": "key_f5_f6", "scaleprogress": "load_scale_bar",
    "screenkey": "key_f4", "screenshotkey": "key_f9", "showcursor": "display_cursor",
    "sizeable": "allow_resize", "stayontop": "always_on_top", "writeerrors": "errors_log",
}  # fmt: skip
_NUMBERS: Final = {
    "colordepth": "colour_depth", "frequency": "frequency", "loadalpha": "load_alpha",
    "priority": "priority", "resolution": "resolution", "scale": "scaling",
    "showprogress": "load_bar", "version_build": "build", "version_major": "major",
    "version_minor": "minor", "version_release": "release",
}  # fmt: skip
_TEXTS: Final = {
    "author": "author", "information": "information", "version": "game_version_text",
    "version_company": "company", "version_copyright": "copyright",
    "version_description": "description", "version_product": "product",
}  # fmt: skip


def studio_of(project: Project, name: str, *, is_last: bool = True) -> ClassicDraft:
    """The project of Studio 1 that an old one becomes; ``is_last``: it stays one of that."""
    old = project
    report = None
    if project.version < LAST:
        old, report = convert(project, LAST)
    draft = ClassicDraft(old, name, is_last=is_last)
    if report is not None:
        draft.findings += report
    for part in PARTS:
        draft.count(part, 0)
    classic_assets.add_sounds(draft)
    classic_assets.add_sprites(draft)
    classic_assets.add_backgrounds(draft)
    classic_assets.add_paths(draft)
    classic_assets.add_scripts(draft)
    classic_assets.add_fonts(draft)
    classic_objects.add_objects(draft)
    classic_objects.add_timelines(draft)
    classic_rooms.add_rooms(draft)
    _packages(draft)
    configuration = _configuration(draft, old.settings)
    rows = classic_assets.included(draft)
    add_project_file(draft, _constants(draft), configuration, _help(draft), rows)
    return draft


def _constants(draft: ClassicDraft) -> list[tuple[str, str]]:
    """The constants; triggers have some too."""
    given = [(each.name, each.value) for each in draft.old.constants.constants]
    for number, slot in enumerate(draft.old.triggers.slots):
        if slot.resource is not None and slot.resource.constant_name.strip():
            given.append((slot.resource.constant_name, str(number)))
    made: dict[str, str] = {}
    for name, value in given:
        plain = cleaned(name).strip()
        where = f"constant {plain}"
        if not is_legal(plain):
            draft.findings.warn("left-out", "later editors do not take the name", where)
        elif plain in made:
            draft.findings.warn("left-out", "another constant has the name", where)
        else:
            made[plain] = draft.code(value, where).strip()
    draft.count("constants", len(given), 0, len(given) - len(made))
    return list(made.items())


def _packages(draft: ClassicDraft) -> None:
    """Report the extension packages: a project has only their names."""
    names = [cleaned(each.name) for each in draft.old.packages.names]
    for name in names:
        message = f"the extension package {name} is on the author's machine: import it again"
        draft.findings.warn("left-out", message, "extensions")
    if names:
        draft.count("extensions", len(names), 0, len(names))


def _help(draft: ClassicDraft) -> bytes:
    """The text that F1 shows, as Rich Text."""
    text = draft.old.information.text.rstrip(b"\0")
    draft.count("game_information", 1)
    return text if text.lstrip().startswith(_RTF) else b"{\\rtf1\\ansi }"


def _configuration(draft: ClassicDraft, old: Settings) -> dict[str, object]:
    """The options of the default configuration."""
    values: dict[str, object] = {
        **{f"option_{name}": bool(getattr(old, field)) for name, field in _SWITCHES.items()},
        **{f"option_{name}": getattr(old, field) for name, field in _NUMBERS.items()},
        **{f"option_{name}": cleaned(getattr(old, field)) for name, field in _TEXTS.items()},
        "option_argumenterrors": bool(old.uninitialised & _NO_ARGUMENT),
        "option_display_name": cleaned(old.product) or draft.name,
        "option_fast_collision_compatibility": False,
        "option_gameguid": f"{{{_guid(draft)}}}",
        "option_gameid": draft.old.game_id,
        "option_shortcircuit": False,
        "option_sync_vertex": int(bool(old.synchronise & 1)),
        "option_use_fast_collision": True,
        "option_use_new_audio": False,
        "option_variableerrors": not old.uninitialised & 1,
        "option_windowcolor": f"${old.colour_outside_room & 0xFFFFFF:08X}",
    }
    if old.icon:
        draft.files[_ICON] = old.icon.__bytes__
        values["option_windows_game_icon"] = _ICON.replace("/", "\\")
    if old.load_bar == _OWN_BAR or old.own_load_image:
        message = "pictures of the loading bar are left out: later editors have splash screens"
        draft.findings.warn("unsupported", message, "Configs/Default.config.gmx")
    if old.uninitialised & 1:
        message = "variables without a value are 0 in this project: later runners report them"
        draft.findings.warn("unsupported", message, "Configs/Default.config.gmx")
    return values


def _guid(draft: ClassicDraft) -> str:
    given = draft.old.guid
    return str(uuid.UUID(bytes_le=bytes(given)) if any(given) else draft.id("game")).upper()
