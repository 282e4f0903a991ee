"""The plain files of a document on show, listed when they are asked for: of one folder, where the
format lists a folder without the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.document.protocol import Document
from overhaul.document.registry import folder_format_of


class NearFiles(Mapping[str, PlainFile]):
    """The files that unpacking would write, by path."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._format = folder_format_of(document.kind)
        self._all: dict[str, PlainFile] | None = None
        self._parts: dict[str, dict[str, PlainFile]] = {}
        self._places: dict[str, Mapping[str, list[str]]] = {}

    def __getitem__(self, path: str) -> PlainFile:
        return self.near(path)[path]

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path in self.near(path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def near(self, path: str) -> Mapping[str, PlainFile]:
        """The files in the folder that a path leads into, perhaps with others."""
        if self._all is not None or not self._format.lists_folders:
            return self._whole()
        head, slash, _ = path.partition("/")
        key = f"{head}{slash}"
        if key not in self._parts:
            only = (f"{head}/*",) if slash else (head, f"{head}/*", f"{stem_of(head)}.*")
            self._parts[key] = self._list(only)
        return self._parts[key]

    def at(self, path: str) -> list[PlainFile]:
        """The files of a path: it, those in the folder of this name, and those whose path is this
        one but for their ending."""
        head, slash, _ = path.partition("/")
        near, key = self.near(path), f"{head}{slash}"
        if key not in self._places:
            files: dict[str, list[str]] = {}
            for known in near:
                first, below, _ = known.partition("/")
                if first == head or not below:
                    for place in dict.fromkeys((known, stem_of(known), *folders_of(known))):
                        files.setdefault(place, []).append(known)
            self._places[key] = files
        return [near[known] for known in self._places[key].get(path, ())]

    def _whole(self) -> dict[str, PlainFile]:
        if self._all is None:
            self._all = self._list(())
            self._parts.clear()
            self._places.clear()
        return self._all

    def _list(self, only: tuple[str, ...]) -> dict[str, PlainFile]:
        options = UnpackOptions(only=only, code="both", whole=False)
        return {file.path: file for file in self._format.plain_files(self._document, options)}


def stem_of(path: str) -> str:
    """A path without its ending."""
    head, slash, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    return f"{head}{slash}{stem}" if dot and stem else path


def folders_of(path: str) -> Iterator[str]:
    """The folders that a path leads through, the innermost first."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
