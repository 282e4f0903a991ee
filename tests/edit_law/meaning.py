"""What follows from an edit by the rules of a format, and which values mean the same."""

from __future__ import annotations

import csv
import io
import math
import re
from itertools import starmap, zip_longest
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from overhaul.document.names import unescape_name
from overhaul.media import png

from .edits import STRINGS, TEXTURES, Edit, load, places
from .subject import Files

_OF_PICTURES = r".* @ (sprites|fonts|backgrounds|tilesets|embedded_images|textures)/"
#: The format of AGS properties says which of two lists there is; that with elements must be.
_PROPERTY_LISTS = r".*\.(old_)?(values|definitions)"

#: The folders with a file for each thing of a game of Adventure Game Studio.
_THINGS = "characters|inventory|cursors|views|dialogs|guis|audio_clips"

_THING_REMOVED = rf"file: removed @ ({_THINGS})/"

#: A file that names no encoding has that of the texts that are left.
_ENCODING = (r"overhaul\.toml", "encoding", "(value|list|key|file): ")

#: By kind of document: files (a regular expression), places in them, and the edits from which
#: changes there follow: their kind, or "kind: ... @ file place".  ``{unit}`` is what the edited
#: file is of (its path without the ending, or its folder).  docs/formats says each of them.
FOLLOWS: dict[str, list[tuple[str, str, str]]] = {
    "ags-package": [
        (r"package\.json", "assets.*", "(file|folder): "),
        (r"package\.json", "tail_width|trailing.*", "file: removed @ program"),  # how it ends
        # an asset's file has its name
        (r"(assets|fonts)/.*", "", "value: (text|like others)"),
        (r"package\.json", r"assets\[\]\.(file|name)", "value: (text|like others)"),
        (r"assets/sprindex\.dat", "", ".* @ sprites"),  # the index of the sprites
        (r"rooms/[^/]+/script\.as[ch]", "", _THING_REMOVED),
    ],
    "ags-sprites": [
        (r"sprites\.json", r"sprites.*|slot_count", "(file|folder): "),
        (r"sprites\.json", r"sprites\[\]\.alpha", "value: "),  # only with 4 bytes a pixel
    ],
    "ags-game": [
        (r"game\.json", "script_modules.*", "(file|folder): "),
        _ENCODING,
        (r".*\.json", _PROPERTY_LISTS, "(value|key): "),
        # there are GUIs, or words, without any yet
        (r"(gui|texts)\.json", "guis|dictionary", r"value: .* @ settings\.json"),
        (r"scripts/.*\.asm", "", "value: like others|list: "),  # shown in that encoding
        # a thing's file has the name that scripts have for it
        (rf"({_THINGS})/.*", "", rf"(value|key|list): .* @ ({_THINGS})/.*"),
        # those behind one that is removed close the gap, and what refers to them follows
        (rf"({_THINGS})/.*\.json", "ID", _THING_REMOVED),
        (r"characters/.*\.json", "(Active)?Inventory.*", _THING_REMOVED),
        (r"(game|guis/.*)\.json", "(Settings|Controls).*", _THING_REMOVED),
        (r"dialogs/.*\.ads", "", _THING_REMOVED),
        # scripts show the names that the game's things have
        (r"scripts/.*\.as[ch]", "", _THING_REMOVED),
    ],
    "ags-room": [
        _ENCODING,
        (r".*\.json", _PROPERTY_LISTS, "(value|key): "),
        (r"room\.json", r"blocks.*\.alpha", "value: "),  # only with 4 bytes a pixel
        # bytes that are no known block are named by their place; the reason is what is wrong now
        (r"blocks/.*", "", "(value|list): .* @ room"),
        # the colours of an indexed background are in its PNG too
        (r"room\.json", r"blocks\[\]\.fields\.(background|frames\[\])\.palette", "picture: "),
        (r"room\.json", r"blocks\[\]\.(file|reason)", "(value|list|bytes): "),
        (r"room\.json", r"blocks\[\]\.name", "value: like others"),  # by its id
    ],
    "ags-translation": [_ENCODING],
    "gamemaker-library": [  # pictures are named by the numbers of their actions
        (r"icons/.*|library\.json", r"(actions\[\]\.image)?", "(list|key): "),
    ],
    "gamemaker-extension": [  # files are named by their names
        (r"files/.*|package\.json", r"(packed\[\])?", "(value|key): "),
    ],
    "gamemaker-export": [
        (r"\w+/.*\.json", "(id|bbox_.*)", "(file|folder): "),
        (r"{unit}/sprite\.json", "bbox_.*", "value: .* bbox_mode"),  # those of a mode of its own
        # what export.json does not list is not exported
        (r"\w+/.*", ".*", r"(value|list|key): .* @ export\.json"),
        (r"export\.json", ".*", "(file|folder): "),
    ],
    "gamemaker-debug": [  # sources are named by the first entry that has them
        (r"sources/.*|debug\.json", r"(sources\[\])?", "(list|value|key): "),
    ],
    "gamemaker-project": [
        (r"(dates|ids|tree)\.json", "", "(file|folder): "),
        # it says which encoding the texts have
        (r"overhaul\.toml", "encoding", "file: removed @ game_information"),
        (r".*\.(gml|json|txt)", "", "file: removed @ game_information"),
        (r"{unit}/sprite\.json", "bbox_.*", "(value|key): "),  # those of a mode of its own
        (r"project\.json", "room_order.*", "(file|folder): "),
        (r"project\.json", "last_(instance|tile)_id", ""),
        (r"settings\.json", "load_(image|bar_front|bar_back)_present", ""),
        # the names of plain files of sounds and included files follow from their own names
        (r"(included|data)_files/.*|sounds/.*\.\w+", "(file|file_type)?", ""),
        (r"included_files\.json", r"\[\]\.file", ""),
        # the arguments of an action have the meaning that its kind gives them
        (r"{unit}/actions\.json", r"\[\]\.(arguments.*|file)", "(value|list|key): "),
        (r"{unit}/\d+\.gml", "", "(value|list): "),
        # a new resource has an id of its own, and all ids follow from ids.json
        (r"\w+/.*\.json", "id", "(file|folder): |(value|list|key): .* @ ids"),
        # a new resource has all its files
        (r"({unit}|{unit}/.*)\.json", ".*", "(file|folder): "),
        # a picture renamed alone is that of a new background; the old one says its size
        (r"backgrounds/.*\.json", "width|height", r"file: renamed @ backgrounds/.*\.png"),
    ],
    "gamemaker-data": [
        # as far as a file shows it, by where things are
        (r"overhaul\.toml", "(background|string)_alignment", ""),
        (r"overhaul\.toml", "version", "list: emptied @ feature_flags"),
        (r"general\.json", r"details\.uid", ""),  # a checksum of its companions
        (r"general\.json", "room_order.*", "(file|folder): .* @ rooms/"),
        (r"order\.json", ".*", r"(file|folder): .* @ \w+/"),
        (r"scripts\.json", ".*", "(file|folder): .* @ (scripts|code)/"),
        (r"{unit}\.json", ".*", "file: .* @ sounds/"),  # a sound file alone is a sound
        (r"general\.json", r"details\.last_(object|tile)_id", ""),
        (r"textures\.json", r"items\[\]\.of\[\]", "list: .* @ order"),  # in that order
        (r".*\.json", r".*\.index", "list: .* @ order"),  # numbers of what is missing
        # pictures: where they are, the pages they are on, masks, boxes, counts
        (
            r"textures\.json|textures/.*|texture_groups\.json",
            "",
            rf"(picture|file|folder): {_OF_PICTURES}",
        ),
        (r"{unit}/mask_\d+\.png", "", "(picture|file|value|list|key): .* @ sprites/"),
        (r"{unit}/sprite\.json", "(width|height|margin_.*|details.*)", "(picture|file): "),
        (r"{unit}/sprite\.json", "margin_.*", "value: .* @ sprites/.* bbox_mode"),
        (r"{unit}(/.*)?\.png", "", "(picture|file): "),
        (r"tilesets/.*\.json", "(columns|tile_count|tile_ids.*)", "(picture|value): "),
        (r"fonts/.*\.json", "range_(start|end)", "(list|value|key): "),
        (r"objects/.*\.json", "events.*", "file: .* @ code/"),  # code is run as its name says
        (r"(code|global_init)\.json", "", "file: .* @ code/"),
        # of a function that is no script any more, as the rule gives it
        (r"code\.json", r"entries\..*\.variables", r"key: removed @ scripts\.json"),
        # instances name their layer where each has a name of its own, and its instances in order
        (
            r"{unit}\.json",
            r"instances\[\]\.layer|layers\[\]\.data.*",
            r"(value: like others|list: .*) @ rooms/.* layers\[\]\.(name|data\.instances)",
        ),
        (r"{unit}\.json", "", "file: "),  # a picture alone is a tile set
        (r"tags\.json", ".*", r"(file|folder): .* @ \w+/|key: .* @ tags"),
        # the name of a group, where the bytes are
        (r"sounds/.*\.json", "group", ".* @ audio_groups"),
        (r"({unit}|sounds/.*)\.json", "length|details.*", "(file|bytes): .* @ sounds/"),
        (r"{unit}\.json", "details.*", "(value|list): .* @ sounds/"),
    ],
}

