"""Two of the open files compared: what differs, and each difference on a page of its own."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple
from urllib.parse import quote, urlencode

import msgspec

from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError
from overhaul.folder import read_json
from overhaul.mods.changes import Change, Diff
from overhaul.mods.choosing import partly
from overhaul.mods.comparing import compare
from overhaul.mods.making import difference
from overhaul.mods.modfile import Mod
from overhaul.mods.report import marked
from overhaul.mods.view import FileView
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Media
from overhaul.viewer.opened import PICTURES, SOUNDS, TEXTS, NotThere, Opened
from overhaul.viewer.pages.generic import media_of
from overhaul.viewer.pages.making import mod_or_report
from overhaul.viewer.pages.page_parts import thumbnail_of

#: changes on a page of the list; pictures, other files and rows of one change
_CHANGES = 500
_PICTURES = 12
_FILES = 12
_ROWS = 4000
#: equal lines around a difference
_AROUND = 6
#: words of longer lines are not compared, nor those of lines less alike
_MARKED, _ALIKE = 1000, 0.3
#: the fields of chosen differences
_CHOSEN = re.compile(r"c\d{1,7}")
_WORD = re.compile(r"\w+|\s+|.")


class Compared(NamedTuple):
    """Two games and their differences."""

    old: FileView
    new: FileView
    diff: Diff


class ChangeLink(msgspec.Struct, frozen=True):
    """A difference in the list; ``group`` is the folder it is in, ``before`` and ``after`` are
    addresses of pictures; ``number`` is its place among all differences, -1 for none."""

    kind: str
    path: str
    old_path: str | None
    href: str
    brief: str
    group: str = ""
    before: str = ""
    after: str = ""
    number: int = -1


class DiffPage(msgspec.Struct, frozen=True):
    """The differences between two games; ``groups`` are the folders with the differences in
    each, ``mod`` is where a mod is made of them, ``can_be_mod`` whether such games can have
    mods."""

    old: str
    new: str
    counts: dict[str, int]
    changes: list[ChangeLink]
    next: str
    filter: str = ""
    found: int = 0
    groups: dict[str, int] = {}
    mod: str = ""
    can_be_mod: bool = True


class LinePair(msgspec.Struct, frozen=True):
    """Lines of two texts next to each other; numbers are 0 for an absent line.

    ``kind``: ``same``, ``changed``, ``gap`` (equal lines that are left out).  ``old_marks`` and
    ``new_marks`` are the parts of two lines that differ: where each begins and ends.
    """

    kind: str
    old_number: int = 0
    old: str = ""
    new_number: int = 0
    new: str = ""
    old_marks: list[tuple[int, int]] = []
    new_marks: list[tuple[int, int]] = []


class Pair(msgspec.Struct, frozen=True):
    """A picture or sound before and after; addresses are empty where there is none.

    ``marked``: the picture with what differs in red.
    """

    path: str
    type: str
    old: str
    new: str
    marked: str


class Whole(msgspec.Struct, frozen=True):
    """A plain file of a resource that only one game has: its ``fields``, or its text.

    ``type``: ``fields``, ``text`` or ``other``; ``href`` is the address of its bytes.
    """

    path: str
    type: str
    href: str
    fields: object = None
    text: str = ""


class ChangePage(msgspec.Struct, frozen=True):
    """One difference; ``more`` files of an added or removed resource are not shown."""

    kind: str
    path: str
    old_path: str | None
    rows: list[LinePair]
    fields: list[dict[str, object]]
    pairs: list[Pair]
    wholes: list[Whole]
    more: int
    rest: dict[str, object]
    old_page: str
    new_page: str
    previous: str
    next: str


def show_diff(asked: Asked) -> Answer:
    """``/1/-/diff/2``: the differences of two files; ``/1/-/diff/2/change/0`` one of them."""
    number, _, behind = asked.rest.partition("/")
    other = other_of(asked, number)
    where = f"{asked.opened.prefix}/-/diff/{number}"
    with other.lock:
        return show_compared(asked, compared_of(asked.opened, other), other, where, behind)


def show_compared(
    asked: Asked, compared: Compared, other: Opened, where: str, behind: str
) -> Answer:
    """The differences of two games, whose list is at ``where``; ``behind`` is what the address has
    after that, ``other`` the newer one on show."""
    first, _, rest = behind.partition("/")
    if not first:
        return _list(asked, compared, other, where)
    if first == "mod":
        return _mod(asked, compared, other, where)
    if first == "change":
        return _change(asked, compared, other, where, rest)
    if first in ("old", "new", "marked"):  # the JSON of bytes are those of a file called so
        return _file(compared, first, f"{rest}.json" if asked.json else rest)
    raise NotThere("page not found")


def other_of(asked: Asked, number: str) -> Opened:
    """The file to compare with: a later one, so that locks are always taken in one order."""
    documents = asked.site.documents
    at = int(number) - 1 if number.isascii() and number.isdigit() and len(number) < 5 else -1
    mine = next(
        (n for n, document in enumerate(documents) if document is asked.opened), len(documents)
    )
    if not mine < at < len(documents):
        raise NotThere("a file is compared with one that was named after it")
    return documents[at]


def compared_of(old: Opened, new: Opened) -> Compared:
    """Two files compared; kept."""

    def make() -> Compared:
        views = FileView(old.document), FileView(new.document)
        return Compared(*views, compare(*views))

    def cost(made: Compared) -> int:
        return 10_000 + sum(500 + len(str(change.details)) for change in made.diff.changes)

    return old.remember(("diff", id(new), new.edition), make, cost)


def _list(asked: Asked, compared: Compared, other: Opened, where: str) -> DataPage:
    """The differences whose paths or kinds contain ``filter``."""
    diff = compared.diff
    start, text = asked.number("from"), asked.query.get("filter", "")
    wanted = text.casefold()
    found = [
        (n, change)
        for n, change in enumerate(diff.changes)
        if wanted in f"{change.kind} {change.old_path or ''} {change.path}".casefold()
    ]
    links = [
        ChangeLink(
            change.kind, change.path, change.old_path, f"{where}/change/{n}", _brief(change),
            _group(change), *_thumbnails(asked.opened, other, change), number=n,
        )
        for n, change in found[start : start + _CHANGES]
    ]  # fmt: skip
    more = urlencode({"filter": text, "from": start + _CHANGES})
    data = DiffPage(
        diff.old,
        diff.new,
        diff.counts(),
        links,
        f"{where}?{more}" if start + _CHANGES < len(found) else "",
        text,
        len(found),
        dict(Counter(_group(change) for _, change in found)),
        f"{where}/mod",
        not folder_format_of(other.document.kind).edited_in_place,
    )
    return DataPage("diff.html", data, "What differs")


def _group(change: Change) -> str:
    return change.path.partition("/")[0] if "/" in change.path else ""


def _thumbnails(old: Opened, new: Opened, change: Change) -> tuple[str, str]:
    """Addresses of small pictures of a resource before and after; empty where there are none."""
    return (
        "" if change.kind == "added" else thumbnail_of(old, change.old_path or change.path),
        "" if change.kind == "removed" else thumbnail_of(new, change.path),
    )


def _mod(asked: Asked, compared: Compared, other: Opened, where: str) -> Answer:
    """``mod``: a mod that makes the newer game of the older one; with ``c3=1`` and the like, of the
    chosen changes alone."""
    name = other.title.partition(".")[0]
    chosen = _chosen(asked, compared)

    def make() -> Mod:
        if not chosen:
            return difference(compared.old, compared.new, name)
        part, findings = partly(compared.old, compared.new, chosen)
        with part.document:
            mod = difference(compared.old, part, name)
        mod.findings += findings
        return mod

    made = asked.opened.remember(
        ("mod", id(compared), other.edition, tuple(change.path for change in chosen)),
        make,
        lambda mod: 1000 + sum(map(len, mod.added.values())),
    )
    return mod_or_report(
        asked, made, f"{name}-mod.zip", (Crumb("What differs", where),), is_part=bool(chosen)
    )


def _chosen(asked: Asked, compared: Compared) -> list[Change]:
    """The changes that a page of the list has a tick at; none where all are meant."""
    numbers = [int(key[1:]) for key in asked.query if _CHOSEN.fullmatch(key)]
    changes = compared.diff.changes
    if any(number >= len(changes) for number in numbers):
        raise NotThere("there is no such difference")
    return [changes[number] for number in numbers]


def difference_page(diff: Diff) -> DiffPage:
    """Differences whose games are not on show: without links."""
    links = [
        ChangeLink(change.kind, change.path, change.old_path, "", _brief(change))
        for change in diff.changes[:_CHANGES]
    ]
    return DiffPage(diff.old, diff.new, diff.counts(), links, "")


def _brief(change: Change) -> str:
    lines = [line for line in change.lines() if not line.startswith(("@@", "---", "+++", " "))]
    return "; ".join(line.strip() for line in lines[:2])[:160]


def _change(asked: Asked, compared: Compared, other: Opened, where: str, number: str) -> DataPage:
    changes = compared.diff.changes
    if not (number.isascii() and number.isdigit() and int(number[:9]) < len(changes)):
        raise NotThere("there is no such difference")
    at = int(number)
    change = changes[at]
    details = dict(change.details)
    fields = details.pop("fields", [])
    rows: list[LinePair] = []
    if "diff" in details:
        del details["diff"]
        rows = rows_of_texts(*_texts(compared, change))
    wholes = _wholes(compared, change, where)
    data = ChangePage(
        change.kind,
        change.path,
        change.old_path,
        rows[:_ROWS],
        fields if isinstance(fields, list) else [],
        _pairs(compared, change, where),
        wholes[:_FILES],
        max(0, len(wholes) - _FILES),
        details,
        _page_of(asked.opened, change.old_path or change.path),
        _page_of(other, change.path),
        f"{where}/change/{at - 1}" if at else "",
        f"{where}/change/{at + 1}" if at + 1 < len(changes) else "",
    )
    return DataPage("change.html", data, change.path, (Crumb("What differs", where),))


def _page_of(opened: Opened, path: str) -> str:
    """The page of the resource that a plain file belongs to."""
    entry = opened.entry_at(path)
    return "" if entry is None else opened.href(entry)


def _texts(compared: Compared, change: Change) -> tuple[list[str], list[str]]:
    texts = []
    sides = ((compared.old, change.old_path or change.path), (compared.new, change.path))
    for view, path in sides:
        data = view.read(path) if path in view else b""
        texts.append(data.decode("utf-8", "replace").splitlines())
    return texts[0], texts[1]


def rows_of_texts(old: Sequence[str], new: Sequence[str]) -> list[LinePair]:
    """Two texts next to each other, with a few equal lines around each difference."""
    rows: list[LinePair] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for group in matcher.get_grouped_opcodes(_AROUND):
        if rows or group[0][1] or group[0][3]:
            rows.append(LinePair("gap"))
        for tag, i1, i2, j1, j2 in group:
            for step in range(max(i2 - i1, j2 - j1)):
                i, j = i1 + step, j1 + step
                rows.append(
                    LinePair(
                        "same" if tag == "equal" else "changed",
                        *((i + 1, old[i]) if i < i2 else (0, "")),
                        *((j + 1, new[j]) if j < j2 else (0, "")),
                        *(_marks(old[i], new[j]) if tag == "replace" and i < i2 and j < j2 else ()),
                    )
                )
    return rows


def _marks(old: str, new: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The words that differ between two lines; none where too little is the same."""
    if max(len(old), len(new)) > _MARKED:
        return [], []
    words: list[list[str]] = [_WORD.findall(line) for line in (old, new)]
    matcher = difflib.SequenceMatcher(None, words[0], words[1], autojunk=False)
    if matcher.ratio() < _ALIKE:
        return [], []
    places = [[0, *accumulate(map(len, line))] for line in words]
    differ = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return (
        [(places[0][i1], places[0][i2]) for _, i1, i2, _, _ in differ if i1 < i2],
        [(places[1][j1], places[1][j2]) for _, _, _, j1, j2 in differ if j1 < j2],
    )


