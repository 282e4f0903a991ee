"""Edits of a folder's plain files, chosen by a seed: one for each kind of place and of change."""

from __future__ import annotations

import copy
import csv
import io
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from overhaul.errors import OverhaulError
from overhaul.folder.toml import NAME, FolderSettings
from overhaul.media import png

from .subject import Files

#: A place in JSON: keys and indexes, outermost first.
Place = tuple[Any, ...]
#: What an edited file has: its bytes, what makes them (so that many edits of a large file take no
#: memory), or None for a removed one.
Content = bytes | Callable[[], bytes] | None

_HEX = re.compile(r"(?:[0-9a-f]{2})+")
_COLOUR = re.compile(r"#[0-9A-F]{6}")
#: What is put after a text in a table, and the table of a game's texts.
MARK = " zz"
STRINGS = "strings.csv"
TEXTURES = "textures.json"
TEXTS = {
    ".gml", ".asm", ".asc", ".ads", ".txt", ".trs", ".glsl", ".vert", ".frag", ".rtf", ".lib",
    ".ash",
}  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """A change of a folder.

    ``kind``: what sort of change; ``path``: the file concerned; ``family`` and ``where`` are the
    patterns of the file and of the place in it; ``place`` the place itself; ``what`` in words.
    ``edited`` has the new content of files.  ``renamed`` are the old and new name of a resource.
    """

    kind: str
    path: str
    family: str
    where: str
    what: str
    edited: dict[str, Content]
    place: Place = ()
    renamed: tuple[str, str] | None = None
    #: the key is gone or not known: what comes back in this place does not count
    open: bool = False
    #: the new value, of an edit of one value
    new: Any = field(default=None, compare=False)

    @property
    def key(self) -> tuple[str, str, str]:
        """What sort of edit it is: the pattern of the file and of the place, and the kind."""
        return self.family, self.where, self.kind

    def of(self, files: Files) -> Files:
        """The edited folder."""
        merged = {**files, **self.edited}
        return {
            path: data() if callable(data) else data
            for path, data in merged.items()
            if data is not None
        }


# ------------------------------------------------------------------------------------ families


def families(files: Files) -> dict[str, str]:
    """The pattern of each path: names of resources become ``*``."""
    names: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path in files:
        parts = path.split("/")
        names[parts[0], parts[-1]].add(path)
    found = {}
    for path in files:
        first, *middle, last = path.split("/") if "/" in path else ("", path)
        if first:
            again = len(names[first, last]) > 1 or (middle and last.endswith(".json"))
            stem, _, end = last.rpartition(".")
            if not again or (stem or last).isdigit():
                last = "*" + ("." + end if stem else "")
            found[path] = "/".join([first, *("*" * len(middle)), last])
        else:
            found[path] = last
    return found


def pattern(place: Place) -> str:
    """The place in words, without indexes."""
    return "".join("[]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")


# ---------------------------------------------------------------------------------------- JSON


def load(data: bytes) -> Any:
    """The value of a JSON file."""
    return json.loads(data.decode("utf-8-sig"))


def dump(value: object) -> bytes:
    """A JSON file as another program writes it."""
    return json.dumps(value, indent=1).encode()


def places(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    """All places in a JSON value, with what is there."""
    yield at, value
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*at, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*at, index))


_GONE = object()


def changed(value: Any, place: Place, new: Any) -> Any:
    """A copy of the value with something else in a place; ``_GONE`` takes a key away."""
    if not place:
        return new
    first, *rest = place
    result = copy.copy(value)
    if rest or new is not _GONE:
        result[first] = changed(result[first], tuple(rest), new) if rest else new
    else:
        del result[first]
    return result


def _edited(value: Any, place: Place, new: Any) -> bytes:
    return dump(changed(value, place, new))


