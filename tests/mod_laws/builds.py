"""Builds of one game in the corpus: a mod of two of them makes the one of the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import overhaul
from overhaul import mods
from overhaul.errors import OverhaulError
from overhaul.mods.comparing import is_of_release
from overhaul.mods.modfile import Mod
from overhaul.mods.view import opened
from real_files import corpus_files

#: where the builds of each family are
FAMILIES = {
    "data": ("datawin/*.*", "datawin2/*.*"),
    "projects": ("projects/*.*",),
    "ags": ("ags/*/*.*",),
}


class Outcome(NamedTuple):
    """What a pair gave: ``"identical"`` bytes, ``"equal"`` by ``diff``, ``"release"`` where only
    what the compiler's release decides differs, ``"reported"`` where making the mod lists what it
    leaves out, or what is wrong."""

    word: str
    why: str = ""

    @property
    def good(self) -> bool:
        """Whether the mod does what it should."""
        return self.word in ("identical", "equal", "release", "reported")


def name_of(path: Path) -> str:
    """The name of a file in its repository, where the corpus has it ("" if not)."""
    return path.name.partition("-")[2].lower() if path.parent.parent.name == "ags" else ""


def groups(family: str) -> list[list[Path]]:
    """The files of one repository, kind and name, in the order of the corpus."""
    found: dict[tuple[str, str, str], list[Path]] = {}
    for pattern in FAMILIES[family]:
        for path in corpus_files(pattern):
            owner = path.parent.name if family == "ags" else path.name.rpartition("__")[0]
            try:
                with overhaul.open(path) as document:
                    found.setdefault((owner, document.kind, name_of(path)), []).append(path)
            except OverhaulError:
                continue
    return [files for files in found.values() if len(files) > 1]


def pairs(family: str) -> Iterator[tuple[Path, Path]]:
    """All pairs of builds, the later name as the newer build."""
    for files in groups(family):
        yield from itertools.combinations(files, 2)


def trios(family: str) -> Iterator[tuple[Path, ...]]:
    """Each three builds that follow each other, by their names."""
    for files in groups(family):
        yield from zip(files, files[1:], files[2:], strict=False)


def judge(old: Path, new: Path) -> tuple[Outcome, Mod | None]:
    """Make a mod of two builds, and put it on the first one."""
    try:
        made = mods.make(old, new, name="m")
        mod = mods.load(made.to_bytes())
        result = mods.apply(old, [mod])
    except OverhaulError as error:
        return Outcome("refused", str(error)), None
    if result.conflicts:
        word = "reported" if made.left_out else "conflict"
        return Outcome(word, str(result.conflicts[0])), mod
    if result.data == new.read_bytes():
        return Outcome("identical"), mod
    left = mods.diff(result.data, new)
    if not left:
        return Outcome("equal"), mod
    if _is_release(new, left):
        return Outcome("release", described(left)), mod
    return Outcome("reported" if made.left_out else "different", described(left)), mod


def _is_release(new: Path, left: mods.Diff) -> bool:
    """Whether only values differ that a release decides."""
    with opened(new) as view:
        return all(is_of_release(view, change) for change in left.changes)


def described(left: mods.Diff) -> str:
    """What still differs, in a line."""
    shown = [f"{change.kind} {change.path}{_first(change.lines())}" for change in left.changes[:4]]
    return f"{len(left)}: {'; '.join(shown)}"


def _first(lines: Sequence[str]) -> str:
    return f" ({' / '.join(lines[:3]):.160})" if lines else ""
