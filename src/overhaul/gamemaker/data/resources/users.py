"""The parts of a resource, its users, and resources without users."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple, cast

from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.func import Script
from overhaul.gamemaker.data.code.context import SCRIPT_PREFIX
from overhaul.gamemaker.data.code.mentions import code_naming, code_with, names_in, roots
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.code.owners import uses_in
from overhaul.gamemaker.data.painting import GROUP_FIELDS
from overhaul.gamemaker.data.references import Named, Reference
from overhaul.gamemaker.data.renumber import references_in
from overhaul.gml.vm.columns import is_string_push

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
    """The users of a resource: other resources that refer to it, code that names it.

    Where a resource is listed (the order of rooms, tags, texture groups) does not count; the
    resources in a texture group or audio group use it.
    """
    owner = game.named(chunk)
    index = owner.index(record)
    game.load_all()
    users = list(_listed_in(game, chunk, record, index))
    reference = owner.references.get(index)
    for name, slot in game.chunks.items() if reference is not None else ():
        if name in NO_USERS or slot.record is None or name not in CHUNKS:
            continue
        kind = CHUNKS[name]
        parts = game.named(name).present() if kind.items else [slot.record]
        for part in parts:
            if part is not record and any(other is reference for other in references_in(part)):
                title = kind.title or kind.attribute.replace("_", " ")
                users.append(User(title, str(getattr(part, "name", None) or "")))
    mine = {id(entry.target) for entry in own_code(chunk, record)}
    for entry in code_with(game, chunk, index, str(record.name)):
        if id(entry) not in mine:
            users.append(User("code", str(entry.name)))
    return users


def user_counts(game: CodeModel, chunk: str) -> dict[int, int]:
    """How many things use each resource of a chunk, by its number: as many as :func:`users_of`
    lists, found for all of them at once."""
    owner = game.named(chunk)
    game.load_all()
    counts: dict[int, int] = {}
    own: dict[int, set[int]] = {}
    for index, record in enumerate(owner):
        if record is not None:
            counts[index] = sum(1 for _ in _listed_in(game, chunk, record, index))
            own[index] = {id(entry.target) for entry in own_code(chunk, record)}
    numbers = {id(reference): index for index, reference in owner.references.items()}
    for name, slot in game.chunks.items():
        if name in NO_USERS or slot.record is None or name not in CHUNKS:
            continue
        for part in game.named(name).present() if CHUNKS[name].items else [slot.record]:
            for index in {numbers.get(id(each), -1) for each in references_in(part)}:
                if index in counts and owner[index] is not part:
                    counts[index] += 1
    for entry, named in code_naming(game, chunk):
        for index in named:
            if index in counts and id(entry) not in own[index]:
                counts[index] += 1
    return counts


def _listed_in(game: CodeModel, chunk: str, record: Named, index: int) -> Iterator[User]:
    if chunk == "TGIN":
        for kind, field in GROUP_FIELDS.items():
            for item in getattr(record, field):
                if isinstance(item, Reference) and item.target is not None:
                    yield User(CHUNKS[kind].title, str(item.target.name))
    elif chunk == "AGRP" and game.release.bytecode >= 14:
        for sound in game.records.sounds.present():
            if sound.group == index:
                yield User("sound", str(sound.name))


#: the kinds that nothing but a use brings into a game; rooms are entered in their order
_KINDS = (
    *("SPRT", "SOND", "BGND", "PATH", "SCPT", "SHDR", "FONT", "TMLN", "OBJT", "ACRV", "SEQN"),
    "PSYS",
)


def unused(game: CodeModel) -> list[User]:
    """The resources that no other resource refers to and that no code names, not even in a text.

    A game that makes names out of parts (``asset_get_index("spr_" + kind)``) uses more than can be
    seen: this is where to look, not what to remove.  All code is decompiled.
    """
    game.load_all()
    referred = _referred(game)
    named = _named(game)
    found = []
    for chunk in _KINDS:
        title = CHUNKS[chunk].title
        for record in game.named(chunk).present() if game.record(chunk) is not None else ():
            mine = {id(entry.target) for entry in own_code(chunk, record)}
            names = set(_called(game, chunk, record))
            if (
                names
                and id(record) not in referred
                and not any(named[name] - mine for name in names)
            ):
                found.append(User(title, str(record.name)))
    return found


def _referred(game: CodeModel) -> set[int]:
    """The records that another record refers to."""
    found = set()
    for name, slot in game.chunks.items():
        if name in NO_USERS or slot.record is None or name not in CHUNKS:
            continue
        for part in game.named(name).present() if CHUNKS[name].items else [slot.record]:
            for reference in references_in(part):
                if reference.target is not None and reference.target is not part:
                    found.add(id(reference.target))
    return found


def _named(game: CodeModel) -> defaultdict[str, set[int]]:
    """The root entries that name something, by name: as a word, or as a whole text."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    game.learn_code(None)  # the names of all entries are asked for
    for entry in roots(game):
        columns = entry.bytecode.columns
        numbers = columns.operand[is_string_push(columns)]
        known = numbers[numbers < len(game.strings)]  # in a damaged file there may be others
        texts = [str(game.strings[int(number)]) for number in known]
        for name in (*names_in(entry), *texts):
            found[name].add(id(entry))
    return found


def _called(game: CodeModel, chunk: str, record: Named) -> Iterator[str]:
    """The names that code has for a resource: of a script also those of the functions in it; none
    for a function that has no name everyone knows."""
    entry = cast("Script", record).code.entry if chunk == "SCPT" else None
    target = entry.target if isinstance(entry, Reference) else None
    if target is None:
        yield str(record.name)
    elif target.root is None:
        yield str(record.name).removeprefix(SCRIPT_PREFIX)
        for child in target.children:
            yield str(child.name).removeprefix(SCRIPT_PREFIX)
    elif game.language.context.function_of_code(str(target.name)) is not None:
        yield str(target.name).removeprefix(SCRIPT_PREFIX)
