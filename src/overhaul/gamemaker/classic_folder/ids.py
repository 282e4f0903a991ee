"""``ids.json``: the id of each resource, and what changes of files mean for ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.folder.edits import Edits, likeness
from overhaul.folder.json_fields import expect_list
from overhaul.gamemaker.classic.kinds import AnySlot
from overhaul.gamemaker.classic_folder.kind import (
    JsonObject,
    Reference,
    expect_no_more,
    left_out,
    take,
)
from overhaul.gamemaker.classic_folder.kinds import ID, KINDS, Units, show_resource
from overhaul.gamemaker.classic_folder.names import ResourceFileNames

IDS = "ids.json"
_MAXIMUM_GAP, _MAXIMUM_IDS = 1 << 20, 1 << 22


def show_ids(names: ResourceFileNames) -> JsonObject:
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
        elif type(entry) is int and 0 < entry <= _MAXIMUM_GAP and len(stems) < _MAXIMUM_IDS:
            stems += [None] * entry
        else:
            message = "expected a name that is not listed yet, or a number of gaps"
            raise FormatError(message).within("", index)
    return stems


def new_names(
    files: Edits,
    units: Units,
    before: ResourceFileNames,
    slots: Mapping[str, list[AnySlot]],
    *,
    listed: bool,
) -> ResourceFileNames:
    """The names of the resources that have files now.

    Their ids are those of ids.json (``listed``: it was changed) or else as ``before``, where a
    resource whose files got another name keeps its id; new ones follow.
    """
    names = ResourceFileNames(before.version)
    plain = files.json_object(IDS) if listed else {}
    for kind in slots:
        present = units.stems(kind)
        if listed:
            order = take(plain, kind, _read_ids, [])
        else:
            order = before.stems[kind]
        free = present.difference(stem for stem in order if stem is not None)
        new = _new_stems(files, units, kind, before, slots[kind], present)
        order = [new[stem] if new.get(stem) in free else stem for stem in order]
        if listed:
            _report(files, kind, order, present, before)
        stems = [stem if stem in present else None for stem in order]
        names.put(kind, [*stems, *sorted(present.difference(stems))])
    expect_no_more(plain)
    return names


def _report(
    files: Edits, kind: str, order: list[str | None], present: set[str], before: ResourceFileNames
) -> None:
    """Report names in ids.json that no resource has, and resources that it no longer lists."""
    for stem in order:
        if stem is not None and stem not in present and stem not in before.ids[kind]:
            left_out(files, IDS, f"{kind}: there is no {stem!r}")
    for stem in sorted(present.intersection(before.ids[kind]).difference(order)):
        files.findings.warn(
            "appended", f"{kind}/{stem} is not listed: it gets an id after the others", IDS
        )


#: From which likeness on an added resource is a removed one under another name.
_LIKE = 0.4
#: How many pairs are compared at most.
_PAIRS = 4000


def _new_stems(
    files: Edits,
    units: Units,
    kind: str,
    before: ResourceFileNames,
    slots: list[AnySlot],
    present: set[str],
) -> dict[str | None, str]:
    """The new file names of resources whose files were renamed.

    An added resource is one of those whose files are gone if its files are as they were, if its
    JSON has the id, or else if it is the most like it.
    """
    added = sorted(present.difference(before.ids[kind]))
    gone = {
        index: stem
        for index, (stem, slot) in enumerate(zip(before.stems[kind], slots, strict=True))
        if stem is not None and stem not in present and slot.resource is not None
    }
    new: dict[str | None, str] = {}
    if not added or not gone:
        return new
    old = {index: _shown(kind, gone[index], slots[index], before) for index in gone}
    now = {stem: _ends(units, kind, stem) for stem in added}

    def pair(index: int, stem: str) -> None:
        new[gone.pop(index)] = stem
        added.remove(stem)

    for index in [*gone]:
        same = next((stem for stem in added if _equal(files, kind, old[index], now[stem])), None)
        if same is not None:
            pair(index, same)
    identities = [(_identity(files, kind, stem), stem) for stem in added]
    if len(added) * len(gone) <= _PAIRS:
        bytes_now = {stem: {e: files.bytes(p) for e, p in now[stem].items()} for stem in added}
        bytes_old = {index: {e: made() for e, made in old[index].items()} for index in gone}
        scores = [
            (likeness(bytes_old[index], bytes_now[stem]), index, stem)
            for index in gone
            for stem in added
        ]
        ranked = sorted(scores, key=lambda score: (-score[0], *score[1:]))
        identities += [(index, stem) for score, index, stem in ranked if score >= _LIKE]
    for number, stem in identities:
        if number in gone and stem in added:
            message = f"{kind}/{stem} is {kind}/{gone[number]} under another name, with its id"
            files.findings.warn("renamed", message)
            pair(number, stem)
    return new


def _shown(
    kind: str, stem: str, slot: AnySlot, names: ResourceFileNames
) -> dict[str, Callable[[], bytes]]:
    """The files of a resource by the ends of their paths; several may be compared with it."""
    made = show_resource(kind, stem, slot.resource, slot.name, names) if slot.resource else ()
    return {path.removeprefix(f"{kind}/{stem}"): cache(content) for path, content in made}


def _ends(units: Units, kind: str, stem: str) -> dict[str, str]:
    """The files of a resource in the folder: paths by their ends, pictures last."""
    paths = sorted(units.paths[kind, stem], reverse=True)
    return {path.removeprefix(f"{kind}/{stem}"): path for path in paths}


def _equal(
    files: Edits, kind: str, old: Mapping[str, Callable[[], bytes]], now: Mapping[str, str]
) -> bool:
    if KINDS[kind].has_folders and len(now) != len(old):
        return False
    return all(end in old and files.bytes(path) == old[end]() for end, path in now.items())


def _identity(files: Edits, kind: str, stem: str) -> int | None:
    """The id that the JSON of a resource gives."""
    number = files.json_object(f"{kind}/{stem}{KINDS[kind].json}").get(ID)
    return number if type(number) is int else None


def keep_old_names(before: ResourceFileNames, now: ResourceFileNames) -> set[tuple[str, int]]:
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


def ids_moved(before: ResourceFileNames, now: ResourceFileNames) -> bool:
    """Whether a resource has another id than before: then what refers to it must be read again."""
    return any(
        now.ids[kind].get(stem, index) != index
        for kind, ids in before.ids.items()
        for stem, index in ids.items()
    )


_LISTED = 3  # how many referrers a warning names


def dangling(
    before: ResourceFileNames, now: ResourceFileNames, slots: Mapping[str, list[AnySlot]]
) -> Findings:
    """Warnings about resources that are gone, but that others refer to.

    ``slots`` are those of every kind as they are now.
    """
    kept = {
        (kind, index)
        for kind, kind_slots in slots.items()
        for index, slot in enumerate(kind_slots)
        if slot.resource is not None
    }
    gone = {
        (kind, index): f"{kind}/{stem}"
        for kind, stems in before.stems.items()
        for index, stem in enumerate(stems)
        if stem is not None and (kind, index) not in kept
    }
    if not gone:
        return Findings()
    referrers: dict[Reference, dict[str, None]] = {}
    for kind, kind_slots in slots.items():
        for stem, slot in zip(now.stems[kind], kind_slots, strict=True):
            for reference in KINDS[kind].references(slot.resource) if slot.resource else ():
                if reference in gone:
                    referrers.setdefault(reference, {})[f"{kind}/{stem}"] = None
    findings = Findings()
    for reference, found_in in referrers.items():
        listed = list(found_in)[:_LISTED]
        if len(found_in) > _LISTED:
            listed.append(f"{len(found_in) - _LISTED} more")
        words = " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
        verb = "refers" if len(found_in) == 1 else "refer"
        findings.warn("still-named", f"{gone[reference]} is gone, but {words} {verb} to it")
    return findings
