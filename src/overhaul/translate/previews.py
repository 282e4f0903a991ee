"""Previews of translations as a page of pictures."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from overhaul.document.files import write_into

if TYPE_CHECKING:
    from PIL import Image

    from overhaul.translate.results import Preview


def write_previews(
    previews: list[Preview], folder: str | os.PathLike[str], title: str = "", *, force: bool = False
) -> None:
    """Write the pictures into a folder, with an index page (``index.html``) of them.

    Nothing is written if a file of such a name is there, without ``force`` (FileExistsError).
    """
    write_into(os.fspath(folder), _page(previews, title), force=force)


def _page(previews: list[Preview], title: str) -> dict[str, Callable[[], bytes]]:
    """The files of the page: by their names, what gives their bytes."""
    rows: list[str] = []
    files: dict[str, Callable[[], bytes]] = {}
    for number, each in enumerate(previews, 1):
        shown = []
        for name, image in (("original", each.original), ("translation", each.image)):
            if image is not None:
                path = f"{number:05}-{name}.png"
                files[path] = lambda image=image: _png(image)  # type: ignore[misc]
                shown.append(f'<img src="{path}" alt="{name}">')
        notes = "".join(f"<li>{escape(note)}</li>" for note in _notes(each))
        problem = ' class="problem"' if each.missing or each.overflow else ""
        rows.append(
            f"<tr{problem}><td>{number}</td><td>{'<br>'.join(shown)}</td>"
            f"<td><p>{escape(each.text)}</p><p>{escape(each.translation)}</p></td>"
            f"<td><ul>{notes}</ul></td></tr>"
        )
    body = _PAGE.format(title=escape(title), rows="\n".join(rows), count=len(previews))
    files["index.html"] = lambda: body.encode("utf-8", "replace")
    return files


def _notes(preview: Preview) -> Iterator[str]:
    box = f", box {preview.width:g} pixels wide" if preview.width else ""
    yield f"{preview.font}{'' if preview.evident else ' (a guess)'}{box}"
    if preview.missing:
        yield f"missing: {' '.join(preview.missing)}"
    if preview.overflow:
        yield f"{preview.overflow:g} pixels too long"


def _png(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


_PAGE: Final = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 15px sans-serif; margin: 2em; }}
table {{ border-collapse: collapse; }}
td {{ border: 1px solid #ccc; padding: 6px; vertical-align: top; white-space: pre-wrap; }}
tr.problem {{ background: #fee; }}
img {{ max-width: 900px; image-rendering: pixelated; margin: 2px; }}
</style></head>
<body><h1>{title}</h1>
<p>{count} texts. Red boxes are letters that the font lacks; what is red goes beyond the box.</p>
<table>
{rows}
</table></body></html>
"""
