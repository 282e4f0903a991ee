"""Scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gamemaker.data.chunks.scpt import Script as ScriptRecord
from overhaul.gamemaker.data.code.additions import add_script
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.code import code_of
from overhaul.gamemaker.data.resources.names import check_new_name

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.code import Code


class Script(Resource[ScriptRecord]):
    """A script; from 2.3 on each function of one is listed as well."""

    __slots__ = ()
    chunk = "SCPT"

    @property
    def code(self) -> Code:
        """The code it runs.  Raises ValueError where it has none (a game of native code)."""
        return code_of(self.game, self.record.code.entry, f"the script {self.name}")

    @property
    def gml(self) -> str:
        """Its code as source; assigning compiles it.  From 2.3 on the source of a script declares
        its functions, before it is the body of the one function that the script is."""
        return self.code.gml

    @gml.setter
    def gml(self, source: str) -> None:
        self.code.gml = source

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