# ------------------------------------------------------------------------- pictures and sounds


def _pairs(compared: Compared, change: Change, where: str) -> list[Pair]:
    """The pictures and sounds of a change: its own file, or those of a resource."""
    paths = [change.path]
    if change.kind in ("added", "removed") and not change.path.endswith(PICTURES + SOUNDS):
        paths = _files_of(compared, change)
    pairs = []
    for path in paths:
        if not path.endswith(PICTURES + SOUNDS):
            continue
        old = change.old_path or path if path == change.path else path
        there = old in compared.old, path in compared.new
        sound = path.endswith(SOUNDS)
        pairs.append(
            Pair(
                path,
                "sound" if sound else "picture",
                f"{where}/old/{quote(old)}" if there[0] else "",
                f"{where}/new/{quote(path)}" if there[1] else "",
                f"{where}/marked/{quote(path)}" if all(there) and path.endswith(".png") else "",
            )
        )
    return pairs[:_PICTURES]


def _files_of(compared: Compared, change: Change) -> list[str]:
    """The plain files of a resource that only one game has."""
    view = compared.old if change.kind == "removed" else compared.new
    if change.path in view:
        return [change.path]
    within = (f"{change.path}/", f"{change.path}.")
    return [path for path in view.files if path.startswith(within)]


