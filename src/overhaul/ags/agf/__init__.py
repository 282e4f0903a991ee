"""Projects of the editor of Adventure Game Studio, as far as compiling their scripts needs them."""

from __future__ import annotations

from overhaul.ags.agf.compiling import compile_project

__all__ = ["compile_project"]
