"""Carry a mod to another build of its game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from overhaul.mods.applying import apply_to
from overhaul.mods.building import view_of
from overhaul.mods.making import difference, made_for
from overhaul.mods.modfile import Mod
from overhaul.mods.naming import kept_numbers
from overhaul.mods.patches import LinePatch, content_digest, text_lines
from overhaul.mods.sequences import CONTEXT, Hunk, opcodes, place
from overhaul.mods.view import Game, View, opened


def rebase(mod: Mod, old: Game, new: Game, *, accept_renumbering: bool = False) -> Mod:
    """The mod for another build of the game: a merge of ``old``, which it was made for, ``new``
    and the mod.

    What the update did too is left out.  What can't be carried over, because the update removed it
    or changed the same, is in ``left_out`` of the result: nothing is lost without a word.  So is
    code with numbers that may stand for resources which have other numbers there, unless
    ``accept_renumbering``.

    Raises FormatError for broken games.
    """
    with opened(old) as before, opened(new) as after:
        moved = _moved(mod, before, after)
        result = apply_to(after, [moved], partial=True, accept_renumbering=accept_renumbering)
        carried = Mod(mod.name, made_for(after))
        if result.data:
            made = view_of(result.built(), after.document.source)
            carried = difference(after, made, mod.name)
            carried.numbers |= kept_numbers(mod, carried)
    carried.version, carried.description = mod.version, mod.description
    carried.authors = list(mod.authors)
    carried.requires, carried.conflicts = list(mod.requires), list(mod.conflicts)
    carried.left_out = [*result.conflicts, *carried.left_out]
    return carried


def _moved(mod: Mod, old: View, new: View) -> Mod:
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
        if content_digest(path, data) == copy.now:  # the update may have another picture there
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
