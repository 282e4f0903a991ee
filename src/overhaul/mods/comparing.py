"""Two open games compared by name: what was added, removed, renamed and changed."""

from __future__ import annotations

import difflib
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from overhaul.document.plainfiles import PlainFile, matches_any
from overhaul.document.protocol import HasCounterpart
from overhaul.errors import OverhaulError
from overhaul.folder.parallel import Progress, tracked
from overhaul.media import audio, png
from overhaul.mods import values
from overhaul.mods.building import text_details
from overhaul.mods.changes import Change, Diff, Kind
from overhaul.mods.renames import find_renamed, moved_path
from overhaul.mods.renaming import Renaming
from overhaul.mods.values import NOTHING, Op, Step, is_structured, read_value, show_path
from overhaul.mods.view import CODE, NAME, SOURCE, FileView
from overhaul.sequences import Hunk, opcodes

_SOUNDS = (".wav", ".ogg", ".mp3", ".mid", ".flac", ".aiff")
#: Files of other kinds that are compared by lines, up to this size.
_TEXTS = (
    *(".gml", ".asm", ".asc", ".ash", ".ads", ".csv", ".txt", ".trs"),
    *(".glsl", ".hlsl", ".ini", ".rtf", ".vsh", ".fsh", ".yy", ".yyp", ".gmx"),
)


#: The files of code, which has the names of resources.
_NAMING = (SOURCE, ".asc", ".ash")
#: The text that the compiler puts around the names of functions inside of code.
_NUMBERED = re.compile(
    r"(?<=___struct___)\d+|(?<=@)\d+(?=@)|(?<=anon_)\d+(?=_)|^; counts .*$", re.MULTILINE
)
#: The separator of keys in the path of a JSON value.
_STEPS = re.compile(r"[.\[\]]+")
#: The most lines of assembly that are shown of a change.
_MOST = 30


def _counterparts(old: FileView, new: FileView) -> tuple[FileView, FileView, list[str]]:
    """The documents to compare in the place of documents of two kinds, and the parts left out of
    both."""
    if old.document.kind != new.document.kind:
        for one, two in ((old.document, new.document), (new.document, old.document)):
            pair = one.counterpart(two) if isinstance(one, HasCounterpart) else None
            if pair is not None:
                first, second = map(FileView, pair[:2] if one is old.document else pair[1::-1])
                return first, second, pair[2]
    return old, new, []


def compare(
    old: FileView,
    new: FileView,
    *,
    only: Sequence[str] = (),
    progress: Progress | None = None,
    jobs: int = 1,
) -> Diff:
    """As :func:`overhaul.mods.diff`, of games that are open."""
    before = old, new
    old, new, apart = _counterparts(old, new)
    new.share_analysis(old)
    changes = list(_changes(old, new, only, progress, jobs))
    first, second = (view.document.source or "" for view in (old, new))
    changes.sort(key=lambda change: (change.path, change.kind))
    equal = {} if before == (old, new) else _equal(old, new, changes, only)
    return Diff(changes, first, second, apart, equal)


def _equal(
    old: FileView, new: FileView, changes: Sequence[Change], only: Sequence[str]
) -> dict[str, tuple[int, int]]:
    """How many resources that both have are equal, and how many there are, by kind."""
    changed = {path for change in changes for path in (change.path, change.old_path)}
    theirs = {(each.kind, each.path) for each in new.document.tree()}
    counts: dict[str, tuple[int, int]] = {}
    for each in old.document.tree():
        if (each.kind, each.path) in theirs and (not only or matches_any(each.path, only)):
            equal, compared = counts.get(each.kind, (0, 0))
            is_same = not any(_is_in(path, each.path) for path in changed)
            counts[each.kind] = equal + is_same, compared + 1
    return counts


def _is_in(path: str | None, place: str) -> bool:
    """Whether a path is that of a resource, or in its folder."""
    return path is not None and (path == place or path.startswith(f"{place}/"))


