"""The files that are open in a viewer: documents with a lock each, their resources by address."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import cached_property, partial
from typing import NamedTuple, TypeVar, cast
from urllib.parse import quote

from overhaul import folder as folders
from overhaul.document.containers import Members
from overhaul.document.names import FileNames
from overhaul.document.plainfiles import HasParts, KnowsMeaning, PlainFile, UnpackOptions
from overhaul.document.protocol import Document, NamesKinds, Resource
from overhaul.document.reading import FileSiblings, open_data
from overhaul.document.registry import Probe, find, folder_format_of, format_of_kind
from overhaul.document.views import HasResources, ResourceView
from overhaul.errors import OverhaulError
from overhaul.folder.paths import scan
from overhaul.folder.toml import NAME
from overhaul.media.pool import KEPT, Pool, Share
from overhaul.viewer.index import Index
from overhaul.viewer.writing import Writer

T = TypeVar("T")
#: Files larger than this are mapped, not read.
_MAPPED = 256 << 20
#: Looking whether files changed takes at most one part in so many of the time.
_PAUSE = 50
#: kinds whose plural is not their name with an s
_PLURALS = {
    "code entry": "code", "inventory": "inventory", "settings": "settings",
    "information": "information", "options": "options", "gui": "guis", "project": "project",
}  # fmt: skip


#: how many pictures are made at a time, each of which takes memory
_ASIDE = threading.BoundedSemaphore(2)
#: what is worked out of a document when it is first asked for
_DERIVED = ("listings", "by_name", "files", "_files_of", "_places", "inside", "side")


class NotThere(LookupError):
    """There is no page, resource or part of this name: the answer is 404."""


class Entry(NamedTuple):
    """A resource with its address: ``/slug/key``.  ``position`` counts in its kind from 0."""

    kind: str
    slug: str
    key: str
    name: str
    path: str
    size: int | None
    position: int


class Listing(NamedTuple):
    """All resources of a kind, by the last part of their addresses; ``noun``: one of them."""

    kind: str
    slug: str
    title: str
    noun: str
    entries: dict[str, Entry]


class Cache:
    """Keeps what was used last, as far as the pool has room for it; safe for threads."""

    def __init__(self, pool: Pool = KEPT) -> None:
        self._share: Share[tuple[object]] = Share(pool)

    def get(self, key: Hashable, make: Callable[[], T], cost: Callable[[T], int]) -> T:
        """What is kept under a key; else what ``make`` gives, which is kept if it fits."""
        kept = self._share.get(key)
        if kept is not None:
            return cast("T", kept[0])
        made = make()
        self._share.put(key, (made,), cost(made))
        return made

    def clear(self) -> None:
        """Forget everything."""
        self._share.clear()

    def __len__(self) -> int:
        return len(self._share)


class Opened:
    """A document on show.

    Whoever touches ``document`` holds ``lock``; the application does for pages.  What takes long
    is kept from holding up the others: it works on ``side``, the same document opened once more,
    or lets others in with :meth:`aside` while it only works on what it has read.

    ``load`` reads the file and returns what makes a document of that, as often as it is called.
    """

    def __init__(
        self,
        source: str,
        load: Callable[[], Callable[[], Document]],
        *,
        prefix: str = "",
        title: str = "",
        parent: Opened | None = None,
    ) -> None:
        self.source = source
        self.prefix = prefix
        self.title: str = title or os.path.basename(os.path.abspath(source))
        self.parent = parent
        self.lock: threading.RLock = threading.RLock()
        self._idle = threading.Condition(self.lock)
        self._aside = 0
        self._borrowed = 0
        self.cache: Cache = Cache()
        self._load = load
        self.edition: int = 0
        self._stamp = stamp_of(source)
        self._changed = False
        self._look_at = 0.0
        self.index: Index = Index(source) if parent is None else parent.index
        self._make = load()
        self.document = self._make()
        #: writes into the unpacked folder on show; None for a file
        self.writer: Writer | None = (
            Writer(source) if parent is None and os.path.isdir(source) else None
        )

    # -- the document ------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """The kind of the document, as the registry calls it."""
        return self.document.kind

    @property
    def root(self) -> Opened:
        """The file on the disk that the document is in, or is."""
        return self if self.parent is None else self.parent.root

    @cached_property
    def kind_title(self) -> str:
        """What people call such a file."""
        return format_of_kind(self.document.kind).title

    def changed(self) -> bool:
        """Whether the file on the disk is another than the one on show; known to some seconds."""
        if self.parent is not None:
            return False
        now = time.monotonic()
        if now >= self._look_at:
            self._changed = stamp_of(self.source) != self._stamp
            self._look_at = time.monotonic() + _PAUSE * (time.monotonic() - now)
        return self._changed

    def reload(self) -> None:
        """Show the file as it is on the disk now.  Raises what opening raises; nothing changed."""
        with self.lock:
            self._idle.wait_for(lambda: not self._aside)
            stamp = stamp_of(self.source)
            make = self._load()
            document = make()
            old, self.document, self._stamp = self.document, document, stamp
            self._make = make
            self._look_at = 0.0
            self.edition += 1
            self.forget()
            old.close()

    def forget(self) -> None:
        """Forget what was worked out of the document: it is another now."""
        self.cache.clear()
        if "inside" in self.__dict__:
            self.inside.close()
        self._retire_side()
        for name in _DERIVED:
            self.__dict__.pop(name, None)
        if self.parent is None:
            self.index.close()
            self.index = Index(self.source)

    def remember(self, key: object, make: Callable[[], T], cost: Callable[[T], int]) -> T:
        """What ``make`` gives, kept while there is room for it; ``cost`` is in bytes."""
        return self.cache.get((self.edition, key), make, cost)

    def close(self) -> None:
        """Release the file."""
        if self.parent is None:
            self.index.close()
        with self.lock:
            self._idle.wait_for(lambda: not self._aside)
            if "inside" in self.__dict__:
                self.inside.close()
            self._retire_side()
            self.document.close()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let others at the document while something is made of what was read of it.

        The document stays open meanwhile.  The lock must be held, once.
        """
        self._aside += 1
        self.lock.release()
        try:
            with _ASIDE:
                yield
        finally:
            self.lock.acquire()
            self._aside -= 1
            self._idle.notify_all()

    @cached_property
    def side(self) -> Opened:
        """The same once more, with a lock of its own, for pages that read the whole game.

        It shows the bytes that this shows, also where the file is another one now.
        """
        made = copy(self)
        for name in _DERIVED:
            made.__dict__.pop(name, None)
        made.lock = threading.RLock()
        made._idle = threading.Condition(made.lock)
        made._aside = 0
        made._borrowed = 0
        made.document = self._make()
        return made

    @contextmanager
    def borrowed_side(self) -> Iterator[Opened]:
        """The :attr:`side`, whose document stays open meanwhile.  The lock must not be held."""
        with self.lock:
            side = self.side
            side._borrowed += 1
        try:
            yield side
        finally:
            with self.lock:
                side._borrowed -= 1
                if not side._borrowed and self.__dict__.get("side") is not side:
                    side.document.close()

    def _retire_side(self) -> None:
        """Close the document of the side; a page that works on it closes it at its end."""
        side = self.__dict__.pop("side", None)
        if side is not None and not side._borrowed:
            side.document.close()

    # -- resources ---------------------------------------------------------------------------

    @cached_property
    def listings(self) -> dict[str, Listing]:
        """The kinds of resources by address, in the order of the document."""
        document: object = self.document
        more = document.also_shown() if isinstance(document, HasResources) else ()
        return listings_of([*self.document.tree(), *more], self.called)

    def called(self, kind: str) -> str:
        """What people call a resource of a kind in such a file."""
        document: object = self.document
        return document.kind_word(kind) if isinstance(document, NamesKinds) else kind

    @cached_property
    def by_name(self) -> dict[str, Entry]:
        """The first resource of each name."""
        name: dict[str, Entry] = {}
        for entry in self.entries():
            name.setdefault(entry.name, entry)
        return name

    def entries(self) -> Iterator[Entry]:
        """All resources."""
        for listing in self.listings.values():
            yield from listing.entries.values()

    def find(self, name: object, kind: str = "") -> Entry | None:
        """The resource of a name (of a kind, as ``Resource.kind``), if there is one."""
        if not isinstance(name, str):
            return None
        if not kind:
            return self.by_name.get(name)
        return self.cached_names(kind).get(name)

    def cached_names(self, kind: str) -> dict[str, Entry]:
        """The resources of a kind by name."""
        return self.remember(
            ("names", kind),
            lambda: {
                entry.name: entry
                for listing in self.listings.values()
                if listing.kind == kind
                for entry in reversed(listing.entries.values())
            },
            lambda found: 200 * len(found),
        )

    def listing(self, slug: str) -> Listing:
        """The kind of an address.  Raises NotThere."""
        if slug not in self.listings:
            raise NotThere(f"there is no kind of resource called {slug!r} here")
        return self.listings[slug]

    def entry(self, slug: str, key: str) -> Entry:
        """The resource of an address.  Raises NotThere."""
        listing = self.listing(slug)
        if key not in listing.entries:
            raise NotThere(f"there is no {listing.kind} {key!r} here")
        return listing.entries[key]

    def resource(self, entry: Entry) -> ResourceView | None:
        """A resource as it can be looked at; None where its kind can't."""
        document: object = self.document
        if not isinstance(document, HasResources):
            return None
        return document.resource_at(entry.kind, entry.position, entry.name)

    def href(self, entry: Entry, *rest: str) -> str:
        """The address of a resource, or of what is under it."""
        return self.prefix + self.own_path(entry) + "".join(f"/{quote(part)}" for part in rest)

    def own_path(self, entry: Entry) -> str:
        """The address of a resource without what all of the document's begin with."""
        return f"/{entry.slug}/{quote(entry.key, safe='')}"

    # -- plain files -------------------------------------------------------------------------

    @cached_property
    def files(self) -> dict[str, PlainFile]:
        """The plain files that unpacking would write, by path."""
        options = UnpackOptions(code="both", whole=False)
        listed = folder_format_of(self.document.kind).plain_files(self.document, options)
        return {file.path: file for file in listed}

    @cached_property
    def _files_of(self) -> Mapping[str, list[str]]:
        files: dict[str, list[str]] = {}
        for path in self.files:
            for place in dict.fromkeys((path, stem_of(path), *_folders(path))):
                files.setdefault(place, []).append(path)
        return files

    def files_of(self, entry: Entry) -> list[PlainFile]:
        """The plain files of a resource: its own, those in its folder, and its own with other
        endings."""
        own, place = entry.path, entry.path
        if own in self.files:
            place = stem_of(own)
        return [self.files[path] for path in self._files_of.get(place, ())]

    def replaceable(self, entry: Entry) -> list[str]:
        """The pictures and sounds of a resource, which others can take the place of."""
        paths = [file.path for file in self.files_of(entry)]
        return [path for path in paths if path.lower().endswith(PICTURES + SOUNDS)]

    @cached_property
    def _places(self) -> dict[str, Entry]:
        places: dict[str, Entry] = {}
        for entry in self.entries():
            places.setdefault(entry.path, entry)
        for entry in self.entries():  # files next to, with another ending
            places.setdefault(stem_of(entry.path), entry)
        return places

    def entry_at(self, path: str) -> Entry | None:
        """The resource whose page shows a plain file."""
        for place in (path, stem_of(path), *_folders(path)):
            if place in self._places:
                return self._places[place]
        return None

    def sharing(self, entry: Entry) -> int:
        """How many resources of its kind the file of a resource lists."""
        return self.remember(
            ("sharing", entry.slug),
            lambda: Counter(each.path for each in self.listings[entry.slug].entries.values()),
            lambda found: 100 * len(found),
        )[entry.path]

    def lists_texts(self, path: str) -> bool:
        """Whether a plain file is the table of all strings of a game."""
        known = folder_format_of(self.document.kind)
        return isinstance(known, KnowsMeaning) and known.texts(path)

    @cached_property
    def inside(self) -> Inside:
        """The documents in this one: the members of a package."""
        return Inside(self)


