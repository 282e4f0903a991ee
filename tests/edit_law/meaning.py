"""What follows from an edit by the rules of a format, and which values mean the same."""

from __future__ import annotations

import re
from itertools import starmap, zip_longest
from typing import Any

#: By kind of document: files (a regular expression), places in them, and the kinds of edits from
#: which changes there follow.  docs/formats says each of them.
FOLLOWS: dict[str, list[tuple[str, str, str]]] = {
    "ags-package": [
        (r"package\.json", "assets.*", "(file|folder): "),
        (r"(assets/.*|package\.json)", ".*", "value: "),  # an asset's file has its name
    ],
    "ags-sprites": [(r"sprites\.json", ".*", "(file|folder): ")],
    "ags-game": [
        (r"game\.json", "script_modules.*", "(file|folder): "),
        (r"overhaul\.toml", "", "value: "),  # the version
    ],
    "ags-room": [(r"overhaul\.toml", "", "value: ")],
    "gamemaker-project": [
        (r"(dates|ids|tree)\.json", "", "(file|folder): "),
        (r"project\.json", "room_order.*", "(file|folder): "),
        (r"project\.json", "last_(instance|tile)_id", ""),
        (r"settings\.json", "load_(image|bar_front|bar_back)_present", ""),
        # the names of plain files of sounds and included files follow from their own names
        (r"(included|data)_files/.*|sounds/.*\.\w+", "(file|file_type)?", ""),
        (r"included_files\.json", r"\[\]\.file", ""),
        # the arguments of an action have the meaning that its kind gives them
        (r"(objects|timelines)/.*/actions\.json", r"\[\]\.(arguments.*|file)", ""),
        (r"(objects|timelines)/.*/\d+\.gml", "", "(value|list): "),
        # a new resource has an id of its own, and all ids follow from ids.json
        (r"\w+/.*\.json", "id", "(file|folder|value|list|key): "),
        # a new resource has all its files
        (r"(sounds|data_files|backgrounds|sprites)/.*\.json", ".*", "(file|folder): "),
    ],
    "gamemaker-data": [
        (r"strings\.csv", "", ""),
        (r"general\.json", r"details\.uid", ""),  # a checksum of what is beside it
        (r"(general|order)\.json", "(room_order.*)?", "(file|folder): "),
        (r"general\.json", r"details\.last_(object|tile)_id", ""),
        # pictures: where they are, the pages they are on, masks, boxes, counts
        (r"textures\.json|textures/.*|texture_groups\.json", "", "(picture|file|folder): "),
        (r"sprites/.*/mask_\d+\.png", "", ""),
        (r"sprites/.*/sprite\.json", "(width|height|margin_.*|details.*)", "(picture|file): "),
        (r"(sprites|fonts|backgrounds|tilesets|embedded_images)/.*\.png", "", ""),
        (r"tilesets/.*\.json", "(columns|tile_count|tile_ids.*)", "(picture|value): "),
        (r"fonts/.*\.json", "range_(start|end)", "(list|value|key): "),
        (r"order\.json", ".*", "(file|folder): "),
        (r"objects/.*\.json", "events.*", "file: "),  # code is run as its name says
        (r"tags\.json", ".*", "(file|folder|key): "),
        (".*", "", "table: "),  # a text is everywhere where it is shown
        (r"sounds/.*\.json", "group|details.*", ""),  # the name of a group, where the bytes are
    ],
}

#: Fields that are sets: the order of their names means nothing.
FLAGS = ("flags",)


def follows(document: str, edit: str, path: str, where: str) -> bool:
    """Whether a change in another place follows from a kind of edit."""
    return any(
        re.fullmatch(file, path) and re.fullmatch(place or ".*", where) and re.match(kind, edit)
        for file, place, kind in FOLLOWS.get(document, [])
    )


def same_value(document: str, path: str, where: str, one: Any, two: Any) -> bool:
    """Whether two values mean the same in a place, though they are written differently."""
    if isinstance(one, int | float) and isinstance(two, int | float):
        return one == two
    if where.rpartition(".")[2] in FLAGS and isinstance(one, list) and isinstance(two, list):
        return set(map(str, one)) == set(map(str, two))
    if document == "gamemaker-project" and path.endswith("actions.json"):
        if where.endswith("arguments"):  # those not given are "0"
            given = [value if isinstance(value, list) else [] for value in (one, two)]
            return all(starmap(_same_argument, zip_longest(*given, fillvalue="0")))
        if where.endswith("arguments[]"):
            return _same_argument(one, two)
    return False


def _same_argument(one: Any, two: Any) -> bool:
    """Whether two arguments are the same; one may be a resource, the other its number."""
    if {type(one), type(two)} == {dict, str}:
        return str(one if isinstance(one, str) else two).isdigit()
    return bool(one == two)
