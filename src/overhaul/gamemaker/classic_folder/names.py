"""Names instead of numbers: file names of resources, words for events; and old names in code.

Game Maker keeps code as text, so that renaming a resource leaves its old name in the code. A
word is certainly the resource if it is in code (not in a string or comment), does not follow a
dot (``other.spr_wall``), and the same code neither declares nor sets a variable of that name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Protocol

from overhaul.document.names import FileNames
from overhaul.errors import FormatError
from overhaul.findings import Findings, warning
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import json_bytes, read_json
from overhaul.gamemaker.classic.actions import EVENTS, REFERENCES, TRIGGER, WORDS, word
from overhaul.gamemaker.classic.kinds import Kind, kinds_of, slots_of
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.events import event_title, usual_events

# ------------------------------------------------------------------------------- resources


class NamedSlot(Protocol):
    """A place in a list of resources."""

    @property
    def exists(self) -> int: ...

    @property
    def name(self) -> str: ...


class ResourceFileNames:
    """The file names of the resources of every kind, by id.

    ``stems[kind]`` has one entry for each slot, None for a deleted one.
    """

    def __init__(self, version: int) -> None:
        self.version = version
        self.stems: dict[str, list[str | None]] = {}
        self.ids: dict[str, dict[str, int]] = {}

    @classmethod
    def of(cls, project: Project) -> ResourceFileNames:
        """The names of a project's resources, in the order of their slots."""
        return cls.of_slots(project.version, slots_of(project))

    @classmethod
    def of_slots(cls, version: int, slots: Mapping[str, Sequence[NamedSlot]]) -> ResourceFileNames:
        """The names of the resources in slots, by kind."""
        names = cls(version)
        for kind, kind_slots in slots.items():
            file_name = FileNames()
            stems = [file_name(slot.name) if slot.exists else None for slot in kind_slots]
            names.put(kind, stems)
        return names

    def put(self, kind: str, stems: list[str | None]) -> None:
        """Set the file names of a kind, by slot."""
        self.stems[kind] = stems
        self.ids[kind] = {stem: index for index, stem in enumerate(stems) if stem is not None}

    def stem(self, kind: str, index: int) -> str | None:
        """The file name of a resource; None for a deleted or missing one."""
        stems = self.stems.get(kind, [])
        return stems[index] if 0 <= index < len(stems) else None

    def show(self, kind: str, index: int, none: int = -1) -> str | int | None:
        """A reference for JSON: a name, null for none, a number for what doesn't exist."""
        if index == none:
            return None
        stem = self.stem(kind, index)
        return index if stem is None else stem

    def read(self, kind: str, value: object, none: int = -1) -> int:
        """The id of what :meth:`show` showed.  FormatError: no resource has the name."""
        if value is None:
            return none
        if isinstance(value, str):
            index = self.ids.get(kind, {}).get(value)
            if index is None:
                raise FormatError(f"there is no {value!r} among the {kind.replace('_', ' ')}")
            return index
        if isinstance(value, int) and not isinstance(value, bool) and -(1 << 31) <= value < 1 << 31:
            return value
        raise FormatError(f"expected the name of a resource or null, got {value!r:.40}")


def kind_of_grouping(version: int, grouping: int) -> Kind | None:
    """The kind of resources of a number of the resource tree."""
    return next((kind for kind in kinds_of(version) if kind.grouping == grouping), None)


# ---------------------------------------------------------------------------------- events


def event_word(category: int, sub_type: int, names: ResourceFileNames) -> str:
    """The file name of an event: ``create``, ``alarm_3``, ``collision_obj_wall``, ``mouse_@12``."""
    if category < len(EVENTS):
        prefix, known = EVENTS[category]
        if category in REFERENCES:
            stem = names.stem(REFERENCES[category], sub_type)
            if stem is not None:
                return f"{prefix}_{stem}"
        elif sub_type in known:
            return word(prefix, known[sub_type])
    else:
        prefix = f"category{category}"
    return f"{prefix}_@{sub_type}"


def event_files(project: Project) -> dict[str, str]:
    """The file name of each event that objects of a project may have, by its title."""
    names, slots = ResourceFileNames.of(project), slots_of(project)
    events = [*usual_events(TRIGGER - 1, later=False)]
    for category, kind in REFERENCES.items():
        stems = names.stems.get(kind, [])
        events += [(category, at) for at, stem in enumerate(stems) if stem is not None]
    made = {}
    for category, sub_type in events:
        kind = REFERENCES.get(category, "")
        name = slots[kind][sub_type].name if kind in slots else names.stem(kind, sub_type) or ""
        made[event_title(category, sub_type, name)] = event_word(category, sub_type, names)
    return made


def event_of_word(word: str, names: ResourceFileNames) -> tuple[int, int]:
    """The category and sub-type of an event's file name. Raises FormatError for an unknown
    event."""
    known = WORDS.get(word)
    if known is not None:
        return known
    numbered = re.fullmatch(r"(.+)_@(-?\d{1,10})", word)
    if numbered:
        number = int(numbered[2])
        prefixes = [prefix for prefix, _ in EVENTS]
        if numbered[1] in prefixes:
            return prefixes.index(numbered[1]), number
        extra = re.fullmatch(r"category(\d{1,4})", numbered[1])
        if extra:
            return int(extra[1]), number
    for category, kind in REFERENCES.items():
        prefix = EVENTS[category][0] + "_"
        if word.startswith(prefix):
            return category, names.read(kind, word[len(prefix) :])
    raise FormatError(f"there is no event called {word!r}")


