"""What notebooks show: the viewer's own page of a thing, where the viewer can be imported."""

from __future__ import annotations

from overhaul.document.registry import load

#: what makes the HTML; see :mod:`overhaul.viewer.notebook`
_VIEWER = "overhaul.viewer.notebook:html_of"


def html_of(thing: object) -> str | None:
    """HTML that needs no other file; None for what has no page, and without ``overhaul[view]``."""
    try:
        show = load(_VIEWER)
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] == "overhaul":
            raise
        return None
    shown: str | None = show(thing)
    return shown
