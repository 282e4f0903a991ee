"""The meaning of a sound's record in each release, and the file of its bytes."""

from __future__ import annotations

import struct
from collections.abc import Collection
from typing import TYPE_CHECKING, TypeAlias

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.audiogroup import AudioGroup
from overhaul.gamemaker.data.chunks.optn import OptionFlags
from overhaul.gamemaker.data.chunks.sond import Sound, SoundFlags
from overhaul.gamemaker.data.model import GameModel
from overhaul.media.audio import AudioFormat, AudioInfo, inspect
from overhaul.media.audio_check import check

REGULAR = int(SoundFlags.REGULAR)
#: how the bytes are stored: neither for a streamed sound
HELD = int(SoundFlags.EMBEDDED | SoundFlags.COMPRESSED)
#: the bits of a sample that GameMaker writes
_BITS = (8, 16)
#: the error that a duration may have, as it was divided
_EXACT = 1e-6


def has_new_audio(game: GameModel) -> bool:
    """Whether a game uses the audio system of GameMaker: Studio, not the one of Game Maker 8."""
    options = game.options
    if game.release.major >= 2 or options is None:
        return True
    if game.release.old_options:
        return bool(options.new_audio)
    return bool(options.flags & OptionFlags.NEW_AUDIO) or not options.flags


def accept(game: GameModel, sound: Sound, data: bytes | memoryview) -> str | None:
    """Whether the game can play a file as this sound; a warning where that is not certain.

    Raises FormatError for a damaged file, EncodeError for one that the game can't play, both with
    what it can.
    """
    info = check(data)
    if sound.flags & REGULAR != REGULAR:
        return _accept_old(game, info)
    what = what_it_is(info)
    if is_streamed(sound) and info.codec != "vorbis":
        raise EncodeError(f"a streamed sound is an Ogg Vorbis file, not {what}")
    plays = f"a game of {game.version} plays WAV and Ogg Vorbis"
    if info.format is AudioFormat.MP3:
        return (
            f"{plays}; an MP3 file is silent on most systems (GameMaker itself makes Ogg Vorbis "
            "of it)"
        )
    if info.format is not AudioFormat.WAV and info.codec != "vorbis":
        raise EncodeError(f"{plays}, not {what}")
    return _about_wav(game, info)


def _about_wav(game: GameModel, info: AudioInfo) -> str | None:
    if info.format is not AudioFormat.WAV or (info.codec == "pcm" and info.bits in _BITS):
        return None
    return (
        f"a game of {game.version} may not play {what_it_is(info)}: GameMaker writes PCM of 16 bits"
    )


def _accept_old(game: GameModel, info: AudioInfo) -> str | None:
    """The audio system of Game Maker 8, which played through Windows."""
    if info.format in (AudioFormat.MP3, AudioFormat.MIDI):
        return None
    if info.format is AudioFormat.WAV:
        return _about_wav(game, info)
    raise EncodeError(
        f"this game uses the old audio system, which plays WAV, MP3 and MIDI, "
        f"not {what_it_is(info)}"
    )


def what_it_is(info: AudioInfo) -> str:
    """The words for a format."""
    if info.format is AudioFormat.WAV and info.codec != "pcm":
        return f"WAV with {info.codec or 'unknown'} samples"
    if info.format is AudioFormat.WAV:
        return f"WAV of {info.bits} bits"
    if info.format is AudioFormat.OGG:
        return f"Ogg {(info.codec or 'of an unknown kind').capitalize()}"
    if info.format is AudioFormat.UNKNOWN:
        return "an unknown kind of file"
    return info.format.name


def is_streamed(sound: Sound) -> bool:
    """Whether a sound is played from a file next to the game."""
    return sound.flags & REGULAR == REGULAR and not sound.flags & HELD


def complete(
    game: GameModel, sound: Sound, data: bytes | memoryview, given: Collection[str] = ()
) -> None:
    """Set the fields of a new sound that describe its bytes; the fields ``given`` stay."""
    info = inspect(data)
    new = has_new_audio(game)
    if "flags" not in given:
        sound.flags = REGULAR | held_as(info) if new else 0
    if sound.file is None:
        ending = info.extension
        if game.release.major >= 2 and not game.release.at_least(2, 3) and not is_streamed(sound):
            ending = ""
        sound.file = game.strings.add(f"{sound.name}{ending}")
    if sound.type is None and game.release.major < 2:
        sound.type = game.strings.add(info.extension)
    if "group" not in given and (game.release.bytecode < 14 or not new):
        sound.group = 1  # there it says that the sound is loaded at the start
    if "length" not in given:
        set_length(game, sound, info)


