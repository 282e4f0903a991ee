"""Chunks that are one JSON file each: general information, options, groups, tags, scripts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from overhaul.errors import FormatError
from overhaul.folder.json_fields import at_key, expect_list, expect_object
from overhaul.folder.records import overlay, replace_fields
from overhaul.gamemaker.data.chunks.func import Script, ScriptCode
from overhaul.gamemaker.data.chunks.optn import EffectDefinition, LanguageInfo
from overhaul.gamemaker.data.chunks.sond import AudioGroupEntry
from overhaul.gamemaker.data.chunks.txtr import TextureGroup
from overhaul.gamemaker.data.chunks.uilr import Node
from overhaul.gamemaker.data.code.mentions import has_plain_numbers
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.painting import GROUP_FIELDS
from overhaul.gamemaker.data.references import NamedList, Reference
from overhaul.gamemaker.data_folder.edits import GameEdits, Nameless
from overhaul.gamemaker.data_folder.names import (
    ReferenceNames,
    expect_keys,
    is_number,
    name_of,
    read_reference,
)
from overhaul.gamemaker.data_folder.resource import recompute_counts, show_element, show_record
from overhaul.schema import Embedded, Record
from overhaul.schema.jsonable import from_jsonable, list_from_jsonable


@dataclass(frozen=True)
class ChunkTable:
    """A chunk that is one JSON file, with the fields of its record.

    ``details`` are fields that are not for editing, ``fixed`` those that say how the file is laid
    out: they are those of the kept original.  ``turn`` says when it is read: 0 for tables whose
    elements others name, 2 for those that name elements of everything.
    """

    chunk: str
    path: str
    details: frozenset[str] = frozenset()
    turn: int = 1
    fixed: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The name in messages."""
        return self.path.removesuffix(".json")

    def is_in(self, names: ReferenceNames) -> bool:
        """Whether a game has it, and it can be read."""
        return self.chunk in names.game.chunks and names.game.record(self.chunk) is not None

    def show(self, names: ReferenceNames) -> object:
        """The JSON of a game's table."""
        plain = show_record(names.game.record(self.chunk), names.scheme)
        details = {key: plain.pop(key) for key in sorted(self.details) if key in plain}
        return plain | {"details": details} if details else plain

    def prepare(self, plain: object, edits: GameEdits) -> None:
        """Make the elements that other files may name."""

    def read(self, plain: object, edits: GameEdits) -> None:
        """Put JSON into the game.  Raises FormatError with the path of the key."""
        values = dict(expect_object(plain))
        with at_key("details"):
            details = expect_object(values.pop("details", {}))
        misplaced = details.keys() - self.details
        if misplaced:
            raise FormatError("there is no such detail").within(min(misplaced)).within("details")
        record = edits.game.record(self.chunk)
        base = record if edits.fresh else None
        new = from_jsonable(type(record), {**values, **details}, edits.names.scheme, base=base)
        for name in sorted(self.fixed):
            before, now = getattr(record, name, None), getattr(new, name, None)
            if now != before and not edits.fresh:
                raise FormatError(
                    f"the layout of the file follows from it: it stays {before}"
                ).within(name)
        self.recompute(new, edits)
        merged = overlay(record, new)
        if merged is not record:
            replace_fields(record, merged)

    def recompute(self, record: Record, edits: GameEdits) -> None:
        """Set the fields that follow from others."""
        recompute_counts(record, edits.names.scheme)


class Languages(ChunkTable):
    """Texts in several languages."""

    def recompute(self, record: Record, edits: GameEdits) -> None:
        super().recompute(record, edits)
        assert isinstance(record, LanguageInfo)
        count = len(record.languages)
        if edits.fresh and record.language_count not in (0, count):
            raise FormatError(f"it follows from the languages, and is {count}").within(
                "language_count"
            )
        record.language_count = count


