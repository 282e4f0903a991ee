"""The patch of a mod for one plain file, and its form in the mod's zip file.

A text is changed by lines (:class:`LinePatch`, a unified diff), JSON by fields
(:class:`ValuePatch`), a picture of the same size by its repainted part (:class:`PicturePatch`),
anything else as a whole (:class:`WholePatch`).  ``was`` and ``now`` are digests of the file before
and after: see :func:`content_digest`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import FormatError, OverhaulError
from overhaul.folder.json_fields import (
    at_key,
    expect_integer,
    expect_list,
    expect_object,
    read_json,
)
from overhaul.media import png
from overhaul.media.bounds import most_pixels
from overhaul.mods import values
from overhaul.mods.values import NOTHING, Op, Step
from overhaul.sequences import CONTEXT, Hunk

Pixels: TypeAlias = "NDArray[np.uint8]"


class LinePatch(NamedTuple):
    """Changed lines of a text."""

    was: str
    now: str
    hunks: list[Hunk]


class ValuePatch(NamedTuple):
    """Changed fields of a JSON file."""

    was: str
    now: str
    ops: list[Op]


class PicturePatch(NamedTuple):
    """A repainted part: ``picture``, a PNG file, at column ``x`` and row ``y``.

    ``chosen``, a PNG file too, is white where it is repainted; None: all of them are. ``under``
    is the digest of what was there before. They are decoded when asked for, as a mod may have
    many.
    """

    was: str
    now: str
    x: int
    y: int
    picture: bytes
    chosen: bytes | None
    under: str

    @property
    def pixels(self) -> Pixels:
        """The pixels (height, width, 4), decoded now.  Raises FormatError."""
        return _decode(self.picture)

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Which of the pixels (height, width) are repainted, decoded now.  Raises FormatError."""
        if self.chosen is None:
            width, height = png.size(self.picture)
            return np.ones((height, width), np.bool_)
        return read_mask(_decode(self.chosen))

    def check(self) -> None:
        """Raise FormatError for what can't be decoded, or is of two sizes."""
        size = self.pixels.shape[:2]
        if self.chosen is not None and _decode(self.chosen).shape[:2] != size:
            raise FormatError("the mask is of another size than the picture")


def _decode(picture: bytes) -> Pixels:
    return png.decode(picture, max_pixels=most_pixels(len(picture)))


class WholePatch(NamedTuple):
    """Another file in place of this one; or this one as it is, where packing would recompute it
    from other changed files."""

    was: str
    now: str
    data: bytes

    @property
    def keeps(self) -> bool:
        """Whether the file does not change."""
        return self.was == self.now


Patch: TypeAlias = LinePatch | ValuePatch | PicturePatch | WholePatch


def content_digest(path: str, data: bytes) -> str:
    """The digest of a file's content: of a picture's pixels, of JSON's values, else of the
    bytes."""
    if path.endswith(".png"):
        try:
            picture = read_picture(data)
        except OverhaulError:
            pass  # as bytes, then
        else:
            pixels = pixel_digest(picture.pixels)
            colours = picture.palette
            return pixels if not colours else hashlib.sha256(pixels.encode() + colours).hexdigest()
    if path.endswith(".json"):
        try:
            data = values.text_of(read_json(data, path)).encode("utf-8", "surrogatepass")
        except OverhaulError:
            pass
    return hashlib.sha256(data).hexdigest()


class PngPicture(NamedTuple):
    """A PNG file: its pixels; or, with a ``palette`` (red, green, blue of each colour), the indices
    of its pixels repeated in three channels, as indices are compared and not colours."""

    pixels: Pixels
    palette: bytes = b""

    def encode(self) -> bytes:
        """The PNG file."""
        if not self.palette:
            return png.encode(self.pixels)
        return png.encode_indexed(self.pixels[:, :, 0], self.palette)


def read_picture(data: bytes) -> PngPicture:
    """The pixels of a PNG file in the form in which pictures are merged.  Raises FormatError."""
    if data[25:26] != b"\x03":
        return PngPicture(png.decode(data))
    indices, palette = png.decode_indexed(data)
    opaque = np.full_like(indices, 255)
    return PngPicture(np.stack([indices, indices, indices, opaque], axis=2), palette)


def pixel_digest(pixels: Pixels) -> str:
    """The digest of pixels."""
    made = hashlib.sha256(b"%d %d\n" % pixels.shape[:2])
    made.update(np.ascontiguousarray(pixels).data)
    return made.hexdigest()


