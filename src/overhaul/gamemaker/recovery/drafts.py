"""The files of a project that is made: their texts, references, names and ids."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from overhaul.findings import Findings
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.resources.making import in_order, record
from overhaul.gamemaker.recovered import Tally

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.ide.styles import Style
    from overhaul.gamemaker.ide.values import Json

#: The folders of kinds of resources, and what the editor calls their groups.
FOLDERS: Final = {
    "sprite": ("sprites", "Sprites"),
    "tile_set": ("tilesets", "Tile Sets"),
    "sound": ("sounds", "Sounds"),
    "path": ("paths", "Paths"),
    "script": ("scripts", "Scripts"),
    "shader": ("shaders", "Shaders"),
    "font": ("fonts", "Fonts"),
    "timeline": ("timelines", "Timelines"),
    "object": ("objects", "Objects"),
    "room": ("rooms", "Rooms"),
    "curve": ("animcurves", "Animation Curves"),
}
#: A name that the editor takes.
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ODD: Final = re.compile(r"[^A-Za-z0-9_]")
_SPACE: Final = uuid.UUID("6f9619ff-8b86-d011-b42d-00c04fc964ff")


class Draft:
    """A project that is made of a game: its files so far, and what a person should know.

    ``files`` has what gives the bytes of each; ``listed`` the resources in the order of their
    numbers in the game, each with the path of its file.
    """

    def __init__(self, game: GameData, name: str, style: Style) -> None:
        self.game = game
        self.name = name
        self.style = style
        self.files: dict[str, Callable[[], bytes]] = {}
        self.listed: list[tuple[str, str, str]] = []
        self.tallies: dict[str, Tally] = {}
        self.findings: Findings = Findings()
        #: the members of enumerations that the decompiler had to name, by their enumeration
        self.enums: dict[str, dict[str, int]] = {}
        self._names: dict[tuple[str, str], str] = {}
        #: all names; those of each kind without case, as files have them
        self._taken: set[str | tuple[str, str]] = set()

    # -- names and references ----------------------------------------------------------------------

    def name_for(self, kind: str, name: str) -> str:
        """The name of a resource in the project: its own one, or one that the editor takes."""
        known = self._names.get((kind, name))
        if known is not None:
            return known
        made = name if _NAME.match(name) else "_" + _ODD.sub("_", name)
        number, stem = 2, made
        while made in self._taken or (kind, made.casefold()) in self._taken:
            made, number = f"{stem}_{number}", number + 1
        if made != name:
            message = f"the editor does not take the name {name!r}: it is called {made}"
            self.findings.warn("renamed", message, f"{FOLDERS[kind][0]}/{made}")
        self._taken |= {made, (kind, made.casefold())}
        self._names[kind, name] = made
        return made

    def path_of(self, kind: str, name: str) -> str:
        """The path of the .yy file of a resource, by its name in the game."""
        made = self.name_for(kind, name)
        return f"{FOLDERS[kind][0]}/{made}/{made}.yy"

    def reference(self, kind: str, resource: object) -> dict[str, Json] | None:
        """A reference to a resource of the game; None for none."""
        if resource is None:
            return None
        name = str(getattr(resource, "name", ""))
        return self.place(self.name_for(kind, name), self.path_of(kind, name))

    def place(self, name: str, path: str) -> dict[str, Json]:
        """A reference to what has a name in a file."""
        return {"name": name, "path": path}

    def group(self, kind: str) -> dict[str, Json]:
        """The folder of the asset browser that resources of a kind are in."""
        title = FOLDERS[kind][1]
        return self.place(title, f"folders/{title}.yy")

    def id(self, *parts: object) -> str:
        """An id as the editor makes them, which is the same for the same game."""
        return str(uuid.uuid5(_SPACE, "\0".join([self.name, *map(str, parts)])))

    def short_id(self, *parts: object) -> str:
        """Eight hexadecimal digits, for the names of instances and graphics."""
        text = "\0".join([self.name, *map(str, parts)])
        return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=4).hexdigest().upper()

    # -- files -------------------------------------------------------------------------------------

    def record(self, kind: str, members: Mapping[str, Json], name: str = "") -> dict[str, Json]:
        """An object of a class as the release writes it."""
        return record(kind, self.style, members, name)

    def ordered(self, members: Mapping[str, Json], kind: str = "") -> dict[str, Json]:
        """Members in the order that the release gives them."""
        return in_order(members, self.style, kind)

    def text(self, value: Json) -> Callable[[], bytes]:
        """What gives the bytes of a file of values."""
        made = print_text(value, self.style).encode("utf-8", "surrogateescape")
        return made.__bytes__

    def source(self, text: str) -> Callable[[], bytes]:
        """What gives the bytes of a source."""
        lines = text.replace("\r\n", "\n").replace("\n", self.style.newline)
        return lines.encode("utf-8", "surrogateescape").__bytes__

    def add(
        self,
        kind: str,
        name: str,
        tag: str,
        members: Mapping[str, Json],
        files: Mapping[str, Callable[[], bytes]] = {},
    ) -> str:
        """Add a resource with the files in its folder, by their paths in that; its folder."""
        path = self.path_of(kind, name)
        made = self.name_for(kind, name)
        value = self.record(tag, {**members, "parent": self.group(kind)}, made)
        folder = path.rpartition("/")[0]
        self.files[path] = self.text(value)
        for inner, read in files.items():
            self.files[f"{folder}/{inner}"] = read
        self.listed.append((kind, made, path))
        return folder

    def count(self, kind: str, total: int, lossy: int = 0, lost: int = 0) -> None:
        """Note how many resources of a kind there are."""
        self.tallies[kind] = Tally(total, lossy, lost)

    def lost(self, what: str, path: str = "") -> None:
        """Report what compiling threw away."""
        self.findings.warn("lost-in-compiling", f"{what} got lost in compiling", path)


def rows(items: Sequence[Json]) -> list[Json]:
    """A list of values, for what is typed so."""
    return list(items)
