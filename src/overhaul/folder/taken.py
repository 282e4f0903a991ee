"""Whether edits reached the file: what was edited is compared with what the packed file shows.

A value that a person changed, and that comes out of the packed file as it was before, was not
taken: it follows from something else, or nothing reads it.  In JSON that is
an error, in other files a warning, so that no edit is lost without a word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final

from overhaul import media
from overhaul.document.names import escape_name, unescape_name
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Document
from overhaul.document.registry import folder_format_of
from overhaul.errors import FormatError, PlainFileError
from overhaul.findings import Finding, Findings, warning
from overhaul.folder.json_fields import read_json, show_value
from overhaul.folder.toml import NAME

_JSON: Final = ".json"
_NUMBER: Final = re.compile(r"\b(0x[0-9a-fA-F]+|\d+)\b")
#: Files of large formats that are compared only if they were edited.
_CHECKED: Final = (".gml", ".asm", ".csv")
#: Texts of code are written in another form than they were read (comments, the language).
_CODE: Final = (".gml", ".asm")
#: Without it, the source of the same code counts.
_ASSEMBLY: Final = ".asm"
#: Fields whose lists are sets of names.
_SETS: Final = "flags"
_ABSENT: Final = object()


def check_taken(
    packed: Document,
    files: Folder,
    changes: Mapping[str, Change],
    reopen: Callable[[], Document] | None,
    reported: Iterable[Finding] = (),
    used: Collection[str] = (),
) -> Findings:
    """Warnings about files without effect; WorkspaceError for values that were not taken.

    ``packed`` is the document with the ``changes`` in it (opened again, where it then has the same
    settings), ``reopen`` opens it as it was before (None: it was empty); ``reported`` are the
    warnings there are already, ``used`` the files that were read.
    """
    slow = folder_format_of(packed.kind).slow_listing
    edited = [
        path
        for path, change in changes.items()
        if change == "changed" and path != NAME and not (slow and path.endswith(_CHECKED))
    ]
    moved = [
        path
        for path, change in changes.items()
        if change != "changed" and not (slow and path.endswith(_CODE))
    ]
    removed = [p for p in moved if changes[p] == "removed" and not p.endswith(_ASSEMBLY)]
    # Parts that a document lacks are a warning of unpacking; an edit warns of parts that it
    # removes.
    options = UnpackOptions(
        only=_patterns([*edited, *moved]) if slow else (), warn=False, parts=False, proven=False
    )
    tables = any(path.endswith(_JSON) for path in edited)
    now, listed = _shown(
        packed,
        [*edited, *removed],
        options,
        whole=bool(moved) or (tables and not slow),
        agreed=lambda file: file.path not in removed and file.agrees(files.read(file.path)),
    )
    different = {
        path: data
        for path in edited
        if path in now and not _agree(path, data := files.read(path), now[path])
    }
    stayed = [path for path in removed if path in now]
    settings = _unlike_settings(packed, files, changes)
    findings = Findings()
    said = {each.path for each in reported}
    if reopen is not None and (different or stayed or settings):
        for each in _without_effect(reopen, different, stayed, settings, now, options):
            if each.path not in said:
                findings.append(each)
    for key in settings:
        findings.warn("no-effect", f"settings.{key} has no effect", NAME)
    if tables and not slow:
        known = {*changes, *listed, *used}
        findings += _unused((path for path in files.list() if path not in known), " any more")
    added = (path for path in moved if changes[path] == "added" and not {path, _own(path)} & listed)
    findings += _unused(path for path in added if path not in said)
    return findings


def _without_effect(
    reopen: Callable[[], Document],
    different: Mapping[str, bytes],
    stayed: Collection[str],
    settings: Mapping[str, object],
    now: Mapping[str, bytes],
    options: UnpackOptions,
) -> list[Finding]:
    """A warning for each file that shows what it did in the original; WorkspaceError for values and
    settings that stayed."""
    with reopen() as original:
        was, _ = _shown(original, [*different, *stayed], options)
        before = folder_format_of(original.kind).settings(original)
        before["version"] = original.version
    findings = list(_as_before(different, stayed, was, now))
    kept = [(f"settings.{key}", settings[key], before[key]) for key in settings.keys() & before]
    _refuse(NAME, kept)
    return findings


def _own(path: str) -> str:
    """The path as unpacking writes it: ``50%25 off.png`` for ``50% off.png``."""
    return "/".join(escape_name(unescape_name(part)) for part in path.split("/"))


def new_findings(before: Document, after: Document) -> Findings:
    """The findings of reading a file that reading the one before did not give; numbers in them may
    differ."""
    known = {_without_numbers(each) for each in before.findings}
    return Findings(each for each in after.findings if _without_numbers(each) not in known)


def _without_numbers(finding: Finding) -> Finding:
    return finding.replaced(message=_NUMBER.sub("", finding.message))


def _as_before(
    different: Mapping[str, bytes],
    removed: Collection[str],
    was: Mapping[str, bytes],
    now: Mapping[str, bytes],
) -> Iterator[Finding]:
    """A warning for each edited or removed file that shows what it did; WorkspaceError for values
    in JSON files."""
    for path, data in different.items():
        if path in was and path.endswith(_JSON):
            values = (read_json(version, path) for version in (data, was[path], now[path]))
            _refuse(path, _untaken(*values))
        elif was.get(path) == now[path]:
            yield warning("no-effect", "it has no effect: what it shows stays as it was", path)
    for path in removed:
        if was.get(path) == now[path]:
            yield warning("no-effect", "it is gone, but what it said stays as it was", path)
        elif now[path]:
            yield warning("changed-with-it", "it is gone: what it said is as in a new file", path)


def _unused(paths: Iterable[str], since: str = "") -> Findings:
    """Warnings about files that were not used."""
    message = f"it has no effect{since}: nothing in the game's file is made of it"
    return Findings(warning("no-effect", message, path) for path in paths)


def _agree(path: str, edited: bytes, now: bytes) -> bool:
    """Whether an edited file says what the packed file shows, perhaps written in another way."""
    if path.endswith(_JSON):
        return _same(read_json(edited, path), read_json(now, path))
    if edited == now or edited.split() == now.split():
        return True
    try:
        return path.endswith(".png") and media.same_pixels(edited, now)
    except FormatError:
        return False


def _patterns(paths: Collection[str]) -> list[str]:
    """Globs that match the paths and few others, so that a format can skip the others."""
    return sorted(
        {
            path if "/" not in path else f"{path.partition('/')[0]}/*.{path.rpartition('.')[2]}"
            for path in paths
        }
    )


def _shown(
    document: Document,
    wanted: Collection[str],
    options: UnpackOptions,
    *,
    whole: bool = False,
    agreed: Callable[[PlainFile], bool] = lambda file: False,
) -> tuple[dict[str, bytes], set[str]]:
    """Some files of a document, but for those ``agreed``, and the paths of all its files.

    Without ``whole`` the listing ends where all wanted files are found.
    """
    shown: dict[str, bytes] = {}
    listed: set[str] = set()
    if not wanted and not whole:
        return shown, listed
    left = set(wanted)
    for file in folder_format_of(document.kind).plain_files(document, options):
        listed.add(file.path)
        if file.path in wanted:
            left.discard(file.path)
            if not agreed(file):
                shown[file.path] = bytes(file.read())
            if not whole and not left:
                break
    return shown, listed


def _unlike_settings(
    packed: Document, files: Folder, changes: Mapping[str, Change]
) -> dict[str, object]:
    """The settings in overhaul.toml that the document does not have, or has with other values."""
    if NAME not in changes:
        return {}
    now = folder_format_of(packed.kind).settings(packed) | {"version": packed.version}
    return {
        key: value
        for key, value in files.settings.items()
        if key != "kind" and value != now.get(key, _ABSENT)
    }


def _refuse(path: str, untaken: list[tuple[str, object, object]]) -> None:
    if not untaken:
        return
    place, value, now = untaken[0]
    more = f" (and {len(untaken) - 1} more)" if len(untaken) > 1 else ""
    raise PlainFileError(
        f"{show_value(value)} has no effect: the value follows from other parts, and stays "
        f"{show_value(now)}{more}",
        path,
        place,
        code="no-effect",
    )


def _untaken(edited: object, was: object, now: object) -> list[tuple[str, object, object]]:
    """Places where a value was edited, and is now as it was: (place, edited, now)."""
    return list(_compare(edited, was, now, ""))


def _compare(
    edited: object, was: object, now: object, place: str
) -> Iterator[tuple[str, object, object]]:
    if isinstance(edited, dict) and isinstance(was, dict) and isinstance(now, dict):
        for key in edited.keys() & was.keys() & now.keys():
            yield from _compare(edited[key], was[key], now[key], f"{place}.{key}".lstrip("."))
    elif isinstance(edited, list) and isinstance(was, list) and isinstance(now, list):
        if place.endswith(_SETS) and {*map(str, edited)} == {*map(str, now)}:
            return
        if len(edited) == len(was) == len(now):
            for index, item in enumerate(edited):
                yield from _compare(item, was[index], now[index], f"{place}[{index}]")
        elif _same(was, now):
            yield place or "the list", edited, now
    elif _kind(edited) is _kind(now) and _same(was, now) and not _same(edited, now):
        yield place, edited, now


def _kind(value: object) -> type:
    """The type of a value; a value of another type may be another spelling of the same."""
    return float if type(value) is int else type(value)


def _same(first: object, two: object) -> bool:
    """Whether two values of JSON mean the same: numbers as 32 bits hold them, texts in any case."""
    if isinstance(first, float) or isinstance(two, float):
        if not isinstance(first, int | float) or not isinstance(two, int | float):
            return False
        return math.isclose(first, two, rel_tol=1e-6, abs_tol=1e-30)
    if isinstance(first, dict) and isinstance(two, dict):
        return first.keys() == two.keys() and all(_same(first[key], two[key]) for key in first)
    if isinstance(first, list) and isinstance(two, list):
        return len(first) == len(two) and all(map(_same, first, two))
    if isinstance(first, str) and isinstance(two, str):
        return first.casefold() == two.casefold()
    return first == two
