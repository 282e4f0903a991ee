"""The verbs of Adventure Game Studio for commands that every family has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.lazy import attach

if TYPE_CHECKING:
    from overhaul.cli.ags.building import build as build
    from overhaul.cli.ags.building import builds as builds
    from overhaul.cli.ags.converting import convert as convert
    from overhaul.cli.ags.converting import converts as converts
    from overhaul.cli.ags.scripts import compiles as compiles
else:  # a command loads what it asks for
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.cli.ags.building": "build builds",
            "overhaul.cli.ags.converting": "convert converts",
            "overhaul.cli.ags.scripts": "compile=compile_scripts compiles",
        },
    )


def check_merge() -> tuple[()]:
    """None: git merges projects of this editor as texts."""
    return ()
