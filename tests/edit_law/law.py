"""What became of an edit: true, refused, reported, or a breach of the law."""

from __future__ import annotations

import io
import re
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from overhaul.errors import OverhaulError
from overhaul.folder.toml import NAME, FolderSettings

from .edits import MARK, STRINGS, Edit, Place, load, pattern
from .meaning import ABSENT, SETS, follows, rows_of, same_text, same_tiles, same_value, unit_of
from .subject import ASSEMBLY, SOURCE, Files, Packed, Subject

GOOD = ("true", "refused", "reported")
#: Warnings about documents that are never packed.
NEVER = "can be extracted, but not put back"
#: Warnings about code where numbers of resources mean others now.
NUMBERS = "as plain numbers, of which"
#: Seconds of CPU that packing one edit may take.
SLOW = 20.0


@dataclass(frozen=True)
class Finding:
    """What became of an edit: ``outcome`` is one of GOOD, or what is wrong; ``detail`` says how."""

    subject: str
    edit: Edit
    outcome: str
    detail: str = ""

    @property
    def good(self) -> bool:
        return self.outcome in GOOD

    def __str__(self) -> str:
        edit = self.edit
        place = f"{edit.family} {edit.where}".strip()
        return f"{self.outcome:8} {edit.kind:22} {place} | {edit.what} | {self.detail}"


def judge(subject: Subject, edit: Edit) -> Finding:
    """Pack the edited folder, unpack it again and compare."""
    folder = edit.of(subject.files)
    began = time.process_time()
    try:
        packed = subject.pack(folder)
        seconds = time.process_time() - began
        again = subject.unpack(packed)
    except OverhaulError as error:
        return _refused(subject, edit, str(error))
    except Exception as error:  # noqa: BLE001 - what the law forbids, whatever it is
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{where.filename.rpartition('overhaul/')[2]}:{where.lineno}"
        return Finding(subject.name, edit, "CRASH", f"{type(error).__name__}: {error} ({place})")
    if seconds > SLOW:
        return Finding(subject.name, edit, "SLOW", f"{seconds:.0f} s")
    return _compared(subject, edit, folder, packed, again)


def _refused(subject: Subject, edit: Edit, message: str) -> Finding:
    names = [edit.path, *edit.edited]
    words = {*names, *(path.rpartition("/")[0] for path in names if "/" in path)}
    words |= {PurePosixPath(path).name.partition(".")[0] for path in names}
    if NEVER in message:  # whatever the edit is
        return Finding(subject.name, edit, "refused", message)
    if not any(word in message for word in words):
        return Finding(subject.name, edit, "UNCLEAR", message)
    keys = [step for step in edit.place if isinstance(step, str)]
    keys = keys[-2:] + ([edit.new] if isinstance(edit.new, str) else [])
    if keys and not any(key in message or key.rstrip("s") in message for key in keys):
        return Finding(subject.name, edit, "NO KEY", message)
    return Finding(subject.name, edit, "refused", message)


def _compared(subject: Subject, edit: Edit, folder: Files, packed: Packed, again: Files) -> Finding:
    if edit.renamed is not None and "renamed" in edit.kind:
        folder, again = (with_old_name(files, *edit.renamed) for files in (folder, again))
    if edit.path == STRINGS and edit.kind.startswith("table: cell"):
        again = _with_old_text(again, folder)
    left = [one for one in differing(folder, again) if not _expected(one, edit, packed, subject)]
    if not left:
        return Finding(subject.name, edit, "true")
    text = "; ".join(f"{path} {where}: {words}" for path, where, words, *_ in left[:4])
    text += f" (+{len(left) - 4})" if len(left) > 4 else ""
    if packed.same_as(subject.original):
        outcome = "DROPPED"
    elif not any(path in edit.edited for path, *_ in left):
        outcome = "EXTRA"
    else:
        outcome = "OTHER"
    words = [edit.path, *edit.edited]
    reported = [
        text
        for text in packed.warnings
        if any(path in text or unit_of(path) in text for path in words)
    ]
    if not reported and all(any(path in w for w in packed.warnings) for path, *_ in left):
        reported = packed.warnings
    if not reported and all(path.startswith("code/") for path, *_ in left):
        reported = [text for text in packed.warnings if NUMBERS in text]
    if reported:
        return Finding(subject.name, edit, "reported", f"{reported[0]} | {text}")
    return Finding(subject.name, edit, outcome, text)


