"""Resources that nothing in a game seems to use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.code.context import SCRIPT_PREFIX
from overhaul.gamemaker.data.code.mentions import names_in, roots
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.renumber import references_in
from overhaul.gamemaker.data.resources.users import NO_USERS, User, own_code
from overhaul.gml.vm.columns import is_string_push

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.func import Script
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.references import Named

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
