"""Make a mod of the difference between a game and a changed one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from overhaul.document.plainfiles import PlainFile
from overhaul.document.registry import folder_format_of
from overhaul.errors import FormatError, OverhaulError
from overhaul.folder.packing import Built
from overhaul.folder.parallel import Progress, tracked
from overhaul.media import png
from overhaul.mods import values
from overhaul.mods.applying import apply_to
from overhaul.mods.building import edited_texts, view_of, with_names
from overhaul.mods.choosing import partly
from overhaul.mods.comparing import both_parts, compare, is_lines, is_of_release, new_order
from overhaul.mods.modfile import Conflict, Copied, MadeFor, Mod, file_digest
from overhaul.mods.naming import note_names
from overhaul.mods.patches import (
    LinePatch,
    Patch,
    ValuePatch,
    WholePatch,
    content_digest,
    pixel_digest,
    read_picture,
    repainted,
    text_lines,
)
from overhaul.mods.renames import find_renamed
from overhaul.mods.values import Op, is_structured, read_value, same
from overhaul.mods.view import CODE, NAME, FileView, Game, assembly_of, opened
from overhaul.sequences import hunks
from overhaul.stretch import same_bytes

#: The most times that a mod is put on its game to find code that must be kept as assembly.
_TRIES = 4
#: Files that a mod names instead of copying if the game has the same content.
_MEDIA = (".png", ".wav", ".ogg", ".mp3", ".mid", ".flac", ".aiff", ".dds", ".bin")


def make(
    original: Game,
    changed: Game,
    *,
    name: str,
    version: str = "1.0",
    authors: Iterable[str] = (),
    description: str = "",
    requires: Iterable[str] = (),
    conflicts: Iterable[str] = (),
    only: Sequence[str] = (),
    check: bool = True,
    progress: Progress | None = None,
) -> Mod:
    """A mod with the changes that make ``changed`` of ``original``, and nothing else of the two.

    With ``only``, globs of paths (``sprites/*``), it has the changes of these alone: what packing
    warns about without the others is in ``findings``.

    With ``check``, it is put on the original: code that does not become what it is in ``changed``
    is kept as assembly, so that the mod does on its own game what it should.  Changes that
    the original can't hold (its release lacks a field, say) are in ``left_out`` of the result.

    Raises FormatError for broken files, WorkspaceError for games of different families.
    """
    with opened(original) as old, opened(changed) as new:
        if only:
            part, findings = partly(old, new, compare(old, new, only=only).changes)
            with part.document:
                mod = difference(old, part, name, check=check, progress=progress)
            mod.findings += findings
        else:
            mod = difference(old, new, name, check=check, progress=progress)
    mod.version, mod.description = version, description
    mod.authors, mod.requires, mod.conflicts = [*authors], [*requires], [*conflicts]
    return mod


def difference(
    old: FileView, new: FileView, name: str, *, check: bool = True, progress: Progress | None = None
) -> Mod:
    """As :func:`make`, of games that are open."""
    if old.document.kind != new.document.kind:
        raise OverhaulError(
            f"one file is {old.document.kind}, the other {new.document.kind}: "
            "a mod is the difference of two builds of one game"
        )
    if folder_format_of(old.document.kind).edited_in_place:
        raise OverhaulError(
            f"a mod can't be put on a {old.document.kind}, which is edited in place: "
            "share its files, or a patch of git"
        )
    mod = Mod(name, made_for(old))
    new.share_analysis(old)
    same = old.same_places(new)
    mod.renamed = find_renamed(old.outside(same), new.outside(same))
    mod.texts = _edited_texts(old, new)
    base = _with_names(mod, old)
    maker = _Maker(mod, base, new)
    maker.fill(progress, same if base is old else base.same_places(new))
    if check:
        maker.check(old)
    note_names(mod, new)
    mod.numbering = new.numbering()
    return mod


def _same_files(made: Built, wanted: Built) -> bool:
    """Whether a game is another byte for byte, with its companions and the texts of its code."""
    return (
        same_bytes(made.content, wanted.content)
        and made.companions == wanted.companions
        and wanted.sources.items() <= made.sources.items()
    )


def _with_names(mod: Mod, old: FileView) -> FileView:
    """The game with the new names of a mod; names that it can't have are removed from the mod."""
    resources = {a: b for a, b in mod.renamed.items() if not a.startswith(CODE)}
    for renamed in (mod.renamed, resources):
        try:
            base = with_names(old, renamed, mod.texts)
            there = {*base.resources().values()} if renamed else set()
            taken = {one: two for one, two in renamed.items() if two in there}
            if taken != renamed:  # other resources have these names in another case
                base = with_names(old, taken, mod.texts)
        except OverhaulError:
            continue
        mod.renamed = taken
        return base
    mod.renamed, mod.texts = {}, {}  # the old ones are removed, and the new ones added
    return old


def made_for(view: FileView) -> MadeFor:
    """The description of the game that a mod is for."""
    document = view.document
    name = (document.source or "").replace("\\", "/").rpartition("/")[2]
    digest = file_digest(view.original()[0])
    return MadeFor(document.kind, name, document.version, digest, view.title())


def _edited_texts(old: FileView, new: FileView) -> dict[str, str]:
    """The edited texts in the table of all texts."""
    path = old.texts()
    if path is None or old.same_texts(new):
        return {}
    return edited_texts(old.read(path), new.read(path))


class _Maker:
    """Fills a mod with the changes from one view to another."""

    def __init__(self, mod: Mod, old: FileView, new: FileView) -> None:
        self.mod = mod
        self.old = old
        self.new = new
        #: pictures and sounds of the game by their size, which are not looked at so far
        self._alike: dict[tuple[int, int] | None, list[str]] | None = None
        #: the removed files, by their digests
        self._copies: dict[str, str] = {}

    def fill(self, progress: Progress | None, same: frozenset[str] = frozenset()) -> None:
        """Compare all files but those at places that are the same."""
        old, new, mod = self.old.outside(same), self.new.outside(same), self.mod
        for path in old.files:
            if path not in new.files and path not in new.derived:
                mod.removed[path] = content_digest(path, old.read(path))
        alike = old.same_sources(old.files, new)
        paths = [path for path in new.files if path not in alike]
        for path in tracked(paths, paths, progress):
            if path == new.texts() or path in old.derived:
                continue
            if path not in old.files:
                self._add(path)
            elif not old.files[path].same(new.files[path]) and not self._change_inside(path):
                self._change(path)
        settings = self._values(NAME, old.settings(), new.settings())
        if settings:
            mod.patches[NAME] = ValuePatch("", "", settings)

    def _change_inside(self, path: str) -> bool:
        """Put the changes of a document in a package into the mod, if it has the same version in
        both."""
        parts = both_parts(self.old, path, self.new, path)
        if parts is None or not same(*(part.settings() for part in parts)):
            return False
        inner = Mod("", self.mod.game)
        _Maker(inner, *parts).fill(None)
        mod = self.mod
        mod.patches |= {f"{path}/{name}": patch for name, patch in inner.patches.items()}
        mod.added |= {f"{path}/{name}": data for name, data in inner.added.items()}
        mod.removed |= {f"{path}/{name}": was for name, was in inner.removed.items()}
        mod.copied |= {
            f"{path}/{name}": copied._replace(of=f"{path}/{copied.of}")
            for name, copied in inner.copied.items()
        }
        return True

    def _add(self, path: str) -> None:
        mod, data = self.mod, self.new.read(path)
        copy = self._copy_of(path, data)
        if copy is not None:
            mod.copied[path] = Copied(copy, content_digest(path, data))
            return
        mod.added[path] = data
        if path in self.new.assembly and not self.new.files[path].is_exact:
            mod.added[assembly_of(path)] = self.new.assembly[path].read()

    def _copy_of(self, path: str, data: bytes) -> str | None:
        """The file of the game that a picture or sound is a copy of."""
        if not path.endswith(_MEDIA):
            return None
        if self._alike is None:
            self._alike = {}
            for known, file in self.old.files.items():
                if known.endswith(_MEDIA):
                    self._alike.setdefault(file.dimensions(), []).append(known)
        # a picture of another size is not a copy, and need not be decoded
        for size in (None, _size(path, data)):
            for known in self._alike.pop(size, ()):
                self._copies.setdefault(_digest(self.old.files[known]), known)
        return self._copies.get(content_digest(path, data))

    def check(self, original: FileView) -> None:
        """Put the mod on its game, and keep as assembly the code that differs then."""
        for _ in range(_TRIES):
            result = apply_to(original, [self.mod], accept_renumbering=True)
            wrong = {conflict.path for conflict in result.conflicts} & self._sources()
            made = original
            if not result.conflicts:
                if _same_files(result.built(), self.new.as_it_is()):
                    self.mod.left_out = []
                    break
                made = view_of(result.built(), "")
                made.share_analysis(self.new)
                wrong = {
                    path
                    for path in self._sources()
                    if path in made.files and not made.files[path].same(self.new.files[path])
                }
            self.mod.left_out = result.conflicts
            for path in sorted(wrong):
                self._keep_assembly(path)
            if not wrong:
                if result.conflicts:
                    break
                self.mod.left_out = self._left(made)
                if not self._keep(conflict.path for conflict in self.mod.left_out):
                    break

    def _keep(self, paths: Iterable[str]) -> bool:
        """Keep files that are the same in both games, where packing recomputes them from files that
        the mod changes (a sprite's mask from its margins).  Returns whether there are any."""
        kept = False
        for path in paths:
            if path in self.mod.patches or path not in self.old.files or path not in self.new.files:
                continue
            data = self.new.read(path)
            if data == self.old.read(path):
                digest = content_digest(path, data)
                self.mod.patches[path] = WholePatch(digest, digest, data)
                kept = True
        return kept

    def _left(self, made: FileView) -> list[Conflict]:
        """Differences that remain between the game that the mod makes and the changed one, except
        for values of a release."""
        words = {"added": "it is not removed", "removed": "it can't be added"}
        return [
            Conflict(
                change.path,
                words.get(change.kind, "it can't be set: packing recomputes it from other values"),
            )
            for change in compare(self.new, made).changes
            if not is_of_release(self.new, change)
        ]

    def _sources(self) -> set[str]:
        """The sources that the mod changes or adds, and that have assembly."""
        paths = {*self.mod.patches, *self.mod.added}
        return {
            path
            for path in paths
            if path in self.new.assembly and assembly_of(path) not in self.mod.added
        }

    def _keep_assembly(self, path: str) -> None:
        assembly = assembly_of(path)
        after = self.new.assembly[path].read()
        if path in self.mod.added:
            self.mod.added[assembly] = after
        else:
            del self.mod.patches[path]
            patch = self._patch(assembly, self.old.assembly[path].read(), after)
            if isinstance(patch, LinePatch):
                self.mod.patches[assembly] = patch

    def _change(self, path: str) -> None:
        before, after = self.old.read(path), self.new.read(path)
        is_code = path in self.new.assembly and path in self.old.assembly
        if is_code and (before == after or not self.new.files[path].is_exact):
            before, after = (view.assembly[path].read() for view in (self.old, self.new))
            path = assembly_of(path)
        patch = self._patch(path, before, after)
        if isinstance(patch, str):
            digests = (content_digest(path, data) for data in (after, before))
            self.mod.copied[path] = Copied(patch, *digests)
        elif patch is not None:
            self.mod.patches[path] = patch

    def _values(self, path: str, before: object, after: object) -> list[Op]:
        """The changes of JSON, without values of the game's release."""
        ops = values.compare(before, after)
        return [op for op in ops if not any(self.old.fixed(path, step) for step in op.at[:2])]

    def _patch(self, path: str, before: bytes, after: bytes) -> Patch | str | None:
        """The patch of a file; the path of one that it is a copy of; None for no difference."""
        was, now = content_digest(path, before), content_digest(path, after)
        if was == now and not self.old.keys_ordered(path):
            return None
        if is_structured(path):
            try:
                first = self.old.without(path, read_value(path, before))
                second = self.new.without(path, read_value(path, after))
            except OverhaulError:
                return WholePatch(was, now, after)
            ops = new_order(self.new, path, first, second)
            if ops is None:
                ops = self._values(path, first, second)
                ops += values.compare_keys(first, second) if self.old.keys_ordered(path) else ()
            return ValuePatch(was, now, ops) if ops else None
        if is_lines(path):
            return LinePatch(was, now, hunks(text_lines(before), text_lines(after)))
        if path.endswith(".png"):
            try:
                (one, colours), (two, others) = read_picture(before), read_picture(after)
            except OverhaulError:
                return WholePatch(was, now, after)
            part = repainted(was, now, one, two) if colours == others else None
            if part is not None:
                return part
        copy = self._copy_of(path, after)
        return WholePatch(was, now, after) if copy is None else copy


def _size(path: str, data: bytes) -> tuple[int, int] | None:
    """The size of a PNG file; None for another file, or a broken one."""
    try:
        return png.size(data) if path.endswith(".png") else None
    except FormatError:
        return None


def _digest(file: PlainFile) -> str:
    """The digest of a file; a picture is not encoded for it."""
    pixels = file.pixels()
    if isinstance(pixels, np.ndarray):
        return pixel_digest(pixels)
    return content_digest(file.path, file.read())
