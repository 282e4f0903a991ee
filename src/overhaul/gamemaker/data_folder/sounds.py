"""Sounds: a JSON file, and the sound's bytes in a file with the ending of their format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import EncodeError, FormatError, PlainFileError, WorkspaceError
from overhaul.gamemaker.data.chunks.sond import Sound
from overhaul.gamemaker.data.sound_rules import accept, complete, is_stored, stream_name
from overhaul.gamemaker.data_folder import kind_folders
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.names import ReferenceNames, is_number, name_of
from overhaul.gamemaker.data_folder.resource import (
    JsonObject,
    ResourceEdit,
    ResourceFiles,
    field_names,
)
from overhaul.media.audio import sniff

#: the fields that follow from a sound's bytes
_OF_BYTES = ("flags", "type", "file", "length")
ENDINGS = (".wav", ".ogg", ".mp3", ".mid", ".flac", ".aiff", ".bin")


class SoundFiles(ResourceFiles[Sound]):
    """Sounds and their bytes, wherever the game has them; groups are shown by name."""

    def listed(self, record: Sound, stem: str, names: ReferenceNames) -> tuple[str, int | None]:
        data = names.game.audio_files.files.bytes_of(record)
        if data is None:
            return super().listed(record, stem, names)
        return f"{self.folder}/{stem}.{sniff(data).value}", len(data)

    def show(self, record: Sound, names: ReferenceNames) -> JsonObject:
        plain = super().show(record, names)
        groups = names.game.records.audio_groups
        name = name_of(groups.at(record.group))
        if name and groups.index(name) == record.group:
            plain["group"] = name
        return plain

    def parts(
        self, record: Sound, place: str, origin: str, names: ReferenceNames
    ) -> Iterator[PlainFile]:
        data = names.game.audio_files.files.bytes_of(record)
        if data is not None:
            path = f"{place}.{sniff(data).value}"
            yield PlainFile(path, partial(bytes, data), origin=f"{origin}.audio")

    def read(self, values: JsonObject, edit: ResourceEdit[Sound]) -> Sound:
        group, game = values.get("group"), edit.edits.game
        if group is None:
            values["group"] = 1 if game.release.bytecode < 14 else 0
        elif not is_number(group):
            try:
                values["group"] = game.records.audio_groups.index(str(group))
            except KeyError as error:
                raise FormatError(str(error.args[0])).within("group") from None
        record = super().read(values, edit)
        if not edit.added:
            if record.audio != edit.record.audio:
                message = "the number of a sound's bytes follows from its file"
                raise FormatError(message).within("audio").within("details")
            game.audio_files.move_later(edit.record, edit.before)
        return record

    def apply(self, edit: ResourceEdit[Sound]) -> None:
        edits, game, sound = edit.edits, edit.edits.game, edit.record
        here = [path for ending in ENDINGS if (path := edit.place + ending) in edits]
        changed = [path for path in here if path in edit.changes]
        if len(here) > 1:
            raise WorkspaceError(f"{' and '.join(here)}: there are two files for one sound")
        if edit.added:
            if here:
                data = edits.bytes(here[0])
                if "audio" not in edit.given:
                    complete(game, sound, data, edit.given)
                self._accept(edit, here[0], data)
                game.audio_files.take(sound, data)
            elif is_stored(sound) and game.audio_files.files.list_of(sound.group) is not None:
                sound.audio = -1
            return
        if not here and "removed" in edit.changes.values():
            raise PlainFileError("the sound's file is missing", edit.place)
        if changed:
            data = edits.bytes(changed[0])
            self._accept(edit, changed[0], data)
        elif (kept := game.audio_files.files.bytes_of(edit.before)) is not None and (
            stream_name(sound) is not None and stream_name(edit.before) is None
        ):
            key = "file" if sound.flags == edit.before.flags else "flags"
            self._accept(edit, f"{edit.json_path}: {key}", kept)
        self._move(edit)
        if changed:
            given = [n for n in _OF_BYTES if getattr(sound, n) != getattr(edit.before, n)]
            game.audio_files.set_bytes(sound, data, given)

    def _accept(self, edit: ResourceEdit[Sound], path: str, data: bytes | memoryview) -> None:
        """Refuse a file that is damaged or can't be played; all of a game's own files are taken."""
        edits = edit.edits
        try:
            warning = accept(edits.game, edit.record, data)
        except (EncodeError, FormatError) as error:
            if not edits.fresh:
                raise PlainFileError(str(error), path) from error
            warning = str(error)
        if warning is not None:
            edits.findings.warn("approximated", warning, path)

    def _move(self, edit: ResourceEdit[Sound]) -> None:
        """Move the sound's bytes to the place that its flags, group and file name give."""
        sound, before, now = edit.record, stream_name(edit.before), stream_name(edit.record)
        if before is None and now is None and is_stored(edit.before):
            sound.audio = edit.before.audio
            if not is_stored(sound):
                raise PlainFileError(
                    "neither 'embedded' nor 'compressed' is for a sound "
                    "that is streamed from a file next to the game, and file does not name one",
                    edit.json_path,
                    "flags",
                )
        edit.edits.game.audio_files.move(sound)
        if before != now:
            edit.edits.findings.warn(
                "changed-with-it",
                f"the sound is in {now or 'the game'} now, by its flags and its file, and no "
                f"longer in {before or 'the game'}",
                edit.json_path,
            )

    def remove(self, records: Sequence[Sound], edits: GameEdits) -> None:
        edits.game.audio_files.release(*records)


SOUNDS = SoundFiles(
    kind_folders.SOUNDS, Sound, details=field_names("audio effects"), own_endings=ENDINGS
)