@dataclass(frozen=True)
class ValueList(ChunkTable):
    """A table that is a list of values: ``field`` of the record, each of one ``kind``."""

    field: str = ""
    kind: str = ""

    def show(self, names: ReferenceNames) -> object:
        values = getattr(names.game.record(self.chunk), self.field)
        return [names.scheme.show[self.kind](value) for value in values]

    def read(self, plain: object, edits: GameEdits) -> None:
        record = edits.game.record(self.chunk)
        read = edits.names.scheme.read[self.kind]
        values = []
        for index, item in enumerate(expect_list(plain)):
            with at_key("", index):
                values.append(read(item))
        setattr(record, self.field, overlay(getattr(record, self.field), values))


class Nodes(ChunkTable):
    """The layers of the user interface: a tree."""

    def show(self, names: ReferenceNames) -> object:
        nodes = names.game.record(self.chunk).nodes
        return [show_element(node, names.scheme) for node in nodes]

    def read(self, plain: object, edits: GameEdits) -> None:
        record = edits.game.record(self.chunk)
        nodes = list_from_jsonable(Embedded(Node), plain, edits.names.scheme)
        for node in nodes:
            recompute_counts(node, edits.names.scheme)
        record.nodes = overlay(record.nodes, nodes)


@dataclass(frozen=True)
class NamedElements(ChunkTable):
    """A table that is a list of named records; an element keeps its identity by its name.

    ``named`` says that other files name them, so that new ones are made before these are read.
    """

    element: type[Record] = Record
    named: bool = False

    def show(self, names: ReferenceNames) -> object:
        return [_show_element(item, names) for item in names.game.named(self.chunk)]

    def prepare(self, plain: object, edits: GameEdits) -> None:
        if not self.named:
            return
        owner = edits.game.named(self.chunk)
        matches = [
            item.get("name") if isinstance(item, dict) else None for item in expect_list(plain)
        ]
        in_place = len(matches) == len(owner)
        for index, name in enumerate(matches):
            if not isinstance(name, str) or name in owner:
                continue
            old = owner.items[index] if in_place else None
            if old is not None and name_of(old) not in matches:  # renamed
                old.name = edits.game.strings.add(name)
            else:
                owner.append(self.element(name=edits.game.strings.add(name)))

    def read(self, plain: object, edits: GameEdits) -> None:
        items = expect_list(plain)
        owner = edits.game.named(self.chunk)
        read: list[Record | None] = []
        for index, item in enumerate(items):
            with at_key("", index):
                made = (
                    None if item is None else from_jsonable(self.element, item, edits.names.scheme)
                )
            read.append(made)
        old = _counterparts(owner.items, read)
        new: list[Record | None] = []
        for record, before in zip(read, old, strict=True):
            if record is not None and before is not None:
                replace_fields(before, overlay(before, record))
                record = before
            new.append(record)
        put_all(owner, new, fresh=edits.fresh)


def _counterparts(old: list[Any], new: list[Record | None]) -> list[Record | None]:
    """The old element of each new one: of the same name, preferably at the same place; in lists of
    equal length also the one at its place, which was renamed."""
    matched: list[Record | None] = [None] * len(new)
    left = {id(record): record for record in old if record is not None}

    def take(index: int, candidates: Iterable[Any]) -> None:
        if new[index] is not None and matched[index] is None:
            matched[index] = next(
                (candidate for candidate in candidates if id(candidate) in left), None
            )
            left.pop(id(matched[index]), None)

    for index in range(min(len(old), len(new))):
        if old[index] is not None and name_of(old[index]) == name_of(new[index]):
            take(index, [old[index]])
    for index, record in enumerate(new):
        take(index, [other for other in left.values() if name_of(other) == name_of(record)])
    for index in range(len(new) if len(new) == len(old) else 0):
        take(index, [old[index]])
    return matched


class AudioGroupElements(NamedElements):
    """Audio groups, whose sounds and files know them by their number."""

    def read(self, plain: object, edits: GameEdits) -> None:
        before = [] if edits.fresh else list(edits.game.named(self.chunk))
        super().read(plain, edits)
        after = list(edits.game.named(self.chunk))
        for index, group in enumerate(before):
            moved = index >= len(after) or after[index] is not group
            if (
                moved
                and group is not None
                and any(sound.group >= index for sound in edits.game.records.sounds.present())
            ):
                raise FormatError(
                    f"the audio group {name_of(group)!r} has the number {index} and keeps it: "
                    "sounds and files are found by it (add new groups at the end)"
                )


