"""New names of resources, put into values and sources that say the old ones."""

from __future__ import annotations

import re
from collections.abc import Mapping

from overhaul.mods.renames import new_names

_WORD = r"(?<![\w.])(?:{})(?!\w)"
#: texts and comments of source, which stay as they are
_TEXTS = r"\"(?:\\.|[^\"\\\n])*\"|//[^\n]*|/\*.*?\*/"


class Renaming:
    """What resources are called after renaming; ``renamed``: old and new paths."""

    def __init__(self, renamed: Mapping[str, str]) -> None:
        self.names = new_names(renamed)
        words = "|".join(re.escape(name) for name in sorted(self.names, key=len, reverse=True))
        self._pattern = re.compile(f"{_TEXTS}|{_WORD.format(words)}", re.DOTALL) if words else None

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
        """Source in which words that are old names are the new ones."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self.names.get(found[0], found[0]), text)
