"""The files that are open in a viewer: documents with a lock each, their resources by address."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import cached_property, partial
from hashlib import blake2b
from typing import TypeVar, cast
from urllib.parse import quote

from overhaul import folder as folders
from overhaul.document.containers import Members
from overhaul.document.games import game_of
from overhaul.document.plainfiles import PlainFile
from overhaul.document.protocol import Document
from overhaul.document.reading import FileSiblings, open_data
from overhaul.document.registry import Probe, find, folder_format_of, format_of_kind
from overhaul.document.views import HasResources, ResourceView
from overhaul.errors import OverhaulError
from overhaul.folder.paths import scan
from overhaul.folder.toml import NAME
from overhaul.media.pool import KEPT, Pool, Share
from overhaul.viewer.index import Index
from overhaul.viewer.listings import ListedResource as ListedResource
from overhaul.viewer.listings import Listing as Listing
from overhaul.viewer.listings import capitalised as capitalised
from overhaul.viewer.listings import kind_called
from overhaul.viewer.listings import listings_in as listings_in
from overhaul.viewer.listings import plural as plural
from overhaul.viewer.listings import uncapitalised as uncapitalised
from overhaul.viewer.nearfiles import NearFiles, folders_of
from overhaul.viewer.nearfiles import stem_of as stem_of
from overhaul.viewer.writing import Writer
from overhaul.workbench import Bench, FileBench, FolderBench

T = TypeVar("T")
#: Files larger than this are mapped, not read.
_MAPPED = 256 << 20
#: Looking whether files changed takes at most one part in so many of the time.
_PAUSE = 50
#: the number of pictures that are made at a time, as each takes memory
_ASIDE = threading.BoundedSemaphore(2)
#: the values of a document that are worked out when they are first asked for
_DERIVED = ("listings", "by_name", "files", "_places", "inside", "side")


class NotThere(LookupError):
    """A page, resource or part of this name does not exist: the answer is 404."""


class Cache:
    """Keeps what was used last, as far as the pool has room for it; safe for threads."""

    def __init__(self, pool: Pool = KEPT) -> None:
        self._share: Share[tuple[object]] = Share(pool)

    def get(self, key: Hashable, make: Callable[[], T], cost: Callable[[T], int]) -> T:
        """The value that is kept under a key; else the result of ``make``, which is kept if it
        fits."""
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

    Whoever touches ``document`` holds ``lock``; the application does for pages. Work that takes
    long does not hold up the others: it works on ``side``, the same document opened once more, or
    lets others in with :meth:`aside` while it only works on values it has read.

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
        bench: Bench | None = None,
    ) -> None:
        self.source = source
        #: the maker of steps of edits; None where nothing can be edited
        self.bench: Bench | None = bench
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
        self._make = load()
        self.document: Document = self._make()
        shown = source if bench is None else bench.file
        self.index: Index = Index(shown) if parent is None else parent.index
        if bench is not None:
            bench.attach(self.document)
        top = self.root
        #: changes plain files; None where that is not possible
        self.writer: Writer | None = (
            None if top.bench is None else Writer(top.bench, top.show, self.place)
        )

    # -- the document ------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """The kind of the document, as the registry calls it."""
        return self.document.kind

    @property
    def is_project(self) -> bool:
        """Whether it is a folder of plain files already: texts of it are edited, and nothing is
        added or filled into forms."""
        return bool(folder_format_of(self.document.kind).edited_in_place)

    @property
    def game(self) -> str:
        """The browser's name for this file in its storage."""
        top = self.root.source
        place = os.path.abspath(top) + self.source.removeprefix(top)
        return blake2b(place.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()

    @property
    def root(self) -> Opened:
        """The file on the disk that the document is in, or is."""
        return self if self.parent is None else self.parent.root

    @cached_property
    def kind_title(self) -> str:
        """The word that people use for such a file."""
        return format_of_kind(self.document.kind).title

    @property
    def place(self) -> str:
        """The beginning of the paths of its plain files in the file on the disk."""
        if self.parent is None:
            return ""
        entry = self.parent.find(self.title)
        return f"{self.parent.place}{self.title if entry is None else entry.path}/"

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
            stamp = stamp_of(self.source)
            self._replace(self._load())
            self._stamp, self._look_at = stamp, 0.0

    def show(self) -> None:
        """Show the game as the last step left it.  Raises what opening raises; nothing changed."""
        bench = self.bench
        assert bench is not None
        if isinstance(bench, FolderBench):  # the bytes it wrote are shown
            self.reload()
            return
        with self.lock:
            self._replace(partial(_by_files, bench.opening()))

    def saved(self) -> None:
        """The file on the disk is the one on show, as it was written."""
        self._stamp, self._look_at = stamp_of(self.source), 0.0

    def _replace(self, make: Callable[[], Document]) -> None:
        """Show another document.  The lock must be held."""
        self._idle.wait_for(lambda: not self._aside)
        document = make()
        old, self.document, self._make = self.document, document, make
        if self.bench is not None:
            self.bench.attach(document)
        self.edition += 1
        self.forget()
        old.close()
        old.let_go()

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
            self.index = Index(self.source if self.bench is None else self.bench.file)

    def remember(self, key: object, make: Callable[[], T], cost: Callable[[T], int]) -> T:
        """The result of ``make``, kept while there is room for it; ``cost`` is in bytes."""
        return self.cache.get((self.edition, key), make, cost)

    def is_shown(self) -> bool:
        """Whether it is on show: a step opens the documents in a package once more."""
        return self.parent is None or (self.parent.is_shown() and self.parent.inside.has(self))

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
            if self.bench is not None:
                self.bench.close()

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
        return listings_in(self.document)

    def called(self, kind: str) -> str:
        """The word that people use for a resource of a kind in such a file."""
        return kind_called(self.document, kind)

    @cached_property
    def by_name(self) -> dict[str, ListedResource]:
        """The first resource of each name."""
        name: dict[str, ListedResource] = {}
        for entry in self.entries():
            name.setdefault(entry.name, entry)
        return name

    def entries(self) -> Iterator[ListedResource]:
        """All resources."""
        for listing in self.listings.values():
            yield from listing.entries.values()

    def find(self, name: object, kind: str = "") -> ListedResource | None:
        """The resource of a name (of a kind, as ``Resource.kind``), if there is one."""
        if not isinstance(name, str):
            return None
        if not kind:
            return self.by_name.get(name)
        return self.cached_names(kind).get(name)

    def cached_names(self, kind: str) -> dict[str, ListedResource]:
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

    def entry(self, slug: str, key: str) -> ListedResource:
        """The resource of an address.  Raises NotThere."""
        listing = self.listing(slug)
        if key not in listing.entries:
            raise NotThere(f"there is no {listing.kind} {key!r} here")
        return listing.entries[key]

    def resource(self, entry: ListedResource) -> ResourceView | None:
        """A resource as it can be looked at; None where its kind can't."""
        document: object = self.document
        if not isinstance(document, HasResources):
            return None
        return document.resource_at(entry.kind, entry.position, entry.name)

    def href(self, entry: ListedResource, *rest: str) -> str:
        """The address of a resource, or of what is under it."""
        return self.prefix + self.own_path(entry) + "".join(f"/{quote(part)}" for part in rest)

    def own_path(self, entry: ListedResource) -> str:
        """The address of a resource without what all of the document's begin with."""
        return f"/{entry.slug}/{quote(entry.key, safe='')}"

    # -- plain files -------------------------------------------------------------------------

    @cached_property
    def files(self) -> NearFiles:
        """The plain files that unpacking would write, by path."""
        return NearFiles(self.document)

    def files_of(self, entry: ListedResource) -> list[PlainFile]:
        """The plain files of a resource: its own, those in its folder, and its own with other
        endings."""
        own, place = entry.path, entry.path
        if own in self.files:
            place = stem_of(own)
        return self.files.at(place)

    def replaceable(self, entry: ListedResource) -> list[str]:
        """The pictures and sounds of a resource, which others can take the place of."""
        paths = [file.path for file in self.files_of(entry)]
        return [path for path in paths if path.lower().endswith(PICTURES + SOUNDS)]

    @cached_property
    def _places(self) -> dict[str, ListedResource]:
        places: dict[str, ListedResource] = {}
        for entry in self.entries():
            places.setdefault(entry.path, entry)
        for entry in self.entries():  # files next to, with another ending
            places.setdefault(stem_of(entry.path), entry)
        return places

    def entry_at(self, path: str) -> ListedResource | None:
        """The resource whose page shows a plain file."""
        for place in (path, stem_of(path), *folders_of(path)):
            if place in self._places:
                return self._places[place]
        return None

    def sharing(self, entry: ListedResource) -> int:
        """How many resources of its kind the file of a resource lists."""
        return self.remember(
            ("sharing", entry.slug),
            lambda: Counter(listed.path for listed in self.listings[entry.slug].entries.values()),
            lambda found: 100 * len(found),
        )[entry.path]

    def lists_texts(self, path: str) -> bool:
        """Whether a plain file is the table of all strings of a game."""
        known = folder_format_of(self.document.kind)
        return known.meaning.lists_texts(path)

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
        """The beginning of the addresses in a member."""
        return f"{self._package.prefix}/in/{quote(path, safe='')}"

    def paths(self) -> list[str]:
        """The paths of the members; empty unless it is a package."""
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

    def digest(self, path: str) -> bytes:
        """Another one where the bytes of a member are others."""
        return self._package.remember(
            ("digest", path),
            lambda: blake2b(self._bytes(path) or b"", digest_size=16).digest(),
            lambda _: 200,
        )

    def open(self, path: str) -> Opened:
        """The document in a member.  Raises NotThere, and what opening raises."""
        package = self._package
        with package.lock:
            if package.inside is not self:  # a step came first
                return package.inside.open(path)
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

    def has(self, opened: Opened) -> bool:
        """Whether a document is one of those that were opened."""
        return self._opened.get(opened.title) is opened

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

    def __init__(self, sources: Iterable[str], *, prefix: str = "", edits: bool = True) -> None:
        """``edits``: whether what is on show can be edited."""
        chosen = list(sources)
        self.documents: list[Opened] = []
        #: the program that starts games; "" for none
        self.runner: str = ""
        try:
            for number, source in enumerate(chosen, 1):
                place = prefix if len(chosen) == 1 else f"{prefix}/{number}"
                if edits:
                    self.documents.append(on_bench(source, place))
                else:
                    load = partial(load_source, game_of(source))
                    self.documents.append(Opened(game_of(source), load, prefix=place))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the files."""
        for opened in self.documents:
            opened.close()


def on_bench(source: str, prefix: str = "") -> Opened:
    """A file or an unpacked folder on show, whose edits become steps.

    The only game in a container is on show as that, and is not written into it.
    """
    game = game_of(source)
    bench = FolderBench(game) if os.path.isdir(game) else FileBench(game, inside=game != source)
    return Opened(game, lambda: partial(_by_files, bench.load()), prefix=prefix, bench=bench)


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
    folder_format_of(document.kind).arrange(document, {"flat": True})
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


def anchor_of(entry: ListedResource, path: str) -> str:
    """The text before the number of a line in its anchor; a resource may have several texts."""
    if stem_of(path) == stem_of(entry.path):
        return "L"
    inside = f"{entry.path}/"
    name = path[len(inside) :] if path.startswith(inside) else path.rpartition("/")[2]
    return f"{name}-L"


def words_of(error: Exception) -> str:
    """The message of an error of the library, for a page."""
    return str(error) if isinstance(error, OverhaulError | LookupError | ValueError) else ""


PICTURES = (".png", ".gif", ".jpg", ".jpeg", ".bmp", ".webp")
SOUNDS = (".wav", ".ogg", ".mp3", ".flac", ".m4a", ".mid")
TEXTS = (
    *(".gml", ".asm", ".csv", ".txt", ".trs", ".asc", ".ash", ".ads"),
    *(".glsl", ".hlsl", ".ini", ".fsh"),
    *(".vsh", ".toml", ".md", ".xml", ".yy", ".yyp", ".gmx"),
)
