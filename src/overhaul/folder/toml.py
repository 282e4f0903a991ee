"""overhaul.toml: the small file at the top of a folder that says what the folder is."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping

from overhaul.errors import PlainFileError, WorkspaceError

NAME = "overhaul.toml"
#: The layout that `folder.format` names.
FORMAT = 1


class FolderSettings:
    """The settings of overhaul.toml.

    ``kind`` and ``version`` of the document, the ``name`` of its file, the ``settings`` its model
    gave, and ``only``: the globs of a folder that has only a part of the document.
    """

    def __init__(
        self,
        kind: str,
        version: str,
        name: str,
        *,
        settings: Mapping[str, object] | None = None,
        only: Iterable[str] = (),
    ) -> None:
        self.kind = kind
        self.version = version
        self.name = name
        self.settings: dict[str, object] = dict(settings or {})
        self.only: tuple[str, ...] = tuple(only)

    def for_model(self) -> dict[str, object]:
        """Kind, version and settings in one table, as a model's ``empty`` and ``apply`` see it."""
        return {**self.settings, "kind": self.kind, "version": self.version}

    def to_bytes(self, tool: str) -> bytes:
        """The text of the file; ``tool`` is the version of Overhaul that writes it."""
        folder: dict[str, object] = {"format": FORMAT, "made_by": f"Overhaul {tool}"}
        if self.only:
            folder["only"] = self.only
        document = {"kind": self.kind, "version": self.version, "name": self.name}
        tables: dict[str, object] = {"folder": folder, "document": document}
        if self.settings:
            tables["settings"] = self.settings
        text = "# What this folder is. `overhaul pack` reads it.\n\n" + write(tables)
        return text.encode("utf-8")

    @classmethod
    def load(cls, folder: str) -> FolderSettings:
        """Read the overhaul.toml of a folder.  Raises WorkspaceError if it is missing or wrong."""
        path = os.path.join(folder, NAME)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except (FileNotFoundError, NotADirectoryError):
            raise WorkspaceError(
                f"{folder} is not a folder that can be packed: it has no {NAME}"
            ) from None
        except OSError as error:
            raise PlainFileError(f"it can't be read: {error.strerror}", path) from error
        try:
            return cls.from_bytes(data)
        except WorkspaceError as error:
            raise PlainFileError(str(error), path) from None

    @classmethod
    def from_bytes(cls, data: bytes) -> FolderSettings:
        """Read the text of an overhaul.toml.  Raises WorkspaceError if something is wrong."""
        try:
            content = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
        except (ValueError, RecursionError) as error:
            raise WorkspaceError(f"not valid TOML: {error}") from error
        folder = _table(content, "folder", {"format": FORMAT})
        document = _table(content, "document", None)
        layout = folder.get("format", FORMAT)
        if layout != FORMAT:
            raise WorkspaceError(
                f"the folder has layout {layout!r}; this version supports {FORMAT}"
            )
        only = folder.get("only", [])
        if not (isinstance(only, list) and all(isinstance(glob, str) for glob in only)):
            raise WorkspaceError("folder.only: expected a list of globs")
        kind = _text(document, "kind", None)
        version = _text(document, "version", "")
        name = _text(document, "name", "")
        if name and (os.path.basename(name) != name or name in (".", "..")):
            raise WorkspaceError("document.name: expected a file name without a folder")
        settings = _table(content, "settings", {})
        return cls(kind, version, name, settings=settings, only=only)


def _table(
    content: Mapping[str, object], name: str, default: dict[str, object] | None
) -> dict[str, object]:
    table = content.get(name, default)
    if table is None:
        raise WorkspaceError(f"the table [{name}] is missing")
    if not isinstance(table, dict):
        raise PlainFileError("expected a table", name)
    return table


def _text(table: Mapping[str, object], name: str, default: str | None) -> str:
    text = table.get(name, default)
    if not isinstance(text, str):
        raise WorkspaceError(f"document.{name}: expected a text in quotes")
    return text


# ------------------------------------------------------------------------------------ writing TOML


def write(tables: Mapping[str, object]) -> str:
    """TOML text of a table whose values are texts, numbers, booleans, lists and tables.

    The order is that of the mapping, plain values before tables; the same input gives the same
    text.  Raises TypeError for other values.
    """
    lines: list[str] = []
    _write_table(tables, (), lines)
    return "\n".join(lines).strip("\n") + "\n"


def _write_table(table: Mapping[str, object], path: tuple[str, ...], lines: list[str]) -> None:
    plain = [(key, value) for key, value in table.items() if not isinstance(value, dict)]
    if path and (plain or not table):
        lines.append("[" + ".".join(_key(part) for part in path) + "]")
    lines.extend(f"{_key(key)} = {_value(value)}" for key, value in plain if value is not None)
    if plain:
        lines.append("")
    for key, value in table.items():
        if isinstance(value, dict):
            _write_table(value, (*path, key), lines)


def _key(text: str) -> str:
    bare = text and text.isascii() and text.replace("_", "a").replace("-", "a").isalnum()
    return text if bare else _string(text)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + "}"
    raise TypeError(f"{value!r} is not a value of TOML")


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _string(text: str) -> str:
    pieces = []
    for character in text:
        if character in _ESCAPES:
            pieces.append(_ESCAPES[character])
        elif character < " " or character == "\x7f":
            pieces.append(f"\\u{ord(character):04X}")
        elif "\ud800" <= character <= "\udfff":  # TOML has no lone surrogates
            pieces.append("\ufffd")
        else:
            pieces.append(character)
    return '"' + "".join(pieces) + '"'
