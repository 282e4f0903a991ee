"""A project as a whole: the order of its parts, the resource tree, reading and writing."""

from __future__ import annotations

import re
from typing import Annotated, Any

from msgspec import field

from overhaul.errors import EncodeError, FormatError, UnsupportedVersion
from overhaul.gamemaker.classic.actions import OBJECTS, Object
from overhaul.gamemaker.classic.fields import COUNT, Section, Text, Versioned
from overhaul.gamemaker.classic.obfuscation import Obfuscation, conceal, reveal
from overhaul.gamemaker.classic.resources import (
    BACKGROUNDS,
    DATA_FILES,
    FONTS,
    PATHS,
    ROOMS,
    SCRIPTS,
    SOUNDS,
    SPRITES,
    TIMELINES,
    Background,
    DataFile,
    Font,
    OldSprite,
    Path,
    Room,
    Script,
    Sound,
    Sprite,
    Timeline,
)
from overhaul.gamemaker.classic.settings import (
    Constants,
    GameInformation,
    Includes,
    LibraryCodes,
    Packages,
    RoomOrder,
    Settings,
    Triggers,
)
from overhaul.gamemaker.classic.streams import (
    SYSTEM_ENCODING,
    ProjectReader,
    ProjectWriter,
    extends_ascii,
)
from overhaul.schema import (
    Buffer,
    Bytes,
    Counted,
    Record,
    Rest,
    before,
    codec_for,
    i32,
    since,
)

MAGIC = 1234321
VERSIONS = (500, 510, 530, 600, 701, 800, 810)
OBFUSCATED = 701


class Node(Record):
    """A line of the resource tree: a root, a group, or a resource."""

    status: Annotated[i32, "1 root, 2 group, 3 resource or special node"] = 3
    grouping: Annotated[i32, "which kind of resource"] = 0
    index: Annotated[i32, "the resource's id"] = 0
    name: Text = ""
    children: Annotated[list[Node], COUNT] = []


def _roots(room_order: RoomOrder) -> int:
    """How many roots the resource tree has."""
    return 12 if room_order.version >= 700 else 11


class Project(Record):
    """A project file behind its version number and obfuscation.

    ``game_id`` and ``guid`` identify the game; ``reserved`` is 0. ``settings``, ``triggers`` and
    ``constants`` belong to all of it. ``sounds``, ``sprites``, ``backgrounds``, ``paths``,
    ``scripts``, ``data_files``, ``fonts``, ``timelines``, ``objects`` and ``rooms`` have the
    resources of these kinds; ``tree`` is their order in the editor, and ``room_order`` that of
    the rooms in the game. ``last_instance_id`` and ``last_tile_id`` are the largest ids in use.
    ``includes``, ``packages``, ``information`` and ``library_codes`` are what goes into the game
    besides. ``encoding`` is that of its texts; ``trailing`` are bytes behind all of it, which
    Game Maker does not read.
    """

    reserved: Annotated[i32, before(600)] = 0
    game_id: i32 = 0
    guid: Annotated[bytes, Bytes(16)] = bytes(16)
    settings: Annotated[Settings, Versioned(Settings, packed=800)] = field(default_factory=Settings)
    triggers: Annotated[Triggers, Versioned(Triggers), since(800)] = field(default_factory=Triggers)
    constants: Annotated[Constants, Versioned(Constants), since(800)] = field(
        default_factory=Constants
    )
    sounds: Annotated[Section[Sound], SOUNDS] = field(default_factory=SOUNDS.new)
    sprites: Annotated[Section[OldSprite | Sprite], SPRITES] = field(default_factory=SPRITES.new)
    backgrounds: Annotated[Section[Background], BACKGROUNDS] = field(
        default_factory=BACKGROUNDS.new
    )
    paths: Annotated[Section[Path], PATHS] = field(default_factory=PATHS.new)
    scripts: Annotated[Section[Script], SCRIPTS] = field(default_factory=SCRIPTS.new)
    data_files: Annotated[Section[DataFile], DATA_FILES, before(600)] = field(
        default_factory=DATA_FILES.new
    )
    fonts: Annotated[Section[Font], FONTS, since(600)] = field(default_factory=FONTS.new)
    timelines: Annotated[Section[Timeline], TIMELINES] = field(default_factory=TIMELINES.new)
    objects: Annotated[Section[Object], OBJECTS] = field(default_factory=OBJECTS.new)
    rooms: Annotated[Section[Room], ROOMS] = field(default_factory=ROOMS.new)
    last_instance_id: i32 = 100000
    last_tile_id: i32 = 10000000
    includes: Annotated[Includes, Versioned(Includes), since(701)] = field(default_factory=Includes)
    packages: Annotated[Packages, Versioned(Packages), since(701)] = field(default_factory=Packages)
    information: Annotated[GameInformation, Versioned(GameInformation, packed=800)] = field(
        default_factory=GameInformation
    )
    library_codes: Annotated[LibraryCodes, Versioned(LibraryCodes)] = field(
        default_factory=LibraryCodes
    )
    room_order: Annotated[RoomOrder, Versioned(RoomOrder)] = field(default_factory=RoomOrder)
    tree: Annotated[list[Node], Counted("room_order", count=_roots)] = []
    trailing: Annotated[bytes, Rest(), "ignored by Game Maker"] = b""

    # not stored as such: the number in the file's header, what hid a 7.0 file, the text encoding
    version: int = 810
    # (an Obfuscation, but a record as a type would be stored)
    obfuscation: Any = None
    encoding: str = SYSTEM_ENCODING


