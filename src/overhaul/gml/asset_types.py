"""The numbers of asset kinds in references."""

from __future__ import annotations

from typing import Final

OLD_ASSET_TYPES: Final[dict[int, str]] = {
    0: "object", 1: "sprite", 2: "sound", 3: "room", 4: "background", 5: "path", 6: "script",
    7: "font", 8: "timeline", 10: "shader", 11: "sequence", 12: "animation_curve",
    13: "particle_system", 14: "room_instance",
}  # fmt: skip
"""Type number of a pushref operand (bits 24-30) -> asset kind, 2023.8 to 2024.2."""

NEW_ASSET_TYPES: Final[dict[int, str]] = {
    0: "object", 1: "sprite", 2: "sound", 3: "room", 4: "path", 5: "script", 6: "font",
    7: "timeline", 8: "shader", 9: "sequence", 10: "animation_curve", 11: "particle_system",
    13: "background", 14: "room_instance",
}  # fmt: skip
"""The same from 2024.4 on."""
