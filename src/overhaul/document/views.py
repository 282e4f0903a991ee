"""The interface of the resources of every family, for pages, commands and notebooks.

A page or a command asks for one of these protocols, never for a family: whatever has the members
of :class:`SpriteView` has the page of a sprite, and is drawn by ``overhaul render``.  A family
implements them over its own records; :mod:`overhaul.document.surface` has what implementations
share, with a default for every member that a format may lack.

``isinstance`` looks at the class of a resource, so that asking reads nothing of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from overhaul.findings import Findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol, runtime_checkable

    import numpy
    from numpy.typing import NDArray
    from PIL.Image import Image

    from overhaul.document.protocol import Resource
    from overhaul.media.characters import Characters, Typefaces
else:  # the functions of typing evaluate properties
    from overhaul.document.protocol import Protocol, runtime_checkable


@runtime_checkable
class ResourceView(Protocol):
    """Any resource: ``kind`` is what ``overhaul ls`` calls it.

    ``facts`` are the names of the attributes that a page shows as a table; ``notes`` are sentences
    about what is missing or can't be shown.  ``name`` is unique within the kind.
    """

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def facts(self) -> Sequence[str]: ...
    @property
    def notes(self) -> Sequence[str]: ...


@runtime_checkable
class HasResources(Protocol):
    """A document whose resources can be looked at; every ``BaseDocument`` is one."""

    @property
    def findings(self) -> Findings:
        """The findings of reading and drawing."""
        return Findings()

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The resources of a kind, in the order of ``ls``; none of a kind without a surface."""
        return ()

    def resource_at(self, kind: str, position: int, name: str) -> ResourceView | None:
        """The resource that ``ls`` lists at a position among those of its kind."""

    def also_shown(self) -> Iterable[Resource]:
        """The pages besides those of the resources that ``ls`` lists."""
        return ()


@runtime_checkable
class HasPictures(HasResources, Protocol):
    """A document with rooms, sprites or backgrounds to draw: ``drawn_kinds`` are the existing
    ones."""

    @property
    def drawn_kinds(self) -> Sequence[str]: ...


class User(Protocol):
    """A user of a resource: its kind and its name."""

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...


@runtime_checkable
class UsedView(ResourceView, Protocol):
    """A resource that knows what uses it: other resources, and ``code`` that names it."""

    def users(self) -> Sequence[User]:
        """The users of it."""
        return ()


@runtime_checkable
class HasUnused(Protocol):
    """A document that knows which of its resources nothing seems to use."""

    def unused(self) -> Sequence[User]:
        """These resources."""
        return ()


@runtime_checkable
class CountsUsers(Protocol):
    """A document that counts what uses its resources, for all of a kind at once."""

    def counts_users(self, kind: str) -> bool:
        """Whether it does so for a kind."""
        return False

    def user_counts(self, kind: str) -> Mapping[int, int]:
        """How many users each resource of a kind has, by its number."""
        return {}


# -- pictures ------------------------------------------------------------------------------------


class FrameView(Protocol):
    """A picture of a sprite; ``image`` (RGBA) is None where it has none.

    ``has_picture`` is the same without decoding it.  ``image`` raises FormatError for a damaged
    one.
    """

    @property
    def image(self) -> Image | None: ...
    @property
    def has_picture(self) -> bool: ...


class NineSliceView(Protocol):
    """The sizes of the outer columns (``left``, ``right``) and rows (``top``, ``bottom``) of a
    nine-slice sprite, in pixels.
    """

    @property
    def left(self) -> int: ...
    @property
    def top(self) -> int: ...
    @property
    def right(self) -> int: ...
    @property
    def bottom(self) -> int: ...


@runtime_checkable
class SpriteView(ResourceView, Protocol):
    """A sprite; places are in pixels from its top left.

    ``bbox`` is left, top, right, bottom, the last column and row included; ``masks`` are (height,
    width), True where solid: one for each frame, one for all, or none (``mask_count``, without
    unpacking them).  ``origin`` and ``bbox`` are None in formats that do not have them.  ``frames``
    are its pictures; ``is_single``: it can't have more than one.  ``nine_slice`` is None where it
    has none, ``fps`` how many frames are shown in a second.
    """

    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def frames(self) -> Sequence[FrameView]: ...
    @property
    def is_single(self) -> bool: ...
    @property
    def origin(self) -> tuple[int, int] | None: ...
    @property
    def bbox(self) -> tuple[int, int, int, int] | None: ...
    @property
    def nine_slice(self) -> NineSliceView | None: ...
    @property
    def fps(self) -> float: ...
    @property
    def mask_count(self) -> int: ...
    @property
    def masks(self) -> Sequence[NDArray[numpy.bool_]]: ...