def other_values(value: Any, seen: list[Any], chance: random.Random) -> Iterator[tuple[str, Any]]:
    """Other values of the type that a value has; ``seen`` are those of places like it."""
    if isinstance(value, bool):
        yield "flip", not value
    elif isinstance(value, int):
        yield "number", value + chance.choice([1, -1] if value > 0 else [1])
    elif isinstance(value, float):
        yield "number", value + 0.5
    elif isinstance(value, str):
        if _COLOUR.fullmatch(value):
            yield "colour", "#" + bytes(b ^ 0x11 for b in bytes.fromhex(value[1:])).hex().upper()
        elif len(value) > 5 and _HEX.fullmatch(value):
            yield "bytes", value[:-1] + ("0" if value[-1] != "0" else "1")
        else:
            yield "text", value + "_x"
    others = [item for item in seen if item != value and not isinstance(item, (dict, list))]
    if others and not isinstance(value, (dict, list)):
        yield "like others", chance.choice(others)
    if isinstance(value, (dict, list)):
        others = [item for item in seen if item != value]
        if others:
            yield "like others", chance.choice(others)


def json_edits(files: Files, chance: random.Random) -> Iterator[Edit]:
    """Edits of one place in a JSON file: values, lists, keys."""
    names = families(files)
    values = {p: load(data) for p, data in files.items() if p.endswith(".json")}
    found: dict[tuple[str, str], list[tuple[str, Place, Any]]] = defaultdict(list)
    for path, value in values.items():
        for place, item in places(value):
            found[names[path], pattern(place)].append((path, place, item))
    for (family, where), all_of_it in found.items():
        made = _PlaceEdits(family, where, all_of_it, values, chance)
        yield from made.of_values()
        yield from made.of_lists()
        yield from made.of_objects()


class _PlaceEdits:
    """The edits of one kind of place."""

    def __init__(
        self,
        family: str,
        where: str,
        found: list[tuple[str, Place, Any]],
        values: dict[str, Any],
        chance: random.Random,
    ) -> None:
        self.family = family
        self.where = where
        self.found = found
        self.values = values
        self.chance = chance

    def edit(self, kind: str, path: str, place: Place, what: str, value: Any, **more: Any) -> Edit:
        """An edit that puts a value into a place; ``_GONE`` takes its key away."""
        made = partial(_edited, self.values[path], place, value)
        return Edit(kind, path, self.family, self.where, what, {path: made}, place, **more)

    def of_values(self) -> Iterator[Edit]:
        seen = [item for _, _, item in self.found]
        kinds: dict[type, list[tuple[str, Place, Any]]] = defaultdict(list)
        for one in self.found:
            kinds[type(one[2])].append(one)
        for choices in kinds.values():
            path, place, item = self.chance.choice(choices)
            if not place:
                continue
            for kind, other in other_values(item, seen, self.chance):
                what = f"{item!r:.40} -> {other!r:.40}"
                yield self.edit(f"value: {kind}", path, place, what, other, new=other)

    def of_lists(self) -> Iterator[Edit]:
        lists = [(p, at, item) for p, at, item in self.found if isinstance(item, list) and item]
        if not lists:
            return
        path, place, item = self.chance.choice(lists)
        index = self.chance.randrange(len(item))
        lists_of_it = {
            "list: element again": [*item, copy.deepcopy(item[index])],
            "list: element removed": item[:index] + item[index + 1 :],
            "list: reversed": item[::-1],
            "list: emptied": [],
        }
        for kind, other in lists_of_it.items():
            if other == item:
                continue
            yield self.edit(kind, path, place, f"{len(item)} elements, [{index}]", other)

    def of_objects(self) -> Iterator[Edit]:
        objects = [(p, at, item) for p, at, item in self.found if isinstance(item, dict)]
        if not objects:
            return
        path, place, item = self.chance.choice(objects)
        yield self.edit("key: unknown", path, (*place, "zz_unknown"), "a key of no field", 123456)
        for key in item:
            yield self.edit("key: removed", path, (*place, key), f"without {key}", _GONE, open=True)


# --------------------------------------------------------------------------------------- files