def under_digest(pixels: Pixels, x: int, y: int, mask: NDArray[np.bool_]) -> str:
    """The digest of the pixels of a picture that are repainted at a place; "" outside of it."""
    height, width = mask.shape
    part = pixels[y : y + height, x : x + width]
    if part.shape[:2] != (height, width):
        return ""
    return pixel_digest(np.where(mask[:, :, None], part, np.uint8(0)))


# --------------------------------------------------------------------------------- unified diffs

_HEAD = re.compile(r"@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@")


def write_hunks(hunks: Sequence[Hunk]) -> bytes:
    """Hunks as a unified diff; those whose context meets are one."""
    lines: list[str] = []
    group: list[Hunk] = []
    shift = 0
    for hunk in hunks:
        last = group[-1] if group else None
        if last is not None and hunk.at - len(hunk.before) > last.at + len(last.old) + len(
            last.after
        ):
            shift += _write_group(group, shift, lines)
            group = []
        group.append(hunk)
    if group:
        _write_group(group, shift, lines)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _write_group(group: Sequence[Hunk], shift: int, lines: list[str]) -> int:
    body = [f" {line}" for line in group[0].before]
    at = group[0].at
    for number, hunk in enumerate(group):
        if number:
            body += [f" {line}" for line in _between(group[number - 1], hunk, at)]
        body += [f"-{line}" for line in hunk.old]
        body += [f"+{line}" for line in hunk.new]
        at = hunk.at + len(hunk.old)
    body += [f" {line}" for line in group[-1].after]
    start = group[0].at - len(group[0].before)
    counts = [sum(line[0] in marks for line in body) for marks in (" -", " +")]
    lines.append(f"@@ -{start + 1},{counts[0]} +{start + shift + 1},{counts[1]} @@")
    lines += body
    return counts[1] - counts[0]


def _between(first: Hunk, second: Hunk, at: int) -> Sequence[str]:
    """The lines from the end of a hunk (at a line) to the beginning of the next."""
    count = second.at - at
    if count <= len(first.after):
        return first.after[:count]
    rest = count - len(first.after)
    return (*first.after, *second.before[len(second.before) - rest :])


def read_hunks(data: bytes, path: str) -> list[Hunk]:
    """The hunks of a unified diff.  Raises FormatError naming the line."""
    hunks: list[Hunk] = []
    text = data.decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if any(line.endswith("\r") and _HEAD.match(line) for line in lines):
        # an editor or git gave the whole file line ends of Windows
        lines = [line.removesuffix("\r") for line in lines]
    group: list[tuple[str, str]] = []
    start = -1
    for number, line in enumerate([*lines, "@@ -0 +0 @@"], 1):
        head = _HEAD.match(line)
        if head:
            hunks += _hunks_in(group, start)
            group, start = [], int(head[1]) - 1
        elif start < 0 and line[:4] in ("--- ", "+++ "):
            continue  # the names of files, which the index has
        elif start < 0 or line[:1] not in ("", " ", "-", "+"):
            raise FormatError(
                f"line {number}: expected a line of a unified diff, got {line!r:.40}", path=path
            )
        else:
            group.append((line[:1] or " ", line[1:]))
    return hunks


def _hunks_in(group: Sequence[tuple[str, str]], start: int) -> list[Hunk]:
    """The changes of one group of lines."""
    base = [line for mark, line in group if mark != "+"]
    hunks: list[Hunk] = []
    at = 0  # in base
    index = 0
    while index < len(group):
        if group[index][0] == " ":
            at += 1
            index += 1
            continue
        old: list[str] = []
        new: list[str] = []
        while index < len(group) and group[index][0] != " ":
            (old if group[index][0] == "-" else new).append(group[index][1])
            index += 1
        end = at + len(old)
        hunks.append(
            Hunk(
                start + at,
                tuple(base[max(0, at - CONTEXT) : at]),
                tuple(old),
                tuple(new),
                tuple(base[end : end + CONTEXT]),
            )
        )
        at = end
    return hunks


# -------------------------------------------------------------------------------- changed fields


def show_ops(ops: Sequence[Op]) -> list[dict[str, object]]:
    """Changes of JSON as JSON: one object for each."""
    return [_show_op(op) for op in ops]


