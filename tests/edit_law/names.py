"""The law of names for GameMaker: ``python tests/edit_law/names.py [options] FILES``.

Of a data.win: functions inside scripts and of extensions, scripts, variables, all kinds of
resources that code, rooms or other resources use, audio groups, and names that code holds as texts
(of resources, texture groups, layers, channels, uniforms).  Of a classic project: resources that
other files name.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from edit_law.naming_law import Tried, outcome_of_text, table
from edit_law.renumbering import edited_files
from edit_law.subject import Files
from edit_law.subject import Subject as Project
from overhaul.document.plainfiles import Change, PackOptions, PlainFile, UnpackOptions
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.mention_index import words_of
from overhaul.gamemaker.data.code.mentions import callers, code_with, entries_with_texts, roots
from overhaul.gamemaker.data.code.unset_variables import SETTERS, Name, names_in, setting_rows
from overhaul.gamemaker.data.resources.users import own_code, users_of
from overhaul.gamemaker.data_folder.format import FORMAT as data_folder
from overhaul.gamemaker.data_folder.kinds import Kind
from overhaul.gamemaker.data_folder.tables import AUDIO_GROUPS
from overhaul.gamemaker.data_folder.view import FolderView
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.columns import is_variable

Edits = dict[str, bytes | None]
ENDING = "_zz"


class Game:
    """A data.win, its plain files, and the names in it that something uses."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.data = path.read_bytes()
        self.game = GameData.from_bytes(self.data, source=str(path))
        self.game.load_all()
        self.view = FolderView(self.game)
        options = UnpackOptions(code="gml", whole=False)
        self.files: Mapping[str, PlainFile] = {
            file.path: file for file in data_folder.plain_files(self.game, options)
        }
        self.stems = {id(entry): stem for stem, entry in self.view.roots().items()}

    def tried(self, chance: random.Random, most: int) -> Iterator[Tried]:
        """Take away and rename at most so many used names of each family."""
        for name, entry in _some(self._functions(), chance, most):
            yield from self._function(name, entry)
        for variable, setting in _some(self._variables(), chance, most):
            yield from self._variable(variable, setting)
        for kind, stem, name in _some([*self._extension_functions()], chance, most):
            yield from self._extension_function(kind, stem, name)
        yield from self._audio_groups(most)
        yield from self._texts(chance, most)
        for kind in self.view.kinds:
            found: list[tuple[str, Any]] = [
                (stem, record)
                for _, stem, record in self.view.resources(kind)
                if str(getattr(record, "name", "") or "") == stem
            ]
            used = 0
            for stem, record in _some(found, chance, 10 * most):
                users = self._users(self.game, kind, record)
                if users and used < most:
                    used += 1
                    removed = self._removed(kind, stem)
                    names = [*users_of(self.game, kind.chunk, record)]
                    if removed.outcome == "warned":
                        unnamed = [str(user) for user in names if user.name not in removed.said]
                        if unnamed:
                            removed = removed._replace(outcome="silent", said=f"{unnamed}")
                    yield removed
                    yield self._renamed(kind, stem, users)

    def _users(self, game: GameData, kind: Kind, record: Any) -> Counter[str]:
        return Counter(
            user.kind
            for user in users_of(game, kind.chunk, record)
            if kind.chunk not in ("TGIN", "AGRP") or user.kind != "code"
        )

    # -- functions and scripts ---------------------------------------------------------------------

    def _functions(self) -> list[tuple[str, Any]]:
        """The functions of scripts that other code calls."""
        found = []
        for entry in self.game.records.code.present():
            name = str(entry.name)
            root = entry if entry.root is None else entry.root
            script = str(root.name)
            if entry.root is None:
                is_script = script.startswith(SCRIPT_PREFIX)
            else:
                is_script = script.startswith(GLOBAL_SCRIPT_PREFIX) and "@" not in name
            names = {name, name.removeprefix(SCRIPT_PREFIX)}
            known = self.game.language.context.functions
            is_known = is_script and bool(names & known.keys())
            if is_known and any(user is not root for user in callers(self.game, names)):
                found.append((name.removeprefix(SCRIPT_PREFIX), root))
        return found

    def _function(self, name: str, root: Any) -> Iterator[Tried]:
        path = f"code/{self.stems[id(root)]}.gml"
        family = "functions" if str(root.name).startswith(GLOBAL_SCRIPT_PREFIX) else "scripts"
        if path not in self.files:
            return
        if family == "scripts":
            new = path.removesuffix(".gml") + f"{ENDING}.gml"
            yield self._judged(family, "removed", name, {path: None})
            yield self._judged(family, "renamed", name, {path: None, new: self.files[path].read()})
            return
        source, problems = self.game.language.decompiled.source(root)
        if problems:
            return
        dialect = self.game.language.context.dialect
        for verb in ("removed", "renamed"):
            block = parse(source, dialect)
            mine = [
                statement
                for statement in block.statements
                if isinstance(statement, tree.ExpressionStatement)
                and isinstance(statement.expression, tree.Function)
                and statement.expression.name == name
            ]
            if not mine:
                return
            if verb == "removed":
                block.statements = [each for each in block.statements if each is not mine[0]]
            else:
                mine[0].expression.name = name + ENDING  # type: ignore[attr-defined]
            text = to_source(block, dialect).encode("utf-8", "surrogateescape")
            yield self._judged(family, verb, name, {path: text})

    # -- variables ---------------------------------------------------------------------------------

    def _variables(self) -> list[tuple[Name, list[Any]]]:
        """The variables that code reads, with the entries that set them: all of them have files of
        source."""
        setting: dict[Name, list[Any]] = {}
        reading: dict[Name, list[Any]] = {}
        by_text = {id(entry) for entry in callers(self.game, SETTERS)}
        for root in roots(self.game):
            columns = root.bytecode.columns
            sets = setting_rows(columns)
            for name in names_in(self.game, root, sets):
                setting.setdefault(name, []).append(root)
            for name in names_in(self.game, root, is_variable(columns) & ~sets):
                reading.setdefault(name, []).append(root)
        held = entries_with_texts(self.game, {name.name for name in setting})
        here = {path for path in self.files if path.endswith(".gml")}
        functions = {name for name, _ in self._functions()}
        return [
            (name, entries)
            for name, entries in setting.items()
            if any(reader not in entries for reader in reading.get(name, ()))
            and len(entries) <= 3
            and not any(id(entry) in by_text for entry in held.get(name.name, ()))
            and name.name not in functions
            and all(f"code/{self.stems[id(entry)]}.gml" in here for entry in entries)
        ]

    def _variable(self, name: Name, entries: list[Any]) -> Iterator[Tried]:
        paths = [f"code/{self.stems[id(entry)]}.gml" for entry in entries]
        emptied: Edits = dict.fromkeys(paths, b"// nothing")
        yield self._judged("variables", "removed", name.name, emptied)
        word = re.compile(rf"\b{re.escape(name.name)}\b")
        texts = {path: self.files[path].read().decode("utf-8", "surrogateescape") for path in paths}
        renamed: Edits = {
            path: word.sub(name.name + ENDING, text).encode("utf-8", "surrogateescape")
            for path, text in texts.items()
        }
        yield self._judged("variables", "renamed", name.name, renamed)

    # -- tables, and names in texts ----------------------------------------------------------------

    def _extension_functions(self) -> Iterator[tuple[Kind, str, str]]:
        """The functions of extensions that code calls."""
        kind = next(kind for kind in self.view.kinds if kind.chunk == "EXTN")
        stems = self.view.stems(kind)
        for stem, record in zip(stems, self.game.records.extensions, strict=True):
            files = [] if record is None else record.files
            names = [str(function.name) for file in files for function in file.functions]
            for name in names:
                if names.count(name) == 1 and any(callers(self.game, {name})):
                    yield kind, stem, name

    def _extension_function(self, kind: Kind, stem: str, name: str) -> Iterator[Tried]:
        path = kind.json_path(stem)
        for verb in ("removed", "renamed"):
            plain = json.loads(self.files[path].read())
            for file in plain["files"]:
                listed = file.get("functions", [])
                for function in [each for each in listed if each["name"] == name]:
                    if verb == "removed":
                        listed.remove(function)
                    else:
                        function["name"] = name + ENDING
            yield self._judged("extension functions", verb, name, {path: _json(plain)})

    def _audio_groups(self, most: int) -> Iterator[Tried]:
        """The last audio groups, whose sounds go to the first one, where code names them."""
        if self.game.release.bytecode < 14 or AUDIO_GROUPS.path not in self.files:
            return
        groups = self.game.records.audio_groups
        index = len(groups) - 1
        first = str(getattr(groups.at(0), "name", ""))
        name = str(getattr(groups.at(index), "name", "") or "")
        if index > 0 and any(code_with(self.game, "AGRP", index, name)):
            edits: Edits = {}
            for path in self.files:
                if path.startswith("sounds/") and path.endswith(".json"):
                    plain = json.loads(self.files[path].read())
                    if plain.get("group") == name or plain.get("group") == index:
                        plain["group"] = 0 if plain["group"] == index else first
                        edits[path] = _json(plain)
            listed = json.loads(self.files[AUDIO_GROUPS.path].read())
            edits[AUDIO_GROUPS.path] = _json(listed[:-1])
            yield self._judged("audio groups", "removed", name, edits)

    def _texts(self, chance: random.Random, most: int) -> Iterator[Tried]:
        """Names in JSON files that code holds as texts."""
        named: dict[str, list[tuple[str, str]]] = {}
        for path in self.files:
            if path.endswith(".json") and path.split("/")[0] not in ("order.json", "strings"):
                family = path.split("/")[0]
                plain = json.loads(self.files[path].read())
                own = path.partition("/")[2].partition("/")[0].removesuffix(".json")
                for name in set(_inner_names(plain)) - {own}:  # the sequence of a sprite
                    named.setdefault(name, []).append((family, path))
        held = entries_with_texts(self.game, named)
        by_family: dict[str, list[tuple[str, str]]] = {}
        for name in held:
            for family, path in named[name]:
                by_family.setdefault(family, []).append((name, path))
        for family, found in by_family.items():
            for name, path in _some(found, chance, most):
                plain = json.loads(self.files[path].read())
                _rename_inner(plain, name, name + ENDING)
                yield self._judged(f"texts of {family}", "renamed", name, {path: _json(plain)})
        for kind in self.view.kinds:
            stems = {stem for _, stem, _ in self.view.resources(kind)}
            used = list(entries_with_texts(self.game, stems))
            for stem in _some(used, chance, most):
                yield self._removed(kind, stem)._replace(family=f"texts of {kind.folder}")

    # -- resources ---------------------------------------------------------------------------------

    def _paths(self, kind: Kind, stem: str) -> list[str]:
        return [path for path in self.files if kind.stem_of(path) == stem]

    def _removed(self, kind: Kind, stem: str) -> Tried:
        record = next(record for _, found, record in self.view.resources(kind) if found == stem)
        own = [code.target for code in own_code(kind.chunk, record)]
        code = [f"code/{self.stems[id(entry)]}.gml" for entry in own if id(entry) in self.stems]
        gone = dict.fromkeys(
            [*self._paths(kind, stem), *(path for path in code if path in self.files)]
        )
        return self._judged(kind.folder, "removed", stem, {**gone})

    def _renamed(self, kind: Kind, stem: str, users: Counter[str]) -> Tried:
        edits: Edits = {}
        for path in self._paths(kind, stem):
            edits[path] = None
            end = path[len(kind.folder) + 1 + len(stem) :]
            edits[f"{kind.folder}/{stem}{ENDING}{end}"] = self.files[path].read()
        made: list[GameData] = []
        tried = self._judged(kind.folder, "renamed", stem, edits, made)
        for game in made:
            record = game.named(kind.chunk).get(stem + ENDING)
            now = Counter() if record is None else self._users(game, kind, record)
            if now == users:
                return tried._replace(outcome="followed")
        return tried

    def _judged(
        self, family: str, verb: str, name: str, edits: Edits, made: list[GameData] | None = None
    ) -> Tried:
        """Pack an edit; the game is put into ``made``."""
        changes: dict[str, Change] = {
            path: "removed" if data is None else "changed" if path in self.files else "added"
            for path, data in edits.items()
        }
        folder = edited_files(self.files, edits)
        error, warnings = "", list[str]()
        for accept in (False, True):
            folder.options = PackOptions(accept_renumbering=accept)
            game = GameData.from_bytes(self.data, source=self.name)
            try:
                warnings = data_folder.apply(game, folder, changes).texts()
                again = GameData.from_bytes(game.to_bytes(), source=self.name)
            except OverhaulError as refused:
                error = str(refused)
                if "or accept that these numbers stay" in error:
                    continue  # for numbers of other resources too: what does it say of this one?
                return Tried(family, verb, name, "refused", error)
            if made is not None and not error:
                made.append(again)
            break
        outcome = outcome_of_text(name, error, warnings) or "silent"
        return Tried(family, verb, name, outcome, " | ".join([error, *warnings]))


