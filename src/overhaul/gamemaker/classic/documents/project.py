"""A project file (.gmd, .gm6, .gmk, .gm81) as a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from overhaul.document.protocol import Buffer, Coverage, Resource
from overhaul.document.registry import load
from overhaul.gamemaker.classic.documents.games import GameDocument, date_in_words, measure_project
from overhaul.gamemaker.classic.kinds import (
    BY_PLURAL,
    PRODUCTS,
    AnySlot,
    empty_project,
    kinds_of,
    slots_of,
)
from overhaul.gamemaker.classic.records import Project, read_project, read_version, write_project
from overhaul.gamemaker.classic.settings import Constant
from overhaul.gamemaker.classic.streams import ProjectWriter
from overhaul.schema import codec_for
from overhaul.suggest import cut

if TYPE_CHECKING:
    from overhaul.document.stored import Stored
    from overhaul.document.views import ResourceView

_STORED = "overhaul.gamemaker.classic.stored"


class ProjectDocument(GameDocument):
    """A Game Maker project.  ``project`` has its records; it is read when first touched.

    ``document.sprites``, ``document.rooms``, ... are for looking at them; ``document["sprites"]``
    are their records.  ``version`` is that of the file (530 to 810).
    """

    kind = "gamemaker-project"

    def __init__(self, version: int, source: str | None = None) -> None:
        super().__init__(source)
        self.version: str = str(version)
        self._data: Buffer | None = None
        self._project: Project | None = None

    @classmethod
    def read(cls, data: Buffer, source: str | None) -> Self:
        """Open a project; only its header is read now."""
        document = cls(read_version(data, source), source)
        document._data = data
        return document

    @classmethod
    def new(cls, version: int) -> ProjectDocument:
        """The document of a new project without resources."""
        return cls.of(empty_project(version))

    @classmethod
    def of(cls, project: Project) -> ProjectDocument:
        """The document of a project that was made in memory."""
        document = cls(project.version)
        document._project = project
        return document

    @property
    def project(self) -> Project:
        """The project's records."""
        if self._project is None:
            assert self._data is not None
            self._project = read_project(self._data, source=self.source)
            self._data = None
            if self._project.trailing:
                size = len(self._project.trailing)
                self.findings.warn(
                    "kept-as-bytes", f"{size} bytes after the resource tree are kept unchanged"
                )
        return self._project

    def let_go(self) -> None:
        """Let go of the records."""
        self._project, self._data = None, None

    def __getitem__(self, kind: str) -> Resources:
        """The resources of a kind: ``document["sprites"]["spr_player"]``."""
        if kind not in BY_PLURAL:
            raise KeyError(kind)
        return Resources(BY_PLURAL[kind].section(self.project).slots)

    def slots(self) -> dict[str, list[AnySlot]]:
        """The slots of every kind of resource, triggers included."""
        return slots_of(self.project)

    @property
    def constants(self) -> list[Constant]:
        """The constants, in their order; before Game Maker 8 they are part of the settings."""
        project = self.project
        return (project.constants if project.version >= 800 else project.settings).constants

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The resources of a kind, in the order of their ids; what F1 shows; the constants."""
        if kind != "constants":
            return super().resources(kind)
        values = [(constant.name, constant.value) for constant in self.constants]
        return [load("overhaul.gamemaker.classic.surface.objects:Constants")(self, values)]

    def also_shown(self) -> Iterable[Resource]:
        """The parts of a project other than resources: its constants, and the rest."""
        if self.constants:
            yield Resource("constants", "constants", "constants.json")
        yield Resource("project", "project", "project.json")

    def stored(self, kind: str, position: int, name: str) -> Sequence[Stored]:
        """The bytes that a resource is stored as; see :mod:`overhaul.document.stored`."""
        parts: Sequence[Stored] = load(f"{_STORED}:stored_slot")(
            self.project, self.to_bytes(), kind, position
        )
        return parts

    def stored_parts(self) -> Sequence[Stored]:
        """The parts of the project."""
        parts: Sequence[Stored] = load(f"{_STORED}:project_parts")(self.project, self.to_bytes())
        return parts

    @property
    def smooth(self) -> bool:
        """Whether the game interpolates pixels."""
        return bool(self.project.settings.interpolate)

    @property
    def rich_text(self) -> bytes:
        """The game information (F1), as Rich Text (RTF)."""
        return self.project.information.text

    def info(self) -> dict[str, object]:
        """The product, the game id, and the number of resources."""
        project = self.project
        settings = project.settings
        return {
            "product": "Game Maker 8.2" if settings.version == 820 else PRODUCTS[project.version],
            "game_id": project.game_id,
            "author": settings.author,
            "last_changed": date_in_words(settings.last_changed),
            "text_encoding": project.encoding,
            "resources": {
                kind.plural: sum(1 for slot in kind.section(project).slots if slot.exists)
                for kind in kinds_of(project.version)
            }
            | self._others(),
        }

    def _others(self) -> dict[str, int]:
        project = self.project
        others = {"constants": len(project.settings.constants or project.constants.constants)}
        if project.version >= 701:
            others["included_files"] = len(project.includes.slots)
            others["packages"] = len(project.packages.names)
        if project.version >= 800:
            others["triggers"] = sum(1 for slot in project.triggers.slots if slot.exists)
        return others

    def size_of(self, slot: AnySlot) -> int:
        """How many bytes of the file a slot takes."""
        if slot.kept:
            return len(slot.kept)
        writer = ProjectWriter(encoding=self.project.encoding)
        codec_for(type(slot), self.project.version).write(writer, slot)
        return len(writer.out)

    def write(self) -> bytes:
        """The file, rebuilt from its records."""
        return write_project(self.project)

    def decode(self) -> None:
        """Read the project, and inflate what has a zlib stream of its own."""
        self.coverage()

    def coverage(self) -> Coverage:
        """How much of the file was understood."""
        return measure_project(self.project, self.size)


class Resources(Sequence[Any]):
    """The existing resources of a kind, by name or in the order of their ids.

    Of several with one name, a name means the first.
    """

    def __init__(self, slots: Sequence[AnySlot]) -> None:
        self.slots: list[AnySlot] = [slot for slot in slots if slot.exists]

    def names(self) -> list[str]:
        """The names, in order."""
        return [slot.name for slot in self.slots]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            for slot in self.slots:
                if slot.name == key:
                    return slot.resource
            raise KeyError(key)
        if isinstance(key, slice):
            return [slot.resource for slot in self.slots[key]]
        return self.slots[key].resource

    def __len__(self) -> int:
        return len(self.slots)

    def __repr__(self) -> str:
        return f"<{len(self)} resources: {cut(', '.join(self.names()[:5]), 150)}>"
