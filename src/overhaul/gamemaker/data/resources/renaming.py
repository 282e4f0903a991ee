"""Resources renamed, moved, removed, entered in lists: what else in a game follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from overhaul.findings import Finding, Findings, warning
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.extn import NO_PRODUCT_ID
from overhaul.gamemaker.data.chunks.func import Script
from overhaul.gamemaker.data.chunks.objt import EVENT_WORDS, EventType
from overhaul.gamemaker.data.chunks.room import PropertyKind, Room
from overhaul.gamemaker.data.chunks.sond import Sound
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.code.additions import (
    INSTANCE_PREFIX,
    OBJECT_PREFIX,
    ROOM_PREFIX,
    TIMELINE_PREFIX,
)
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.following import (
    Followed,
    Following,
    bare_functions,
    rename_entry,
    rename_functions,
)
from overhaul.gamemaker.data.code.mentions import code_with_text
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.painting import GROUP_FIELDS, group_of, list_in_group
from overhaul.gamemaker.data.references import Named, Reference
from overhaul.gamemaker.data.resources.names import check_new_name
from overhaul.gamemaker.data.resources.users import User, own_code, users_of
from overhaul.gamemaker.data.room_rules import enlist_room, findings_of_no_room

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.txtr import TextureGroup

#: how the names of a kind's code begin; the name of the resource follows
_PREFIXES = {
    "OBJT": (OBJECT_PREFIX,),
    "ROOM": (ROOM_PREFIX, INSTANCE_PREFIX),
    "TMLN": (TIMELINE_PREFIX,),
    "SCPT": (GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX),
}
#: how many names of code a warning has
_LISTED = 5


def rename(game: CodeModel, chunk: str, record: Named, new: str) -> Findings:
    """Give a resource another name; return warnings of what can't follow.

    Its code, the calls of a script, and the names of it in other records follow.  Raises
    ValueError for a name that is taken or is none, and for a function that another script
    declares.
    """
    if new == str(record.name):
        return Findings()
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
) -> Findings:
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
    findings = Findings()
    if left:
        more = f", ... ({len(left)} in all)" if len(left) > _LISTED else ""
        findings.warn(
            "still-named",
            f"code holds {old!r}, as the {CHUNKS[chunk].title} {new} was called, as a text: "
            f"{', '.join(left[:_LISTED])}{more}",
        )
    return findings


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
            for effect in effects:
                if effect.kind == PropertyKind.SAMPLER and effect.value == old:
                    effect.value = text


def enlist(game: GameModel, chunk: str, record: object) -> None:
    """Enter a new resource: a room in the order of rooms, what has pictures in a texture group, an
    extension among the product ids."""
    if isinstance(record, Room):
        enlist_room(game, record)
    elif chunk == "EXTN":
        ids = game.record(chunk).product_ids
        if ids or game.release.major >= 2:
            ids += [NO_PRODUCT_ID] * (len(game.named(chunk)) - len(ids))
    else:
        list_in_group(game, chunk, record)


def enlist_like(game: GameModel, chunk: str, record: object, original: object) -> None:
    """Enter a copy of a resource where the original is: in its texture group, with its tags."""
    owner = game.named(chunk)
    new, old = owner.reference_to(record), owner.reference_to(original)
    field = GROUP_FIELDS.get(chunk)
    if field is not None and "TGIN" in game.chunks:
        for group in game.records.texture_groups.present():
            for name in (field, "spine_sprites"):
                listed = getattr(group, name)
                if any(reference is old for reference in listed):
                    listed.append(new)
    if game.tags is not None:
        for entry in list(game.tags.assets):
            if entry.asset is old:
                game.tags.assets.append(type(entry)(new, list(entry.tags)))
    enlist(game, chunk, record)


#: how many users an error lists
_LEFT = 8


def remove(game: CodeModel, chunk: str, records: list[Named], *, force: bool) -> Findings:
    """Take resources of a kind out of a game, with their code; return warnings.

    Raises ValueError where others use them, unless ``force``: then references to them are taken
    out too, and each user is a warning.
    """
    for record in records:
        check_whole(record)
    users = (
        {}
        if not records
        else {id(record): _users(game, chunk, record, records) for record in records}
    )
    used = [(record, users[id(record)]) for record in records if users[id(record)]]
    if used and not force:
        record, found = used[0]
        more = f", ... ({len(found)} in all)" if len(found) > _LEFT else ""
        raise ValueError(
            f"{record.name} is used by {', '.join(map(str, found[:_LEFT]))}{more}; "
            "force=True takes it out there too"
        )
    code = [entry for record in records for entry in own_code(chunk, record) if _is_unshared(entry)]
    if chunk == "TGIN":
        _empty_groups(game, records)
    followed = take_out(game, chunk, records)
    if chunk == "SOND":
        game.audio_files.release(*(record for record in records if isinstance(record, Sound)))
    here = [entry.target for entry in code if entry.target is not None]
    if here:
        game.named("CODE").remove(*here)
    left = followed.without(lambda place: place.entry not in game.named("CODE"))
    findings = Findings(
        warning("still-named", f"{record.name} was removed, but the {user} named it")
        for record, found in used
        for user in found
        if user.kind != "code" or str(record.name) not in left.cleared
    )
    findings += left.findings()
    if chunk == "ROOM":
        findings += findings_of_no_room(game)
    return findings


def move(game: CodeModel, chunk: str, record: Named, index: int) -> Findings:
    """Give a resource another number; those between follow.  Return warnings.

    Raises IndexError for a number that there is not, ValueError for audio groups, whose numbers
    are those of their files.
    """
    owner = game.named(chunk)
    old = owner.index(record)
    if not -len(owner) <= index < len(owner):
        raise IndexError(f"there is no {owner.title} number {index}")
    index %= len(owner)
    if index == old:
        return Findings()
    if chunk == "AGRP":
        raise ValueError("audio groups can't be moved: their numbers are those of their files")
    order = list(range(len(owner)))
    order.insert(index, order.pop(old))
    return Findings(put_in_order(game, chunk, order).findings())


def follow_quietly(game: CodeModel, following: Following, before: Sequence[Finding]) -> Followed:
    """Let code follow a change of numbers, in the place of the warning that it may not;
    ``before`` are the warnings before the change."""
    _forget_plain_numbers(game, before)
    return following.follow()


def take_out(game: CodeModel, chunk: str, records: Sequence[object]) -> Followed:
    """Take records out of a list and let all code follow; their own code stays.

    Scripts go with their code.
    """
    gone, listed = (chunk, records) if chunk != "CODE" else ("SCPT", _scripts_of(game, records))
    owner = game.named(gone)
    removed = sorted(owner.index(record) for record in listed)
    moved = range(removed[0], len(owner)) if removed else ()
    following = Following(game, gone, moved, removed)
    before = list(game.findings)
    game.named(chunk).remove(*records)
    return follow_quietly(game, following, before)


def _scripts_of(game: CodeModel, entries: Sequence[object]) -> list[object]:
    """The scripts whose code is among entries, or inside one of them."""
    code = {id(entry) for entry in entries}
    return [
        script
        for script in game.records.scripts.present()
        if (target := getattr(script.code.entry, "target", None)) is not None
        and (id(target) in code or id(target.root) in code)
    ]


def put_in_order(game: CodeModel, chunk: str, order: Sequence[int]) -> Followed:
    """Put a list into a new order, given by the old numbers, and let all code follow."""
    moved = [old for new, old in enumerate(order) if old != new]
    following = Following(game, chunk, sorted(moved))
    before = list(game.findings)
    game.named(chunk).reorder(order)
    return follow_quietly(game, following, before)


def _users(game: CodeModel, chunk: str, record: Named, removed: list[Named]) -> list[User]:
    """The users of a resource besides those that are removed with it."""
    gone = {(CHUNKS[chunk].title, str(record.name)) for record in removed}
    gone |= {
        ("code", str(reference.name)) for record in removed for reference in own_code(chunk, record)
    }
    return [user for user in users_of(game, chunk, record) if user not in gone]


def _is_unshared(reference: Reference[CodeEntry]) -> bool:
    return getattr(reference.target, "root", None) is None


def _forget_plain_numbers(game: CodeModel, before: Sequence[Finding]) -> None:
    """Take back the warning that code holds plain numbers: :class:`Following` says more."""
    game.findings[:] = [
        each for each in game.findings if each in before or each.code != "renumbered"
    ]


def _empty_groups(game: CodeModel, records: list[Named]) -> None:
    """Put what removed texture groups list into one that stays.  Raises ValueError where none
    does."""
    gone = {id(record) for record in records}
    stay = [group for group in game.records.texture_groups.present() if id(group) not in gone]
    for record in records:
        full = [name for name in _LISTS if getattr(record, name)]
        if full and not stay:
            raise ValueError(f"{record.name} can't be removed: no group is left for its textures")
        if full:
            home = _ordinary(game, stay)
            for name in full:
                getattr(home, name).extend(getattr(record, name))
                getattr(record, name).clear()
            for number, page in enumerate(home.pages):
                if isinstance(page, Reference) and page.target is not None:
                    page.target.index_in_group = number


_LISTS = ("pages", *GROUP_FIELDS.values(), "spine_sprites")


def _ordinary(game: CodeModel, stay: list[TextureGroup]) -> TextureGroup:
    found = group_of(game, "", stay[0])
    return found if found is not None and any(found is kept for kept in stay) else stay[0]
