"""``.project.gmx``: what a project of GameMaker: Studio 1 lists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.gmx import GmxFile, read_gmx
from overhaul.gamemaker.ide.listing import ListedEntry

ROOT: Final = "assets"
_EXTENSION: Final = "extension"
#: The ending of the file of a resource, and what `ls` calls it, by its element.
_ENDINGS: Final = {
    "sound": (".sound.gmx", "sound"),
    "sprite": (".sprite.gmx", "sprite"),
    "background": (".background.gmx", "background"),
    "path": (".path.gmx", "path"),
    "script": ("", "script"),
    "shader": ("", "shader"),
    "font": (".font.gmx", "font"),
    "object": (".object.gmx", "object"),
    "timeline": (".timeline.gmx", "timeline"),
    "room": (".room.gmx", "room"),
    "extension": (".extension.gmx", "extension"),
    "Config": (".config.gmx", "configuration"),
}


class StudioProject:
    """A .project.gmx that was read, or the .extension.gmx of an extension without a project, which
    lists itself by its ``name``.  Raises FormatError for another file."""

    def __init__(self, data: bytes, source: str | None = None, name: str = "") -> None:
        self.file: GmxFile = read_gmx(data, source=source)
        if self.file.root.tag not in (ROOT, _EXTENSION):
            raise FormatError(f"not a project: expected {ROOT}", source=source)
        self._name = name

    @property
    def is_extension(self) -> bool:
        """Whether it is an extension without a project: no resource can be added or taken out."""
        return self.file.root.tag == _EXTENSION

    @cached_property
    def entries(self) -> list[ListedEntry]:
        """The resources, in the order of the file."""
        return [self._extension()] if self.is_extension else list(self._entries(self.file.root))

    @cached_property
    def included(self) -> list[ListedEntry]:
        """The included files."""
        return list(self._included(self.file.root, ""))

    @property
    def release(self) -> str:
        """The release of GameMaker that wrote it."""
        return "1.x"

    def is_elsewhere(self, entry: ListedEntry) -> bool:
        """Whether a resource is listed under a name that no file has: none is."""
        return False

    @property
    def configurations(self) -> list[str]:
        """The names of the configurations."""
        return [entry.name for entry in self.entries if entry.kind == "configuration"]

    def _extension(self) -> ListedEntry:
        ending, kind = _ENDINGS[_EXTENSION]
        name = self.file.root.value("name")
        return ListedEntry(kind, name, self._name or name + ending, line=1)

    def _entries(self, node: XmlNode) -> Iterator[ListedEntry]:
        for child in node.children:
            if child.tag in _ENDINGS and not child.children:
                ending, kind = _ENDINGS[child.tag]
                stem = child.text.strip().replace("\\", "/")
                name = stem.rpartition("/")[2]
                if not ending:
                    name = name.rpartition(".")[0] or name
                if stem:
                    yield ListedEntry(kind, name, stem + ending, line=self.file.line(child))
            elif child.tag != "datafiles":
                yield from self._entries(child)

    def _included(self, node: XmlNode, folder: str) -> Iterator[ListedEntry]:
        for child in node.children:
            if child.tag == "datafiles":
                name = child.attributes.get("name", "")
                yield from self._included(child, f"{folder}/{name}" if folder else name)
            elif child.tag == "datafile":
                name = child.value("filename") or child.value("name")
                path = f"{folder or 'datafiles'}/{name}"
                yield ListedEntry("included file", name, path, line=self.file.line(child))
