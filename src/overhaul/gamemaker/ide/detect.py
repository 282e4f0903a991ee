"""Whether a file is the project file of GameMaker's editor."""

from __future__ import annotations

from typing import Final

from overhaul.document.registry import Probe

TYPE_CHECKING = False


_HEAD: Final = 2000
_TAIL: Final = 400
_MARK: Final = b"\xef\xbb\xbf"
#: How the name of an extension of Studio 1 ends.
_EXTENSION: Final = ".extension.gmx"
#: The first or last bytes of a project's file.
_SIGNS: Final = (b'"$GMProject"', b'"modelName": "GMProject"', b'"resourceType": "GMProject"')


def is_project(probe: Probe) -> bool:
    """Whether a file is the project file of an editor: .yyp, also a broken one, or .project.gmx.

    So is the file of an extension of Studio 1, which its archive (.gmez) has in the place of one.
    """
    if probe.name.endswith(".yyp"):
        return True
    head = probe.head[:_HEAD].removeprefix(_MARK).lstrip()
    if head[:1] == b"{":
        ends = head + probe.tail(_TAIL)
        return any(sign in ends for sign in _SIGNS)
    if probe.name.casefold().endswith(_EXTENSION):
        return head[:1] == b"<" and b"<extension>" in head[:_TAIL]
    return head[:1] == b"<" and b"<assets>" in head[:_TAIL]
