"""A project as a .gm82 folder has it: the records of a .gm81 project, and what those lack."""

from __future__ import annotations

from typing import Final

from overhaul.document.protocol import Buffer, Siblings
from overhaul.findings import Findings
from overhaul.gamemaker.classic.kinds import empty_project
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.resources import Picture
from overhaul.gamemaker.gm82.keys import HEAD, names_of
from overhaul.gamemaker.gm82.names import ResourceIds
from overhaul.gamemaker.gm82.texts import USUAL, Layouts, is_file_name, wrong
from overhaul.gamemaker.ide.files import ProjectFiles

#: the folders of resources, in the order of the keys ``has_...``
FOLDERS: Final = (
    "backgrounds", "datafiles", "fonts", "objects", "paths", "scripts", "sounds", "sprites",
    "timelines", "triggers",
)  # fmt: skip
ROOMS: Final = "rooms"
#: the files of a folder that are of none of its resources
INDICES: Final = ("index.yyd", "tree.yyd")
VERSIONS: Final = (3, 4, 5)
NEWEST: Final = 5
SETTINGS_VERSION: Final = 820
FIRST_INSTANCE, FIRST_TILE = 100000, 10000000


class Gm82Project:
    """A project, and what only its folder has.

    ``instances`` are the names of instances by their ids, with how many values their lines have;
    ``layers`` the depths of tiles by the folder of their room; ``folders`` those that are read, as
    ``has_keys`` says since version 5;
    ``pictures`` the files of pictures, each with the pixels that it was read as; ``written``
    collects files.
    """

    def __init__(self, name: str, siblings: Siblings | None) -> None:
        self.name = name
        self.files = ProjectFiles(siblings)
        self.findings = Findings()
        self.names = ResourceIds(self.findings)
        self.layouts = Layouts()
        self.project: Project = empty_project(810)
        self.project.settings.version = SETTINGS_VERSION
        self.version = NEWEST
        self.folders: set[str] = set()
        self.has_keys: dict[str, bool] = {}
        self.instances: dict[int, tuple[str, int]] = {}
        self.layers: dict[str, list[int]] = {}
        self.pictures: dict[str, tuple[bytes, Picture]] = {}
        self.last_instance = FIRST_INSTANCE
        self.last_tile = FIRST_TILE
        self.written: dict[str, Buffer] = {}

    def read(self, path: str) -> str:
        """The text of a file.  Raises FormatError."""
        return self.layouts.read(path, self.data(path))

    def has(self, path: str) -> bool:
        """Whether a file is there."""
        return self.files.spelled(path) is not None

    def spelled(self, path: str) -> str:
        """The path of a file as it is spelled: for Windows, letters' case makes no difference."""
        return self.files.spelled(path) or path

    def data(self, path: str) -> bytes:
        """The bytes of a file.  Raises FormatError."""
        return self.files.read(self.spelled(path))

    def read_index(self, path: str) -> list[str]:
        """The names of an index, in the order of their ids; empty for a free one."""
        body = self.read(path)
        names = body.split("\n") if body or self.layouts.shapes.get(path) == USUAL else []
        for line, name in enumerate(names, 1):
            if name and not is_file_name(name):
                raise wrong(path, line, f"no file can be called {name!r}")
        return names

    def write_index(self, path: str, names: list[str]) -> None:
        """Write an index."""
        if names == [""]:
            self.layouts.shapes[path] = USUAL
        self.write(path, "\n".join(names))

    def write(self, path: str, body: str) -> None:
        """Write a file of a text."""
        self.written[self.spelled(path)] = self.layouts.written(path, body)

    def put(self, path: str, data: Buffer) -> None:
        """Write a binary file."""
        self.written[self.spelled(path)] = data

    def write_keys(self, path: str, values: dict[str, str], usual: list[str]) -> None:
        """Write a file with keys."""
        self.written[self.spelled(path)] = self.layouts.written_keys(path, values, usual)


def head_keys(version: int) -> list[str]:
    """The keys of a .gm82 file."""
    texts = names_of(HEAD)
    keys = ["gm82_version", "gameid", "", *texts[:3], "", *texts[3:], "exe_version"]
    return [*keys, "", *(f"has_{name}" for name in FOLDERS)] if version >= NEWEST else keys
