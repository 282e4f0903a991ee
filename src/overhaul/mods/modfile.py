"""A mod: its description, its changes, and the zip file that has both; conflicts of mods.

In the zip are ``mod.toml``, ``index.json`` (the digests of the files before and after, names of
renamed and removed resources), and the changes: ``changes/PATH.diff`` for lines,
``changes/PATH`` for fields of JSON, ``parts/PATH`` for repainted parts of pictures (with
``parts/PATH.mask.png`` where not all of the part is), ``files/PATH`` for whole files.
"""

from __future__ import annotations

import hashlib
import io
import os
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from overhaul.bounds import Budget
from overhaul.document.archives import ZipMembers
from overhaul.document.files import write_file
from overhaul.document.names import is_safe_component
from overhaul.errors import FormatError, OverhaulError
from overhaul.findings import Findings
from overhaul.folder.json_fields import (
    at_key,
    expect_integer,
    expect_object,
    expect_text,
    expect_texts,
    json_bytes,
    read_json,
    rows,
)
from overhaul.folder.toml import write as write_toml
from overhaul.mods.patches import (
    LinePatch,
    Patch,
    PicturePatch,
    ValuePatch,
    WholePatch,
    content_digest,
    read_hunks,
    read_ops,
    show_ops,
    write_hunks,
)
from overhaul.mods.values import NOTHING
from overhaul.stretch import feed

#: the version of mod files
FORMAT = 1
#: the file with the description
TOML = "mod.toml"
#: the file with the digests and names
INDEX = "index.json"
_CHANGES, _PARTS, _FILES = "changes/", "parts/", "files/"
_DIFF, _MASK = ".diff", ".mask.png"
#: the files that file browsers of macOS and Windows put into folders and zip files
_OF_MACOS = "__MACOSX"
_OF_SYSTEMS = frozenset((".DS_Store", "Thumbs.db", "desktop.ini"))
#: the date of all files in the zip: the earliest that there can be
_DATE = (1980, 1, 1, 0, 0, 0)


# -- conflicts -------------------------------------------------------------------------------------

#: The name of the other side where a mod disagrees with the game.
GAME = "the game"


@dataclass(frozen=True)
class Conflict:
    """A change that can't be put in, or two that disagree.

    ``path`` is the plain file ("" for the game as a whole), ``place`` the key in it, ``line`` the
    line (from 1; 0: none).  ``mods`` are the names of the mods concerned, the game at hand is the
    other side where there is one.  ``ours`` and ``theirs`` are the two sides (a text, or a value of
    JSON; NOTHING where a side has none).  ``reason`` says why; ``owners`` are the numbers of the
    mods whose sides these are.  ``is_doubt``: numbers in code may mean something else, which can be
    accepted.
    """

    path: str
    reason: str
    mods: list[str] = field(default_factory=list)
    place: str = ""
    line: int = 0
    ours: object = NOTHING
    theirs: object = NOTHING
    owners: tuple[int, ...] = ()
    is_doubt: bool = False

    def named(self, names: Sequence[str]) -> Conflict:
        """With the names of the mods whose indices are its owners."""
        return replace(self, mods=[names[owner] for owner in self.owners])

    def to_json(self) -> dict[str, object]:
        """The conflict as values of JSON."""
        shown: dict[str, object] = {"path": self.path, "reason": self.reason, "mods": self.mods}
        shown |= {"place": self.place} if self.place else {}
        shown |= {"line": self.line} if self.line else {}
        sides = [{"of": of, "value": value} for of, value in self._both()]
        return shown | ({"sides": sides} if sides else {})

    def sides(self) -> list[tuple[str, str]]:
        """The sides in words: the owner (a mod's name, or "the game") and its value."""
        return [(of, str(value)) for of, value in self._both()]

    def _both(self) -> list[tuple[str, object]]:
        names = self.mods if len(self.mods) > 1 else [GAME, *self.mods, ""]
        both = zip(names, (self.ours, self.theirs), strict=False)
        return [(of, value) for of, value in both if value is not NOTHING]

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        by = " and ".join(self.mods)
        return ": ".join(filter(None, (where, self.place, self.reason))) + (
            f" ({by})" if by else ""
        )


