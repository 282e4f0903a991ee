"""Resources that are the same in two games but for their names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Set

from overhaul.errors import OverhaulError
from overhaul.folder.jsonkit import read_json
from overhaul.mods.renaming import Renaming, name_of, own_names
from overhaul.mods.values import text_of
from overhaul.mods.view import SOURCE, View, without_ending

#: what stands for a resource's own name in its files
_ITSELF = "\0"


def find_renamed(old: View, new: View) -> dict[str, str]:
    """The resources (paths of files or folders) that have another name in ``new``, by their path
    in ``old``: one that is gone is paired with the one that came with equal files, in the order of
    their paths.  Files that only say the new names of others are equal too."""
    gone, came = _only_here(old, new), _only_here(new, old)
    pairs: dict[str, str] = {}
    while gone and came:
        found = _paired(old, gone, new, came, Renaming(pairs))
        if not found:
            break
        pairs |= found
        gone = {place: files for place, files in gone.items() if place not in found}
        came = {place: files for place, files in came.items() if place not in found.values()}
    return dict(sorted(pairs.items()))


def _paired(
    old: View,
    gone: Mapping[str, Iterable[str]],
    new: View,
    came: Mapping[str, Iterable[str]],
    renaming: Renaming,
) -> dict[str, str]:
    """Resources with equal files, where old ones say the new names of what was renamed."""
    nothing = Renaming({})
    waiting: dict[tuple[str, str], list[str]] = {}
    left = {name_of(place) for place in gone}  # what a renamed one may call its parts still
    for place, files in sorted(came.items()):
        waiting.setdefault(_content(new, place, files, nothing, left), []).append(place)
    pairs = {}
    for place, files in sorted(gone.items()):
        found = waiting.get(_content(old, place, files, renaming))
        if found:
            pairs[place] = found.pop(0)
    return pairs


def _only_here(view: View, other: View) -> dict[str, list[str]]:
    """The resources that the other game does not have, with their files."""
    found: dict[str, list[str]] = {}
    for path, place in view.resources().items():
        found.setdefault(place, []).append(path)
    return {
        place: sorted(files)
        for place, files in found.items()
        if "/" in place and not any(path in other.files for path in files)
    }


def _content(
    view: View,
    place: str,
    files: Iterable[str],
    renaming: Renaming,
    names: Set[str] = frozenset(),
) -> tuple[str, str]:
    """What is the same in resources that differ in their names: the folder, and the files."""
    total = hashlib.sha256()
    folder = place.rpartition("/")[0]
    nameless = Renaming({})
    nameless.add(dict.fromkeys(own_names(place), _ITSELF))
    for path in files:
        rest = path[len(place) :]
        data = view.read(path)
        if path.endswith(".json"):
            try:
                value = read_json(data, path)
            except OverhaulError:
                value = data.hex()
            if isinstance(value, dict):
                value = {key: item for key, item in value.items() if key != "name"}
            value = _nameless(renaming.value(value), names | {name_of(place)})
            data = text_of(value).encode("utf-8", "surrogatepass")
        elif not data.strip():
            data = path.encode("utf-8", "surrogatepass")  # nothing is like nothing else
        elif path.endswith(SOURCE):
            text = data.decode("utf-8", "surrogateescape")
            text = nameless.source(renaming.source(text))
            data = text.encode("utf-8", "surrogateescape")
        total.update(f"{rest}\0{len(data)}\0".encode("utf-8", "surrogatepass") + data)
    return folder, total.hexdigest()


def _nameless(value: object, names: Set[str]) -> object:
    """A value of JSON without the names of its own resource, which a sprite's sequence says too."""
    if not isinstance(value, dict):
        return value
    return {
        key: _nameless(item, names)
        for key, item in value.items()
        if not (key == "name" and isinstance(item, str) and item in names)
    }


def moved_path(path: str, renamed: Mapping[str, str]) -> str:
    """The path of a file after renaming."""
    if path in renamed:
        return renamed[path]
    for old, new in renamed.items():
        if path.startswith(old + "/") or without_ending(path) == old:
            return new + path[len(old) :]
    return path
