"""The parts that pages share: facts, links to resources and to functions of scripts, pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec
from PIL.Image import Image

from overhaul.document.room_views import RoomView
from overhaul.document.views import (
    AssemblyView,
    DecompiledView,
    PictureView,
    ResourceView,
    SpriteView,
)
from overhaul.media import png
from overhaul.media.colours import Colour
from overhaul.viewer.answers import Answers, Asked, Crumb, Media
from overhaul.viewer.opened import NotThere
from overhaul.viewer.thumbnails import NAME, nothing, small

if TYPE_CHECKING:
    from overhaul.document.refs import Ref
    from overhaul.viewer.opened import ListedResource, Opened

T = TypeVar("T", bound=ResourceView)
#: the text that a page of a font sets in it
SAMPLE: Final = "The quick brown fox jumps over the lazy dog. 0123456789"
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
_EXPORT: Final = re.compile(r'    function "([^"]*)" (L_\S+)')
_LABEL: Final = re.compile(r"L_\S+(?=:$)")


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field in words; ``href``: where what it names is shown, ``colour`` as ``#rrggbb``."""

    name: str
    text: str
    href: str = ""
    colour: str = ""


def facts(opened: Opened, it: object, names: Iterable[str]) -> list[Fact]:
    """The attributes of a resource in words."""
    return [_fact(opened, name.replace("_", " "), getattr(it, name)) for name in names]


def _fact(opened: Opened, name: str, value: object) -> Fact:
    if isinstance(value, ResourceView):
        return Fact(name, value.name, crumb(opened, value.name, value.kind).href)
    if isinstance(value, Colour):
        return Fact(name, str(value), "", str(value)[:7])
    if isinstance(value, bool):
        return Fact(name, "yes" if value else "no")
    if isinstance(value, Enum):
        return Fact(name, value.name.lower().replace("_", " "))
    if isinstance(value, float):
        return Fact(name, f"{value:g}")
    text = "none" if value is None else str(value)
    return Fact(name, text, "", text if _COLOUR.fullmatch(text) else "")


def view_of(asked: Asked, kind: type[T]) -> T:
    """The resource of a request, which has to be of a class.  Raises NotThere."""
    view = asked.view
    if not isinstance(view, kind):
        raise asked.nothing()
    return view


# -- links ---------------------------------------------------------------------------------------


def crumb(opened: Opened, name: str, kind: str) -> Crumb:
    """A link to a resource; to nothing where it has no page."""
    entry = opened.find(name, kind)
    return Crumb(name, "" if entry is None else opened.href(entry))


def thumbnail_of(opened: Opened, path: str) -> str:
    """The address of a small picture of the resource that a plain file belongs to; empty where it
    has none."""
    entry = opened.entry_at(path)
    it = None if entry is None else opened.resource(entry)
    if entry is None or not isinstance(it, SpriteView | PictureView | RoomView):
        return ""
    return opened.href(entry, "thumbnail.png")


def nth(opened: Opened, kind: str, number: int) -> ListedResource | None:
    """The resource at a position of a kind."""
    for listing in opened.listings.values():
        if listing.kind == kind:
            return next((e for e in listing.entries.values() if e.position == number), None)
    return None


def entry_of(opened: Opened, ref: Ref[object]) -> ListedResource | None:
    """The entry of what a reference leads to, in the same file; None where there is none."""
    return nth(opened, ref.kind, ref.id - ref.first) if ref and not ref.file else None


def link(opened: Opened, ref: Ref[object]) -> Crumb | None:
    """A link to what a reference leads to; None where there is nothing.

    The text of a link into another file of a package is the number.
    """
    if ref.file:
        return Crumb(f"{ref.kind} {ref.id}", file_href(opened, ref))
    entry = entry_of(opened, ref)
    return None if entry is None else Crumb(entry.name, opened.href(entry))


def file_href(opened: Opened, ref: Ref[object]) -> str:
    """The address of what a reference leads to in another file of the same package; empty without
    such a file.  A file of one resource has that at its first place."""
    package = opened.parent
    path = "" if package is None else package.inside.named(ref.file)
    if package is None or not path:
        return ""
    key = str(ref.id) if ref.kind == "sprite" else ref.kind
    return f"{package.inside.prefix(path)}/{ref.kind}s/{key}"


# -- functions of scripts ------------------------------------------------------------------------


class Function(msgspec.Struct, frozen=True):
    """A function that others can call: how many arguments it takes, and its first line."""

    name: str
    arguments: str
    line: int


def assembly_of(opened: Opened, entry: ListedResource) -> str:
    """The assembly text of a script; kept."""

    def make() -> str:
        script = opened.resource(entry)
        return script.assembly if isinstance(script, AssemblyView) else ""

    return opened.remember(("assembly", entry.slug, entry.key), make, len)


def source_of(opened: Opened, entry: ListedResource) -> str:
    """The source that a script decompiles to, or empty; kept."""

    def make() -> str:
        script = opened.resource(entry)
        return script.source if isinstance(script, DecompiledView) else ""

    return opened.remember(("decompiled", entry.slug, entry.key), make, len)


def labels_in(text: str) -> dict[str, int]:
    """The line of each label."""
    lines = enumerate(text.splitlines(), 1)
    return {match[0]: number for number, line in lines if (match := _LABEL.match(line))}


def functions_in(text: str) -> list[Function]:
    """The functions that a script exports, in its order."""
    places = labels_in(text)
    functions = []
    for name, label in _EXPORT.findall(text.partition(".sections")[0]):
        plain, _, arguments = name.partition("$")
        functions.append(Function(plain, arguments, places.get(label, 0)))
    return functions


def function_anchor(name: str) -> str:
    """Where a function begins on the page of its script, in its source or else its assembly."""
    return f"#f-{name}"


def function_link(opened: Opened, name: str) -> Crumb:
    """A link to where a function of the document's scripts begins."""

    def make() -> dict[str, str]:
        return {
            function.name: f"{opened.href(entry)}{function_anchor(function.name)}"
            for entry in opened.entries()
            if entry.kind == "script"
            for function in functions_in(assembly_of(opened, entry))
        }

    known = opened.remember("script functions", make, lambda links: 100 * len(links))
    return Crumb(name, known.get(name, ""))


# -- pictures ------------------------------------------------------------------------------------


def picture_part(image_of: Callable[[Asked], Image | None]) -> Answers:
    """A part that is a PNG, made once of the request's address: ``picture.png``; as
    ``thumbnail.png`` it is small, and transparent where there is no picture."""

    def part(asked: Asked) -> Media:
        entry = asked.resource

        def make() -> bytes:
            image = image_of(asked)
            if image is None and asked.rest == NAME:
                return nothing()
            if image is None:
                raise NotThere(f"{entry.name} has no picture")
            with asked.opened.aside():
                shown = small(image) if asked.rest == NAME else image
                return png.encode(png.from_image(shown))

        key = ("picture", entry.slug, entry.key, asked.rest)
        return Media(asked.opened.remember(key, make, len), "image/png")

    return part


def numbered(asked: Asked, count: int = 1 << 31) -> int:
    """The number in an address such as ``frames/3.png``.  Raises NotThere."""
    name = asked.rest.partition("/")[2].removesuffix(".png")
    if not (name.isascii() and name.isdigit() and len(name) < 10 and int(name) < count):
        raise NotThere(f"{asked.resource.name} has no {asked.rest}")
    return int(name)
