"""The kinds of assets that code names, and where a game has them."""

from __future__ import annotations

from typing import Final

#: asset kinds of the language tools, and the chunks their lists are in
KIND_CHUNKS: Final = {
    "object": "OBJT",
    "sprite": "SPRT",
    "sound": "SOND",
    "room": "ROOM",
    "background": "BGND",
    "path": "PATH",
    "script": "SCPT",
    "font": "FONT",
    "timeline": "TMLN",
    "shader": "SHDR",
    "sequence": "SEQN",
    "animation_curve": "ACRV",
    "particle_system": "PSYS",
}
