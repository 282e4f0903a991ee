"""Which references a record holds, and updating a game after the list of a chunk changed.

References in records follow by themselves (see :mod:`.references`).  Left are numbers in code,
and lists and room elements that make no sense without what they refer to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from overhaul.gamemaker.data.chunks import KIND_CHUNKS
from overhaul.gamemaker.data.chunks.extn import NO_PRODUCT_ID
from overhaul.gamemaker.data.chunks.func import ScriptCode
from overhaul.gamemaker.data.chunks.objt import EventType
from overhaul.gamemaker.data.chunks.room import LayerType
from overhaul.gamemaker.data.code.mention_index import NO_ASSET
from overhaul.gamemaker.data.code.mentions import has_plain_numbers
from overhaul.gamemaker.data.references import Reference
from overhaul.gml.context import asset_types
from overhaul.gml.vm.columns import NO_RECORD, is_variable
from overhaul.gml.vm.opcodes import Extended, Opcode, ReferenceType
from overhaul.schema import FixedCodec, Record, fields_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from overhaul.gamemaker.data.chunks.bytecode import Bytecode
    from overhaul.gamemaker.data.chunks.objt import Event, Moment
    from overhaul.gamemaker.data.chunks.room import AssetsLayer
    from overhaul.gamemaker.data.code.model import CodeModel

    Integers: TypeAlias = npt.NDArray[np.int64]


def references_in(value: object) -> list[Reference[object]]:
    """All references in a record."""
    references: list[Reference[object]] = []
    _collect(value, references)
    return references


#: the fields of each type of record that can hold references; None for types of lists
_HOLDING: dict[type, tuple[str, ...] | None] = {Reference: (), list: None, tuple: None}


def _collect(value: object, references: list[Reference[object]]) -> None:
    if isinstance(value, Reference):
        references.append(value)
        return
    kind = type(value)
    try:
        names = _HOLDING[kind]
    except KeyError:
        names = _HOLDING[kind] = _holding(kind)
    if isinstance(value, (list, tuple)):
        for item in value:
            if item is not None:
                _collect(item, references)
    else:
        for name in names or ():
            item = getattr(value, name)
            if item is not None:
                _collect(item, references)


def _holding(kind: type) -> tuple[str, ...] | None:
    """The fields of a type that can hold references: not those declared as numbers or texts."""
    if issubclass(kind, (list, tuple)):
        return None
    plain = {
        field.name
        for field in (fields_of(kind) if issubclass(kind, Record) else ())
        if isinstance(field.codec, FixedCodec) and field.codec.kind in (None, "string")
    }
    names: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return tuple(name for name in names if name not in plain)


#: chunks that refer to no resource by number
_WITHOUT_REFERENCES = frozenset({"CODE", "VARI", "FUNC", "STRG", "AUDO", "TXTR"})

H = TypeVar("H", bound="Event | Moment")


def after_move(game: CodeModel, chunk: str, mapping: dict[int, int]) -> None:
    """Update the rest of the game after ``chunk``'s list changed: old index -> new, -1 for what was
    removed."""
    if all(old == new for old, new in mapping.items()):
        return
    if chunk == "EXTN":
        _renumber_product_ids(game, mapping)
    if game.record("CODE") is not None:
        _renumber_code(game, chunk, mapping)
    if -1 in mapping.values():
        _drop_from_lists(game)
        _drop_from_rooms(game)
        if chunk == "CODE":
            _drop_events(game)
            _drop_code(game)
        _clear_chunks(game)
    game.language.forget()


def _renumber_product_ids(game: CodeModel, mapping: dict[int, int]) -> None:
    """The ids of extensions, which follow their list."""
    record = game.record("EXTN")
    ids: list[bytes] = record.product_ids
    if ids:
        moved = {mapping.get(old, old): product_id for old, product_id in enumerate(ids)}
        ids[:] = [moved.get(new, NO_PRODUCT_ID) for new in range(len(record.extensions))]


def _renumber_code(game: CodeModel, chunk: str, mapping: dict[int, int]) -> None:
    kind = next((kind for kind, name in KIND_CHUNKS.items() if name == chunk), None)
    entries = [entry for entry in game.records.code.present() if len(entry.bytecode)]
    if kind is None or not entries:
        return
    dialect = game.language.context.dialect
    numbers = [n for n, name in asset_types(dialect).items() if name == kind]
    table = np.arange(max(mapping) + 1)
    for old, new in mapping.items():
        table[old] = new
    for entry in entries:
        _renumber_references(entry.bytecode, numbers, table)
        if chunk == "OBJT":
            _renumber_objects(entry.bytecode, table)
    stored = game.named(chunk).stored
    if not has_plain_numbers(game, chunk):
        return  # since 2.3 code names functions, not scripts
    if any(o != n for o, n in mapping.items() if o < stored):
        game.findings.warn_once(
            "renumbered",
            f"code of this version holds {kind}s as plain numbers: where it names one that moved, "
            "it now names another",
        )


def _renumber_references(bytecode: Bytecode, numbers: list[int], table: Integers) -> None:
    """The operands of pushref."""
    columns = bytecode.columns
    rows = np.flatnonzero(
        (columns.opcode == int(Opcode.BREAK))
        & (columns.value == int(Extended.PUSHREF))
        & (bytecode.record == NO_RECORD)
        & np.isin(columns.operand >> 24, numbers)
    )
    rows = rows[(columns.operand[rows] & NO_ASSET) < len(table)]
    if len(rows):
        operand = columns.operand[rows]
        moved = table[operand & NO_ASSET]
        columns.operand = columns.operand.copy()
        columns.operand[rows] = (operand & ~NO_ASSET) | np.where(moved < 0, NO_ASSET, moved)


def _renumber_objects(bytecode: Bytecode, table: Integers) -> None:
    """The objects in variable accesses such as ``obj_wall.x``."""
    columns = bytecode.columns
    kinds = columns.operand >> 24 & 0xF8
    rows = np.flatnonzero(
        is_variable(columns)
        & (columns.value >= 0)
        & (columns.value < len(table))
        & (kinds == int(ReferenceType.NORMAL))
    )
    if len(rows):
        columns.value = columns.value.copy()
        columns.value[rows] = np.where(
            table[columns.value[rows]] < 0, -4, table[columns.value[rows]]
        )


def _gone(value: object) -> bool:
    return isinstance(value, Reference) and value.index < 0


def _clear(value: object) -> None:
    """Set fields that refer to something removed to None, and take it out of lists."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, (Record, list)):
                _clear(item)
            elif isinstance(item, Reference):
                value[:] = [element for element in value if not _gone(element)]
                return
            elif not isinstance(item, tuple) and item is not None:
                return  # strings and numbers: nothing refers anywhere
    elif isinstance(value, Record):
        for name in value.__struct_fields__:
            field = getattr(value, name)
            if isinstance(field, (Record, list)):
                _clear(field)
            elif _gone(field):
                setattr(value, name, None)
            elif isinstance(field, ScriptCode) and _gone(field.entry):
                setattr(value, name, ScriptCode())


