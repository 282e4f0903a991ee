"""The law of edits for numbers that stand for names: ``tests/edit_law/renumbering.py FILES``.

In an unpacked folder a resource of each kind is deleted, moved to the end, renamed, and renamed
with an edit.  Then every code entry that nobody touched must mean what it meant: its source of
before, compiled with what the names mean now, is its code.  Where the corpus has original sources
these are compiled too, which owe nothing to the decompiler.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import sourcepairs
from overhaul.document.plainfiles import Change, Folder, PackOptions, PlainFile, UnpackOptions
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.chunks import KIND_CHUNKS
from overhaul.gamemaker.data.code.compiling import compile_entry
from overhaul.gamemaker.data.code.mention_index import words_of
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gamemaker.data_folder.format import FORMAT as data_folder
from overhaul.gamemaker.data_folder.kinds import Kind
from overhaul.gamemaker.data_folder.view import FolderView
from overhaul.gml.compiler.definitions import add_definitions
from overhaul.mods.renaming import Renaming

VERBS = ("delete", "move", "rename", "rename and edit")
#: a field of each kind that any number may be in
_FIELDS = {"objects": "depth", "sprites": "origin_x", "rooms": "speed"}


def edited_files(files: Mapping[str, PlainFile], edits: Mapping[str, bytes | None]) -> Folder:
    """The plain files of a game, with others in the place of some."""
    reads = {path: None if data is None else data.__bytes__ for path, data in edits.items()}
    return Folder.of({path: file.read for path, file in files.items()}).overlay(reads)


@dataclass
class Outcome:
    """What one edit gave: ``refused`` where numbers are in doubt, and what is wrong."""

    what: str
    refused: bool = False
    entries: int = 0
    sources: int = 0
    wrong: list[str] = field(default_factory=list)


class Subject:
    """A game, its plain files, and the source of each of its entries."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.data = path.read_bytes()
        self.game = GameData.from_bytes(self.data, source=str(path))
        self.game.load_all()
        self.view = FolderView(self.game)
        options = UnpackOptions(code="gml", whole=False)
        self.files = {file.path: file for file in data_folder.plain_files(self.game, options)}
        self.stems = {str(entry.name): stem for stem, entry in self.view.roots().items()}
        language = self.game.language
        self.sources: dict[str, str] = {}
        for entry in roots(self.game):
            before = language.code(entry)
            source, problems = language.decompiled.source(entry)
            made = None if problems else _compiled(source, language.context, before)
            if made is not None and made.instructions == before.instructions:
                self.sources[str(entry.name)] = source

    def edits(self, seed: int) -> Iterator[tuple[str, dict[str, bytes | None], Renaming]]:
        """A deletion, a move and renames of a resource of each kind that code knows by number."""
        chance = random.Random(seed)
        for kind in self.view.kinds:
            listed = list(self.view.resources(kind))
            if kind.chunk not in KIND_CHUNKS.values() or len(listed) < 2:
                continue
            _, stem, record = chance.choice(listed[:-1])
            for verb in VERBS:
                made = self._edit(verb, kind, stem, str(getattr(record, "name", "")))
                yield f"{verb} {kind.folder}/{stem}", *made

    def _edit(
        self, verb: str, kind: Kind, stem: str, name: str
    ) -> tuple[dict[str, bytes | None], Renaming]:
        mine = [path for path in self.files if kind.stem_of(path) == stem]
        if verb == "delete":
            code = f"code/gml_Object_{stem}_" if kind.folder == "objects" else "\0"
            return dict.fromkeys(
                [*mine, *(path for path in self.files if path.startswith(code))]
            ), Renaming({})
        if verb == "move":
            order = json.loads(self.files["order.json"].read())
            order[kind.folder].append(order[kind.folder].pop(order[kind.folder].index(stem)))
            return {"order.json": json.dumps(order).encode()}, Renaming({})
        new = f"{stem}_renamed"
        edits: dict[str, bytes | None] = dict.fromkeys(mine)
        for path in mine:
            edits[f"{kind.folder}/{new}{path[len(kind.folder) + 1 + len(stem) :]}"] = self.files[
                path
            ].read()
        key = _FIELDS.get(kind.folder)
        json_path = kind.json_path(new)
        if verb == "rename and edit" and key is not None:
            plain = json.loads(edits[json_path] or b"")
            edits[json_path] = json.dumps(plain | {key: 7}).encode()
        return edits, Renaming({f"{kind.folder}/{name}": f"{kind.folder}/{name}_renamed"})

    def judge(self, what: str, edits: Mapping[str, bytes | None], renaming: Renaming) -> Outcome:
        """Pack an edit, and compare all code that it does not touch."""
        found = Outcome(what)
        changes: dict[str, Change] = {
            path: "removed" if data is None else "changed" if path in self.files else "added"
            for path, data in edits.items()
        }
        folder = edited_files(self.files, edits)
        game = GameData.from_bytes(self.data, source=self.name)
        try:
            warnings = data_folder.apply(game, folder, changes)
        except WorkspaceError as error:
            if "or accept that these numbers stay" not in str(error):
                found.wrong.append(f"refused: {error}")
                return found
            found.refused = True
            folder.options = PackOptions(accept_renumbering=True)
            game = GameData.from_bytes(self.data, source=self.name)
            warnings = data_folder.apply(game, folder, changes)
        reported = "\n".join(warnings.texts())
        again = GameData.from_bytes(game.to_bytes())
        self._compare(found, again, renaming, reported)
        return found

    def _compare(self, found: Outcome, game: GameData, renaming: Renaming, reported: str) -> None:
        language = game.language
        context = language.context
        for name, (kind, _) in self.game.language.context.asset_ids.items():
            if context.asset_id(renaming.names.get(name, name)) is None:  # what was removed
                context.add_asset(kind, -4 if kind == "object" else -1, name)
        entries = {str(entry.name): entry for entry in roots(game)}
        originals = _originals(self.name)
        defined = context.overlay()
        if originals:
            add_definitions(defined, _builds()[self.name].definitions)
        for name, source in self.sources.items():
            names = (name, _renamed_code(name, renaming))
            now = next((each for each in names if each in entries), "")
            if not now:
                continue
            before = language.code(entries[now])
            found.entries += 1
            listed = f"{self.stems[name]}.gml" in reported
            made = _compiled(renaming.source(source), context, before)
            if not _same(made, before):
                found.wrong.append(f"{now} means something else")
            if name in originals and not listed and words_of(source):
                made = _compiled(renaming.source(originals[name]), defined, before)
                plain = self.game.language.code(self.game.records.code[name])
                if made is None or len(made.instructions) != len(plain.instructions):
                    continue
                found.sources += 1
                if not _same(made, before):
                    found.wrong.append(f"{now} is not what its original source means")


