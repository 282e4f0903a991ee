"""``ids.json``: which resource has which id, and what files that come and go mean for that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from overhaul.errors import FormatError
from overhaul.folder.edits import Edits
from overhaul.folder.jsonkit import expect_list
from overhaul.gamemaker.classic.kinds import AnySlot
from overhaul.gamemaker.classic_folder.files import JsonObject, expect_no_more, left_out, take
from overhaul.gamemaker.classic_folder.kinds import KINDS, Units, show_resource
from overhaul.gamemaker.classic_folder.names import Names

IDS = "ids.json"
_MAXIMUM_GAP, _MAXIMUM_IDS = 1 << 20, 1 << 22


def show_ids(names: Names) -> JsonObject:
    """The file names of each kind by id; a number counts deleted resources."""
    return {kind: list(_entries(stems)) for kind, stems in names.stems.items() if stems}


def _entries(stems: list[str | None]) -> Iterator[str | int]:
    gap = 0
    for stem in stems:
        if stem is None:
            gap += 1
            continue
        if gap:
            yield gap
        gap = 0
        yield stem
    if gap:
        yield gap


def _read_ids(plain: object) -> list[str | None]:
    stems: list[str | None] = []
    seen: set[str] = set()
    for index, entry in enumerate(expect_list(plain)):
        if isinstance(entry, str) and entry not in seen:
            seen.add(entry)
            stems.append(entry)
        elif isinstance(entry, int) and 0 < entry <= _MAXIMUM_GAP and len(stems) < _MAXIMUM_IDS:
            stems += [None] * entry
        else:
            message = "expected a name that is not listed yet, or a number of gaps"
            raise FormatError(message).within("", index)
    return stems


def new_names(
    files: Edits, units: Units, before: Names, slots: Mapping[str, list[AnySlot]], *, listed: bool
) -> Names:
    """The names of the resources that have files now.

    Their ids are those of ids.json (``listed``: it was changed) or else as ``before``, where a
    resource whose files got another name keeps its id; new ones follow.
    """
    names = Names(before.version)
    plain = files.json_object(IDS) if listed else {}
    for kind in slots:
        present = units.stems(kind)
        if listed:
            order = take(plain, kind, _read_ids, [])
            _tell(files, kind, order, present, before)
        else:
            new = _new_stems(files, units, kind, before, slots[kind], present)
            order = [new.get(stem, stem) for stem in before.stems[kind]]
        stems = [stem if stem in present else None for stem in order]
        names.put(kind, [*stems, *sorted(present.difference(stems))])
    expect_no_more(plain)
    return names


def _tell(
    files: Edits, kind: str, order: list[str | None], present: set[str], before: Names
) -> None:
    """Tell of names in ids.json that no resource has, and of resources that it lists no more."""
    for stem in order:
        if stem is not None and stem not in present and stem not in before.ids[kind]:
            left_out(files, IDS, f"{kind}: there is no {stem!r}")
    for stem in sorted(present.intersection(before.ids[kind]).difference(order)):
        files.warnings.append(f"{IDS} does not list {kind}/{stem}: it gets an id behind the others")


def _new_stems(
    files: Edits, units: Units, kind: str, before: Names, slots: list[AnySlot], present: set[str]
) -> dict[str | None, str]:
    """The new file names of resources whose files were renamed and are otherwise as before."""
    added = sorted(present.difference(before.ids[kind]))
    new: dict[str | None, str] = {}
    for stem, slot in zip(before.stems[kind], slots, strict=True):
        if stem is None or stem in present or not added or slot.resource is None:
            continue
        shown = show_resource(kind, stem, slot.resource, slot.name, before)
        old = {  # several may be compared with it
            path.removeprefix(f"{kind}/{stem}"): cache(made) for path, made in shown
        }
        for candidate in added:
            ends = {
                path: path.removeprefix(f"{kind}/{candidate}")
                for path in sorted(units.paths[kind, candidate], reverse=True)  # pictures last
            }
            if KINDS[kind].has_folders and len(ends) != len(old):
                continue
            if all(end in old and files.bytes(path) == old[end]() for path, end in ends.items()):
                new[stem] = candidate
                added.remove(candidate)
                break
    return new


def keep_old_names(before: Names, now: Names) -> set[tuple[str, int]]:
    """Make old file names mean the resources that kept their id but not their name.

    So a file that still refers to one by the old name is understood.  Returns their kinds and ids.
    """
    renamed = set()
    for kind, stems in before.stems.items():
        for index, old in enumerate(stems):
            new = now.stem(kind, index)
            if old is None or new is None or old in now.ids[kind] or new in before.ids[kind]:
                continue
            now.ids[kind][old] = index
            renamed.add((kind, index))
    return renamed


def ids_moved(before: Names, now: Names) -> bool:
    """Whether a resource has another id than before: then what refers to it must be read again."""
    return any(
        now.ids[kind].get(stem, index) != index
        for kind, ids in before.ids.items()
        for stem, index in ids.items()
    )
