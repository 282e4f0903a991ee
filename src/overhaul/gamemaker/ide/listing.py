"""The list of a project: its resources, with their files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from overhaul.gamemaker.ide.values import Steps

#: The name of a resource in `ls`, by its folder.
KINDS: Final = {
    "sprites": "sprite", "tilesets": "tile set", "sounds": "sound", "paths": "path",
    "scripts": "script", "shaders": "shader", "fonts": "font", "timelines": "timeline",
    "objects": "object", "rooms": "room", "notes": "note", "sequences": "sequence",
    "animcurves": "animation curve", "particles": "particle system", "extensions": "extension",
    "options": "options", "datafiles": "included file", "datafiles_yy": "included file",
    "views": "folder", "roomui": "room UI", "texturegroups": "texture group",
    "audiogroups": "audio group", "configs": "configuration", "background": "background",
    "sound": "sound", "Configs": "configuration",
}  # fmt: skip


@dataclass(frozen=True)
class ListedEntry:
    """A resource that a project lists.

    ``path`` is its file, with ``/``; ``steps`` lead to it in a .yyp, and ``line`` is that in a
    .project.gmx.  ``id`` is the GUID of 2.0 to 2.2.  ``need`` has files without which it is broken.
    """

    kind: str
    name: str
    path: str
    steps: Steps = ()
    line: int = 0
    id: str = ""
    need: tuple[str, ...] = field(default=())

    @property
    def folder(self) -> str:
        """The folder of the file."""
        return self.path.rpartition("/")[0]


def kind_of(path: str) -> str:
    """The kind of the resource whose file has a path."""
    return KINDS.get(path.partition("/")[0], "resource")
