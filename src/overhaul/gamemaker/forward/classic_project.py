"""A project of Game Maker 5 to 8.1 made into one of Studio 1."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

from overhaul.gamemaker.classic.conversion import convert
from overhaul.gamemaker.forward import classic_assets, classic_objects, classic_rooms
from overhaul.gamemaker.forward.classic import ClassicDraft
from overhaul.gamemaker.forward.naming import PARTS, is_legal
from overhaul.gamemaker.forward.texts import cleaned
from overhaul.gamemaker.recovery.studio_rooms import add_project_file

if TYPE_CHECKING:
    from overhaul.gamemaker.classic.records import Project
    from overhaul.gamemaker.classic.settings import Settings

#: The version whose records all are made of: each that is older becomes it first.
LAST: Final = 810
_ICON: Final = "Configs/Default/windows/runner_icon.ico"
_RTF: Final = b"{\\rtf"
_OWN_BAR: Final = 2
_NO_ARGUMENT: Final = 2


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
    """What F1 shows, as Rich Text."""
    text = draft.old.information.text.rstrip(b"\0")
    draft.count("game_information", 1)
    return text if text.lstrip().startswith(_RTF) else b"{\\rtf1\\ansi }"


def _configuration(draft: ClassicDraft, old: Settings) -> dict[str, object]:
    """The options of the default configuration."""
    values: dict[str, object] = {
        "option_aborterrors": bool(old.errors_abort),
        "option_argumenterrors": bool(old.uninitialised & _NO_ARGUMENT),
        "option_author": cleaned(old.author),
        "option_borderless": bool(old.dont_draw_border),
        "option_changeresolution": bool(old.set_resolution),
        "option_closeesc": bool(old.close_as_esc),
        "option_colordepth": old.colour_depth,
        "option_display_name": cleaned(old.product) or draft.name,
        "option_displayerrors": bool(old.errors_display),
        "option_fast_collision_compatibility": False,
        "option_freeze": bool(old.freeze_on_lose_focus),
        "option_frequency": old.frequency,
        "option_fullscreen": bool(old.start_fullscreen),
        "option_gameguid": f"{{{_guid(draft)}}}",
        "option_gameid": draft.old.game_id,
        "option_helpkey": bool(old.key_f1),
        "option_information": cleaned(old.information),
        "option_interpolate": bool(old.interpolate),
        "option_loadalpha": old.load_alpha,
        "option_nobuttons": bool(old.dont_show_buttons),
        "option_noscreensaver": bool(old.disable_screensavers),
        "option_priority": old.priority,
        "option_quitkey": bool(old.key_esc),
        "option_resolution": old.resolution,
        "option_savekey": bool(old.key_f5_f6),
        "option_scale": old.scaling,
        "option_scaleprogress": bool(old.load_scale_bar),
        "option_screenkey": bool(old.key_f4),
        "option_screenshotkey": bool(old.key_f9),
        "option_shortcircuit": False,
        "option_showcursor": bool(old.display_cursor),
        "option_showprogress": old.load_bar,
        "option_sizeable": bool(old.allow_resize),
        "option_stayontop": bool(old.always_on_top),
        "option_sync_vertex": int(bool(old.synchronise & 1)),
        "option_use_fast_collision": True,
        "option_use_new_audio": False,
        "option_variableerrors": not old.uninitialised & 1,
        "option_version": cleaned(old.game_version_text),
        "option_version_build": old.build,
        "option_version_company": cleaned(old.company),
        "option_version_copyright": cleaned(old.copyright),
        "option_version_description": cleaned(old.description),
        "option_version_major": old.major,
        "option_version_minor": old.minor,
        "option_version_product": cleaned(old.product),
        "option_version_release": old.release,
        "option_windowcolor": f"${old.colour_outside_room & 0xFFFFFF:08X}",
        "option_writeerrors": bool(old.errors_log),
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
