"""What a resource has of its own, and what uses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.mentions import code_with
from overhaul.gamemaker.data.code.owners import uses_in
from overhaul.gamemaker.data.painting import GROUP_FIELDS
from overhaul.gamemaker.data.references import Named, Reference
from overhaul.gamemaker.data.renumber import references_in

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.model import CodeModel

#: chunks that list resources without using them, or refer to none
NO_USERS = {
    *("GEN8", "GLOB", "GMEN", "TAGS", "TGIN", "SCPT", "CODE", "VARI", "FUNC", "FEAT", "STRG"),
    *("TXTR", "TPAG", "AUDO"),
}


class User(NamedTuple):
    """Something that uses a resource: ``kind`` is what it is, such as ``"room"``."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".rstrip()


def own_code(chunk: str, record: object) -> list[Reference[CodeEntry]]:
    """The code that a resource runs: of events, moments, a room and its instances, a script."""
    places = uses_in(chunk, record) if chunk in ("OBJT", "TMLN", "ROOM", "SCPT") else ()
    unique = {id(place.code): place.code for place in places}
    return [e for e in unique.values() if isinstance(e, Reference) and e.target is not None]


def users_of(game: CodeModel, chunk: str, record: Named) -> list[User]:
    """What uses a resource: other resources that refer to it, code that names it.

    Where a resource is listed (the order of rooms, tags, texture groups) does not count; the
    resources in a texture group or audio group use it.
    """
    owner = game.named(chunk)
    index = owner.index(record)
    game.load_all()
    found = list(_listed_in(game, chunk, record, index))
    reference = owner.references.get(index)
    for name, slot in game.chunks.items() if reference is not None else ():
        if name in NO_USERS or slot.record is None or name not in CHUNKS:
            continue
        kind = CHUNKS[name]
        parts = game.named(name).present() if kind.items else [slot.record]
        for part in parts:
            if part is not record and any(each is reference for each in references_in(part)):
                title = kind.title or kind.attribute.replace("_", " ")
                found.append(User(title, str(getattr(part, "name", None) or "")))
    mine = {id(each.target) for each in own_code(chunk, record)}
    for entry in code_with(game, chunk, index, str(record.name)):
        if id(entry) not in mine:
            found.append(User("code", str(entry.name)))
    return found


def _listed_in(game: CodeModel, chunk: str, record: Named, index: int) -> Iterator[User]:
    if chunk == "TGIN":
        for kind, field in GROUP_FIELDS.items():
            for each in getattr(record, field):
                if isinstance(each, Reference) and each.target is not None:
                    yield User(CHUNKS[kind].title, str(each.target.name))
    elif chunk == "AGRP" and game.release.bytecode >= 14:
        for sound in game.records.sounds.present():
            if sound.group == index:
                yield User("sound", str(sound.name))
