"""Colours as games number them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhaul.ags.game.records import AGS4

if TYPE_CHECKING:
    from overhaul.ags.game.game import Game

#: Colours 0 to 31 of games of more than 8 bits: those of the standard palette.
STANDARD: Final = (
    0x000000, 0x0000A0, 0x00A000, 0x00A0A0, 0xA00000, 0xA000A0, 0xA05000, 0xA0A0A0,
    0x505050, 0x5050FF, 0x50FF50, 0x50FFFF, 0xFF5050, 0xFF50FF, 0xFFFF50, 0xFFFFFF,
    *(grey * 0x101010 for grey in range(16)),
)  # fmt: skip


def colour_of(game: Game, number: int, palette: bytes) -> tuple[int, int, int]:
    """The r, g, b of a colour of a game; ``palette`` are triples for games of 8 bits.

    In AGS 4 a number is alpha, red, green, blue; before, from 32 on, red, green and blue of 5, 6
    and 5 bits.
    """
    if game.version >= AGS4:
        return number >> 16 & 255, number >> 8 & 255, number & 255
    if _depth(game) == 1:
        at = 3 * (number & 255)
        return palette[at], palette[at + 1], palette[at + 2]
    if 0 <= number < len(STANDARD):
        colour = STANDARD[number]
        return colour >> 16, colour >> 8 & 255, colour & 255
    red, green, blue = number >> 11 & 31, number >> 5 & 63, number & 31
    return red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2


def _depth(game: Game) -> int:
    """Bytes per pixel of the game."""
    if game.old is not None:
        return game.old.colour_depth or 1
    return 0 if game.content is None else game.content.settings.colour_depth
