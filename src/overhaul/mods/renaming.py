"""New names of resources, put into values and sources that say the old ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from overhaul.document.names import unescape_name
from overhaul.folder.jsonkit import json_bytes, read_json
from overhaul.mods.values import same
from overhaul.mods.view import SOURCE

_WORD = r"(?<![\w.])(?:{})(?!\w)"
#: what a text between quotes says in another way
_SPECIAL = re.compile(r"[\\\"'\x00-\x1f]")
#: texts and comments of source, in which no names are looked for
_TEXTS = r"\"(?:\\.|[^\"\\\n])*\"|//[^\n]*|/\*.*?\*/"


#: how the names of code begin, behind which is a script's own name
_SCRIPTS = ("gml_GlobalScript_", "gml_Script_")


def name_of(place: str) -> str:
    """The name of the resource at a path."""
    return unescape_name(place.rpartition("/")[2])


def own_names(place: str) -> Iterator[str]:
    """What the resource at a path is called where others name it: code also as a script."""
    name = name_of(place)
    yield name
    for prefix in _SCRIPTS:
        if name.startswith(prefix):
            yield name.removeprefix(prefix)


class Renaming:
    """What resources are called after renaming; ``renamed``: old and new paths.

    ``texts``: old and new texts, which source says between quotes.
    """

    def __init__(self, renamed: Mapping[str, str], texts: Mapping[str, str] | None = None) -> None:
        self.names: dict[str, str] = {}
        self._literals = {
            f"{quote}{old}{quote}": f"{quote}{new}{quote}"
            for old, new in (texts or {}).items()
            for quote in "\"'"
            if not _SPECIAL.search(old + new)
        }
        self._pattern: re.Pattern[str] | None = None
        self.add(
            {
                one: two
                for old, new in renamed.items()
                for one, two in zip(own_names(old), own_names(new), strict=False)
            }
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing has a new name."""
        return self._pattern is None

    def add(self, names: Mapping[str, str]) -> None:
        """Old names and new ones as well."""
        self.names |= names
        words = "|".join(re.escape(name) for name in sorted(self.names, key=len, reverse=True))
        if words or self._literals:
            pattern = f"{_TEXTS}|{_WORD.format(words or '(?!)')}"
            self._pattern = re.compile(pattern, re.DOTALL)

    def value(self, value: object) -> object:
        """A JSON value in which texts, and keys, that are old names are the new ones."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.names.get(value, value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.key(key): self.value(item) for key, item in value.items()}
        return value

    def key(self, key: str) -> str:
        """A key with the new name: ``Collision_obj_wall`` has one behind the line."""
        head, line, tail = key.partition("_")
        if line and tail in self.names:
            return f"{head}_{self.names[tail]}"
        return self.names.get(key, key)

    def source(self, text: str) -> str:
        """Source in which words that are old names, and old texts, are the new ones."""
        if self._pattern is None:
            return text
        known = self.names | self._literals
        return self._pattern.sub(lambda found: known.get(found[0], found[0]), text)

    def file(self, path: str, data: bytes) -> bytes:
        """A plain file with the new names: JSON, or source."""
        if self._pattern is None:
            return data
        if path.endswith(SOURCE):
            text = self.source(data.decode("utf-8", "surrogateescape"))
            return text.encode("utf-8", "surrogateescape")
        if path.endswith(".json"):
            value = read_json(data, path)
            renamed = self.value(value)
            return data if same(value, renamed) else json_bytes(renamed)
        return data
