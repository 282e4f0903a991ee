"""Documents with compiled scripts: their code is decompiled, compiled again and compared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Final

from overhaul.ags.script.model import Script
from overhaul.document.protocol import Each
from overhaul.document.registry import load

TYPE_CHECKING = False


_ENVIRONMENT: Final = "overhaul.ags.decompiler.game:environment_of"
_DECOMPILE: Final = "overhaul.ags.decompiler.proof:decompile_proven"
_WHOLE: Final = "overhaul.ags.decompiler.source:whole_text"
_PROVE: Final = "overhaul.ags.decompiler.proof:prove"
_COUNT: Final = "overhaul.ags.script.disassembler:instruction_count"
_SHOWN: Final = 3


class HasScripts(ABC):
    """The code of a document whose entries are compiled scripts: see
    :class:`overhaul.document.protocol.HasCode`."""

    _entries: dict[str, Script] | None = None
    _environment: object = None

    @abstractmethod
    def compiled_scripts(self) -> Iterable[tuple[str, Script]]:
        """The compiled scripts with their names."""

    def _code_entries(self) -> dict[str, Script]:
        if self._entries is None:
            entries: dict[str, Script] = {}
            for name, script in self.compiled_scripts():
                number, free = 1, name
                while free in entries:
                    number += 1
                    free = f"{name} ({number})"
                entries[free] = script
            self._entries = entries
        return self._entries

    def code_names(self) -> list[str]:
        """The names of the scripts."""
        return list(self._code_entries())

    def code_instructions(self) -> dict[str, int]:
        """The number of instructions of each script, by name."""
        count = load(_COUNT)
        return {name: count(script) for name, script in self._code_entries().items()}

    def code_size(self) -> int:
        """How many bytes of code the scripts have."""
        return sum(4 * len(script.code) for script in self._code_entries().values())

    def learn_code(self, each: Each | None, *, later: bool = False, few: int = 0) -> None:
        """Scripts say enough about themselves."""
        del each, later, few

    def check_code(self, name: str) -> str | None:
        """None if a script decompiles to source that compiles to it again; else the reason."""
        script = self._code_entries()[name]
        wrong: list[tuple[str, str]] = load(_PROVE)(script, self._known())
        if not wrong:
            return None
        shown = [f"{place}: {why}" if place else why for place, why in wrong[:_SHOWN]]
        more = f"; and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        return "; ".join(shown) + more

    def code_source(self, name: str) -> tuple[str, list[str]]:
        """The decompiled source of a script, the functions in it that are assembly, and the
        reasons."""
        made, _ = load(_DECOMPILE)(self._code_entries()[name], self._known())
        text: str = load(_WHOLE)(made)
        return text, [f"{failure.name}: {failure.reason}" for failure in made.failures]

    def _known(self) -> object:
        """The facts about the scripts of a document."""
        if self._environment is None:
            self._environment = load(_ENVIRONMENT)(self)
        return self._environment

    def code_compiler(self) -> dict[str, object]:
        """The versions of the scripts' format."""
        versions = sorted({script.version for script in self._code_entries().values()})
        return {"script_versions": versions} if versions else {}
