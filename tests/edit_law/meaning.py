"""What follows from an edit by the rules of a format, and which values mean the same."""

from __future__ import annotations

import math
import re
from itertools import starmap, zip_longest
from typing import Any

from .edits import Edit

#: The pictures of resources in the folder of a game.
_PICTURES = r"(sprites|fonts|backgrounds|tilesets|embedded_images)/.*\.png"
#: The format of AGS properties says which of two lists there is; that with elements must be.
_PROPERTY_LISTS = r".*\.(old_)?(values|definitions)"

#: By kind of document: files (a regular expression), places in them, and the edits from which
#: changes there follow: their kind, or "kind: ... @ file".  ``{unit}`` is what the edited file is
#: of (its path without the ending, or its folder).  docs/formats says each of them.
FOLLOWS: dict[str, list[tuple[str, str, str]]] = {
    "ags-package": [
        (r"package\.json", "assets.*", "(file|folder): "),
        # an asset's file has its name
        (r"assets/.*", "", "value: (text|like others)"),
        (r"package\.json", r"assets\[\]\.(file|name)", "value: (text|like others)"),
    ],
    "ags-sprites": [
        (r"sprites\.json", r"sprites.*|slot_count", "(file|folder): "),
        (r"sprites\.json", r"sprites\[\]\.alpha", "value: "),  # only with 4 bytes a pixel
    ],
    "ags-game": [
        (r"game\.json", "script_modules.*", "(file|folder): "),
        # the version, and the encoding: that of the texts that are left
        (r"overhaul\.toml", "", "(value|list|key|file): "),
        (r".*\.json", _PROPERTY_LISTS, "(value|key): "),
        (r"scripts/.*\.asm", "", "list: (emptied|element removed)"),  # shown in that encoding
    ],
    "ags-room": [
        (r"overhaul\.toml", "", "(value|list|key|file): "),
        (r".*\.json", _PROPERTY_LISTS, "(value|key): "),
        (r"room\.json", r"blocks.*\.alpha", "value: "),  # only with 4 bytes a pixel
    ],
    "ags-translation": [(r"overhaul\.toml", "", "(value|list|key|file): ")],
    "gamemaker-library": [  # pictures are named by the numbers of their actions
        (r"icons/.*|library\.json", r"(actions\[\]\.image)?", "(list|key): "),
    ],
    "gamemaker-extension": [  # files are named by their names
        (r"files/.*|package\.json", r"(packed\[\])?", "(value|key): "),
    ],
    "gamemaker-export": [
        (r"\w+/.*\.json", "(id|bbox_.*)", "(file|folder): "),
        (r"\w+/.*", ".*", "(value|list|key): "),  # what export.json does not list is not exported
        (r"export\.json", ".*", "(file|folder): "),
    ],
    "gamemaker-debug": [  # sources are named by the first entry that has them
        (r"sources/.*|debug\.json", r"(sources\[\])?", "(list|value|key): "),
    ],
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
        # as far as a file shows it
        (r"overhaul\.toml", "(background|string)_alignment", ""),
        (r"overhaul\.toml", "version", "list: emptied @ feature_flags"),
        (r"general\.json", r"details\.uid", ""),  # a checksum of what is beside it
        (r"general\.json", "room_order.*", "(file|folder): "),
        (r"(order|scripts)\.json", ".*", "(file|folder): "),
        (r"sounds/.*\.json", ".*", "file: "),  # a sound file alone is a sound
        (r"general\.json", r"details\.last_(object|tile)_id", ""),
        # pictures: where they are, the pages they are on, masks, boxes, counts
        (r"textures\.json|textures/.*|texture_groups\.json", "", "(picture|file|folder): "),
        (r"{unit}/mask_\d+\.png", "", "(picture|file|value|list|key): .* @ sprites/"),
        (r"{unit}/sprite\.json", "(width|height|margin_.*|details.*)", "(picture|file): "),
        (_PICTURES, "", r".* @ textures(/.*|\.json)"),
        (r"{unit}(/.*)?\.png", "", "(picture|file): "),
        (r"tilesets/.*\.json", "(columns|tile_count|tile_ids.*)", "(picture|value): "),
        (r"fonts/.*\.json", "range_(start|end)", "(list|value|key): "),
        (r"order\.json", ".*", "(file|folder): "),
        (r"objects/.*\.json", "events.*", "file: .* @ code/"),  # code is run as its name says
        (r"(code|global_init|scripts)\.json", "", "file: .* @ code/"),
        (r"{unit}\.json", "", "file: "),  # a picture alone is a tile set
        (r"tags\.json", ".*", "(file|folder|key): "),
        # the name of a group, where the bytes are
        (r"sounds/.*\.json", "group", ".* @ audio_groups"),
        (r"sounds/.*\.json", "details.*", "(file|bytes|value|list): .* @ sounds/"),
    ],
}

#: Fields that are sets: the order of their names means nothing.
SETS = ("flags",)


def follows(document: str, edit: Edit, path: str, where: str) -> bool:
    """Whether a change in another place follows from an edit."""
    unit = re.escape(unit_of(edit.path))
    done = f"{edit.kind} @ {edit.path}"
    return any(
        re.fullmatch(file.replace("{unit}", unit), path)
        and re.fullmatch(place or ".*", where)
        and re.match(kind, done)
        for file, place, kind in FOLLOWS.get(document, [])
    )


def unit_of(path: str) -> str:
    """What a file is of: its path without the ending, or the folder of a resource."""
    return path.rpartition(".")[0] if path.count("/") < 2 else path.rpartition("/")[0]


def same_value(document: str, path: str, where: str, one: Any, two: Any) -> bool:
    """Whether two values mean the same in a place, though they are written differently."""
    if document == "gamemaker-debug" and where == "sources[]":
        return True  # sources are named by their first entry; what stays as it was is refused
    if document == "gamemaker-data" and re.fullmatch(r"events\.\w+", where):
        return bool(_code_of(one) == _code_of(two))  # an event with usual values is the code's name
    if isinstance(one, int | float) and isinstance(two, int | float):
        return math.isclose(one, two, rel_tol=1e-6)  # as 32 bits hold it
    if where.rpartition(".")[2] in SETS and isinstance(one, list) and isinstance(two, list):
        names = [{item for item in each if isinstance(item, str)} for each in (one, two)]
        return len(names[0]) < len(one) and names[0] <= names[1]  # the bits of a number have names
    if document in ("gamemaker-project", "gamemaker-export") and path.endswith("actions.json"):
        if where.endswith("arguments"):  # those not given are "0"
            given = [value if isinstance(value, list) else [] for value in (one, two)]
            return all(starmap(_same_argument, zip_longest(*given, fillvalue="0")))
        if where.endswith("arguments[]"):
            return _same_argument(one, two)
    return False


def same_text(path: str, one: bytes, two: bytes) -> bool:
    """Whether two texts are the same but for white space and the words for 0 and 1 (which callers
    decide), where code is made from bytecode."""
    return path.startswith("code/") and _words(one) == _words(two)


def _words(text: bytes) -> list[bytes]:
    return re.sub(rb"\b(true|false)\b", lambda m: b"01"[m[0] == b"true" :][:1], text).split()


def _code_of(event: Any) -> Any:
    return event["code"] if isinstance(event, dict) and [*event] == ["code"] else event


def _same_argument(one: Any, two: Any) -> bool:
    """Whether two arguments are the same; one may be a resource, the other its number."""
    if {type(one), type(two)} == {dict, str}:
        return str(one if isinstance(one, str) else two).isdigit()
    return bool(one == two)
