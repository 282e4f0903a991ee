"""The differences between two games as one HTML page, with pictures side by side."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape

import numpy as np

from overhaul.errors import OverhaulError
from overhaul.folder.parallel import Progress
from overhaul.media import png
from overhaul.mods.changes import Change, Diff
from overhaul.mods.comparing import compare
from overhaul.mods.view import FileView, Game, opened

#: The most fields, and lines of a diff, that are shown of a change.
_MOST = 200
_STYLE = """
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em;
  color: #222; background: #fff }
h1 { font-size: 1.4em } h2 { font-size: 1em; margin: 1.6em 0 .4em; font-family: monospace }
.kind { display: inline-block; min-width: 5em; font-weight: bold }
.added { color: #17692f } .removed { color: #a1172b } .renamed { color: #6a3fa0 }
.changed { color: #8a5a00 }
pre { background: #f6f6f6; padding: .6em; overflow-x: auto; margin: .3em 0 }
ins { background: #dcf5e1; text-decoration: none } del { background: #fbe0e3;
  text-decoration: none }
figure { display: inline-block; margin: .3em 1em .3em 0; vertical-align: top }
img { max-width: 320px; max-height: 320px; image-rendering: pixelated; border: 1px solid #ccc;
  background: repeating-conic-gradient(#eee 0 25%%, #fff 0 50%) 0 0/16px 16px }
table { border-collapse: collapse } td { padding: .1em 1em .1em 0; font-family: monospace;
  vertical-align: top; word-break: break-word }
@media (prefers-color-scheme: dark) { body { background: #1b1b1b; color: #ddd }
  pre { background: #262626 } ins { background: #164a26 } del { background: #5a1a22 } }
"""


def html_report(
    old: Game,
    new: Game,
    *,
    only: Sequence[str] = (),
    progress: Progress | None = None,
    jobs: int = 1,
) -> tuple[Diff, str]:
    """The differences between two games, and a page about them that needs no other file.

    ``jobs``: as for :func:`overhaul.mods.diff`.
    Raises what :func:`overhaul.mods.diff` raises.
    """
    with opened(old) as one, opened(new) as two:
        difference = compare(one, two, only=only, progress=progress, jobs=jobs)
        return difference, "".join(_page(difference, one, two))


def _page(difference: Diff, old: FileView, new: FileView) -> Iterator[str]:
    title = f"{difference.old} → {difference.new}"
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{_text(title)}'
    yield f"</title><style>{_STYLE}</style></head><body>\n<h1>{_text(title)}</h1>\n"
    counts = [f"{count} {kind}" for kind, count in difference.counts().items() if count]
    yield f"<p>{', '.join(counts) or 'No differences.'}</p>\n"
    for change in difference.changes:
        path = change.path if change.old_path is None else f"{change.old_path} → {change.path}"
        yield f'<h2><span class="kind {change.kind}">{change.kind}</span> {_text(path)}</h2>\n'
        yield from _pictures(change, old, new)
        yield from _details(change.details)
    for words in difference.apart:
        yield f"<p>Not compared: {_text(words)}.</p>\n"
    yield "</body></html>\n"


def _details(details: Mapping[str, object]) -> Iterator[str]:
    diff = details.get("diff")
    if isinstance(diff, str):
        yield f"<pre>{_diff(diff)}</pre>\n"
    fields = details.get("fields")
    if isinstance(fields, list):
        yield "<table>"
        for field in fields[:_MOST]:
            sides = [_value(field[key]) if key in field else "" for key in ("old", "new")]
            moved = "moved" if field.get("moved") else f"<del>{sides[0]}</del>"
            yield f"<tr><td>{_text(field['path'])}</td><td>{moved}</td>"
            yield f"<td><ins>{sides[1]}</ins></td></tr>"
        yield "</table>\n"
        if len(fields) > _MOST:
            yield f"<p>… and {len(fields) - _MOST} more</p>\n"
    rest = {key: value for key, value in details.items() if key not in ("diff", "fields")}
    if rest:
        shown = ", ".join(f"{key}: {_value(value)}" for key, value in rest.items())
        yield f"<p>{shown}</p>\n"


def _diff(text: str) -> str:
    lines = text.split("\n")
    shown = []
    for line in lines[: 5 * _MOST]:
        tag = {"+": "ins", "-": "del"}.get(line[:1])
        shown.append(f"<{tag}>{_text(line)}</{tag}>" if tag else _text(line))
    if len(lines) > 5 * _MOST:
        shown.append(f"… and {len(lines) - 5 * _MOST} more lines")
    return "\n".join(shown)


def _pictures(change: Change, old: FileView, new: FileView) -> Iterator[str]:
    """The pictures of a change: before, after, and where they differ."""
    paths = {"": change.path} if change.path.endswith(".png") else {}
    if change.kind in ("added", "removed") and not paths:
        files = (old if change.kind == "removed" else new).files
        inside = (path for path in files if path.startswith((change.path + "/", change.path + ".")))
        paths = {path: path for path in inside if path.endswith(".png")}
    for path in list(paths.values())[:16]:
        sides = [view.read(path) if path in view else None for view in (old, new)]
        for word, data in zip(("before", "after"), sides, strict=True):
            if data is not None:
                yield _figure(data, word)
        if sides[0] is not None and sides[1] is not None:
            both = marked(sides[0], sides[1])
            if both is not None:
                yield _figure(both, "differs")


def marked(before: bytes, after: bytes) -> bytes | None:
    """A PNG picture that is red where two differ; None if they are not of one size."""
    try:
        one, two = png.decode(before), png.decode(after)
    except OverhaulError:
        return None
    if one.shape != two.shape:
        return None
    both = two.copy()
    both[:, :, 3] //= 4
    both[np.any(one != two, axis=2)] = (255, 0, 60, 255)
    return png.encode(both)


def _figure(data: bytes, word: str) -> str:
    source = base64.b64encode(data).decode("ascii")
    return (
        f'<figure><img alt="{word}" src="data:image/png;base64,{source}">'
        f"<figcaption>{word}</figcaption></figure>\n"
    )


def _value(value: object) -> str:
    return _text(json.dumps(value, ensure_ascii=False))[:2000]


def _text(text: object) -> str:
    shown = str(text).encode("utf-8", "replace").decode("utf-8")
    return escape(shown)
