"""Assembly text of a stretch of code, for comments."""

from __future__ import annotations

from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.vm.code import Code


def listing(code: Code, fragment: Fragment) -> str:
    """One line per instruction of a fragment: its byte offset and what it is."""
    offsets = code.offsets()
    lines = []
    for index in range(fragment.start, min(fragment.end, len(code.instructions))):
        lines.append(f"{offsets[index]:6}  {code.instructions[index]!r}")
    return "\n".join(lines)
