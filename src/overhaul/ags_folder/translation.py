"""A translation as files: translation.json, and the dictionary as alternating lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.blockdata import Content, DecodedBlock, DecodedBlocks
from overhaul.ags.blocks import TRANSLATION, BlockId
from overhaul.ags.documents.translation import TranslationDocument
from overhaul.ags.fields import Unterminated
from overhaul.ags.text import decode, encode
from overhaul.ags.translation import (
    BLOCKS,
    DICTIONARY,
    TEXT_OPTIONS,
    DictionaryBlock,
    NewTextOptionsBlock,
    Pair,
    from_lines,
    to_lines,
)
from overhaul.ags_folder import blocks, kit
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, SourceError, WorkspaceError
from overhaul.folder.jsonkit import at_key, expect_bytes, in_file, show_value
from overhaul.schema import Record

TRANSLATION_JSON: Final = "translation.json"
DICTIONARY_TRS: Final = "dictionary.trs"

settings = kit.encoding_settings
empty = partial(kit.new_document, TranslationDocument)


def tree(document: TranslationDocument) -> Iterable[Resource]:
    """The dictionary and the options."""
    yield Resource("options", "translation", TRANSLATION_JSON)
    if _lines(document) is not None:
        yield Resource("dictionary", "texts", DICTIONARY_TRS)


def plain_files(document: TranslationDocument, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of the unpacked translation."""
    yield kit.json_file(document, TRANSLATION_JSON, partial(_show, document), "blocks")
    lines = _lines(document)
    if lines is not None:
        yield kit.bytes_file(DICTIONARY_TRS, lines.encode(), f"block {DICTIONARY}")
    yield from blocks.opaque_files(document.translation.blocks)


def _lines(document: TranslationDocument) -> str | None:
    """The dictionary as lines; None where these can't hold all of it."""
    pairs = document.translation.pairs
    if any(isinstance(text, Unterminated) and text for p in pairs for text in (p.source, p.text)):
        return None
    lines = to_lines(pairs)
    if lines is None:
        return None
    stored = encode(lines)
    try:
        shown = stored.decode(document.encoding)
        return shown if shown.encode(document.encoding) == stored else None
    except UnicodeError:
        return None


def _show(document: TranslationDocument) -> dict[str, object]:
    translation = document.translation
    special = _show_dictionary if _lines(document) is not None else blocks.show_nothing
    shown: dict[str, object] = {
        "blocks": blocks.show_blocks(translation.blocks, special),
        "trailing": translation.trailing.hex(),
    }
    return shown | {"short_id": True} if translation.short_id else shown


def _show_dictionary(block: DecodedBlock) -> dict[str, object] | None:
    if block.id != DICTIONARY or not isinstance(block.content, DictionaryBlock):
        return None
    last = block.content.pairs[-1].source
    empty_texts = "no bytes" if isinstance(last, Unterminated) else "a NUL"
    return {"file": DICTIONARY_TRS, "empty_texts": empty_texts}


def apply(
    document: TranslationDocument, folder: Folder, changes: Mapping[str, Change]
) -> list[str]:
    """Change the translation as its files were changed."""
    kit.take_settings(document, folder.settings)
    translation = document.translation
    known = sum(not pair.source for pair in translation.pairs)
    if TRANSLATION_JSON in changes:
        shown = kit.read_json(document, folder, TRANSLATION_JSON)
        with in_file(TRANSLATION_JSON):
            unknown = shown.keys() - {"blocks", "trailing", "short_id"}
            if unknown:
                raise FormatError(f"unknown field {min(unknown)!r}")
            with at_key("trailing"):
                translation.trailing = expect_bytes(shown.get("trailing", "00000000"))
            short = shown.get("short_id", False)
            if not isinstance(short, bool):
                with at_key("short_id"):
                    raise FormatError(f"expected true or false, got {show_value(short)}")
        translation.short_id = short
        rows = shown.get("blocks")
        records: dict[BlockId, type[Record]] = dict(BLOCKS)
        if _has_flags(rows):
            records[TEXT_OPTIONS] = NewTextOptionsBlock
        read = blocks.read_blocks(
            rows, translation.blocks, records, folder, TRANSLATION_JSON, _read_dictionary
        )
        translation.blocks = DecodedBlocks(TRANSLATION, None, read)
    if DICTIONARY_TRS not in changes:
        _refuse_without_block(document, folder)
    # Without the file, the dictionary must be in translation.json.
    if DICTIONARY_TRS in changes and (DICTIONARY_TRS in folder or _lines(document) is not None):
        text = folder.read(DICTIONARY_TRS)
        try:
            stored = text.decode("utf-8-sig").encode(document.encoding)
        except UnicodeError as error:
            raise WorkspaceError(f"{DICTIONARY_TRS}: {error}") from None
        try:
            pairs = from_lines(decode(stored))
        except SourceError as error:
            error.name = DICTIONARY_TRS
            raise
        translation.set_pairs(pairs)
    document.edited(document.version)
    return _doubts(folder, known) if DICTIONARY_TRS in changes else []


def _doubts(folder: Folder, known: int) -> list[str]:
    """What is said of the lines in which the editor's .trs files have settings, and of empty texts
    behind the ``known`` ones that the translation had."""
    if DICTIONARY_TRS not in folder:
        return []
    warnings = []
    empty_texts = 0
    lines = enumerate(folder.read(DICTIONARY_TRS).decode("utf-8-sig").split("\n"), start=1)
    for number, line in lines:
        if not line.startswith("//"):
            _, translated = next(lines, (0, ""))
            if line.strip("\r") or not translated.strip("\r"):
                continue
            empty_texts += 1
            if empty_texts > known:
                place = f"{DICTIONARY_TRS}:{number}"
                warnings.append(f"{place}: an empty line is a text, which the next line translates")
        elif line.startswith("//#") and not line.rstrip().endswith("=DEFAULT"):
            place = f"{DICTIONARY_TRS}:{number}: {line.rstrip()[:60]}"
            warnings.append(f"{place} has no effect: {TRANSLATION_JSON} has the settings")
    return warnings


def _refuse_without_block(document: TranslationDocument, folder: Folder) -> None:
    """Raise WorkspaceError if there are texts in a file, but no block for them."""
    blocks_of_it = document.translation.blocks
    if DICTIONARY_TRS not in folder or blocks_of_it.find(DICTIONARY, DictionaryBlock) is not None:
        return
    if folder.read(DICTIONARY_TRS).strip():
        raise WorkspaceError(
            f"{TRANSLATION_JSON}: blocks: {DICTIONARY_TRS} is there, but no block has it"
        )


def _has_flags(rows: object) -> bool:
    """Whether the text options are shown with flags, as from 3.6.3 on."""
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and row.get("id") == TEXT_OPTIONS:
            fields = row.get("fields")
            if isinstance(fields, dict) and "flags" in fields:
                return True
    return False


def _read_dictionary(
    id: BlockId, row: dict[str, object], before: Content | None, place: str
) -> Content | None:
    if row.get("file") != DICTIONARY_TRS:
        return None
    if id != DICTIONARY:
        raise WorkspaceError(f"{place}.file: {DICTIONARY_TRS} can't be the file of {id!r}")
    if isinstance(before, DictionaryBlock):
        return before
    nothing = Unterminated("") if row.get("empty_texts") == "no bytes" else ""
    return DictionaryBlock([Pair(nothing, nothing)])
