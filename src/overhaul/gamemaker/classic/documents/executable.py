"""A game's executable as a document: listed and extracted, not edited."""

from __future__ import annotations

from typing import Self

from overhaul.document.protocol import Buffer, Coverage
from overhaul.gamemaker.classic.documents.games import GameDocument, Measure, measure_project
from overhaul.gamemaker.classic.executable.container import (
    Executable,
    locate,
    read_executable,
    write_executable,
)
from overhaul.gamemaker.classic.kinds import BY_PLURAL, AnySlot, slots_of
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.streams import inflate

PRODUCTS = {
    530: "Game Maker 5.3",
    600: "Game Maker 6",
    700: "Game Maker 7",
    800: "Game Maker 8.0",
    810: "Game Maker 8.1",
}
_UNKNOWN = "a file before the project, of an unknown purpose"
_GARBAGE = "random words after the game, which the runner ignores"


class ExecutableDocument(GameDocument):
    """An executable with a game of Game Maker 5.3 to 8.1 in it."""

    kind = "gamemaker-executable"

    def __init__(self, data: Buffer, source: str | None = None) -> None:
        super().__init__(source)
        self._data = data
        self._read: Executable | None = None
        located = locate(data)
        self.version: str = str(located[0]) if located else ""

    @classmethod
    def read(cls, data: Buffer, source: str | None) -> Self:
        """Open an executable; only the place of the game is looked for now."""
        return cls(data, source)

    @property
    def executable(self) -> Executable:
        """The game and its layers."""
        if self._read is None:
            self._read = read_executable(self._data, source=self.source)
        return self._read

    def slots(self) -> dict[str, list[AnySlot]]:
        """The slots of every kind of resource that the game has."""
        if self.executable.project is not None:
            return slots_of(self.executable.project)
        game = self.executable.game
        sections = {kind: getattr(game, kind, None) for kind in BY_PLURAL}
        sections["sounds"] = game.sounds or game.plain_sounds
        return {kind: section.slots for kind, section in sections.items() if section is not None}

    @property
    def smooth(self) -> bool:
        """Whether the game interpolates pixels."""
        executable = self.executable
        settings = (executable.project or executable.game).settings or executable.settings
        return settings is not None and bool(settings.interpolate)

    @property
    def rich_text(self) -> bytes:
        """The game information (F1), as Rich Text (RTF)."""
        return self.executable.information

    def info(self) -> dict[str, object]:
        """The product, the game id, and the number of resources."""
        game = self.executable.project or self.executable.game
        return {
            "product": PRODUCTS[self.executable.version],
            "game_id": game.game_id,
            "offset": len(self.executable.runner),
            "resources": {
                kind: sum(1 for slot in slots if slot.exists)
                for kind, slots in self.slots().items()
            },
        }

    def decode(self) -> None:
        """Read the game, and inflate what has a zlib stream of its own."""
        self.coverage()

    def write(self) -> bytes:
        """The executable, its game rebuilt from the records and obfuscated again."""
        return write_executable(self.executable)

    def coverage(self) -> Coverage:
        """Runner, files, pictures and sounds are media; the words after the game are opaque."""
        executable = self.executable
        measure = Measure(self.size)
        measure.add(executable.runner)
        if executable.project is not None:
            return self._stored_coverage(measure, executable.project)
        for _, content in executable.files:
            measure.add(content)
        share = 1.0
        if executable.stream:  # of 6 and 7: all of the game is one zlib stream
            inside = len(executable.garbage) + len(executable.inner_head)
            plain_size = len(inflate(executable.stream)[0])
            share = min(1.0, len(executable.stream) / max(1, inside + plain_size))
        media = measure.media
        for slots in self.slots().values():
            for slot in slots:
                if slot.resource is not None:
                    measure.add_media(slot.resource, slot if executable.version >= 800 else None)
        measure.media = media + (measure.media - media) * share
        measure.opaque("garbage", round(len(executable.garbage) * share), _GARBAGE)
        if executable.behind:
            start = self.size - len(executable.behind)
            measure.opaque("behind", len(executable.behind), "bytes after the game", start)
        return measure.coverage()

    def _stored_coverage(self, measure: Measure, project: Project) -> Coverage:
        """That of 5.3: the file before the project is opaque, and the project as its file is."""
        unknown = self.executable.inner_head[8:]
        start = len(self.executable.runner) + len(self.executable.head) + 8
        if unknown:
            measure.opaque("inner_head", len(unknown), _UNKNOWN, start)
        start += len(unknown)
        size = self.size - start
        measure.media += size
        coverage = measure.coverage()
        coverage.put(start, "project", measure_project(project, size))
        return coverage
