"""The verbs of GameMaker and Game Maker for commands that every family has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.lazy import attach

if TYPE_CHECKING:
    from overhaul.cli.gamemaker.building import build as build
    from overhaul.cli.gamemaker.building import builds as builds
    from overhaul.cli.gamemaker.code import compiles as compiles
    from overhaul.cli.gamemaker.converting import convert as convert
    from overhaul.cli.gamemaker.converting import converts as converts
    from overhaul.gamemaker.ide_merge.repository import check_merge as check_merge
else:  # a command loads what it asks for
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.cli.gamemaker.building": "build builds",
            "overhaul.cli.gamemaker.code": "compile=compile_gml compiles",
            "overhaul.cli.gamemaker.converting": "convert converts",
            "overhaul.gamemaker.ide_merge.repository": "check_merge",
        },
    )
