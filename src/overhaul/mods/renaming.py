"""New names of resources in values and sources that have the old ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from overhaul.document.names import unescape_name
from overhaul.folder.json_fields import json_bytes, read_json
from overhaul.mods.values import Step, same
from overhaul.mods.view import CODE, SOURCE

_WORD = r"(?<![\w.])(?:{})(?!\w)"
_NUMBERS = frozenset({int, float, bool, type(None)})
#: characters that are escaped in a text between quotes
_SPECIAL = re.compile(r"[\\\"'\x00-\x1f]")
#: texts and comments of source, in which names are not replaced
_TEXTS = r"\"(?:\\.|[^\"\\\n])*\"|//[^\n]*|/\*.*?\*/"


#: how the names of code begin, behind which is a script's own name
_SCRIPTS = ("gml_GlobalScript_", "gml_Script_")


def name_of(place: str) -> str:
    """The name of the resource at a path."""
    return unescape_name(place.rpartition("/")[2])


def code_of(place: str) -> str:
    """How the paths of an object's code begin; "" for other resources."""
    kind, _, name = place.partition("/")
    return f"{CODE}gml_Object_{name}_" if kind == "objects" else ""


def own_names(place: str) -> Iterator[str]:
    """The names by which others refer to the resource at a path: code also as a script."""
    name = name_of(place)
    yield name
    for prefix in _SCRIPTS:
        if name.startswith(prefix):
            yield name.removeprefix(prefix)


def _of_kind(renamed: Mapping[str, str], places: Iterable[str]) -> dict[str, dict[str, str]]:
    """The new names of each kind (``sprite``), by the old names that several kinds have."""
    old = {name_of(place) for place in renamed}
    by_kind: dict[str, dict[str, str]] = {}
    for place in (*places, *renamed):
        name, (kind, slash, _) = name_of(place), place.partition("/")
        if slash and name in old:
            by_kind.setdefault(name, {})[kind.removesuffix("s")] = name_of(
                renamed.get(place, place)
            )
    return {name: kinds for name, kinds in by_kind.items() if len(kinds) > 1}


class Renaming:
    """The names of resources after renaming; ``renamed``: old and new paths.

    ``texts``: old and new texts, which source has between quotes. ``places``: the paths of all
    resources; some of another kind may keep the old name.
    """

    def __init__(
        self,
        renamed: Mapping[str, str],
        texts: Mapping[str, str] | None = None,
        places: Iterable[str] = (),
    ) -> None:
        self.names: dict[str, str] = {}
        #: for names that several kinds have: the new name of each kind
        self._of_kind = _of_kind(renamed, places)
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
        """Whether no resource has a new name."""
        return self._pattern is None

    def add(self, names: Mapping[str, str]) -> None:
        """Old names and new ones as well."""
        self.names |= names
        words = "|".join(re.escape(name) for name in sorted(self.names, key=len, reverse=True))
        if words or self._literals:
            pattern = f"{_TEXTS}|{_WORD.format(words or '(?!)')}"
            self._pattern = re.compile(pattern, re.DOTALL)

    def value(self, value: object, under: str = "") -> object:
        """A JSON value, which is ``under`` a key, in which texts and keys that are old names are
        the new ones."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self._name(value, under)
        if isinstance(value, list):
            if _NUMBERS.issuperset(map(type, value)):  # tile maps: millions of them
                return value
            return [self.value(item, under) for item in value]
        if isinstance(value, dict):
            return {self.key(key, under): self.value(item, key) for key, item in value.items()}
        return value

    def key(self, key: str, under: str = "") -> str:
        """A key with the new name: ``Collision_obj_wall`` has one after the underscore."""
        head, line, tail = key.partition("_")
        if line and tail in self.names:
            return f"{head}_{self._name(tail, 'objects')}"
        return self._name(key, under)

    def path(self, at: Sequence[Step]) -> tuple[Step, ...]:
        """A path in a JSON value with the new names."""
        steps: list[Step] = []
        under = ""
        for step in at:
            if isinstance(step, str):
                steps.append(self.key(step, under))
                under = step
            elif isinstance(step, Mapping):
                steps.append(self.mark(step, under))
            else:
                steps.append(step)
        return tuple(steps)

    def mark(self, mark: Mapping[str, object], under: str) -> dict[str, object]:
        """The identity of an element of the list under a key, with the new name."""
        return {key: self.value(value, key or under) for key, value in mark.items()}

    def _name(self, name: str, under: str) -> str:
        """A name with its new one: that of the kind that the key in front of it names."""
        for kind, new in self._of_kind.get(name, {}).items():
            if kind in under:
                return new
        return self.names.get(name, name)

    def source(self, text: str) -> str:
        """Source with old names and old texts replaced by the new ones."""
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
