"""A name that something uses can't disappear from a game of Adventure Game Studio without a word:
``python tests/edit_law/ags_names.py FILES...`` removes and renames names, and counts.

Of each kind of name (objects and hotspots of rooms, things of the game, functions and variables of
scripts, files of sprites, sounds and fonts, rooms, properties) those that are used are taken away,
and given another name.  The result is refused by name, warned of by name, or what uses the name
follows.  Anything else is *silent*, and breaks the law.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from edit_law.subject import Files, Packed, Subject
from overhaul.ags.documents.code import HasScripts
from overhaul.ags.folder.linking import ENTERED
from overhaul.ags.folder.renumbering import BY_NUMBER
from overhaul.ags.script.model import Script
from overhaul.document.reading import open_data
from overhaul.errors import OverhaulError

OTHER = "otherName9"
#: The folders of things with the key that has the name for scripts.
THINGS = {
    "characters": "ScriptName",
    "inventory": "Name",
    "dialogs": "Name",
    "audio_clips": "ScriptName",
    "guis": "Name",
    "views": "Name",
}
OUTCOMES = ("refused", "warned", "followed", "silent")
Edit = Callable[[Files], None]
#: Warnings about a name; a text that is cut may have had several.
_LOST = "is used here, but nothing in the game is called that any more"


class Case(NamedTuple):
    """A name that is taken away: its kind, the name, what happens to it, the edit, and whether a
    script imports it by that name."""

    kind: str
    name: str
    how: str
    edit: Edit
    imported: bool = False
    #: what a message may call it
    said: tuple[str, ...] = ()


class Result(NamedTuple):
    """What became of a case."""

    case: Case
    outcome: str
    message: str


class Game:
    """A file with its folder, and what its scripts import."""

    def __init__(self, name: str, data: bytes) -> None:
        self.subject = Subject(name, data)
        self.files = self.subject.files
        self.scripts = list(_scripts(self.subject, self.subject.original))
        self.imports = {plain(n) for _, script in self.scripts for n in script.imports if n}

    def json(self, path: str) -> dict[str, object]:
        """A JSON file; empty for others."""
        value = json.loads(self.files[path]) if path.endswith(".json") else {}
        return value if isinstance(value, dict) else {}


def plain(name: str) -> str:
    """A name of an import or export without the number of its parameters."""
    return name.partition("^")[0].partition("$")[0]


def _scripts(subject: Subject, packed: Packed) -> Iterator[tuple[str, Script]]:
    with open_data(packed.data, source=subject.name) as document:
        if isinstance(document, HasScripts):
            yield from document.compiled_scripts()


# -- edits -----------------------------------------------------------------------------------------


def _remove(*paths: str) -> Edit:
    def edit(files: Files) -> None:
        for path in paths:
            del files[path]

    return edit


def _json(path: str, change: Callable[[dict[str, object]], object]) -> Edit:
    def edit(files: Files) -> None:
        value = json.loads(files[path])
        change(value)
        files[path] = json.dumps(value, indent=2).encode()

    return edit


def _in_list(path: str, key: str, index: int, change: Callable[[list[object], int], None]) -> Edit:
    def into(value: dict[str, object]) -> None:
        listed = value[key]
        assert isinstance(listed, list)
        change(listed, index)

    return _json(path, into)


def _called(field: str) -> Callable[[dict[str, object]], None]:
    return lambda value: value.update({field: OTHER})


def _rename_row(field: str, name: str = OTHER) -> Callable[[list[object], int], None]:
    def change(listed: list[object], index: int) -> None:
        row = listed[index]
        assert isinstance(row, dict)
        row[field] = name

    return change


def _drop_row(listed: list[object], index: int) -> None:
    del listed[index]


def _text(path: str, pattern: str, new: str) -> Edit:
    def edit(files: Files) -> None:
        text = files[path].decode()
        made = re.sub(pattern, new, text)
        assert made != text, pattern
        files[path] = made.encode()

    return edit


def _move(old: str, new: str) -> Edit:
    def edit(files: Files) -> None:
        for path in [path for path in files if path.startswith(old)]:
            files[new + path[len(old) :]] = files.pop(path)

    return edit


# -- cases -----------------------------------------------------------------------------------------


def cases(game: Game) -> Iterator[Case]:
    """The names of a game that something uses, each removed and renamed."""
    yield from _things(game)
    yield from _rooms(game)
    yield from _exports(game)
    yield from _numbered(game)
    yield from _properties(game)


def _things(game: Game) -> Iterator[Case]:
    for path in game.files:
        folder = path.partition("/")[0]
        if folder in THINGS and path.endswith(".json") and path.count("/") == 1:
            field, value = THINGS[folder], game.json(path)
            name = str(value.get(field, "")).split("\0")[0]
            used = name in game.imports
            if used or (folder == "views" and name and _shows(game, value.get("ID"))):
                said = (path, name)
                # Messages name a thing that others hold the number of by its kind and number.
                gone = (
                    *said, f"removed from {folder}", f"{folder}: the ", f"folder {folder} is",
                    "there is no view", "a dialog that has another number",
                    f"no file next to it has the ID {value.get('ID')}:",
                )  # fmt: skip
                yield Case(folder, name, "removed", _remove(path), used, gone)
                yield Case(folder, name, "renamed", _json(path, _called(field)), used, said)
        if folder != "guis" or not path.endswith(".json"):
            continue
        listed = game.json(path).get("Controls")
        for index, row in enumerate(listed if isinstance(listed, list) else ()):
            name = str(row.get("Name", "")).split("\0")[0]
            if name in game.imports:
                said = (path, name)
                drop = _in_list(path, "Controls", index, _drop_row)
                change = _in_list(path, "Controls", index, _rename_row("Name"))
                yield Case("controls", name, "removed", drop, True, said)
                yield Case("controls", name, "renamed", change, True, said)


def _shows(game: Game, view: object) -> bool:
    """Whether something shows a view, or a script may."""
    shown = re.compile(rf'View"\s*:\s*{view}\b'.encode())
    taken = any(BY_NUMBER["views"].fullmatch(name) for name in game.imports)
    return taken or any(
        shown.search(data) for path, data in game.files.items() if path.endswith(".json")
    )


def _rooms(game: Game) -> Iterator[Case]:
    for path in game.files:
        if path.rpartition("/")[2] != "room.json":
            continue
        prefix = path[: -len("room.json")]
        imports = _imports_of(game, prefix)
        for rows, kind in (("Hotspots", "hotspots"), ("Objects", "objects")):
            listed = game.json(path).get(rows)
            for index, row in enumerate(listed if isinstance(listed, list) else ()):
                name = str(row.get("Name", "")).split("\0")[0]
                if not name or name not in imports:
                    continue
                said = (path, name)
                change = _in_list(path, rows, index, _rename_row("Name"))
                gone = _in_list(path, rows, index, _rename_row("Name", ""))
                if rows == "Objects":
                    gone = _in_list(path, rows, index, _drop_row)
                yield Case(kind, name, "removed", gone, True, said)
                yield Case(kind, name, "renamed", change, True, said)
        number = prefix.rstrip("/").rpartition("/")[2]
        if prefix and number.isdecimal() and number in _entered(game):
            named = (f"the room {number}, which", f"there is no rooms/{number}")
            inside = [each for each in game.files if each.startswith(prefix)]
            yield Case("rooms", number, "removed", _remove(*inside), said=named)
            yield Case("rooms", number, "renamed", _move(prefix, f"rooms/{int(number) + 150}/"),
                       said=named)  # fmt: skip


def _imports_of(game: Game, prefix: str) -> set[str]:
    """What the script of a room imports."""
    number = prefix.rstrip("/").rpartition("/")[2]
    mine = [
        script
        for name, script in game.scripts
        if not prefix or name.casefold().startswith(f"room{number}.crm!")
    ]
    return {plain(name) for script in mine for name in script.imports}


def _entered(game: Game) -> set[str]:
    """The numbers of rooms that sources enter."""
    return {
        match[2]
        for path, data in game.files.items()
        if path.endswith((".asc", ".ads"))
        for match in ENTERED.finditer(data.decode("utf-8", "replace"))
    }


def _exports(game: Game) -> Iterator[Case]:
    """Functions and variables of scripts that others import."""
    for path, data in game.files.items():
        if not path.startswith("scripts/") or not path.endswith(".asc"):
            continue
        tables = f"{path[:-4]}.json"
        if tables in game.files and game.json(tables).get("unread"):
            continue  # it is edited as assembly
        text = data.decode("utf-8", "replace")
        for match in re.finditer(r"^(?:function|int|String|float|bool)\s+(\w+)\s*\(", text, re.M):
            name = match[1]
            if name in game.imports:
                head = re.escape(match[0])
                body = rf"(?ms){head}.*?^}}[ \t]*\r?$"
                yield Case("functions", name, "removed", _text(path, body, ""), True, (name, _LOST))
                change = _text(path, rf"\b{name}\b", OTHER)
                yield Case("functions", name, "renamed", change, True, (name,))
        for match in re.finditer(r"^export ([^;]*);", text, re.M):
            for name in (part.strip() for part in match[1].split(",")):
                if name in game.imports:
                    others = ", ".join(
                        part.strip() for part in match[1].split(",") if part.strip() != name
                    )
                    new = f"export {others};" if others else ""
                    gone = _text(path, re.escape(match[0]), new)
                    change = _text(path, rf"\b{name}\b", OTHER)
                    yield Case("variables", name, "removed", gone, True, (name,))
                    yield Case("variables", name, "renamed", change, True, (name,))


def _numbered(game: Game) -> Iterator[Case]:
    """Files of sounds, fonts and sprites that the game's things name."""
    shown = ("views/", "inventory/", "guis/")
    texts = [
        data
        for path, data in game.files.items()
        if path.endswith(".json") and path.startswith(shown)
    ]
    images = {
        int(number)
        for data in texts
        for number in re.findall(rb'Image"\s*:\s*(\d{1,9})', data)
        if int(number)
    }
    for number in sorted(images):
        path = f"sprites/{number:05}.png"
        if path in game.files:
            yield Case(
                "sprites", str(number), "removed", _remove(path), said=(path, f"sprite {number},")
            )
    clips = {
        str(game.json(path).get("FileName", "")).casefold()
        for path in game.files
        if path.startswith("audio_clips/")
    }
    for path in game.files:
        name = path.rpartition("/")[2]
        if path.startswith("assets/") and name.casefold() in clips:
            yield Case("sounds", name, "removed", _remove(path), said=(path, name))
            moved = _move(path, f"assets/other9{name}")
            yield Case("sounds", name, "renamed", moved, said=(path, name))
        if re.fullmatch(r"fonts/agsfnt\d+\.(ttf|wfn)", path, re.I):
            yield Case("fonts", name, "removed", _remove(path), said=(path, name, name[:-4]))