#: What is in a place that is not there.
ABSENT = object()
#: Fields that are sets: the order of their names means nothing.
SETS = ("flags",)

#: The documents in a package, with what their paths have before them.
_INSIDE = {
    "ags-game": "", "ags-sprites": "", "ags-room": "rooms/[^/]+/",
    "ags-translation": "translations/[^/]+/",
}  # fmt: skip
FOLLOWS["ags-package"] += [
    (prefix + path, place, edit)
    for kind, prefix in _INSIDE.items()
    for path, place, edit in FOLLOWS[kind]
    if not path.startswith("overhaul")
]


def follows(
    document: str, edit: Edit, path: str, where: str, files: Files, given: Any, back: Any
) -> bool:
    """Whether a change in another place follows from an edit of the ``files``."""
    if document == "gamemaker-data" and path == STRINGS and edit.path != STRINGS:
        return texts_follow(edit, files, given, back)
    if document == "gamemaker-data" and path.endswith(".png") and path in pictures_of(edit, files):
        return True
    if document == "ags-package" and b'"part":' in files["package.json"]:
        return True  # a part has no table: its files are found by what they begin with
    unit = re.escape(unit_of(edit.path))
    done = f"{edit.kind} @ {edit.path} {edit.where}"
    return any(
        re.fullmatch(file.replace("{unit}", unit), path)
        and re.fullmatch(place or ".*", where)
        and re.match(kind, done)
        for file, place, kind in FOLLOWS.get(document, [])
    )


