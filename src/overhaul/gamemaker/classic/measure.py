"""How much of a project is fields, how much is media, and how much is opaque."""

from __future__ import annotations

from overhaul.document.protocol import Coverage, Opaque
from overhaul.errors import FormatError
from overhaul.gamemaker.classic.fields import Deflated, Kept, VersionedRecord
from overhaul.gamemaker.classic.kinds import slots_of
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.streams import allowance

BLOCK = "bytes of a zlib block that belong to no field"


class Measure:
    """Sums up media and opaque bytes; ``total`` is the size of the file.

    Bytes inside a zlib block count by their share of the block's content.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.media: float = 0.0
        self.inflated: int = 0
        self.details: list[Opaque] = []

    def add(self, stream: object, block: Kept | None = None, path: str = "") -> None:
        """Count a picture or sound file: a stream of its own, or bytes inside a block.

        Raises FormatError, with the path, for a damaged stream or too much content in all.
        """
        if isinstance(stream, Deflated):
            size = float(len(stream.stream))
            try:
                self.inflated += len(stream.data)
                if self.inflated > allowance(self.total):
                    raise FormatError("the zlib streams up to here expand beyond the limit")
            except FormatError as error:
                raise error.within(path) from None
        elif isinstance(stream, bytes):
            size = float(len(stream))
        else:
            return
        self.media += size * scale(block)

    def add_media(self, record: VersionedRecord, block: Kept | None, path: str = "") -> None:
        """Count the pictures and sounds of a record."""
        for name, stream in record.media():
            self.add(stream, block, f"{path}.{name}" if path else name)

    def left_over(self, block: Kept, path: str, reason: str = BLOCK) -> None:
        """Count the bytes of a block that belong to no field."""
        if block.rest:
            size = max(1, round(len(block.rest) * scale(block)))
            self.opaque(path, size, reason)

    def opaque(self, path: str, size: int, reason: str, offset: int = 0) -> None:
        """Count bytes that are kept but not understood."""
        self.details.append(Opaque(offset, path, size, reason))

    def coverage(self) -> Coverage:
        """The result; the three numbers add up to the file's size."""
        opaque = sum(detail.length for detail in self.details)
        media = min(round(self.media), self.total - opaque)
        return Coverage(self.total - opaque - media, media, opaque, self.details)


def scale(block: Kept | None) -> float:
    """How many bytes of the file stand for one byte of a block's content."""
    if block is None or not block.kept or not block.content_size:
        return 1.0
    return len(block.kept) / block.content_size


def measure_project(project: Project, size: int) -> Coverage:
    """The coverage of a project file of ``size`` bytes.  FormatError for a damaged stream."""
    measure = Measure(size)
    settings = project.settings
    block = settings if settings.version >= 800 else None
    measure.add(settings.icon, block)
    for name, picture in settings.pictures():
        measure.add(picture.file, block, f"settings.{name}")
    measure.left_over(settings, "settings")
    measure.left_over(project.information, "information")
    packed = project.version >= 800
    for kind, slots in slots_of(project).items():
        for index, slot in enumerate(slots):
            path = f"{kind}.slots[{index}]"
            if slot.resource is not None:
                measure.add_media(slot.resource, slot if packed else None, f"{path}.resource")
    for include in project.includes.slots:
        if include.include is not None:
            measure.add(include.include.data, include)
    if packed:
        for name in project.__struct_fields__:
            for index, slot in enumerate(getattr(getattr(project, name), "slots", ())):
                measure.left_over(slot, f"{name}.slots[{index}]")
    if project.trailing:
        reason = "bytes after the resource tree, which Game Maker ignores"
        measure.opaque("trailing", len(project.trailing), reason, size - len(project.trailing))
    return measure.coverage()
