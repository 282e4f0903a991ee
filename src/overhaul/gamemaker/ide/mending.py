"""Faults of single resources that can be mended: names, folders, groups, pictures, sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.files import ProjectFiles
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.parts import frames_of, layers_of
from overhaul.gamemaker.ide.references import GROUPS, by_path
from overhaul.gamemaker.ide.resources.making import in_order, record
from overhaul.gamemaker.ide.texts import JsonFile
from overhaul.gamemaker.ide.values import Json, list_at, text_at
from overhaul.media import png

#: The replacement of a reference to a missing group.
_DEFAULTS: Final = {"TextureGroups": "Default", "AudioGroups": "audiogroup_default"}
#: The colour of a picture for a missing one: nobody takes it for a drawn one.
_PLACEHOLDER: Final = (255, 0, 255, 255)
#: A picture that is made has so many pixels at most.
_MOST: Final = 1 << 26
RECOVERED: Final = "folders/Recovered.yy"
#: The kinds whose files are looked for, by their folder.
_KINDS: Final = (
    "animcurves", "extensions", "fonts", "notes", "objects", "particles", "paths", "rooms",
    "scripts", "sequences", "shaders", "sounds", "sprites", "tilesets", "timelines",
)  # fmt: skip


def placeholder(width: int, height: int) -> bytes:
    """A picture in the place of one that is not there."""
    return png.encode(np.full((height, width, 4), _PLACEHOLDER, np.uint8))


class Written(Protocol):
    """A file that is written."""

    def to_bytes(self) -> bytes: ...


@dataclass(frozen=True)
class Made:
    """A file that is made."""

    data: bytes

    def to_bytes(self) -> bytes:
        """Its bytes."""
        return self.data


class Mending:
    """Plans what is mended: ``get`` gives a file as it will be, ``put`` takes it with the step."""

    def __init__(
        self,
        files: ProjectFiles,
        get: Callable[[str], JsonFile | None],
        put: Callable[[str, Written, str], None],
    ) -> None:
        self._files = files
        self._get = get
        self._put = put
        #: folders of the asset browser that resources are in
        self._folders: dict[str, None] = {}

    def resource(self, entry: ListedEntry, *, is_old: bool) -> None:
        """Mend a resource whose file is there under its name."""
        file = self._get(entry.path)
        if file is None:
            return
        self._named(entry, file)
        if not is_old:
            self._grouped(entry)
            parent = text_at(file.value, "parent", "path")
            if parent.startswith("folders/"):
                self._folders[parent] = None
        if entry.kind == "sprite":
            self._pictured(entry, file)
        elif entry.kind == "script":
            self._sourced(entry)

    def _named(self, entry: ListedEntry, file: JsonFile) -> None:
        """Give a file the name that the list and its path have."""
        stem = entry.path.rpartition("/")[2].removesuffix(".yy")
        if entry.kind in ("options", "included file") or entry.name != stem:
            return
        for key in ("name", "%Name"):
            name = text_at(file.value, key)
            if name and name != stem:
                file = file.replaced(key, value=stem)
                self._put(entry.path, file, f"{entry.path}: {key} was {name}, and is {stem}")

    def _grouped(self, entry: ListedEntry) -> None:
        """Let references to groups that are not there be to the default ones."""
        listing = self._get("")
        file = self._get(entry.path)
        for used in list(by_path(file.value)) if file is not None and listing is not None else ():
            group = GROUPS.get(used.key)
            if group is None or file is None or listing is None:
                continue
            default = _DEFAULTS[group]
            known = {text_at(row, "name") for row in list_at(listing.value, group)}
            if used.name not in {*known, default, ""}:
                folder = used.path.rpartition("/")[0]
                file = file.replaced(*used.steps, "name", value=default)
                file = file.replaced(*used.steps, "path", value=f"{folder}/{default}")
                step = f"{entry.path}: {used.key} named {used.name}, and is {default}"
                self._put(entry.path, file, step)

    # -- pictures and sources -------------------------------------------------------------------

    def _pictured(self, entry: ListedEntry, file: JsonFile) -> None:
        """Give frames without a picture that of their only layer, or a placeholder."""
        value = file.value if isinstance(file.value, dict) else {}
        width, height = value.get("width"), value.get("height")
        if not isinstance(width, int) or not isinstance(height, int):
            return
        if min(width, height) < 1 or width * height > _MOST:
            return
        layers = layers_of(value)
        for frame in frames_of(value):
            path = f"{entry.folder}/{frame}.png"
            if not frame or self._files.spelled(path) is not None:
                continue
            inside = f"{entry.folder}/layers/{frame}"
            own = self._layer(f"{inside}/{layers[0]}.png", width, height) if layers else None
            if own is not None and len(layers) == 1:
                self._put(path, Made(own), f"{path}: the picture of its only layer")
            else:
                step = f"{path}: a placeholder of {width} x {height} pixels"
                self._put(path, Made(placeholder(width, height)), step)

    def _layer(self, path: str, width: int, height: int) -> bytes | None:
        """The picture of a layer; None where it is not there, or has another size."""
        if not self._files.has(path):
            return None
        data = self._files.read(path)
        try:
            return data if png.size(data) == (width, height) else None
        except FormatError:  # a pointer of Git LFS
            return None

    def _sourced(self, entry: ListedEntry) -> None:
        """Give a script without a source an empty one."""
        path = f"{entry.folder}/{entry.name}.gml"
        if self._files.spelled(path) is None:
            source = "// The source of this script was not there.\n"
            self._put(path, Made(source.encode()), f"{path}: an empty source")

    # -- the list -------------------------------------------------------------------------------

    def listing(self, name: str) -> None:
        """Make the folders of the asset browser that resources are in and the list lacks."""
        file = self._get("")
        if file is None:
            return
        known = {text_at(row, "folderPath") for row in list_at(file.value, "Folders")}
        wanted: list[str] = []
        for path in (*self._folders, *known):
            parts = path.removesuffix(".yy").split("/")
            wanted += [f"{'/'.join(parts[:end])}.yy" for end in range(2, len(parts) + 1)]
        for path in dict.fromkeys(wanted):
            if path not in known:
                rows = list_at(file.value, "Folders")
                title = path.rpartition("/")[2].removesuffix(".yy")
                members: dict[str, Json] = {"folderPath": path}
                if rows and isinstance(rows[0], dict) and "order" in rows[0]:
                    members["order"] = 1 + len(rows)
                row = record("GMFolder", file.style, members, title)
                if "order" not in members:
                    row.pop("order", None)
                file = file.added("Folders", len(rows), value=row)
                self._put(name, file, f"make the folder {path}, which is named")
                known.add(path)

    def recover(self, name: str, project: ModernProject) -> None:
        """List resources that are there and not listed, in a folder of their own."""
        listing = self._get("")
        listed = {entry.path.casefold() for entry in project.entries}
        names = {entry.name.casefold() for entry in project.entries}
        for kind in _KINDS:
            for folder in self._files.listing(kind)[1]:
                path = f"{kind}/{folder}/{folder}.yy"
                is_new = path.casefold() not in listed and folder.casefold() not in names
                if listing is None or not is_new or not self._files.has(path):
                    continue
                listing = self._recovered(name, folder, path) or listing

    def _recovered(self, name: str, title: str, path: str) -> JsonFile | None:
        file, listing = self._get(path), self._get("")
        if file is None or listing is None or text_at(file.value, "name") != title:
            return None
        if not text_at(file.value, "parent", "path"):
            return None
        parent: Json = in_order({"name": "Recovered", "path": RECOVERED}, file.style)
        self._put(path, file.replaced("parent", value=parent), f"{path} is in the folder Recovered")
        self._folders[RECOVERED] = None
        rows = list_at(listing.value, "resources")
        row: dict[str, Json] = {"id": in_order({"name": title, "path": path}, listing.style)}
        if rows and isinstance(rows[0], dict) and "order" in rows[0]:
            row["order"] = 1 + len(rows)
        listing = listing.added("resources", len(rows), value=row)
        self._put(name, listing, f"list {path}, which is there")
        return listing
