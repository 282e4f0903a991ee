"""Whether a file is the project file of a .gm82 folder."""

from __future__ import annotations

from typing import Final

from overhaul.document.registry import Probe

TYPE_CHECKING = False


_MARK: Final = b"\xef\xbb\xbf"
_SIGN: Final = b"gm82_version="


def is_project(probe: Probe) -> bool:
    """Whether a file begins as .gm82 files do, or has their ending."""
    return probe.head.removeprefix(_MARK).startswith(_SIGN) or probe.name.endswith(".gm82")
