"""The display of things in notebooks: the viewer's own page, where the viewer can be imported."""

from __future__ import annotations

from itertools import islice

from overhaul.document.registry import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: the maker of the HTML; see :mod:`overhaul.viewer.notebook`
_VIEWER = "overhaul.viewer.notebook:html_of"


#: how many rows a table has, and the box that scrolls it
_ROWS = 200
_BOX = "max-height: 30rem; overflow: auto"


def table_of(title: str, head: Sequence[str], rows: Iterable[Sequence[object]], count: int) -> str:
    """A plain table with the first rows, for what has no page: strings, events, instances."""
    from html import escape  # start-up: for notebooks only

    def line(cells: Sequence[object], tag: str) -> str:
        return "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells)

    body = "".join(f"<tr>{line(cells, 'td')}</tr>" for cells in islice(rows, _ROWS))
    more = f"<p>… {count - _ROWS} more</p>" if count > _ROWS else ""
    table = f"<table><thead><tr>{line(head, 'th')}</tr></thead><tbody>{body}</tbody></table>"
    return f"<p>{escape(title)}</p><div style='{_BOX}'>{table}{more}</div>"


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
