"""What ``overhaul info`` shows of a game: read from the head and the lists' counts only."""

from __future__ import annotations

import datetime
import struct
from typing import TYPE_CHECKING, Any

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.strings import name_at
from overhaul.gamemaker.data.version import first_build

if TYPE_CHECKING:
    from overhaul.gamemaker.data.model import GameModel

#: offsets in GEN8 of what is shown (source: specs, checked on the corpus)
_NAMES = {"name": 40, "file_name": 4, "config": 8, "display_name": 100}


def describe_game(game: GameModel) -> dict[str, Any]:
    """Names, versions with their evidence, chunks and the number of resources of each kind."""
    start = game.chunks["GEN8"].start
    shown: dict[str, object] = {}
    for key, offset in _NAMES.items():
        if key == "display_name" and game.release.bytecode < 10:
            continue
        try:
            (address,) = struct.unpack_from("<I", game.data, start + offset)
            shown[key] = name_at(game.data, address)
        except (FormatError, struct.error):
            shown[key] = None
    stored = struct.unpack_from("<4I", game.data, start + 44)
    built = _build_date(game)
    info: dict[str, object] = {
        "name": shown.get("display_name") or shown["name"],
        "kind": game.kind,
        "version": game.version,
        "bytecode": game.release.bytecode,
        "stored_version": ".".join(map(str, stored)),
        "evidence": [{"version": e.version, "reason": e.reason} for e in game.evidence],
        "file_name": shown["file_name"],
        "configuration": shown["config"],
        "built": None if built is None else built.isoformat(),
        "size": len(game.data),
        "native_code": game.is_native,
        "debugger": game.data[start] == 0,
        "resources": {
            each.attribute: game.count_present(name)
            for name, each in CHUNKS.items()
            if each.items and name in game.chunks and name not in ("VARI", "FUNC")
        },
        "chunks": {
            chunk.name: {"offset": chunk.start - 8, "size": chunk.end - chunk.start}
            for chunk in game.chunks.values()
        },
    }
    if game.is_native and "STRG" not in game.chunks:
        info["note"] = "the compiler did not finish this file: names and code are missing"
    elif game.is_native:
        info["note"] = "compiled to native code (YYC): everything but the code can be read"
    return info


def built_too_early(game: GameModel) -> list[str]:
    """A warning where GEN8's build date is earlier than the release the file's layout shows."""
    built = _build_date(game)
    if built is None or built.timestamp() == 0 or game.assumed:
        return []
    if (built.year, built.month) >= first_build(game.release.number):
        return []
    return [
        f"GEN8 says the file was built on {built.date()}, before there was {game.version}, which "
        f"follows from the {game.evidence[-1].reason}: one of them is wrong"
    ]


def _build_date(game: GameModel) -> datetime.datetime | None:
    """When GEN8 says the file was made; None for a number that is no time."""
    try:
        (seconds,) = struct.unpack_from("<Q", game.data, game.chunks["GEN8"].start + 92)
        return datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    except (struct.error, OverflowError, ValueError, OSError):
        return None
