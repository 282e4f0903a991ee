"""How source is written where the bytes allow several texts.

Each option is a habit of the people who wrote the 3,155 original sources of the corpus; its
docstring says how often they follow it.  All texts compile to the same instructions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class DecompileOptions:
    """The form of decompiled source; the defaults are the habits of most people."""

    names: bool = True
    """Numbers are the names of assets and constants, and ``true`` or ``false``, where their use
    says what they are (assets 6,021 rightly, 56 wrongly)."""
    fractions: bool = True
    """Doubles that were worked out by the compiler are quotients: ``1 / 60`` (100 of 101)."""
    for_loops: bool = True
    """A loop that ends by counting a variable that was set just before it is a ``for`` (490 of
    501), otherwise a ``while``."""
    early_continue: bool = True
    """The end of a loop that continues early elsewhere is written with a ``continue`` (11 of 11),
    otherwise with an ``else``."""
    methods_last: bool = True
    """Static functions stand behind the other statements of a constructor (13 of 13)."""
    accessors: bool = True
    """Elements of lists, maps, grids and structs are read by ``l[| i]`` where the game's author
    does so, otherwise by functions such as ``ds_list_find_value``."""
    declarations: bool = True
    """Locals are declared where they get their first value, ``var x = 1`` (88 % of those that can
    be), otherwise by a bare ``var`` before."""


DEFAULT: Final = DecompileOptions()
PLAIN: Final = DecompileOptions(
    names=False,
    fractions=False,
    for_loops=False,
    early_continue=False,
    methods_last=False,
    accessors=False,
    declarations=False,
)
"""The options by which source follows the instructions as literally as it can."""
PRESETS: Final = {"default": DEFAULT, "plain": PLAIN}
