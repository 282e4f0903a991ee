"""Sounds and audio groups."""

from __future__ import annotations

import os
from base64 import b64encode
from html import escape
from typing import TypeAlias

from overhaul.document.files import write_file
from overhaul.document.notebook import html_of
from overhaul.errors import EncodeError
from overhaul.findings import Findings
from overhaul.gamemaker.data.chunks.sond import AudioGroupEntry
from overhaul.gamemaker.data.chunks.sond import Sound as SoundRecord
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import Real, Text
from overhaul.gamemaker.data.resources.names import check_new_name
from overhaul.gamemaker.data.sound_rules import (
    REGULAR,
    accept,
    complete,
    has_new_audio,
    held_as,
    is_file_name,
    is_streamed,
)
from overhaul.media.audio import AudioFormat, AudioInfo, inspect

#: A sound file: its bytes, or its path.
SoundFile: TypeAlias = bytes | bytearray | memoryview | str | os.PathLike[str]

#: the sounds that a page of a notebook plays without being asked to load much
_PLAYED = 1 << 21
_NO_STREAMS = "this game uses the old audio system, which streams no sounds"
_MIME = {"wav": "audio/wav", "ogg": "audio/ogg", "mp3": "audio/mpeg", "flac": "audio/flac"}


class Sound(Resource[SoundRecord]):
    """A sound.

    Properties that its bytes show (``format``, ``duration``, ...) are None if they are in a file
    that is not next to the game.
    """

    __slots__ = ()
    chunk = "SOND"
    _facts = ("volume", "pitch", "file_name")

    volume: Real = Real("how loud it is played: 0 to 1")
    pitch: Real = Real("as the file has it; GameMaker writes 0")
    file_name: Text = Text(
        "the file it was made from; of a streamed sound, the file next to it", "file"
    )

    @property
    def bytes(self) -> bytes | None:
        """The sound file, wherever it is stored; None where it is not there.

        Setting it is the same as :meth:`replace`.
        """
        found = self.game.audio_files.files.bytes_of(self.record)
        return None if found is None else bytes(found)

    @bytes.setter
    def bytes(self, data: SoundFile) -> None:
        self.replace(data)

    @property
    def notes(self) -> tuple[str, ...]:
        """A note that its bytes are missing, if they are."""
        there = self.game.audio_files.files.bytes_of(self.record) is not None
        return () if there else ("Its bytes are in a file that is not next to the game.",)

    def _info(self) -> AudioInfo | None:
        found = self.game.audio_files.files.bytes_of(self.record)
        return None if found is None else inspect(found)

    @property
    def format(self) -> AudioFormat | None:
        """The format that the bytes have, whatever the file is called."""
        info = self._info()
        return None if info is None else info.format

    @property
    def duration(self) -> float | None:
        """How long it is, in seconds; where the bytes are not there, what the game says of it."""
        info = self._info()
        return (self.record.length or None) if info is None else info.duration

    @property
    def sample_rate(self) -> int | None:
        """Samples per second."""
        info = self._info()
        return None if info is None else info.sample_rate

    @property
    def channels(self) -> int | None:
        """1 for mono, 2 for stereo."""
        info = self._info()
        return None if info is None else info.channels

    @property
    def embedded(self) -> bool:
        """Whether the bytes are in the game or its audio groups, not in a file of their own."""
        return not self.streamed

    @property
    def streamed(self) -> bool:
        """Whether it is played from a file next to the game."""
        return is_streamed(self.record)

    @property
    def group(self) -> AudioGroup | None:
        """Its audio group; None in games without any.

        Setting it (a group, its name or number) moves the bytes to the group's file.  Raises
        KeyError for an unknown group, EncodeError where the bytes, or the file they belong into,
        are not next to the game.
        """
        groups = self.game.records.audio_groups
        if not self.game.audio_files.files.has_groups() or not has_new_audio(self.game):
            return None
        record = groups.at(self.record.group)
        return None if record is None else AudioGroup(self.game, record)

    @group.setter
    def group(self, group: AudioGroup | str | int) -> None:
        self.game.audio_files.regroup(self.record, named_group(self.game, group))

    def replace(self, file: SoundFile) -> None:
        """Give it another file (bytes or a path): WAV, Ogg Vorbis, or what else the game plays.

        Format, length and the name of the file follow in its record.  A file that may stay silent
        is a warning of the game.  Raises FormatError for a damaged file, EncodeError for one that
        the game can't play.
        """
        data = _read(file)
        warning = accept(self.game, self.record, data)
        self.game.audio_files.set_bytes(self.record, data)
        if warning:
            self.game.findings.warn("approximated", warning, self.name)

    def embed(self) -> None:
        """Store it in the game, or in its audio group's file, if it is streamed.

        Raises EncodeError where its file is not next to the game.
        """
        if self.streamed:
            self.game.audio_files.embed(self.record)

    def stream(self, file_name: str | None = None) -> None:
        """Play it from a file next to the game, by default ``NAME.ogg``.

        Raises EncodeError for other formats than Ogg Vorbis and where its bytes are not there,
        ValueError for a file name that another streamed sound has, or with a folder.
        """
        if self.streamed and file_name in (None, self.file_name):
            return
        files = self.game.audio_files
        data = files.files.bytes_of(self.record)
        if self.record.flags & REGULAR != REGULAR:
            raise EncodeError(_NO_STREAMS)
        if data is not None:
            accept(self.game, SoundRecord(flags=REGULAR), data)
        name = files.free_stream(self.name) if file_name is None else file_name
        if not is_file_name(name):
            raise ValueError(f"expected the name of a file without a folder, got {name!r}")
        if files.is_stream(name, self.record):
            raise ValueError(f"{name!r} is the file of another streamed sound")
        files.stream_from(self.record, name)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write its bytes to a file.

        Raises FileExistsError without ``force``, FileNotFoundError where they are not there.
        """
        data = self.bytes
        if data is None:
            raise FileNotFoundError(2, f"the bytes of {self.name} are not next to the game")
        write_file(path, data, force=force)

    def _about(self) -> str:
        info = self._info()
        words = ["not next to the game" if info is None else info.format.name]
        if self.duration is not None:
            words.append(f"{self.duration:.2f} s")
        if self.streamed:
            words.append("streamed")
        return ", ".join(words)

    def _repr_html_(self) -> str:
        """A player, for notebooks; without the viewer a plain one."""
        shown = html_of(self)
        if shown is not None:
            return shown
        data = self.bytes
        found = None if data is None else _MIME.get(inspect(data).format.value)
        text = f"<p>{escape(repr(self))}</p>"
        if data is None or found is None or len(data) > _PLAYED:
            return text
        source = f"data:{found};base64,{b64encode(data).decode()}"
        return f'{text}<audio controls preload="none" src="{source}"></audio>'


class Sounds(Resources[Sound]):
    """The sounds of a game."""

    resource = Sound

    def add(
        self,
        name: str,
        file: SoundFile,
        *,
        group: AudioGroup | str | int | None = None,
        streamed: bool = False,
        volume: float = 1.0,
    ) -> Sound:
        """Add a sound: its file as bytes or a path.

        ``group`` is the audio group (by default the one in the game's own file); ``streamed`` puts
        the bytes in a file next to the game.  A file that may stay silent is a warning of the game.
        Raises ValueError for a name that is taken, KeyError for an unknown group, FormatError for a
        damaged file, EncodeError for one that the game can't play or a group whose file is not
        next to it.
        """
        data = _read(file)
        self._check_kind()
        check_new_name(self.game, self.resource.chunk, name)
        new = has_new_audio(self.game)
        if streamed and not new:
            raise EncodeError(_NO_STREAMS)
        flags = (REGULAR | (0 if streamed else held_as(inspect(data)))) if new else 0
        record = SoundRecord(flags=flags)
        given = {"flags"}
        if group is not None:
            record.group = named_group(self.game, group)
            given.add("group")
        warning = accept(self.game, record, data)
        files = self.game.audio_files
        if not streamed:
            files.check_place(record)
        made = self._add(record, name)
        made.volume = volume
        if streamed:
            record.file = self.game.strings.add(files.free_stream(name))
        complete(self.game, record, data, given)
        files.take(record, data)
        if warning:
            self.game.findings.warn("approximated", warning, name)
        return made

    def replace(self, name: str | int, file: SoundFile) -> None:
        """Give a sound another file; see :meth:`Sound.replace`."""
        self[name].replace(file)


def _read(file: SoundFile) -> bytes:
    if isinstance(file, bytes | bytearray | memoryview):
        return bytes(file)
    with open(file, "rb") as source:
        return source.read()


#: the group in the game's own file
DEFAULT = "audiogroup_default"


class AudioGroup(Resource[AudioGroupEntry]):
    """An audio group: sounds that are loaded and released together."""

    __slots__ = ()
    chunk = "AGRP"

    @property
    def file_name(self) -> str | None:
        """The file next to the game that its sounds are in; None for the group in the game's
        own."""
        return self.game.audio_files.files.file_name(self.index) if self.index else None

    @property
    def sounds(self) -> list[str]:
        """The names of its sounds."""
        index = self.index
        sounds = self.game.records.sounds.present()
        return [str(sound.name) for sound in sounds if sound.group == index]

    def _about(self) -> str:
        count = len(self.sounds)
        return f"{count} sound{'' if count == 1 else 's'}"


class AudioGroups(Resources[AudioGroup]):
    """The audio groups of a game.

    The first is in the game's own file; each other one is a file next to it, which ``game.save``
    writes.  A game of GameMaker: Studio 1 that uses none has an empty list.
    """

    resource = AudioGroup

    def add(self, name: str) -> AudioGroup:
        """Add an empty audio group.

        Raises ValueError for a name that is taken, and in a game that can't have audio groups.
        """
        _check(self.game)
        if not len(self.records) and name != DEFAULT:
            self.add(DEFAULT)
        made = self._add(AudioGroupEntry(), name)
        self.game.audio_files.set_up_group(made.index)
        return made

    def remove(
        self,
        *chosen: AudioGroup | str | int,
        force: bool = False,
        into: AudioGroup | str | int = 0,
    ) -> Findings:
        """Dissolve audio groups: their sounds, with their bytes, go to the group ``into``.

        Code knows groups by number.  Since 2024.13 the number of a dissolved group stays empty;
        in earlier releases, later groups get other numbers, which is a warning of the game if its
        code uses groups.  ``force`` changes nothing: sounds are never lost.  Raises KeyError for
        unknown groups, ValueError for the first group and for ``into`` itself, EncodeError where
        a file is not next to the game; that group and those before it stay then.
        """
        numbers = [named_group(self.game, choice) for choice in chosen]
        if 0 in numbers:
            raise ValueError("the first audio group is in the game's own file and stays")
        home = named_group(self.game, into)
        if home in numbers:
            raise ValueError("an audio group can't be dissolved into itself")
        for number in sorted(set(numbers), reverse=True):  # earlier ones keep their numbers
            before = len(self.records)
            self.game.audio_files.dissolve(number, home)
            home -= number < home and len(self.records) < before
        return Findings()


def _check(game: CodeModel) -> None:
    if not game.audio_files.files.has_groups():
        raise ValueError(
            f"a game of {game.release} has no audio groups: they begin with 1.0.0.1464"
        )
    if not has_new_audio(game):
        raise ValueError("this game uses the old audio system, which has no audio groups")


def named_group(game: CodeModel, group: AudioGroup | str | int) -> int:
    """The number of an audio group.  Raises KeyError, ValueError in a game without groups."""
    _check(game)
    records = game.records.audio_groups
    if group == 0 and isinstance(group, int) and not len(records):
        return 0
    index = records.index(group.record if isinstance(group, AudioGroup) else group)
    if records.at(index) is None and index:
        raise KeyError(f"there is no audio group number {index}")
    return index
