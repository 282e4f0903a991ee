"""CODE, VARI and FUNC together: loading resolves every reference chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import FormatError
from .chunks import chains

if TYPE_CHECKING:
    from .game import GameData
    from .slots import Slot


def script_type(version: Any) -> int:
    """The asset type that a pushref of a function carries in the last link of its chain."""
    return 5 if version.number >= (2024, 4) else 6


def load_code(game: GameData) -> None:
    """Decode the three chunks and resolve the references; all three are opaque or none."""
    slots = [game.slots[name] for name in ("CODE", "VARI", "FUNC") if name in game.slots]
    for slot in slots:
        game._decode(slot)
    if any(slot.raw is not None for slot in slots):
        for slot in slots:
            if slot.raw is None:
                _carry(game, slot, "another chunk of the code can't be read")
        return
    code = game.slots.get("CODE")
    if code is None or code.record.area is None:
        return
    area = code.record.area
    shared = game.layout.number >= (2, 3)
    kind = script_type(_pushref_version(game, area))
    for name, attribute, target, is_operand in (
        ("VARI", "variables", area.code.variables, False),
        ("FUNC", "functions", area.code.functions, shared),
    ):
        if name not in game.slots:
            continue
        records = getattr(game.slots[name].record, attribute)
        try:
            chains.resolve(
                area,
                records,
                target,
                first_is_operand=is_operand,
                script_type=kind,
                word=name,
            )
        except FormatError as error:
            error.source = game.source
            if game.strict:
                raise
            for slot in slots:
                _carry(game, slot, str(error))
            return
    for entry in area.entries:
        if entry is not None:
            entry.game = game


def _pushref_version(game: GameData, area: Any) -> Any:
    del area
    return game.layout


def _carry(game: GameData, slot: Slot, reason: str) -> None:
    slot.record = None
    game._give_up(slot, reason)


def link_code(game: GameData, encoders: Any) -> Any:
    """The function that fills reference operands when CODE is written (kind ``chains``)."""

    def fill(joined: Any) -> Any:
        code, addresses = joined
        operand = code.columns.operand.copy()
        layout = game.layout
        for name, attribute, target, is_operand in (
            ("VARI", "variables", code.variables, False),
            ("FUNC", "functions", code.functions, layout.number >= (2, 3)),
        ):
            record = game.chunk(name)
            if record is None:
                continue
            chains.link(
                code,
                addresses,
                target,
                getattr(record, attribute),
                operand,
                first_is_operand=is_operand,
                script_type=script_type(layout),
                name_index=lambda value: encoders["string"](value) - 1,
            )
        return operand

    return fill