def _drop_from_lists(game: CodeModel) -> None:
    """Drop list elements that are meaningless without a removed resource: tags, collision
    events."""
    tags = game.record("TAGS")
    if tags is not None:
        tags.assets[:] = [entry for entry in tags.assets if not _gone(entry.asset)]
    for item in game.records.objects:
        if item is not None and len(item.events) > EventType.COLLISION:
            events = item.events[EventType.COLLISION]
            events[:] = [event for event in events if not _gone(event.subtype)]


def _clear_chunks(game: CodeModel) -> None:
    for name, slot in game.chunks.items():
        if slot.record is not None and name not in _WITHOUT_REFERENCES:
            _clear(slot.record)


def _drop_from_rooms(game: CodeModel) -> None:
    """Drop instances of removed objects, and sprites, sequences and texts of removed assets."""
    for room in game.records.rooms:
        if room is None:
            continue
        gone = {instance.id for instance in room.instances if _gone(instance.object)}
        if gone:
            room.instances[:] = [i for i in room.instances if i.id not in gone]
            if room.instance_order:
                room.instance_order[:] = [i for i in room.instance_order if i not in gone]
        room.tiles[:] = [t for t in room.tiles if not _gone(t.background) and not _gone(t.sprite)]
        for layer in room.layers or ():
            data = layer.data
            if layer.type == LayerType.INSTANCES and gone:
                data.instances[:] = [i for i in data.instances if i not in gone]
            elif layer.type == LayerType.ASSETS:
                _drop_assets(data)


def _drop_assets(data: AssetsLayer) -> None:
    lists: tuple[tuple[list[Any], str], ...] = (
        (data.tiles, "sprite"),
        (data.sprites, "sprite"),
        (data.nine_slices, "sprite"),
        (data.sequences, "sequence"),
        (data.particle_systems, "particle_system"),
    )
    for items, field in lists:
        if items:
            items[:] = [item for item in items if not _gone(getattr(item, field))]


def _drop_events(game: CodeModel) -> None:
    """Drop events of objects and moments of timelines that only ran removed code."""
    for item in game.records.objects.present():
        for events in item.events:
            _drop_actions(events)
    for timeline in game.records.timelines.present():
        _drop_actions(timeline.moments)


def _drop_actions(events: list[H]) -> None:
    gone = []
    for event in events:
        left = [action for action in event.actions if not _gone(action.code)]
        if len(left) != len(event.actions):
            event.actions[:] = left
            if not left:
                gone.append(id(event))
    if gone:
        events[:] = [event for event in events if id(event) not in gone]


def _drop_code(game: CodeModel) -> None:
    """Drop children of removed code entries, their scripts, and the locals of removed roots."""
    here = {id(entry) for entry in game.records.code if entry is not None}
    orphans = [
        entry
        for entry in game.records.code
        if entry is not None and entry.root is not None and id(entry.root) not in here
    ]
    if orphans:
        game.records.code.remove(*orphans)
    scripts = [s for s in game.records.scripts if s is not None and _gone(s.code.entry)]
    if scripts:
        game.records.scripts.remove(*scripts)
    record = game.record("FUNC")
    if record is not None and record.code_locals:
        names = {str(entry.name) for entry in game.records.code if entry is not None}
        record.code_locals[:] = [e for e in record.code_locals if str(e.name) in names]
