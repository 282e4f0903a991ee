"""The kinds of patches, recognised by their first bytes."""

from __future__ import annotations

from types import ModuleType

from overhaul.errors import FormatError
from overhaul.patches import bps, ips, ups, vcdiff
from overhaul.patches.stream import Data, Patch

#: a module for each kind
KINDS: dict[str, ModuleType] = {"bps": bps, "xdelta": vcdiff, "ups": ups, "ips": ips}


def writable() -> list[str]:
    """The kinds that can be made."""
    return [name for name, kind in KINDS.items() if hasattr(kind, "make")]


def _kind(patch: Data) -> ModuleType:
    for kind in KINDS.values():
        if bytes(patch[: len(kind.MAGIC)]) == kind.MAGIC:
            return kind
    raise FormatError(f"not a patch: expected one of {', '.join(KINDS)}", offset=0)


def describe(patch: Data) -> Patch:
    """The description of a patch. Raises FormatError for a broken one."""
    said: Patch = _kind(patch).describe(patch)
    return said


def kind_of_name(name: str) -> str | None:
    """The kind that the ending of a file's name says (``.bps``, ``.xdelta``, ``.vcdiff``)."""
    ending = name.rpartition(".")[2].lower()
    return {"vcdiff": "xdelta", "xdelta3": "xdelta"}.get(
        ending, ending if ending in KINDS else None
    )


def apply(patch: Data, old: Data) -> bytes:
    """The file that a patch makes from ``old``.

    Raises FormatError for a broken patch, for one that is for another file, and for one that makes
    a file out of all proportion.
    """
    new: bytes = _kind(patch).apply(patch, old)
    return new


def make(old: Data, new: Data, kind: str = "bps") -> bytes:
    """The patch of a kind (see :func:`writable`) that makes ``new`` from ``old``.

    Raises ValueError for a kind that is not known or can only be read.
    """
    if kind not in writable():
        raise ValueError(f"expected one of {', '.join(writable())}, got {kind!r}")
    patch: bytes = KINDS[kind].make(old, new)
    return patch
