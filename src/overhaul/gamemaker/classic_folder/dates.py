"""``dates.json``: when the project and, in Game Maker 8, each resource were last changed."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError
from overhaul.folder.edits import Edits
from overhaul.folder.jsonkit import at_key, expect_object
from overhaul.gamemaker.classic.fields import Kept
from overhaul.gamemaker.classic.kinds import kinds_of
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic_folder.files import (
    JsonObject,
    expect_no_more,
    left_out,
    made_json,
    take,
)
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.part import Part

DATES = "dates.json"


def show_date(value: float) -> float | str:
    """A date as the number it is, days since 30 December 1899; as bits where that fails."""
    return value if math.isfinite(value) else struct.pack(">d", value).hex()


def read_date(value: object) -> float:
    """The date of what :func:`show_date` showed."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            pass
    if isinstance(value, str) and len(value) == 16:
        try:
            return float(struct.unpack(">d", bytes.fromhex(value))[0])
        except ValueError:
            pass
    raise FormatError(f"expected a number of days, got {value!r:.40}")


def _of_parts(project: Project) -> Iterator[tuple[str, Kept, str]]:
    """The dates of a project's own parts: the name in dates.json, the record, its field."""
    yield "last_changed", project.settings, "last_changed"
    if project.version >= 800:
        yield "settings", project.settings, "settings_changed"
        yield "triggers", project.triggers, "changed"
        yield "constants", project.constants, "changed"
        yield "game_information", project.information, "changed"


def _show(project: Project, names: Names) -> Iterator[PlainFile]:
    yield PlainFile(DATES, lambda: made_json(_dates(project, names))())


def _dates(project: Project, names: Names) -> JsonObject:
    shown: JsonObject = {
        name: show_date(getattr(record, field)) for name, record, field in _of_parts(project)
    }
    for kind in kinds_of(project.version) if project.version >= 800 else ():
        slots = zip(names.stems[kind.plural], kind.section(project).slots, strict=True)
        dates = {stem: show_date(slot.changed) for stem, slot in slots if stem is not None}
        if dates:
            shown[kind.plural] = dates
    return shown


def _read(project: Project, files: Edits, names: Names) -> None:
    plain = files.json_object(DATES)
    for name, record, field in _of_parts(project):
        if name in plain:
            with at_key(name):
                setattr(record, field, read_date(plain.pop(name)))
    for kind in kinds_of(project.version) if project.version >= 800 else ():
        for stem, value in take(plain, kind.plural, expect_object, {}).items():
            index = names.ids[kind.plural].get(stem)
            if index is None:
                left_out(files, DATES, f"{kind.plural}: there is no {stem!r}")
                continue
            with at_key(kind.plural), at_key(stem):
                kind.section(project).slots[index].changed = read_date(value)
    expect_no_more(plain)


CHANGE_DATES = Part((DATES,), _show, _read)
