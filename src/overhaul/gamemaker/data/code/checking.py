"""Whether a code entry's source, as decompiled, compiles back to the identical bytecode."""

from __future__ import annotations

from overhaul.errors import EncodeError, OverhaulError, SourceError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.code.plain_names import are_exactly
from overhaul.gamemaker.data.code.registration import Registrar
from overhaul.gml.vm.code import Code, Instruction
from overhaul.gml.vm.columns import check_values

#: the name of all code where it can't be read
UNREADABLE = "CODE"


def root_names(game: CodeModel) -> list[str]:
    """The names of the entries that have bytecode of their own, in the order of the game.

    Code that can't be read at all is one entry, called as the chunk is.
    """
    if "CODE" not in game.chunks:
        return []
    if game.record("CODE") is None:
        return [] if game.is_native else [UNREADABLE]
    return [
        str(entry.name) for entry in game.records.code if entry is not None and entry.root is None
    ]


def why_not_identical(game: CodeModel, name: str) -> str | None:
    """None if the entry's own source compiles to its bytecode; else the reason in one line.

    An entry that the decompiler or the compiler fails on has that as its reason.
    """
    if name == UNREADABLE and game.record("CODE") is None:
        return f"the code can't be read: {game.chunks['CODE'].reason}"
    entry: CodeEntry | None = game.records.code.get(name)
    if entry is None:
        return "the entry has no name"
    entry = entry if entry.root is None else entry.root
    try:
        source, problems = game.language.decompiled.source(entry)
    except Exception as error:  # noqa: BLE001 - the entry's reason; the others go on
        return f"not decompiled: {explained(error)}"
    return why_source_differs(game, entry, source, problems)


def why_source_differs(
    game: CodeModel, root: CodeEntry, source: str, problems: list[str]
) -> str | None:
    """None if a source, as decompiled, compiles to a root's bytecode; else the reason."""
    if problems:
        return f"not structured: {problems[0]}"
    try:
        return difference(game, root, source)
    except EncodeError as error:
        return f"compiles to code that can't be encoded: {explained(error)}"
    except Exception as error:  # noqa: BLE001 - the entry's reason; the others go on
        return f"does not compile: {explained(error)}"


def difference(game: CodeModel, root: CodeEntry, source: str) -> str | None:
    """Where a source's bytecode differs from that of a root entry; None if it is identical.

    Raises SyntaxError_, CompileError and EncodeError.
    """
    language = game.language
    verdicts = language.decompiled.verdicts
    if verdicts is not None and verdicts.knows(root, source):
        return None
    before = None if root.unreadable else language.code_to_read(root)
    code = language.compile_new(root, source, before)
    plain = language.decompiled.plainly_named
    named = before is not None and plain is not None and root in plain
    if before is not None and named and are_exactly(code.instructions, before.instructions):
        return None
    with Registrar(language.index, trial=True) as registrar:
        # Equal instructions with equal record numbers are equal bytes: chains follow from them.
        made = registrar.numbered(root, code, language.context)
        if made == root.bytecode:
            return None
        check_values(made.columns, language.context.dialect.bytecode)
    return _first_difference(language.code(root), code)


def _first_difference(old: Code, new: Code) -> str:
    offset = 0
    for mine, theirs in zip(new.instructions, old.instructions, strict=False):
        if exact(mine) != exact(theirs):
            return f"compiles differently at {offset:#x}: {mine!r} for {theirs!r}"
        offset += 4 * theirs.size
    if len(new.instructions) != len(old.instructions):
        word = "longer" if len(new.instructions) > len(old.instructions) else "shorter"
        return f"compiles to {word} code, from {offset:#x} on"
    return "compiles to the same instructions, but with other records for their names"


def exact(instruction: Instruction) -> tuple[object, ...]:
    """All fields of an instruction as a key for comparison: 0.0 and -0.0 differ, and so do NaNs of
    different bits."""
    return (
        instruction.opcode,
        instruction.type1,
        instruction.type2,
        instruction.value,
        repr(instruction.operand),
    )


def explained(error: BaseException) -> str:
    """An error in one line; one that is not the library's is an internal error."""
    shown = SourceError.__str__(error) if isinstance(error, SourceError) else str(error)
    text = " ".join(shown.split())
    if isinstance(error, OverhaulError):
        return text
    return f"an internal error: {type(error).__name__}: {text}"