def _properties(game: Game) -> Iterator[Case]:
    path = "properties.json"
    listed = game.json(path).get("PropertyDefinitions") if path in game.files else None
    texts = b"".join(data for name, data in game.files.items()
                     if name.endswith((".json", ".asc", ".txt")) and name != path)  # fmt: skip
    for index, row in enumerate(listed if isinstance(listed, list) else ()):
        name = str(row.get("Name", "")).split("\0")[0]
        if name and f'"{name}"'.encode() in texts:
            key = "PropertyDefinitions"
            drop = _in_list(path, key, index, _drop_row)
            change = _in_list(path, key, index, _rename_row("Name"))
            yield Case("properties", name, "removed", drop, said=(name,))
            yield Case("properties", name, "renamed", change, said=(name,))


# -- the law ---------------------------------------------------------------------------------------


def judge(game: Game, case: Case) -> Result:
    """What packing says of a name that is taken away."""
    files = dict(game.files)
    case.edit(files)
    try:
        packed = game.subject.pack(files)
    except OverhaulError as error:
        return Result(case, "refused" if _names(case, str(error)) else "silent", str(error))
    said = [warning for warning in packed.warnings if _names(case, warning)]
    if case.imported:
        lost = _unresolved(game, packed, case)
        if lost:
            return Result(case, "silent", f"{lost} is imported, and nothing has it")
        return Result(case, "warned" if said else "followed", "".join(said[:1]))
    if said:
        return Result(case, "warned", said[0])
    if case.kind == "views" and case.how == "renamed":
        return Result(case, "followed", "code has numbers")
    return Result(case, "silent", "")


