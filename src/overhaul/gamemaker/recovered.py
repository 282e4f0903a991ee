"""How much of a game is in a project that was made of it."""

from __future__ import annotations

from typing import NamedTuple


class Tally(NamedTuple):
    """Of the resources of a kind: how many there are, in how many of them usual values stand for
    what compiling lost, and how many lack a part."""

    total: int
    lossy: int = 0
    lost: int = 0

    def to_json(self) -> dict[str, int]:
        """As docs/guide/json.md describes it."""
        return {"count": self.total, "lossy": self.lossy, "lost": self.lost}
