"""The script API of Adventure Game Studio: what each editor declares before a game's scripts."""

from __future__ import annotations

from overhaul.ags.api.header import builtin_header
from overhaul.ags.api.macros import LEVELS, ScriptSettings, script_macros
from overhaul.ags.api.table import (
    Declaration,
    all_declarations,
    declarations,
    parse_version,
    version_in,
)

__all__ = [
    "LEVELS",
    "Declaration",
    "ScriptSettings",
    "all_declarations",
    "builtin_header",
    "declarations",
    "parse_version",
    "script_macros",
    "version_in",
]
