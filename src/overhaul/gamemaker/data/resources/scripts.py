"""Scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gamemaker.data.chunks.func import Script as ScriptRecord
from overhaul.gamemaker.data.code.additions import add_script
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.code import RunsCode, code_or_none
from overhaul.gamemaker.data.resources.names import check_new_name

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.code import Code


class Script(Resource[ScriptRecord], RunsCode):
    """A script; from 2.3 on each function of one is listed as well."""

    __slots__ = ()
    chunk = "SCPT"

    @property
    def code(self) -> Code | None:
        """The code it runs; None where it has none (as in a game of native code).

        From 2.3 on the source of a script declares its functions, before it is the body of the one
        function that the script is.
        """
        return code_or_none(self.game, self.record.code.entry)

    @property
    def constructor(self) -> bool:
        """Whether it is a function that makes structs."""
        return bool(self.record.code.constructor)

    def _about(self) -> str:
        return "constructor" if self.constructor else ""


class Scripts(Resources[Script]):
    """The scripts of a game, and from 2.3 on its functions."""

    resource = Script

    def add(self, name: str, source: str, definitions: str = "") -> Script:
        """Add a script with its code.

        From 2.3 on ``source`` declares functions (``function jump(height) { ... }``), before it is
        the body of the one function that the script is.  ``definitions``: GML text with ``#macro``
        and ``enum`` lines.  Raises ValueError for a name that is taken or is none, SyntaxError_ and
        CompileError for the source; nothing is changed then.
        """
        self._check_kind()
        check_new_name(self.game, "SCPT", name)
        add_script(self.game, name, source, definitions)
        return self[name]