class TextureGroups(NamedElements):
    """Texture groups. A resource without a name is shown by its number (``{"index": 48}``): if
    the file has the numbers of before the edit, these follow their slots."""

    def nameless(self, game: GameData) -> Nameless:
        """The slots without a name that groups list, by group and field."""
        names = ReferenceNames(game)
        return {
            name_of(group): {
                field: [
                    (reference.index, reference)
                    for reference in listed
                    if isinstance(names.show_reference(reference), dict)
                ]
                for field in GROUP_FIELDS.values()
                if (listed := getattr(group, field))
            }
            for group in game.named(self.chunk).present()
        }

    def read(self, plain: object, edits: GameEdits) -> None:
        super().read([_with_slots(item, edits.nameless) for item in expect_list(plain)], edits)


def _with_slots(item: object, nameless: Nameless) -> object:
    """A texture group of the file with the numbers that its slots without a name have now."""
    if not isinstance(item, dict):
        return item
    made = dict(item)
    for field, slots in nameless.get(str(item.get("name")), {}).items():
        listed = made.get(field)
        numbered = [each for each in listed or () if isinstance(each, dict)]
        if not isinstance(listed, list) or numbered != [{"index": n} for n, _ in slots]:
            continue
        now = iter([reference.index for _, reference in slots])
        moved = [{"index": next(now)} if isinstance(each, dict) else each for each in listed]
        made[field] = [each for each in moved if each != {"index": -1}]
    return made


def _show_element(item: Record | None, names: ReferenceNames) -> object:
    return None if item is None else show_element(item, names.scheme)


