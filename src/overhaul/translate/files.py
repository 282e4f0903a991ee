"""Files of messages of all formats: PO, CSV, XLSX, and the translations of Adventure Game Studio.

The end of a file's name says its format; what has no known end is a PO file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import polib

from overhaul.ags.documents.translation import TranslationDocument
from overhaul.document.registry import load as load_module
from overhaul.errors import FormatError
from overhaul.translate import tables
from overhaul.translate.ags import compiled, lines
from overhaul.translate.po import read_po

if TYPE_CHECKING:
    from types import ModuleType

#: the ends of names of files that are written, each with what it is
WRITTEN: Final = {".po": "PO", ".pot": "PO", ".csv": "CSV", ".xlsx": "XLSX", ".trs": "TRS"}


def load(path: str | os.PathLike[str], *, encoding: str | None = None) -> polib.POFile:
    """Read a file of messages: .po, .pot, .csv, .xlsx, .trs or .tra.

    ``encoding`` is the code page of a .trs or .tra that does not name its own.  Raises FormatError
    with the line or cell that is wrong, OSError if the file can't be read.
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read()
    match _end(name):
        case ".csv":
            return tables.from_csv(data, name)
        case ".xlsx":
            read: polib.POFile = _sheets(name).from_xlsx(data, name)
            return read
        case ".trs":
            made = lines.to_messages(data, name, encoding)
        case ".tra":
            document = TranslationDocument.from_bytes(data, source=name)
            if encoding is not None and document.declared_encoding() is None:
                document.encoding = compiled.known_encoding(encoding, name)
            made = compiled.to_messages(document)
        case _:
            return read_po(data, name)
    made.fpath = name
    return made


def file_bytes(messages: polib.POFile, path: str | os.PathLike[str]) -> bytes:
    """Messages as a file of the format that the end of its name says: .po, .csv, .xlsx or .trs.

    Raises EncodeError for a text that the format can't have, FormatError for another format.
    """
    name = os.fspath(path)
    match _end(name):
        case ".csv":
            return tables.to_csv(messages)
        case ".xlsx":
            made: bytes = _sheets(name).to_xlsx(messages)
            return made
        case ".trs":
            return lines.from_messages(messages)
        case ".tra":
            raise FormatError("a .tra is made for a game: use apply", source=name)
        case _:
            return str(messages).encode("utf-8")


def _end(name: str) -> str:
    return os.path.splitext(name)[1].casefold()


def _sheets(name: str) -> ModuleType:
    try:
        sheets: ModuleType = load_module("overhaul.translate.sheets")
    except ModuleNotFoundError as error:
        if error.name != "openpyxl":
            raise
        raise FormatError(
            "spreadsheets need openpyxl: pip install 'overhaul[xlsx]', or use CSV", source=name
        ) from None
    return sheets