# -- mods ------------------------------------------------------------------------------------------


class MadeFor(NamedTuple):
    """The game that a mod was made for: kind, file name, release, the SHA-256 of its file, and the
    title that the game has.

    ``version`` is the release, ``sha256`` the digest in hexadecimal digits.
    """

    kind: str
    name: str = ""
    version: str = ""
    sha256: str = ""
    title: str = ""

    def differs_from(self, other: MadeFor) -> str:
        """The message for another game; "" for the same one, or where titles do not show a
        difference."""
        if not self.title or not other.title or self.title == other.title:
            return ""
        mine, theirs = (f"{mod.title} ({mod.version})" for mod in (self, other))
        return f"this mod is for {mine}, this is {theirs}"


class Copied(NamedTuple):
    """A file that has the content of another file ``of`` the game; ``now`` is its digest.

    ``was`` is the digest of what it replaces, "" for a new file.
    """

    of: str
    now: str
    was: str = ""


#: by code file: numbers in it that may stand for resources, with the name that each kind had
Numbers: TypeAlias = "dict[str, dict[int, dict[str, str]]]"


@dataclass(eq=False)
class Mod:
    """A mod.

    ``renamed``: old and new paths of resources.  ``removed``: paths of plain files, with the
    digests of their contents.  ``added``: plain files that the game does not have; ``copied``:
    those that are copies of files of the game.  ``patches``: what is done to others. ``texts``: old
    and new texts of the table of all texts.  ``requires`` and ``conflicts`` name other mods.
    ``names``: the resources that its code names, with their kinds and the numbers they had.
    ``numbers``: by code file, numbers in it that may stand for resources, with the name that each
    kind had.  ``own_numbers``: the same of those that only the code in that file meets.
    ``numbering``: the digest of the lists that number resources, in the game that the
    mod makes of its own ("" where it was not noted).  ``version``, ``authors`` and ``description``
    are what its maker wrote.
    """

    name: str
    game: MadeFor
    version: str = "1.0"
    authors: list[str] = field(default_factory=list)
    description: str = ""
    requires: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    removed: dict[str, str] = field(default_factory=dict)
    added: dict[str, bytes] = field(default_factory=dict)
    copied: dict[str, Copied] = field(default_factory=dict)
    patches: dict[str, Patch] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    names: dict[str, tuple[str, int]] = field(default_factory=dict)
    numbers: Numbers = field(default_factory=dict)
    own_numbers: Numbers = field(default_factory=dict)
    numbering: str = ""
    #: the changes that :func:`~overhaul.mods.rebase` could not carry over, and those that can't be
    #: put on the game that :func:`~overhaul.mods.make` made them for; not in the file
    left_out: list[Conflict] = field(default_factory=list)
    #: the warnings of packing where :func:`~overhaul.mods.make` chose some changes; not in the file
    findings: Findings = field(default_factory=Findings)

    def __bool__(self) -> bool:
        """Whether it changes anything."""
        parts = self.renamed, self.removed, self.added, self.copied, self.patches, self.texts
        return any(parts)

    def __repr__(self) -> str:
        counts = f"{len(self.patches)} changed, {len(self.added) + len(self.copied)} added"
        return f"<Mod {self.name!r} {self.version}: {counts}, {len(self.removed)} removed>"

    def paths(self) -> list[str]:
        """The plain files that it changes, sorted."""
        return sorted({*self.patches, *self.added, *self.copied, *self.removed})

    def to_json(self) -> dict[str, object]:
        """The mod as values of JSON."""
        left_out = [conflict.to_json() for conflict in self.left_out]
        return {
            **self._toml()["mod"],
            "game": self.game._asdict(),
            "renamed": dict(self.renamed),
            "removed": sorted(self.removed),
            "added": sorted({*self.added, *self.copied}),
            "changed": sorted(self.patches),
            "texts": dict(self.texts),
            **({"left_out": left_out} if left_out else {}),
            **({"findings": self.findings.to_json()} if self.findings else {}),
        }

    def to_bytes(self) -> bytes:
        """The zip file; the same for the same mod."""
        files = {TOML: write_toml({"format": FORMAT, **self._toml()}).encode("utf-8")}
        index = {
            "renamed": self.renamed,
            "removed": self.removed,
            "copied": {
                path: {key: text for key, text in copy._asdict().items() if text}
                for path, copy in self.copied.items()
            },
            "texts": self.texts,
            "names": {
                name: {"kind": kind, "number": number}
                for name, (kind, number) in sorted(self.names.items())
            },
            "numbers": _numbers_json(self.numbers),
            "own_numbers": _numbers_json(self.own_numbers),
            "numbering": self.numbering,
            "changed": {
                path: self._write(path, patch, files)
                for path, patch in sorted(self.patches.items())
            },
        }
        for path, data in self.added.items():
            files[_FILES + path] = data
        files[INDEX] = json_bytes({key: value for key, value in index.items() if value})
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name in [TOML, INDEX, *sorted(files.keys() - {TOML, INDEX})]:
                info = zipfile.ZipInfo(name, _DATE)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = 0o644 << 16
                info.create_system = 3
                archive.writestr(info, files[name], compresslevel=9)
        return out.getvalue()

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the zip file, all or nothing.  Raises FileExistsError without ``force``."""
        write_file(path, self.to_bytes(), force=force)

    def _toml(self) -> dict[str, dict[str, object]]:
        about: dict[str, object] = {"name": self.name, "version": self.version}
        about |= {"authors": list(self.authors), "description": self.description}
        about |= {"requires": list(self.requires), "conflicts": list(self.conflicts)}
        return {"mod": about, "game": self.game._asdict()}

    @staticmethod
    def _write(path: str, patch: Patch, files: dict[str, bytes]) -> dict[str, object]:
        """Add the files of a patch to the others; return its entry in the index."""
        kept: dict[str, object] = {"was": patch.was, "now": patch.now}
        if isinstance(patch, LinePatch):
            files[_CHANGES + path + _DIFF] = write_hunks(patch.hunks)
        elif isinstance(patch, ValuePatch):
            files[_CHANGES + path] = json_bytes(show_ops(patch.ops), rows)
        elif isinstance(patch, WholePatch):
            files[_FILES + path] = patch.data
        else:
            files[_PARTS + path] = patch.picture
            if patch.chosen is not None:
                files[_PARTS + path + _MASK] = patch.chosen
            kept |= {"x": patch.x, "y": patch.y, "under": patch.under}
        return kept


# --------------------------------------------------------------------------------------- reading


def load(source: str | os.PathLike[str] | bytes) -> Mod:
    """Read a mod: the path of its zip file or of a folder that it was unpacked to, or its bytes.

    Raises FormatError for a file that is not a mod or is damaged, OSError.
    """
    name = None if isinstance(source, bytes) else os.fspath(source)
    try:
        if isinstance(source, bytes):
            files, budget = _unzip(source)
        elif os.path.isdir(source):
            files = _read_folder(os.fspath(source))
            budget = Budget(sum(map(len, files.values())))
        else:
            with open(source, "rb") as file:
                files, budget = _unzip(file.read())
        return _read(_from_its_folder(files), budget)
    except FormatError as error:
        if error.source is None:
            error.source = name
        raise
    except OverhaulError as error:
        raise FormatError(str(error), source=name) from None


def _unzip(data: bytes) -> tuple[dict[str, bytes], Budget]:
    if not data:
        raise FormatError("not a mod: the file is empty")
    files: dict[str, bytes] = {}
    archive = ZipMembers(data)
    for name in archive.names():
        path = name.replace("\\", "/")  # as some programs on Windows write it
        if _is_of_system(path):
            continue
        _check_path(path)
        if path in files:
            raise FormatError(f"{path!r:.80} is in the zip file twice")
        files[path] = archive.read(name)
    return files, archive.budget


def _is_of_system(path: str) -> bool:
    """Whether a file browser added a file (or an empty folder) to the zip file by itself."""
    first, last = path.partition("/")[0], path.rpartition("/")[2]
    is_folder = bool(path) and not last
    return is_folder or first == _OF_MACOS or last in _OF_SYSTEMS or last.startswith("._")


def _from_its_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files of a mod that was zipped as a folder, without the name of the folder."""
    folder = next(iter(files), "").partition("/")[0] + "/"
    if TOML in files or folder + TOML not in files:
        return files
    if not all(path.startswith(folder) for path in files):
        return files
    return {path[len(folder) :]: data for path, data in files.items()}