def held_as(info: AudioInfo) -> int:
    """The form in which a file is stored in a game: as it is played, or compressed."""
    return int(SoundFlags.EMBEDDED if info.format is AudioFormat.WAV else SoundFlags.COMPRESSED)


def describe(
    game: GameModel,
    sound: Sound,
    old: AudioFormat | None,
    data: bytes | memoryview,
    given: Collection[str] = (),
) -> None:
    """Set what a sound's record states about its bytes: type, file name, flags, length.

    ``old`` is the format that they had before; the fields ``given`` stay.
    """
    info = inspect(data)
    if info.format is not old:
        before = "" if old is None else f".{old.value}"
        if sound.type is not None and str(sound.type) == before and "type" not in given:
            sound.type = game.strings.add(info.extension)
        if before and str(sound.file or "").endswith(before) and "file" not in given:
            sound.file = game.strings.add(str(sound.file)[: -len(before)] + info.extension)
        if sound.flags & REGULAR == REGULAR and sound.flags & HELD and "flags" not in given:
            sound.flags = sound.flags & ~HELD | held_as(info)
    if "length" not in given:
        set_length(game, sound, info)


def set_length(game: GameModel, sound: Sound, info: AudioInfo) -> None:
    """Store how long a sound is, in releases that do: in whole hundredths of a second."""
    if game.release.at_least(2024, 6) and info.duration is not None:
        length = int(info.duration * 100 + _EXACT) / 100
        (sound.length,) = struct.unpack("<f", struct.pack("<f", length))


if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.sond import Audio
    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gamemaker.data.references import Reference

    AnySound: TypeAlias = Sound | Reference[Sound]


class SoundFiles:
    """The bytes of a game's sounds where they are: files next to the game are opened when they are
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
        siblings = self.game.siblings
        if siblings is None:
            return None
        try:
            data = siblings.read(name)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            self.game.findings.warn(
                "absent-file", f"the file next to the game can't be read ({error})", name
            )
            return None
        try:
            return AudioGroup.from_bytes(data, source=name)
        except FormatError as error:
            self.game.findings.warn("invalid", f"the file is ignored: {error}", name)
            return None

    def stream(self, name: str) -> bytes | None:
        """The file of a streamed sound next to the game; None where there is none."""
        if name not in self.streams:
            data = None
            own = name == name.replace("\\", "/").rpartition("/")[2]
            if self.game.siblings is not None and own:
                try:
                    data = self.game.siblings.read(name)
                except FileNotFoundError:
                    data = None
                except (OSError, ValueError) as error:
                    self.game.findings.warn(
                        "absent-file", f"the file next to the game can't be read ({error})", name
                    )
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
        document = self.document(self.file_name(group))
        return None if document is None else document.audio

    def entry_of(self, sound: AnySound) -> Audio | None:
        """The AUDO entry of a sound, in the game or in its audio group's file; None without one."""
        if not is_stored(sound):
            return None
        sounds = self.list_of(sound.group)
        if sounds is None or sound.audio >= len(sounds):
            return None
        return sounds[sound.audio]

    def bytes_of(self, sound: AnySound) -> bytes | memoryview | None:
        """The bytes of a sound, wherever they are; None where they are not there."""
        entry = self.entry_of(sound)
        if entry is not None:
            return entry.data
        name = stream_name(sound)
        return None if name is None else self.stream(name)

    def written(self) -> dict[str, bytes]:
        """The files of all groups and streamed sounds, as they would be written now."""
        files: dict[str, bytes] = {}
        for sound in self.game.records.sounds.present():
            name = stream_name(sound)
            if name is not None and (data := self.stream(name)) is not None:
                files[name] = data
        for group in range(1, len(self.game.records.audio_groups)):
            if self.game.release.bytecode < 14:
                break
            name = self.file_name(group)
            document = self.document(name)
            if document is not None:
                files[name] = document.to_bytes()
        return files


def is_stored(sound: AnySound) -> bool:
    """Whether a sound's bytes are in AUDO; those of a streamed one are in a file of its own."""
    held = sound.flags & (SoundFlags.EMBEDDED | SoundFlags.COMPRESSED)
    return bool(sound.audio >= 0) and (sound.flags & REGULAR != REGULAR or bool(held))


def stream_name(sound: AnySound) -> str | None:
    """The file next to the game that a streamed sound is played from; None for others."""
    if sound.flags & REGULAR != REGULAR or sound.flags & 3 or not sound.file:
        return None
    name = str(sound.file)
    return name if is_file_name(name) else None


def is_file_name(name: str) -> bool:
    """Whether a name is that of a file in the folder of the game."""
    return name not in ("", ".", "..") and not any(c in name for c in "/\\:\0")
