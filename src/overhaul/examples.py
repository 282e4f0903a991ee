"""Small games to try Overhaul on: folders of plain files that come with it.

The repository has them in ``examples/``; a wheel has the same files inside the package, and the
program without Python, which unpacks its files at each start, a zip archive of each.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from overhaul import folder as folders
from overhaul.errors import OverhaulError
from overhaul.suggest import closest

_PACKAGE: Final = Path(__file__).resolve().parent
#: The folder of all examples: of an installed package, or of the repository.
_PLACES: Final = (_PACKAGE / "examples", _PACKAGE.parents[1] / "examples")


class Example(NamedTuple):
    """A game: its name, the folder of its plain files below ``examples/``, the file that they are
    packed to by default, and one line about it."""

    name: str
    folder: str
    file: str
    about: str


EXAMPLES: Final = (
    Example("lantern", "lantern/current", "lantern.win", "a small game of GameMaker 2024.13"),
    Example("lantern-old", "lantern/gms1", "lantern-old.win", "the same, of GameMaker: Studio 1.4"),
    Example("park", "ags/park", "park.ags", "a small game of Adventure Game Studio 3.6.1"),
)


def write_example(
    name: str = "lantern", target: Path | str | None = None, *, force: bool = False
) -> folders.Packed:
    """Pack an example to a file; ``target`` is the file of its name here by default.

    Raises OverhaulError for an unknown example, if its files were not installed, or if the file
    exists and ``force`` is not given; OSError if it can't be written.
    """
    example = next((example for example in EXAMPLES if example.name == name), None)
    if example is None:
        names = [example.name for example in EXAMPLES]
        near = closest(name, names)
        hint = f"did you mean {near!r}?" if near else f"there are {', '.join(names)}"
        raise OverhaulError(f"there is no example {name!r}; {hint}")
    out = target or example.file
    for place in _PLACES:
        if (place / example.folder).is_dir():
            return folders.pack(place / example.folder, out, force=force)
        if (place / f"{name}.zip").is_file():
            with TemporaryDirectory() as folder:
                shutil.unpack_archive(place / f"{name}.zip", folder)
                return folders.pack(folder, out, force=force)
    raise OverhaulError(f"the files of the example {name!r} are not installed")
