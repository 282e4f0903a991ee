"""The formats that each release of the editor writes: versions of files, extension blocks,
packages.

Source: the constants in the sources of the editor's releases; see docs/formats/ags-build.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from overhaul.ags.api import parse_version
from overhaul.ags.versions import PACKAGE_ENCRYPTED, PACKAGE_LONG, PACKAGE_PASSWORD
from overhaul.errors import UnsupportedVersion

Build: TypeAlias = tuple[int, ...]
T = TypeVar("T")

#: The builds that a project of this version index is at least of: old projects name the release
#: of their editor, not the build.
_BUILDS: Final[dict[int, Build]] = {
    6: (3, 2, 1), 7: (3, 3, 0), 9: (3, 4, 0, 1), 10: (3, 4, 0, 2), 11: (3, 4, 0, 7),
    12: (3, 4, 0, 8), 13: (3, 4, 0, 10), 14: (3, 4, 1, 1), 15: (3, 4, 1, 2), 17: (3, 5, 0, 6),
    18: (3, 5, 0, 10), 19: (3, 5, 0, 11), 20: (3, 5, 0, 14), 21: (3, 5, 0, 15),
    22: (3, 5, 0, 18), 23: (3, 5, 0, 19), 24: (3, 5, 0, 21), 25: (3, 5, 0, 22),
    26: (3, 5, 0, 23), 27: (3, 5, 1, 3),
}  # fmt: skip
#: Since which build game data has a version, and GUIs have theirs.
_DATA: Final[tuple[tuple[Build, int], ...]] = (
    ((3, 1, 2), 40), ((3, 2, 0), 42), ((3, 3, 0), 43), ((3, 4, 0, 1), 45),
    ((3, 4, 0, 2), 46), ((3, 4, 0, 7), 47), ((3, 4, 1, 1), 48), ((3, 4, 1, 2), 49),
    ((3, 5, 0, 10), 50),
    ((3, 6, 0, 8), 3060000), ((3, 6, 0, 11), 3060011), ((3, 6, 0, 16), 3060016),
    ((3, 6, 0, 21), 3060021), ((3, 6, 1, 2), 3060100), ((3, 6, 1, 10), 3060110),
    ((3, 6, 1, 14), 3060114), ((3, 6, 2, 1), 3060200), ((3, 6, 2, 3), 3060203),
    ((3, 6, 2, 12), 3060212), ((3, 6, 3, 8), 3060308), ((3, 6, 3, 10), 3060310),
)  # fmt: skip
_GUIS: Final[tuple[tuple[Build, int], ...]] = (
    ((3, 1, 2), 115), ((3, 3, 0), 116), ((3, 4, 0), 118), ((3, 5, 0), 119),
    ((3, 6, 3, 8), 3060308),
)  # fmt: skip
_LAST: Final = (3, 6, 4)
#: Releases without a known game: a later one opens their projects as they are, and builds them.
_OPENED_LATER: Final = ((3, 1, 0), (3, 1, 2))
#: The block lists of releases, in the order in which they are written.
_BLOCKS: Final[tuple[tuple[Build, tuple[str, ...]], ...]] = (
    ((3, 6, 0, 8), ("v360_fonts", "v360_cursors")),
    ((3, 6, 1, 14), ("v360_fonts", "v360_cursors", "v361_objnames")),
    ((3, 6, 2, 1), ("v360_fonts", "v360_cursors", "v361_objnames", "v362_interevents")),
    (
        (3, 6, 2, 2),
        ("v360_fonts", "v360_cursors", "v361_objnames", "v362_interevents", "v362_guictrls"),
    ),
    (
        (3, 6, 2, 3),
        ("v360_fonts", "v360_cursors", "v361_objnames", "v362_interevent2", "v362_guictrls"),
    ),
    (
        (3, 6, 3, 8),
        ("v360_fonts", "v360_cursors", "v361_objnames", "v362_interevent2", "v363_gameinfo",
         "v363_dialogsnew", "v363_guictrls2"),
    ),
)  # fmt: skip
#: Test releases, from the first to the one that is none: no game of one is known.
_TESTS: Final = (
    ((3, 5, 0), (3, 5, 0, 10)), ((3, 6, 0), (3, 6, 0, 8)), ((3, 6, 3), (3, 6, 3, 8)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Release:
    """A build of the editor: ``name`` is its version, ``data`` and so on what it writes.

    ``project`` is the version that the project names: an older one where this editor opens it.
    """

    name: str
    build: Build
    data: int
    gui: int
    blocks: tuple[str, ...]
    project: str

    def since(self, *build: int) -> bool:
        """Whether it is of this build or later."""
        return self.build >= build

    @property
    def has_clips(self) -> bool:
        """Whether sounds are things of the project; else they are files by their numbers."""
        return self.since(3, 2)

    @property
    def library(self) -> int:
        """The version of the package."""
        return PACKAGE_LONG if self.since(3, 5) else PACKAGE_ENCRYPTED

    @property
    def voices_library(self) -> int:
        """The version of packages of sounds and speech."""
        return PACKAGE_LONG if self.since(3, 5) else PACKAGE_PASSWORD


def release_of(editor: str, index: str) -> Release:
    """The release that builds a project of ``editor``.  Raises UnsupportedVersion, by name."""
    try:
        build: Build = parse_version(editor)[: editor.count(".") + 1]
    except ValueError:
        raise UnsupportedVersion(f"{editor!r} is not a version of the editor") from None
    if build >= (3, 2) and index.isdecimal() and editor.count(".") < 3:
        build = max(build, _BUILDS.get(int(index[:9]), ()))
    if build >= _LAST:
        raise UnsupportedVersion(f"projects of the editor {editor} can't be built: the newest "
                                 "release that can is 3.6.3")  # fmt: skip
    name = editor
    oldest, later = _OPENED_LATER
    if oldest <= build < later:
        name, build = ".".join(map(str, later)), later
    data = _at(_DATA, build)
    if data is None:
        raise UnsupportedVersion(
            f"projects of the editor {editor} can't be built: the oldest release that can is 3.1.0"
        )
    if any(first <= build < last for first, last in _TESTS):
        raise UnsupportedVersion(
            f"projects of the editor {editor} can't be built: it is a test release, and no game "
            "of it is known; open the project in a later one"
        )
    blocks = _at(_BLOCKS, build) or ()
    return Release(name, build, data, _at(_GUIS, build) or 0, blocks, editor)


def _at(table: Sequence[tuple[Build, T]], build: Build) -> T | None:
    """The value of the last line whose build is not later."""
    place = bisect_right([since for since, _ in table], build)
    return table[place - 1][1] if place else None