def read_version(data: Buffer, source: str | None = None) -> int:
    """The version number of a project file, from its first eight bytes."""
    head = bytes(data[:8])
    if len(head) < 8 or int.from_bytes(head[:4], "little") != MAGIC:
        raise FormatError("not a Game Maker project", source=source, offset=0)
    version = int.from_bytes(head[4:], "little", signed=True)
    if version not in VERSIONS:
        known = ", ".join(map(str, VERSIONS))
        raise UnsupportedVersion(
            f"Game Maker project version {version} is not supported (there are {known})",
            source=source,
            offset=4,
        )
    return version


def read_project(
    data: Buffer, *, source: str | None = None, encoding: str | None = None
) -> Project:
    """Read a project file of any version from 500 to 810.

    Strings of 810 are UTF-8; those of older files are in the author's code page, which the game
    information usually names; ``encoding`` overrides it.  FormatError: a broken file.
    """
    version = read_version(data, source)
    plain, start, obfuscation = beginning_of(data, source)
    guess = encoding or ("utf-8" if version >= 810 else SYSTEM_ENCODING)
    project, reader = _read(plain, start, version, guess, source)
    named = encoding_shown(project) if encoding is None else guess
    if named != guess:
        if reader.foreign_text:
            project, _ = _read(plain, start, version, named, source)
        project.encoding = named  # also of the texts that are still to be written
    project.obfuscation = obfuscation
    return project


def beginning_of(data: Buffer, source: str | None = None) -> tuple[Buffer, int, Obfuscation | None]:
    """The bytes of a project without the obfuscation that they may have, where its record begins
    in them, and the obfuscation."""
    plain, hidden = _revealed(data, read_version(data, source), source)
    start = 8 if hidden is None else 20 + 4 * (hidden.count_before + hidden.count_after)
    return plain, start, hidden


def _read(
    plain: Buffer, start: int, version: int, encoding: str, source: str | None
) -> tuple[Project, ProjectReader]:
    reader = ProjectReader(encoding=encoding, source=source, size=len(plain))
    project, _ = codec_for(Project, version).read(plain, start, reader)
    project.version = version
    project.encoding = encoding
    return project, reader


def _revealed(data: Buffer, version: int, source: str | None) -> tuple[Buffer, Obfuscation | None]:
    """The file without its obfuscation (offsets stay the same), and the obfuscation."""
    if version != OBFUSCATED:
        return data, None
    reader = ProjectReader(source=source)
    try:
        header, start = codec_for(Obfuscation).read(data, 8, reader)
        plain = reveal(bytes(data[start:]), header.seed, start)
    except FormatError as error:
        error.source = source
        raise error.within("obfuscation") from None
    return bytes(data[:start]) + plain, header


def write_project(project: Project) -> bytes:
    """The bytes of a project.  EncodeError: something in it can't be written."""
    writer = ProjectWriter(encoding=project.encoding)
    writer.out += MAGIC.to_bytes(4, "little") + project.version.to_bytes(4, "little")
    header = None
    if project.version == OBFUSCATED:
        header = project.obfuscation or Obfuscation()
        codec_for(Obfuscation).write(writer, header)
    start = len(writer.out)
    try:
        codec_for(Project, project.version).write(writer, project)
    except (AttributeError, TypeError) as error:
        raise EncodeError(f"a record is missing, or is of another kind: {error}") from error
    plain = bytes(writer.out)
    if header is None:
        return plain
    return plain[:start] + conceal(plain[start:], header.seed, start)


def encoding_shown(project: Project) -> str:
    """The encoding that a project's texts are taken for when its file is read: what its version
    says, or its game information, or the usual one."""
    if project.version >= 810:
        return "utf-8"
    return code_page(project.information.text) or SYSTEM_ENCODING


def naming_encoding(project: Project) -> bytes:
    """Empty game information that names a project's encoding; nothing where none is needed, or no
    code page can."""
    page = project.encoding.removeprefix("cp")
    if project.version >= 810 or project.encoding == SYSTEM_ENCODING or not page.isdigit():
        return b""
    return b"{\\rtf1\\ansi\\ansicpg%s\\deff0\\pard\\par}" % page.encode("ascii")


def code_page(rich_text: bytes) -> str | None:
    """The code page that a Rich Text names (``\\ansicpg1253``) as a Python codec, if any."""
    match = re.search(rb"\\ansicpg(\d{3,5})", rich_text)
    if match is None:
        return None
    name = "cp" + match.group(1).decode("ascii")
    return name if extends_ascii(name) else None