#: path, pattern of the place, words, place, what was edited in, what came back
Difference = tuple[str, str, str, Place, Any, Any]


def differing(folder: Files, again: Files) -> Iterator[Difference]:
    """Where two folders differ: files, and places in JSON files and tables."""
    for path in sorted({*folder, *again}):
        one, two = folder.get(path), again.get(path)
        if one == two or {one, two} <= {None, b"", b"[]\n", b"{}\n", b"[]", b"{}"}:
            continue
        if one is None or two is None:
            words = "not there again" if two is None else "is new"
            yield path, "", words, (), ABSENT if one is None else one, two
        elif path.endswith(".json"):
            for place, a, b in _json_differences(load(one), load(two), ()):
                words = f"{_short(a)} came back as {_short(b)}"
                yield path, pattern(place), words, place, a, b
        elif path == NAME:
            for place, a, b in _json_differences(_toml(one), _toml(two), ()):
                yield path, pattern(place), f"{_short(a)} came back as {_short(b)}", place, a, b
        elif path.endswith(".png"):
            if not _same_picture(one, two):
                yield path, "", "other pixels came back", (), one, two
        elif path.endswith(".csv"):
            if not same_text(path, one, two) and rows_of(one) != rows_of(two):
                yield path, "", _row_words(rows_of(one), rows_of(two)), (), one, two
        elif not same_text(path, one, two):
            yield path, "", f"{len(one)} bytes came back as other {len(two)}", (), one, two


def _short(value: Any) -> str:
    return "nothing" if value is ABSENT else f"{value!r:.50}"


def _json_differences(a: Any, b: Any, at: Place) -> Iterator[tuple[Place, Any, Any]]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in {**a, **b}:
            yield from _json_differences(a.get(key, ABSENT), b.get(key, ABSENT), (*at, key))
    elif isinstance(a, list) and isinstance(b, list) and at and at[-1] in SETS:
        if {*map(str, a)} != {*map(str, b)}:
            yield at, a, b
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for index, (one, two) in enumerate(zip(a, b, strict=True)):
            yield from _json_differences(one, two, (*at, index))
    elif type(a) is not type(b) or a != b:
        same = isinstance(a, int | float) and isinstance(b, int | float) and a == b
        nothing = {id(ABSENT), id(None)}
        if not same and not {id(a), id(b)} <= nothing:
            yield at, a, b


def _toml(data: bytes) -> object:
    return FolderSettings.from_bytes(data).for_model()


def _row_words(a: list[list[str]], b: list[list[str]]) -> str:
    if len(a) != len(b):
        return f"{len(a)} rows came back as {len(b)}"
    one, two = next((x, y) for x, y in zip(a, b, strict=True) if x != y)
    return f"{one!r:.60} came back as {two!r:.60}"


def _same_picture(one: bytes, two: bytes) -> bool:
    from PIL import Image

    images = [Image.open(io.BytesIO(data)) for data in (one, two)]
    if images[0].size != images[1].size:
        return False
    if {image.mode for image in images} == {"P"} and not _equal(*images):
        return False  # the same colours by other numbers
    return _equal(*(image.convert("RGBA") for image in images))


def _equal(one: Any, two: Any) -> bool:
    return bool(np.array_equal(np.array(one), np.array(two)))


def with_old_name(files: Files, old: str, new: str) -> Files:
    """The files as if a resource still had its old name: what refers to it follows it.

    A file keeps its new name where the old one is there too, as a picture renamed alone is that of
    a new resource.
    """
    return {
        path if path.replace(new, old) in files else path.replace(new, old): data
        if path.endswith(".png")
        else data.replace(new.encode(), old.encode())
        for path, data in files.items()
    }


def _with_old_text(again: Files, folder: Files) -> Files:
    """The files as if a text still were what it was: it is edited everywhere where it is used."""
    return {
        path if path in folder else path.replace(MARK, ""): data
        if path == STRINGS or path.endswith(".png")
        else data.replace(MARK.encode(), b"")
        for path, data in again.items()
    }


