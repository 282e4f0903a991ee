"""Resources that differ between two games only in their names."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from overhaul.errors import OverhaulError
from overhaul.folder.json_fields import read_json
from overhaul.mods.renaming import Renaming, code_of, name_of, own_names
from overhaul.mods.values import text_of
from overhaul.mods.view import SOURCE, FileView, without_ending

#: the text that stands for a resource's own name in its files
_ITSELF = "\0"
#: The share of a changed resource, and the bytes, that one under another name must have.
_LIKE, _CHARACTERISTIC = 0.6, 120
#: The share that a resource with the same id or number must have.
_LIKE_WITH_ID = 0.25
#: The advantage of a resource with the same number over one that is as like it.
_SAME_NUMBER = 0.1
#: The keys of a resource's own name in its JSON.
_NAMES = ("name", "ScriptName", "Name")
#: Values of JSON that are too common to be evidence.
_COMMON = {b"0", b"1", b"-1", b"true", b"false", b"null", b'""', b"{}", b"[]"}
#: The most resources of one kind that are compared with each other.
_PAIRS = 4000


#: The contents of files by the endings of their paths: source by lines, JSON by values with their
#: places, others as a whole.
_Said: TypeAlias = Mapping[str, Sequence[bytes]]


class _Left(NamedTuple):
    """The resources of a game, with their files, that have no counterpart in the other."""

    view: FileView
    places: dict[str, list[str]]

    def without(self, places: Iterable[str]) -> _Left:
        """The resources that are not among the places."""
        left = set(places)
        return _Left(self.view, {at: each for at, each in self.places.items() if at not in left})


def find_renamed(old: FileView, new: FileView) -> dict[str, str]:
    """The resources (paths of files or folders) that have another name in ``new``, by their path
    in ``old``: one that is gone is paired with the one that came with equal files, in the order of
    their paths.  Files that differ only in the new names of others are equal too.

    Then one that was changed as well is paired with the one most like it, and code with the code of
    its object's new name."""
    gone, came = _only_here(old, new), _only_here(new, old)
    pairs: dict[str, str] = {}
    while gone.places and came.places:
        pair = _paired(gone, came, Renaming(pairs))
        pair = pair or _of_objects(gone.places, came.places, pairs)
        pair = pair or _most_alike(gone, came, Renaming(pairs))
        if not pair:
            break
        pairs |= pair
        gone, came = gone.without(pair), came.without(pair.values())
    return dict(sorted(pairs.items()))


def _paired(gone: _Left, came: _Left, renaming: Renaming) -> dict[str, str]:
    """Pairs of resources with equal files, once renamed resources have their new names in them."""
    nothing = Renaming({})
    waiting: dict[tuple[str, str], list[str]] = {}
    left = {
        name_of(place) for place in gone.places
    }  # the names that parts of a renamed resource may still have
    for place in sorted(came.places):
        waiting.setdefault(_content(came, place, nothing, left), []).append(place)
    pairs = {}
    for place in sorted(gone.places):
        places = waiting.get(_content(gone, place, renaming))
        if places:
            pairs[place] = places.pop(0)
    return pairs


def _of_objects(
    gone: Mapping[str, object], came: Mapping[str, object], pairs: Mapping[str, str]
) -> dict[str, str]:
    """Code of objects that are renamed."""
    heads = {code_of(old): code_of(now) for old, now in pairs.items() if code_of(old)}
    renamed = {}
    for place in gone:
        for old, now in heads.items():
            if place.startswith(old) and now + place[len(old) :] in came:
                renamed[place] = now + place[len(old) :]
    return renamed


def _most_alike(gone: _Left, came: _Left, renaming: Renaming) -> dict[str, str]:
    """Pairs of one kind, by how much of their contents is the same."""
    left = {name_of(place) for place in gone.places}
    kinds: dict[str, tuple[list[str], list[str]]] = {}
    for number, side in enumerate((gone, came)):
        for place in sorted(side.places):
            kinds.setdefault(place.rpartition("/")[0], ([], []))[number].append(place)
    likely: list[tuple[float, str, str]] = []
    for before, after in kinds.values():
        if 0 < len(before) * len(after) <= _PAIRS:
            old = {place: _said(gone, place, renaming) for place in before}
            new = {place: _said(came, place, Renaming({}), left) for place in after}
            scores = {(a, b): _score(old[a], new[b]) for a in before for b in after}
            likely += [(-score, *pair) for pair, score in scores.items() if score]
    pairs: dict[str, str] = {}
    for _, place, now in sorted(likely):
        if place not in pairs and now not in pairs.values():
            pairs[place] = now
    return pairs