@runtime_checkable
class ListedView(ResourceView, Protocol):
    """A resource that ``overhaul ls`` lists by another name: the room in ``room1.crm`` as ``1``."""

    @property
    def listed(self) -> str:
        """The name that ``overhaul ls`` lists it by."""
        return ""


@runtime_checkable
class AnimatedView(ResourceView, Protocol):
    """A resource with animations: each has a name, and frames with their seconds.

    The frames of an animation are of one size; what gives a frame gives None where its picture is
    not known.
    """

    def animations(
        self,
    ) -> Iterable[tuple[str, Sequence[tuple[Callable[[], Image | None], float]]]]:
        """The animations: a title, and frames, each with what draws it and its seconds."""


@runtime_checkable
class OverlaidView(ResourceView, Protocol):
    """A room that can show what it has besides its picture: areas, objects, edges."""

    def overlaid(self, background: int, overlays: Sequence[str]) -> Image:
        """The picture of a background with overlays on it, which are called by their names."""


@runtime_checkable
class PictureView(ResourceView, Protocol):
    """A background or a tile set; sizes and places are in pixels.

    ``tile_places`` are the left and top of each tile; empty if it is not a tile set. ``width``,
    ``height`` and ``image`` are those of the whole picture (``has_picture``: there is one);
    ``tile_size`` is the width and height of a tile, without borders.
    """

    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def image(self) -> Image | None: ...
    @property
    def has_picture(self) -> bool: ...
    @property
    def tile_size(self) -> tuple[int, int]: ...
    @property
    def tile_places(self) -> Sequence[tuple[int, int]]: ...


# -- rooms ---------------------------------------------------------------------------------------


# -- sounds, texts, code -------------------------------------------------------------------------


@runtime_checkable
class SoundView(ResourceView, Protocol):
    """A sound; ``bytes`` are those of its file, None where they are not there.

    ``group`` is the resource that it is loaded with; ``streamed``: it is played from a file next to
    the game.
    """

    @property
    def bytes(self) -> bytes | None: ...
    @property
    def group(self) -> ResourceView | None: ...
    @property
    def streamed(self) -> bool: ...


@runtime_checkable
class FontView(ResourceView, Protocol):
    """A font whose letters are pictures: they can be drawn again, and given other pictures.

    ``size`` is in points, ``line_height`` in pixels (0 where the file does not say it).  Letters
    are drawn with TrueType or OpenType files: paths, bytes or typefaces.  ``display_name`` is the
    typeface's; ``bold`` and ``italic`` are what the file says of it, ``sdf_spread`` is the spread
    of distance fields in pixels, ``glyphs`` are the pictures by letter.
    """

    @property
    def display_name(self) -> object: ...
    @property
    def size(self) -> float: ...
    @property
    def bold(self) -> object: ...
    @property
    def italic(self) -> object: ...
    @property
    def sdf_spread(self) -> object: ...
    @property
    def line_height(self) -> object: ...
    @property
    def glyphs(self) -> Mapping[str, object]: ...

    def missing(self, text: str) -> list[str]:
        """The characters of a text that it lacks, each once."""
        return []

    def rebuild(
        self,
        ttf: Typefaces,
        size: float | None = None,
        chars: Characters | None = None,
        *,
        antialias: bool | None = None,
        hinting: bool = True,
        kerning: bool = True,
        sdf: bool | int | None = None,
    ) -> None:
        """Draw all letters again."""

    def add_glyphs(
        self,
        ttf: Typefaces,
        chars: Characters,
        size: float | None = None,
        *,
        antialias: bool | None = None,
        hinting: bool = True,
        kerning: bool = True,
    ) -> list[str]:
        """Draw letters that it lacks, and return them."""
        return []

    def set_glyph(self, char: str, image: str, shift: int | None = None, offset: int = 0) -> object:
        """Give a letter the picture in a file."""


class FontsView(Protocol):
    """The fonts of a document by name."""

    def __iter__(self) -> Iterator[FontView]: ...
    def __getitem__(self, name: str) -> FontView: ...


class HasFonts(Protocol):
    """A document with fonts whose letters are pictures."""

    @property
    def fonts(self) -> FontsView: ...


class SpriteFontView(Protocol):
    """A font that code makes of a sprite, by name, and the letters that the code names.

    ``sprite`` is the name of the sprite, ``variable`` that of what holds the font, ``characters``
    are the letters.
    """

    @property
    def sprite(self) -> str: ...
    @property
    def variable(self) -> str: ...
    @property
    def characters(self) -> str: ...

    def missing(self, text: str) -> list[str]:
        """The characters of a text that it lacks."""
        return []


