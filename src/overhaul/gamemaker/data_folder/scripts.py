"""Scripts: one JSON file with the code entry of each, by name."""

from __future__ import annotations

from collections import deque

from overhaul.errors import FormatError
from overhaul.folder.jsonkit import at_key, expect_object
from overhaul.gamemaker.data.chunks.scpt import Script, ScriptCode
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.names import (
    Names,
    expect_keys,
    is_number,
    name_of,
    read_reference,
)
from overhaul.gamemaker.data_folder.tables import Table, put_all


class Scripts(Table):
    """The scripts; a list keeps what an object can't: names that occur twice, and gaps."""

    def show(self, names: Names) -> object:
        entries: list[tuple[str, object] | None] = []
        for script in names.game.records.scripts:
            if script is None:
                entries.append(None)
                continue
            entry = names.show_reference(script.code.entry)
            code = {"constructor": entry} if script.code.constructor else entry
            entries.append((name_of(script), code))
        shown = dict(entry for entry in entries if entry is not None)
        if len(shown) == len(entries):
            return shown
        return [None if e is None else {"name": e[0], "code": e[1]} for e in entries]

    def prepare(self, plain: object, edits: GameEdits) -> None:
        scripts = edits.game.records.scripts
        known = set(scripts.names())
        for name, _ in _pairs(plain):
            if name is not None and name not in known:
                known.add(name)
                scripts.append(Script(edits.game.strings.add(name)))

    def read(self, plain: object, edits: GameEdits) -> None:
        game = edits.game
        owner = game.records.scripts
        listed: list[Script | None] = []
        left: dict[str, deque[Script]] = {}
        for present in owner.present():
            left.setdefault(name_of(present), deque()).append(present)
        for name, value in _pairs(plain):
            if name is None:
                listed.append(None)
                continue
            constructor = isinstance(value, dict) and "constructor" in value
            with at_key(name):
                if constructor:
                    expect_keys(value, ("constructor",))
                    value = expect_object(value)["constructor"]
                entry = read_reference(game.named("CODE"), value)
            same = left.get(name)
            script = same.popleft() if same else Script(game.strings.add(name))
            if script.code != ScriptCode(entry, constructor):
                if is_number(entry) and not edits.fresh:
                    raise FormatError(f"expected the name of a code entry, got {entry}").within(
                        name
                    )
                script.code = ScriptCode(entry, constructor)
            listed.append(script)
        known = {name_of(script) for script in listed if script is not None}
        new_children = [
            script
            for script in owner
            if script is not None and name_of(script) not in known and _is_child(script)
        ]
        put_all(owner, [*listed, *new_children], fresh=edits.fresh)


def _is_child(script: Script) -> bool:
    """Whether the code of a script is a function inside another entry: if the file does not list
    it, it came with code that was just read."""
    entry = script.code.entry
    return isinstance(entry, Reference) and getattr(entry.target, "root", None) is not None


def _pairs(plain: object) -> list[tuple[str | None, object]]:
    """The names and code of scripts from JSON."""
    if isinstance(plain, dict):
        return list(plain.items())
    if not isinstance(plain, list):
        raise FormatError("expected an object with a code entry for each script")
    pairs: list[tuple[str | None, object]] = []
    for index, item in enumerate(plain):
        if item is None:
            pairs.append((None, None))
        elif isinstance(item, dict) and isinstance(item.get("name"), str):
            pairs.append((item["name"], item.get("code")))
        else:
            raise FormatError("expected a name and a code entry").within("", index)
    return pairs


SCRIPTS = Scripts("SCPT", "scripts.json", turn=0)
