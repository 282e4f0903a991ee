"""Many files brought into a game: what each becomes, as changes of plain files.

A file that has the path of a plain file is that file; a picture, a sound and a piece of code are
known by their names: ``spr_hero_strip4.png`` has the frames of the sprite ``spr_hero``,
``spr_hero_2.png`` one of them, ``snd_jump.ogg`` is the sound, ``scr_jump.gml`` the script.
Resources that the game lacks are added.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from overhaul.bounds import Budget
from overhaul.document.archives import ZipMembers
from overhaul.document.names import escape_name
from overhaul.errors import FormatError, OverhaulError, WorkspaceError
from overhaul.folder.paths import is_litter
from overhaul.media import png
from overhaul.media.frames import EXTENSIONS, frames_of, strip_of
from overhaul.mods.view import FileView
from overhaul.workbench import pictures, resources

if TYPE_CHECKING:
    from overhaul.workbench.resources import Changes

SOUNDS: Final = (".wav", ".ogg", ".mp3")
CODE: Final = ".gml"
_ARCHIVE: Final = ".zip"
_NUMBERED: Final = re.compile(r"(.+)_(\d{1,4})\Z", re.DOTALL)
#: A folder that macOS adds to an archive.
_OF_MACOS: Final = "__MACOSX/"
#: Bytes of all files of an archive.
MOST_BYTES: Final = 256 << 20


class State(StrEnum):
    """The result for a file."""

    NEW = "new"
    REPLACES = "replaced"
    SAME = "unchanged"
    REFUSED = "not used"


class Import(NamedTuple):
    """A file and what it becomes: the plain file or the folder of the resource ``target``.

    ``note`` says more: which frame, or why the file is not used.
    """

    file: str
    target: str
    state: State
    note: str
    changes: Changes


def unpacked(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Files by path, with the files of zip archives in the place of these.

    Raises FormatError for an archive that can't be read, or that holds too much.
    """
    for path, data in files:
        if is_litter(PurePosixPath(path).name):
            continue
        if PurePosixPath(path).suffix.lower() != _ARCHIVE:
            yield path, data
            continue
        archive = ZipMembers(data, path, Budget(len(data), path, least=MOST_BYTES, times=0))
        for name in dict.fromkeys(archive.names()):
            if not is_litter(PurePosixPath(name).name) and _OF_MACOS not in name:
                yield f"{path}/{name}", archive.read(name)


def planned(view: FileView, files: Mapping[str, bytes]) -> list[Import]:
    """The resources that files become, in their order. Two files never become the same plain
    file."""
    importer = _Importer(view, files)
    taken: dict[str, str] = {}
    made = []
    for file, data in files.items():
        try:
            each = importer.place(file, data)
        except OverhaulError as error:
            each = Import(file, "", State.REFUSED, str(error), {})
        first = next((taken[path] for path in each.changes if path in taken), "")
        if first:
            note = f"{first} becomes the same file"
            each = Import(file, each.target, State.REFUSED, note, {})
        taken.update(dict.fromkeys(each.changes, file))
        made.append(each)
    return made


