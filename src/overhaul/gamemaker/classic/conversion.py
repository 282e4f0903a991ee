"""Projects converted to a later version of Game Maker: 5.x to 6, 7, 8.0 or 8.1.

Parts without an equivalent in the later version are reported; nothing is lost silently.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from io import BytesIO
from typing import TypeVar

import numpy
from numpy.typing import NDArray
from PIL import BmpImagePlugin

from overhaul.errors import EncodeError
from overhaul.findings import Findings
from overhaul.gamemaker.classic.actions import Object
from overhaul.gamemaker.classic.fields import Deflated, Slot, VersionedRecord
from overhaul.gamemaker.classic.kinds import (
    PRODUCTS,
    Kind,
    empty_project,
    item_version,
    kinds_of,
    section_version,
)
from overhaul.gamemaker.classic.pictures import bmp_pixels
from overhaul.gamemaker.classic.records import Node, Project
from overhaul.gamemaker.classic.resources import (
    Background,
    DataFile,
    Font,
    OldPicture,
    OldSprite,
    Picture,
    Room,
    RoomEditor,
    Sound,
    Sprite,
)
from overhaul.gamemaker.classic.settings import (
    GameInformation,
    Include,
    IncludeSlot,
    OptionalPicture,
    Settings,
)
from overhaul.media import png
from overhaul.media.bounds import PILLOW_ERRORS

R = TypeVar("R", bound=VersionedRecord)

#: the extensions that name the versions
TARGETS = {
    "gmd": 530,
    "gm6": 600,
    "gmk7": 701,
    "gmk": 800,
    "gm81": 810,
    **{str(version): version for version in PRODUCTS},
}
EXTENSIONS = {500: ".gmd", 510: ".gmd", 530: ".gmd", 600: ".gm6", 701: ".gmk", 800: ".gmk"}
_RESOLUTIONS = {0: 2, 1: 3, 2: 4, 3: 5, 4: 0, 5: 1, 6: 6}  # 5.3's codes in 6's
_FREQUENCIES = {0: 1, 1: 2, 2: 3, 3: 4, 4: 0}
_EXPORT_AS_FONT = 3
_SMOOTHING_BEST = 4
_MAXIMUM_PIXELS = 1 << 26


def convert(project: Project, version: int) -> tuple[Project, Findings]:
    """The project as a later version has it, and a report of what has no equivalent there.

    ``project`` is not changed; parts that are the same in both are shared with the result.
    Raises EncodeError if the version is not a later one.
    """
    if version not in PRODUCTS or version <= project.version:
        product = PRODUCTS[project.version]
        raise EncodeError(
            f"a project of version {project.version} ({product}) can only be converted to a later "
            f"version, not to {version}: no earlier Game Maker runs what is new in {product}"
        )
    return _Conversion(project, version).result()


class _Conversion:
    """One conversion: the old project, the new one, and the report."""

    def __init__(self, old: Project, version: int) -> None:
        self.old = old
        self.new = empty_project(version)
        self.version = version
        self.report: Findings = Findings()
        self.date = old.settings.last_changed  # the date of parts without one

    def result(self) -> tuple[Project, Findings]:
        old, new = self.old, self.new
        for name in ("game_id", "guid", "last_instance_id", "last_tile_id"):
            setattr(new, name, getattr(old, name))
        new.encoding = "utf-8" if self.version >= 810 else old.encoding
        self._settings()
        self._constants()
        for kind in kinds_of(self.version):
            if kind.plural != "fonts" or old.version >= 600:
                self._section(kind)
        self._data_files()
        self._includes()
        self._information()
        new.library_codes.codes = old.library_codes.codes
        new.packages.names = old.packages.names
        new.room_order.rooms = old.room_order.rooms
        self._triggers()
        self._tree()
        if old.trailing:
            self.report.warn(
                "left-out", f"{len(old.trailing)} bytes after the resource tree are left out"
            )
        return new, self.report

    def changed(self, date: float) -> float:
        """A date of the old project, which has only its own before 800."""
        return date if self.old.version >= 800 else self.date

    def dropped(self, record: VersionedRecord, where: str, **usual: object) -> None:
        """Report fields that have no equivalent and another value than the usual one."""
        for name, value in usual.items():
            value_of = getattr(record, name)
            if value_of != value:
                message = f"{name.replace('_', ' ')} ({value_of}) has no equivalent"
                self.report.warn("unsupported", message, where)

    # -- settings --------------------------------------------------------------------------

    def _settings(self) -> None:
        old = self.old.settings
        number = section_version("settings", self.version)
        new = self.new.settings = copied(old, Settings, number)
        new.include_files = []
        if old.version < 542 <= number:
            self.dropped(
                old,
                "settings",
                exclusive_graphics=0,
                caption_in_fullscreen=1,
                scale_only_with_hardware=1,
                scaling_fullscreen=100,
            )
            new.synchronise = int(bool(old.wait_vertical_blank))
            new.colour_depth = old.colour_depth + 1 if old.set_resolution else 0
            new.resolution = _RESOLUTIONS.get(old.resolution, 0) if old.set_resolution else 0
            new.frequency = _FREQUENCIES.get(old.frequency, 0)
        if old.version < 702 <= number:
            new.game_version_text = str(old.game_version)
        if old.version >= 542 and self.version < 701:
            new.include_files = old.include_files
        new.settings_changed = self.changed(old.settings_changed)
        if number >= 800 > old.version:
            for name, picture in old.pictures():
                present = int(picture.file is not None)
                setattr(new, name, OptionalPicture(present, picture.file))

    def _constants(self) -> None:
        old, new = self.old, self.new
        constants = (old.constants if old.version >= 800 else old.settings).constants
        new.settings.constants = constants if self.version < 800 else []
        if self.version >= 800:
            new.constants.constants = constants
            new.constants.changed = self.changed(old.constants.changed)

    # -- resources -------------------------------------------------------------------------

    def _section(self, kind: Kind) -> None:
        number = item_version(kind.plural, self.version)
        for slot in kind.section(self.old).slots:
            made: Slot[VersionedRecord] = Slot(exists=slot.exists, name=slot.name)
            if slot.exists and slot.resource is not None:
                where = f"{kind.singular} {slot.name}"
                made.changed = self.changed(slot.changed)
                made.resource = self._resource(slot.resource, number, where)
                self._undecoded(slot.name)
            kind.section(self.new).slots.append(made)

    def _resource(self, old: VersionedRecord, number: int, where: str) -> VersionedRecord:
        if isinstance(old, Sound):
            return self._sound(old, number, where)
        if isinstance(old, OldSprite | Sprite):
            return self._sprite(old, number, where)
        if isinstance(old, Background):
            return self._background(old, number, where)
        if isinstance(old, Room):
            return self._room(old, number, where)
        made = copied(old, type(old), number)
        if isinstance(made, Font) and self.version >= 810 and made.range_start < 1 << 16:
            made.range_start |= _SMOOTHING_BEST << 24
        if isinstance(made, Object) and self.version >= 800 > self.old.version:
            made.categories = [*made.categories, []]
            made.last_category = len(made.categories) - 1
        return made

    def _undecoded(self, text: str) -> None:
        if self.version >= 810 and any("\udc80" <= c <= "\udcff" for c in text):
            message = f"{text!r} is not valid {self.old.encoding}: its bytes are kept as they are"
            self.report.warn("kept-as-bytes", message)

    def _sound(self, old: Sound, number: int, where: str) -> Sound:
        made = copied(old, Sound, number)
        if old.version < 600 <= number:
            self.dropped(old, where, allow_effects=0, buffers=1)
            made.kind = {1: 1, 2: 1, 10: 3}.get(old.kind, 0)
            made.preload = int(not old.load_only_on_use)
            made.has_data = int(old.data is not None)
        if number >= 800 and isinstance(old.data, Deflated):
            made.data = old.data.data
        return made

    def _sprite(self, old: OldSprite | Sprite, number: int, where: str) -> OldSprite | Sprite:
        if isinstance(old, Sprite):
            return copied(old, Sprite, number)
        if old.version < 542 <= number:
            self.dropped(old, where, use_video_memory=1)
        if number < 800:
            made_old = copied(old, OldSprite, number)
            if old.version < 542 <= number:
                made_old.preload_texture = int(not old.load_only_on_use)
            return made_old
        made = copied(old, Sprite, number)
        smooth = bool(old.smooth_edges)
        made.frames = [
            self._picture(frame, bool(old.transparent), smooth, where) for frame in old.frames
        ]
        made.mask_shape = 0 if old.precise else 1
        made.separate_masks = 1  # as Game Maker 8 does: older ones had a mask for each subimage
        return made

    def _background(self, old: Background, number: int, where: str) -> Background:
        made = copied(old, Background, number)
        if old.version < 543 <= number:
            self.dropped(old, where, use_video_memory=1)
            made.preload_texture = int(not old.load_only_on_use)
        if number >= 710 > old.version:
            made.image = Picture(version=800)
            if old.old_image is not None:
                made.image = self._picture(
                    old.old_image, bool(old.transparent), bool(old.smooth_edges), where
                )
        return made

    def _picture(self, old: OldPicture, transparent: bool, smooth: bool, where: str) -> Picture:
        """A BMP as pixels with alpha: the colour of the bottom left pixel becomes transparent."""
        pixels = None if old.file is None else _pixels(old.file.data)
        if pixels is None:
            if old.file is not None:
                self.report.warn(
                    "left-out", "a picture is not a readable BMP and is left out", where
                )
            return Picture(version=800)
        height, width = pixels.shape[:2]
        stored = pixels[:, :, [2, 1, 0, 3]].copy()
        if transparent:
            stored[(stored[:, :, :3] == stored[-1, 0, :3]).all(axis=2), 3] = 0
            if smooth:
                stored[:, :, 3] = smoothed(stored[:, :, 3])
        return Picture(version=800, width=width, height=height, pixels=stored.tobytes())

    def _room(self, old: Room, number: int, where: str) -> Room:
        made = copied(old, Room, number)
        if old.version >= 541 or old.version == number:
            return made
        made.views = []
        for view in old.views:
            sized = type(view)(*(getattr(view, name) for name in view.__struct_fields__))
            sized.port_width, sized.port_height = view.view_width, view.view_height
            made.views.append(sized)
        if old.version == 500 and old.editor != RoomEditor():
            self.report.warn("unsupported", "how its editor was left is not kept", where)
            made.editor = RoomEditor()
        return made

    # -- the rest --------------------------------------------------------------------------

    def _data_files(self) -> None:
        if self.version < 600:
            return
        for slot in self.old.data_files.slots:
            if not slot.exists or slot.resource is None:
                continue
            if self.version < 701:
                message = "it is left out: Game Maker 6 stores only paths"
                self.report.warn("unsupported", message, f"data file {slot.name}")
                continue
            self.new.includes.slots.append(self._included(slot.resource, slot.name))

    def _included(self, old: DataFile, name: str) -> IncludeSlot:
        data = b"" if old.data is None else old.data.data
        made = Include(
            version=item_version("includes", self.version),
            file_name=old.file_name or name,
            original_chosen=old.has_data,
            original_size=len(data),
            store=old.has_data,
            data=data if old.has_data else None,
            export=old.export,
            overwrite=old.overwrite,
            free_memory=old.free_memory,
            remove_at_end=old.remove_at_end,
        )
        if old.export == _EXPORT_AS_FONT:
            message = "it was installed as a font; it goes to the working folder"
            self.report.warn("changed-with-it", message, f"data file {name}")
            made.export = 2
        return IncludeSlot(changed=self.date, include=made)

    def _includes(self) -> None:
        settings, slots = self.old.settings, self.new.includes.slots
        if self.version < 701:
            return
        number = item_version("includes", self.version)
        for item in settings.include_files or ():
            made = Include(
                version=number,
                file_name=item.path.replace("\\", "/").rpartition("/")[2],
                file_path=item.path,
                original_chosen=1,
                export=1 if settings.include_folder else 2,
                overwrite=settings.include_overwrite,
                remove_at_end=settings.include_remove,
            )
            slots.append(IncludeSlot(changed=self.date, include=made))
        for slot in self.old.includes.slots:
            include = None if slot.include is None else copied(slot.include, Include, number)
            if include is not None and number >= 800 > self.old.version:
                include.data = _inflated(include.data, include.original_size)
            slots.append(IncludeSlot(changed=self.changed(slot.changed), include=include))

    def _information(self) -> None:
        number = section_version("information", self.version)
        new = self.new.information = copied(self.old.information, GameInformation, number)
        new.changed = self.changed(new.changed)

    def _triggers(self) -> None:
        if self.version >= 800:
            self.new.triggers.slots = self.old.triggers.slots
            self.new.triggers.changed = self.changed(self.old.triggers.changed)

    def _tree(self) -> None:
        """The roots of the new version, with the branches of the old tree."""
        branches = {(node.status, node.grouping): node for node in self.old.tree}
        for index, root in enumerate(self.new.tree):
            old = branches.get((root.status, root.grouping))
            if old is None:
                continue
            renamed = root.grouping in (9, 11) and self.old.version < 600 <= self.version
            name = root.name if renamed else old.name
            children = [] if renamed and root.grouping == 9 else old.children
            self.new.tree[index] = Node(root.status, root.grouping, old.index, name, children)


_STATE = ("version", "kept", "rest", "content_size")


def copied(
    old: VersionedRecord, record: type[R], version: int, *, without: Sequence[str] = ()
) -> R:
    """A new record of a version, with the fields that it has in common with another."""
    made = record(version=version)
    for name in record.__struct_fields__:
        if name not in _STATE and name not in without and hasattr(old, name):
            value = getattr(old, name)
            setattr(made, name, list(value) if isinstance(value, list) else value)
    return made


def _pixels(data: bytes) -> NDArray[numpy.uint8] | None:
    """The pixels (height, width, 4) of a BMP; None if it can't be read."""
    pixels = bmp_pixels(data)
    if pixels is not None:
        return pixels
    try:
        with BmpImagePlugin.BmpImageFile(BytesIO(data)) as image:
            if image.width * image.height > _MAXIMUM_PIXELS:
                return None
            return png.from_image(image.convert("RGB"))
    except PILLOW_ERRORS:
        return None


def smoothed(alpha: NDArray[numpy.uint8]) -> NDArray[numpy.uint8]:
    """The alpha of a picture whose edges were to be smoothed.

    Each of a pixel's eight neighbours that is transparent takes an eighth of its opacity, as in
    Game Maker 8 when it opens an older project (a sprite of 320 by 320 in two versions agrees in
    every pixel). Pixels outside of the picture do not count; the behaviour of Game Maker is
    unknown.
    """
    clear = numpy.pad(alpha == 0, 1, constant_values=False)
    height, width = alpha.shape
    neighbours = numpy.zeros(alpha.shape, numpy.int32)
    for y in range(3):
        for x in range(3):
            neighbours += clear[y : y + height, x : x + width]
    return numpy.where(alpha == 0, 0, numpy.maximum(255 - 32 * neighbours, 0)).astype(numpy.uint8)


def _inflated(data: bytes | None, size: int) -> bytes | None:
    """An included file of Game Maker 7, which may be stored compressed."""
    if data is None or data[:2] != b"\x78\x9c":
        return data
    try:
        content = zlib.decompressobj().decompress(data, size + 1)
    except zlib.error:
        return data
    return content if len(content) == size else data