def put_all(owner: NamedList[Any], new: list[Record | None], *, fresh: bool) -> None:
    """Make a named list hold these elements in this order; references follow.

    In a new game code does not follow: it already has the final numbers.
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
    while len(owner) > len(new):  # removed gaps
        owner.items.pop(next(i for i, item in enumerate(owner.items) if item is None))
    where: dict[int, list[int]] = {}
    for index, item in enumerate(owner.items):
        where.setdefault(0 if item is None else id(item), []).append(index)
    order = [where[0 if item is None else id(item)].pop(0) for item in new]
    if order != list(range(len(new))):
        owner.reorder(order)


def _details(text: str) -> frozenset[str]:
    return frozenset(text.split())


GENERAL = ChunkTable(
    "GEN8",
    "general.json",
    _details(
        "unknown last_object_id last_tile_id direct_play_guid licence_crc32 licence_md5 timestamp "
        "active_targets function_classifications debugger_port uid game_guid"
    ),
    turn=0,
    fixed=_details("bytecode major minor release build"),
)
OPTIONS = ChunkTable(
    "OPTN", "options.json", _details("marker version"), fixed=_details("marker version")
)
LANGUAGES = Languages("LANG", "languages.json")
AUDIO_GROUPS = AudioGroupElements(
    "AGRP", "audio_groups.json", turn=0, element=AudioGroupEntry, named=True
)
TEXTURE_GROUPS = TextureGroups("TGIN", "texture_groups.json", turn=2, element=TextureGroup)
GLOBAL_INIT = ValueList("GLOB", "global_init.json", field="code", kind="CODE")
GAME_END = ValueList("GMEN", "game_end.json", field="code", kind="CODE")
TAGS = ChunkTable("TAGS", "tags.json", turn=2)
FEATURE_FLAGS = ValueList("FEAT", "feature_flags.json", field="flags", kind="string")
EFFECTS = NamedElements("FEDS", "effects.json", element=EffectDefinition)
UI_LAYERS = Nodes("UILR", "ui_layers.json", turn=2)


class Scripts(ChunkTable):
    """The scripts; a list keeps what an object can't: names that occur twice, and gaps."""

    def show(self, names: ReferenceNames) -> object:
        entries: list[tuple[str, object] | None] = []
        for script in names.game.records.scripts:
            if script is None:
                entries.append(None)
                continue
            entry = names.show_reference(script.code.entry)
            code = {"constructor": entry} if script.code.constructor else entry
            entries.append((name_of(script), code))
        shown = dict(entry for entry in entries if entry is not None)
        if len(shown) == len(entries):
            return shown
        return [None if e is None else {"name": e[0], "code": e[1]} for e in entries]

    @staticmethod
    def moved(plain: object, game: GameData) -> list[int]:
        """The numbers of scripts that have another name, or none, in JSON."""
        names = [name for name, _ in _pairs(plain)]
        return [
            number
            for number, script in enumerate(game.records.scripts)
            if script is not None and names[number : number + 1] != [name_of(script)]
        ]

    def prepare(self, plain: object, edits: GameEdits) -> None:
        scripts = edits.game.records.scripts
        if not edits.fresh and has_plain_numbers(edits.game, "SCPT"):
            left = _by_name(scripts.present())
            put_all(scripts, [_taken(left, name, edits) for name, _ in _pairs(plain)], fresh=False)
            return
        known = set(scripts.names())
        for name, _ in _pairs(plain):
            if name is not None and name not in known:
                known.add(name)
                scripts.append(Script(edits.game.strings.add(name)))

    def read(self, plain: object, edits: GameEdits) -> None:
        game = edits.game
        owner = game.records.scripts
        listed: list[Script | None] = []
        left = _by_name(owner.present())
        for name, value in _pairs(plain):
            if name is None:
                listed.append(None)
                continue
            constructor = isinstance(value, dict) and "constructor" in value
            with at_key(name):
                if constructor:
                    expect_keys(value, ("constructor",))
                    value = expect_object(value)["constructor"]
                entry = read_reference(game.named("CODE"), value)
            script = _taken(left, name, edits)
            if script is not None and script.code != ScriptCode(entry, constructor):
                if is_number(entry) and not edits.fresh:
                    raise FormatError(f"expected the name of a code entry, got {entry}").within(
                        name
                    )
                script.code = ScriptCode(entry, constructor)
            listed.append(script)
        known = {name_of(script) for script in listed if script is not None}
        new_children = [
            script
            for script in owner
            if script is not None and name_of(script) not in known and _is_child(script)
        ]
        put_all(owner, [*listed, *new_children], fresh=edits.fresh)


def _by_name(scripts: Iterable[Script]) -> dict[str, deque[Script]]:
    left: dict[str, deque[Script]] = {}
    for script in scripts:
        left.setdefault(name_of(script), deque()).append(script)
    return left


def _taken(left: dict[str, deque[Script]], name: str | None, edits: GameEdits) -> Script | None:
    """The next script of a name, a new one if none is left; None for a gap."""
    if name is None:
        return None
    same = left.get(name)
    return same.popleft() if same else Script(edits.game.strings.add(name))


def _is_child(script: Script) -> bool:
    """Whether the code of a script is a function inside another entry: if the file does not list
    it, it came with code that was just read."""
    entry = script.code.entry
    return isinstance(entry, Reference) and getattr(entry.target, "root", None) is not None


def _pairs(plain: object) -> list[tuple[str | None, object]]:
    """The names and code of scripts from JSON."""
    if isinstance(plain, dict):
        return list(plain.items())
    if not isinstance(plain, list):
        raise FormatError("expected an object with a code entry for each script")
    pairs: list[tuple[str | None, object]] = []
    for index, item in enumerate(plain):
        if item is None:
            pairs.append((None, None))
        elif isinstance(item, dict) and isinstance(item.get("name"), str):
            pairs.append((item["name"], item.get("code")))
        else:
            raise FormatError("expected a name and a code entry").within("", index)
    return pairs


SCRIPTS = Scripts("SCPT", "scripts.json", turn=0)
