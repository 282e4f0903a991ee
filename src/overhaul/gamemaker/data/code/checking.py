"""Whether a code entry's source, as decompiled, compiles back to the identical bytecode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....errors import OverhaulError

if TYPE_CHECKING:
    from ..game import GameData


def root_names(game: GameData) -> list[str]:
    """The names of the entries that have bytecode of their own, in the order of the game."""
    if "CODE" not in game.slots:
        return []
    return [str(entry.name) for entry in game.code if entry is not None and entry.root is None]


def why_not_identical(game: GameData, name: str) -> str | None:
    """None if the entry's own source compiles to its bytecode; else the reason in one line."""
    entry = game.code[name]
    try:
        source = entry.gml
        made = game.compile(name, source).to_bytes()
    except OverhaulError as error:
        return " ".join(str(error).split())
    original = entry.to_bytes()
    if made == original:
        return None
    same = next(
        (i for i, (a, b) in enumerate(zip(made, original, strict=False)) if a != b),
        min(len(made), len(original)),
    )
    return (
        f"compiles to other bytecode from offset {same // 4 * 4:#x} on "
        f"({len(original)} bytes in the game, {len(made)} compiled)"
    )
