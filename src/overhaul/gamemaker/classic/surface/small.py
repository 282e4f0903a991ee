"""Sounds, paths, fonts and data files."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from overhaul.document.files import write_file
from overhaul.gamemaker.classic.executable.records import GameFont
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.resources import DataFile as DataFileRecord
from overhaul.gamemaker.classic.resources import Font as FontRecord
from overhaul.gamemaker.classic.resources import Path as PathRecord
from overhaul.gamemaker.classic.resources import PathPoint
from overhaul.gamemaker.classic.resources import Sound as SoundRecord
from overhaul.gamemaker.classic.surface.base import Resource
from overhaul.media import audio

if TYPE_CHECKING:
    import os

    from overhaul.media.audio import AudioFormat, AudioInfo

AnyFont: TypeAlias = FontRecord | GameFont


def _bytes(data: Deflated | bytes | None) -> bytes | None:
    return data.data if isinstance(data, Deflated) else data


class Sound(Resource[SoundRecord]):
    """A sound.  What is told of its bytes is None where it has none."""

    __slots__ = ()
    kind = "sounds"

    @property
    def bytes(self) -> bytes | None:
        """The sound file.  Raises FormatError for a damaged stream."""
        return _bytes(self.record.data) or None

    @property
    def extension(self) -> str:
        """The extension of its file, in lower case, without a dot."""
        stored = self.record.file_type or self.record.file_name.rpartition(".")[2]
        return stored.rpartition(".")[2].lower()

    @property
    def info(self) -> AudioInfo | None:
        """What its bytes say.  Raises FormatError for damaged ones."""
        data = self.bytes
        return None if data is None else audio.inspect(data)

    @property
    def format(self) -> AudioFormat | None:
        """The format that the bytes have, whatever the file is called."""
        data = self.bytes
        return None if data is None else audio.sniff(data)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write its bytes to a file.

        Raises FileExistsError without ``force``, FileNotFoundError where the project has none,
        FormatError for a damaged stream.
        """
        data = self.bytes
        if data is None:
            raise FileNotFoundError(2, f"the sound {self.name} has no bytes")
        write_file(path, data, force=force)

    def _about(self) -> str:
        return self.extension


class Path(Resource[PathRecord]):
    """A path; its points are in pixels, their speeds in per cent."""

    __slots__ = ()
    kind = "paths"

    @property
    def points(self) -> list[PathPoint]:
        """Its points."""
        return self.record.points

    @property
    def smooth(self) -> bool:
        """Whether it is a curve, not straight lines."""
        return self.record.connection == 1

    @property
    def closed(self) -> bool:
        """Whether its end leads to its beginning."""
        return bool(self.record.closed)

    def _about(self) -> str:
        count = len(self.record.points)
        return (
            f"{count} point{'' if count == 1 else 's'}"
            f"{', smooth' if self.smooth else ''}{', closed' if self.closed else ''}"
        )


class Font(Resource[AnyFont]):
    """A font of the author's system; only executables hold its glyphs."""

    __slots__ = ()
    kind = "fonts"

    @property
    def face(self) -> str:
        """The name of the typeface."""
        return self.record.font_name

    @property
    def size(self) -> int:
        """Points."""
        return self.record.size

    @property
    def bold(self) -> bool:
        """Whether it is bold."""
        return bool(self.record.bold)

    @property
    def italic(self) -> bool:
        """Whether it is italic."""
        return bool(self.record.italic)

    @property
    def characters(self) -> range:
        """The codes of the characters it has."""
        return range(self.record.range_start & 0xFFFF, (self.record.range_end & 0xFFFF) + 1)

    def _about(self) -> str:
        style = f"{' bold' if self.bold else ''}{' italic' if self.italic else ''}"
        return f"{self.face} {self.size}{style}"


class DataFile(Resource[DataFileRecord]):
    """A file in a Game Maker 5 project."""

    __slots__ = ()
    kind = "data_files"

    @property
    def bytes(self) -> bytes | None:
        """Its content; None where it has none."""
        return _bytes(self.record.data)
