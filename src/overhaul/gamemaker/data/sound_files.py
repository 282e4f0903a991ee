"""The files that hold the sounds of a game: its own, those of audio groups, and streamed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from overhaul.errors import FormatError
from overhaul.gamemaker.data.audiogroup import AudioGroup
from overhaul.gamemaker.data.chunks.sond import Sound, SoundFlags
from overhaul.gamemaker.data.sound_rules import REGULAR as _REGULAR

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.audo import Audio
    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gamemaker.data.references import Reference

    AnySound: TypeAlias = Sound | Reference[Sound]


class SoundFiles:
    """The bytes of a game's sounds where they are: files beside the game are opened when they are
    first needed."""

    def __init__(self, game: GameModel) -> None:
        self.game = game
        #: the files of audio groups that were looked for, by name
        self.opened: dict[str, AudioGroup | None] = {}
        #: streamed sounds' files that were read or changed, by name
        self.streams: dict[str, bytes | None] = {}

    def has_groups(self) -> bool:
        """Whether sounds of this game can be in audio groups."""
        return self.game.release.bytecode >= 14 and "AGRP" in self.game.chunks

    def in_game(self, group: int) -> bool:
        """Whether the sounds of a group are in the game's own file."""
        return group <= 0 or not self.has_groups() or not len(self.game.records.audio_groups)

    def in_one_file(self, first: int, second: int) -> bool:
        """Whether the sounds of two groups are in one file."""
        return first == second or (self.in_game(first) and self.in_game(second))

    def file_name(self, group: int) -> str:
        """The name of the file of a group."""
        entry = self.game.records.audio_groups.at(group)
        path = None if entry is None else entry.path
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
            self.game.warnings.append(f"{name} is ignored: {error}")
            return None

    def stream(self, name: str) -> bytes | None:
        """The file of a streamed sound beside the game; None where there is none."""
        if name not in self.streams:
            data = None
            if self.game.beside is not None and name == name.replace("\\", "/").rpartition("/")[2]:
                try:
                    data = self.game.beside.read(name)
                except FileNotFoundError:
                    data = None
                except (OSError, ValueError) as error:
                    self.game.warnings.append(f"{name} beside the game can't be read ({error})")
            self.streams[name] = data
        return self.streams[name]

    def set_stream(self, name: str, data: bytes) -> None:
        """Give a streamed sound another file."""
        self.streams[name] = data

    def list_of(self, group: int) -> list[Audio | None] | None:
        """The bytes of a group's sounds; None where its file is not there.

        Group 0 is in the game's own file, and before bytecode 14 every group.
        """
        game = self.game
        if self.in_game(group):
            return game.audio.items if "AUDO" in game.chunks else []
        found = self.document(self.file_name(group))
        return None if found is None else found.audio

    def entry_of(self, sound: AnySound) -> Audio | None:
        """The AUDO entry of a sound, in the game or in its audio group's file; None without one."""
        if not is_stored(sound):
            return None
        found = self.list_of(sound.group)
        if found is None or sound.audio >= len(found):
            return None
        return found[sound.audio]

    def bytes_of(self, sound: AnySound) -> bytes | memoryview | None:
        """The bytes of a sound, wherever they are; None where they are not there."""
        entry = self.entry_of(sound)
        if entry is not None:
            return entry.data
        name = stream_name(sound)
        return None if name is None else self.stream(name)

    def written(self) -> dict[str, bytes]:
        """The files of all groups and streamed sounds, as they would be written now."""
        found: dict[str, bytes] = {}
        for sound in self.game.records.sounds.present():
            name = stream_name(sound)
            if name is not None and (data := self.stream(name)) is not None:
                found[name] = data
        for group in range(1, len(self.game.records.audio_groups)):
            if self.game.release.bytecode < 14:
                break
            name = self.file_name(group)
            document = self.document(name)
            if document is not None:
                found[name] = document.to_bytes()
        return found


def is_stored(sound: AnySound) -> bool:
    """Whether a sound's bytes are in AUDO; those of a streamed one are in a file of its own."""
    held = sound.flags & (SoundFlags.EMBEDDED | SoundFlags.COMPRESSED)
    return bool(sound.audio >= 0) and (sound.flags & _REGULAR != _REGULAR or bool(held))


def stream_name(sound: AnySound) -> str | None:
    """The file beside the game that a streamed sound is played from; None for others."""
    if sound.flags & _REGULAR != _REGULAR or sound.flags & 3 or not sound.file:
        return None
    name = str(sound.file)
    return name if is_file_name(name) else None


def is_file_name(name: str) -> bool:
    """Whether a name is that of a file in the folder of the game."""
    return name not in ("", ".", "..") and not any(c in name for c in "/\\:\0")
