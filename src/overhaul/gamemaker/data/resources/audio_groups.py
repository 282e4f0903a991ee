"""Audio groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gamemaker.data.chunks.sond import AudioGroupEntry
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.sound_rules import has_new_audio

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel

#: the group in the game's own file
DEFAULT = "audiogroup_default"


class AudioGroup(Resource[AudioGroupEntry]):
    """An audio group: sounds that are loaded and released together."""

    __slots__ = ()
    chunk = "AGRP"

    @property
    def file_name(self) -> str | None:
        """The file beside the game that its sounds are in; None for the group in the game's own."""
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

    The first is in the game's own file; each other one is a file beside it, which ``game.save``
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
    ) -> list[str]:
        """Dissolve audio groups: their sounds, with their bytes, go to the group ``into``.

        Code knows groups by number.  Since 2024.13 the number of a dissolved group stays empty;
        in earlier releases, later groups get other numbers, which is a warning of the game if its
        code uses groups.  ``force`` changes nothing: sounds are never lost.  Raises KeyError for
        unknown groups, ValueError for the first group and for ``into`` itself, EncodeError where
        a file is not beside the game; that group and those before it stay then.
        """
        numbers = [named_group(self.game, each) for each in chosen]
        if 0 in numbers:
            raise ValueError("the first audio group is in the game's own file and stays")
        home = named_group(self.game, into)
        if home in numbers:
            raise ValueError("an audio group can't be dissolved into itself")
        for number in sorted(set(numbers), reverse=True):  # those before keep their numbers
            before = len(self.records)
            self.game.audio_files.dissolve(number, home)
            home -= number < home and len(self.records) < before
        return []


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