def file_edits(files: Files, chance: random.Random) -> Iterator[Edit]:
    """Edits of whole files: contents, pictures, tables; added, removed and renamed files."""
    names = families(files)
    by_family: dict[str, list[str]] = defaultdict(list)
    for path in files:
        if path != NAME:
            by_family[names[path]].append(path)
    for family, paths in by_family.items():
        path = chance.choice(paths)
        yield from _content_edits(files, path, family, chance)
        path = chance.choice(paths)
        yield Edit("file: removed", path, family, "", "", {path: None})
        path = chance.choice(paths)
        yield from _copied(files, path, family, "file: added", keep=True)
        yield from _copied(files, path, family, "file: renamed", keep=False)
    folders = sorted({"", *(path.rpartition("/")[0] for path in files)})
    tops = {folder.partition("/")[0]: folder for folder in folders}
    for top, folder in tops.items():
        for name in ("zz stray.txt", "zz.bin", "Zz Stray.PNG"):
            path = f"{folder}/{name}".lstrip("/")
            yield Edit("file: stray", path, f"{top}/*".lstrip("/"), "", "", {path: b"stray\n"})
    yield from _folder_edits(files, names, chance)


def _copied(files: Files, path: str, family: str, kind: str, *, keep: bool) -> Iterator[Edit]:
    pure = PurePosixPath(path)
    if "/" not in path:
        return
    stem = pure.name.partition(".")[0]
    new_stem = str(int(stem) + 1000) if stem.isdigit() else stem + "_zz"
    numbered = re.fullmatch(r"(.*?)(\d+)", stem)
    if numbered and keep:
        siblings = [PurePosixPath(p).name.partition(".")[0] for p in files
                    if p.rpartition("/")[0] == path.rpartition("/")[0]]  # fmt: skip
        highest = max(
            int(m[2])
            for s in siblings
            if (m := re.fullmatch(r"(.*?)(\d+)", s)) and m[1] == numbered[1]
        )
        new_stem = f"{numbered[1]}{highest + 1}"
    new = str(pure.with_name(new_stem + pure.name[len(stem) :]))
    edited: dict[str, Content] = {new: files[path]}
    if not keep:
        edited[path] = None
    renamed = None if stem.isdigit() else (stem, new_stem)
    yield Edit(kind, new, family, "", f"{path} -> {new}", edited, renamed=renamed)


def _folder_edits(files: Files, names: dict[str, str], chance: random.Random) -> Iterator[Edit]:
    """Folders of resources renamed, added and removed; with an edit inside too."""
    units: dict[str, set[str]] = defaultdict(set)
    for path in files:
        parts = path.split("/")
        if len(parts) > 2:
            units[parts[0]].add(parts[1])
    for top, stems in units.items():
        stem = chance.choice(sorted(stems))
        inside = {p: data for p, data in files.items() if p.startswith(f"{top}/{stem}/")}
        new = {p.replace(f"/{stem}/", f"/{stem}_zz/", 1): data for p, data in inside.items()}
        gone: dict[str, Content] = dict.fromkeys(inside)
        family, path = f"{top}/*", f"{top}/{stem}_zz"
        renamed = (stem, stem + "_zz")
        yield Edit("folder: removed", f"{top}/{stem}", family, "", stem, gone)
        yield Edit("folder: copied", path, family, "", stem, {**new}, renamed=renamed)
        yield Edit("folder: renamed", path, family, "", stem, {**gone, **new}, renamed=renamed)


def _content_edits(files: Files, path: str, family: str, chance: random.Random) -> Iterator[Edit]:
    data = files[path]
    suffix = PurePosixPath(path).suffix.lower()

    def edit(kind: str, what: str, new: bytes) -> Edit:
        return Edit(kind, path, family, "", what, {path: new})

    if suffix == ".json":
        return
    if suffix == ".png":
        for what, new in _pictures(data, chance):
            yield edit("picture: " + what, what, new)
    elif suffix == ".csv":
        for what, new in _tables(data, chance):
            yield edit("table: " + what, what, new)
    elif suffix in TEXTS:
        before, mark, after = data.partition(b"\nenum UnknownEnum")  # what a decompiler puts last
        yield edit("text: a line more", "", before + b"\nzz_law = 1;\n" + mark + after)
    else:
        yield edit("bytes: the last one", "", data[:-1] + bytes([(data or b"\0")[-1] ^ 1]))
        yield edit("bytes: one more", "", data + b"\1")


