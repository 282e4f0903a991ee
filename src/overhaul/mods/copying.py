"""Copy resources from one game into another, and merge two changed builds of one game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from overhaul.document.names import escape_name, unescape_name
from overhaul.document.plainfiles import matches_any
from overhaul.errors import WorkspaceError
from overhaul.findings import Findings
from overhaul.mods.applying import Applied, apply, apply_to
from overhaul.mods.making import made_for, make
from overhaul.mods.modfile import Mod
from overhaul.mods.renames import moved_path
from overhaul.mods.renaming import Renaming, code_of, name_of
from overhaul.mods.view import ASSEMBLY, CODE, SOURCE, FileView, Game, fitted, opened

_WORD = re.compile(r"[A-Za-z_]\w*")
_FUNCTION = re.compile(r"^function\s+([A-Za-z_]\w*)", re.MULTILINE)
_TEXTS = (SOURCE, ".json", ".asc", ".ash", ".ads", ASSEMBLY)
#: How names of code begin; behind it, a script's own name.
_SCRIPTS = ("gml_GlobalScript_", "gml_Script_")


def copy(
    source: Game,
    patterns: str | Sequence[str],
    into: Game,
    *,
    with_dependencies: bool = False,
    rename: Mapping[str, str] | None = None,
) -> Applied:
    """The game ``into`` with resources of another game of the same family.

    ``patterns``: globs of plain files or their resources (``sprites/spr_hero``); objects bring
    their code. With ``with_dependencies``, so do all resources that these name, and so on;
    resources that ``into`` has already are not replaced, but reported in ``findings``. Requested
    resources whose names are taken are conflicts; ``rename`` gives them other names, by their
    present ones. A resource of a game of another version is converted; parts that this leaves out
    are reported.

    Raises FormatError for broken games, WorkspaceError if nothing matches, or has a name to change,
    and for a game of another family, or of a version that can't be converted.
    """
    wanted = [patterns] if isinstance(patterns, str) else list(patterns)
    with opened(source) as given, opened(into) as target:
        mod, findings = gathered(
            given, target, wanted, with_dependencies=with_dependencies, rename=rename
        )
        result = apply_to(target, [mod])
    return result._replace(findings=Findings([*findings, *result.findings]))


def gathered(
    given: FileView,
    target: FileView,
    patterns: Sequence[str],
    *,
    with_dependencies: bool = False,
    rename: Mapping[str, str] | None = None,
) -> tuple[Mod, Findings]:
    """The files that :func:`copy` puts into a game, as a mod of that, and warnings; games are
    open."""
    view, findings = _as_in(given, target)
    chosen = _chosen(view, patterns)
    kept = Findings()
    brought = _brought(view, chosen, everything=with_dependencies)
    renamed = _renamed(brought, rename or {})
    taken = set(target.resources().values())
    for unit in brought - chosen:
        if renamed.get(unit, unit) in taken:
            brought.discard(unit)
            kept.warn("duplicate", "it is not copied: the game has one of this name", unit)
    renaming = Renaming(renamed, places=view.resources().values() if renamed else ())
    mod = Mod(", ".join(patterns), made_for(target))
    left_out = Findings()
    for path, unit in view.resources().items():
        if unit in brought:
            now = moved_path(path, {unit: renamed[unit]}) if unit in renamed else path
            data = renaming.file(path, _adapted(view, path, target))
            mod.added[now], lost = fitted(target, now, data)
            left_out += lost
            if path in view.assembly and not view.files[path].is_exact:
                mod.added[now.removesuffix(SOURCE) + ASSEMBLY] = view.assembly[path].read()
    names = [name_of(unit) for unit in brought]
    said = [each for each in findings if each.path.partition(" ")[2] in names]
    return mod, Findings([*said, *left_out, *sorted(kept, key=str)])


def with_its_code(view: FileView, unit: str) -> set[str]:
    """A resource (the path of its folder, or of its files without their ending), and the code that
    its files name."""
    return _brought(view, [unit], everything=False)


def _as_in(view: FileView, target: FileView) -> tuple[FileView, Findings]:
    """The source as a game of the target's version, and warnings.

    Raises WorkspaceError for a game of another family, and for one that can't be converted.
    """
    source, into = view.document, target.document
    if source.kind != into.kind:
        raise WorkspaceError(
            f"resources of {source.source} ({source.kind}) can't go into {into.source} "
            f"({into.kind}): copy between files of one kind"
        )
    document, findings = view.format.versions.as_in(source, into)
    return (view if document is source else FileView(document)), findings


def _adapted(view: FileView, path: str, target: FileView) -> bytes:
    """A file in the form of the game that it is copied to."""
    return view.format.versions.adapted(path, view.read, view.document, target.document)


def _renamed(brought: Iterable[str], rename: Mapping[str, str]) -> dict[str, str]:
    """The new paths of renamed resources, with their code.

    Raises WorkspaceError for a name that none of them has.
    """
    places: dict[str, str] = {}
    left = dict(rename)
    for unit in sorted(brought):
        kind, slash, _ = unit.rpartition("/")
        name = name_of(unit)
        if name in rename and not unit.startswith(CODE):
            left.pop(name, None)
            places[unit] = f"{kind}{slash}{escape_name(rename[name])}"
    if left:
        raise WorkspaceError(f"nothing that is copied is named {min(left)!r}")
    heads = [(code_of(old), code_of(new)) for old, new in places.items() if code_of(old)]
    for unit in brought:
        for old, new in heads:
            if unit.startswith(old):
                places[unit] = new + unit[len(old) :]
    return places


def _chosen(view: FileView, patterns: Sequence[str]) -> set[str]:
    """The resources that match the patterns."""
    units = view.resources()
    chosen = {
        unit
        for path, unit in units.items()
        if "/" in unit and (matches_any(path, patterns) or matches_any(unit, patterns))
    }
    if not chosen:
        raise WorkspaceError(f"nothing matches {' or '.join(patterns)}")
    return chosen


def _brought(view: FileView, chosen: Iterable[str], *, everything: bool) -> set[str]:
    """Resources with what they name: only their code, or everything."""
    files: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for path, unit in view.resources().items():
        files.setdefault(unit, []).append(path)
        if "/" in unit:
            names.setdefault(unescape_name(unit.rpartition("/")[2]), unit)
    if everything:
        names = dict(_functions(view, names)) | names
    brought = set(chosen)
    waiting = sorted(brought)
    while waiting:
        unit = waiting.pop()
        for name in _names_in(view, files.get(unit, ())):
            other = names.get(name)
            if other is None or other in brought:
                continue
            if everything or (other.startswith(CODE) and not unit.startswith(CODE)):
                brought.add(other)
                waiting.append(other)
    return brought


def _functions(view: FileView, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The functions of scripts, with the code that has them."""
    for name, unit in names.items():
        if unit.startswith(CODE) and name.startswith(_SCRIPTS):
            yield next(name.removeprefix(p) for p in _SCRIPTS if name.startswith(p)), unit
            text = view.read(unit + SOURCE).decode("utf-8", "replace")
            for function in _FUNCTION.findall(text):
                yield function, unit


def _names_in(view: FileView, paths: Iterable[str]) -> Iterator[str]:
    """The names that files mention: words of code, texts and keys in JSON."""
    for path in paths:
        if path.endswith(_TEXTS):
            text = view.read(path).decode("utf-8", "replace")
            if path.endswith(".json"):
                yield from _texts_in(json.loads(text))
            else:
                yield from _WORD.findall(text)


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts_in(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key.partition("_")[2]
            yield from _texts_in(item)


def merge(
    base: Game,
    ours: Game,
    theirs: Game,
    *,
    prefer: Iterable[str] = (),
    report: Callable[[str], object] = lambda name: None,
) -> Applied:
    """Merge the changes of two people to a game: a three-way merge by name.

    ``prefer``: ``"ours"`` or ``"theirs"`` counts in conflicts.  ``report`` is called with the name
    of each side before it is compared.
    """
    made = []
    for name, game in (("ours", ours), ("theirs", theirs)):
        report(name)
        made.append(make(base, game, name=name))
    return apply(base, made, prefer=prefer)
