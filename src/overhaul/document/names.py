"""File names for names that come from a game.

A resource may be called ``con``, ``a/b``, ``..`` or two names may differ in case alone, and the
folder must still be right on every file system, lead nowhere outside, and turn back into the same
names.  :func:`escape_name` writes what is unsafe as ``%`` and two hexadecimal digits per UTF-8
byte; :func:`unescape_name` undoes it; :class:`FileNames` also keeps the names of one folder apart.
"""

from __future__ import annotations

import os

#: The longest file name (in UTF-8 bytes) that a resource's name makes; common file systems take
#: 255, and an extension and a folder's own parts come on top.
LONGEST = 180

_UNSAFE = frozenset('%<>:"/\\|?*')
_RESERVED = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{port}{digit}" for port in ("COM", "LPT") for digit in "0123456789¹²³"]
)
_LONGEST_RESERVED = max(map(len, _RESERVED))
#: Stands for the empty name; `%` never comes before anything but hexadecimal digits otherwise.
_EMPTY = "%-"
#: Put behind a name whose spelling another name of the folder has taken (``%~2``, ``%~3``, ...).
_AGAIN = "%~"


def escape_name(name: str) -> str:
    """The name as one component of a path that every file system takes; reversible.

    Bytes that are not UTF-8 are expected as the lone surrogates of ``surrogateescape``.
    """
    if not name:
        return _EMPTY
    if _is_plain(name):
        return name
    text = "".join(_hexadecimal(c) if c in _UNSAFE or not c.isprintable() else c for c in name)
    if text[0] in ". ~":  # hidden files, and spaces that get lost
        text = _hexadecimal(text[0]) + text[1:]
    if text[-1] in ". ~":
        text = text[:-1] + _hexadecimal(text[-1])
    if is_reserved(text):
        text = _hexadecimal(text[0]) + text[1:]
    return text


def _is_plain(name: str) -> bool:
    """Whether a name is a file name as it is."""
    if not name.isascii() or not name.isidentifier():
        return False
    return len(name) > _LONGEST_RESERVED or name.upper() not in _RESERVED


def is_reserved(name: str) -> bool:
    """Whether Windows takes a file name for a device, as ``CON`` and ``nul.txt``."""
    return name.split(".", 1)[0].rstrip().upper() in _RESERVED


def unescape_name(text: str) -> str:
    """The name that :func:`escape_name` or :class:`FileNames` made ``text`` from."""
    if "%" not in text:
        return text
    again = text.rfind(_AGAIN)
    if again >= 0 and text[again + 2 :].isdigit():
        text = text[:again]
    if text == _EMPTY:
        return ""
    raw = bytearray()
    position = 0
    while position < len(text):
        character = text[position]
        digits = text[position + 1 : position + 3]
        if character == "%" and len(digits) == 2 and _is_hexadecimal(digits):
            raw.append(int(digits, 16))
            position += 3
        else:
            raw += character.encode("utf-8", "surrogateescape")
            position += 1
    return raw.decode("utf-8", "surrogateescape")


class FileNames:
    """The file names of one folder: each name once, case and composed accents disregarded.

    Calling it with the names in the order of the game gives the same file names every time.
    """

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        if len(name) <= LONGEST and _is_plain(name):
            text, key = name, name.lower()
        else:
            text = escape_name(name)
            if len(text.encode("utf-8", "surrogateescape")) > LONGEST:
                text = _shortened(text, name)
            key = spelling(text)
        count = self._taken.get(key, 0) + 1
        self._taken[key] = count
        return text if count == 1 else f"{text}{_AGAIN}{count}"


def spelling(path: str) -> str:
    """The key that two paths share that some file system would take for the same file."""
    if path.isascii():
        return path.lower()
    import unicodedata  # start-up: for names that are not ASCII only

    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


def is_safe_path(path: str) -> bool:
    """Whether a path, with ``/`` between its parts, stays in its folder on every file system."""
    return bool(path) and all(map(is_safe_component, path.split("/")))


def is_safe_component(text: str) -> bool:
    """Whether a file may have this name on every file system."""
    is_ascii = text.isascii()
    if not text or len(text if is_ascii else text.encode("utf-8", "surrogateescape")) > 255:
        return False
    if is_ascii and text.replace(".", "_").isidentifier():
        safe = text[0] != "." and text[-1] != "."
    else:
        safe = (
            text.isprintable()
            and text[0] not in ". "
            and text[-1] not in ". "
            and _UNSAFE.isdisjoint(text.replace("%", ""))
        )
    return safe and text.split(".", 1)[0].rstrip().upper() not in _RESERVED


def safe_path(path: str) -> str:
    """Any path made safe, part by part; a safe one stays as it is."""
    parts = [p if is_safe_component(p) else _shorter(escape_name(p), p) for p in path.split("/")]
    return "/".join(parts)


def _hexadecimal(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogateescape"))


def _is_hexadecimal(digits: str) -> bool:
    return all(c in "0123456789ABCDEFabcdef" for c in digits)


def _shorter(text: str, name: str) -> str:
    return _shortened(text, name) if len(text.encode("utf-8", "surrogateescape")) > 255 else text


def _shortened(text: str, name: str) -> str:
    """The beginning of a very long name, made unique by its hash (only this is not reversible)."""
    import hashlib  # start-up: for very long names only

    mark = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    start = text.encode("utf-8", "surrogateescape")[: LONGEST - 16].decode("utf-8", "ignore")
    if "%" in start[-2:]:  # no half of an escape
        start = start[: start.rindex("%")]
    return f"{start}%~{mark}"


def folder_name(file: str) -> str:
    """The name of the folder that a file is unpacked to, by its path (``game.zip!data.win``)."""
    name = os.path.basename(file.replace("!", "/"))
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name + "_unpacked"
