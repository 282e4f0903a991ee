"""The files that a resource needs besides its own: pictures of frames, sounds, sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.values import Json, Steps, list_at, text_at


class Need(NamedTuple):
    """A file that a resource needs, what it is, and the place that says so."""

    path: str
    what: str
    steps: Steps = ()


def frames_of(value: Json) -> list[str]:
    """The ids of the frames of a sprite, which its pictures are called by."""
    return [
        text_at(row, "id") if "modelName" in _keys(row) else _frame(row)
        for row in list_at(value, "frames")
    ]


def _frame(row: Json) -> str:
    return text_at(row, "name") or text_at(row, "compositeImage", "FrameId", "name")


def _keys(value: Json) -> list[str]:
    return list(value) if isinstance(value, dict) else []


def layers_of(value: Json) -> list[str]:
    """The ids of the layers of a sprite's pictures."""
    return [
        text_at(row, "id" if "modelName" in _keys(row) else "name")
        for row in list_at(value, "layers")
    ]


def needs(entry: ListedEntry, value: Json) -> Iterator[Need]:
    """The files that a resource of 2.0 and later needs."""
    folder, name = entry.folder, entry.name
    if entry.kind == "sprite":
        for number, frame in enumerate(frames_of(value)):
            if frame:
                yield Need(f"{folder}/{frame}.png", "the picture of a frame", ("frames", number))
    elif entry.kind == "script":
        yield Need(f"{folder}/{name}.gml", "the source of the script")
    elif entry.kind == "shader":
        yield Need(f"{folder}/{name}.vsh", "the vertex shader")
        yield Need(f"{folder}/{name}.fsh", "the fragment shader")
    elif entry.kind == "font":
        yield Need(f"{folder}/{name}.png", "the picture of the letters")
    elif entry.kind == "sound":
        file = text_at(value, "soundFile")
        if file:
            yield Need(f"{folder}/{file}", "the sound", ("soundFile",))


def studio_needs(entry: ListedEntry, root: XmlNode) -> Iterator[tuple[XmlNode, str, str]]:
    """The files that a resource of Studio 1 needs: the element, the path, and the kind."""
    folder = entry.folder
    if root.tag == "sprite":
        for node in root.walk():
            if node.tag == "frame" and node.text:
                yield node, _joined(folder, node.text), "the picture of a frame"
    elif root.tag in ("background", "sound", "font"):
        tag = "image" if root.tag == "font" else "data"
        what = {"sound": "the sound"}.get(root.tag, "the picture")
        within = f"{folder}/audio" if root.tag == "sound" else folder
        for node in root.all(tag):
            if node.text:
                yield node, _joined(within, node.text), what


def _joined(folder: str, path: str) -> str:
    return f"{folder}/{path}".replace("\\", "/")
