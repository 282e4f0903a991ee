"""The changes of several mods to one plain file, merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from overhaul.errors import OverhaulError
from overhaul.mods.merging import fits, merge
from overhaul.mods.modfile import Conflict, Copied
from overhaul.mods.patches import (
    LinePatch,
    Patch,
    PicturePatch,
    ValuePatch,
    WholePatch,
    content_digest,
    lines_text,
    read_picture,
    text_lines,
    under_digest,
)
from overhaul.mods.renaming import Renaming
from overhaul.mods.values import NOTHING, Op, read_value, same, value_bytes
from overhaul.mods.view import SOURCE, FileView
from overhaul.sequences import Edit, Hunk, Misfit, carry_out, combine, exactly, place


class Merged(NamedTuple):
    """The merged file; None: it is removed."""

    data: bytes | None


class FileMerge:
    """Collects what mods (by index) do to a file; ``preferred`` ones count where others disagree.

    ``renamings``: for each mod, the new names that it does not know.  ``conflicts`` are known
    after :meth:`result`.
    """

    def __init__(
        self, path: str, view: FileView, preferred: frozenset[int], renamings: Sequence[Renaming]
    ) -> None:
        self.path = path
        self.conflicts: list[Conflict] = []
        self._view = view
        self._preferred = preferred
        self._renamings = renamings
        self._removed: dict[int, str] = {}
        self._added: dict[int, bytes] = {}
        self._replaces: dict[int, str] = {}
        self._patches: dict[int, Patch] = {}
        #: the digests of files that mods keep
        self._kept: set[str] = set()

    def remove(self, owner: int, digest: str) -> None:
        """A mod removes the file, which had this digest."""
        self._removed[owner] = digest

    def add(self, owner: int, data: bytes) -> None:
        """A mod has the file as a new one."""
        data = self._renamings[owner].file(self.path, data)
        self._added[owner] = data

    def copy(self, owner: int, copied: Copied) -> None:
        """A mod has a copy of another file of the game here."""
        for path in (copied.of, self.path):  # or the file has its content already
            data = self._view.read(path) if path in self._view else None
            if data is not None and content_digest(path, data) == copied.now:
                self._added[owner] = data
                self._replaces[owner] = copied.was
                return
        why = "not what it was" if copied.of in self._view else "not there"
        self._report((owner,), f"it is a copy of {copied.of}, which is {why}")

    def patch(self, owner: int, patch: Patch) -> None:
        """A mod changes the file, or keeps it as it is where no other mod changes it."""
        if isinstance(patch, WholePatch) and patch.keeps:
            self._kept.add(patch.now)
        else:
            self._patches[owner] = patch

    # -- together ---------------------------------------------------------------------------------

    def result(self) -> Merged | None:
        """The merged file; None if it does not change."""
        quickly = self._placed_exactly()
        if quickly is not None:
            return Merged(quickly)
        here = self._view.read(self.path) if self.path in self._view else None
        digest = None if here is None else content_digest(self.path, here)
        self._recompute()
        if self._removed:
            return self._result_of_removal(digest)
        if self._added:
            return self._result_of_adding(here, digest)
        todo = {
            owner: patch
            for owner, patch in self._patches.items()
            if patch.now != digest or _moves_keys(patch)
        }
        if not todo:
            return None if here is None or digest not in self._kept else Merged(here)
        if here is None:
            for owner in todo:
                self._report((owner,), "it no longer exists")
            return None
        data = self._patched(here, digest or "", todo)
        return None if data is None or data == here else Merged(data)

    def _placed_exactly(self) -> bytes | None:
        """The file with its changed lines, where all of them are exactly where the mods say and the
        rest of the file makes no difference; None: it has to be read."""
        file = self._view.files.get(self.path)
        if self._removed or self._added or file is None:
            return None
        if not all(self._renamings[owner].is_empty for owner in self._patches):
            return None
        patches = [item for item in self._patches.items() if isinstance(item[1], LinePatch)]
        text = file.alone() if len(patches) == len(self._patches) else None
        if text is None:
            return None
        lines = text_lines(text)
        hunks = [(owner, hunk) for owner, patch in patches for hunk in _hunks(patch)]
        edits = [edit for owner, hunk in hunks if (edit := exactly(hunk, lines, owner))]
        if len(edits) < len(hunks):
            return None
        kept, clashes = combine(edits)
        return None if clashes or not kept else lines_text(carry_out(kept, lines))

    def _recompute(self) -> None:
        """Of mods that remove, replace and change the file, those preferred count."""
        doing = {*self._removed, *self._added, *self._patches}
        ways = [way for way in (self._removed, self._added, self._patches) if way]
        if len(ways) < 2:
            return
        chosen = doing & self._preferred
        if len({id(way) for way in ways for owner in way if owner in chosen}) == 1:
            for way in ways:
                for owner in list(way):
                    if owner not in chosen:
                        del way[owner]
            return
        what = {
            id(self._removed): "removed",
            id(self._added): "added",
            id(self._patches): "changed",
        }
        said = " and ".join(what[id(way)] for way in ways)
        self._report(tuple(sorted(doing)), f"it is {said} by different mods")

    def _result_of_removal(self, digest: str | None) -> Merged | None:
        if digest is None:
            return None
        for owner, was in self._removed.items():
            if was and was != digest and owner not in self._preferred:
                self._report((owner,), "it is removed, but is not what it was")
        return Merged(None)

    def _result_of_adding(self, here: bytes | None, digest: str | None) -> Merged | None:
        digests = {owner: content_digest(self.path, data) for owner, data in self._added.items()}
        chosen = [owner for owner in digests if owner in self._preferred] or list(digests)
        first = chosen[0]
        for owner in chosen[1:]:
            if digests[owner] != digests[first]:
                self._report((first, owner), "it is added by both, and they differ")
        if digests[first] == digest:
            return None
        was = self._replaces.get(first, "")
        if here is not None and first not in self._preferred and was != digest:
            what = (
                "replaced, but is not what it was"
                if was
                else ("added, but there is another already")
            )
            self._report((first,), f"it is {what}")
        return Merged(self._added[first])

    def _patched(self, here: bytes, digest: str, todo: dict[int, Patch]) -> bytes | None:
        kinds = {type(patch) for patch in todo.values()}
        if kinds == {ValuePatch}:
            try:
                value = read_value(self.path, here)
            except OverhaulError as error:
                self._report(tuple(todo), str(error))
                return None
            merged = self.value(self._with_lists(value, todo))
            if same(merged, value) and [*_keys(merged)] == [*_keys(value)]:
                return here
            return value_bytes(self.path, merged)
        if kinds == {LinePatch}:
            return self._patched_lines(here, todo)
        if WholePatch not in kinds and kinds == {PicturePatch}:
            return self._patched_picture(here, todo)
        return self._replaced(digest, todo)

    def _replaced(self, digest: str, todo: dict[int, Patch]) -> bytes | None:
        """One of the mods replaces the file; others that change it disagree."""
        chosen = [owner for owner in todo if owner in self._preferred] or list(todo)
        first = todo[chosen[0]]
        for owner in chosen[1:]:
            if todo[owner].now != first.now:
                self._report((chosen[0], owner), "it is changed by both")
        if not isinstance(first, WholePatch):
            self._report(tuple(todo), "it is changed in ways that do not go together")
            return None
        alike = [todo[owner] for owner in chosen if todo[owner].now == first.now]
        fits = any(isinstance(each, WholePatch) and each.was in ("", digest) for each in alike)
        if not fits and chosen[0] not in self._preferred:
            self._report((chosen[0],), "it is replaced, but is not what it was")
        return first.data

    # -- by fields, lines, pixels -----------------------------------------------------------------

    def value(self, value: object) -> object:
        """A JSON value with the changes of all mods in it."""
        known = self._view.without(self.path, value)
        changes = [
            (owner, [self._renamed_op(op, owner, value, known) for op in patch.ops])
            for owner, patch in self._patches.items()
            if isinstance(patch, ValuePatch)
        ]
        counter = self._view.counter(self.path)
        merged, clashes = merge(value, changes, counter, self._preferred, known)
        for clash in clashes:
            self._report(
                clash.owners,
                clash.reason,
                place=clash.key,
                ours=clash.ours,
                theirs=clash.theirs,
            )
        return merged

    def _with_lists(self, value: object, todo: dict[int, Patch]) -> object:
        """A JSON value that lists resources, with empty lists for kinds that the game lacks."""
        if self._view.ordering(self.path) is None or not isinstance(value, dict):
            return value
        ops = [op for patch in todo.values() if isinstance(patch, ValuePatch) for op in patch.ops]
        lists: dict[str, object] = {
            op.at[0]: [] for op in ops if op.at and isinstance(op.at[0], str)
        }
        return {**lists, **value}

    def _renamed_op(self, op: Op, owner: int, value: object, known: object) -> Op:
        """A change with the new names; or with the old ones if only these fit, as another resource
        or a text may have the old name."""
        renaming = self._renamings[owner]
        if renaming.is_empty:
            return op
        under = next((step for step in reversed(op.at) if isinstance(step, str)), "")
        was, now = (
            side if side is NOTHING or isinstance(side, Hunk) else renaming.value(side, under)
            for side in (op.was, op.now)
        )
        after = None if op.after is None else renaming.mark(op.after, under)
        named = op._replace(at=renaming.path(op.at), was=was, now=now, after=after)
        return op if not fits(named, value, known) and fits(op, value, known) else named

    def _patched_lines(self, here: bytes, todo: dict[int, Patch]) -> bytes | None:
        lines = text_lines(here)
        edits: list[Edit] = []
        for owner, patch in todo.items():
            placed, misfits = self._place(_hunks(patch), lines, owner)
            edits += placed
            for misfit in misfits:
                size = len(misfit.hunk.before) + len(misfit.hunk.old) + len(misfit.hunk.after)
                start = max(0, misfit.line - len(misfit.hunk.before))
                self._report(
                    (owner,),
                    "the lines to change no longer exist",
                    line=misfit.line + 1,
                    ours="\n".join(lines[start : start + size]),
                    theirs="\n".join((*misfit.hunk.before, *misfit.hunk.new, *misfit.hunk.after)),
                )
        kept, clashes = combine(edits)
        for clash in clashes:
            owners = {clash.one.owner, clash.two.owner}
            losers = owners - self._preferred
            if len(losers) == 1:
                kept = [edit for edit in edits if edit.owner not in losers or edit not in clash]
                edits = kept
                continue
            self._report(
                (clash.one.owner, clash.two.owner),
                "these lines are changed by both",
                line=clash.two.start + 1,
                ours="\n".join(clash.one.new),
                theirs="\n".join(clash.two.new),
            )
        return lines_text(carry_out(combine(kept)[0], lines))

    def _place(
        self, hunks: Sequence[Hunk], lines: Sequence[str], owner: int
    ) -> tuple[list[Edit], list[Misfit]]:
        """The place of the lines to change: with the new names of resources, or with the old ones
        where code is a text that keeps them."""
        renaming = self._renamings[owner]
        edit = place(self._renamed_hunks(hunks, renaming), lines, owner)
        if edit[1] and not renaming.is_empty:
            return min(edit, place(hunks, lines, owner), key=lambda each: len(each[1]))
        return edit

    def _renamed_hunks(self, hunks: Sequence[Hunk], renaming: Renaming) -> Sequence[Hunk]:
        if not self.path.endswith(SOURCE):
            return hunks
        source = renaming.source
        return [
            Hunk(hunk.at, *(tuple(source(line) for line in lines) for lines in hunk[1:]))
            for hunk in hunks
        ]

    def _patched_picture(self, here: bytes, todo: dict[int, Patch]) -> bytes | None:
        picture = read_picture(here)
        before = picture.pixels
        after = before.copy()
        whose = np.full(before.shape[:2], -1, np.int32)
        for owner, patch in sorted(todo.items(), key=lambda item: item[0] in self._preferred):
            if not isinstance(patch, PicturePatch):
                continue
            pixels, mask = patch.pixels, patch.mask
            under = under_digest(before, patch.x, patch.y, mask)
            if under != patch.under and owner not in self._preferred:
                self._report((owner,), "the part that is repainted is not what it was")
                continue
            height, width = mask.shape
            part = np.s_[patch.y : patch.y + height, patch.x : patch.x + width]
            if after[part].shape[:2] != (height, width):
                self._report((owner,), "the picture is smaller than it was")
                continue
            mine, others = after[part], whose[part]
            differs = np.any(mine != pixels, axis=2) & mask & (others >= 0)
            if differs.any() and owner not in self._preferred:
                other = int(others[differs][0])
                self._report((other, owner), "the same pixels are repainted by both")
                continue
            mine[mask] = pixels[mask]
            others[mask] = owner
        return picture._replace(pixels=after).encode()

    def _report(
        self,
        owners: tuple[int, ...],
        reason: str,
        *,
        place: str = "",
        line: int = 0,
        ours: object = NOTHING,
        theirs: object = NOTHING,
    ) -> None:
        self.conflicts.append(
            Conflict(self.path, reason, [], place, line, ours, theirs, tuple(owners))
        )


def _moves_keys(patch: Patch) -> bool:
    """Whether a change is of the order of keys, which a digest does not say."""
    return isinstance(patch, ValuePatch) and any(
        op.kind == "move" and isinstance(op.at[-1], str) for op in patch.ops
    )


def _keys(value: object) -> Iterable[object]:
    return value if isinstance(value, dict) else ()


def _hunks(patch: Patch) -> Sequence[Hunk]:
    return patch.hunks if isinstance(patch, LinePatch) else []
