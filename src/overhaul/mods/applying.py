"""Put mods on a game: a merge by name of the game and all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from overhaul.document.plainfiles import PackOptions
from overhaul.document.protocol import Buffer, Siblings
from overhaul.errors import OverhaulError, PlainFileError, RenumberingError, SourceError
from overhaul.findings import Findings, warning
from overhaul.folder.json_fields import json_bytes, read_json
from overhaul.folder.packing import Built
from overhaul.folder.paths import scan
from overhaul.mods.building import read_texts, rebuild, view_of, with_names
from overhaul.mods.filemerge import FileMerge
from overhaul.mods.merging import merge
from overhaul.mods.modfile import Conflict, MadeFor, Mod, file_digest, load
from overhaul.mods.naming import misnamed, renumbered
from overhaul.mods.preferring import keep_names, left_out
from overhaul.mods.renames import moved_path
from overhaul.mods.renaming import Renaming, code_of
from overhaul.mods.values import Op, same
from overhaul.mods.view import NAME, SOURCE, FileView, Game, fitted, opened, without_ending


class Applied(NamedTuple):
    """The result of putting mods on a game.

    ``content`` is the file (mapped where it is large; ``data`` are its bytes), ``companions`` its
    companion files, by name; both are empty if there are ``conflicts``.  ``changed`` are the plain
    files that differ now.  ``sources`` are texts of scripts that the game does not keep, by their
    paths; ``findings`` are about what has no effect. ``around`` are all files next to the game,
    where those are more than its companions.
    """

    content: Buffer
    companions: Mapping[str, bytes]
    conflicts: list[Conflict]
    changed: list[str]
    findings: Findings
    sources: Mapping[str, bytes] = MappingProxyType({})
    around: Siblings | None = None

    @property
    def warnings(self) -> list[str]:
        """The findings as texts."""
        return self.findings.texts()

    @property
    def data(self) -> bytes:
        """The file, read into memory where it is mapped."""
        return bytes(self.content)

    def built(self) -> Built:
        """The game, as packing gives it."""
        made = Built(self.content, self.companions, {}, Findings(), self.sources)
        return made._replace(around=self.around)

    def to_json(self) -> dict[str, object]:
        """The result without the bytes, as values of JSON."""
        return {
            "size": len(self.content),
            "companions": sorted(self.companions),
            "conflicts": [conflict.to_json() for conflict in self.conflicts],
            "changed": list(self.changed),
            "warnings": self.warnings,
            "findings": self.findings.to_json(),
        }


def apply(
    game: Game,
    mods: Iterable[Mod | str | os.PathLike[str] | bytes],
    *,
    prefer: Iterable[str] = (),
    resolve: Mapping[str, bytes | None] | None = None,
    accept_renumbering: bool = False,
) -> Applied:
    """Put mods on a game, by name; their order makes no difference.

    ``mods`` are mods, or files of them.
    Two mods that change the same in different ways are in conflict, and so is a mod that expects
    something else than the game has.
    ``prefer``: the names of mods whose changes count where others disagree.  ``resolve``: plain
    files to use as they are (None: remove), by the paths that conflicts name.

    Numbers in code that may stand for a resource which has another number in the game are
    conflicts, as nothing shows what they mean; with ``accept_renumbering`` they are warnings.
    Nothing is in doubt where a mod makes of its own game the numbers that its maker's build has.

    Raises FormatError for a broken game or mod, OSError for a file that can't be read, ValueError
    for a preferred mod that is not given.
    """
    given = [mod if isinstance(mod, Mod) else load(mod) for mod in mods]
    prefer = list(prefer)
    unknown = {*prefer} - {mod.name for mod in given}
    if unknown:
        raise ValueError(f"there is no mod {min(unknown)!r} among those given")
    with opened(game) as view:
        return apply_to(
            view, given, prefer=prefer, resolve=resolve, accept_renumbering=accept_renumbering
        )


def resolutions(folder: str | os.PathLike[str]) -> dict[str, bytes | None]:
    """The plain files in a folder, which replace files in conflict."""
    root = os.fspath(folder)
    files: dict[str, bytes | None] = {}
    for path in scan(root):
        with open(os.path.join(root, path), "rb") as file:
            files[path] = file.read()
    return files


def apply_to(
    view: FileView,
    mods: Sequence[Mod],
    *,
    prefer: Iterable[str] = (),
    resolve: Mapping[str, bytes | None] | None = None,
    partial: bool = False,
    accept_renumbering: bool = False,
) -> Applied:
    """As :func:`apply`, on a game that is open.

    With ``partial``, changes without conflicts are put in, and the game is made.
    """
    application = _Application(view, mods, frozenset(prefer), resolve or {})
    application.partial = partial
    application.options = PackOptions(accept_renumbering=accept_renumbering, remove_all_code=True)
    return application.run()


class _Application:
    def __init__(
        self,
        view: FileView,
        mods: Sequence[Mod],
        prefer: frozenset[str],
        resolve: Mapping[str, bytes | None],
    ) -> None:
        self.view = view
        # Sorted, so that the order of the arguments makes no difference.
        self.mods = sorted(mods, key=lambda mod: file_digest(mod.to_bytes()))
        self.names = [mod.name for mod in self.mods]
        self.prefer = prefer
        self.preferred = frozenset(i for i, name in enumerate(self.names) if name in prefer)
        self.resolve = dict(resolve)
        self.partial = False
        self.options = PackOptions(remove_all_code=True)
        self.conflicts: list[Conflict] = []
        #: the parts that files of mods for other versions lose
        self.lost: Findings = Findings()

    def run(self) -> Applied:
        """Merge, and build the game."""
        self._check_mods()
        renamed, texts = self._renamed(), self._texts()
        view = self.view
        if self.conflicts and not self.partial:
            return self._refused()
        try:
            view = with_names(view, renamed, texts)
            changed, settings = self._merge(view, renamed, texts)
            if self.conflicts and not self.partial:
                return self._refused()
            built = self._build(view, changed, settings, renamed)
        except OverhaulError as error:
            return self._refused(_of_error(error))
        if self.conflicts and not self.partial:
            return self._refused()
        touched = sorted({*changed, *renamed.values()})
        conflicts = self._in_order(self.conflicts)
        findings = Findings(warning("unlike", f"{name}: {text}") for name, text in self._strange())
        findings += self.lost
        findings += built.findings
        made = built.content, built.companions, conflicts, touched, findings
        return Applied(*made, built.sources, built.around)

    def _build(
        self,
        view: FileView,
        changed: dict[str, bytes | None],
        settings: Mapping[str, object],
        renamed: Mapping[str, str],
    ) -> Built:
        """The game with the changed files; without those that can't be put in, with ``partial``."""
        if not changed and not settings:
            return view.as_it_is()
        while True:
            try:
                built = self._rebuild(view, changed, settings)
            except OverhaulError as error:
                wrong = _of_error(error)
                if not self.partial or wrong.path not in changed:
                    raise
                self.conflicts.append(wrong)
                del changed[wrong.path]
                continue
            misplaced = self._misplaced(built, renamed, changed)
            gone = [conflict for conflict in misplaced if not conflict.is_doubt]
            paths = {conflict.path for conflict in gone} & changed.keys()
            self.conflicts += misplaced if not self.partial or not paths else gone
            if not self.partial or not paths:
                return built
            for path in paths:
                del changed[path]

    def _rebuild(
        self, view: FileView, changed: Mapping[str, bytes | None], settings: Mapping[str, object]
    ) -> Built:
        """The game with the changed files.

        The code of a mod's own game has the numbers that it has in the build of the mod's maker,
        but for those that the mod changes. If resources get the numbers of that build, no other
        number can name one of them. With ``partial``, numbers in doubt do not change.
        """
        try:
            return rebuild(view, changed, settings, self.options)
        except RenumberingError as error:
            known = self._known()
            accepting = PackOptions(accept_renumbering=True, remove_all_code=True)
            if known:
                built = rebuild(view, changed, settings, accepting)
                if view_of(built, "").numbering() in known:
                    return _without_doubts(built, error)
            if not self.partial:
                raise
            self.conflicts.append(_of_error(error))
            return _without_doubts(rebuild(view, changed, settings, accepting), error)

    def _known(self) -> set[str]:
        """The numberings of the games that mods for this very game make of it."""
        here = file_digest(self.view.original()[0])
        return {mod.numbering for mod in self.mods if mod.game.sha256 == here} - {""}

    def _misplaced(
        self, built: Built, renamed: Mapping[str, str], changed: Mapping[str, object]
    ) -> list[Conflict]:
        """Names in the mods' changed code that the game lacks, or that have another number."""
        naming = [mod for mod in self.mods if mod.names or mod.numbers or mod.own_numbers]
        if not naming:
            return []
        made = view_of(built, "")
        conflicts: list[Conflict] = []
        for mod in naming:
            names = self._names_for(mod, renamed)
            missing, moved = (
                [
                    named
                    for conflict in check(mod, made, Renaming(names))
                    if (named := replace(conflict, path=moved_path(conflict.path, names))).path
                    in changed
                    and named.path not in self.resolve
                ]
                for check in (misnamed, renumbered)
            )
            conflicts += missing
            if not moved or made.numbering() in self._known():
                continue
            if self.options.accept_renumbering:
                built.findings.extend(warning("renumbered", str(conflict)) for conflict in moved)
            else:
                conflicts += moved
        return conflicts

    def _refused(self, *more: Conflict) -> Applied:
        strange = [Conflict("", text, [name]) for name, text in self._strange()]
        return Applied(
            b"", {}, [*strange, *self._in_order([*self.conflicts, *more])], [], Findings()
        )

    def _strange(self) -> Iterator[tuple[str, str]]:
        """Messages about mods that are for another game."""
        here = MadeFor(self.view.document.kind, version=self.view.document.version)
        here = here._replace(title=self.view.title())
        for mod in self.mods:
            text = mod.game.differs_from(here)
            if text:
                yield mod.name, text

    @staticmethod
    def _in_order(conflicts: Sequence[Conflict]) -> list[Conflict]:
        return sorted(conflicts, key=lambda c: (c.path, c.line, c.place, c.reason))

    # -- which mods, which names ------------------------------------------------------------------

    def _check_mods(self) -> None:
        """Report mods for another kind of file, without a mod they require, or with one they
        exclude."""
        kind = self.view.document.kind
        for mod in self.mods:
            if mod and mod.game.kind != kind:
                reason = f"the mod is for {mod.game.kind}, the game is {kind}"
                self.conflicts.append(Conflict("", reason, [mod.name]))
            for name in mod.requires:
                if name not in self.names:
                    reason = f"the mod needs {name!r}, which is not among those given"
                    self.conflicts.append(Conflict("", reason, [mod.name]))
            for name in mod.conflicts:
                if name in self.names and name != mod.name:
                    reason = f"the mod says that it does not go with {name!r}"
                    self.conflicts.append(Conflict("", reason, [mod.name, name]))

    def _renamed(self) -> dict[str, str]:
        """The resources that mods rename and the game has."""
        if not any(mod.renamed for mod in self.mods):
            return {}
        places = set(self.view.resources().values())
        renamed: dict[str, str] = {}
        by: dict[str, str] = {}
        for mod in self.mods:
            for old, new in mod.renamed.items():
                if old not in places:
                    if new not in places:
                        reason = f"it is not there, to be called {new}"
                        self.conflicts.append(Conflict(old, reason, [mod.name]))
                elif new in places:
                    reason = f"it is there already, and {old} would be called so"
                    self.conflicts.append(Conflict(new, reason, [mod.name]))
                elif renamed.get(old, new) != new and self._recomputed(by[old], mod.name):
                    if mod.name in self.prefer:
                        renamed[old], by[old] = new, mod.name
                elif renamed.get(old, new) != new:
                    reason = "it is renamed by both"
                    self.conflicts.append(
                        Conflict(old, reason, [by[old], mod.name], ours=renamed[old], theirs=new)
                    )
                elif new in renamed.values() and renamed.get(old) != new:
                    reason = "two resources would be called so"
                    self.conflicts.append(Conflict(new, reason, [mod.name]))
                else:
                    renamed[old], by[old] = new, mod.name
        return renamed

    def _recomputed(self, first: str, second: str) -> bool:
        """Whether one of two mods is preferred to the other."""
        return (first in self.prefer) != (second in self.prefer)

    def _texts(self) -> dict[str, str]:
        """The texts that mods edit and the game has."""
        path = self.view.texts() if any(mod.texts for mod in self.mods) else None
        if path is None:
            return {}
        rows = [row.text for row in read_texts(self.view.read(path)) if not row.kind]
        merged, clashes = merge(
            {text: text for text in rows},
            [
                (owner, [Op("set", (text,), text, new) for text, new in mod.texts.items()])
                for owner, mod in enumerate(self.mods)
            ],
            preferred=self.preferred,
        )
        for clash in clashes:
            is_done = len(clash.owners) == 1 and clash.theirs in rows
            if not is_done:
                conflict = Conflict(
                    path,
                    clash.reason,
                    [],
                    clash.key,
                    0,
                    clash.ours,
                    clash.theirs,
                    clash.owners,
                )
                self.conflicts.append(conflict.named(self.names))
        texts = merged.items() if isinstance(merged, dict) else ()
        return {text: new for text, new in texts if isinstance(new, str) and text != new}

    # -- files ------------------------------------------------------------------------------------

    def _merge(
        self, view: FileView, renamed: Mapping[str, str], texts: Mapping[str, str]
    ) -> tuple[dict[str, bytes | None], dict[str, object]]:
        """The files that differ from the game's, and the settings that do."""
        names = [self._names_for(mod, renamed) for mod in self.mods]
        places = {*view.resources().values()} if renamed else set()
        renamings = [
            Renaming(known, {old: texts[old] for old in texts if old not in mod.texts}, places)
            for mod, known in zip(self.mods, names, strict=True)
        ]
        files: dict[str, FileMerge] = {}

        def merge_of(path: str, owner: int) -> FileMerge:
            path = moved_path(path, names[owner])
            if path not in files:
                files[path] = FileMerge(path, view, self.preferred, renamings)
            return files[path]

        left = left_out(view, self.mods, names, self.preferred)
        for owner, mod in enumerate(self.mods):
            done, kept = left[owner].paths, left[owner].names
            for path, digest in mod.removed.items():
                if path not in done:
                    merge_of(path, owner).remove(owner, digest)
            for path, data in mod.added.items():
                if path not in done:
                    if mod.game.version != view.document.version:
                        data, lost = fitted(view, path, data)
                        self.lost += [
                            each.replaced(message=f"{each.message} (mod {mod.name})")
                            for each in lost
                        ]
                    merge_of(path, owner).add(owner, data)
            for path, copied in mod.copied.items():
                if path not in done:
                    of = moved_path(copied.of, names[owner])
                    merge_of(path, owner).copy(owner, copied._replace(of=of))
            for path, patch in mod.patches.items():
                if path != NAME and path not in done:
                    merging = merge_of(path, owner)
                    merging.patch(owner, keep_names(patch, kept, merging.path, view))
        changed: dict[str, bytes | None] = {}
        for path, merging in sorted(files.items()):
            if path in self.resolve:
                continue
            result = merging.result()
            self.conflicts += [conflict.named(self.names) for conflict in merging.conflicts]
            if result is not None and (self.partial or not merging.conflicts):
                changed[path] = result.data
        self._report_replaced(view, changed)
        self._recompute_lists(view, changed)
        for path, given in self.resolve.items():
            if given is not None or path in view:
                changed[path] = given
        return changed, self._settings(view)

    def _report_replaced(self, view: FileView, changed: dict[str, bytes | None]) -> None:
        """Documents in the game that one mod replaces as a whole, and another one changes."""
        inside: dict[str, set[str]] = {}
        for path in list(changed):
            head, _ = view.part_of(path)
            if head in changed:
                inside.setdefault(head, set()).add(path)
        for head, paths in inside.items():
            for known in paths:
                del changed[known]
            names = [mod.name for mod in self.mods if {head, *paths} & {*mod.paths()}]
            what = "removed" if changed[head] is None else "replaced"
            self.conflicts.append(
                Conflict(head, f"it is {what} by one and changed by another", names)
            )

    def _names_for(self, mod: Mod, renamed: Mapping[str, str]) -> dict[str, str]:
        """The new names that a mod does not know: those that other mods give."""
        names = {old: new for old, new in renamed.items() if old not in mod.renamed}
        for old, new in mod.renamed.items():
            if renamed.get(old, new) != new:  # another mod is preferred
                names[new] = renamed[old]
        for place in {without_ending(path) for path in mod.added}:  # code of renamed objects
            for old, new in [*names.items()]:
                head, now = (code_of(side) for side in (old, new))
                if head and place.startswith(head) and f"{place}{SOURCE}" not in self.view:
                    names[place] = now + place[len(head) :]
        return names

    def _recompute_lists(self, view: FileView, changed: dict[str, bytes | None]) -> None:
        """Leave derived values out of edited JSON."""
        for path, data in changed.items():
            if data is not None and path.endswith(".json") and path in view:
                value = read_json(data, path)
                recomputed = view.without(path, value, changed.keys())
                if not same(value, recomputed):
                    changed[path] = json_bytes(recomputed)

    def _settings(self, view: FileView) -> dict[str, object]:
        """The settings that mods change; empty if none does."""
        patches = [
            (owner, mod.patches[NAME]) for owner, mod in enumerate(self.mods) if NAME in mod.patches
        ]
        if not patches:
            return {}
        merging = FileMerge(NAME, view, self.preferred, [Renaming({})] * len(self.mods))
        for owner, patch in patches:
            merging.patch(owner, patch)
        before = view.settings()
        settings = merging.value(before)
        self.conflicts += [conflict.named(self.names) for conflict in merging.conflicts]
        return settings if isinstance(settings, dict) and settings != before else {}


def _without_doubts(built: Built, error: RenumberingError) -> Built:
    """A game without the warnings that an error stands for."""
    said = [each.replaced(severity="warning") for each in error.findings]
    return built._replace(findings=built.findings.without(said))


def _of_error(error: OverhaulError) -> Conflict:
    """An error of building the game as a conflict."""
    if isinstance(error, PlainFileError):
        return Conflict(error.file, error.message, [], place=error.key, line=error.line)
    if isinstance(error, SourceError):
        return Conflict(error.name, error.message, [], line=error.line)
    return Conflict("", str(error), [], is_doubt=isinstance(error, RenumberingError))
