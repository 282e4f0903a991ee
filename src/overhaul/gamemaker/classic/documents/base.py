"""What the documents of Game Maker 5.0-8.1 share."""

from __future__ import annotations

from abc import abstractmethod
from datetime import datetime, timedelta

from overhaul.document.base import BaseDocument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from overhaul.document.protocol import Beside, Buffer

_DAY_ZERO = datetime(1899, 12, 30)


class ClassicDocument(BaseDocument):
    """A file that is read and written whole; ``size`` is its size in bytes."""

    size = 0

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> Self:
        """Open a file; as little as possible is read now."""
        document = cls.read(data, source)
        document.size = len(data)
        return document

    @classmethod
    @abstractmethod
    def read(cls, data: Buffer, source: str | None) -> Self:
        """The document of a file.  Raises FormatError for a broken one."""

    def to_bytes(self) -> bytes:
        """The file, rebuilt from its records."""
        data = self.write()
        self.size = len(data)
        return data

    @abstractmethod
    def write(self) -> bytes:
        """The bytes of the file."""


def date_in_words(date: float) -> str | None:
    """A date (days since 30 December 1899) in ISO form, to the second; None if out of range."""
    try:
        return (_DAY_ZERO + timedelta(days=date)).isoformat(sep=" ", timespec="seconds")
    except (OverflowError, ValueError):
        return None