def _score(first: _Said, second: _Said) -> float:
    """How sure it is that two resources are the same; 0: they are not. Resources with one id,
    which games and projects give to no other, come first; those with one number, which another
    may have got, where no other is more like them."""
    likeness, both = _likeness(first, second)
    if likeness >= _LIKE_WITH_ID:
        if _ids(first, b".id=") & _ids(second, b".id="):
            return 1 + likeness
        if _ids(first, b".ID=") & _ids(second, b".ID="):
            return likeness + _SAME_NUMBER
    return likeness if likeness >= _LIKE and both >= _CHARACTERISTIC else 0


def _ids(said: _Said, key: bytes) -> set[bytes]:
    """The id, or the number, that the JSON of a resource gives."""
    parts = (part for end, parts in said.items() if end.endswith(".json") for part in parts)
    return {part for part in parts if part.startswith(key)}


def _likeness(first: _Said, second: _Said) -> tuple[float, int]:
    """Which part of the larger resource is in the other, and in bytes."""
    both = sum(
        _weight(end, Counter(first[end]) & Counter(second[end])) for end in first.keys() & second
    )
    largest = max(
        sum(_weight(end, Counter(parts)) for end, parts in said.items()) for said in (first, second)
    )
    return both / max(largest, 1), both


def _weight(end: str, parts: Counter[bytes]) -> int:
    """The size of parts of a file, in bytes."""
    is_json = end.endswith(".json")
    return sum(
        (len(part) + 1) * count
        for part, count in parts.items()
        if not (is_json and part.rpartition(b"=")[2] in _COMMON)
    )


def _only_here(view: FileView, other: FileView) -> _Left:
    """The resources that the other game does not have."""
    places: dict[str, list[str]] = {}
    if view.files.keys() <= other.files.keys():
        return _Left(view, {})
    for path, place in view.resources().items():
        places.setdefault(place, []).append(path)
    own = {
        place: sorted(files)
        for place, files in places.items()
        if "/" in place and not any(path in other.files for path in files)
    }
    return _Left(view, own)


def _content(
    left: _Left, place: str, renaming: Renaming, names: Set[str] = frozenset()
) -> tuple[str, str]:
    """The content that resources of different names share: the folder, and the files."""
    total = hashlib.sha256()
    for rest, parts in _said(left, place, renaming, names).items():
        data = b"\n".join(parts)
        total.update(f"{rest}\0{len(data)}\0".encode("utf-8", "surrogatepass") + data)
    return place.rpartition("/")[0], total.hexdigest()


def _said(
    left: _Left, place: str, renaming: Renaming, names: Set[str] = frozenset()
) -> dict[str, list[bytes]]:
    """The contents of a resource's files without its name, by the endings of their paths."""
    nameless = Renaming({})
    nameless.add(dict.fromkeys(own_names(place), _ITSELF))
    said = {}
    for path in left.places[place]:
        data = left.view.read(path)
        parts = [data]
        if path.endswith(".json"):
            try:
                value = read_json(data, path)
            except OverhaulError:
                value = data.hex()
            if isinstance(value, dict):
                value = {key: item for key, item in value.items() if key != "name"}
            value = _nameless(renaming.value(value), names | {name_of(place)})
            parts = [part.encode("utf-8", "surrogatepass") for part in _values(value, "")]
        elif not data.strip():
            parts = [path.encode("utf-8", "surrogatepass")]  # nothing is like nothing else
        elif path.endswith(SOURCE):
            text = data.decode("utf-8", "surrogateescape")
            text = nameless.source(renaming.source(text))
            parts = text.encode("utf-8", "surrogateescape").split(b"\n")
        said[path[len(place) :]] = parts
    return said


def _values(value: object, place: str) -> Iterator[str]:
    """The plain values in JSON behind their places; an element begins with its list."""
    if isinstance(value, dict) and value:
        for key, item in sorted(value.items()):
            yield from _values(item, f"{place}.{key}")
    elif isinstance(value, list) and value:
        for item in value:
            yield f"{place}=[]"
            yield from _values(item, f"{place}[]")
    else:
        yield f"{place}={text_of(value)}"


def _nameless(value: object, names: Set[str]) -> object:
    """A value of JSON without the names of its own resource, which a sprite's sequence has too."""
    if not isinstance(value, dict):
        return value
    return {
        key: _nameless(item, names)
        for key, item in value.items()
        if not (key in _NAMES and isinstance(item, str) and item in names)
    }


def moved_path(path: str, renamed: Mapping[str, str]) -> str:
    """The path of a file after renaming."""
    if path in renamed:
        return renamed[path]
    for old, new in renamed.items():
        if path.startswith(old + "/") or without_ending(path) == old:
            return new + path[len(old) :]
    return path
