"""Resources taken out of a game or put in another order, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.sond import Sound
from overhaul.gamemaker.data.code.following import Followed, Following
from overhaul.gamemaker.data.painting import GROUP_FIELDS, group_of
from overhaul.gamemaker.data.references import Named, Reference
from overhaul.gamemaker.data.renumber import PLAIN_NUMBERS
from overhaul.gamemaker.data.resources.renaming import check_whole
from overhaul.gamemaker.data.resources.users import User, own_code, users_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.chunks.txtr import TextureGroup
    from overhaul.gamemaker.data.code.model import CodeModel

#: how many users an error lists
_TOLD = 8


def remove(game: CodeModel, chunk: str, records: list[Named], *, force: bool) -> list[str]:
    """Take resources of a kind out of a game, with their code; return warnings.

    Raises ValueError where others use them, unless ``force``: then references to them are taken
    out too, and each user is a warning.
    """
    for record in records:
        check_whole(record)
    users = (
        {} if not records else {id(each): _users(game, chunk, each, records) for each in records}
    )
    used = [(record, users[id(record)]) for record in records if users[id(record)]]
    if used and not force:
        record, found = used[0]
        more = f", ... ({len(found)} in all)" if len(found) > _TOLD else ""
        raise ValueError(
            f"{record.name} is used by {', '.join(map(str, found[:_TOLD]))}{more}; "
            "force=True takes it out there too"
        )
    code = [each for record in records for each in own_code(chunk, record) if _is_unshared(each)]
    if chunk == "TGIN":
        _empty_groups(game, records)
    followed = take_out(game, chunk, records)
    if chunk == "SOND":
        game.audio_files.release(*(each for each in records if isinstance(each, Sound)))
    here = [each.target for each in code if each.target is not None]
    if here:
        game.named("CODE").remove(*here)
    left = followed.without(lambda place: place.entry not in game.named("CODE"))
    warnings = [
        f"{record.name} was removed, but the {user} named it"
        for record, found in used
        for user in found
        if user.kind != "code" or str(record.name) not in left.cleared
    ]
    return [*warnings, *left.warnings()]


def move(game: CodeModel, chunk: str, record: Named, index: int) -> list[str]:
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
        return []
    if chunk == "AGRP":
        raise ValueError("audio groups can't be moved: their numbers are those of their files")
    order = list(range(len(owner)))
    order.insert(index, order.pop(old))
    return list(put_in_order(game, chunk, order).warnings())


def take_out(game: CodeModel, chunk: str, records: Sequence[object]) -> Followed:
    """Take records out of a list and let all code follow; their own code stays.

    Scripts go with their code.
    """
    gone, listed = (chunk, records) if chunk != "CODE" else ("SCPT", _scripts_of(game, records))
    owner = game.named(gone)
    removed = sorted(owner.index(record) for record in listed)
    moved = range(removed[0], len(owner)) if removed else ()
    following = Following(game, gone, moved, removed)
    told = list(game.warnings)
    game.named(chunk).remove(*records)
    _forget_plain_numbers(game, told)
    return following.follow()


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
    told = list(game.warnings)
    game.named(chunk).reorder(order)
    _forget_plain_numbers(game, told)
    return following.follow()


def _users(game: CodeModel, chunk: str, record: Named, removed: list[Named]) -> list[User]:
    """What uses a resource besides those that are removed with it."""
    gone = {(CHUNKS[chunk].title, str(each.name)) for each in removed}
    gone |= {
        ("code", str(reference.name)) for each in removed for reference in own_code(chunk, each)
    }
    return [user for user in users_of(game, chunk, record) if user not in gone]


def _is_unshared(reference: Reference[CodeEntry]) -> bool:
    return getattr(reference.target, "root", None) is None


def _forget_plain_numbers(game: CodeModel, told: list[str]) -> None:
    """Take back the warning that code holds plain numbers: :class:`Following` says more."""
    game.warnings[:] = [
        each for each in game.warnings if each in told or not each.startswith(PLAIN_NUMBERS)
    ]


def _empty_groups(game: CodeModel, records: list[Named]) -> None:
    """Put what removed texture groups list into one that stays.  Raises ValueError where none
    does."""
    gone = {id(record) for record in records}
    stay = [each for each in game.records.texture_groups.present() if id(each) not in gone]
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
    return found if found is not None and any(found is each for each in stay) else stay[0]
