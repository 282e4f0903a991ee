"""The words of the editor for dialogs: see :mod:`overhaul.ags.folder.words`."""

from __future__ import annotations

from typing import Final

from overhaul.ags.folder.words import PROPERTIES, defaults
from overhaul.ags.game import extensions, kinds, resources
from overhaul.ags.marks import words
from overhaul.ags.shapes import Hints, Json, ListOf, Named, Object, Word
from overhaul.document.hints import ANY
from overhaul.errors import FormatError
from overhaul.folder.json_fields import at_key, expect_list, expect_object


class _Options(Word):
    """The options of a dialog before 3.6.3, which are stored in three lists of 30."""

    def hints(self) -> Hints:
        return {"Options": (ListOf(_OPTION).hint(ANY), None)}

    def show(self, given: Json, shown: Json) -> None:
        lists = [given.get(name) for name in ("options", "option_flags", "entry_points")]
        count = given.get("option_count")
        texts, flags, points = lists
        if not (
            isinstance(texts, list) and isinstance(flags, list) and isinstance(points, list)
            and isinstance(count, int) and 0 <= count <= len(texts) == len(flags) == len(points)
        ):  # fmt: skip
            return
        for name in ("options", "option_flags", "entry_points", "option_count"):
            del given[name]
        rows = []
        for text, flag, point in zip(texts, flags, points, strict=True):
            stored: Json = {"text": text, "flags": flag}
            row = _OPTION.shown({**stored, "entry_point": point} if point else stored)
            rows.append(row)
        shown["Options"] = rows[:count]
        left = {
            str(number + 1): row
            for number, row in enumerate(rows[count:], count)
            if row != _NO_OPTION
        }
        if left:
            shown["UnusedOptions"] = left

    def read(self, given: Json, stored: Json) -> None:
        if "Options" not in given:
            return
        rows: list[Json] = [{}] * 30
        with at_key("Options"):
            options = expect_list(given.pop("Options"))
            if len(options) > len(rows):
                raise FormatError(f"a dialog has at most {len(rows)} options, got {len(options)}")
            for number, item in enumerate(options):
                with at_key("", number):
                    rows[number] = self._stored(expect_object(item))
        with at_key("UnusedOptions"):
            for key, item in expect_object(given.pop("UnusedOptions", {})).items():
                with at_key(key):
                    number = int(key) - 1 if key.isdecimal() and len(key) < 3 else -1
                    if not len(options) <= number < len(rows):
                        raise FormatError(
                            f"expected a number from {len(options) + 1} to {len(rows)}"
                        )
                    rows[number] = self._stored(expect_object(item))
        stored["options"] = [row.get("text", "") for row in rows]
        stored["option_flags"] = [row.get("flags", 0) for row in rows]
        stored["entry_points"] = [row.get("entry_point", 0) for row in rows]
        stored["option_count"] = len(options)

    @staticmethod
    def _stored(shown: Json) -> Json:
        stored = _OPTION.stored(shown)
        unknown = stored.keys() - {"text", "flags", "entry_point"}
        if unknown:
            raise FormatError(f"unknown field {min(unknown)!r}")
        return stored


_OPTION: Final = Object(words(0, "text flags", extensions.NewDialogOption))
_NO_OPTION: Final = {"Text": "", "Show": False, "Say": True}


def dialog(version: int) -> Object:
    """A dialog."""
    new_option = Object(
        words(version, "text flags", extensions.NewDialogOption),
        defaults(extensions.NewDialogOption, version),
    )
    return Object(
        [
            *words(version, "script_name flags", extensions.NewDialog),
            _Options(),
            _NewOptions("Options", "options", ListOf(new_option)),
            *words(version, "script", kinds.DIALOGS.marks),
            PROPERTIES,
        ],
        {**defaults(resources.Dialog, version), **defaults(extensions.NewDialog)},
    )


class _NewOptions(Named):
    """The options of a dialog from 3.6.3 on, where the ones before have no such word."""

    def read(self, given: Json, stored: Json) -> None:
        if "options" not in stored:
            super().read(given, stored)
