"""Parts with the name of a resource: its files, its own fields, references to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.references import by_name
from overhaul.gamemaker.ide.values import Json, Steps

#: Members of a resource, or of what is in it, that have its name.
_NAMES: Final = frozenset(("name", "%Name"))
#: Where the files of a resource of Studio 1 are besides its own, by the root of its file.
_MEDIA: Final = {"sprite": "images", "background": "images", "sound": "audio", "font": ""}
_MEDIA_TAGS: Final = frozenset(("frame", "data", "image", "origname"))


class Following:
    """A resource, and the name that it gets."""

    def __init__(self, project: ProjectModel, entry: ListedEntry, new: str) -> None:
        self._project = project
        self._entry = entry
        self._old, self._new = entry.name, new
        self._path = project.files.spelled(entry.path) or entry.path

    # -- files ----------------------------------------------------------------------------------

    def files(self) -> Iterator[str]:
        """The files of the resource."""
        if self._has_folder:
            yield from self._project.files.below(self._path.rpartition("/")[0])
            return
        if self._project.files.has(self._path):
            yield self._path
        yield from self._media()

    @property
    def _has_folder(self) -> bool:
        """Whether the folder of the file has nothing else."""
        folder = self._path.rpartition("/")[0]
        return self._path.endswith(".yy") and folder.rpartition("/")[2] == self._old

    def _media(self) -> Iterator[str]:
        """The pictures and sounds of a resource of Studio 1; a note's text."""
        files, folder = self._project.files, self._path.rpartition("/")[0]
        if self._path.endswith(".yy"):
            text = f"{folder}/{self._old}.txt"
            if files.has(text):
                yield text
            return
        if not self._path.endswith(".gmx"):
            return
        root = self._root()
        inner = _MEDIA.get(root.tag) if root is not None else None
        if root is None or inner is None:
            return
        for node in root.walk():
            if node.tag in _MEDIA_TAGS and node.tag != "origname" and node.text:
                text = node.text.replace("\\", "/")
                text = text if text.startswith(f"{inner}/") or not inner else f"{inner}/{text}"
                spelled = files.spelled(f"{folder}/{text}")
                if spelled is not None:
                    yield spelled

    def _root(self) -> XmlNode | None:
        try:
            return self._project.gmx_file(self._path).root
        except FormatError:  # check says what is wrong with it
            return None

    def renamed(self, path: str) -> str:
        """The path of a file of the resource under the new name."""
        folder = self._path.rpartition("/")[0]
        kept, rest = "", path
        if path.startswith(f"{folder}/"):
            kept, rest = folder, path[len(folder) + 1 :]
        if self._has_folder:
            kept = f"{kept.rpartition('/')[0]}/{self._new}"
        head, _, name = rest.rpartition("/")
        for ending in (".", "_"):
            if name == self._old or (
                name.startswith(self._old + ending) and (ending == "." or self._is_frame(name))
            ):
                name = self._new + name[len(self._old) :]
                break
        return "/".join(part for part in (kept, head, name) if part)

    def _is_frame(self, name: str) -> bool:
        """Whether a file is a frame of a sprite of Studio 1: ``spr_a_0.png``."""
        number = name[len(self._old) + 1 :].partition(".")[0]
        return self._path.endswith(".gmx") and number.isdecimal()

    def move(self) -> str:
        """Give the files and the resource the new name; the path of its file."""
        path = self.renamed(self._path)
        files = list(dict.fromkeys(self.files()))
        self._own(self._path)
        for old in files:
            new = self.renamed(old)
            if new != old:
                self._project.files.move(old, new)
                self._project.forget(old)
        return path

    def copy(self) -> str:
        """Write copies of the files under the new name; the path of the file of the copy."""
        path = self.renamed(self._path)
        for old in dict.fromkeys((self._path, *self.files())):  # the first is there, or is missed
            self._project.files.write(self.renamed(old), self._project.files.read(old))
        self._own(path)
        return path

    # -- the resource's own file ----------------------------------------------------------------

    def _own(self, path: str) -> None:
        if path.endswith(".yy"):
            file = self._project.json_file(path)
            values = dict(self._own_values(file.value, ()))
            if values:
                self._project.put(path, file.replaced_all(values))
        elif path.endswith(".gmx"):
            self._own_xml(path)

    def _own_values(self, value: Json, steps: Steps) -> Iterator[tuple[Steps, Json]]:
        """The values in a resource's own file that have its name or its path."""
        folder = self._entry.path.rpartition("/")[0]
        renamed = self.renamed(self._entry.path)
        for step, item in _items(value):
            at = (*steps, step)
            if isinstance(item, dict | list):
                yield from self._own_values(item, at)
            elif not isinstance(item, str):
                continue
            elif item == self._entry.path:
                yield at, renamed
            elif step in _NAMES and item == self._old and self._is_own_name(value, steps):
                yield at, self._new
            elif step == "soundFile" and item.startswith(f"{self._old}."):
                yield at, self._new + item[len(self._old) :]
            elif step == "creationCodeFile" and f"/{folder}/" in f"/{item}":
                yield at, item.replace(folder, renamed.rpartition("/")[0])

    def _is_own_name(self, value: Json, steps: Steps) -> bool:
        """Whether a name is that of the resource, or of a reference to it."""
        if not steps or steps == ("sequence",):
            return True
        return isinstance(value, dict) and value.get("path") == self._entry.path

    def _own_xml(self, path: str) -> None:
        file = self._project.gmx_file(path)
        if file.root.tag not in _MEDIA:
            return

        def change(root: XmlNode) -> None:
            for node in root.walk():
                if node.tag in _MEDIA_TAGS:
                    head, slash, name = node.text.replace("/", "\\").rpartition("\\")
                    if name.startswith((f"{self._old}.", f"{self._old}_")):
                        node.text = head + slash + self._new + name[len(self._old) :]

        self._project.put(path, file.edited(change))

    # -- references -----------------------------------------------------------------------------

    def references(self) -> None:
        """Let references of other files follow; also the names of files of collisions."""
        for entry in self._project.entries:
            path = self._project.files.spelled(entry.path)
            if path is None or self._entry.id:
                continue
            if path.endswith(".yy"):
                self._in_json(path)
            elif path.endswith(".gmx"):
                self._in_xml(path, self._entry)
            if entry.kind == "object" and self._entry.kind == "object":
                self._collision(path)
        self._in_json(self._project.name.removesuffix(".yyp") + ".resource_order")

    def _in_json(self, path: str) -> None:
        files = self._project.files
        if not files.has(path) or self._entry.path.encode() not in files.read(path):
            return
        try:
            file = self._project.json_file(path)
        except FormatError:  # check says what is wrong with it
            return
        values = dict(self._paths(file.value, ()))
        if values:
            self._project.put(path, file.replaced_all(values))

    def _paths(self, value: Json, steps: Steps) -> Iterator[tuple[Steps, Json]]:
        """The paths of the resource in a file, and its name next to them."""
        for step, item in _items(value):
            if isinstance(item, dict | list):
                yield from self._paths(item, (*steps, step))
        if isinstance(value, dict) and value.get("path") == self._entry.path:
            yield (*steps, "path"), self.renamed(self._entry.path)
            if value.get("name") == self._old:
                yield (*steps, "name"), self._new

    def _in_xml(self, path: str, entry: ListedEntry) -> None:
        if self._old.encode() not in self._project.files.read(path):
            return
        kinds = {entry.kind}

        def change(root: XmlNode) -> None:
            for used in list(by_name(root)):
                if used.name == self._old and used.kind in kinds:
                    if used.node.text == self._old:
                        used.node.text = self._new
                    for key, value in used.node.attributes.items():
                        if key in ("objName", "bgName", "ename", "name") and value == self._old:
                            used.node.attributes[key] = self._new

        file = self._project.gmx_file(path)
        if any(used.name == self._old and used.kind in kinds for used in by_name(file.root)):
            self._project.put(path, file.edited(change))

    def _collision(self, path: str) -> None:
        """The file of the event of colliding with the object."""
        folder = path.rpartition("/")[0]
        old = f"{folder}/Collision_{self._old}.gml"
        if path.endswith(".yy") and self._project.files.has(old):
            self._project.files.move(old, f"{folder}/Collision_{self._new}.gml")


def _items(value: Json) -> Iterator[tuple[str | int, Json]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
