"""The tables of an old block, kept for the code that replaces its own.

A decompiled script has lost its headers, so its literals and imports alone would have other places.
Here each import takes the slot, and each literal the offset, that the old block has for it.  An
import that the code no longer uses loses its name, as the official compiler leaves it; so does one
that no longer has a declaration, which the engine would look for in vain.
"""

from __future__ import annotations

from array import array
from collections.abc import Container

from overhaul.ags.language.opcodes import FIX_DATA_IN_DATA, FIX_IMPORT, FIX_STRING
from overhaul.ags.script.model import Export, Script, Section
from overhaul.errors import FormatError

_OTHER_COMPILER = 95
_ACCESSORS = ("get", "set", "geti", "seti")


def keep_tables(new: Script, old: Script, declared: Container[str] | None = None) -> Script:
    """A new block with the tables of an old one; only what the old one lacks is appended.

    ``declared`` are the names that the new script can use, members as ``Struct::member``.
    Raises FormatError for an old block of AGS 4, which has tables of another compiler.
    """
    if old.version >= _OTHER_COMPILER:
        raise FormatError(f"a block of version {old.version} comes from another compiler")
    words = array("i", new.code)
    imports = _Imports(old)
    strings = _Strings(old)
    for kind, position in zip(new.fixup_types, new.fixup_positions, strict=True):
        if kind == FIX_IMPORT:
            words[position] = imports.slot(new.imports[words[position]])
        elif kind == FIX_STRING:
            words[position] = strings.offset(_text(new.strings, words[position]))
    fixups = _fixups(new, old)
    return Script(
        version=old.version,
        global_data=new.global_data,
        code=words.tobytes(),
        strings=bytes(strings.table),
        fixup_types=bytes(kind for kind, _ in fixups),
        fixup_positions=[position for _, position in fixups],
        imports=imports.kept(declared),
        exports=_exports(new.exports, old.exports),
        sections=_sections(new, old),
    )


def _fixups(new: Script, old: Script) -> list[tuple[int, int]]:
    """The fixups (kind, position): those of global strings, which stand where their declarations
    are among the functions, have the places of the old ones."""
    fixups = list(zip(new.fixup_types, new.fixup_positions, strict=True))
    places = [at for at, kind in enumerate(old.fixup_types) if kind == FIX_DATA_IN_DATA]
    strings = [fixup for fixup in fixups if fixup[0] == FIX_DATA_IN_DATA]
    if len(places) != len(strings) or (places and places[-1] >= len(fixups)):
        return fixups
    made = [fixup for fixup in fixups if fixup[0] != FIX_DATA_IN_DATA]
    for at, fixup in zip(places, strings, strict=True):
        made.insert(at, fixup)
    return made


class _Imports:
    """The import table: slots by name, with or without the number of parameters."""

    def __init__(self, old: Script) -> None:
        names = old.imports
        self.names = list(names)
        words = old.words
        pairs = zip(old.fixup_types, old.fixup_positions, strict=True)
        #: the slots that the old code uses and the new code does not
        self._unused: set[int] = {
            words[at] for kind, at in pairs if kind == FIX_IMPORT and 0 <= at < len(words)
        }
        self._used: set[int] = set()
        self._slots: dict[str, int] = {}
        self._plain: dict[str, int] = {}
        for slot, name in enumerate(names):
            if name:
                self._slots.setdefault(name, slot)
                self._plain.setdefault(name.partition("^")[0], slot)

    def slot(self, name: str) -> int:
        """The slot of a name, appended if there is none."""
        found = self._slots.get(name)
        if found is None:
            found = self._plain.get(name.partition("^")[0])
        if found is None:
            found = len(self.names)
            self.names.append(name)
            self._plain[name.partition("^")[0]] = found
        self._slots[name] = found
        self._unused.discard(found)
        self._used.add(found)
        return found

    def kept(self, declared: Container[str] | None) -> list[str]:
        """The names, without those that nothing uses any more, or nothing declares."""
        return [
            name
            if slot in self._used or not (slot in self._unused or _is_gone(name, declared))
            else ""
            for slot, name in enumerate(self.names)
        ]


def _is_gone(name: str, declared: Container[str] | None) -> bool:
    """Whether nothing declares an import: neither it nor the attribute that it reads or writes."""
    if declared is None or not name:
        return False
    plain = name.partition("^")[0]
    owner, _, member = plain.rpartition("::")
    prefix, _, attribute = member.partition("_")
    is_accessor = owner != "" and prefix in _ACCESSORS
    return plain not in declared and not (is_accessor and f"{owner}::{attribute}" in declared)


class _Strings:
    """The string table: where each text is, in the order of its uses in the old code."""

    def __init__(self, old: Script) -> None:
        self.table = bytearray(old.strings)
        self._used: dict[bytes, list[int]] = {}
        self._uses: dict[bytes, int] = {}
        words = old.words
        for kind, position in zip(old.fixup_types, old.fixup_positions, strict=True):
            if kind == FIX_STRING and 0 <= position < len(words):
                offset = words[position]
                self._used.setdefault(_text(old.strings, offset), []).append(offset)
        self._known: dict[bytes, int] = {}
        offset = 0
        for piece in old.strings.split(b"\0"):
            self._known[piece] = offset
            offset += len(piece) + 1

    def offset(self, text: bytes) -> int:
        """The offset for the next use of a text, appended if there is none."""
        offsets = self._used.get(text)
        if offsets:
            use = self._uses.get(text, 0)
            self._uses[text] = use + 1
            return offsets[min(use, len(offsets) - 1)]
        found = self._known.get(text)
        if found is None or found >= len(self.table):
            found = len(self.table)
            self.table += text + b"\0"
            self._known[text] = found
        return found


def _text(table: bytes, offset: int) -> bytes:
    """The text at an offset of a string table."""
    end = table.find(b"\0", max(offset, 0))
    return table[max(offset, 0) : len(table) if end < 0 else end]


def _exports(new: list[Export], old: list[Export]) -> list[Export]:
    """The new exports, in the order of the old ones if they are the same names."""
    by_name = {item.name: item for item in new}
    names = [item.name for item in old]
    if len(new) != len(old) or by_name.keys() != set(names):
        return new
    return [by_name[name] for name in names]


def _sections(new: Script, old: Script) -> list[Section]:
    """The sections: the old names, if there are as many places as before where one begins.

    A block of an old editor lists headers too; they begin where the script behind them does.
    """
    if len(new.sections) == len(old.sections):
        places = [section.offset for section in new.sections]
    else:
        starts = sorted({section.offset for section in old.sections})
        if len(starts) != len(new.sections):
            return list(old.sections) if len(new.code) == len(old.code) else new.sections
        offsets = dict(zip(starts, (section.offset for section in new.sections), strict=True))
        places = [offsets[section.offset] for section in old.sections]
    return [
        Section(name=section.name, offset=offset)
        for section, offset in zip(old.sections, places, strict=True)
    ]