def _expected(one: Difference, edit: Edit, packed: Packed, subject: Subject) -> bool:
    """Whether a difference is no breach: what the edit means, or what follows from it."""
    path, where, _, place, given, back = one
    if edit.open and path == edit.path and place[: len(edit.place)] == edit.place:
        return True  # a key that was left out comes back with a value
    if (
        given is not ABSENT
        and back is ABSENT
        and path == edit.path
        and place == edit.place[: len(place)]
    ):
        return not packed.same_as(subject.original)  # left out, as it is the default now
    if (
        edit.where.endswith("version")
        and given is ABSENT
        and (back == 1 or not re.search("[1-9A-Za-z]", f"{back}"))
    ):
        return True  # a field that the other version has, with what it had always been, or nothing
    if edit.where.endswith("version") and (path, where) == (NAME, "version"):
        return bool(back == str(edit.new))
    again = edit.kind in ("list: element again", "value: like others") and path == edit.path
    if again and given is ABSENT and back in ([], {}, ""):
        return True  # what the first element has not, and later ones have
    if edit.kind == "table: row removed" and path == edit.path:
        return True  # a part of a table is enough: its index is the key
    if given is ABSENT and path.endswith(SOURCE) and back is not None:
        if edit.path == STRINGS:
            return _has_text(edit, subject, path)
        if same_text(path, subject.source_of(path), back):
            return True  # code without a file says the same by other numbers
    tiles = edit.kind == "picture: repainted" and not edit.path.startswith("textures/")
    if tiles and re.fullmatch(r"tilesets/.*\.png", path):
        return same_tiles(path, subject.files, given, back)
    if (path not in edit.edited or place != edit.place) and follows(
        subject.kind, edit, path, where, subject.files, given, back
    ):
        return True
    return same_value(subject.kind, path, where, given, back)


def _has_text(edit: Edit, subject: Subject, path: str) -> bool:
    """Whether code that has no file among those of the subject has a text that was edited."""
    code = subject.assembly.get(path.removesuffix(SOURCE) + ASSEMBLY, b"")
    before, after = (rows_of(files[STRINGS]) for files in (subject.files, edit.of(subject.files)))
    texts = {row[1] for row, new in zip(before, after, strict=False) if row != new}
    return any(f'"{text}"'.encode() in code for text in texts)


def summary(findings: list[Finding]) -> str:
    """How many edits came to what."""
    counts: dict[str, int] = {}
    for finding in findings:
        counts[finding.outcome] = counts.get(finding.outcome, 0) + 1
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


def compact(findings: list[Finding]) -> list[str]:
    """A line for each kind of breach: how often, in how many files, and the first example."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        if not finding.good:
            edit = finding.edit
            key = (finding.outcome, edit.kind, edit.family, edit.where)
            groups.setdefault(key, []).append(finding)
    lines = []
    for found in groups.values():
        files = len({finding.subject for finding in found})
        lines.append(f"{len(found)}x/{files} files  {found[0]}  <{found[0].subject}>")
    return lines


def table(findings: list[Finding]) -> list[str]:
    """What became of the edits of each sort of plain file, with the number of files edited."""
    rows: dict[str, list[Finding]] = {}
    for finding in findings:
        rows.setdefault(_sort_of(finding.edit), []).append(finding)
    lines = [
        f"{'plain files':24} {'of':>4} {'edits':>6} {'true':>6} {'refused':>7} "
        f"{'reported':>8} broken"
    ]
    for name, some in [*sorted(rows.items()), ("all", findings)]:
        counts = Counter(finding.outcome for finding in some)
        broken = ", ".join(f"{counts[k]} {k}" for k in sorted({*counts} - {*GOOD})) or "0"
        subjects = len({finding.subject for finding in some})
        numbers = f"{counts['true']:6} {counts['refused']:7} {counts['reported']:8} {broken}"
        lines.append(f"{name:24} {subjects:4} {len(some):6} {numbers}")
    return lines


def _sort_of(edit: Edit) -> str:
    """The folder and the ending of the edited file."""
    if edit.kind == "file: stray":
        return "strays"
    if "/" not in edit.family:
        return edit.family
    return f"{edit.family.partition('/')[0]}/*{PurePosixPath(edit.path).suffix}"
