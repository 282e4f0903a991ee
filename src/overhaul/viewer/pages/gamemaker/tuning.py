"""The fields of a particle emitter with sliders, next to its picture in motion."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from overhaul.viewer.answers import Asked
from overhaul.viewer.pages import forms
from overhaul.viewer.pages.generic import is_fields
from overhaul.workbench.forms import FormField

#: the sections of an emitter's fields, by how their names begin; the first that fits
_SECTIONS = (
    ("Emission", "enabled mode emit delay interval"),
    ("Region", "shape distribution region rotation"),
    ("Particle", "sprite texture frame animate stretch random additive start mid end"),
    ("Life", "lifetime spawn"),
    ("Size", "scale size"),
    ("Motion", "speed direction gravity"),
    ("Orientation", "orientation"),
)
#: the least and the greatest value of a slider, and its step, by how names end; the first that fits
_SLIDERS: tuple[tuple[str, float, float, float], ...] = (
    (r"emit_count(_whole)?", 0, 100, 1),
    (r"spawn_.*_count", 0, 50, 1),
    (r"(delay|interval)_(min|max)", 0, 120, 1),
    (r"region_[xy]", -500, 500, 1),
    (r"region_(width|height)", 0, 1000, 1),
    (r"texture", -1, 13, 1),
    (r"frame", 0, 63, 1),
    (r"lifetime_(min|max)", 0, 600, 1),
    (r"(direction|orientation)_increase", -30, 30, 0.1),
    (r"(direction|orientation)_wiggle", 0, 180, 1),
    (r"gravity_force", 0, 2, 0.01),
    (r"rotation|gravity_direction|(direction|orientation)_(min|max)", 0, 360, 1),
    (r"scale_[xy]|size_(min|max)(_[xy])?", 0, 8, 0.05),
    (r"size_increase(_[xy])?", -0.2, 0.2, 0.001),
    (r"size_wiggle(_[xy])?", 0, 4, 0.01),
    (r"speed_(min|max)", 0, 30, 0.1),
    (r"speed_increase", -1, 1, 0.01),
    (r"speed_wiggle", 0, 20, 0.1),
)
_COLOUR = re.compile("(start|mid|end)_colour")
#: the names of fields of releases before 2023.8, where they differ
_OLD = re.compile("size_(min|max|increase|wiggle)")


class Tuned(msgspec.Struct, frozen=True):
    """A field of an emitter: its slider goes from ``low`` to ``high`` by ``step``, where it has
    one.  ``sets`` are the numbers of the picture that follow it; ``colour``: it is a number whose
    bytes are alpha, blue, green and red."""

    field: FormField
    name: str
    sets: list[str]
    colour: bool = False
    low: float = 0.0
    high: float = 0.0
    step: float = 0.0


class Tuning(msgspec.Struct, frozen=True):
    """The fields of an emitter in sections: where they are sent to, the digest of the file, and the
    names that can be chosen."""

    path: str
    action: str
    before: str
    sections: list[tuple[str, list[Tuned]]]
    names: list[forms.NameList]


def tuning_of(asked: Asked) -> Tuning | None:
    """The fields of the emitter of a request; None where they can't be edited."""
    opened, entry = asked.opened, asked.resource
    if opened.writer is None or opened.writer.why or opened.sharing(entry) > 1:
        return None
    file = next((file for file in opened.files_of(entry) if is_fields(entry, file)), None)
    if file is None:
        return None
    page = forms.page_of_file(asked, file.path)
    sections: dict[str, list[Tuned]] = {title: [] for title, _ in _SECTIONS}
    for field in page.fields:
        tuned = _tuned(field)
        sections[_section(tuned.name)].append(tuned)
    shown = [(title, fields) for title, fields in sections.items() if fields]
    return Tuning(page.path, page.action, page.before, shown, page.names)


def _section(name: str) -> str:
    for title, words in _SECTIONS:
        if name.startswith(tuple(words.split())):
            return title
    return _SECTIONS[-1][0]


def _tuned(field: FormField) -> Tuned:
    name = field.pointer.removeprefix("/")
    sets = [*_sets(name)]
    if _COLOUR.fullmatch(name):
        return Tuned(field, name, sets, colour=True)
    for pattern, low, high, step in _SLIDERS:
        if re.fullmatch(pattern, name):
            try:
                value = float(field.text)
            except ValueError:
                break
            return Tuned(field, name, sets, False, min(low, value), max(high, value), step)
    return Tuned(field, name, sets)


def _sets(name: str) -> Iterator[str]:
    if _OLD.fullmatch(name):
        yield from (f"{name}_x", f"{name}_y")
    else:
        yield name.removesuffix("_whole")