def pictures_of(edit: Edit, files: Files) -> set[str]:
    """The pictures that an edit of a game's textures reaches, by what textures.json says they are
    made of: those of an edited item, of items on an edited page that have a changed pixel, or all,
    where items or pages are others."""
    if edit.path != TEXTURES and not edit.path.startswith("textures/"):
        return set()
    items = load(files[TEXTURES])["items"] if TEXTURES in files else []
    page = PurePosixPath(edit.path).stem
    if edit.place[:1] == ("items",) and len(edit.place) > 2:
        items = [items[edit.place[1]]]
    elif edit.kind == "picture: repainted" and page.isdigit():
        before, after = (png.decode(each[edit.path]) for each in (files, edit.of(files)))
        where = np.argwhere((before != after).any(axis=2))
        items = [item for item in items if item["page"] == int(page) and _has(item, where)]
    return {f"{path}.png" for item in items for path in item.get("of", ())}


def _has(item: Any, points: Any) -> bool:
    """Whether an item's rectangle has one of some points (y, x)."""
    x, y, width, height = item["source"]
    inside = (points >= (y, x)) & (points < (y + height, x + width))
    return bool(inside.all(axis=1).any())


def texts_follow(edit: Edit, files: Files, given: bytes, back: bytes) -> bool:
    """Whether strings.csv changed as an edit of other files means: new texts come last, and a text
    that is another now was in the edited files, which have the other."""
    before, after = ({row[0]: row[1] for row in rows_of(data)} for data in (given, back))
    if not before.keys() <= after.keys():
        return False
    edited = edit.of(files)
    was, now = (
        {text for path in {edit.path, *edit.edited} for text in _texts(path, folder.get(path, b""))}
        for folder in (files, edited)
    )
    changed = [(before[key], after[key]) for key in before if before[key] != after[key]]
    return all(old in was and new in now for old, new in changed)


