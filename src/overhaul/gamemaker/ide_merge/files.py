"""One file of three editions merged: GameMaker's JSON and XML by meaning, texts by lines.

Where the editions disagree, the file has both sides between the marks of a merge.  Each side alone
is a whole file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.ide.orders import place_of_key
from overhaul.gamemaker.ide.texts import JsonFile, read_json_file
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_merge.conflicts import NOTHING, Conflict, Which
from overhaul.gamemaker.ide_merge.elements import merged_xml
from overhaul.gamemaker.ide_merge.rewriting import rewritten
from overhaul.gamemaker.ide_merge.shapes import (
    ORDERS,
    PLACED,
    Three,
    gathered_room,
    is_room,
    spread_room,
    timed,
    untimed,
)
from overhaul.gamemaker.ide_merge.values import ValueMerge
from overhaul.sequences import three_way

#: The files whose values are merged.
JSON_ENDINGS: Final = (".yy", ".yyp", ".resource_order")
XML_ENDING: Final = ".gmx"
#: Merges values.
Merge: TypeAlias = "Callable[[Three], tuple[Json, list[Conflict]]]"
_OURS, _MIDDLE, _THEIRS = "<<<<<<< ours", "=======", ">>>>>>> theirs"


@dataclass
class MergedFile:
    """A merged file; with ``conflicts``, it has both sides between marks, or is that of ours."""

    data: bytes
    conflicts: list[Conflict] = field(default_factory=list)


def merge_files(path: str, base: bytes, ours: bytes, theirs: bytes) -> MergedFile:
    """The file that both editions make of one.

    The ending of ``path`` decides the kind of file. A file that can't be read is merged by
    lines, and a binary file only if one edition changed it. Without a ``base`` both editions
    added the file: that is a conflict.
    """
    if theirs in (base, ours):
        return MergedFile(ours)
    if ours == base:
        return MergedFile(theirs)
    sides = Sides(path, base, ours, theirs)
    try:
        if base and path.endswith(JSON_ENDINGS):
            return _merged_json(sides)
        if base and path.endswith(XML_ENDING):
            return _merged_elements(sides)
    except (FormatError, EncodeError, RecursionError):  # of one of them: its lines can be merged
        pass
    return _merged_lines(sides)


@dataclass(frozen=True)
class Sides:
    """A file of three editions."""

    path: str
    base: bytes
    ours: bytes
    theirs: bytes


_WHICH: Final[tuple[Which, Which]] = ("ours", "theirs")


# -- JSON -----------------------------------------------------------------------------------------


def _merged_json(sides: Sides) -> MergedFile:
    given = sides.base, sides.ours, sides.theirs
    read = [read_json_file(data, source=sides.path) for data in given]
    base, ours, theirs = read
    three = Three(base.at(), ours.at(), theirs.at())
    is_turned = base.style == ours.style != theirs.style
    made = [_merged_values(sides.path, three, which, read, turned=is_turned) for which in _WHICH]
    return _with_marks(sides.path, made[0][0], made[1][0], made[0][1])


def _merged_values(
    path: str, three: Three, which: Which, read: list[JsonFile], *, turned: bool
) -> tuple[bytes, list[Conflict]]:
    """The file with the values of one side where both disagree; ``turned``: in the form of theirs,
    which another release wrote."""
    primary = read[2] if turned else read[1]
    if turned:
        which = "theirs" if which == "ours" else "ours"
        three = Three(three.base, three.theirs, three.ours)

    def place(keys: Sequence[str], key: str, kind: str) -> int:
        known = [one for one in keys if one != PLACED]  # the last, which no file has
        return place_of_key(known, key, primary.style, kind)

    def merge(values: Three) -> tuple[Json, list[Conflict]]:
        merging = ValueMerge(path, which, place)
        made = merging.merged(*values)
        assert made is not NOTHING
        return made, merging.conflicts

    value, conflicts = _by_shape(path, three, which, merge)
    if turned:
        conflicts = [conflict.turned() for conflict in conflicts]
    return rewritten(primary, value).to_bytes(), conflicts


def _by_shape(
    path: str,
    three: Three,
    which: Which,
    merge: Merge,
) -> tuple[Json, list[Conflict]]:
    """The merged value of a room, a sprite or another file."""
    if is_room(three.ours):
        spread = [spread_room(value) for value in three]
        if None not in spread:
            made, conflicts = merge(Three(*spread))
            room = gathered_room(made)
            if room is not None:
                return room, conflicts
            return _torn(path, three, which, conflicts)
        return merge(three)
    frames = [untimed(value) for value in three]
    if None not in frames:
        made, conflicts = merge(Three(*frames))
        return timed(made), conflicts
    return merge(three)


def _torn(
    path: str, three: Three, which: Which, conflicts: list[Conflict]
) -> tuple[Json, list[Conflict]]:
    """A room with the layers of one side, as an instance would be on two layers, or on none."""
    parts = [value if isinstance(value, dict) else {} for value in three]
    keys = ("layers", *ORDERS)
    alike = [
        {**part, **{key: parts[1][key] for key in keys if key in part and key in parts[1]}}
        for part in parts
    ]
    merging = ValueMerge(path, which, lambda known, key, kind: len(known))
    made = merging.merged(alike[0], alike[1], alike[2])
    assert isinstance(made, dict)
    chosen = parts[1] if which == "ours" else parts[2]
    value = {key: chosen[key] if key in keys and key in chosen else item
             for key, item in made.items()}  # fmt: skip
    if not conflicts:
        reason = "an instance is moved to another layer by one, and moved or removed by the other"
        conflicts = [Conflict(path, reason, "layers")]
    return value, conflicts


# -- XML ------------------------------------------------------------------------------------------


def _merged_elements(sides: Sides) -> MergedFile:
    (base, ours, theirs), newline = _with_one_end(sides)
    made = [merged_xml(sides.path, base, ours, theirs, which) for which in _WHICH]
    merged = _with_marks(sides.path, made[0][0], made[1][0], made[0][1])
    return MergedFile(merged.data.replace(b"\n", newline), merged.conflicts)


# -- lines ----------------------------------------------------------------------------------------


def _with_one_end(sides: Sides) -> tuple[list[bytes], bytes]:
    """The files with LF at the end of lines, and what the merged file has there.

    If lines of one file have different ends, all of them stay unchanged.
    """
    files = [sides.base, sides.ours, sides.theirs]
    counts = [data.count(b"\r\n") for data in files]
    if any(count not in (0, data.count(b"\n"))
           for count, data in zip(counts, files, strict=True)):  # fmt: skip
        return files, b"\n"
    newlines = [b"\r\n" if count else b"\n" for count in counts]
    newline = newlines[2] if newlines[0] == newlines[1] else newlines[1]
    return [data.replace(b"\r\n", b"\n") for data in files], newline


def _merged_lines(sides: Sides) -> MergedFile:
    files, newline = _with_one_end(sides)
    try:
        texts = [data.decode("utf-8") for data in files]
    except UnicodeDecodeError:
        texts = ["\0"]
    if any("\0" in text for text in texts):
        word = "changed" if sides.base else "added"
        return MergedFile(sides.ours, [Conflict(sides.path, f"{word} by both, and no text")])
    if not sides.base:
        added = [Conflict(sides.path, "added by both, and not the same")]
        return _with_marks(sides.path, sides.ours, sides.theirs, added)
    lines, conflicts = _marked(sides.path, *texts)
    return MergedFile(lines.encode("utf-8").replace(b"\n", newline), conflicts)


def lines_in(text: str) -> list[str]:
    """The lines of a text with their ends.  Only LF ends one: str.splitlines has characters for
    that which a source or a string may hold."""
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)


def _marked(path: str, base: str, ours: str, theirs: str) -> tuple[str, list[Conflict]]:
    """The lines of both editions, with marks where they disagree."""
    made: list[str] = []
    conflicts: list[Conflict] = []
    for region in three_way(*map(lines_in, (base, ours, theirs))):
        if region.merged is not None:
            made += region.merged
            continue
        line = 1 + sum(text.count("\n") for text in made)
        one, two = "".join(region.ours), "".join(region.theirs)
        conflicts.append(Conflict(path, "changed by both", "", line, one, two))
        made += _block(region.ours, region.theirs)
    return "".join(made), conflicts


def _block(ours: tuple[str, ...], theirs: tuple[str, ...]) -> list[str]:
    return [f"{_OURS}\n", *_ended(ours), f"{_MIDDLE}\n", *_ended(theirs), f"{_THEIRS}\n"]


def _ended(lines: tuple[str, ...]) -> list[str]:
    return [line if line.endswith("\n") else f"{line}\n" for line in lines]


def _with_marks(path: str, ours: bytes, theirs: bytes, conflicts: list[Conflict]) -> MergedFile:
    """A file with two sides, both whole: marks are at their differences."""
    if ours == theirs:
        return MergedFile(ours, conflicts)
    # the encoding of XML may be another: marks need ASCII only
    one, two = (data.decode("utf-8", "surrogateescape") for data in (ours, theirs))
    newline = "\r\n" if "\r\n" in one else "\n"
    made: list[str] = []
    places: list[int] = []
    for region in three_way(*(lines_in(side.replace("\r\n", "\n")) for side in (one, one, two))):
        if region.ours == region.theirs:
            made += region.ours
        else:
            places.append(1 + len(made))
            made += _block(region.ours, region.theirs)
    if not places:  # only the ends of lines differ
        return MergedFile(ours)
    data = "".join(made).replace("\n", newline).encode("utf-8", "surrogateescape")
    marked = [replace(one, line=places[min(n, len(places) - 1)]) for n, one in enumerate(conflicts)]
    return MergedFile(data, marked)
