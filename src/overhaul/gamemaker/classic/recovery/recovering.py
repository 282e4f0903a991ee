"""The project of a game, made of its executable.

Compiling throws away what only editors need.  It gets the value that Game Maker gives to something
new, and the report says so; nothing is lost without a word.
Facts: specs/gamemaker-projects.md, section 14, and executables whose projects are known.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np

from overhaul.document.names import FileNames
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.gamemaker.classic.conversion import convert, copied
from overhaul.gamemaker.classic.executable.records import (
    Game,
    GameBackground,
    GameFont,
    GamePath,
    GameRoom,
    GameScript,
    GameSettings,
    GameSprite,
    PackedExtension,
    packed_streams,
)
from overhaul.gamemaker.classic.fields import Deflated, Slot, VersionedRecord
from overhaul.gamemaker.classic.kinds import (
    BY_PLURAL,
    Kind,
    empty_project,
    item_version,
    kinds_of,
    section_version,
    slots_of,
)
from overhaul.gamemaker.classic.pictures import bmp_of, pixels_of
from overhaul.gamemaker.classic.records import Node, Project
from overhaul.gamemaker.classic.recovery import masks, program
from overhaul.gamemaker.classic.resources import (
    Background,
    Font,
    Instance,
    OldPicture,
    OldSprite,
    Path,
    Picture,
    Room,
    Script,
    Sound,
    Sprite,
    Tile,
)
from overhaul.gamemaker.classic.settings import (
    SETTINGS_PICTURES,
    GameInformation,
    Include,
    IncludedPath,
    IncludeSlot,
    OptionalPicture,
    PackageName,
    Settings,
)
from overhaul.gamemaker.recovered import Tally
from overhaul.schema import Record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.classic.executable.container import Executable

    Pixels: TypeAlias = "NDArray[np.uint8]"

P = TypeVar("P", bound=Record)

#: the version of a project by that of its executable, where they differ
_PROJECTS: Final = {700: 701}
#: the beginning of the SHA-256 of the pictures that Game Maker itself has for loading
_USUAL_PICTURES: Final = {
    "load_image": "9f1fa945612e50e988133b6dbd8ef5ce",
    "load_bar_back": "3ad00713e3ee7ba1e5ac552c70de9c3c",
    "load_bar_front": "3bb711ff3945c1c9df49a76df9d5a3c0",
}
#: the parts of each resource of a kind that compiling throws away
_LOST: Final = {
    "backgrounds": "the settings of tile sets, but the size of tiles that rooms use,",
    "paths": "the room behind each path in its editor, and the grid",
    "rooms": "the grid, the state of the editor and locks",
}
#: the records of projects by those of executables
_RECORDS: Final[dict[type[VersionedRecord], type[VersionedRecord]]] = {
    GameFont: Font,
    GamePath: Path,
    GameScript: Script,
}
_DIRECT_3D: Final = b"D3DX8.dll"
_OWN_BAR: Final = 2
_ACTION_LIBRARY: Final = 3


class Recovered(NamedTuple):
    """A project, the tally of each kind, and what a person should know.

    ``files`` are those of extension packages, by path: a project only names the packages.
    """

    project: Project
    tallies: dict[str, Tally]
    findings: Findings
    files: dict[str, bytes]


def recover(executable: Executable, version: int | None = None) -> Recovered:
    """The project of a game in an executable, by default of the version that made it.

    An executable of 5.3 stores its project, which comes back unchanged.

    Raises FormatError for a damaged game, EncodeError if the version is an earlier one.
    """
    own = _PROJECTS.get(executable.version, executable.version)
    if executable.project is not None:
        made = _stored(executable.project)
    else:
        made = _Recovery(executable, own, own if version is None else version).result()
    if version is None or version == own:
        return made
    project, report = convert(made.project, version)
    return made._replace(project=project, findings=Findings([*made.findings, *report]))


def _stored(project: Project) -> Recovered:
    """A project that is in an executable as it was saved."""
    counts = {
        kind: sum(bool(slot.exists) for slot in slots) for kind, slots in slots_of(project).items()
    }
    counts |= {"constants": len(project.settings.constants), "settings": 1}
    tallies = {kind: Tally(count) for kind, count in counts.items()}
    return Recovered(project, tallies, Findings(), {})


class _Recovery:
    """One recovery: the game, the project, and the report.

    Sprites and backgrounds of executables before 8 become BMP files as their projects have; for
    a project of a later version, which stores their pixels, they stay unchanged.
    """

    def __init__(self, executable: Executable, own: int, version: int) -> None:
        self.executable = executable
        self.game = executable.game
        self.new = empty_project(own)
        self.version = own
        self.has_pixels = max(own, version) >= 800
        self.findings: Findings = Findings()
        self.tallies: dict[str, Tally] = {}
        self.tiles = _tile_sizes(self.game)
        self.files: dict[str, bytes] = {}

    def result(self) -> Recovered:
        game, new = self.game, self.new
        new.encoding = self.executable.encoding
        new.game_id = game.game_id
        new.guid = b"".join((word & 0xFFFFFFFF).to_bytes(4, "little") for word in game.guid)
        new.last_instance_id, new.last_tile_id = game.last_instance_id, game.last_tile_id
        self._settings()
        for kind in kinds_of(self.version):
            self._section(kind)
        self._triggers()
        self._includes()
        self._extensions()
        self._information()
        if game.library_codes is not None:
            new.library_codes.codes = game.library_codes.codes
        if game.room_order is not None:
            new.room_order.rooms = game.room_order.rooms
        self._tree()
        self.lost("the groups of the resource tree, and when resources were changed")
        return Recovered(new, self.tallies, self.findings, self.files)

    def lost(self, what: str, path: str = "") -> None:
        """Report what compiling threw away."""
        self.findings.warn("lost-in-compiling", f"{what} got lost in compiling", path)

    # -- settings ------------------------------------------------------------------------------

    def _settings(self) -> None:
        old = self.executable.settings or self.game.settings
        if old is None:
            raise FormatError("the game has no settings")
        new = self.new.settings = copied(
            old, Settings, section_version("settings", self.version), without=SETTINGS_PICTURES
        )
        self._loading(old, new)
        constants = old.constants
        if self.game.constants is not None:
            constants = self.game.constants.constants
            new.constants = []
            self.new.constants.constants = constants
        self.tallies["constants"] = Tally(len(constants))
        try:
            shown = program.read_program(self.executable.runner)
        except FormatError as error:
            self.findings.warn("absent-file", f"icon and version: {error.message}", "settings")
        else:
            new.icon = shown.icon
            new.major, new.minor, new.release, new.build = shown.version
            new.company = shown.texts.get("CompanyName", "")
            new.product = shown.texts.get("ProductName", "")
            new.copyright = shown.texts.get("LegalCopyright", "")
            new.description = shown.texts.get("FileDescription", "")
        self.tallies["settings"] = Tally(1, 1)
        self.lost("author, version and information of the project", "settings")

    def _loading(self, old: GameSettings, new: Settings) -> None:
        """The pictures for loading, but those that Game Maker itself has."""
        none = 0 if self.version >= 800 else -1
        image = _usual("load_image", old.load_image)
        if image is None and old.own_load_image:
            new.own_load_image = 0
        else:
            new.own_load_image = 1
            new.load_image = self._loaded(image, none)
        bars = {
            name: _usual(name, None if bar is None else bar.file)
            for name, bar in (
                ("load_bar_back", old.load_bar_back),
                ("load_bar_front", old.load_bar_front),
            )
        }
        if old.load_bar and any(bar is not None for bar in bars.values()):
            new.load_bar = _OWN_BAR
            new.load_bar_back = self._loaded(bars["load_bar_back"], none)
            new.load_bar_front = self._loaded(bars["load_bar_front"], none)

    def _loaded(self, content: bytes | None, none: int) -> OptionalPicture:
        if content is None:
            return OptionalPicture(none)
        return OptionalPicture(1 if self.version >= 800 else 10, Deflated.of(content))

    # -- resources -----------------------------------------------------------------------------

    def _section(self, kind: Kind) -> None:
        section = getattr(self.game, kind.plural)
        if section is None and kind.plural == "sounds":
            section = self.game.plain_sounds
        made = kind.section(self.new)
        lossy = count = 0
        for index, slot in enumerate(() if section is None else section.slots):
            new: Slot[VersionedRecord] = Slot(exists=slot.exists, name=slot.name)
            if slot.exists and slot.resource is not None:
                before = len(self.findings)
                path = f"{kind.singular} {slot.name}"
                new.resource = self._resource(slot.resource, index, path)
                count += 1
                lossy += kind.plural in _LOST or len(self.findings) > before
            made.slots.append(new)
        self.tallies[kind.plural] = Tally(count, lossy)
        if count and kind.plural in _LOST:
            self.lost(_LOST[kind.plural], kind.plural)

    def _resource(self, old: VersionedRecord, index: int, path: str) -> VersionedRecord:
        if isinstance(old, GameSprite):
            return self._sprite(old, path)
        if isinstance(old, GameBackground):
            return self._background(old, index)
        if isinstance(old, GameRoom):
            return _room(old)
        if isinstance(old, Sound):
            return _sound(old)
        return copied(old, _RECORDS.get(type(old), type(old)), old.version)

    def _sprite(self, old: GameSprite, path: str) -> OldSprite | Sprite:
        pixels = [pixels_of(frame) for frame in old.frames]
        if old.version < 800 and not self.has_pixels:
            before = copied(old, OldSprite, old.version, without=("frames",))
            before.frames = [_old_picture(frame, bool(old.transparent)) for frame in pixels]
            return before
        made = copied(old, Sprite, max(old.version, 800), without=("frames",))
        made.frames = [_picture(frame) for frame in pixels]
        if old.version < 800:
            made.mask_shape = masks.PRECISE if old.precise else masks.RECTANGLE
            made.separate_masks = 1  # as in older releases: each subimage has its own
            return made
        alphas = [frame[:, :, 3] for frame in pixels if frame is not None]
        shape = old.mask_shape if old.version >= 810 else None
        found = masks.settings_of(alphas, old.masks, shape)
        made.mask_shape, made.alpha_tolerance = found.shape, found.tolerance
        made.bbox_mode = found.box_mode
        made.bbox_left, made.bbox_top, made.bbox_right, made.bbox_bottom = found.box
        if not found.is_proven:
            self.lost("how its collision masks are made", path)
        return made

    def _background(self, old: GameBackground, index: int) -> Background:
        pixels = None if old.picture is None else pixels_of(old.picture)
        version = 710 if self.has_pixels else old.version
        made = copied(old, Background, version, without=("image", "old_image"))
        whole = (0, 0) if pixels is None else (pixels.shape[1], pixels.shape[0])
        sizes = {size: n for size, n in self.tiles.get(index, {}).items() if size != whole}
        if sizes:
            made.use_as_tileset = 1
            made.tile_width, made.tile_height = max(sorted(sizes), key=sizes.__getitem__)
        if version >= 710:
            made.image = _picture(pixels)
        elif old.has_image:
            made.old_image = _old_picture(pixels, bool(old.transparent))
        return made

    # -- the rest ------------------------------------------------------------------------------

    def _triggers(self) -> None:
        if self.game.triggers is not None:
            self.new.triggers.slots = self.game.triggers.slots
            count = sum(1 for slot in self.game.triggers.slots if slot.exists)
            self.tallies["triggers"] = Tally(count)

    def _includes(self) -> None:
        """The included files; in 6 the executable has them by their names, outside of the game."""
        number = item_version("includes", self.version)
        slots = () if self.game.includes is None else self.game.includes.slots
        for slot in slots:
            if slot.include is not None:
                made = copied(slot.include, Include, slot.include.version)
                self.new.includes.slots.append(IncludeSlot(include=made))
        count = len(self.new.includes.slots)
        if self.version < 701:
            names = FileNames()
            for name, content in self.executable.files:
                if name != _DIRECT_3D:
                    text = name.decode(self.executable.encoding, "surrogateescape")
                    self.new.settings.include_files.append(IncludedPath(text))
                    self.files[names(text)] = bytes(content)
                    count += 1
            head = self.executable.head
            self.new.settings.include_folder = int.from_bytes(head[8:12], "little")
            self.new.settings.include_overwrite = int.from_bytes(head[12:16], "little")
            self.new.settings.include_remove = int.from_bytes(head[16:20], "little")
        for included in self.new.includes.slots:
            include = included.include
            if include is not None and include.version == number and include.data is None:
                self.lost("its content", f"included file {include.file_name}")
        self.tallies["included_files"] = Tally(count)

    def _extensions(self) -> None:
        """The extension packages by their names, and their files next to the project."""
        packages = () if self.game.extensions is None else self.game.extensions.packages
        lost = 0
        for package in packages:
            self.new.packages.names.append(PackageName(package.name))
            lost += self._package(package)
        self.tallies["extensions"] = Tally(len(packages), lost=lost)

    def _package(self, package: PackedExtension) -> bool:
        """The files of a package; whether one of them is lost."""
        names, lost = FileNames(), False
        folder = f"extensions/{names(package.name)}"
        streams = packed_streams(package)
        names = FileNames()
        for file in package.files:
            if file.kind == _ACTION_LIBRARY:
                self.lost(f"the action library {file.name}", f"extension {package.name}")
                lost = True
                continue
            stream = next(streams, None)
            if stream is None:
                self.lost(f"the file {file.name}", f"extension {package.name}")
                lost = True
            else:
                self.files[f"{folder}/{names(file.name)}"] = stream.data
        return lost

    def _information(self) -> None:
        old = self.game.information
        if old is None:
            return
        number = section_version("information", self.version)
        new = self.new.information = copied(old, GameInformation, number, without=("text",))
        text: Deflated | bytes = old.text
        content = text.data if isinstance(text, Deflated) else text
        new.text = content if content.endswith(b"\0") else content + b"\0"

    def _tree(self) -> None:
        """The resources below the root of their kind, in the order of their numbers."""
        kinds = {kind.grouping: kind for kind in kinds_of(self.version)}
        for node in self.new.tree:
            kind = kinds.get(node.grouping)
            if kind is None or node.status != 1:
                continue
            node.children = [
                Node(3, kind.grouping, index, slot.name)
                for index, slot in enumerate(kind.section(self.new).slots)
                if slot.exists
            ]
        self._order_rooms()

    def _order_rooms(self) -> None:
        """Rooms stand in the tree in the order of the game."""
        order = {room: at for at, room in enumerate(self.new.room_order.rooms)}
        grouping = BY_PLURAL["rooms"].grouping
        for node in self.new.tree:
            if node.grouping == grouping and node.status == 1:
                node.children.sort(key=lambda child: order.get(child.index, len(order)))


def _usual(name: str, given: Deflated | bytes | None) -> bytes | None:
    """A picture for loading; None for the one that Game Maker itself has, and where there is
    none."""
    if given is None:
        return None
    content = given.data if isinstance(given, Deflated) else given
    if content[:1] == b"\x78":  # in 8 a picture of its own stream
        content = Deflated(content).data
    if hashlib.sha256(content).hexdigest().startswith(_USUAL_PICTURES[name]):
        return None
    return content


def _sound(old: Sound) -> Sound:
    """A sound; its data in 6 may be a zlib stream, which its project has in any case."""
    made = copied(old, Sound, old.version)
    if old.version < 800 and isinstance(old.data, bytes):
        try:
            Deflated(old.data).beginning(1)
        except FormatError:
            made.data = Deflated.of(old.data)
        else:
            made.data = Deflated(old.data)
    return made


def _room(old: GameRoom) -> Room:
    """A room, whose instances and tiles are not locked."""
    made = copied(old, Room, old.version)
    made.instances = [_part(Instance, each) for each in old.instances]
    made.tiles = [_part(Tile, each) for each in old.tiles]
    return made


def _part(record: type[P], old: Record) -> P:
    """A part of a room as its project has it."""
    return record(*(getattr(old, name) for name in record.__struct_fields__))


def _picture(pixels: Pixels | None) -> Picture:
    """A picture as projects of Game Maker 8 store it."""
    if pixels is None:
        return Picture(version=800)
    height, width = pixels.shape[:2]
    stored = np.ascontiguousarray(pixels[:, :, [2, 1, 0, 3]])
    return Picture(version=800, width=width, height=height, pixels=stored.tobytes())


def _old_picture(pixels: Pixels | None, transparent: bool) -> OldPicture:
    """A picture as projects before Game Maker 8 store it: the colour of the bottom left pixel is
    transparent, so that all clear pixels get one colour that no other has."""
    if pixels is None:
        return OldPicture(-1)
    if transparent:
        pixels = pixels.copy()
        clear = pixels[:, :, 3] == 0
        clear[-1, 0] = True
        pixels[clear, :3] = _key_colour(pixels, clear)
    return OldPicture(10, Deflated.of(bmp_of(pixels)))


def _key_colour(pixels: Pixels, clear: NDArray[np.bool_]) -> tuple[int, int, int]:
    """A colour that only clear pixels have: that of the bottom left one, if it may be."""
    red, green, blue = (pixels[:, :, channel].astype(np.uint32) for channel in range(3))
    words = red | green << 8 | blue << 16
    taken = np.zeros(1 << 24, np.bool_)
    taken[words[~clear]] = True
    usual = int(words[-1, 0])
    word = usual if not taken[usual] else int(np.argmin(taken))
    return word & 0xFF, word >> 8 & 0xFF, word >> 16


def _tile_sizes(game: Game) -> dict[int, Counter[tuple[int, int]]]:
    """The sizes of the tiles in rooms by the number of their background."""
    sizes: dict[int, Counter[tuple[int, int]]] = {}
    for slot in () if game.rooms is None else game.rooms.slots:
        for tile in () if slot.resource is None else slot.resource.tiles:
            sizes.setdefault(tile.background, Counter())[tile.width, tile.height] += 1
    return sizes