def same_tiles(path: str, files: Files, given: bytes, back: bytes) -> bool:
    """Whether two pictures of a tile set differ in the borders around its tiles only."""
    shown = load(files.get(f"{unit_of(path)}.json", b"{}"))
    names = ("tile_width", "tile_height", "output_border_x", "output_border_y")
    if not isinstance(shown, dict) or not all(isinstance(shown.get(name), int) for name in names):
        return False
    width, height, x, y = (shown[name] for name in names)
    one, two = (png.decode(data) for data in (given, back))
    rows, columns = (np.arange(length) for length in one.shape[:2])
    inside = np.ix_((rows % (height + 2 * y) - y) % (height + 2 * y) < height,
                    (columns % (width + 2 * x) - x) % (width + 2 * x) < width)  # fmt: skip
    return one.shape == two.shape and np.array_equal(one[inside], two[inside])


def _texts(path: str, data: bytes) -> set[str]:
    """The texts in a file: its name, the keys and texts of JSON, the words of anything else."""
    found = {unescape_name(part.partition(".")[0]) for part in path.split("/")}
    if path.endswith(".json") and data:
        for place, value in places(load(data)):
            found |= {value} if isinstance(value, str) else set()
            found |= {place[-1]} if place and isinstance(place[-1], str) else set()
        return found
    return found | {*data.decode("utf-8", "replace").split()}


def rows_of(data: bytes) -> list[list[str]]:
    """The rows of a table."""
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))


def unit_of(path: str) -> str:
    """What a file is of: its path without the ending, or the folder of a resource."""
    return path.rpartition(".")[0] if path.count("/") < 2 else path.rpartition("/")[0]


def same_value(document: str, path: str, where: str, one: Any, two: Any) -> bool:
    """Whether two values mean the same in a place, though they are written differently."""
    if document == "gamemaker-debug" and where == "sources[]":
        return True  # sources are named by their first entry; what stays as it was is refused
    if document in ("ags-sprites", "ags-package") and where == "sprites[].palette":
        return (one == "" and two is ABSENT) or (one is ABSENT and two == "")
    if document in ("ags-game", "ags-package") and where.endswith("cript.code"):
        return (one, two) == ([], "")  # no code
    if path == "ids.json" and isinstance(one, list) and isinstance(two, list):
        return _slots(one) == _slots(two)
    if isinstance(one, dict) and [*one] == ["index"] and isinstance(two, str):
        return True  # a resource by its number comes back as its name
    if document == "gamemaker-project" and isinstance(one, int) and isinstance(two, str):
        return not where.endswith("]")  # the number of a resource comes back as its name
    if document == "gamemaker-data" and where == "instance_order":
        return one == [] and two is ABSENT  # that of no instances
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


def _slots(names: list[Any]) -> list[Any]:
    """A list of names where a number is that of free slots, with one None for each."""
    return [slot for name in names for slot in ([None] * name if isinstance(name, int) else [name])]


def _code_of(event: Any) -> Any:
    return event["code"] if isinstance(event, dict) and [*event] == ["code"] else event


def _same_argument(one: Any, two: Any) -> bool:
    """Whether two arguments are the same; one may be a resource, the other its number."""
    if {type(one), type(two)} == {dict, str}:
        return str(one if isinstance(one, str) else two).isdigit()
    return bool(one == two)
