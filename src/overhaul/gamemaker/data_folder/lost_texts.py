"""Names that an edit takes away, and that code holds as texts (``layer_get_id("Walls")``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.optn import TagList
from overhaul.gamemaker.data.chunks.shdr import Shader
from overhaul.gamemaker.data.code.mentions import code_with, entries_with_texts
from overhaul.gamemaker.data.code.places import SourceLine, lines_with, lines_with_text
from overhaul.gamemaker.data.references import NamedList
from overhaul.gamemaker.data_folder.kinds import TABLES
from overhaul.gamemaker.data_folder.names import name_of
from overhaul.gamemaker.data_folder.tables import AUDIO_GROUPS, TAGS, ChunkTable
from overhaul.schema import Record

if TYPE_CHECKING:
    from overhaul.gamemaker.data_folder.edits import GameEdits

_UNIFORM = re.compile(r"\buniform\s+(?:\w+\s+)+?(\w+)\s*(?:\[[^\]]*\]\s*)?;")


class _Held(NamedTuple):
    """A file, the names in it before the edit, and what gives those after it (None: it is gone)."""

    path: str
    before: dict[str, None]
    now: Callable[[], dict[str, None]] | None


class LostTexts:
    """The names in files that change or go: of resources, and of what is in them (layers, channels,
    uniforms, tags).  :meth:`warn` names those that are gone and that code holds as texts."""

    def __init__(self, edits: GameEdits) -> None:
        self._edits = edits
        self._held: list[_Held] = []
        #: the audio groups that go, with the code that names them
        self._groups: dict[str, list[CodeEntry]] = {}

    def note_removed(self, path: str, name: str) -> None:
        """Note a resource that goes."""
        if name:
            self._held.append(_Held(path, {name: None}, None))

    def note_parts(self, path: str, record: object) -> None:
        """Note what is in a resource whose JSON is about to be read."""
        self._held.append(_Held(path, parts_of(record), lambda: parts_of(record)))

    def note_tables(self) -> None:
        """Note the names in the tables that changed."""
        edits, game = self._edits, self._edits.game
        for table in TABLES:
            record = game.record(table.chunk) if edits.edited(table.path) else None
            if not edits.fresh and record is not None:
                self._note(table.path, partial(_names_in_table, table, record))
        if edits.edited(AUDIO_GROUPS.path) and not edits.fresh:
            self._note_groups(game.named(AUDIO_GROUPS.chunk))

    def _note(self, path: str, names: Callable[[], dict[str, None]]) -> None:
        self._held.append(_Held(path, names(), names))

    def _note_groups(self, owner: NamedList[object]) -> None:
        """Note the audio groups that the table has no longer: code has their numbers."""
        game = self._edits.game
        plain = self._edits.json(AUDIO_GROUPS.path)
        listed = plain if isinstance(plain, list) else []
        shown = [item.get("name") for item in listed if isinstance(item, dict)]
        here = {name for name in shown if isinstance(name, str)}
        for index, group in enumerate(owner):
            name = name_of(group)
            if index >= len(listed) and name and name not in here:
                self._groups[name] = list(code_with(game, "AGRP", index, name))

    def warn(
        self, text_of: Callable[[CodeEntry], str], line_of: Callable[[SourceLine], str]
    ) -> None:
        """Warn of the names that are gone and that code still holds.

        ``text_of`` gives the text of an entry, ``line_of`` a place in it as people see it.
        """
        findings = self._edits.findings
        for name, entries in self._groups.items():
            here = [entry for entry in entries if entry in self._edits.game.named("CODE")]
            places = [place for entry in here for place in lines_with(entry, {name}, text_of)]
            if places:
                shown = ", ".join(map(line_of, places))
                message = f"it no longer has {name}, which code names: {shown}"
                findings.warn("still-named", message, AUDIO_GROUPS.path)
        lost = [(held, name, now) for held in self._held for name, now in _lost(held)]
        users = entries_with_texts(self._edits.game, {name for _, name, _ in lost})
        for held, name, now in lost:
            places = [
                place
                for entry in users.get(name, ())
                for place in lines_with_text(entry, name, text_of)
            ]
            if not places:
                continue
            shown = ", ".join(map(line_of, places))
            if held.now is None:
                text = f"it was removed, but code holds {name!r} as a text: {shown}"
            else:
                text = f"it no longer has {name!r}, which code holds as a text: {shown}"
            meant = f" (is it {now!r} now?)" if now else ""
            findings.warn("still-named", text + meant, held.path)


def _lost(held: _Held) -> Iterator[tuple[str, str]]:
    """The names that are gone, with the only one that came instead ("" where it is unclear)."""
    now = {} if held.now is None else held.now()
    gone = [name for name in held.before if name not in now]
    came = [name for name in now if name not in held.before]
    for name in gone:
        yield name, came[0] if len(gone) == len(came) == 1 else ""


def parts_of(record: object) -> dict[str, None]:
    """The names of what is in a record, as code may have them in texts; not its own."""
    found: dict[str, None] = {}
    _collect(record, found)
    found.pop("", None)
    if isinstance(record, Record):
        found.pop(name_of(record), None)
    if isinstance(record, Shader):
        for field in ("glsl_es_vertex", "glsl_es_fragment"):
            found |= dict.fromkeys(_UNIFORM.findall(str(getattr(record, field) or "")))
    return found


def _collect(value: object, found: dict[str, None]) -> None:
    if isinstance(value, Record):
        found[name_of(value)] = None
        for field in value.__struct_fields__:
            _collect(getattr(value, field), found)
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, (Record, list)):
                _collect(item, found)


def _names_in_table(table: ChunkTable, record: object) -> dict[str, None]:
    if table is TAGS and isinstance(record, TagList):
        return dict.fromkeys(map(str, record.tags))
    return parts_of(record)
