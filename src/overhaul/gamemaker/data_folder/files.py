"""Chunks that are one JSON file each: general, options, scripts, groups, tags, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from overhaul.errors import EncodeError, FormatError, WorkspaceError
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.scpt import Script, ScriptCode
from overhaul.gamemaker.data.painting import list_in_group
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data_folder.kinds import FILE_DETAILS, FILES
from overhaul.gamemaker.data_folder.plain import (
    overlay,
    read_reference,
    replace_fields,
    settle_counts,
)
from overhaul.gamemaker.data_folder.view import name_of
from overhaul.schema import Pointers, fields_of
from overhaul.schema.jsonable import from_jsonable, list_from_plain

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data_folder.applying import Applier

#: files whose elements others refer to by name
_NAMED = ("AGRP", "TGIN", "FEDS", "SCPT")
_PLAIN_LISTS = {"GLOB": "code", "GMEN": "code", "FEAT": "flags"}
#: what is read last, because it refers to everything
_READ_ORDER = ("GEN8", "AGRP", "SCPT", "OPTN", "LANG", "GLOB", "GMEN", "FEAT", "FEDS", "TGIN",
               "TAGS", "UILR")  # fmt: skip


class FileEdits:
    """Changed files of whole chunks."""

    def __init__(self, applier: Applier) -> None:
        self.applier = applier
        self.game: GameData = applier.game
        self.changed = [
            chunk
            for chunk in _READ_ORDER
            if FILES[chunk] in applier.changes and applier.changes[FILES[chunk]] != "removed"
        ]

    def prepare(self) -> None:
        """Make elements that others may name: audio groups and scripts."""
        for chunk in self.changed:
            self._check_present(chunk)
        for chunk in ("AGRP", "SCPT"):
            if chunk in self.changed:
                self._guard(chunk, self._add_named)

    def run(self) -> None:
        """Read the files."""
        for chunk in self.changed:
            self._guard(chunk, self._read)

    def _guard(self, chunk: str, read: Any) -> None:
        path = FILES[chunk]
        try:
            read(chunk, self.applier.json(path))
        except (FormatError, EncodeError) as error:
            raise WorkspaceError(f"{path}: {error}") from None
        except RecursionError:
            raise WorkspaceError(f"{path}: nested too deeply") from None

    def _check_present(self, chunk: str) -> None:
        if chunk not in self.game.slots:
            raise WorkspaceError(
                f"{FILES[chunk]}: a game of {self.game.version} has nothing of this kind"
            )

    # -- named elements -----------------------------------------------------------------------

    def _add_named(self, chunk: str, plain: Any) -> None:
        owner = self.game.named(chunk)
        for name in _names_in(chunk, plain):
            if name is not None and name not in owner:
                owner.append(self._element(chunk)(name=self.game.strings.add(name)))

    @staticmethod
    def _element(chunk: str) -> Any:
        if chunk == "SCPT":
            return Script
        record = CHUNKS[chunk].load()
        for field in fields_of(record):
            if field.name == CHUNKS[chunk].items:
                return field.codec.element.record  # type: ignore[attr-defined]
        raise KeyError(chunk)

    # -- reading ------------------------------------------------------------------------------

    def _read(self, chunk: str, plain: Any) -> None:
        if chunk == "SCPT":
            self._read_scripts(plain)
        elif chunk in _PLAIN_LISTS:
            self._read_list(chunk, plain)
        elif chunk == "UILR":
            self._read_nodes(plain)
        elif chunk in _NAMED:
            self._read_named(chunk, plain)
        else:
            self._read_record(chunk, plain)

    def _read_record(self, chunk: str, plain: Any) -> None:
        if not isinstance(plain, dict):
            raise FormatError("expected an object")
        values = dict(plain)
        details = values.pop("details", {})
        if not isinstance(details, dict):
            raise FormatError("expected an object").within("details")
        misplaced = details.keys() - FILE_DETAILS.get(chunk, frozenset())
        if misplaced:
            raise FormatError("there is no such detail").within(min(misplaced)).within("details")
        record = self.game.chunk(chunk)
        base = record if self.applier.fresh else None
        scheme = self.applier.view.names.scheme
        new = from_jsonable(type(record), {**values, **details}, scheme, base=base)
        settle_counts(new)
        if chunk == "LANG":
            new.language_count, new.entry_count = len(new.languages), len(new.entry_ids)
        merged = overlay(record, new)
        if merged is not record:
            replace_fields(record, merged, frozenset())

    def _read_list(self, chunk: str, plain: Any) -> None:
        if not isinstance(plain, list):
            raise FormatError("expected a list")
        record = self.game.chunk(chunk)
        read = self.applier.view.names.scheme.read["string" if chunk == "FEAT" else "CODE"]
        values = []
        for index, item in enumerate(plain):
            try:
                values.append(read(item))
            except FormatError as error:
                raise error.within("", index) from None
        name = _PLAIN_LISTS[chunk]
        setattr(record, name, overlay(getattr(record, name), values))

    def _read_nodes(self, plain: Any) -> None:
        record = self.game.chunk("UILR")
        field = next(f for f in fields_of(type(record)) if f.name == "nodes")
        assert isinstance(field.codec, Pointers)
        nodes = list_from_plain(field.codec.element, plain, self.applier.view.names.scheme)
        for node in nodes:
            settle_counts(node)
        record.nodes = overlay(record.nodes, nodes)

    def _read_named(self, chunk: str, plain: Any) -> None:
        if not isinstance(plain, list):
            raise FormatError("expected a list")
        owner = self.game.named(chunk)
        element = self._element(chunk)
        scheme = self.applier.view.names.scheme
        new: list[Any] = []
        left = list(owner.items)
        for index, item in enumerate(plain):
            if item is None:
                new.append(None)
                continue
            try:
                record = from_jsonable(element, item, scheme)
            except FormatError as error:
                raise error.within("", index) from None
            old = next((o for o in left if o is not None and _same_name(o, record)), None)
            if old is None and index < len(owner) and len(plain) == len(owner):
                old = owner.items[index]  # renamed in place
            if old is not None:
                left = [o for o in left if o is not old]
                replace_fields(old, overlay(old, record), frozenset())
                record = old
            new.append(record)
        _put(owner, new, self.applier.fresh)

    def _read_scripts(self, plain: Any) -> None:
        game = self.game
        owner = game.scripts
        code = game.named("CODE")
        listed: list[Any] = []
        for name, value in _scripts(plain):
            if name is None:
                listed.append(None)
                continue
            constructor = isinstance(value, dict) and "constructor" in value
            try:
                entry = read_reference(code, value["constructor"] if constructor else value)
            except FormatError as error:
                raise error.within(name) from None
            same = [s for s in owner if s is not None and name_of(s) == name]
            fitting = [s for s in same if not any(s is known for known in listed)]
            script = fitting[0] if fitting else Script(game.strings.add(name))
            if script.code != ScriptCode(entry, constructor):
                script.code = ScriptCode(entry, constructor)
            listed.append(script)
        names = {name_of(script) for script in listed if script is not None}
        new_children = [
            script
            for script in owner
            if script is not None and name_of(script) not in names and self._is_new_child(script)
        ]
        _put(owner, [*listed, *new_children], self.applier.fresh)

    def _is_new_child(self, script: Any) -> bool:
        """Whether a script that the file does not list came with code that was just read."""
        entry = script.code.entry
        return isinstance(entry, Reference) and getattr(entry.target, "root", None) is not None

    # -- what follows ---------------------------------------------------------------------------

    def finish(self, known: set[int]) -> None:
        """Enter new resources where every game lists them, if no file said how.

        ``known``: the texture page items that textures.json told of.
        """
        game = self.game
        if "GEN8" not in self.changed or self._says_nothing_of_rooms():
            order = game.general.room_order
            listed = {entry.index for entry in order if isinstance(entry, Reference)}
            for index, room in enumerate(game.rooms):
                if self._is_new(room) and index not in listed:
                    order.append(game.rooms.reference(index))
        for chunk in ("SPRT", "FONT", "BGND"):
            for record in game.named(chunk):
                if not self._is_new(record):
                    continue
                items = record.textures if chunk == "SPRT" else [record.texture]
                if any(item is not None and id(item) not in known for item in items):
                    list_in_group(game, chunk, record)

    def _is_new(self, record: Any) -> bool:
        return record is not None and (self.applier.fresh or id(record) in self.applier.added)

    def _says_nothing_of_rooms(self) -> bool:
        plain = self.applier.json(FILES["GEN8"])
        return not isinstance(plain, dict) or "room_order" not in plain


def _names_in(chunk: str, plain: Any) -> list[Any]:
    if chunk == "SCPT":
        return [name for name, _ in _scripts(plain)]
    if not isinstance(plain, list):
        raise FormatError("expected a list")
    names = [item.get("name") if isinstance(item, dict) else None for item in plain]
    return [name if isinstance(name, str) else None for name in names]


def _scripts(plain: Any) -> list[tuple[str | None, Any]]:
    if isinstance(plain, dict):
        return list(plain.items())
    if not isinstance(plain, list):
        raise FormatError("expected an object with a code entry for each script")
    pairs: list[tuple[str | None, Any]] = []
    for index, item in enumerate(plain):
        if item is None:
            pairs.append((None, None))
        elif isinstance(item, dict) and isinstance(item.get("name"), str):
            pairs.append((item["name"], item.get("code")))
        else:
            raise FormatError("expected a name and a code entry").within("", index)
    return pairs


def _same_name(old: Any, new: Any) -> bool:
    return name_of(old) == name_of(new)


def _put(owner: Any, new: list[Any], fresh: bool) -> None:
    """Make a named list hold these elements in this order; references follow.

    In a new game, code is as it stands in the folder: its numbers are the final ones.
    """
    old = list(owner.items)
    if fresh:
        places = {id(item): index for index, item in enumerate(new) if item is not None}
        mapping = {index: places.get(id(item), -1) for index, item in enumerate(old)}
        owner.put(new, mapping)
        return
    if len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True)):
        return
    kept = {id(item) for item in new if item is not None}
    gone = [item for item in old if item is not None and id(item) not in kept]
    if gone:
        owner.remove(*gone)
    here = {id(item) for item in owner.items if item is not None}
    for item in new:
        if item is None or id(item) not in here:
            owner.append(item)
    while len(owner) > len(new):  # gaps that are no more
        owner.items.pop(next(i for i, item in enumerate(owner.items) if item is None))
    where: dict[int, list[int]] = {}
    for index, item in enumerate(owner.items):
        where.setdefault(0 if item is None else id(item), []).append(index)
    order = [where[0 if item is None else id(item)].pop(0) for item in new]
    if order != list(range(len(new))):
        owner.reorder(order)


def adopt_strings(game: GameData) -> None:
    """Point the fields of a new game at the strings of strings.csv, as far as they are there."""
    table = game.strings
    by_text = {string.text: string for string in reversed(table)}
    for name in ("GEN8", "OPTN", "AGRP", "FEAT"):
        record = game.chunk(name)
        if record is not None:
            _adopt(record, by_text)


def _adopt(record: Any, by_text: dict[str, Any]) -> None:
    from overhaul.gamemaker.data.strings import String
    from overhaul.schema import Record

    for name in type(record).__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, String):
            setattr(record, name, by_text.get(value.text, value))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, String):
                    value[index] = by_text.get(item.text, item)
                elif isinstance(item, Record):
                    _adopt(item, by_text)
