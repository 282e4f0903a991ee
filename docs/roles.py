"""Roles of docstrings (``:class:`Room```) as code on the pages of the reference."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|meth|mod|data|attr|exc|ref):`(~?)([^`]+)`")


def plain(text: str) -> str:
    """A docstring without roles: what they name, short where the role has a tilde."""
    return ROLE.sub(
        lambda found: f"`{found[2].rpartition('.')[2] if found[1] else found[2]}`", text
    )


class Roles(griffe.Extension):
    """Takes roles out of every docstring."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = plain(obj.docstring.value)
