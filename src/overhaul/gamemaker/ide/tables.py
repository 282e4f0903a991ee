"""Tables next to the modules that read them: lines with tabs between the cells."""

from __future__ import annotations

from typing import Final

from overhaul.document.registry import load

#: Loaded when a table is read: listing a project reads none.
_FILES: Final = "importlib.resources:files"


def table(name: str) -> list[list[str]]:
    """The cells of each line of a table."""
    text: str = load(_FILES)(__package__).joinpath(name).read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()]
