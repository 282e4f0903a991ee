"""The tags of assets: code finds assets by them.

The compiler has tags of its own for constructors, which begin with ``@@``.
"""

from __future__ import annotations

from typing import Final

from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import Reference

_OWN: Final = "@@"
_KINDS: Final = {
    "SPRT": "sprite", "SOND": "sound", "OBJT": "object", "ROOM": "room", "PATH": "path",
    "SCPT": "script", "FONT": "font", "TMLN": "timeline", "BGND": "tile_set", "SHDR": "shader",
    "SEQN": "sequence", "ACRV": "curve", "PSYS": "particle_system",
}  # fmt: skip
_SCRIPTS: Final = ("gml_GlobalScript_", "gml_Script_")


def tags_of(game: GameData) -> dict[tuple[str, str], list[str]]:
    """The author's tags, by the kind and the name of the resource."""
    found: dict[tuple[str, str], list[str]] = {}
    listed = game.tags
    for asset in () if listed is None else listed.assets:
        resource = getattr(asset, "asset", None)  # a damaged list has places for none
        if not isinstance(resource, Reference) or resource.target is None:
            continue
        tags = [str(tag) for tag in asset.tags if not str(tag or _OWN).startswith(_OWN)]
        name = str(resource.target.name or "")
        for start in _SCRIPTS if resource.chunk == "SCPT" else ():
            name = name.removeprefix(start)
        if tags and resource.chunk in _KINDS:
            found.setdefault((_KINDS[resource.chunk], name), []).extend(tags)
    return found