def _read_folder(folder: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                path = os.path.join(place, name)
                shown = os.path.relpath(path, folder).replace(os.sep, "/")
                if _is_of_system(shown):
                    continue
                _check_path(shown)
                if not os.path.isfile(path):  # reading a pipe would never end
                    raise FormatError(f"{shown} is neither a file nor a folder")
                with open(path, "rb") as file:
                    files[shown] = file.read()
    return files


def _check_path(path: str) -> None:
    """Raise FormatError for a path that leads out of a folder, or that some disk does not take."""
    if not path or not all(is_safe_component(part) for part in path.split("/")):
        raise FormatError(f"{path!r:.80} is not the path of a file")


def _read(files: Mapping[str, bytes], budget: Budget) -> Mod:
    if TOML not in files:
        raise FormatError(f"not a mod: it has no {TOML}")
    for name, data in files.items():
        if name in (TOML, INDEX) or name.startswith(_CHANGES):
            (budget.take_lines if name.endswith(_DIFF) else budget.take_json)(data, name)
    mod = _read_toml(files[TOML])
    index = expect_object(read_json(files[INDEX], INDEX)) if INDEX in files else {}
    try:
        for key in ("renamed", "removed"):
            with at_key(key):
                getattr(mod, key).update(_texts(index.get(key, {}), are_paths=key != "removed"))
        with at_key("copied"):
            for path, kept in expect_object(index.get("copied", {})).items():
                with at_key(path):
                    _check_path(path)
                    mod.copied[path] = _read_copied(expect_object(kept))
        with at_key("texts"):
            for text, new in expect_object(index.get("texts", {})).items():
                mod.texts[text] = expect_text(new)
        _read_names(mod, index)
        with at_key("changed"):
            changed = expect_object(index.get("changed", {}))
            for path, kept in changed.items():
                with at_key(path):
                    mod.patches[path] = _read_patch(path, expect_object(kept), files)
    except FormatError as error:
        raise error.within(INDEX) from None
    for name in files:
        path = name[len(_FILES) :]
        if name.startswith(_FILES) and path not in mod.patches:
            mod.added[path] = files[name]
    for name in files:
        _check_used(name, mod)
    return mod


def _read_names(mod: Mod, index: Mapping[str, object]) -> None:
    """The resources that the code of a mod names."""
    with at_key("names"):
        for name, kept in expect_object(index.get("names", {})).items():
            with at_key(name):
                entries = expect_object(kept)
                mod.names[name] = (
                    _text_in(entries, "kind", None),
                    expect_integer(entries.get("number"), 0),
                )
    mod.numbering = _text_in(index, "numbering", "")
    for key, noted in (("numbers", mod.numbers), ("own_numbers", mod.own_numbers)):
        with at_key(key):
            _read_numbers(noted, index.get(key, {}))


def _numbers_json(noted: Numbers) -> dict[str, dict[str, dict[str, str]]]:
    return {
        path: {str(number): names for number, names in sorted(numbers.items())}
        for path, numbers in sorted(noted.items())
    }


def _read_numbers(noted: Numbers, plain: object) -> None:
    """Numbers in code that may stand for resources."""
    for path, kept in expect_object(plain).items():
        with at_key(path):
            _check_path(path)
            numbers = noted[path] = {}
            for number, names in expect_object(kept).items():
                if not (number.isascii() and number.isdigit() and len(number) < 10):
                    raise FormatError(f"expected a number, got {number!r:.40}")
                with at_key(number):
                    numbers[int(number)] = {
                        kind: expect_text(name) for kind, name in expect_object(names).items()
                    }


def _check_used(name: str, mod: Mod) -> None:
    """Raise FormatError for a file that the index does not list."""
    for head, tails in ((_CHANGES, (_DIFF, "")), (_PARTS, (_MASK, ""))):
        if name.startswith(head):
            path = name[len(head) :]
            if all(path.removesuffix(tail) not in mod.patches for tail in tails):
                raise FormatError(f"{INDEX} does not say what {name} changes")


def _read_copied(kept: Mapping[str, object]) -> Copied:
    copied = Copied(
        _text_in(kept, "of", None), _text_in(kept, "now", None), _text_in(kept, "was", "")
    )
    _check_path(copied.of)
    return copied


def _texts(value: object, *, are_paths: bool) -> dict[str, str]:
    texts = {}
    for path, text in expect_object(value).items():
        with at_key(path):
            _check_path(path)
            texts[path] = expect_text(text)
            if are_paths:
                _check_path(texts[path])
    return texts


def _read_toml(data: bytes) -> Mod:
    try:
        content = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not valid TOML: {error}", path=TOML) from None
    try:
        if content.get("format", FORMAT) != FORMAT:
            raise FormatError(f"a mod of format {content['format']!r:.20}; expected {FORMAT}")
        about, game = expect_object(content.get("mod")), expect_object(content.get("game"))
        return Mod(
            name=_text_in(about, "name", None),
            game=MadeFor(
                *(_text_in(game, key, "" if key != "kind" else None) for key in MadeFor._fields)
            ),
            version=_text_in(about, "version", "1.0"),
            authors=_texts_in(about, "authors"),
            description=_text_in(about, "description", ""),
            requires=_texts_in(about, "requires"),
            conflicts=_texts_in(about, "conflicts"),
        )
    except FormatError as error:
        raise error.within(TOML) from None


def _text_in(table: Mapping[str, object], key: str, default: str | None) -> str:
    with at_key(key):
        return expect_text(table.get(key, default))


def _texts_in(table: Mapping[str, object], key: str) -> list[str]:
    with at_key(key):
        return expect_texts(table.get(key, []))


def _read_patch(path: str, kept: dict[str, object], files: Mapping[str, bytes]) -> Patch:
    _check_path(path)
    digests = []
    for key in ("was", "now"):
        with at_key(key):
            digests.append(expect_text(kept.get(key, "")))
    was, now = digests
    if (name := _CHANGES + path + _DIFF) in files:
        return LinePatch(was, now, read_hunks(files[name], name))
    if (name := _CHANGES + path) in files:
        with at_key(name):
            return ValuePatch(was, now, read_ops(read_json(files[name], name)))
    if (name := _FILES + path) in files:
        return WholePatch(was, now, files[name])
    if (name := _PARTS + path) not in files:
        raise FormatError("its changes are missing")
    numbers = {}
    for key in ("x", "y"):
        with at_key(key):
            numbers[key] = expect_integer(kept.get(key), 0, 1 << 20)
    with at_key("under"):
        under = expect_text(kept.get("under", ""))
    place = numbers["x"], numbers["y"]
    patch = PicturePatch(was, now, *place, files[name], files.get(name + _MASK), under)
    patch.check()
    return patch


def file_digest(data: bytes | memoryview) -> str:
    """The SHA-256 of a game's file."""
    digest = hashlib.sha256()
    feed(digest, data)
    return digest.hexdigest()


__all__ = ["Conflict", "MadeFor", "Mod", "content_digest", "file_digest", "load"]
