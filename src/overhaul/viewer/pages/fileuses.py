"""The users of things of a game, read from its files: by name in scripts, by number in JSON.

A thing of a game in a package is sought in all of the package: the scripts of rooms use it too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from overhaul import folder as folders
from overhaul.document.names import unescape_name
from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError
from overhaul.folder.texts import Match
from overhaul.viewer.answers import Crumb
from overhaul.viewer.opened import TEXTS, ListedResource, Listing, Opened, anchor_of, stem_of

#: lines that are kept of each user, and characters of a line
_LINES: Final = 8
_LONG: Final = 200
_ASSEMBLY: Final = ".asm"
_SOURCE: Final = ".asc"
_GAME: Final = "ags-game"
_ROOM: Final = "ags-room"
#: The kinds of things that scripts know by a name.
_NAMED: Final = frozenset(
    ("character", "inventory", "cursor", "view", "dialog", "gui", "audio clip")
)


class User(NamedTuple):
    """A user of a thing: its kind, name and address (empty without a page), with lines."""

    kind: str
    name: str
    href: str
    lines: list[Crumb]


def knows_uses(opened: Opened) -> bool:
    """Whether the files of a document say what uses its things."""
    return folder_format_of(opened.root.document.kind).mentions.has_numbers


def are_counted(opened: Opened, listing: Listing) -> bool:
    """Whether it is counted what uses the things of a list."""
    return listing.kind in _NAMED and knows_uses(opened)


def key_of(entry: ListedResource) -> str:
    """The key of a thing for :func:`overhaul.folder.uses`: the name that its file has, or its
    path where the name is a number."""
    if entry.path.count("/") != 1:
        return entry.name
    stem = stem_of(entry.path)
    name = unescape_name(stem.rpartition("/")[2])
    return stem if name.isdecimal() else name


def users_of(opened: Opened, entries: Sequence[ListedResource]) -> dict[str, list[User]]:
    """The users of things, by the last parts of their addresses."""
    sought: dict[str, list[ListedResource]] = {}
    for entry in entries:
        sought.setdefault(key_of(entry), []).append(entry)
    files = {file.path: file for file in _files(opened)}
    reads = {path: file.read for path, file in files.items()}
    found: dict[str, dict[str, User]] = {entry.key: {} for entry in entries}
    for name, match in folders.uses_of_all(opened.root.document.kind, sought, reads):
        file = files[match.path]
        user = file.opened.entry_at(file.own)
        for entry in sought[name]:
            if user != entry or file.opened is not opened:
                _add(found[entry.key], file, user, match)
    return {key: list(users.values()) for key, users in found.items()}


class _File(NamedTuple):
    """A plain file: its path among all of them, and in its document."""

    path: str
    opened: Opened
    own: str
    read: Callable[[], bytes]


def _files(opened: Opened) -> Iterator[_File]:
    """The texts of a document, and of all in the package that it is in; paths in the game's own
    files are those of its folder."""
    parent = opened.parent
    for path, file in opened.files.items():
        if _is_text(opened, path):
            yield _File(path, opened, path, file.read)
    if parent is None and not opened.inside.paths():
        return
    package = opened if parent is None else parent
    for name in package.inside.paths():
        if name == opened.title or not package.inside.can_open(name):
            continue
        try:
            other = package.inside.open(name)
        except OverhaulError:  # a damaged one uses nothing that can be seen
            continue
        for path, file in other.files.items():
            if _is_text(other, path):
                shown = path if other.document.kind == _GAME else f"{name}/{path}"
                yield _File(shown, other, path, _reading(other, file.read))


def _is_text(opened: Opened, path: str) -> bool:
    """Whether a file is a text; assembly is one if it has no source."""
    if path.endswith(_ASSEMBLY):
        return path.removesuffix(_ASSEMBLY) + _SOURCE not in opened.files
    return path.endswith((*TEXTS, ".json"))


def _reading(other: Opened, read: Callable[[], bytes]) -> Callable[[], bytes]:
    """Reads a file of a document that other pages work on."""

    def locked() -> bytes:
        with other.lock:
            return read()

    return locked


def _add(users: dict[str, User], file: _File, user: ListedResource | None, match: Match) -> None:
    href = "" if user is None else file.opened.href(user)
    key = href or file.path
    if key not in users:
        name = file.path if user is None else user.name
        if user is not None and file.opened.document.kind == _ROOM:
            name = f"{file.opened.title}: {name}"
        users[key] = User("file" if user is None else user.kind, name, href, [])
    lines = users[key].lines
    if len(lines) < _LINES:
        is_code = user is not None and not file.own.endswith(".json")
        anchor = f"#{anchor_of(user, file.own)}{match.line}" if user and is_code else ""
        lines.append(Crumb(match.text.strip()[:_LONG], href + anchor))