def _wholes(compared: Compared, change: Change, where: str) -> list[Whole]:
    """The files of an added or removed resource other than pictures and sounds."""
    if change.kind not in ("added", "removed"):
        return []
    view = compared.old if change.kind == "removed" else compared.new
    side = "old" if change.kind == "removed" else "new"
    paths = [file for file in _files_of(compared, change) if not file.endswith(PICTURES + SOUNDS)]
    shown = [_whole(view, path, f"{where}/{side}/{quote(path)}") for path in paths[:_FILES]]
    return shown + [Whole(path, "other", "") for path in paths[_FILES:]]


def _whole(view: FileView, path: str, href: str) -> Whole:
    try:
        if path.endswith(".json"):
            return Whole(path, "fields", href, read_json(view.read(path), path))
        if path.endswith(TEXTS):
            text = view.read(path).decode("utf-8", "replace").rstrip("\n")
            return Whole(path, "text", href, text=text)
    except OverhaulError as error:  # the others are shown
        return Whole(path, "text", href, text=str(error))
    return Whole(path, "other", href)


def _file(compared: Compared, side: str, path: str) -> Media:
    """A plain file of one side, or the picture of what differs between both."""
    views = (compared.old, compared.new)
    if side == "marked":
        if all(path in view for view in views):
            data = marked(compared.old.read(path), compared.new.read(path))
            if data is not None:
                return Media(data, "image/png", keep=False)
        raise NotThere("the pictures are not of one size")
    view = views[side == "new"]
    if path not in view:
        raise NotThere(f"there is no file {path!r}")
    try:
        return media_of(path, view.read(path))
    except OverhaulError as error:
        raise NotThere(str(error)) from error
