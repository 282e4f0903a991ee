"""How a variable is reached: what the resolver decides and the emitting parts read."""

from __future__ import annotations

from typing import Final

READ: Final = 0
WRITE: Final = 1
CHANGE: Final = 2  # read and written: compound assignment
STEP: Final = 3  # the same for ++ and --

ELEMENT: Final = 0x100  # kind of access: an element behind an array reference (pushaf, popaf)


class Access:
    """A variable whose instance and index operands have been pushed.

    ``kind`` is a ReferenceType or ELEMENT; ``own`` the scope of the variable's own record, which
    an array is not read by. ``opcode`` reads it when nothing was pushed; ``over``:
    a value lies under the pushed -9.
    """

    __slots__ = ("instance", "kind", "name", "opcode", "over", "own", "scope")

    def __init__(
        self, kind: int, name: str, scope: int, instance: int, opcode: int, over: bool = False
    ) -> None:
        self.own: int = scope
        self.kind: int = kind
        self.name: str = name
        self.scope: int = scope
        self.instance: int = instance
        self.opcode: int = opcode
        self.over: bool = over
