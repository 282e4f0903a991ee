"""A person's rules for which texts are translated: a small TOML file."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Final

from overhaul.errors import FormatError

_TABLES: Final = ("include", "exclude")
_KEYS: Final = ("texts", "patterns", "entries", "functions", "sprites", "files")


@dataclass(frozen=True)
class Choice:
    """The names in one table of the file.

    ``texts`` are exact, ``patterns`` regular expressions for whole texts; ``entries``,
    ``functions`` and ``sprites`` are names, in which ``*`` and ``?`` stand for any letters.  A
    function may end in the number of an argument, ``scr_say:0``; without one, each of its
    arguments is meant.  ``files`` are paths of companion files, named in the same way.
    """

    texts: frozenset[str] = frozenset()
    patterns: tuple[re.Pattern[str], ...] = ()
    entries: tuple[str, ...] = ()
    functions: tuple[tuple[str, int | None], ...] = ()
    sprites: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def text(self, text: str) -> bool:
        """Whether a text is named."""
        return text in self.texts or any(pattern.fullmatch(text) for pattern in self.patterns)

    def entry(self, name: str) -> bool:
        """Whether a code entry is named."""
        return _matches(name, self.entries)

    def argument(self, function: str, number: int) -> bool:
        """Whether an argument of a function is named."""
        return any(
            which in (None, number) and fnmatchcase(function, name)
            for name, which in self.functions
        )

    def sprite(self, name: str) -> bool:
        """Whether a sprite is named."""
        return _matches(name, self.sprites)

    def file(self, path: str) -> bool:
        """Whether a companion file is named, by its path with ``/`` between folders."""
        return _matches(path, self.files)


@dataclass(frozen=True)
class Rules:
    """Texts to translate that otherwise would not be, and texts to leave that otherwise would."""

    include: Choice = field(default_factory=Choice)
    exclude: Choice = field(default_factory=Choice)

    def with_files(self, files: Iterable[str]) -> Rules:
        """The same rules with these files added."""
        more = replace(self.include, files=(*self.include.files, *files))
        return replace(self, include=more)


def load_rules(path: str | os.PathLike[str]) -> Rules:
    """Read a file of rules.  Raises FormatError for a file that is not valid, OSError if it can't
    be read."""
    with open(path, "rb") as file:
        data = file.read()
    return read_rules(data, os.fspath(path))


def read_rules(data: bytes, source: str = "") -> Rules:
    """The rules in the bytes of a file.  Raises FormatError for a file that is not valid."""
    try:
        read = tomllib.loads(data.decode("utf-8").removeprefix("\ufeff"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FormatError(f"not a TOML file: {error}", source=source) from None
    _known(read, _TABLES, "", source)
    return Rules(*(_choice(read.get(name, {}), name, source) for name in _TABLES))


def _choice(table: object, name: str, source: str) -> Choice:
    if not isinstance(table, dict):
        raise FormatError(f"{name}: expected a table, got {table!r:.60}", source=source)
    _known(table, _KEYS, f"{name}.", source)
    lists: dict[str, list[str]] = {}
    for key in _KEYS:
        chosen = table.get(key, [])
        if not isinstance(chosen, list) or not all(isinstance(item, str) for item in chosen):
            raise FormatError(
                f"{name}.{key}: expected a list of strings, got {chosen!r:.60}", source=source
            )
        lists[key] = chosen
    patterns = []
    for pattern in lists["patterns"]:
        try:
            patterns.append(re.compile(pattern))
        except (re.error, RecursionError, OverflowError) as error:
            raise FormatError(
                f"{name}.patterns: {pattern!r:.60} is not a regular expression: {error}",
                source=source,
            ) from None
    return Choice(
        frozenset(lists["texts"]),
        tuple(patterns),
        tuple(lists["entries"]),
        tuple(_function(item, name, source) for item in lists["functions"]),
        tuple(lists["sprites"]),
        tuple(lists["files"]),
    )


def _function(text: str, table: str, source: str) -> tuple[str, int | None]:
    name, colon, number = text.partition(":")
    if not name or (colon and not (number.isascii() and number.isdigit() and len(number) < 3)):
        raise FormatError(
            f"{table}.functions: expected a name, or one with an argument's number as in "
            f"'scr_say:0', got {text!r:.60}",
            source=source,
        )
    return name, int(number) if colon else None


def _known(table: Mapping[str, object], known: Iterable[str], place: str, source: str) -> None:
    for key in table:
        if key not in known:
            raise FormatError(
                f"{place}{key}: unknown key; expected one of {', '.join(known)}", source=source
            )


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
