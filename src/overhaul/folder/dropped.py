"""Files that people drop into a folder, as the plain files that packing reads.

The format decides what each file becomes: the frames of a sprite, one picture, or a file of
another path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from overhaul.document.plainfiles import Change, Folder
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.media import png
from overhaul.media.frames import frames_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_DIGITS = re.compile(r"([0-9]+)")


class Dropped:
    """Plain files in place of those in ``taken``; ``now`` are the changes of the folder with
    them, which :meth:`shown` gives."""

    def __init__(self, folder: Folder, changes: Mapping[str, Change]) -> None:
        self.folder = folder
        self.changes = changes
        self.now: dict[str, Change] = dict(changes)
        #: the files that people dropped into the folder
        self.taken: set[str] = set()
        #: the dropped file that each made path shows
        self.made_of: dict[str, str] = {}
        self._read: dict[str, Callable[[], bytes]] = {}
        self._last: tuple[str, Sequence[NDArray[np.uint8]]] = ("", [])

    def shown(self) -> Folder:
        """The folder with the plain files that were made; the one of a frame is a PNG file."""
        return self.folder.overlay({**dict.fromkeys(self.taken), **self._read})

    def __contains__(self, path: str) -> bool:
        return path in self.made_of or (self.folder.lists(path) and path not in self.taken)

    # -- what was dropped ---------------------------------------------------------------------

    def show(self, made: str, path: str, frame: int | None = None) -> None:
        """Show a dropped file, or a frame of it, at another path.  Raises WorkspaceError for one
        that is there."""
        if made in self and made != path:
            raise WorkspaceError(f"{path} and {made}: there are two files for one thing")
        if frame is None:
            self._put(made, path, lambda: self.folder.read(path))
        else:
            self._put(made, path, lambda: png.encode(self.frames(path)[frame]))
        self.taken.add(path)
        self.now.pop(path, None)
        self.now[made] = "changed" if self.changes.get(made) == "removed" else "added"

    def add(self, made: str, path: str, data: bytes) -> None:
        """Add a plain file that follows from a dropped one, which stays."""
        self._put(made, path, lambda: data)
        self.now[made] = "added"

    def _put(self, made: str, path: str, read: Callable[[], bytes]) -> None:
        self.made_of[made] = path
        self._read[made] = read

    def show_single(self, path: str, made: str) -> None:
        """Show a file of one picture as a PNG file.  Raises WorkspaceError."""
        if len(self.frames(path)) > 1:
            raise PlainFileError(f"expected one picture, got {len(self.frames(path))}", path)
        self.show(made, path, 0)

    def show_frames(self, place: str, paths: Sequence[str], own: str | None) -> None:
        """Number the frames of a sprite's dropped files; ``own`` is a file of an existing frame.

        Raises WorkspaceError.
        """
        files = sorted(paths, key=_natural)
        levels = {path.count("/") for path in files}
        if own is not None:
            raise PlainFileError(
                f"the frames of this sprite are in files of their own ({own}): "
                "remove these if it shall replace them",
                files[0],
            )
        if len(levels) > 1 or (len(files) > 1 and levels == {1}):
            raise WorkspaceError(
                f"{files[0]} and {files[1]}: several files with the frames of one sprite belong in "
                f"{place}/"
            )
        number = 0
        for path in files:
            count = len(self.frames(path))
            plain = count == 1 and self.folder.read(path).startswith(png.SIGNATURE)
            for frame in range(count):
                self.show(f"{place}/{number}.png", path, None if plain else frame)
                number += 1

    def frames(self, path: str) -> Sequence[NDArray[np.uint8]]:
        """The frames in a file; those of the last one are kept.  Raises WorkspaceError."""
        if self._last[0] != path:
            try:
                self._last = path, frames_of(path, self.folder.read(path))
            except FormatError as error:
                raise PlainFileError(error.message, path) from error
        return self._last[1]


def _natural(path: str) -> list[tuple[int, str]]:
    """A key that sorts walk2 before walk10."""
    parts = _DIGITS.split(path.lower())
    return [(int(part), "") if index % 2 else (0, part) for index, part in enumerate(parts)]
