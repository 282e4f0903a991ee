"""The base of most documents: see :class:`BaseDocument`."""

from __future__ import annotations

import os
from itertools import islice

from overhaul.document.files import save_all
from overhaul.document.notebook import html_of
from overhaul.document.protocol import Document, Resource, companions_of
from overhaul.document.registry import folder_format_of
from overhaul.errors import ClosedError
from overhaul.findings import Findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn, Self

    from overhaul.document.views import ResourceView
    from overhaul.stretch import Piece


class BaseDocument(Document):
    """The shared behaviour of documents; see :class:`Document` for what each member means.

    ``kind`` is the kind of document, ``version`` that of the file in words, ``source`` the path
    that it was opened from, None for bytes in memory.
    """

    kind: str = ""
    version: str = ""
    #: Called once on closing: releases the mapped file (:func:`overhaul.document.opening.open`).
    on_close: Callable[[], None] | None = None

    def __init__(self, source: str | None = None) -> None:
        self.source = source
        self.findings: Findings = Findings()

    @property
    def warnings(self) -> list[str]:
        """The findings of opening, reading and edits, as texts (see ``findings``)."""
        return self.findings.texts()

    def decode(self) -> None:
        """Nothing more to do, unless parts are decoded when they are touched."""

    def to_bytes(self) -> bytes:
        raise TypeError(f"{type(self).__name__} cannot be written")

    def pieces(self) -> list[Piece]:
        return [self.to_bytes()]

    def tree(self) -> Iterable[Resource]:
        """The resources, as the folder of the format lists them."""
        return folder_format_of(self.kind).tree(self)

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The resources of a kind, as they can be looked at; none unless the format says."""
        return ()

    def resource_at(self, kind: str, position: int, name: str) -> ResourceView | None:
        """The resource that ``ls`` lists at a position among those of its kind."""
        return next(islice(self.resources(kind), position, None), None)

    def sole_resource(self) -> ResourceView | None:
        """The resource that the file is, where it is one and no more; a notebook shows its page."""
        return None

    def also_shown(self) -> Iterable[Resource]:
        """The pages besides those of the resources that ``ls`` lists; none unless the format has
        some."""
        return ()

    def locate(self, offset: int) -> str:
        """Unknown, unless the format says."""
        return ""

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the file, and the companions that differ from the files next to ``path``.

        Raises FileExistsError for an existing file without ``force``.  Writing over the file this
        document was opened from keeps that as ``NAME.bak``.
        """
        source = self.source
        save_all(
            path,
            self.pieces(),
            companions_of(self),
            force=force,
            backup=lambda name: source is not None and _same_file(source, name),
        )

    def let_go(self) -> None:
        """Let go of what was read, as the document was written and is not used again."""

    def close(self) -> None:
        """Release the file; reading parts that were not read yet raises ClosedError afterwards."""
        release, self.on_close = self.on_close, None
        if release is not None:
            views = [name for name, value in vars(self).items() if isinstance(value, memoryview)]
            for name in views:
                delattr(self, name)
            self._released: frozenset[str] = frozenset(views)
            release()

    if not TYPE_CHECKING:  # type checkers would take any attribute for one of all documents

        def __getattr__(self, name: str) -> object:
            """Raise ClosedError for the bytes of a closed file, AttributeError otherwise."""
            if name in vars(self).get("_released", ()):
                raise ClosedError(
                    f"{self.source or 'the document'} was closed: read it before close(), or "
                    "inside of the with block that opened it"
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse to be pickled or copied: two documents would share one open file."""
        raise TypeError(
            f"{type(self).__name__} is an open file, and is not copied or pickled: give others "
            "its path, or its to_bytes(), and open that"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        version = f" {self.version}" if self.version else ""
        return f"<{type(self).__name__} {self.kind}{version} {self.source or 'in memory'}>"

    def _repr_html_(self) -> str | None:
        return html_of(self)


def _same_file(first: str, second: str | os.PathLike[str]) -> bool:
    try:
        return os.path.samefile(first, second)
    except OSError:
        return False