def _names(case: Case, message: str) -> bool:
    return any(part and part.casefold() in message.casefold() for part in case.said)


def _unresolved(game: Game, packed: Packed, case: Case) -> str:
    """The name, if a script imports it still."""
    scripts = list(_scripts(game.subject, packed))
    had = {plain(e.name) for _, script in game.scripts for e in script.exports}
    has = {plain(e.name) for _, script in scripts for e in script.exports}
    for owner, script in scripts:
        if case.name in map(plain, script.imports):
            in_room = case.kind in ("hotspots", "objects")
            if in_room and not _is_there(game, packed, case, owner):
                return f"{owner}: {case.name}"
            if not in_room and case.name in had and case.name not in has:
                return f"{owner}: {case.name}"
            if not in_room and case.name not in had | has:
                return f"{owner}: {case.name}"
    return ""


def _is_there(game: Game, packed: Packed, case: Case, owner: str) -> bool:
    """Whether the room of a script has the name still, in another place."""
    prefix = re.match(r"room(\d+)\.crm!", owner, re.IGNORECASE)
    path = f"rooms/{prefix[1]}/room.json" if prefix is not None else "room.json"
    if path != case.said[0]:
        return True  # of another room
    shown = game.subject.unpack(packed).get(path, b"")
    return f'"{case.name}"'.encode() in shown