class PathPoint(Protocol):
    """A point of a path: its place (``x``, ``y``) in pixels, the ``speed`` there in per cent."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def speed(self) -> float: ...


@runtime_checkable
class PathView(ResourceView, Protocol):
    """A path; ``about`` is its number of points in words.

    ``points`` are in order; ``smooth``: it is a curve through them; ``closed``: it ends where it
    begins.
    """

    @property
    def points(self) -> Sequence[PathPoint]: ...
    @property
    def smooth(self) -> bool: ...
    @property
    def closed(self) -> bool: ...
    @property
    def about(self) -> str: ...


class CodeView(Protocol):
    """Code that is a resource of its own, and has a page.

    ``kind`` and ``name`` lead to the page.
    """

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...


@runtime_checkable
class NamesRoom(Protocol):
    """A path that names the room (``room_name``) over which it is drawn in the editor."""

    @property
    def room_name(self) -> str: ...


@runtime_checkable
class SourceView(ResourceView, Protocol):
    """The ``code`` as its author wrote it; ``when`` says when it runs, or is empty."""

    @property
    def code(self) -> str: ...
    @property
    def when(self) -> str: ...


@runtime_checkable
class AssemblyView(ResourceView, Protocol):
    """A compiled script: its instructions as text (``assembly``), what it offers to others
    (``exports``) and uses of them (``imports``).
    """

    @property
    def assembly(self) -> str: ...
    @property
    def exports(self) -> Sequence[str]: ...
    @property
    def imports(self) -> Sequence[str]: ...


@runtime_checkable
class DecompiledView(AssemblyView, Protocol):
    """A compiled script that has source again."""

    @property
    def source(self) -> str: ...


@runtime_checkable
class TextView(ResourceView, Protocol):
    """A text that players read."""

    @property
    def text(self) -> str: ...


@runtime_checkable
class TextsView(ResourceView, Protocol):
    """Texts with their translations (``pairs``); a translation is empty where there is none."""

    @property
    def pairs(self) -> Sequence[tuple[str, str]]: ...


# -- what runs code ------------------------------------------------------------------------------


class EventView(Protocol):
    """An event or a moment: ``key`` is what code calls it, ``title`` what people do.

    ``code`` is a resource of its own, its source, or None.
    """

    @property
    def key(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def code(self) -> CodeView | str | None: ...


@runtime_checkable
class ObjectView(ResourceView, Protocol):
    """An object that inherits from others; ``own_events`` are those it has itself.

    ``sprite`` is the one it has at first, ``children`` are the objects that inherit from it,
    ``instance_count`` is how many are in rooms, None where that is not known.
    """

    @property
    def sprite(self) -> ResourceView | None: ...
    @property
    def own_events(self) -> Sequence[EventView]: ...
    @property
    def children(self) -> Sequence[ObjectView]: ...
    @property
    def instance_count(self) -> int | None: ...

    def ancestors(self) -> Iterable[ObjectView]:
        """Its parent, that one's parent and so on, each once."""
        return ()


@runtime_checkable
class TimelineView(ResourceView, Protocol):
    """A timeline: ``steps`` are the steps at which it runs code, with what runs."""

    @property
    def steps(self) -> Sequence[tuple[int, EventView]]: ...


@runtime_checkable
class ScriptedView(ResourceView, Protocol):
    """A resource that scripts know by a name (``script_name``), and whose events run ``functions``
    of theirs.
    """

    @property
    def script_name(self) -> str: ...
    @property
    def functions(self) -> Sequence[str]: ...


@runtime_checkable
class FieldsView(ResourceView, Protocol):
    """A resource whose page shows what the file stores of it: JSON values by name (``fields``)."""

    @property
    def fields(self) -> Mapping[str, object]: ...


class FrameOfLoop(Protocol):
    """A frame of a loop: its number, and whether it shows a sprite."""

    @property
    def number(self) -> int: ...
    @property
    def has_picture(self) -> bool: ...


class LoopView(Protocol):
    """A loop of frames, by its number."""

    @property
    def number(self) -> int: ...
    @property
    def frames(self) -> Sequence[FrameOfLoop]: ...


@runtime_checkable
class LoopsView(ResourceView, Protocol):
    """Pictures in loops: what a character of an adventure game looks like."""

    @property
    def loops(self) -> Sequence[LoopView]:
        """Its loops."""