class Inside:
    """The documents in a package, opened when they are asked for."""

    def __init__(self, package: Opened) -> None:
        self._package = package
        self._opened: dict[str, Opened] = {}
        self._siblings = Members(package.document)

    def prefix(self, path: str) -> str:
        """What the addresses in a member begin with."""
        return f"{self._package.prefix}/in/{quote(path, safe='')}"

    def paths(self) -> list[str]:
        """The paths of the members; none in what is no package."""
        return self._siblings.names()

    def named(self, name: str) -> str:
        """The path of the member of a name, without regard to case; empty without one."""
        wanted = name.casefold()
        return next((path for path in self._siblings.names() if path.casefold() == wanted), "")

    def can_open(self, path: str) -> bool:
        """Whether a member is a file of a known format."""

        def known() -> bool:
            data = self._bytes(path)
            return data is not None and find(Probe(data, path)) is not None

        return self._package.remember(("can open", path), known, lambda _: 100)

    def open(self, path: str) -> Opened:
        """The document in a member.  Raises NotThere, and what opening raises."""
        package = self._package
        with package.lock:
            if path not in self._opened:
                data = self._bytes(path)
                if data is None:
                    raise NotThere(f"there is no file {path!r} in {package.title}")
                source = f"{package.source}!{path}"
                self._opened[path] = Opened(
                    source,
                    partial(partial, open_data, data, source=source, siblings=self._siblings),
                    prefix=self.prefix(path),
                    title=path,
                    parent=package,
                )
            return self._opened[path]

    def close(self) -> None:
        """Close what was opened."""
        while self._opened:
            self._opened.popitem()[1].close()

    def _bytes(self, path: str) -> bytes | None:
        try:
            return bytes(self._siblings.read(path))
        except FileNotFoundError:
            return None