def sample_of(found: Iterable[Case], limit: int, seed: int) -> list[Case]:
    """Some cases of each kind and way."""
    by_kind: dict[tuple[str, str], list[Case]] = {}
    for case in found:
        by_kind.setdefault((case.kind, case.how), []).append(case)
    chosen = random.Random(seed)
    made: list[Case] = []
    for listed in by_kind.values():
        made += chosen.sample(listed, min(limit, len(listed))) if limit else listed
    return made


def table(counts: Counter[tuple[str, str, str]]) -> str:
    """The counts by kind and way, a line for each."""
    lines = [f"{'':24}{''.join(f'{outcome:>10}' for outcome in OUTCOMES)}"]
    for kind, how in sorted({key[:2] for key in counts}):
        row = "".join(f"{counts[kind, how, outcome]:>10}" for outcome in OUTCOMES)
        lines.append(f"{kind + ' ' + how:24}{row}")
    total = (sum(n for key, n in counts.items() if key[2] == outcome) for outcome in OUTCOMES)
    return "\n".join([*lines, f"{'all':24}{''.join(f'{number:>10}' for number in total)}"])


def main() -> int:
    """Run the law on the files that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--limit", type=int, default=0, help="cases of each kind and way")
    parser.add_argument("--seconds", type=float, default=1e9, help="for each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print every result")
    options = parser.parse_args()
    counts: Counter[tuple[str, str, str]] = Counter()
    for path in options.files:
        try:
            game = Game(path.name, path.read_bytes())
        except OverhaulError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        began, tried = time.monotonic(), 0
        for case in sample_of(cases(game), options.limit, options.seed):
            if time.monotonic() - began > options.seconds:
                break
            result = judge(game, case)
            tried += 1
            counts[case.kind, case.how, result.outcome] += 1
            if options.show or result.outcome == "silent":
                print(f"{path.name}: {case.kind} {case.name} {case.how}: {result.outcome}: "
                      f"{result.message[:200]}", flush=True)  # fmt: skip
        print(f"{path.name}: {tried} names, {time.monotonic() - began:.1f} s", flush=True)
    print(table(counts))
    return int(any(outcome == "silent" for _, _, outcome in counts))


if __name__ == "__main__":
    sys.exit(main())
