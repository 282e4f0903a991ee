"""A translation as files: translation.json, and the dictionary as alternating lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.blockdata import Content, DecodedBlock, DecodedBlocks
from overhaul.ags.blocks import TRANSLATION, BlockId
from overhaul.ags.documents.translation import TranslationDocument
from overhaul.ags.fields import Unterminated
from overhaul.ags.folder import blocks, file_io
from overhaul.ags.folder.format import AgsFormat
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
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, PlainFileError, SourceError, WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.json_fields import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    in_file,
    show_value,
)
from overhaul.schema import Record

TRANSLATION_JSON: Final = "translation.json"
DICTIONARY_TRS: Final = "dictionary.trs"
#: The texts of the dictionary that are not lines.
ASIDE: Final = "aside"


class TranslationFormat(AgsFormat[TranslationDocument]):
    """A translation as a folder."""

    has_encoding = True
    document_class = TranslationDocument

    def tree(self, document: TranslationDocument) -> Iterable[Resource]:
        """The dictionary and the options."""
        yield Resource("options", "translation", TRANSLATION_JSON)
        if _has_dictionary(document):
            yield Resource("dictionary", "texts", DICTIONARY_TRS)

    def plain_files(
        self, document: TranslationDocument, options: UnpackOptions
    ) -> Iterator[PlainFile]:
        """The files of the unpacked translation."""
        yield file_io.json_file(document, TRANSLATION_JSON, partial(_show, document), "blocks")
        if _has_dictionary(document):
            pairs = [pair for pair in document.translation.pairs if _is_line(document, pair)]
            lines = encode(to_lines(pairs)).decode(document.encoding)
            yield file_io.bytes_file(DICTIONARY_TRS, lines.encode(), f"block {DICTIONARY}")
        yield from blocks.opaque_files(document.translation.blocks)

    def apply(
        self, document: TranslationDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Change the translation as its files were changed."""
        before = lines, aside = _apart(document)
        file_io.take_settings(document, folder.settings)
        translation = document.translation
        known = sum(not pair.source for pair in translation.pairs)
        if TRANSLATION_JSON in changes:
            shown = file_io.read_json(document, folder, TRANSLATION_JSON)
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
            aside = _read_aside(rows)
        if DICTIONARY_TRS not in changes:
            _refuse_without_block(document, folder)
        # Without the file, the dictionary must be in translation.json.
        if DICTIONARY_TRS in changes and (DICTIONARY_TRS in folder or _has_dictionary(document)):
            lines = _read_lines(document, folder)
        if (lines, aside) != before and _has_dictionary(document):
            translation.set_pairs(_together(lines, aside))
        document.edited(document.version)
        return _doubts(folder, known) if DICTIONARY_TRS in changes else Findings()


FORMAT: Final = TranslationFormat()


def _has_dictionary(document: TranslationDocument) -> bool:
    """Whether it has a list of texts; one that can't be read is kept as bytes."""
    return document.translation.blocks.find(DICTIONARY, DictionaryBlock) is not None


def _is_line(document: TranslationDocument, pair: Pair) -> bool:
    """Whether a text and its translation can be lines.

    Else they are kept in translation.json: a text that reads as a comment or has more than one
    line, two empty texts, one that is not in the encoding, one whose stored form lacks its end.
    """
    texts = (pair.source, pair.text)
    if not any(texts) or pair.source.startswith("//"):
        return False
    if any(isinstance(text, Unterminated) and text for text in texts):
        return False
    if any("\n" in text or "\r" in text for text in texts):
        return False
    try:
        stored = [encode(text) for text in texts]
        return [raw.decode(document.encoding).encode(document.encoding) for raw in stored] == stored
    except UnicodeError:
        return False


def _show(document: TranslationDocument) -> dict[str, object]:
    translation = document.translation
    shown: dict[str, object] = {
        "blocks": blocks.show_blocks(translation.blocks, partial(_show_dictionary, document)),
        "trailing": translation.trailing.hex(),
    }
    return shown | {"short_id": True} if translation.short_id else shown


