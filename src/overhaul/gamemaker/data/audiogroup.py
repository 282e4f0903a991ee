"""audiogroupN.dat: the sounds of an audio group, beside the game they belong to."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from overhaul.document.protocol import (
    BaseDocument,
    Beside,
    Change,
    Coverage,
    Folder,
    Opaque,
    PlainFile,
    Resource,
)
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.data.chunks.audo import Audio, AudioList
from overhaul.gamemaker.data.container import Data, read_container
from overhaul.gamemaker.data.version import Version
from overhaul.schema import Reader, Writer, codec_for

if TYPE_CHECKING:
    from overhaul.document.protocol import UnpackOptions
    from overhaul.gamemaker.data.game import GameData

#: the layout of AUDO is the same in every release
_VERSION = Version(17, 2)
_U32 = struct.Struct("<I")
FOLDER = "audio"


class AudioGroup(BaseDocument):
    """A FORM with AUDO alone; ``audio`` is the list of its sounds' bytes (None: removed)."""

    kind = "gamemaker-audiogroup"

    def __init__(
        self, audio: AudioList, trailing: bytes = b"", *, source: str | None = None
    ) -> None:
        super().__init__(source)
        self.record = audio
        self.trailing = trailing
        self._coverage = Coverage()
        #: what the rules give, and the bytes that stand in the file instead
        self._kept: tuple[bytes, bytes] | None = None

    @property
    def audio(self) -> list[Any]:
        """The sounds' bytes, in file order."""
        return self.record.audio

    @classmethod
    def from_bytes(
        cls,
        data: Data,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> AudioGroup:
        """Open an audio group.  Raises FormatError where it is broken."""
        container = read_container(data, source)
        if [chunk.name for chunk in container.chunks] != ["AUDO"]:
            raise FormatError("no audio group: AUDO is not its only chunk", source=source, offset=8)
        chunk = container.chunks[0]
        reader = Reader(version=_VERSION, source=source, base=chunk.start)
        view = memoryview(data)[: chunk.end]
        try:
            record, end = codec_for(AudioList, _VERSION).read(view, chunk.start, reader)
        except FormatError as error:
            error.source = source
            raise error.within("AUDO") from None
        trailing = bytes(data[end : chunk.end]) + container.trailing
        group = cls(record, trailing, source=source)
        group._keep(bytes(data), reader.notes, strict=strict)
        return group

    def _keep(self, data: bytes, notes: list[str], *, strict: bool) -> None:
        """Keep the bytes of a file whose layout the rules would not give."""
        if self._written() == data:
            return
        reason = notes[0] if notes else "lengths that are not those of its content"
        if strict:
            raise FormatError(
                f"the layout does not follow the rules: {reason}", source=self.source, path="AUDO"
            )
        self._kept = (self._written(), data)
        self.warnings.append(f"AUDO is laid out in its own way: {reason}")

    @classmethod
    def empty(cls, settings: Mapping[str, object]) -> AudioGroup:
        """An audio group without sounds."""
        return cls(AudioList())

    def info(self) -> dict[str, object]:
        """How many sounds there are, and of which formats."""
        from overhaul.media.audio import sniff

        formats: dict[str, int] = {}
        for audio in self.audio:
            if audio is not None:
                name = sniff(audio.data).value
                formats[name] = formats.get(name, 0) + 1
        return {"kind": self.kind, "sounds": len(self.audio), "formats": formats}

    def to_bytes(self) -> bytes:
        """The file, rebuilt."""
        written = self._written()
        if self._kept is not None and self._kept[0] == written:
            kept = self._kept[1]
            self._coverage = Coverage(
                0, 0, len(kept), [Opaque(0, "AUDO", len(kept), self.warnings[-1])]
            )
            return kept
        return written

    def _written(self) -> bytes:
        writer = Writer()
        writer.version = _VERSION
        writer.out += b"FORM\0\0\0\0AUDO\0\0\0\0"
        codec_for(AudioList, _VERSION).write(writer, self.record)
        writer.out += self.trailing
        out = writer.out
        _U32.pack_into(out, 4, len(out) - 8)
        _U32.pack_into(out, 12, len(out) - 16)
        opaque = len(self.trailing) if any(self.trailing) else 0
        details = []
        if opaque:
            details = [Opaque(len(out) - opaque, "AUDO", opaque, "bytes beyond the rules")]
        self._coverage = Coverage(len(out) - writer.media - opaque, writer.media, opaque, details)
        return bytes(out)

    def coverage(self) -> Coverage:
        """How much was understood; valid after :meth:`to_bytes`."""
        return self._coverage

    def tree(self) -> Iterator[Resource]:
        """The sounds."""
        for index, audio in enumerate(self.audio):
            if audio is not None:
                yield Resource("sound data", str(index), audio_path(index, audio), len(audio.data))

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """One file for each sound, by its number."""
        for index, audio in enumerate(self.audio):
            if audio is not None:
                yield PlainFile(
                    audio_path(index, audio),
                    partial(bytes, audio.data),
                    origin=f"AUDO[{index}]",
                )

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Replace, add and remove sounds as their files were."""
        apply_numbered(self.audio, folder, changes, FOLDER)
        return []


def audio_path(index: int, audio: Any, folder: str = FOLDER) -> str:
    """Where the bytes of a sound without a name are unpacked."""
    from overhaul.media.audio import sniff

    return f"{folder}/{index}.{sniff(audio.data).value}"


def apply_numbered(
    audio: list[Any], folder: Folder, changes: Mapping[str, Change], name: str
) -> None:
    """Edit a list of sounds' bytes by files called ``NAME/NUMBER.ending``."""
    removed = set()
    written = set()
    for path, change in changes.items():
        head, _, rest = path.partition("/")
        if head != name:
            continue
        number = rest.partition(".")[0]
        if not (number.isascii() and number.isdigit()) or len(number) > 6:
            raise WorkspaceError(f"{path}: a sound here is called by its number, like 0.ogg")
        index = int(number)
        if change == "removed":
            removed.add(index)
            continue
        if index in written:
            raise WorkspaceError(f"{path}: there are two files for the sound {index}")
        written.add(index)
        while len(audio) <= index:
            audio.append(None)
        audio[index] = Audio(folder.read(path))
    for index in removed - written:
        if index < len(audio):
            audio[index] = None
    while audio and audio[-1] is None and removed:
        audio.pop()


# ---------------------------------------------------------------------- the groups of a game


class AudioGroups:
    """The audio groups in files beside a game, opened when they are first needed."""

    def __init__(self, game: GameData) -> None:
        self.game = game
        self.opened: dict[str, AudioGroup | None] = {}
        #: streamed sounds' files that were read or changed, by name
        self._streams: dict[str, bytes | None] = {}

    def list_of(self, group: int) -> list[Any] | None:
        """The bytes of a group's sounds; None where its file is not there.

        Group 0 is in the game's own file, and before bytecode 14 every group.
        """
        game = self.game
        if group <= 0 or game.layout.bytecode < 14 or not len(game.audio_groups):
            return game.audio.items if "AUDO" in game.slots else []
        found = self.document(self.file_name(group))
        return None if found is None else found.audio

    def file_name(self, group: int) -> str:
        """The name of the file of a group."""
        entry = self.game.audio_groups.at(group)
        path = getattr(entry, "path", None)
        name = str(path).replace("\\", "/").rpartition("/")[2] if path else ""
        return name or f"audiogroup{group}.dat"

    def document(self, name: str) -> AudioGroup | None:
        """The audio group in a file of this name, None where there is none."""
        if name not in self.opened:
            self.opened[name] = self._open(name)
        return self.opened[name]

    def _open(self, name: str) -> AudioGroup | None:
        beside = self.game.beside
        if beside is None:
            return None
        try:
            data = beside.read(name)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            self.game.warnings.append(f"{name} beside the game can't be read ({error})")
            return None
        try:
            return AudioGroup.from_bytes(data, source=name)
        except FormatError as error:
            self.game.warnings.append(f"{name} is left alone: {error}")
            return None

    def create(self, group: int) -> list[Any]:
        """The list of a group whose file is not there yet."""
        document = AudioGroup(AudioList())
        self.opened[self.file_name(group)] = document
        return document.audio

    def stream(self, name: str) -> bytes | None:
        """The file of a streamed sound beside the game; None where there is none."""
        if name not in self._streams:
            data = None
            if self.game.beside is not None and name == name.replace("\\", "/").rpartition("/")[2]:
                try:
                    data = self.game.beside.read(name)
                except FileNotFoundError:
                    data = None
                except (OSError, ValueError) as error:
                    self.game.warnings.append(f"{name} beside the game can't be read ({error})")
            self._streams[name] = data
        return self._streams[name]

    def set_stream(self, name: str, data: bytes) -> None:
        """Give a streamed sound another file."""
        self._streams[name] = data

    def files(self) -> dict[str, bytes]:
        """The files of all groups and streamed sounds, as they would be written now."""
        from overhaul.gamemaker.data_folder.sounds import stream_name

        found: dict[str, bytes] = {}
        for sound in self.game.sounds:
            name = None if sound is None else stream_name(sound)
            data = None if name is None else self.stream(name)
            if name is not None and data is not None:
                found[name] = data
        for group in range(1, len(self.game.audio_groups)):
            if self.game.layout.bytecode < 14:
                break
            name = self.file_name(group)
            document = self.document(name)
            if document is not None:
                found[name] = document.to_bytes()
        return found
