"""A package (.ags, .vox, .exe, .001 ...) as a document that contains documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from overhaul.ags.documents.base import AgsDocument, Tally, has_foreign_texts
from overhaul.ags.game.game import GAME_FILES, read_summary
from overhaul.ags.library.package import SPRITES, Package
from overhaul.ags.text import ANSI, UTF_8, encode, is_foreign
from overhaul.document.containers import Members
from overhaul.document.plainfiles import PlainFile
from overhaul.document.protocol import Buffer, Siblings
from overhaul.document.reading import open_data
from overhaul.document.registry import load
from overhaul.document.salvaging import Lost, Salvaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.views import ResourceView


class PackageDocument(AgsDocument):
    """A package (.ags, .vox, .exe ...), or a part of one (.001 ...)."""

    kind = "ags-package"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.package: Package = Package()

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the table, and find the other parts next to the file."""
        read_part = None if siblings is None else partial(_read_part, siblings)
        self.package = Package.read(data, source=self.source, read_part=read_part)
        self.version: str = str(self.package.version)
        self.warnings.extend(self.package.warnings)

    @classmethod
    def salvage(cls, data: Buffer, *, source: str | None, siblings: Siblings | None) -> Salvaged:
        """The assets that are whole in a damaged package, as a package in one part; what is lost.

        Raises FormatError where no asset can be read.
        """
        document = cls(source)
        read_part = None if siblings is None else partial(_read_part, siblings)
        document.package, lost = Package.salvage(data, source=source, read_part=read_part)
        document.edited(document.package.version)
        return Salvaged(document, [Lost(name, reason) for name, reason in lost])

    def to_bytes(self) -> bytes:
        """The file with the table."""
        return self.package.to_bytes()

    def companions(self) -> Mapping[str, bytes]:
        """The other parts, except for missing ones."""
        return self.package.other_parts()

    def close(self) -> None:
        """Release the file; assets that were not read before can't be read afterwards."""
        for asset in self.package.assets:
            if isinstance(asset.data, memoryview):
                asset.data.release()
                asset.data = None
        super().close()

    def has_foreign_texts(self) -> bool:
        """Whether an asset's name is not UTF-8."""
        return has_foreign_texts([asset.name for asset in self.package])

    def info(self) -> dict[str, object]:
        """The package's version, parts and assets."""
        package = self.package
        facts: dict[str, object] = {"kind": self.kind, "library_version": package.version}
        if package.part_number:
            return facts | {"part": package.part_number, "assets": len(package.assets)}
        facts["parts"] = package.parts
        facts["assets"] = len(package.assets)
        facts["missing_assets"] = sum(1 for asset in package if asset.data is None)
        if package.prefix:
            facts["program_bytes"] = len(package.prefix)
        for asset in package:
            if asset.name.casefold() in GAME_FILES and asset.data is not None:
                summary = read_summary(asset.data)
                if summary is not None:
                    name, facts["compiled_with"] = summary
                    encoding = ANSI if is_foreign(name) else UTF_8
                    facts["game"] = encode(name).decode(encoding, "replace")
        return facts

    def members(self) -> Iterable[PlainFile]:
        """The assets, by their names in the package."""
        for asset in self.package:
            if asset.data is not None:
                yield PlainFile(asset.name, asset.read, origin=f"part {asset.part}")

    @property
    def drawn_kinds(self) -> list[str]:
        """What there is to draw, in the order of the package."""
        names = map(str.casefold, Members(self).names())
        kinds = ("room" if n.endswith(".crm") else "sprite" if n == SPRITES else "" for n in names)
        return [kind for kind in dict.fromkeys(kinds) if kind]

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """Its rooms, which are read when they are looked at, and its sprites."""
        members = Members(self)
        for name in members.names():
            if kind == "room" and name.casefold().endswith(".crm"):
                yield load("overhaul.ags.surface.rooms:room_in")(members, name)
            elif kind == "sprite" and name.casefold() == SPRITES:
                document = open_data(members.read(name), source=name, siblings=members)
                if isinstance(document, AgsDocument):
                    yield from document.resources(kind)

    def tally(self, tally: Tally) -> None:
        """The table is decoded; assets and the program are files of their own."""
        package = self.package
        rest = package.trailing.get(0, b"")
        tally.media = len(package.prefix)
        if package.part_number:
            tally.add_tail("part", rest, "assets whose table is in another file")
            tally.media += tally.total - len(rest) - package.table_size
            return
        for index, asset in enumerate(package):
            if not asset.part:
                tally.media += max(0, len(asset.data or b"") - asset.overlap)
                tally.add_opaque(asset.offset, f"assets[{index}].gap", len(asset.gap), "a gap")
        tally.add_tail("trailing", rest, "bytes after the last asset")

    def locate(self, offset: int) -> str:
        """The asset that an offset lies in."""
        offset -= len(self.package.prefix)
        for index, asset in enumerate(self.package):
            if asset.part == 0 and asset.offset <= offset < asset.offset + asset.size:
                return f"assets[{index}] {asset.name}"
        return "table" if 0 <= offset < self.package.table_size else ""


def _read_part(siblings: Siblings, name: str) -> bytes | None:
    """Another part of a package, found by its name without regard to case; None without one."""
    key = name.replace("\\", "/").rpartition("/")[2].casefold()
    for other in siblings.names():
        if other.casefold() == key:
            return siblings.read(other)
    return None
