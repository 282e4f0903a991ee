"""The passes over what was read of a function, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.passes.functions import (
    declare_globals,
    declare_statics,
    declare_unknown_enum,
    drop_exit_of_nothing,
    mark_statics,
    methods_last,
    say_self,
    take_default_values,
    write_self,
)
from overhaul.gml.decompiler.passes.locals import declare_locals
from overhaul.gml.decompiler.passes.loops import shape_loops
from overhaul.gml.decompiler.passes.tries import (
    close_tries,
    join_returns,
    remove_finally_copies,
    restore_jumps,
)

Pass = Callable[[Fragment], None]

CHOICES: Final[tuple[Pass, ...]] = (
    shape_loops,  # while or for; continue or else at the end of a loop
    close_tries,  # whose each finally part is
)
"""The choices that the instructions leave open."""

TRIES: Final[tuple[Pass, ...]] = (
    remove_finally_copies,  # the copies of finally parts before what leaves a try early
    restore_jumps,  # without the flags and the loops around the parts of a try
    join_returns,  # copyVar = e; return copyVar
)
"""The parts that compilers add to try statements."""

FUNCTION: Final[tuple[Pass, ...]] = (
    take_default_values,  # if (arg0 == undefined) arg0 = value
    mark_statics,  # static x = value
    declare_statics,  # static x
    say_self,  # self.x = []
    declare_locals,  # var x
    methods_last,  # the static functions of a constructor
    write_self,  # instance_destroy(self)
)

ENTRY: Final[tuple[Pass, ...]] = (
    say_self,
    declare_locals,
    declare_globals,  # globalvar x
    drop_exit_of_nothing,  # the `exit` of an entry without statements
    declare_unknown_enum,  # enum UnknownEnum
    write_self,
)


def run(fragments: Iterable[Fragment]) -> None:
    """Run the passes over the functions of an entry, the entry itself among them."""
    for fragment in fragments:
        own = ENTRY if fragment.child is None else FUNCTION
        for change in CHOICES + TRIES + own if fragment.has_try else CHOICES + own:
            change(fragment)