class Site:
    """All that one viewer shows: the opened files; a single one is at ``prefix``."""

    def __init__(self, sources: Iterable[str], *, prefix: str = "") -> None:
        chosen = list(sources)
        self.documents: list[Opened] = []
        try:
            for number, source in enumerate(chosen, 1):
                place = prefix if len(chosen) == 1 else f"{prefix}/{number}"
                self.documents.append(Opened(source, partial(load_source, source), prefix=place))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the files."""
        for opened in self.documents:
            opened.close()


def load_source(source: str) -> Callable[[], Document]:
    """A file or an unpacked folder, read; what is returned opens it.

    A file is read into memory unless it is very large: other programs can write it meanwhile, and
    shorten it, which nothing that maps it survives.
    """
    if not os.path.isfile(source) or os.path.getsize(source) > _MAPPED:
        return partial(_by_files, partial(folders.open, source))
    with open(source, "rb") as file:
        data = file.read()
    opening = partial(open_data, data, source=source, siblings=FileSiblings(source))
    return partial(_by_files, opening)


def _by_files(opening: Callable[[], Document]) -> Document:
    """A document that shows the documents in it as files, which have pages of their own."""
    document = opening()
    folder_format = folder_format_of(document.kind)
    if isinstance(folder_format, HasParts):
        folder_format.arrange(document, {"flat": True})
    return document


def stamp_of(source: str) -> object:
    """A value that changes when a file, or a file of a folder, is written."""
    try:
        if not os.path.isdir(source):
            path = source if os.path.exists(source) else source.partition("!")[0]
            status = os.stat(path)
            return status.st_mtime_ns, status.st_size, status.st_ino
        return frozenset(
            (path, status.st_mtime_ns, status.st_size)
            for path in (*scan(source), NAME)
            for status in (os.stat(os.path.join(source, path)),)
        )
    except (OSError, OverhaulError):
        return None


def listings_of(
    resources: Iterable[Resource], called: Callable[[str], str] = str
) -> dict[str, Listing]:
    """Resources by kind, with an address each; ``called`` is what people call a kind."""
    listings: dict[str, Listing] = {}
    slugs: dict[str, str] = {}
    names: dict[str, FileNames] = {}
    for resource in resources:
        kind = resource.kind
        slug = slugs.get(kind)
        if slug is None:
            slug = slugs[kind] = plural(kind).replace(" ", "-")
            names[kind] = FileNames()
            word = called(kind)
            listings[slug] = Listing(kind, slug, capitalised(plural(word)), capitalised(word), {})
        entries = listings[slug].entries
        key = names[kind](resource.name)
        if key.endswith(".json"):  # that is the address of a page's JSON
            key = f"{key.removesuffix('.json')}%2Ejson"
        entries[key] = Entry(
            kind, slug, key, resource.name, resource.path, resource.size, len(entries)
        )
    return listings


def plural(kind: str) -> str:
    """The plural of the name of a kind."""
    if kind in _PLURALS:
        return _PLURALS[kind]
    if kind.endswith("y") and kind[-2:-1] not in tuple("aeiou"):
        return f"{kind[:-1]}ies"
    return kind if kind.endswith("s") else f"{kind}s"


def capitalised(kind: str) -> str:
    """The name of a kind at the beginning of a line."""
    return f"GUI{kind[3:]}" if kind.startswith("gui") else kind.capitalize()


def uncapitalised(title: str) -> str:
    """The title of a kind inside a sentence: ``sprites``, ``GUIs``."""
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def anchor_of(entry: Entry, path: str) -> str:
    """What stands before the number of a line in its anchor; a resource may have several texts."""
    if stem_of(path) == stem_of(entry.path):
        return "L"
    inside = f"{entry.path}/"
    name = path[len(inside) :] if path.startswith(inside) else path.rpartition("/")[2]
    return f"{name}-L"


def stem_of(path: str) -> str:
    """A path without its ending."""
    head, slash, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    return f"{head}{slash}{stem}" if dot and stem else path


def _folders(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def words_of(error: Exception) -> str:
    """What an error of the library says, for a page."""
    return str(error) if isinstance(error, OverhaulError | LookupError | ValueError) else ""


PICTURES = (".png", ".gif", ".jpg", ".jpeg", ".bmp", ".webp")
SOUNDS = (".wav", ".ogg", ".mp3", ".flac", ".m4a", ".mid")
TEXTS = (
    *(".gml", ".asm", ".csv", ".txt", ".trs", ".asc", ".ash", ".ads"),
    *(".glsl", ".hlsl", ".ini", ".fsh"),
    *(".vsh", ".toml", ".md", ".xml"),
)
