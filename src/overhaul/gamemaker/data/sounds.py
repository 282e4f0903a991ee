"""Sounds: where their bytes are (the game, audio groups, files beside it), and changing them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, TypeAlias

from overhaul.errors import FormatError
from overhaul.gamemaker.data.audiogroup import AudioGroup
from overhaul.gamemaker.data.chunks.audo import Audio, AudioList
from overhaul.gamemaker.data.chunks.sond import Sound, SoundFlags
from overhaul.media import audio as sniffing

if TYPE_CHECKING:
    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gamemaker.data.references import Reference

    AnySound: TypeAlias = Sound | Reference[Sound]

_REGULAR = int(SoundFlags.REGULAR)


class AudioGroups:
    """The audio groups in files beside a game, opened when they are first needed."""

    def __init__(self, game: GameModel) -> None:
        self.game = game
        self.opened: dict[str, AudioGroup | None] = {}
        #: streamed sounds' files that were read or changed, by name
        self._streams: dict[str, bytes | None] = {}

    def list_of(self, group: int) -> list[Audio | None] | None:
        """The bytes of a group's sounds; None where its file is not there.

        Group 0 is in the game's own file, and before bytecode 14 every group.
        """
        game = self.game
        if group <= 0 or game.release.bytecode < 14 or not len(game.audio_groups):
            return game.audio.items if "AUDO" in game.chunks else []
        found = self.document(self.file_name(group))
        return None if found is None else found.audio

    def file_name(self, group: int) -> str:
        """The name of the file of a group."""
        entry = self.game.audio_groups.at(group)
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

    def set_bytes(self, sound: Sound, data: bytes) -> None:
        """Give a sound other bytes, and update its record where the format changed."""
        old = self.bytes_of(sound)
        if old is not None and bytes(old) == data:
            return
        name = stream_name(sound)
        if name is not None:
            self.set_stream(name, data)
            return
        entries = self._list_for(sound)
        shared = [
            other
            for other in self.game.sounds.present()
            if other is not sound
            and is_stored(other)
            and other.audio == sound.audio
            and self.list_of(other.group) is entries
        ]
        if old is None or shared:
            sound.audio = len(entries)
            entries.append(Audio(data))
            if not is_stored(sound):
                sound.flags |= int(SoundFlags.EMBEDDED)
        else:
            entries[sound.audio] = Audio(data)
        describe(self.game, sound, None if old is None else sniffing.sniff(old), data)

    def take(self, sound: Sound, data: bytes) -> None:
        """The bytes of a new sound; ``sound.audio`` is the place it asks for, if that is free."""
        name = stream_name(sound)
        if name is not None:
            self.set_stream(name, data)
            return
        entries = self._list_for(sound)
        wanted = sound.audio
        if 0 <= wanted <= 1 << 16:
            while len(entries) <= wanted:
                entries.append(None)
            here = entries[wanted]
            if here is None or bytes(here.data) == data:
                entries[wanted] = Audio(data)
                return
        sound.audio = len(entries)
        entries.append(Audio(data))
        if self.game.release.major < 2:
            ending = f".{sniffing.sniff(data).value}"
            sound.type = sound.type or self.game.strings.add(ending)
            sound.file = sound.file or self.game.strings.add(f"{sound.name}{ending}")
        describe(self.game, sound, None, data)

    def _list_for(self, sound: Sound) -> list[Audio | None]:
        """The list a sound's bytes belong in; a new one for a group whose file is not there."""
        found = self.list_of(sound.group)
        if found is None:
            document = AudioGroup(AudioList())
            self.opened[self.file_name(sound.group)] = document
            found = document.audio
        return found

    def unnamed(self) -> list[int]:
        """The entries of the game's own AUDO that belong to no sound."""
        main = self.list_of(0)
        used = {
            sound.audio
            for sound in self.game.sounds.present()
            if is_stored(sound) and self.list_of(sound.group) is main
        }
        return [
            index
            for index, entry in enumerate(self.game.audio)
            if entry is not None and index not in used
        ]

    def files(self) -> dict[str, bytes]:
        """The files of all groups and streamed sounds, as they would be written now."""
        found: dict[str, bytes] = {}
        for sound in self.game.sounds.present():
            name = stream_name(sound)
            if name is not None and (data := self.stream(name)) is not None:
                found[name] = data
        for group in range(1, len(self.game.audio_groups)):
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
    unsafe = name in (".", "..") or any(c in name for c in "/\\:\0")
    return None if unsafe else name


def describe(game: GameModel, sound: Sound, old: sniffing.AudioFormat | None, data: bytes) -> None:
    """Set what a sound's record states about its bytes: type, flags, length."""
    info = sniffing.inspect(data)
    if info.format is not old:
        ending = f".{info.format.value}"
        before = "" if old is None else f".{old.value}"
        if sound.type is not None and str(sound.type) == before:
            sound.type = game.strings.add(ending)
        if sound.file is not None and before and str(sound.file).endswith(before):
            sound.file = game.strings.add(str(sound.file)[: -len(before)] + ending)
        if sound.flags & _REGULAR == _REGULAR:
            plain = info.format is sniffing.AudioFormat.WAV
            kind = SoundFlags.EMBEDDED if plain else SoundFlags.COMPRESSED
            sound.flags = sound.flags & ~3 | int(kind)
    if game.release.at_least(2024, 6) and info.duration is not None:
        sound.length = _short(info.duration)


def _short(value: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", value))[0])
