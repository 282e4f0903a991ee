"""The folder of an audio group: one file for each sound, by its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.document.folder_format import FolderFormat
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import PlainFileError
from overhaul.findings import Findings
from overhaul.gamemaker.data.audiogroup import AudioGroup
from overhaul.gamemaker.data.chunks.sond import Audio, AudioList
from overhaul.media.audio import sniff

FOLDER = "audio"


class AudioGroupFormat(FolderFormat[AudioGroup]):
    """An audio group as a folder."""

    def tree(self, group: AudioGroup) -> Iterator[Resource]:
        """The sounds."""
        for index, audio in enumerate(group.audio):
            if audio is not None:
                yield Resource("sound data", str(index), _path(index, audio), len(audio.data))

    def settings(self, group: AudioGroup) -> dict[str, object]:
        """None."""
        return {}

    def plain_files(self, group: AudioGroup, options: UnpackOptions) -> Iterator[PlainFile]:
        """One file for each sound, by its number."""
        return audio_files(enumerate(group.audio))

    def apply(self, group: AudioGroup, folder: Folder, changes: Mapping[str, Change]) -> Findings:
        """Replace, add and remove sounds as their files were."""
        apply_numbered(group.audio, folder, changes)
        return Findings()

    def empty(self, settings: Mapping[str, object]) -> AudioGroup:
        """An audio group without sounds."""
        return AudioGroup(AudioList())


FORMAT: Final = AudioGroupFormat()


def audio_files(sounds: Iterable[tuple[int, Audio | None]]) -> Iterator[PlainFile]:
    """A file for each sound without a name that is there, by its number."""
    for index, audio in sounds:
        if audio is not None:
            read = partial(bytes, audio.data)
            yield PlainFile(_path(index, audio), read, origin=f"AUDO[{index}]")


def _path(index: int, audio: Audio) -> str:
    return f"{FOLDER}/{index}.{sniff(audio.data).value}"


def apply_numbered(
    audio: list[Audio | None], folder: Folder, changes: Mapping[str, Change]
) -> None:
    """Edit a list of sounds' bytes by files called ``audio/NUMBER.ending``."""
    removed = set()
    written = set()
    for path, change in changes.items():
        head, _, rest = path.partition("/")
        if head != FOLDER:
            continue
        number = rest.partition(".")[0]
        if not (number.isascii() and number.isdigit()) or len(number) > 6:
            raise PlainFileError("a sound here is called by its number, like 0.ogg", path)
        index = int(number)
        if change == "removed":
            removed.add(index)
            continue
        if index in written:
            raise PlainFileError(f"there are two files for the sound {index}", path)
        written.add(index)
        while len(audio) <= index:
            audio.append(None)
        audio[index] = Audio(folder.read(path))
    for index in removed - written:
        if index < len(audio):
            audio[index] = None
    while audio and audio[-1] is None and removed:
        audio.pop()
