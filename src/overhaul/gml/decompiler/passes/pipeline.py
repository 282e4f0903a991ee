"""The passes over what was read of a function or entry, in their order.

What needs the instructions besides is called while they are read: ``make_loop`` (``while`` or
``for``), the rules of ``idioms``, ``struct_literal``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.passes.entries import (
    declare_globals,
    declare_unknown_enum,
    drop_exit_of_nothing,
)
from overhaul.gml.decompiler.passes.exceptions.finally_copies import (
    join_returns,
    remove_finally_copies,
)
from overhaul.gml.decompiler.passes.exceptions.jumps import restore_jumps
from overhaul.gml.decompiler.passes.functions import (
    mark_statics,
    say_self,
    take_default_values,
)
from overhaul.gml.decompiler.passes.locals import declare_locals

Pass = Callable[[Fragment], None]

TRY_PASSES: Final[tuple[Pass, ...]] = (
    remove_finally_copies,  # the copies of finally parts before what leaves a try early
    restore_jumps,  # without these flags and the loops around the parts of a try
    join_returns,  # copyVar = e; return copyVar
)
"""What runs first where there are try statements."""

FUNCTION_PASSES: Final[tuple[Pass, ...]] = (
    take_default_values,  # if (arg0 == undefined) arg0 = value
    mark_statics,  # static x = value
    say_self,  # self.x = []
    declare_locals,  # var x
)

ENTRY_PASSES: Final[tuple[Pass, ...]] = (
    say_self,
    declare_locals,
    declare_globals,  # globalvar x
    drop_exit_of_nothing,  # the `exit` of an entry without statements
    declare_unknown_enum,  # enum UnknownEnum
)


def run(passes: tuple[Pass, ...], fragment: Fragment) -> None:
    """Run the passes over a body."""
    if fragment.has_try:
        passes = TRY_PASSES + passes
    for each in passes:
        each(fragment)