def _changes(
    old: FileView, new: FileView, only: Sequence[str], progress: Progress | None, jobs: int
) -> Iterator[Change]:
    same = old.same_places(new)
    whole = old, new
    old, new = old.outside(same), new.outside(same)
    renamed = find_renamed(old, new)
    if renamed:  # files of other resources may have the old names
        old, new = whole
    renaming = Renaming(renamed, places=old.resources().values() if renamed else ())
    before = {moved_path(path, renamed): file for path, file in old.files.items()}
    for place, now in renamed.items():
        if not only or matches_any(now, only) or matches_any(place, only):
            yield Change("renamed", now, place)
    yield from _come_and_gone(old, before, new, only)
    wanted = {path for path in before if not only or matches_any(path, only)}
    alike = old.same_sources(before, new)
    both = [
        path
        for path in before
        if path in new.files and (path in wanted or new.has_parts) and path not in alike
    ]
    for path in tracked(both, both, progress):
        file, other = before[path], new.files[path]
        if is_structured(path):
            if file.seems_same(other):
                continue
            read = file.read(), other.read()  # once, as they may be large
            if read[0] == read[1]:
                continue
        elif file.same(other):
            continue
        else:
            read = None
        parts = both_parts(old, file.path, new, path)
        if parts is not None:
            for change in _changes(*parts, (), None, jobs):
                inside = change.moved_to(path)
                if not only or matches_any(inside.path, only):
                    yield inside
        elif path in wanted:
            if path.startswith(CODE):
                old.learn_code(jobs)
                new.learn_code(jobs)
            details = _details(file, other, old, new, renaming, read)
            if details is not None:
                yield Change("changed", path, None, details)
    fields = _fields(values.compare(old.settings(), new.settings()))
    if fields and (not only or matches_any(NAME, only)):
        yield Change("changed", NAME, None, {"fields": fields})


def both_parts(
    old: FileView, before: str, new: FileView, after: str
) -> tuple[FileView, FileView] | None:
    """The documents that a file is in both games, if it is one of the same kind in both."""
    one, two = old.part(before), new.part(after)
    if one is None or two is None or one.document.kind != two.document.kind:
        return None
    return one, two


def _come_and_gone(
    old: FileView, before: Mapping[str, PlainFile], new: FileView, only: Sequence[str]
) -> Iterator[Change]:
    """Resources that only one game has, and files of resources that both have."""
    kind: Kind
    for kind, here, files, others in (
        ("removed", old, before, {**new.derived, **new.files}),
        ("added", new, new.files, {**old.derived, **before}),
    ):
        if all(path in others for path in files):
            continue
        places = here.resources()
        shared = {places[path] for path in here.files if path in others}
        by_place: dict[str, list[str]] = {}
        for path in files:
            if path not in others and (not only or matches_any(path, only)):
                place = places.get(path, path)
                by_place.setdefault(path if place in shared else place, []).append(path)
        for place, paths in by_place.items():
            yield Change(
                kind, paths[0] if len(paths) == 1 and "/" not in paths[0][len(place) :] else place
            )


def is_of_release(view: FileView, change: Change) -> bool:
    """Whether a change is only of values that the release of the engine decides."""
    fields = change.details.get("fields")
    return isinstance(fields, list) and all(
        any(view.fixed(change.path, step) for step in _STEPS.split(field["path"])[:2])
        for field in fields
    )


def _details(
    one: PlainFile,
    two: PlainFile,
    old: FileView,
    new: FileView,
    renaming: Renaming,
    read: tuple[bytes, bytes] | None,
) -> dict[str, object] | None:
    """The differences in a file; None if they are only the new names of renamed resources.

    ``read`` are the contents of both, if they were read.
    """
    path = two.path
    before, after = (one.read(), two.read()) if read is None else read
    if is_structured(path):
        try:
            first = renaming.value(old.without(path, read_value(path, before)))
            second = new.without(path, read_value(path, after))
        except OverhaulError:
            return {"size": len(after), "old_size": len(before)}
        ops = order_changes(new, path, first, second)
        if ops is None:
            ops = list(values.compare(first, second))
            ops += values.compare_keys(first, second) if new.keys_ordered(path) else ()
        fields = _fields(ops)
        return {"fields": fields} if fields else None
    if path.endswith(".png"):
        return picture_details(before, after)
    if path.endswith(_SOUNDS):
        return _sound_details(before, after)
    if path == new.texts():
        return text_details(before, after)
    if path.endswith(_TEXTS):
        lines = renaming.source(_text(before)) if path.endswith(_NAMING) else _text(before)
        if lines == _text(after):
            if path not in new.assembly or before != after or one.path not in old.assembly:
                return None
            changed = _instructions(old.assembly[one.path].read(), new.assembly[path].read())
            return {"bytes": changed} if changed else None
        return {"diff": unified(lines, _text(after))}
    return {"size": len(after), "old_size": len(before)}


