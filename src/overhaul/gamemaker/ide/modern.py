"""``.yyp``: what a project of GameMaker Studio 2 and later says and lists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.listing import ListedEntry, kind_of
from overhaul.gamemaker.ide.texts import JsonFile, read_json_file
from overhaul.gamemaker.ide.values import Json, list_at, text_at

#: The release that wrote a project, where it does not say so itself, by its resourceVersion.
_RELEASES: Final = {
    "1.3": "2.3.0", "1.4": "2.3", "1.5": "2022", "1.6": "2022 LTS", "1.7": "2023", "2.0": "2024",
}  # fmt: skip

#: In 2.0 to 2.2 no file is called so.
MAIN_OPTIONS: Final = "options/main/options_main.yy"


class ModernProject:
    """A .yyp that was read. Raises FormatError for a file that is not a project."""

    def __init__(self, data: bytes, source: str | None = None) -> None:
        self.file: JsonFile = read_json_file(data, source=source)
        value = self.file.value
        if not isinstance(value, dict) or "GMProject" not in _types(value):
            raise FormatError("not a project: expected GMProject", source=source)
        self.value: dict[str, Json] = value

    @property
    def is_old(self) -> bool:
        """Whether it is of 2.0 to 2.2, whose files name each other by ids."""
        return "modelName" in self.value

    @property
    def release(self) -> str:
        """The release of GameMaker that wrote it."""
        stored = text_at(self.value, "MetaData", "IDEVersion")
        if stored:
            return stored
        return "2.0-2.2" if self.is_old else _RELEASES.get(
            text_at(self.value, "resourceVersion"), ""
        )  # fmt: skip

    def is_elsewhere(self, entry: ListedEntry) -> bool:
        """Whether a resource is listed under a name that no file has: the options of 2.0 to 2.2."""
        return self.is_old and entry.path == MAIN_OPTIONS

    @property
    def configurations(self) -> list[str]:
        """The names of the configurations."""
        return list(_configurations(self.value.get("configs")))

    @cached_property
    def entries(self) -> list[ListedEntry]:
        """The resources, in the order of the file; a row without a file has none here."""
        made = []
        for number, row in enumerate(list_at(self.value, "resources")):
            entry = (_old_entry if self.is_old else _entry)(row, number)
            if entry is not None:
                made.append(entry)
        return made

    @cached_property
    def options(self) -> list[ListedEntry]:
        """The options of platforms that it lists."""
        rows = list_at(self.value, "Options")
        paths = [(number, text_at(row, "path")) for number, row in enumerate(rows)]
        return [
            ListedEntry("options", text_at(rows[number], "name"), path, ("Options", number))
            for number, path in paths
            if path
        ]

    @cached_property
    def included(self) -> list[ListedEntry]:
        """The included files of 2.3 and later, which it lists itself."""
        made = []
        for number, row in enumerate(list_at(self.value, "IncludedFiles")):
            folder, name = text_at(row, "filePath"), text_at(row, "name")
            path = f"{folder}/{name}".replace("\\", "/")
            made.append(ListedEntry("included file", name, path, ("IncludedFiles", number)))
        return made

    @cached_property
    def folders(self) -> set[str]:
        """The paths of the folders of the asset browser."""
        return {text_at(row, "folderPath") for row in list_at(self.value, "Folders")}

    def groups(self, key: str) -> set[str]:
        """The names of the texture groups, or of the audio groups."""
        return {text_at(row, "name") for row in list_at(self.value, key)}


def _types(value: dict[str, Json]) -> set[str]:
    tagged = "GMProject" if "$GMProject" in value else ""
    return {tagged, text_at(value, "resourceType"), text_at(value, "modelName")}


def _entry(row: Json, number: int) -> ListedEntry | None:
    path = text_at(row, "id", "path")
    if not path:
        return None
    return ListedEntry(kind_of(path), text_at(row, "id", "name"), path, ("resources", number))


def _old_entry(row: Json, number: int) -> ListedEntry | None:
    path = text_at(row, "Value", "resourcePath").replace("\\", "/")
    if not path:
        return None
    stem = path.rpartition("/")[2].removesuffix(".yy")
    key = text_at(row, "Key")
    return ListedEntry(kind_of(path), stem, path, ("resources", number), id=key)


def _configurations(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        yield text_at(value, "name")
        for child in list_at(value, "children"):
            yield from _configurations(child)
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))
