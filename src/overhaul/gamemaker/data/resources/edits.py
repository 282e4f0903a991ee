"""The state of a game at one time, to go back to it: ``with game.edit(): ...``.

Decoded values are noted one by one, and those decoded later are noted then, so that the cost is
that of the values that are looked at. Going back gives the same objects their old content:
whatever a caller holds is as it was.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from overhaul.findings import Findings
from overhaul.gamemaker.data.audiogroup import AudioGroup
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeArea
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.model import Chunk
from overhaul.gamemaker.data.painting import ImageEdits
from overhaul.gamemaker.data.references import NamedList, Reference
from overhaul.gamemaker.data.sound_rules import SoundFiles
from overhaul.gamemaker.data.sounds import AudioGroups
from overhaul.gamemaker.data.strings import String, StringTable
from overhaul.gml.vm.columns import Columns

#: types that hold nothing that could change
_PLAIN = frozenset(
    {int, float, bool, str, String, bytes, memoryview, type(None), Reference, StringTable}
)
#: attributes of a game that are not noted: each is made again, forgets, or leads back to the game
_APART = (
    *("language", "pictures", "records", "siblings", "data", "evidence", "_lists", "_decoder"),
    *("when_decoded", "walks", "numbers", "sound", "found", "code_stems", "_addresses"),
)
#: the contents of the objects other than records; the rest leads back to the game or is made again
#: (tests/gamemaker/data/test_rollback.py compares the table with the classes)
_HELD: Final[dict[type, tuple[str, ...]]] = {
    Chunk: (
        *("canonical", "decoded", "end", "kept", "name", "raw", "reason", "record", "start"),
        *("trailing", "version"),
    ),
    CodeArea: ("entries", "code", "addresses", "begin"),
    Bytecode: (
        *("_columns", "_given", "_record", "_size", "_start", "_stop", "_whole", "stored"),
        "unreadable",
    ),
    Columns: ("offset", "opcode", "type1", "type2", "value", "size", "operand", "residue"),
    AudioGroups: ("files", "_moving"),
    SoundFiles: ("opened", "streams"),
    AudioGroup: ("record", "trailing", "findings", "_kept"),
    ImageEdits: (
        *("_counts", "_drawn", "_edited", "_items_known", "_on_page", "_pending", "_uses"),
        "_waiting",
    ),
}
#: attributes that are made when first asked for, and hold part of the game
_MADE = ("audio_files", "painting")


class Edits:
    """``with game.edit(): ...``: an exception inside leaves the game as it was before.

    All of it goes back: records, lists and references, strings, texture pages, sounds, code; what
    was taken out of the game before stays valid.
    """

    def __init__(self, game: CodeModel) -> None:
        self.game = game

    @contextmanager
    def __call__(self) -> Iterator[None]:
        game = self.game
        game.named("TXTR")  # pictures that wait for their page go there first
        snapshot = Snapshot(game)
        game.when_decoded.append(snapshot.note_decoded)
        try:
            yield
        except BaseException:
            snapshot.restore()
            raise
        finally:
            game.when_decoded.remove(snapshot.note_decoded)


class _ListState(NamedTuple):
    """A named list: the elements, the numbers of its references, and how many the file has."""

    decoded: list[object | None] | None
    numbers: dict[int, tuple[Reference[object], int]]
    stored: int


class Snapshot:
    """A game as it is when this is made; :meth:`restore` brings it back."""

    def __init__(self, game: CodeModel) -> None:
        self.game = game
        #: the notes, by id: the object, and its content
        self._noted: dict[int, tuple[object, Any]] = {}
        self._strings: dict[int, tuple[StringTable, list[String]]] = {}
        self._attributes = dict(game.__dict__)
        self._lists = {name: _state(each) for name, each in game._lists.items()}
        #: warnings about chunks that were decoded since
        self._findings: Findings = Findings()
        self._known = {name: True for name, slot in game.chunks.items() if slot.decoded}
        names = game.language.names if "language" in game.__dict__ else None
        self._given = None if names is None else (set(names.given), names.stored)
        for name, value in game.__dict__.items():
            if name not in _APART:
                self._note(value)
        self._note_strings()

    def note_decoded(self, findings: Findings) -> None:
        """Note the chunks that were decoded since; their content is still that of the file, and
        ``warnings`` are about them."""
        self._findings += findings
        self._attributes["string_pointers"] = self.game.string_pointers
        for name, slot in self.game.chunks.items():
            if slot.decoded and name not in self._known:
                self._known[name] = True
                self._noted.pop(id(slot), None)
                self._note(slot)
        for name, owner in self.game._lists.items():
            # those made in reading, before anything moves: everything is read before
            state = self._lists.setdefault(name, _ListState(None, {}, owner.stored))
            for reference in owner.references.values():
                state.numbers.setdefault(id(reference), (reference, reference.index))
        self._note_strings()

    def _note_strings(self) -> None:
        for table in _tables(self.game):
            self._strings.setdefault(id(table), (table, list(table)))

    def _note(self, value: object) -> None:
        noted = self._noted
        waiting = [value]
        while waiting:
            each = waiting.pop()
            kind = type(each)
            if kind in _PLAIN or id(each) in noted:
                continue
            held = _content(each)
            if held is None:
                continue
            noted[id(each)] = each, held
            if kind is list or kind is tuple or isinstance(each, msgspec.Struct):
                waiting.extend(held)
            elif kind is dict or isinstance(held, dict):
                waiting.extend(held.values())

    def restore(self) -> None:
        """Bring the game back to what it was."""
        game = self.game
        before = {name: each.decoded and list(each.decoded) for name, each in game._lists.items()}
        for each, held in self._noted.values():
            _put(each, held)
        for name in game.__dict__.keys() - self._attributes.keys():
            if name in _MADE:
                del game.__dict__[name]
        for name, value in self._attributes.items():
            game.__dict__[name] = value
        game.findings += self._findings
        for table, strings in self._strings.values():
            _put_strings(table, strings)
        for name, owner in game._lists.items():
            _put_list(owner, self._lists.get(name), before[name])
        if "pictures" in game.__dict__:
            game.__dict__["pictures"].forget_all()
        names = game.language.names
        names.given, names.stored = self._given or (set(), len(game.strings))
        game.language.forget()


def _tables(game: CodeModel) -> Iterator[StringTable]:
    yield game.no_strings
    slot = game.chunks.get("STRG")
    if slot is not None and slot.record is not None:
        yield slot.record.strings


def _content(value: object) -> Any:
    """The content of an object, as a copy that :func:`_put` restores; None for what can't change
    or is not part of a game's content."""
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.astuple(value)
    if isinstance(value, (list, array, bytearray)):
        return value[:]
    if isinstance(value, tuple):
        return value
    if isinstance(value, (dict, set)):
        return value.copy()
    if isinstance(value, np.ndarray):
        return value.copy() if value.flags.writeable else None
    names = _HELD.get(type(value))
    if names is None:
        return None
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _put(value: object, held: Any) -> None:
    if isinstance(value, msgspec.Struct):
        for name, field in zip(value.__struct_fields__, held, strict=True):
            setattr(value, name, field)
    elif isinstance(value, (list, array, bytearray)):
        value[:] = held
    elif isinstance(value, (dict, set)):
        value.clear()
        value.update(held)
    elif isinstance(value, np.ndarray):
        value[...] = held
    elif not isinstance(value, tuple):
        for name, field in held.items():
            setattr(value, name, field)