class _Importer:
    """Finds the places of files in a game."""

    def __init__(self, view: FileView, files: Mapping[str, bytes]) -> None:
        self._view = view
        self._can_add = view.format.additions.kinds(view.document)
        self._by_name: dict[str, list[str]] = {}
        #: the beginnings, depths and endings that paths of the game have
        self._shapes = {_shape(path) for path in view.files}
        for path in view.files:
            self._by_name.setdefault(path.rpartition("/")[2].casefold(), []).append(path)
        self._resources = view.resources()
        units = {unit for unit in self._resources.values() if "/" in unit}
        self._units: dict[str, list[str]] = {}
        for unit in sorted(units):
            self._units.setdefault(unit.rpartition("/")[2].casefold(), []).append(unit)
        #: new sprites whose frames are files of their own, and the numbers of these
        self._numbered: dict[str, set[int]] = {}
        for file in files:
            match = _NUMBERED.match(_stem(file))
            if match is not None and _ending(file) in EXTENSIONS:
                self._numbered.setdefault(match[1], set()).add(int(match[2]))

    def place(self, file: str, data: bytes) -> Import:
        """The resource that a file becomes. Raises FormatError and WorkspaceError for one that
        is not used."""
        for path in _tails(file):
            if path in self._view.files:
                return self._plain(file, path, data)
        ending = _ending(file)
        if ending in EXTENSIONS:
            return self._picture(file, data)
        if ending in SOUNDS:
            return self._sound(file, data, ending)
        for path in _tails(file):
            if _shape(path) in self._shapes and "/" in path:
                return self._plain(file, path, data)
        named = self._by_name.get(PurePosixPath(file).name.casefold(), [])
        if len(named) > 1:
            raise WorkspaceError(f"the game has {len(named)} files of this name: {named[0]} …")
        if named and self._is_named_after(named[0]):
            return self._plain(file, named[0], data)
        if named:
            raise WorkspaceError(f"{named[0]} has this name: give it with its folder")
        if ending == CODE:
            return self._script(file, data)
        raise WorkspaceError("the game has no file of this name")

    def _is_named_after(self, path: str) -> bool:
        """Whether a file has the name of its resource, or is one of its own kind: The name
        ``create.gml`` of an object does not show its type by itself."""
        unit = self._resources.get(path, "").rpartition("/")[2]
        return not path.endswith(CODE) or unit.casefold() in _stem(path).casefold()

    def _plain(self, file: str, path: str, data: bytes) -> Import:
        """A file as the plain file of a path."""
        if path not in self._view.files:
            return Import(file, path, State.NEW, "", {path: data})
        same = _is_same(path, self._view.read(path), data)
        return Import(
            file, path, State.SAME if same else State.REPLACES, "", {} if same else {path: data}
        )

    # -- pictures ----------------------------------------------------------------------------

    def _picture(self, file: str, data: bytes) -> Import:
        name, strip = strip_of(PurePosixPath(file).name)
        unit = self._sprite(name)
        if unit:
            return self._frames(file, unit, data)
        single = self._single(name)
        if single:
            picture, *others = frames_of(file, data, max_pixels=pictures.MOST)
            if others:
                raise WorkspaceError(
                    f"it has {len(others) + 1} frames, and {single} is one picture"
                )
            is_png = data.startswith(png.SIGNATURE)  # its palette stays
            return self._plain(file, single, data if is_png else png.encode(picture))
        numbered = _NUMBERED.match(name) if strip is None else None
        if numbered is not None:
            base, number = numbered[1], int(numbered[2])
            unit = self._sprite(base)
            if unit or 0 in self._numbered[base]:
                return self._frame(file, unit, base, number, data)
        return self._new_sprite(file, name, data)

    def _sprite(self, name: str) -> str:
        """The sprite of a name: a resource with frames; "" for none."""
        found = [unit for unit in self._units.get(escape_name(name).casefold(), ())
                 if pictures.frames_in(self._view, unit)]  # fmt: skip
        return found[0] if len(found) == 1 else ""

    def _single(self, name: str) -> str:
        """The only picture of a name in the game; "" for none or several."""
        found = self._by_name.get(f"{escape_name(name)}.png".casefold(), [])
        return found[0] if len(found) == 1 else ""

    def _frames(self, file: str, unit: str, data: bytes) -> Import:
        """All frames of a sprite."""
        changes = pictures.dropped(self._view, unit, file, data, replace=True)
        given = len(frames_of(file, data, max_pixels=pictures.MOST))
        had = len(pictures.frames_in(self._view, unit))
        if given == had:
            changes = {
                path: new
                for path, new in changes.items()
                if new is None or path not in self._view
                or not _is_same(path, self._view.read(path), new)
            }  # fmt: skip
        note = _counted(given) if given == had else f"{_counted(given)}, before {had}"
        return Import(file, unit, State.REPLACES if changes else State.SAME, note, changes)

    def _frame(self, file: str, unit: str, base: str, number: int, data: bytes) -> Import:
        """One frame of a sprite, perhaps of one that is new."""
        frames = frames_of(file, data, max_pixels=pictures.MOST)
        if len(frames) != 1:
            raise WorkspaceError(f"it has {len(frames)} frames, and its name is that of one")
        content = png.encode(frames[0])
        had = len(pictures.frames_in(self._view, unit)) if unit else 0
        lacking = set(range(had, number)) - self._numbered[base]
        if lacking:
            raise WorkspaceError(f"the frame {min(lacking)} before it is missing")
        note = f"frame {number}"
        if unit:
            made = self._plain(file, f"{unit}/{number}.png", content)
            return made._replace(target=unit, note=note)
        target, begun = self._begun(base)
        changes: Changes = {f"{target}/{number}.png": content}
        if number == 0:
            changes = {**begun, **changes}
        return Import(file, target, State.NEW, note, changes)

    def _new_sprite(self, file: str, name: str, data: bytes) -> Import:
        target, begun = self._begun(name)
        frames = frames_of(file, data, max_pixels=pictures.MOST)
        if len(frames) > pictures.FRAMES:
            raise WorkspaceError(f"a sprite has at most {pictures.FRAMES} frames here")
        made = {f"{target}/{number}.png": png.encode(each) for number, each in enumerate(frames)}
        return Import(file, target, State.NEW, _counted(len(frames)), {**begun, **made})

    def _begun(self, name: str) -> tuple[str, Changes]:
        """A new sprite: its folder, and its files but the frames.  Raises WorkspaceError."""
        if "sprite" not in self._can_add:
            raise WorkspaceError("the game has no picture of this name, and can't get a new one")
        files = resources.added(self._view, "sprite", name)
        main = next(path for path in files if path.endswith(".json"))
        folder = main.rpartition("/")[0]
        target = folder if folder.count("/") else main.removesuffix(".json")
        return target, {path: data for path, data in files.items() if path.endswith(".json")}

    # -- sounds and code ---------------------------------------------------------------------

    def _sound(self, file: str, data: bytes, ending: str) -> Import:
        stem = escape_name(resources.checked_name(_stem(file)))
        for other in SOUNDS:
            found = self._by_name.get(f"{stem}{other}".casefold(), [])
            if len(found) > 1:
                raise WorkspaceError(f"the game has {len(found)} sounds of this name")
            if found and other != ending:
                raise WorkspaceError(f"the sound of this name is a {other} file")
            if found:
                return self._plain(file, found[0], data)
        path = f"sounds/{stem}{ending}"
        if f"sounds/{stem}.json" in self._view.files:
            raise WorkspaceError(
                "the game keeps the file of this sound next to it: replace it there"
            )
        if "sprite" not in self._can_add and "sounds" not in {shape[0] for shape in self._shapes}:
            raise WorkspaceError("the game has no sound of this name, and can't get a new one")
        return self._plain(file, path, data)

    def _script(self, file: str, data: bytes) -> Import:
        if "script" not in self._can_add:
            raise WorkspaceError("the game has no code of this name, and can't get a new script")
        name = resources.checked_name(_stem(file))
        (path,) = self._view.format.additions.new_files(self._view.document, "script", name)
        folder, _, made = path.rpartition("/")
        begins = made.removesuffix(f"{escape_name(name)}{CODE}").partition("_")[0]
        if begins and name.startswith(f"{begins}_"):  # a name of the game's own: an event, say
            path = f"{folder}/{made[made.index(escape_name(name)) :]}"
        return self._plain(file, path, data)


def _tails(file: str) -> Iterator[str]:
    """A path, and the same without its first folders, which may be those of a download."""
    parts = [part for part in file.replace("\\", "/").split("/") if part not in ("", ".")]
    for first in range(len(parts)):
        yield "/".join(parts[first:])


def _shape(path: str) -> tuple[str, int, str]:
    return path.partition("/")[0], path.count("/"), _ending(path)


def _stem(file: str) -> str:
    return PurePosixPath(file).stem


def _ending(file: str) -> str:
    return PurePosixPath(file).suffix.lower()


def _counted(count: int) -> str:
    return "1 frame" if count == 1 else f"{count} frames"


def _is_same(path: str, old: bytes, new: bytes) -> bool:
    """Whether two files say the same: pictures by their pixels, code by its lines."""
    if old == new:
        return True
    if path.endswith(".png"):
        try:
            (before,), (now,) = frames_of(path, old), frames_of(path, new)
        except FormatError:
            return False
        return np.array_equal(before, now)
    if path.endswith(CODE):
        return old.split() == new.split() and old.splitlines() == new.splitlines()
    return False
