"""Translated texts into a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from overhaul.errors import OverhaulError
from overhaul.findings import Findings, warning
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.model import paused_collection
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.columns import is_string_push
from overhaul.gml.vm.opcodes import DataType
from overhaul.stretch import joined
from overhaul.translate.families import Job
from overhaul.translate.gamemaker.checking import glyph_warnings, placeholders
from overhaul.translate.gamemaker.companions import catalogues, read_files
from overhaul.translate.gamemaker.extending import check_names, extend
from overhaul.translate.gamemaker.faces import Faces
from overhaul.translate.gamemaker.shown import EntryTexts, Field, find_texts
from overhaul.translate.results import Translated, quoted, refuse_broken, usable

if TYPE_CHECKING:
    import polib


def apply(game: GameData, messages: polib.POFile, job: Job) -> Translated:
    """Put translated texts in where they are shown, and what typefaces draw into the fonts."""
    if job.typefaces is not None:
        check_names(job.typefaces, game)
    if job.keep:
        with (
            paused_collection(),
            GameData.from_bytes(game.to_bytes(), source=game.source) as copy,
        ):
            return _apply(copy, messages, job)
    with paused_collection():
        return _apply(game, messages, job)


def _apply(game: GameData, messages: polib.POFile, job: Job) -> Translated:
    findings: Findings = Findings()
    wanted = _wanted(messages, findings)
    if not wanted:
        return Translated(game.to_bytes(), 0, findings)
    shown_texts = find_texts(game, job)
    companions = catalogues(game, read_files(game, shown_texts.files), job.rules)
    shown = shown_texts.texts().union(
        *({text.text for text in companion.texts} for companion in companions)
    )
    findings += refuse_broken(messages, shown, placeholders, force=job.force)
    placed: set[str] = set()
    for entry in shown_texts.entries:
        nodes = {
            id(literal.node): literal.text
            for literal in entry.literals
            if id(literal.node) in shown_texts.shown and literal.text in wanted
        }
        if nodes:
            texts = dict.fromkeys(nodes.values())
            left = _put_in(game, entry, set(nodes), {text: wanted[text] for text in texts})
            placed |= texts.keys() - left
            for text in sorted(left):
                message = (
                    f"{quoted(text)} stays, as its code does not compile to the same instructions"
                )
                findings.warn("code-not-compiled", message, str(entry.entry.name))
    placed |= _put_in_fields(game, shown_texts.fields, wanted)
    translated: dict[str, bytes] = {}
    for catalogue in companions:
        there = {each.text for each in catalogue.texts} & wanted.keys()
        if there:
            translated[catalogue.name] = catalogue.replaced(wanted)
            placed |= there
    findings += [
        warning("unknown-text", f"{quoted(text)} is not a text that the game shows")
        for text in wanted
        if text not in shown
    ]
    faces = Faces(game, shown_texts)
    put_in = {text: wanted[text] for text in wanted if text in placed}
    if job.typefaces is not None:
        for why in extend(job.typefaces, faces, put_in, shown_texts):
            findings.warn("missing-letters", why)
    findings += glyph_warnings(faces, put_in)
    if placed:
        game.language.forget()
    return Translated(joined(game.pieces()), len(placed), findings, translated)


def _wanted(messages: polib.POFile, findings: Findings) -> dict[str, str]:
    """The translation of each text that has one of its own."""
    pairs = ((str(entry.msgid), str(entry.msgstr)) for entry in usable(messages, findings))
    return {text: new for text, new in pairs if new != text}


def _put_in_fields(game: GameData, fields: list[Field], wanted: Mapping[str, str]) -> set[str]:
    placed = set()
    for field in fields:
        if field.text in wanted:
            setattr(field.record, field.name, game.strings.add(wanted[field.text]))
            placed.add(field.text)
    return placed


def _put_in(
    game: GameData, texts_of_entry: EntryTexts, nodes: set[int], wanted: Mapping[str, str]
) -> set[str]:
    """Change the instructions that push the nodes' texts; return the texts that stay."""
    left: set[str] = set()
    as_texts = Counter(
        literal.text for literal in texts_of_entry.literals if id(literal.node) in nodes
    )
    everywhere = Counter(literal.text for literal in texts_of_entry.literals)
    columns, strings = texts_of_entry.entry.bytecode.columns, game.strings
    pushes = np.flatnonzero(is_string_push(columns))
    changed: dict[int, str] = {}
    mixed = set()
    for text in wanted:
        if as_texts[text] == everywhere[text] == texts_of_entry.pushes[text]:
            changed |= {
                int(row): wanted[text]
                for row in pushes
                if strings[int(columns.operand[row])] == text
            }
        else:
            mixed.add(text)
    if mixed:
        rows = _compiled_rows(game, texts_of_entry, nodes, {text: wanted[text] for text in mixed})
        if rows is None:
            left = mixed
        else:
            changed |= rows
    operand = columns.operand.copy()
    for row, text in changed.items():
        operand[row] = strings.add(text).number
    columns.operand = operand
    return left


def _compiled_rows(
    game: GameData, texts_of_entry: EntryTexts, nodes: set[int], wanted: Mapping[str, str]
) -> dict[int, str] | None:
    """Which instructions push the nodes' texts, and what they are to push: as the compiler says of
    the source with the new texts.  None where it makes anything else different."""
    before = texts_of_entry.entry.symbolic
    changed: list[tuple[tree.String, str]] = []
    for literal in texts_of_entry.literals:
        if id(literal.node) in nodes and literal.text in wanted:
            node = literal.node
            if not isinstance(node, tree.String):
                return None
            changed.append((node, node.value))
            node.value = wanted[literal.text]
    try:
        source = to_source(texts_of_entry.block, game.language.context.dialect)
        after = game.language.compile_entry(texts_of_entry.entry, source)
    except OverhaulError:
        return None
    finally:
        for node, text in changed:
            node.value = text
    rows: dict[int, str] = {}
    if len(before.instructions) != len(after.instructions):
        return None
    for row, (old, new) in enumerate(zip(before.instructions, after.instructions, strict=True)):
        if old == new:
            continue
        if old.type1 != DataType.STRING or (old.opcode, old.type1) != (new.opcode, new.type1):
            return None
        if not isinstance(old.operand, str) or wanted.get(old.operand) != new.operand:
            return None
        rows[row] = str(new.operand)
    return rows if len(rows) >= len(changed) else None
