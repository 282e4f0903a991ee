"""A file in GameMaker's JSON with other values: only the lines of these differ."""

from __future__ import annotations

from overhaul.errors import EncodeError
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.texts import JsonFile
from overhaul.gamemaker.ide.values import Json, Steps
from overhaul.gamemaker.ide_merge.identities import identity_of
from overhaul.gamemaker.ide_merge.values import same


def rewritten(file: JsonFile, value: Json) -> JsonFile:
    """A file with another value.  Raises EncodeError for what no text can hold."""
    if same(file.value, value):
        return file
    if _is_usual(file):
        return JsonFile(print_text(value, file.style), file.has_mark, file.source)
    return _edited(file, value, ())


def _is_usual(file: JsonFile) -> bool:
    """Whether a file is printed in the usual way."""
    try:
        return file.printed() == file.text
    except EncodeError:
        return False


def _edited(file: JsonFile, value: Json, steps: Steps) -> JsonFile:
    own = file.at(*steps)
    if same(own, value):
        return file
    if isinstance(own, dict) and isinstance(value, dict):
        for key in [key for key in own if key not in value]:
            file = file.removed(*steps, key)
        for key, item in value.items():
            if key in own:
                file = _edited(file, item, (*steps, key))
            else:
                file = file.added(*steps, key, value=item)
        return file
    if isinstance(own, list) and isinstance(value, list):
        return _edited_list(file, own, value, steps)
    return file.replaced(*steps, value=value)


def _edited_list(file: JsonFile, own: list[Json], value: list[Json], steps: Steps) -> JsonFile:
    identity = identity_of(own, value)
    if identity is None:
        if len(own) != len(value):
            return file.replaced(*steps, value=value)
        for number, item in enumerate(value):
            file = _edited(file, item, (*steps, number))
        return file
    wanted = [identity(item) for item in value]
    here = [identity(item) for item in own]
    for number in reversed(range(len(own))):
        if here[number] not in wanted:
            file = file.removed(*steps, number)
            del here[number]
    for number, (mark, item) in enumerate(zip(wanted, value, strict=True)):
        if mark in here[number:]:
            at = here.index(mark)
            if at != number:
                moved = file.at(*steps, at)
                file = file.removed(*steps, at).added(*steps, number, value=moved)
                here.insert(number, here.pop(at))
            file = _edited(file, item, (*steps, number))
        else:
            file = file.added(*steps, number, value=item)
            here.insert(number, mark)
    return file