def _show_dictionary(
    document: TranslationDocument, block: DecodedBlock
) -> dict[str, object] | None:
    if block.id != DICTIONARY or not isinstance(block.content, DictionaryBlock):
        return None
    last = block.content.pairs[-1].source
    empty_texts = "no bytes" if isinstance(last, Unterminated) else "a NUL"
    row: dict[str, object] = {"file": DICTIONARY_TRS, "empty_texts": empty_texts}
    aside = [
        {"position": position, **file_io.show(pair, None)}
        for position, pair in enumerate(document.translation.pairs)
        if not _is_line(document, pair)
    ]
    return row | {ASIDE: aside} if aside else row


def _apart(document: TranslationDocument) -> tuple[list[Pair], list[tuple[int, Pair]]]:
    """The pairs that are lines, and the others with their positions."""
    lines, aside = [], []
    for position, pair in enumerate(document.translation.pairs):
        if _is_line(document, pair):
            lines.append(pair)
        else:
            aside.append((position, pair))
    return lines, aside


def _together(lines: list[Pair], aside: list[tuple[int, Pair]]) -> list[Pair]:
    """The pairs in their order."""
    pairs = list(lines)
    for position, pair in sorted(aside, key=lambda placed: placed[0]):
        pairs.insert(position, pair)
    return pairs


def _read_lines(document: TranslationDocument, folder: Folder) -> list[Pair]:
    """The pairs of the file of lines.  Raises WorkspaceError, SourceError."""
    text = folder.read(DICTIONARY_TRS)
    try:
        stored = text.decode("utf-8-sig").encode(document.encoding)
    except UnicodeError as error:
        raise PlainFileError(str(error), DICTIONARY_TRS) from None
    try:
        return from_lines(decode(stored))
    except SourceError as error:
        error.name = DICTIONARY_TRS
        raise


def _read_aside(rows: object) -> list[tuple[int, Pair]]:
    """The pairs in translation.json that are not lines. Raises WorkspaceError."""
    aside: list[tuple[int, Pair]] = []
    for index, row in enumerate(rows if isinstance(rows, list) else []):
        shown = row.get(ASIDE, []) if isinstance(row, dict) else []
        place = f"{TRANSLATION_JSON}: blocks[{index}].{ASIDE}"
        with in_file(place):
            items = [expect_object(item) for item in expect_list(shown)]
            positions = [expect_integer(item.pop("position", 0)) for item in items]
            if items and row.get("id") != DICTIONARY:
                raise FormatError("this block has no texts")
            if any(position < 0 for position in positions):
                raise FormatError("expected positions from 0 on")
        pairs = [file_io.read(Pair, item, None, place) for item in items]
        if any(not pair.source and not pair.text for pair in pairs):
            raise PlainFileError("two empty texts end the list", place)
        aside += zip(positions, pairs, strict=True)
    return aside


def _doubts(folder: Folder, known: int) -> Findings:
    """Warnings about the lines in which the editor's .trs files have settings, and of empty texts
    behind the ``known`` ones that the translation had."""
    if DICTIONARY_TRS not in folder:
        return Findings()
    findings = Findings()
    empty_texts = 0
    lines = enumerate(folder.read(DICTIONARY_TRS).decode("utf-8-sig").split("\n"), start=1)
    for number, line in lines:
        if not line.startswith("//"):
            _, translated = next(lines, (0, ""))
            if line.strip("\r") or not translated.strip("\r"):
                continue
            empty_texts += 1
            if empty_texts > known:
                findings.warn(
                    "unusual",
                    "an empty line is a text, which the next line translates",
                    DICTIONARY_TRS,
                    line=number,
                )
        elif line.startswith("//#") and not line.rstrip().endswith("=DEFAULT"):
            findings.warn(
                "no-effect",
                f"{line.rstrip()[:60]} has no effect: {TRANSLATION_JSON} has the settings",
                DICTIONARY_TRS,
                line=number,
            )
    return findings


def _refuse_without_block(document: TranslationDocument, folder: Folder) -> None:
    """Raise WorkspaceError if there are texts in a file, but no block for them."""
    blocks_of_it = document.translation.blocks
    if DICTIONARY_TRS not in folder or blocks_of_it.find(DICTIONARY, DictionaryBlock) is not None:
        return
    if folder.read(DICTIONARY_TRS).strip():
        raise PlainFileError(
            f"{DICTIONARY_TRS} is there, but no block has it", TRANSLATION_JSON, "blocks"
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
