"""Changing where the bytes of sounds are: in the game, in audio groups, in files next to it."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, Sequence

from overhaul.errors import EncodeError
from overhaul.findings import Findings
from overhaul.gamemaker.data.audiogroup import AudioGroup
from overhaul.gamemaker.data.chunks.sond import Audio, AudioList, Sound, SoundFlags
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.sound_rules import (
    HELD,
    SoundFiles,
    describe,
    held_as,
    is_stored,
    stream_name,
)
from overhaul.media import audio as sniffing

#: The fields that say where the bytes of a sound are.
_PLACE = ("file", "flags", "group")


class AudioGroups:
    """Adds, removes and moves the bytes of a game's sounds; ``files`` is their place."""

    def __init__(self, game: GameModel) -> None:
        self.game = game
        self.files: SoundFiles = SoundFiles(game)
        #: where the bytes of sounds are whose records say already where they shall be
        self._moving: dict[int, Sound] = {}

    def _places(self, without: Sound | None = None) -> list[Sound]:
        """All sounds (but one), as records that say where their bytes are."""
        moving = self._moving
        sounds = self.game.records.sounds.present()
        return [moving.get(id(sound), sound) for sound in sounds if sound is not without]

    def set_bytes(self, sound: Sound, data: bytes, given: Collection[str] = ()) -> None:
        """Give a sound other bytes, and update its record; the fields ``given`` stay.

        Another sound with the same bytes keeps them.
        """
        old = self.files.bytes_of(sound)
        if old is not None and bytes(old) == data:
            return
        before = None if old is None else sniffing.sniff(old)
        name = stream_name(sound)
        if name is not None:
            if any(stream_name(other) == name for other in self._places(sound)):
                sound.file = self.game.strings.add(self.free_stream(str(sound.name)))
            self.files.streams[str(sound.file)] = data
            describe(self.game, sound, before, data, given)
            return
        entries = self._list_for(sound)
        shared = [
            other
            for other in self._places(sound)
            if is_stored(other)
            and other.audio == sound.audio
            and self.files.list_of(other.group) is entries
        ]
        if old is None or shared:
            sound.audio = len(entries)
            entries.append(Audio(data))
            if not is_stored(sound):
                sound.flags |= int(SoundFlags.EMBEDDED)
        else:
            entries[sound.audio] = Audio(data)
        describe(self.game, sound, before, data, given)

    def take(self, sound: Sound, data: bytes) -> None:
        """The bytes of a new sound; ``sound.audio`` is the place it asks for, if that is free."""
        name = stream_name(sound)
        if name is not None:
            self.files.streams[name] = data
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

    def check_place(self, sound: Sound) -> None:
        """Raise EncodeError if the bytes of a new sound have no place."""
        self._list_for(sound)

    def is_stream(self, name: str, without: Sound) -> bool:
        """Whether another streamed sound has a file of this name."""
        name = name.casefold()
        return any((stream_name(s) or "").casefold() == name for s in self._places(without))

    def free_stream(self, name: str) -> str:
        """A file name for a streamed sound that no other has, made of the sound's name."""
        taken = {(stream_name(place) or "").casefold() for place in self._places()}
        number = 1
        while (name_ := f"{name}{'' if number == 1 else f'_{number}'}.ogg").casefold() in taken:
            number += 1
        return name_

    def _list_for(self, sound: Sound) -> list[Audio | None]:
        """The list a sound's bytes belong in; a new one for a group that is empty so far.

        Raises EncodeError where other sounds are in the group's file, and that is not there.
        """
        sounds = self.files.list_of(sound.group)
        if self.files.in_game(sound.group) and "AUDO" not in self.game.chunks:
            raise EncodeError("this game has no chunk AUDO, which the bytes of sounds are in")
        if sounds is None:
            name = self.files.file_name(sound.group)
            if len(self.game.data):
                others = [s for s in self.absent().get(name, ()) if s.name != sound.name]
                if others:
                    raise EncodeError(
                        f"{sound.name} belongs into {name}, which is not next to the game and has "
                        f"{others[0].name} already"
                    )
            document = AudioGroup(AudioList())
            self.files.opened[name] = document
            sounds = document.audio
        return sounds

    def absent(self) -> dict[str, list[Sound]]:
        """The sounds whose bytes are in files that are not next to the game, by their name."""
        by_name: dict[str, list[Sound]] = {}
        for sound in self._places():
            if is_stored(sound):
                if self.files.list_of(sound.group) is None:
                    by_name.setdefault(self.files.file_name(sound.group), []).append(sound)
            elif (name := stream_name(sound)) is not None and self.files.stream(name) is None:
                by_name.setdefault(name, []).append(sound)
        return by_name

    def move_later(self, sound: Sound, before: Sound) -> None:
        """Remember where the bytes of a sound are, before its record changes."""
        self._moving[id(sound)] = before

    def move(self, sound: Sound) -> None:
        """Move the bytes of a sound to the place that its record names.

        Raises EncodeError where the bytes, or the file that they belong into, are not there.
        """
        before = self._moving.pop(id(sound), None)
        if before is None:
            return
        sound.audio = before.audio
        old, new = stream_name(before), stream_name(sound)
        stored = is_stored(before)
        here = not stored or self.files.in_one_file(before.group, sound.group)
        if old == new and stored == is_stored(sound) and here:
            return
        data = self.files.bytes_of(before)
        if data is None:
            if not stored and old is None:
                return
            keys = [key for key in _PLACE if getattr(sound, key) != getattr(before, key)]
            raise EncodeError(
                f"{' and '.join(keys)}: the bytes of {sound.name} can't be moved: they are in "
                f"{old or self.files.file_name(before.group)}, which is not next to the game"
            )
        data = bytes(data)
        if new is not None:
            self.files.set_stream(new, data)
            sound.audio = -1
        else:
            entries = self._list_for(sound)
            entries.append(Audio(data))
            sound.audio = len(entries) - 1
        self.release(before)

    def release(self, *gone: Sound) -> None:
        """Drop the bytes that no sound refers to any longer; ``gone`` are records that say
        where."""
        places = self._places()
        taken = {stream_name(place) for place in places}
        for name in {stream_name(sound) for sound in gone} - taken - {None}:
            self.files.streams[str(name)] = None
        stored = {
            (0 if self.files.in_game(sound.group) else sound.group, sound.audio)
            for sound in gone
            if stream_name(sound) is None and is_stored(sound)
        }
        for group, index in sorted(stored, reverse=True):  # earlier ones keep their places
            entries = self.files.list_of(group)
            near = [p for p in places if is_stored(p) and self.files.in_one_file(p.group, group)]
            used = any(place.audio == index for place in near)
            if entries is not None and index < len(entries) and not used:
                _take_out(entries, index, near)

    def set_up_group(self, index: int) -> None:
        """Give a new audio group its file, which is empty so far."""
        entry = self.game.records.audio_groups.at(index)
        if entry is not None and self.game.release.at_least(2024, 14):
            entry.path = self.game.strings.add(f"{entry.name}.dat")
        if index > 0:
            self.files.opened[self.files.file_name(index)] = AudioGroup(AudioList())

    def dissolve(self, index: int, into: int) -> None:
        """Take an audio group out of the game; its sounds are in another then.

        Since 2024.13 its number stays empty; before, later groups get other numbers and files.
        Raises EncodeError where the bytes of its sounds, or a file that gets another name, are not
        there; the game is as before then.
        """
        game = self.game
        groups = game.records.audio_groups
        name = str(groups[index].name)
        mine = [sound for sound in game.records.sounds.present() if sound.group == index]
        needed = {index, into} if any(map(is_stored, mine)) else set()
        last = index == len(groups) - 1
        keeps_numbers = last or game.release.at_least(2024, 13)
        if not keeps_numbers:
            needed |= {number for number in range(index + 1, len(groups)) if self._is_used(number)}
        for number in sorted(needed):
            if self.files.list_of(number) is None and self._is_used(number):
                raise EncodeError(f"{self.files.file_name(number)} is not next to the game")
        for sound in mine:
            self.regroup(sound, into)
        files = [
            self.files.document(self.files.file_name(n)) if n else None for n in range(len(groups))
        ]
        if last:
            groups.remove(index)
        elif keeps_numbers:
            groups.items[index] = None
        else:
            groups.remove(index)
            for sound in game.records.sounds.present():
                if sound.group > index:
                    sound.group -= 1
            del files[index]
            self.files.opened.update(
                {self.files.file_name(n): files[n] for n in range(1, len(files))}
            )
        self._report_numbers(name, index, keeps_numbers)

    def _report_numbers(self, name: str, index: int, keeps_numbers: bool) -> None:
        """Warn where code may load a removed group, by its number."""
        functions = [str(function.name) for function in self.game.functions.present()]
        if any(name.startswith("audio_group") for name in functions):
            others = "" if keeps_numbers else ", and the audio groups after it by the old numbers"
            self.game.findings.warn(
                "renumbered",
                f"code that uses audio groups knows {name} as the number {index}{others}",
            )

    def _is_used(self, group: int) -> bool:
        return any(s.group == group and is_stored(s) for s in self.game.records.sounds.present())

    def regroup(self, sound: Sound, group: int) -> None:
        """Move a sound, and its bytes, to another audio group.

        Raises EncodeError where the bytes, or the file that they belong into, are not there.
        """
        self._to(sound, group=group)

    def embed(self, sound: Sound) -> None:
        """Bring the bytes of a streamed sound into the game, or into its audio group's file."""
        data = self.files.bytes_of(sound)
        if data is None:
            raise EncodeError(f"{sound.file}, the file of {sound.name}, is not next to the game")
        self._to(sound, flags=sound.flags & ~HELD | held_as(sniffing.inspect(data)))

    def stream_from(self, sound: Sound, name: str) -> None:
        """Bring the bytes of a sound into a file of this name next to the game."""
        self._to(sound, flags=sound.flags & ~HELD, file=self.game.strings.add(name))

    def _to(self, sound: Sound, **fields: object) -> None:
        """Change the place of a sound's bytes in its record, and move them; all or nothing."""
        before = copy.copy(sound)
        for field, value in fields.items():
            setattr(sound, field, value)
        self.move_later(sound, before)
        try:
            self.move(sound)
        except EncodeError:
            for field in fields:
                setattr(sound, field, getattr(before, field))
            raise

    def close_gaps(self) -> None:
        """Take out the empty entries of the game's own AUDO and of its groups' files.

        Raises EncodeError where a sound refers to one.
        """
        sounds = [sound for sound in self.game.records.sounds.present() if is_stored(sound)]
        count = len(self.game.records.audio_groups) if self.game.release.bytecode >= 14 else 1
        for group in range(max(count, 1)):
            entries = self.files.list_of(group)
            mine = [sound for sound in sounds if self.files.in_one_file(sound.group, group)]
            for index in range(len(entries or ()) - 1, -1, -1):
                if entries is None or entries[index] is not None:
                    continue
                here = [sound for sound in mine if sound.audio == index]
                if here:
                    name = self.files.file_name(group)
                    raise EncodeError(f"{here[0].name} has no file, but is in {name} with others")
                _take_out(entries, index, mine)

    def unnamed(self) -> list[int]:
        """The entries of the game's own AUDO that belong to no sound."""
        main = self.files.list_of(0)
        used = {
            sound.audio
            for sound in self.game.records.sounds.present()
            if is_stored(sound) and self.files.list_of(sound.group) is main
        }
        return [
            index
            for index, entry in enumerate(self.game.audio)
            if entry is not None and index not in used
        ]


def absent_files(absent: Mapping[str, Sequence[Sound]]) -> Findings:
    """Warnings of files that are not next to the game; ``absent`` are the sounds in each."""
    findings = Findings()
    groups = {name for name in absent if name.endswith(".dat")}
    for name in sorted(groups):
        sounds = _some([str(sound.name) for sound in absent[name]])
        findings.warn(
            "absent-file",
            f"it is not next to the game: there is no file for the sounds {sounds}",
            name,
        )
    if streamed := sorted(absent.keys() - groups):
        findings.warn(
            "absent-file", f"files of streamed sounds are not next to the game: {_some(streamed)}"
        )
    return findings


def _some(names: list[str]) -> str:
    """The first of many names, and how many there are."""
    return ", ".join(names[:3]) + (f", ... ({len(names)} in all)" if len(names) > 3 else "")


def _take_out(entries: list[Audio | None], index: int, sounds: list[Sound]) -> None:
    """Take out an entry; the sounds at later ones follow."""
    del entries[index]
    for sound in sounds:
        if sound.audio > index:
            sound.audio -= 1