def _put_strings(table: StringTable, strings: list[String]) -> None:
    """Put the entries of a table back; those that took their places since show them again."""
    replaced = [(old.current, old) for old in strings if old.later is not None]
    list.__setitem__(table, slice(None), strings)
    table.edits += 1
    table.forget()
    for new, old in replaced:
        new.later = old


def _state(owner: NamedList[object]) -> _ListState:
    numbers = {
        id(reference): (reference, reference.index) for reference in owner.references.values()
    }
    return _ListState(owner.decoded, numbers, owner.stored)


def _put_list(
    owner: NamedList[object], state: _ListState | None, before: list[object] | None
) -> None:
    """Put a list and the numbers of its references back; references made since follow what they
    referred to."""
    newer = list(owner.references.values())
    if state is None:
        state = _ListState(None, {}, owner.stored)
    owner.decoded, owner.stored = state.decoded, state.stored
    owner._names = {}
    owner.references = {}
    for reference, number in state.numbers.values():
        reference.index = number if number < len(owner) else -1
        if reference.index >= 0:
            owner.references[number] = reference
    if before is None:
        for reference in newer:
            owner.references.setdefault(reference.index, reference)
        return
    places = {id(item): number for number, item in enumerate(owner.items) if item is not None}
    for reference in newer:
        if id(reference) not in state.numbers:
            target = before[reference.index] if reference.index < len(before) else None
            reference.index = places.get(id(target), -1)
            if reference.index >= 0:
                owner.references.setdefault(reference.index, reference)
