"""Code entries by name, and their texts: source or assembly.

Each text is a value: an entry that a tool fails on has the reason instead, and the others go on.
The functions that take a game and an index can be sent to other processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.checking import explained
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gml.decompiler.options import DecompileOptions


class EntryText(NamedTuple):
    """The text of one entry: ``text`` is None where there is none, ``problems`` say why.

    Source with ``problems`` has the parts that could not be structured as assembly in comments.
    """

    name: str
    text: str | None
    problems: list[str]


def root_entries(game: CodeModel) -> list[int]:
    """The indices in CODE of the entries with bytecode of their own.

    Raises FormatError for a game without readable bytecode (native code, or a broken chunk).
    """
    if game.is_native:
        raise FormatError(
            "the game was compiled to native code (YYC): there is no bytecode", source=game.source
        )
    if game.record("CODE") is None:
        reason = game.chunks["CODE"].reason or "it is not understood"
        raise FormatError(f"the code can't be read: {reason}", source=game.source, path="CODE")
    return [
        index
        for index, entry in enumerate(game.records.code)
        if entry is not None and entry.root is None
    ]


def chosen_entries(game: CodeModel, patterns: Sequence[str] = ()) -> tuple[list[int], list[str]]:
    """Root entries by names or globs (all, without ``patterns``), and the patterns nothing fits.

    The name of a function inside an entry chooses the entry; a script or function may be named
    without its prefix.  The name of an object, a room or a timeline chooses all of its code.
    """
    roots = root_entries(game)
    if not patterns:
        return roots, []
    names: dict[int, list[str]] = {id(game.records.code[root]): [] for root in roots}
    for entry in game.records.code:
        if entry is not None:
            names[id(entry if entry.root is None else entry.root)].append(str(entry.name))
    entries: set[int] = set()
    missing = []
    for pattern in patterns:
        spelled = {pattern, f"gml_Script_{pattern}", f"gml_GlobalScript_{pattern}"}
        hits = {
            key
            for key, own in names.items()
            if any(name in spelled or fnmatchcase(name, pattern) for name in own)
        }
        if not hits:
            hits = _code_of(game, pattern) & names.keys()
        if not hits:
            missing.append(pattern)
        entries |= hits
    return [root for root in roots if id(game.records.code[root]) in entries], missing


def _code_of(game: CodeModel, name: str) -> set[int]:
    """The ids of the entries that the object, room or timeline of a name runs."""
    # start-up: entries are mostly named themselves
    from overhaul.gamemaker.data.code.owners import uses_in

    names = set()
    for chunk in ("OBJT", "ROOM", "TMLN"):
        record = game.named(chunk).get(name) if game.record(chunk) is not None else None
        for use in () if record is None else uses_in(chunk, record):
            target = getattr(use.code, "target", None)
            if target is not None:
                names.add(id(target if target.root is None else target.root))
    return names


def itself(game: CodeModel) -> CodeModel:
    """The game itself: all that the functions below need."""
    return game


def learned(game: CodeModel) -> CodeModel:
    """The game, after types were inferred from all of its code."""
    game.language.decompiled.learn()
    return game


def decompiled(game: CodeModel, index: int, options: DecompileOptions | None = None) -> EntryText:
    """The source of the entry with this index, written as ``options`` say."""
    entry: CodeEntry = game.records.code[index]
    try:
        text, problems = game.language.decompiled.source(entry, options)
    except Exception as error:  # noqa: BLE001 - reported with the entry; the others go on
        return EntryText(str(entry.name), None, [explained(error)])
    return EntryText(str(entry.name), text, problems)


def disassembled(game: CodeModel, index: int) -> EntryText:
    """The assembly text of the entry with this index."""
    entry: CodeEntry = game.records.code[index]
    try:
        return EntryText(str(entry.name), entry.assembly, [])
    except Exception as error:  # noqa: BLE001 - reported with the entry; the others go on
        return EntryText(str(entry.name), None, [explained(error)])