def _pictures(data: bytes, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    from PIL import Image

    try:
        image = Image.open(io.BytesIO(data))
        image.load()
    except OSError:
        return
    if image.mode == "P":
        pixels = np.array(image)
        new = pixels.copy()
        new[0, 0] = new[-1, -1] if new[-1, -1] != new[0, 0] else (int(new[0, 0]) + 1) % 4
        shapes = {"repainted": new, "larger": np.pad(pixels, ((1, 2), (3, 4))),
                  "smaller": pixels[:-1, :-1]}  # fmt: skip
        for what, shape in shapes.items():
            if not shape.size:
                continue
            out = io.BytesIO()
            made = Image.frombytes("P", shape.shape[::-1], shape.tobytes())
            made.putpalette(image.getpalette() or [])
            made.save(out, "PNG", transparency=image.info.get("transparency"))
            yield what, out.getvalue()
        yield "another colour", _with_another_colour(image, int(pixels[-1, -1]))
        return
    try:
        pixels = png.decode(data)
    except OverhaulError:
        return
    new = pixels.copy()
    at = chance.randrange(new.shape[0]), chance.randrange(new.shape[1])
    new[at] = (*(255 - int(c) for c in new[at][:3]), 255)
    yield "repainted", png.encode(new)
    yield "larger", png.encode(np.pad(pixels, ((1, 2), (3, 4), (0, 0)), "edge"))
    if min(pixels.shape[:2]) > 1:
        yield "smaller", png.encode(np.ascontiguousarray(pixels[:-1, :-1]))


def _with_another_colour(image: Any, index: int) -> bytes:
    """An indexed picture where a colour of its palette is another, which any depth can hold."""
    palette = list(image.getpalette() or [])
    palette += [0] * (3 * index + 3 - len(palette))
    colour = palette[3 * index : 3 * index + 3]
    palette[3 * index : 3 * index + 3] = [255, 0, 255] if colour != [255, 0, 255] else [0, 255, 0]
    made = image.copy()
    made.putpalette(palette)
    out = io.BytesIO()
    made.save(out, "PNG", transparency=image.info.get("transparency"))
    return out.getvalue()


def _tables(data: bytes, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    rows = list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))
    if len(rows) < 2:
        return

    def table(new: list[list[str]]) -> bytes:
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows(new)
        return out.getvalue().encode()

    index = chance.randrange(1, len(rows))
    for column in range(len(rows[index])):
        new = copy.deepcopy(rows)
        number = new[index][column].isdigit() and rows[0][column] != "text"
        new[index][column] += "7" if number else MARK
        yield f"cell {rows[0][column]}", table(new)
    yield "row removed", table(rows[:index] + rows[index + 1 :])
    yield "row again", table([*rows, rows[index]])


def setting_edits(files: Files, chance: random.Random) -> Iterator[Edit]:
    """Edits of overhaul.toml: the version, each setting, and one that there is not."""
    if NAME not in files:
        return
    toml = FolderSettings.from_bytes(files[NAME])

    def edit(key: str, value: object, version: str = toml.version) -> Edit:
        new = FolderSettings(
            toml.kind, version, toml.name, settings={**toml.settings, key: value} if key else None
        )
        data: dict[str, Content] = {NAME: new.to_bytes("0")}
        return Edit("setting", NAME, NAME, key, f"{value!r:.30} {version}", data, (key,))

    for key, value in toml.settings.items():
        for _, other in other_values(value, [], chance):
            yield edit(key, other)
    yield edit("zz_unknown", 1)
    yield edit("", "", toml.version + "1")


def all_edits(files: Files, seed: int) -> list[Edit]:
    """Every edit of a folder that the seed chooses."""
    chance = random.Random(seed)
    makers = (json_edits, file_edits, setting_edits)
    return [edit for make in makers for edit in make(files, chance)]


def in_turn(edits: list[Edit], tried: Counter[tuple[str, str, str]], seed: int) -> list[Edit]:
    """The edits, those first that were tried least, every kind of plain file in turn.

    ``tried`` counts edits of each family, place and kind, in other files too.
    """
    chance = random.Random(seed)
    families: dict[str, list[Edit]] = defaultdict(list)
    for edit in chance.sample(edits, len(edits)):
        families[edit.family].append(edit)
    for some in families.values():
        some.sort(key=lambda edit: tried[edit.key], reverse=True)
    order = []
    while families:
        for family in chance.sample(sorted(families), len(families)):
            order.append(families[family].pop())
            if not families[family]:
                del families[family]
    return order
