"""What a game's release makes of a sound: which files it plays, and what a record says of one."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.optn import OptionFlags
from overhaul.gamemaker.data.chunks.sond import Sound, SoundFlags
from overhaul.media.audio import AudioFormat, AudioInfo, inspect
from overhaul.media.audio_check import check

if TYPE_CHECKING:
    from collections.abc import Collection

    from overhaul.gamemaker.data.model import GameModel

REGULAR = int(SoundFlags.REGULAR)
#: how the bytes are stored: neither for a streamed sound
HELD = int(SoundFlags.EMBEDDED | SoundFlags.COMPRESSED)
#: the bits of a sample that GameMaker writes
_BITS = (8, 16)
#: what a duration may lack of the number it is, as it was divided
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
    """A format in words."""
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
    """Whether a sound is played from a file beside the game."""
    return sound.flags & REGULAR == REGULAR and not sound.flags & HELD


def complete(
    game: GameModel, sound: Sound, data: bytes | memoryview, given: Collection[str] = ()
) -> None:
    """Set what the record of a new sound says of its bytes; the fields ``given`` stay."""
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
    """How a file is stored in a game: as it is played, or compressed."""
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
