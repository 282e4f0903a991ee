"""Dialogs before 3.1 in a folder: ``dialogs/dBarman.ads``, the lines as their author wrote them.

Game data has the lines with the code of each dialog, and the texts that all of them say.  Where the
lines of all dialogs give this code, only they are files, and ``pack`` makes the rest of them;
otherwise lines and code stay in JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from overhaul.ags.folder.dialogs import ENDING
from overhaul.ags.game.old_dialogs import CompiledDialog, CompiledDialogs, compile_dialogs
from overhaul.ags.shapes import Json
from overhaul.ags.text import is_foreign
from overhaul.errors import FormatError, SourceError, WorkspaceError
from overhaul.folder.json_fields import at_key, in_file

DIALOGS: Final = "dialogs"
#: The texts of all dialogs: in game data from 2.5 on, and before.
SAID: Final = ("speech_lines", "dialog_messages")
#: Versions of game data that have all lines in one text.
_ONE_TEXT: Final = range(13, 26)
_SCRIPT: Final = "script"
_END: Final = "\0"


class OldDialogs:
    """The names that lines of dialogs can use, and how game data of a version stores the lines.

    ``shown`` gives a text as people read it.
    """

    def __init__(
        self, characters: Iterable[str], version: int, shown: Callable[[str], str] = str
    ) -> None:
        self._shown = shown
        self._characters = [name.partition(_END)[0] for name in characters]
        self._version = version

    def take_out(self, stored: Json) -> list[str]:
        """The lines of each dialog, which are taken out of the stored object with all that follows
        from them; an empty list, and nothing is changed, where they do not give its code."""
        rows, said = _rows(stored), stored.get(self._said(stored))
        lines = [_lines(row) for row in rows]
        if not rows or said is None:
            return []
        texts = {str(number): text for number, text in enumerate(lines) if text is not None}
        if len(texts) < len(rows) or any(is_foreign(self._shown(text)) for text in texts.values()):
            return []
        try:
            made = self._compiled(texts, rows)
        except SourceError:
            return []
        if self._said_as_stored(made, self._said(stored)) != said:
            return []
        left = []
        for row, dialog in zip(rows, made.dialogs, strict=True):
            script, points = row[_SCRIPT], row["entry_points"]
            assert isinstance(script, dict)
            assert isinstance(points, list)
            entries = {number: at for number, at in dialog.entries.items() if number}
            same = all(
                number <= len(points) and points[number - 1] == at for number, at in entries.items()
            )
            if (
                script["code"] != (dialog.code or "")
                or not same
                or _start(dialog) != row["start_entry"]
            ):
                return []
            left.append([0 if at + 1 in entries else point for at, point in enumerate(points)])
        for row, points in zip(rows, left, strict=True):
            del row[_SCRIPT]
            row["entry_points"], row["start_entry"] = points, 0
        del stored[self._said(stored)]
        return [self._shown(text).replace("\r\n", "\n") for text in texts.values()]

    def put_in(self, stored: Json, texts: Mapping[str, str], paths: Sequence[str]) -> None:
        """Add what follows from the lines to a stored object; ``texts`` are the lines by the paths
        of their files, ``paths`` are those that the dialogs have.

        Raises WorkspaceError, and SourceError with the file and the line.
        """
        rows = _rows(stored)
        unknown = sorted(texts.keys() - set(paths))
        if unknown:
            raise WorkspaceError(
                f"{unknown[0]}: there is no {unknown[0].removesuffix(ENDING)}.json"
            )
        missing = [path for path in paths if path not in texts]
        if missing:
            raise WorkspaceError(f"{missing[0]} is missing: its dialog would have no lines")
        for path, row in zip(paths, rows, strict=True):
            if _SCRIPT in row:
                with in_file(f"{path.removesuffix(ENDING)}.json"), at_key("Script"):
                    raise FormatError(f"{path} has the lines of the dialog, too")
        made = self._compiled({path: texts[path] for path in paths}, rows)
        for path, row, dialog in zip(paths, rows, made.dialogs, strict=True):
            text = texts[path].replace("\r\n", "\n").replace("\n", "\r\n") + _END
            row[_SCRIPT] = {"code": dialog.code or "", "text": text}
            given = row.get("entry_points")
            points = given if isinstance(given, list) else [0] * self._most
            for number, at in dialog.entries.items():
                if number:
                    points[number - 1] = at
            row["entry_points"], row["start_entry"] = points, _start(dialog)
        key = SAID[0] if self._version > _ONE_TEXT.start - 1 else SAID[1]
        stored[key] = self._said_as_stored(made, key)

    @property
    def _most(self) -> int:
        return 30 if self._version >= _ONE_TEXT.start else 15

    def _said(self, stored: Json) -> str:
        return next((key for key in SAID if key in stored), "")

    def _compiled(self, texts: Mapping[str, str], rows: Sequence[Json]) -> CompiledDialogs:
        names = [str(row.get("script_name", "")) for row in rows]
        return compile_dialogs(texts, self._characters, names, self._most)

    def _said_as_stored(self, made: CompiledDialogs, key: str) -> list[str]:
        if key == SAID[1]:
            return made.lines
        lines = [line + _END for line in made.lines]
        return ["".join(lines)] if self._version in _ONE_TEXT else lines


def _start(dialog: CompiledDialog) -> int:
    """Where a dialog begins; -1 if it only has options."""
    return dialog.entries.get(0, -1) if dialog.code else 0


def _rows(stored: Json) -> list[Json]:
    rows = stored.get(DIALOGS)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _lines(row: Json) -> str | None:
    """The lines of a dialog; None for a text that a file can't store unchanged."""
    script = row.get(_SCRIPT)
    text = script.get("text") if isinstance(script, dict) else None
    if not isinstance(text, str) or not text.endswith(_END):
        return None
    text = text.removesuffix(_END)
    plain = text.replace("\r\n", "")
    return None if {_END, "\r", "\n"} & set(plain) else text
