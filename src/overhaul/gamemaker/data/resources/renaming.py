"""A resource under another name, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.func import Script
from overhaul.gamemaker.data.chunks.objt import EVENT_WORDS, EventType
from overhaul.gamemaker.data.chunks.room import PropertyKind
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.code.additions import (
    INSTANCE_PREFIX,
    OBJECT_PREFIX,
    ROOM_PREFIX,
    TIMELINE_PREFIX,
)
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.following import bare_functions, rename_entry, rename_functions
from overhaul.gamemaker.data.code.mentions import code_with_text
from overhaul.gamemaker.data.resources.names import check_new_name
from overhaul.gamemaker.data.resources.users import own_code

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.references import Named

#: how the names of a kind's code begin; the name of the resource follows
_PREFIXES = {
    "OBJT": (OBJECT_PREFIX,),
    "ROOM": (ROOM_PREFIX, INSTANCE_PREFIX),
    "TMLN": (TIMELINE_PREFIX,),
    "SCPT": (GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX),
}
#: how many names of code a warning has
_TOLD = 5


def rename(game: CodeModel, chunk: str, record: Named, new: str) -> list[str]:
    """Give a resource another name; return warnings of what can't follow.

    Its code, the calls of a script, and the names of it in other records follow.  Raises
    ValueError for a name that is taken or is none, and for a function that another script
    declares.
    """
    if new == str(record.name):
        return []
    check_new_name(game, chunk, new)
    check_whole(record)
    renamed = code_renamed_with(game, chunk, record, new)
    taken = [name for _, name in renamed if name in game.named("CODE")]
    if taken:
        raise ValueError(
            f"{str(record.name)!r} can't be renamed: there is code named {taken[0]} already"
        )
    return carry_out(game, chunk, record, new, renamed)


def code_renamed_with(
    game: CodeModel, chunk: str, record: Named, new: str
) -> list[tuple[CodeEntry, str]]:
    """The code of a resource that has its name, and what it is called once that is another."""
    old = str(record.name)
    game.load_all()
    renamed: dict[int, tuple[CodeEntry, str]] = {}
    for reference in own_code(chunk, record):
        target = reference.target
        name = None if target is None else renamed_code(chunk, str(target.name), old, new)
        if target is not None and name is not None:
            renamed[id(target)] = target, name
    if chunk == "OBJT":
        _rename_collisions(game, record, old, new, renamed)
    return list(renamed.values())


def carry_out(
    game: CodeModel,
    chunk: str,
    record: Named,
    new: str,
    renamed: list[tuple[CodeEntry, str]],
) -> list[str]:
    """Rename a resource and its code, without looking whether the names are free; return
    warnings of what can't follow."""
    old = str(record.name)
    holding = list(code_with_text(game, old))
    if isinstance(record, CodeEntry):
        rename_entry(game, record, new)
    record.name = game.strings.add(new)
    for target, name in renamed:
        rename_entry(game, target, name)
    if isinstance(record, Script):
        _rename_calls(game, record, old, new)
    if isinstance(record, Sprite):
        _rename_mentions(game, record, old, new)
    game.language.forget()
    left = [str(entry.name) for entry in holding]
    if not left:
        return []
    more = f", ... ({len(left)} in all)" if len(left) > _TOLD else ""
    title = CHUNKS[chunk].title
    return [
        f"code holds {old!r}, as the {title} {new} was called, as a text: "
        f"{', '.join(left[:_TOLD])}{more}"
    ]


def check_whole(record: Named) -> None:
    """Raise ValueError for a function that the code of something else declares."""
    entry: object = record if isinstance(record, CodeEntry) else None
    if isinstance(record, Script):
        entry = getattr(record.code.entry, "target", None)
    root = getattr(entry, "root", None)
    if root is not None:
        raise ValueError(f"{record.name} is a function in {root.name}: edit that code")


def renamed_code(chunk: str, name: str, old: str, new: str) -> str | None:
    """The name of a resource's code once it is called otherwise; None for code that does not have
    its name."""
    for prefix in _PREFIXES[chunk]:
        head = prefix + old
        if name == head if chunk == "SCPT" else name.startswith(f"{head}_"):
            return prefix + new + name[len(head) :]
    return None


def _rename_collisions(
    game: CodeModel,
    record: Named,
    old: str,
    new: str,
    renamed: dict[int, tuple[CodeEntry, str]],
) -> None:
    """Add the code of all events of colliding with an object, which has its name."""
    reference = game.records.objects.reference_to(record)
    ending = f"_{EVENT_WORDS[EventType.COLLISION]}_{old}"
    for other in game.records.objects.present():
        events = [e for events in other.events[EventType.COLLISION :][:1] for e in events]
        for event in events:
            for action in event.actions if event.subtype is reference else ():
                target = None if action.code is None else action.code.target
                if target is not None:
                    name = renamed.get(id(target), (target, str(target.name)))[1]
                    if name.endswith(ending):
                        renamed[id(target)] = target, name.removesuffix(old) + new


def _rename_calls(game: CodeModel, record: Script, old: str, new: str) -> None:
    """Calls of a script, and what an extension calls it by."""
    entry = record.code.entry
    named = {f"{SCRIPT_PREFIX}{old}": f"{SCRIPT_PREFIX}{new}"} if entry is not None else {}
    if game.release.number >= (2, 3):
        named = {}  # the functions in a script's code were renamed with it
    rename_functions(game, named | bare_functions(game, old, new))
    for extension in game.records.extensions.present():
        for file in extension.files or ():
            for field in ("init_function", "cleanup_function"):
                if getattr(file, field) == old:
                    setattr(file, field, game.strings.add(new))
            for function in file.functions:
                for field in ("name", "external_name"):
                    if getattr(function, field) == old:
                        setattr(function, field, game.strings.add(new))


def _rename_mentions(game: CodeModel, record: Sprite, old: str, new: str) -> None:
    """Records that hold a sprite's name as a text."""
    text = game.strings.add(new)
    sequence = getattr(record.sequence, "sequence", None)
    if sequence is not None and sequence.name == old:
        sequence.name = text
    for room in game.records.rooms.present():
        for layer in room.layers or ():
            effects = [*(layer.effect_properties or ())]
            effects += getattr(layer.data, "properties", None) or ()
            for each in effects:
                if each.kind == PropertyKind.SAMPLER and each.value == old:
                    each.value = text
