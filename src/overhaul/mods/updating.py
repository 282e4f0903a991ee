"""Bring an unpacked folder with its edits, or a mod, to another build of its game."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from overhaul.document.files import temporary_next_to
from overhaul.document.reading import open_data
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.folder.comparing import compare
from overhaul.folder.json_fields import json_bytes, read_json
from overhaul.folder.manifest import KeptSiblings, Manifest, read_blob
from overhaul.folder.parallel import Progress
from overhaul.folder.toml import NAME, FolderSettings
from overhaul.folder.unpacking import put_in_place, unpack
from overhaul.mods import values
from overhaul.mods.applying import apply_to
from overhaul.mods.building import view_of
from overhaul.mods.comparing import is_lines
from overhaul.mods.making import difference, made_for
from overhaul.mods.merging import merge
from overhaul.mods.modfile import Conflict, Mod
from overhaul.mods.naming import keep_numbers
from overhaul.mods.patches import LinePatch, content_digest, lines_text, text_lines
from overhaul.mods.view import ASSEMBLY, SOURCE, FileView, Game, opened
from overhaul.sequences import CONTEXT, Edit, Hunk, carry_out, opcodes, place

#: The marks before, between and after lines that both sides changed, as git writes them: of an
#: update.
_UPDATE = ("<<<<<<< yours", "=======", ">>>>>>> update")
#: The same of a text that was changed elsewhere meanwhile.
MARKS = ("<<<<<<< yours", "=======", ">>>>>>> saved meanwhile")
#: Behind the name of a file of yours that can't be merged and is kept next to the update's.
_YOURS = ".yours"


class Updated(NamedTuple):
    """The result of updating a folder.

    ``backup`` is the folder as it was; ``kept`` are the plain files with edits that were carried
    over, ``conflicts`` those where the update changed the same (texts have both sides marked in
    them, other files of yours are next to the update's as ``NAME.yours``).
    """

    folder: str
    backup: str
    kept: list[str]
    conflicts: list[Conflict]


class _Merged(NamedTuple):
    """The merged file (None: removed), the reason of a conflict, and its line."""

    data: bytes | None
    reason: str = ""
    line: int = 0


def update(
    folder: str | os.PathLike[str],
    game: str | os.PathLike[str] | bytes,
    *,
    progress: Progress | None = None,
) -> Updated:
    """Unpack another build of a folder's game in its place, with the folder's edits on top.

    The old folder is kept next to it as ``FOLDER.bak``.

    Raises WorkspaceError for a folder that keeps no original, FormatError for a broken game or one
    of another family, OSError.
    """
    root = os.path.abspath(os.fspath(folder))
    toml = FolderSettings.load(root)
    manifest = Manifest.load(root)
    if manifest is None:
        raise WorkspaceError(
            f"{root} keeps no original, so nothing says what was edited in it: see overhaul diff"
        )
    changes, disk = compare(root, manifest)
    as_assembly = not any(entry.path.endswith(SOURCE) for entry in manifest.entries) and any(
        entry.path.endswith(ASSEMBLY) for entry in manifest.entries
    )
    temporary = temporary_next_to(root)
    conflicts: list[Conflict] = []
    try:
        code = "asm" if as_assembly else "gml"
        unpack(game, temporary, only=toml.only, code=code, progress=progress)
        if FolderSettings.load(temporary).kind != toml.kind:
            raise WorkspaceError(f"{root} is {toml.kind}, the game is of another kind")
        made = Manifest.load(temporary)
        files = {} if made is None else {entry.path: entry.file for entry in made.entries}
        siblings = KeptSiblings(root, manifest.companions)
        original = read_blob(root, manifest.original)
        with open_data(original, source=manifest.original.name, siblings=siblings) as document:
            view = FileView(document)
            for path in changes:
                base = view.read(path) if path in view else None
                mine = None if path not in disk else _read(root, disk[path])
                theirs = _read(temporary, files[path]) if path in files else None
                merged = _merge_file(path, base, mine, theirs)
                if merged.reason:
                    conflicts.append(Conflict(path, merged.reason, line=merged.line))
                    if not merged.line and mine is not None and merged.data != mine:
                        _write(temporary, files.get(path, path) + _YOURS, mine)
                _write(temporary, files.get(path, path), merged.data)
        if toml.for_model() != manifest.settings:
            conflicts.append(Conflict(NAME, "its settings were edited: edit them again"))
        backup = put_in_place(temporary, root, keep=True)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    conflicting = {conflict.path for conflict in conflicts}
    return Updated(root, backup, sorted(changes.keys() - conflicting), conflicts)


def _read(root: str, file: str) -> bytes:
    with open(os.path.join(root, *file.split("/")), "rb") as source:
        return source.read()


def _write(root: str, file: str, data: bytes | None) -> None:
    path = os.path.join(root, *file.split("/"))
    if data is None:
        if os.path.exists(path):
            os.remove(path)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as target:
        target.write(data)


def _merge_file(path: str, base: bytes | None, mine: bytes | None, theirs: bytes | None) -> _Merged:
    """A plain file with the edits of both sides."""
    if mine is not None and b"\r\n" not in (base or theirs or b"\r\n"):
        mine = mine.replace(b"\r\n", b"\n")
    if theirs in (base, mine):
        return _Merged(mine)
    if mine is None:
        return _Merged(theirs, "you removed it, and the update changed it")
    if theirs is None:
        return _Merged(mine, "you changed it, and the update removed it")
    if path.endswith(".json") and base is not None:
        try:
            merged = _merge_values(path, base, mine, theirs)
        except OverhaulError:
            merged = None  # a text that is not valid JSON is merged by lines
        if merged is not None:
            return _Merged(merged)
    if not (path.endswith(".json") or is_lines(path)):
        return _Merged(theirs, "you changed it, and so did the update")
    was, yours, there = (text_lines(side or b"") for side in (base, mine, theirs))
    lines, first = merge_lines(was, yours, there)
    reason = "you changed the same lines as the update" if first else ""
    return _Merged(lines_text(lines), reason, first)


def _merge_values(path: str, base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """JSON with the changes of both sides; None if they disagree."""
    before, after, here = (read_json(data, path) for data in (base, mine, theirs))
    merged, clashes = merge(here, [(0, list(values.compare(before, after)))])
    return None if clashes else json_bytes(merged)


def merge_lines(
    base: Sequence[str],
    mine: Sequence[str],
    theirs: Sequence[str],
    marks: tuple[str, str, str] = _UPDATE,
) -> tuple[list[str], int]:
    """Lines with the changes of both sides, and the first line (from 1; 0: none) of a conflict,
    where both sides stand between marks."""
    edits = sorted(
        Edit(a, b, tuple(side[c:d]), owner)
        for owner, side in enumerate((mine, theirs))
        for a, b, c, d in opcodes(base, side)
    )
    result: list[str] = []
    first = at = 0
    while edits:
        group = [edits.pop(0)]
        end = group[0].end
        while edits and (edits[0].start < end or edits[0].start == group[0].start):
            group.append(edits.pop(0))
            end = max(end, group[-1].end)
        start = group[0].start
        sides = []
        for owner in (0, 1):
            of_it = [
                Edit(edit.start - start, edit.end - start, edit.new)
                for edit in group
                if edit.owner == owner
            ]
            sides.append(carry_out(of_it, base[start:end]))
        result += base[at:start]
        owners = {edit.owner for edit in group}
        if len(owners) == 1 or sides[0] == sides[1]:
            result += sides[owners.pop()]
        else:
            first = first or len(result) + 1
            before, between, behind = marks
            result += [before, *sides[0], between, *sides[1], behind]
        at = end
    return [*result, *base[at:]], first


# -- mods ------------------------------------------------------------------------------------------


def rebase(mod: Mod, old: Game, new: Game, *, accept_renumbering: bool = False) -> Mod:
    """The mod for another build of the game: a merge of ``old``, which it was made for, ``new``
    and the mod.

    Changes that the update made too are left out.  Changes that can't be carried over, because the
    update removed or changed the same, are in ``left_out`` of the result.  So are numbers in code
    that may stand for resources which have other numbers there, unless ``accept_renumbering``; the
    code is carried over with them, and who puts the mod on the game is asked.

    Raises FormatError for broken games.
    """
    with opened(old) as before, opened(new) as after:
        moved = _moved(mod, before, after)
        result = apply_to(after, [moved], partial=True, accept_renumbering=accept_renumbering)
        carried = Mod(mod.name, made_for(after))
        if result.data:
            made = view_of(result.built(), after.document.source)
            carried = difference(after, made, mod.name)
            keep_numbers(mod, carried)
            if any(conflict.is_doubt for conflict in result.conflicts):
                carried.numbering = ""  # whoever puts it on the game is asked
    carried.version, carried.description = mod.version, mod.description
    carried.authors = list(mod.authors)
    carried.requires, carried.conflicts = list(mod.requires), list(mod.conflicts)
    carried.left_out = [*result.conflicts, *carried.left_out]
    return carried


def _moved(mod: Mod, old: FileView, new: FileView) -> Mod:
    """The mod with its hunks where their lines are in the new build, as far as the update kept
    them."""
    patches = dict(mod.patches)
    for path, patch in mod.patches.items():
        if isinstance(patch, LinePatch) and path in old and path in new:
            before, after = (text_lines(view.read(path)) for view in (old, new))
            hunks = [_moved_hunk(hunk, before, after) for hunk in patch.hunks]
            patches[path] = patch._replace(hunks=hunks)
    added, copied = dict(mod.added), dict(mod.copied)
    for path, copy in mod.copied.items():
        data = old.read(copy.of) if copy.of in old else b""
        if content_digest(path, data) == copy.now:  # the update may have repainted this part
            added[path] = data
            del copied[path]
    return replace(mod, patches=patches, added=added, copied=copied)


def _moved_hunk(hunk: Hunk, before: Sequence[str], after: Sequence[str]) -> Hunk:
    """A hunk with the place and the context that it has after an update; as it is if the update
    changed the same lines."""
    edits, _ = place([hunk], before)
    if len(edits) != 1:
        return hunk
    start, end = edits[0].start, edits[0].end
    shift = 0
    for a, b, c, d in opcodes(before, after):
        if b <= start and (a < b or b < start or start < end):
            shift += (d - c) - (b - a)
        elif a >= end and not (a == b == start == end):
            break
        else:
            return hunk
    start, end = start + shift, end + shift
    return Hunk(
        start,
        tuple(after[max(0, start - CONTEXT) : start]),
        tuple(after[start:end]),
        hunk.new,
        tuple(after[end : end + CONTEXT]),
    )