def _instructions(before: bytes, after: bytes) -> list[list[str]]:
    """The lines of assembly that differ, as pairs (the first _MOST); the numbers
    and places in names of functions inside are not compared."""
    one, two = (_NUMBERED.sub("", _text(side)).split("\n") for side in (before, after))
    pairs: list[list[str]] = []
    for a, b, c, d in opcodes(one, two):
        rows = itertools.zip_longest(one[a:b], two[c:d], fillvalue="")
        pairs += [[old.strip(), new.strip()] for old, new in rows]
    return pairs[:_MOST]


def order_changes(view: FileView, path: str, old: object, new: object) -> list[Op] | None:
    """The changes of a JSON file that lists resources: of the order of those in both lists.

    None for another file.
    """
    ordering = view.ordering(path)
    if ordering is None or not isinstance(old, dict) or not isinstance(new, dict):
        return None
    ops: list[Op] = []
    for key in sorted(old.keys() & new.keys()):
        if ordering(key):
            one, two = _names(old[key]), _names(new[key])
            both = {*one} & {*two}
            ops += values.compare(
                [name for name in one if name in both],
                [name for name in two if name in both],
                (key,),
            )
    return ops


def new_order(view: FileView, path: str, old: object, new: object) -> list[Op] | None:
    """The changes of a JSON file that lists resources, with the places of new ones where these do
    not come last, sorted.  None for another file."""
    ordering = view.ordering(path)
    if ordering is None or not isinstance(old, dict) or not isinstance(new, dict):
        return None
    ops: list[Op] = []
    for key in sorted(new.keys()):
        if ordering(key):
            before, after = _names(old.get(key)), _names(new[key])
            left = [name for name in before if name in {*after}]
            if after != [*left, *sorted({*after} - {*before})]:
                at: tuple[str, ...] = (key,)
                ops += values.compare(left, after, at)
    return ops


def is_lines(path: str) -> bool:
    """Whether a file is compared and merged by lines."""
    return path.endswith(_TEXTS)


def _names(listed: object) -> list[str]:
    items = listed if isinstance(listed, list) else []
    return [item for item in items if isinstance(item, str)]


def _fields(ops: Iterable[Op]) -> list[dict[str, object]]:
    """Changes of a value, for people and JSON."""
    return [
        field
        for op in ops
        for field in (_elements(op.at, op.now) if isinstance(op.now, Hunk) else [_field(op)])
    ]


def _elements(at: Sequence[Step], hunk: Hunk) -> Iterator[dict[str, object]]:
    """A change of elements that have no identity, one by one."""
    for index, both in enumerate(itertools.zip_longest(hunk.old, hunk.new), hunk.at):
        sides = zip(("old", "new"), both, strict=True)
        values = {side: json.loads(text) for side, text in sides if text is not None}
        yield {"path": show_path((*at, index)), **values}


def _field(op: Op) -> dict[str, object]:
    shown: dict[str, object] = {"path": show_path(op.at)}
    if op.kind == "move":
        return {**shown, "moved": True}
    if op.kind == "insert":
        key, mark = _mark(op)
        return {"path": f"{show_path(op.at)}[{f'{key}={mark}' if key else mark}]", "new": op.now}
    if op.was is not NOTHING:
        shown["old"] = op.was
    if op.now is not NOTHING:
        shown["new"] = op.now
    return shown


def _mark(op: Op) -> tuple[str, object]:
    key = next(iter(op.after or ()), None) or values.identity([op.now], [op.now]) or ""
    return key, values.mark_of(op.now, key)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def unified(old: str, new: str) -> str:
    """The unified diff of two texts, without the lines that name files."""
    lines = difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=3)
    return "\n".join(list(lines)[2:])


def picture_details(before: bytes, after: bytes) -> dict[str, object]:
    """The sizes of two pictures, and the number of pixels that differ where these are equal."""
    try:
        one, two = png.decode(before), png.decode(after)
    except OverhaulError:
        return {"size": len(after), "old_size": len(before)}
    sizes = [[int(pixels.shape[1]), int(pixels.shape[0])] for pixels in (one, two)]
    if sizes[0] != sizes[1]:
        return {"picture": sizes[1], "old_picture": sizes[0]}
    return {"picture": sizes[1], "pixels": int(np.any(one != two, axis=2).sum())}


def _sound_details(before: bytes, after: bytes) -> dict[str, object]:
    details: dict[str, object] = {}
    for prefix, data in (("old_", before), ("", after)):
        sound = audio.inspect(data)
        details |= {f"{prefix}format": sound.format.value, f"{prefix}size": len(data)}
        if sound.duration is not None:
            details[f"{prefix}seconds"] = round(sound.duration, 3)
    return details