def _builds() -> dict[str, sourcepairs.Build]:
    if not _BUILDS:
        _BUILDS.update({build.path.name: build for build in sourcepairs.builds()})
    return _BUILDS


_BUILDS: dict[str, sourcepairs.Build] = {}


def _originals(name: str) -> dict[str, str]:
    build = _builds().get(name)
    if build is None:
        return {}
    return {pair.entry: pair.source for pair in build.pairs() if pair.strict}


def _compiled(source: str, context: Any, before: Any) -> Any:
    try:
        return compile_entry(source, context, before.name, before)
    except OverhaulError:
        return None


def _same(made: Any, code: Any) -> bool:
    """Whether two codes are the same but for the names of functions inside them."""
    if made is None or len(made.instructions) != len(code.instructions):
        return False
    pairs = zip(made.instructions, code.instructions, strict=True)
    return all(
        a.opcode == b.opcode
        and a.value == b.value
        and (a.operand == b.operand or not isinstance(a.operand, int | float))
        for a, b in pairs
    )


def _renamed_code(name: str, renaming: Renaming) -> str:
    for old, new in renaming.names.items():
        for head in ("gml_Object_", "gml_Room_", "gml_RoomCC_", "gml_Timeline_"):
            if name.startswith(f"{head}{old}_"):
                name = f"{head}{new}{name[len(head) + len(old) :]}"
        if "_Collision_" in name and name.endswith(f"_Collision_{old}"):
            name = name.removesuffix(old) + new
    return name


def subject(path: Path) -> Subject | None:
    """A game whose code holds assets as numbers; None for other files."""
    try:
        with GameData.from_bytes(path.read_bytes(), source=str(path)) as game:
            if game.is_native or game.record("CODE") is None:
                return None
            if game.language.context.dialect.asset_references:
                return None
        return Subject(path)
    except OverhaulError:
        return None


def main() -> int:
    """Try all edits of the files; print what is wrong, and counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verb", default="", help="only edits that begin so")
    options = parser.parse_args()
    totals: Counter[str] = Counter()
    for path in options.files:
        began = time.process_time()
        chosen = subject(path)
        if chosen is None:
            continue
        mine: Counter[str] = Counter()
        for what, edits, renaming in chosen.edits(options.seed):
            if not what.startswith(options.verb):
                continue
            outcome = chosen.judge(what, edits, renaming)
            mine += Counter(
                edits=1, refused=outcome.refused, entries=outcome.entries, sources=outcome.sources
            )
            mine["wrong"] += len(outcome.wrong)
            for text in outcome.wrong[:6]:
                print(f"{path.name}: {what}: {text}", flush=True)
        totals += mine
        totals["games"] += 1
        seconds = time.process_time() - began
        print(f"{path.name}: {dict(mine)}, {seconds:.0f} s", file=sys.stderr, flush=True)
    print(dict(totals))
    return int(bool(totals["wrong"]))


if __name__ == "__main__":
    sys.exit(main())