def _show_op(op: Op) -> dict[str, object]:
    shown: dict[str, object] = {"at": list(op.at)}
    if isinstance(op.now, Hunk):
        hunk = op.now
        lists = {
            key: [json.loads(text) for text in texts]
            for key, texts in zip(("before", "old", "new", "after"), hunk[1:], strict=True)
        }
        return {**shown, "items": {"index": hunk.at, **lists}}
    if op.kind == "insert":
        return {**shown, "insert": op.now, "behind": op.after}
    if op.kind == "move":
        return {**shown, "move": True, "behind": op.after}
    if op.was is not NOTHING:
        shown["was"] = values.brief(op.was)
    if op.kind == "remove":
        return {**shown, "remove": True}
    if op.now is not NOTHING:
        shown["now"] = op.now
    return shown


def read_ops(value: object) -> list[Op]:
    """The changes in a JSON value.  Raises FormatError with the path of the key."""
    ops = []
    for index, item in enumerate(expect_list(value)):
        with at_key("", index):
            ops.append(_read_op(expect_object(item)))
    return ops


def _read_op(shown: dict[str, object]) -> Op:
    with at_key("at"):
        at = tuple(_read_step(step) for step in expect_list(shown.get("at")))
    behind = shown.get("behind")
    with at_key("behind"):
        after = None if behind is None else _read_mark(behind)
    was, now = shown.get("was", NOTHING), shown.get("now", NOTHING)
    if "items" in shown:
        return Op("items", at, NOTHING, _read_items(expect_object(shown["items"])))
    if "insert" in shown:
        return Op("insert", at, NOTHING, shown["insert"], after)
    kind = "move" if "move" in shown else "remove" if "remove" in shown else "set"
    if not at and (kind != "set" or was is NOTHING or now is NOTHING):
        raise FormatError("expected a path to a value").within("at")
    if kind != "set" and not isinstance(at[-1], (Mapping, str) if kind == "move" else Mapping):
        raise FormatError("expected the identity of an element at the end").within("at")
    if kind == "set" and was is NOTHING and now is NOTHING:
        raise FormatError("expected 'was', 'now' or both")
    return Op(kind, at, was, now, after)


def _read_step(step: object) -> Step:
    if isinstance(step, str):
        return step
    if isinstance(step, int) and not isinstance(step, bool):
        return expect_integer(step, 0)
    return _read_mark(step)


def _read_mark(value: object) -> Mapping[str, object]:
    mark = expect_object(value)
    if len(mark) != 1 or not all(isinstance(item, str | int) for item in mark.values()):
        raise FormatError("expected one key and the identity of the element")
    return mark


def _read_items(shown: dict[str, object]) -> Hunk:
    with at_key("items"):
        lists = []
        for key in ("before", "old", "new", "after"):
            with at_key(key):
                lists.append(tuple(map(values.text_of, expect_list(shown.get(key)))))
        with at_key("index"):
            return Hunk(expect_integer(shown.get("index"), 0), *lists)


# -------------------------------------------------------------------------------------- pictures


def repainted(was: str, now: str, before: Pixels, after: Pixels) -> PicturePatch | None:
    """The part of a picture that was repainted.

    None for pictures of other sizes, without a change, or with half or more repainted.
    """
    if before.shape != after.shape:
        return None
    differs = np.any(before != after, axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return None
    y, x = int(rows[0]), int(columns[0])
    part = np.s_[y : int(rows[-1]) + 1, x : int(columns[-1]) + 1]
    mask = differs[part]
    if int(mask.sum()) * 2 >= after.shape[0] * after.shape[1]:
        return None
    picture = png.encode(np.where(mask[:, :, None], after[part], np.uint8(0)))
    chosen = None if mask.all() else png.encode(mask_picture(mask))
    return PicturePatch(was, now, x, y, picture, chosen, under_digest(before, x, y, mask))


def mask_picture(mask: NDArray[np.bool_]) -> Pixels:
    """A mask as a picture: white where it is set, else black."""
    levels = np.where(mask, np.uint8(255), np.uint8(0))[:, :, None]
    return np.concatenate([np.repeat(levels, 3, axis=2), np.full_like(levels, 255)], axis=2)


def read_mask(pixels: Pixels) -> NDArray[np.bool_]:
    """The mask that :func:`mask_picture` showed."""
    return np.asarray(pixels[:, :, 0] >= 128)


def text_lines(data: bytes) -> list[str]:
    """The lines of a text; joined by LF they are the text again."""
    return data.decode("utf-8", "surrogateescape").split("\n")


def lines_text(lines: Sequence[str]) -> bytes:
    """The inverse of :func:`text_lines`."""
    return "\n".join(lines).encode("utf-8", "surrogateescape")