class Classic:
    """A classic project: the names of resources that other files have."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.project = Project(path.name, path.read_bytes())
        self.files = self.project.files

    def tried(self, chance: random.Random, most: int) -> Iterator[Tried]:
        """Take away and rename at most so many used names of each family."""
        units: dict[str, dict[str, list[str]]] = {}
        for path in self.files:
            top, slash, rest = path.partition("/")
            if slash:
                stem = rest.partition("/")[0]
                stem = stem if "/" in rest else stem.rpartition(".")[0]
                units.setdefault(top, {}).setdefault(stem, []).append(path)
        for top, stems in units.items():
            used = [
                (stem, paths)
                for stem, paths in stems.items()
                if "%" not in stem
                and sum(stem in others for others in units.values()) == 1  # no other kind has it
                and any(path.endswith(".json") for path in paths)
                and self._uses(self.files, stem, top)
            ]
            for stem, paths in _some(used, chance, most):
                gone: dict[str, bytes | None] = dict.fromkeys(paths)
                yield self._judged(top, "removed", stem, gone)
                new: dict[str, bytes | None] = {
                    f"{top}/{stem}{ENDING}{path[len(top) + 1 + len(stem) :]}": self.files[path]
                    for path in paths
                }
                yield self._judged(top, "renamed", stem, {**gone, **new})

    @staticmethod
    def _uses(files: Files, name: str, top: str) -> int:
        """How often files of other resources have a name: as a value of JSON, or in code, but for
        texts and comments."""
        word = name.encode()
        count = 0
        for path, data in files.items():
            head, slash, rest = path.partition("/")
            mine = head == top and re.match(rf"{re.escape(name)}({ENDING})?[./]", rest)
            if not slash or mine or word not in data:
                continue
            if path.endswith(".json"):
                count += _values(json.loads(data.decode("utf-8-sig"))).count(name)
            elif path.endswith(".gml"):
                code = _COMMENTS.sub("", data.decode("latin-1"))
                count += words_of(code).count(name)
        return count

    def _judged(self, family: str, verb: str, name: str, edits: Edits) -> Tried:
        files = {**self.files, **edits}
        left = {path: data for path, data in files.items() if data is not None}
        error, warnings, now = "", [], {}
        try:
            packed = self.project.pack(left)
            warnings = packed.warnings
            now = self.project.unpack(packed)
        except OverhaulError as refused:
            error = str(refused)
        outcome = outcome_of_text(name, error, warnings) or ("refused" if error else "silent")
        if verb == "renamed" and not error:
            uses = self._uses(self.files, name, family)
            is_new = self._uses(now, name + ENDING, family) == uses
            if is_new and not self._uses(now, name, family):
                outcome = "followed"
        return Tried(family, verb, name, outcome, error or " | ".join(warnings))


def _json(plain: object) -> bytes:
    return json.dumps(plain, indent=2).encode()


def _inner_names(plain: Any) -> Iterator[str]:
    """The names of what is inside a JSON value, not its own."""
    for inner in plain.values() if isinstance(plain, dict) else plain:
        if isinstance(inner, dict):
            name = inner.get("name")
            if isinstance(name, str) and name:
                yield name
            yield from _inner_names(inner)
        elif isinstance(inner, list):
            yield from _inner_names(inner)


def _rename_inner(plain: Any, old: str, new: str) -> None:
    for inner in plain.values() if isinstance(plain, dict) else plain:
        if isinstance(inner, dict):
            for key in ("name", "layer"):
                if inner.get(key) == old:
                    inner[key] = new
            _rename_inner(inner, old, new)
        elif isinstance(inner, list):
            _rename_inner(inner, old, new)


_COMMENTS = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
#: keys of JSON whose values are texts for people
_TEXTS = frozenset(("caption", "title", "text", "name"))


def _values(value: Any) -> list[Any]:
    if isinstance(value, dict):
        items = (item for key, item in value.items() if key not in _TEXTS)
        return [each for item in items for each in _values(item)]
    if isinstance(value, list):
        return [each for item in value for each in _values(item)]
    return [value]


def _some(found: list[Any], chance: random.Random, most: int) -> list[Any]:
    return found if len(found) <= most else chance.sample(found, most)


def subject(path: Path) -> Game | Classic | None:
    """A game or a classic project; None for other files, and for games of native code."""
    try:
        if path.suffix in (".win", ".unx", ".ios", ".droid"):
            with GameData.from_bytes(path.read_bytes(), source=str(path)) as game:
                if game.is_native or game.record("CODE") is None:
                    return None
            return Game(path)
        return Classic(path)
    except OverhaulError:
        return None


def main() -> int:
    """Try names of the files; print what breaks the law, and counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=2, help="names of each family and file")
    parser.add_argument("--show", action="store_true", help="print every edit")
    options = parser.parse_args()
    tried: list[Tried] = []
    for path in options.files:
        began = time.process_time()
        chosen = subject(path)
        if chosen is None:
            continue
        mine = list(chosen.tried(random.Random(options.seed), options.most))
        for one in mine:
            if options.show or one.outcome == "silent":
                what = f"{one.family}/{one.name} {one.verb}: {one.outcome}"
                print(f"{path.name}: {what}: {one.said:.300}")
        tried += mine
        counts = dict(Counter(one.outcome for one in mine))
        seconds = time.process_time() - began
        print(f"{path.name}: {counts}, {seconds:.0f} s", file=sys.stderr, flush=True)
    for line in table(tried):
        print(line)
    return int(any(one.outcome == "silent" for one in tried))


if __name__ == "__main__":
    sys.exit(main())