ACTIONS = "actions.json"
CONSTANTS = "constants.json"
_LISTED = 20  # how many places are reported
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"[^"]*"|'[^']*'|(?<!\w)(?P<word>[A-Za-z_]\w*)""", re.DOTALL
)
_JSON_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_SET = re.compile(r"\s*([-+*/|&^]=|=(?!=)|:=)")
_VAR = re.compile(r"(?<!\w)(?:var|globalvar)(?!\w)([^;{}]*)")
_WORD = re.compile(r"[A-Za-z_]\w*")


def with_new_names(code: str, names: Mapping[str, str]) -> str:
    """The code with new names (by old ones) where it is certain that they are meant."""
    certain = {match.start() for match in _certain(code, names)}

    def new(match: re.Match[str]) -> str:
        return names[match["word"]] if match.start() in certain else match[0]

    return _TOKEN.sub(new, code) if certain else code


def _certain(code: str, names: Container[str]) -> list[re.Match[str]]:
    """The words of code that certainly are resources of some names."""
    declared = {word for match in _VAR.finditer(code) for word in _WORD.findall(match[1])}
    words = [match for match in _TOKEN.finditer(code) if match["word"] in names]
    members = {match.start() for match in words if code[: match.start()].rstrip().endswith(".")}
    unsure = declared | {
        match["word"]
        for match in words
        if match.start() not in members and _SET.match(code, match.end())
    }

    return [
        match for match in words if match["word"] not in unsure and match.start() not in members
    ]


def rewrite(files: Edits, names: Mapping[str, str]) -> list[str]:
    """Give the files of code new names where that is certain; the paths of those that change.

    The files on the disk stay: ``files`` reads them with the new names from now on.
    """
    changed = []
    for path, data in _with_any(files, names):
        if path.endswith(ACTIONS):
            plain = read_json(data, path)
            for action in plain if isinstance(plain, list) else ():
                arguments = action.get("arguments") if isinstance(action, dict) else None
                if isinstance(arguments, list):
                    arguments[:] = [
                        with_new_names(text, names) if isinstance(text, str) else text
                        for text in arguments
                    ]
            new = json_bytes(plain) if plain != read_json(data, path) else data
        elif path == CONSTANTS:
            plain = read_json(data, path)
            for row in plain if isinstance(plain, list) else ():
                if isinstance(row, dict) and isinstance(row.get("value"), str):
                    row["value"] = with_new_names(row["value"], names)
            new = json_bytes(plain) if plain != read_json(data, path) else data
        else:
            text = data.decode("utf-8", "surrogateescape")
            new = with_new_names(text, names).encode("utf-8", "surrogateescape")
        if new != data:
            files.replaced[path] = new
            changed.append(path)
    return changed


def mentions(files: Edits, names: Mapping[str, str]) -> Findings:
    """Warnings about the lines of code that say an old name."""
    word = _pattern(names)
    places = Findings(
        warning("still-named", f"{match[0]} is {names[match[0]]} now", path, line=number)
        for path, data in _with_any(files, names)
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1)
        for match in dict.fromkeys(word.finditer(line))
        if not path.endswith(ACTIONS) or '": "' + match[0] + '"}' not in line
        if path != CONSTANTS or not line.lstrip(" {").startswith(f'"name": "{match[0]}"')
    )
    return _listed(places, "say an old name")


def still_named(files: Edits, gone: Mapping[str, str]) -> Findings:
    """Warnings about the lines of code that name resources which are gone (their paths by name)."""
    result = Findings()
    for path, data in _with_any(files, gone):
        text = data.decode("utf-8", "replace")
        for number, name in dict.fromkeys(_places(path, text, gone)):
            message = f"the line names {name}, but {gone[name]} is gone"
            result.warn("still-named", message, path, line=number)
    return _listed(result, "name removed resources")


def _listed(findings: Findings, what: str) -> Findings:
    """The first of many findings, and how many more lines of code there are."""
    more = len(findings) - _LISTED
    if more > 0:
        del findings[_LISTED:]
        findings.warn("still-named", f"{more} more lines of code {what}")
    return findings


def _places(path: str, text: str, names: Container[str]) -> Iterator[tuple[int, str]]:
    """The number of each line that names a resource, and the name."""
    if not path.endswith((ACTIONS, CONSTANTS)):
        for match in _certain(text, names):
            yield text.count("\n", 0, match.start()) + 1, match["word"]
        return
    for number, line in enumerate(text.split("\n"), 1):
        for text_match in _JSON_TEXT.finditer(line):
            is_key = line[text_match.end() :].startswith(":")
            is_value = line[: text_match.start()].rstrip().endswith(":")
            argument = str(json.loads(text_match[0]))
            if path == CONSTANTS:
                is_code = line[: text_match.start()].rstrip().endswith('"value":')
            else:  # {"sprite": "spr_wall"} is not code
                is_code = not is_key and not (is_value and argument in names)
            if is_code:
                yield from ((number, match["word"]) for match in _certain(argument, names))


def _with_any(files: Edits, names: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """The files of code in which an old name stands."""
    word = _pattern(names)
    for path in sorted(files.present):
        if path.endswith((".gml", f"/{ACTIONS}")) or path == CONSTANTS:
            data = files.bytes(path)
            if word.search(data.decode("utf-8", "replace")):
                yield path, data


def _pattern(names: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
