"""A file as rows of the tables of a catalogue: the second of two steps.

All families are read in the same way, through their plain files: what unpacking would write,
without writing it (see :class:`~overhaul.document.folder_format.FolderFormat`). Failures become
rows of ``errors``, and the rest is read all the same.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import Final

import msgspec
import numpy as np

from overhaul.catalog.pictures import difference_hash, pixels_hash
from overhaul.catalog.sources import is_text, named, normal_hash
from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.document.protocol import (
    CountsCode,
    Document,
    HasCode,
    NotesChecks,
    Resource,
    companions_of,
)
from overhaul.document.reading import FoundFile
from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError
from overhaul.folder.verifying import difference_elsewhere, first_difference
from overhaul.media import audio, png

#: The endings of plain files that are sources.
SOURCES: Final = (".gml", ".asc")
#: How many characters the summary of a resource has at most.
SUMMARY: Final = 2000
#: The plain files that list the texts of a file.
_TEXT_TABLE: Final = "strings.csv"
_TEXT_PAIRS: Final = ".trs"

Row = dict[str, object]


class Wanted(msgspec.Struct, frozen=True):
    """The parts of files that are read besides their types and contents.

    ``verify``: whether it rebuilds identically; ``verify_code``: whether its code does;
    ``resources``, ``code``, ``strings``, ``images`` and ``sounds``: the rows of these tables;
    ``sources``: also the source of each code entry.
    """

    verify: bool = True
    verify_code: bool = False
    resources: bool = True
    code: bool = True
    strings: bool = True
    images: bool = True
    sounds: bool = True
    sources: bool = False


def read(found: FoundFile, digest: str, wanted: Wanted) -> dict[str, list[Row]]:
    """The rows of a file by the names of their tables; ``digest`` is the SHA-256 of its bytes.

    Raises FormatError if the file can't be opened.
    """
    with found.open() as document:
        reader = Reader(document, found, digest, wanted)
        reader.read()
        return {name: rows for name, rows in reader.rows.items() if rows}


class Reader:
    """Reads a document into ``rows``."""

    def __init__(self, document: Document, found: FoundFile, digest: str, wanted: Wanted) -> None:
        self.rows: dict[str, list[Row]] = {
            name: []
            for name in (
                "contents",
                "resources",
                "code",
                "calls",
                "strings",
                "images",
                "sounds",
                "errors",
            )
        }
        self._document = document
        self._found = found
        self._digest = digest
        self._wanted = wanted

    def read(self) -> None:
        """Read all that is wanted."""
        content: Row = {"sha256": self._digest}
        self.rows["contents"].append(content)
        self._try("open", partial(self._describe, content))
        if self._wanted.verify:
            self._try("verify", partial(self._verify, content))
        if self._wanted.verify_code:
            self._try("code", partial(self._verify_code, content))
        if self._wanted.resources:
            self._try("resources", self._read_files)
        content["warnings"] = self._document.findings.texts()

    def _try(self, stage: str, task: Callable[[], None], path: str = "") -> bool:
        """Do a task, of a plain file; what it raises is reported in ``errors``.  Whether it is
        done."""
        failed = partial(self._fail, stage, path)
        try:
            task()
            return True
        except OverhaulError as error:
            failed("format", str(error))
        except (MemoryError, RecursionError) as error:
            failed("memory", f"{type(error).__name__}: {error}".rstrip(": "))
        except Exception as error:  # noqa: BLE001 - reported as a row; the other stages go on
            failed("crash", f"{type(error).__name__}: {error}")
        return False

    def _fail(self, stage: str, path: str, error: str, message: str) -> None:
        where = f"{path}: " if path else ""
        self.rows["errors"].append({"stage": stage, "error": error, "message": f"{where}{message}"})

    # -- what it is ------------------------------------------------------------------------------

    def _describe(self, content: Row) -> None:
        document = self._document
        content |= {"kind": document.kind, "version": document.version}
        info = document.info()
        content |= {
            "name": _text(info.get("name")),
            "file_name": _text(info.get("file_name")),
            "built": _text(info.get("built") or info.get("last_changed")),
            "bytecode": info.get("bytecode"),
            "companions": sorted(companions_of(document)),
            "evidence": [_evidence(item) for item in _list(info.get("evidence"))],
            "counts": _counts(info.get("resources")),
        }

    def _verify(self, content: Row) -> None:
        self._document.decode()
        rebuilt = self._document.to_bytes()
        offset = first_difference(self._found.data, rebuilt)
        elsewhere = difference_elsewhere(self._document)
        if offset is None and elsewhere is not None:
            offset = elsewhere.offset
        coverage = self._document.coverage()
        content |= {
            "identical": offset is None,
            "first_difference": offset,
            "decoded": coverage.decoded,
            "media": coverage.media,
            "opaque": coverage.opaque,
        }

    def _verify_code(self, content: Row) -> None:
        document: object = self._document
        if isinstance(document, NotesChecks):
            document.expect_checks()
        if isinstance(document, HasCode):
            names = document.code_names()
            wrong = [name for name in names if document.check_code(name) is not None]
            content |= {"code_entries": len(names), "code_identical": len(names) - len(wrong)}

    # -- what is in it ---------------------------------------------------------------------------

    def _read_files(self) -> None:
        document, wanted = self._document, self._wanted
        if wanted.code and isinstance(document, HasCode):
            document.learn_code(None)  # the sources of all entries are read
        owners = Owners(list(document.tree()))
        form = folder_format_of(document.kind)
        options = UnpackOptions(whole=False, warn=False, parts=False, proven=False)
        files = sorted(form.plain_files(document, options), key=lambda file: file.near)
        has_table = any(file.path == _TEXT_TABLE for file in files)
        sizes = document.code_instructions() if isinstance(document, CountsCode) else {}
        cut = partial(form.names.tokens, document)
        code = CodeRows(self._digest, owners, sizes, cut, wanted)
        for file in files:
            task = partial(self._read_file, file, owners, code, has_table)
            if not self._try("resources", task, file.path):
                owners.leave_out(file.path)
        self.rows["resources"] = owners.rows(self._digest)
        for name, rows in code.rows.items():
            self.rows[name] += rows
        for index, row in enumerate(self.rows["strings"]):
            row.setdefault("index", index)

    def _read_file(self, file: PlainFile, owners: Owners, code: CodeRows, has_table: bool) -> None:
        """One plain file: its share of the resource, and its rows."""
        path, wanted = file.path, self._wanted
        if path.endswith(".png"):
            if wanted.images:
                self._read_picture(file, owners)
            else:
                owners.leave_out(path)
            return
        data = file.read()
        owners.add(path, sha256(data).hexdigest(), len(data))
        if path.endswith(SOURCES):
            if wanted.code:
                code.add(path, data.decode("utf-8", "backslashreplace"), strings=not has_table)
        elif path.endswith(".json"):
            value = json.loads(data)
            owners.describe(path, value)
            if wanted.strings and not has_table:
                self._add_strings(path, _texts_in(value))
        elif path == _TEXT_TABLE:
            if wanted.strings:
                self._read_table(path, data)
        elif path.endswith(_TEXT_PAIRS):
            if wanted.strings:
                self._add_strings(path, iter(data.decode("utf-8", "backslashreplace").splitlines()))
        elif wanted.sounds:
            self._read_sound(path, data, owners)

    def _read_picture(self, file: PlainFile, owners: Owners) -> None:
        pixels = file.pixels()
        if not isinstance(pixels, np.ndarray):
            pixels = png.decode(file.read())
        digest = pixels_hash(pixels)
        owners.add(file.path, digest, pixels.nbytes)
        owner = owners.of(file.path)
        self.rows["images"].append(
            {
                "file": self._digest,
                "path": file.path,
                "kind": owner.kind if owner else None,
                "name": owner.name if owner else None,
                "width": pixels.shape[1],
                "height": pixels.shape[0],
                "hash": digest,
                "perceptual": difference_hash(pixels),
            }
        )

    def _read_sound(self, path: str, data: bytes, owners: Owners) -> None:
        form = audio.sniff(data)
        if form is audio.AudioFormat.UNKNOWN:
            return
        known, owner = audio.inspect(data), owners.of(path)
        self.rows["sounds"].append(
            {
                "file": self._digest,
                "path": path,
                "name": owner.name if owner else None,
                "format": form.value,
                "codec": known.codec,
                "length": known.duration,
                "hash": sha256(data).hexdigest(),
                "size": len(data),
            }
        )

    def _read_table(self, path: str, data: bytes) -> None:
        text = data.decode("utf-8", "backslashreplace")
        csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
        for row in csv.DictReader(io.StringIO(text, newline="")):
            self.rows["strings"].append(
                {
                    "file": self._digest,
                    "index": int(row["index"]),
                    "text": row["text"],
                    "place": path,
                }
            )

    def _add_strings(self, place: str, texts: Iterator[str]) -> None:
        for text in dict.fromkeys(texts):
            self.rows["strings"].append({"file": self._digest, "text": text, "place": place})


class Owners:
    """The resources of a document, and which plain files are theirs."""

    def __init__(self, resources: list[Resource]) -> None:
        self._resources = resources
        self._by_path: dict[str, int] = {}
        self._parts: dict[int, list[tuple[str, str, int]]] = {}
        self._summaries: dict[int, str] = {}
        self._incomplete: set[int | None] = set()
        for place, resource in enumerate(resources):
            self._by_path.setdefault(resource.path, place)
            self._by_path.setdefault(_stem(resource.path), place)
        #: the kinds of the resources that sources may name, by name
        self.kinds: dict[str, str] = {
            resource.name: resource.kind
            for resource in resources
            if resource.name.isidentifier() and resource.kind not in ("table", "code entry")
        }

    def place_of(self, path: str) -> int | None:
        """The place of the resource that a file belongs to, in the order of ``ls``."""
        for key in (path, _stem(path)):
            if key in self._by_path:
                return self._by_path[key]
        head = path.rpartition("/")[0]
        while head:
            if head in self._by_path:
                return self._by_path[head]
            head = head.rpartition("/")[0]
        return None

    def of(self, path: str) -> Resource | None:
        """The resource that a file belongs to."""
        place = self.place_of(path)
        return None if place is None else self._resources[place]

    def add(self, path: str, digest: str, size: int) -> None:
        """Count a file as a part of its resource."""
        place = self.place_of(path)
        if place is not None:
            self._parts.setdefault(place, []).append((path, digest, size))

    def leave_out(self, path: str) -> None:
        """Note that a file was not read: its resource has no hash."""
        self._incomplete.add(self.place_of(path))

    def describe(self, path: str, value: object) -> None:
        """Keep the plain values of the JSON file of a resource as its summary."""
        place = self.place_of(path)
        if place is None or place in self._summaries or not isinstance(value, dict):
            return
        plain = {
            key: each
            for key, each in value.items()
            if isinstance(each, bool | int | float | str) and len(str(each)) < SUMMARY // 10
        }
        text = json.dumps(plain, ensure_ascii=False)
        self._summaries[place] = (
            text
            if len(text) <= SUMMARY
            else json.dumps(
                dict(list(plain.items())[: len(plain) * SUMMARY // (2 * len(text))]),
                ensure_ascii=False,
            )
        )

    def rows(self, digest: str) -> list[Row]:
        """The rows of ``resources``."""
        rows: list[Row] = []
        numbers: dict[str, int] = {}
        for place, resource in enumerate(self._resources):
            index = numbers[resource.kind] = numbers.get(resource.kind, -1) + 1
            parts = sorted(self._parts.get(place, ()))
            whole = bool(parts) and place not in self._incomplete
            rows.append(
                {
                    "file": digest,
                    "kind": resource.kind,
                    "name": resource.name,
                    "index": index,
                    "path": resource.path,
                    "hash": self._hash(resource.path, parts) if whole else None,
                    "size": sum(size for _, _, size in parts) if parts else resource.size,
                    "summary": self._summaries.get(place),
                }
            )
        return rows

    @staticmethod
    def _hash(root: str, parts: list[tuple[str, str, int]]) -> str:
        """The hash of the files of a resource, whatever the resource is called."""
        stem = _stem(root)
        digest = sha256()
        for path, part, _ in parts:
            digest.update(f"{path.removeprefix(root).removeprefix(stem)}\0{part}\n".encode())
        return digest.hexdigest()


class CodeRows:
    """The rows of ``code``, ``calls`` and of the texts in code."""

    def __init__(
        self,
        digest: str,
        owners: Owners,
        sizes: Mapping[str, int],
        cut: Callable[[str], list[str]],
        wanted: Wanted,
    ) -> None:
        self.rows: dict[str, list[Row]] = {"code": [], "calls": [], "strings": []}
        self._digest = digest
        self._owners = owners
        self._sizes = sizes
        self._cut = cut
        self._wanted = wanted

    def add(self, path: str, source: str, *, strings: bool) -> None:
        """Add a code entry by its source; ``strings``: with its texts."""
        owner = self._owners.of(path)
        name = owner.name if owner and _stem(owner.path) == _stem(path) else _stem(path)
        tokens = self._cut(source)
        kinds = self._owners.kinds
        self.rows["code"].append(
            {
                "file": self._digest,
                "name": name,
                "path": path,
                "instructions": self._sizes.get(name),
                "tokens": len(tokens),
                "hash": sha256(source.encode("utf-8", "surrogatepass")).hexdigest(),
                "normal_hash": normal_hash(tokens, kinds),
                "source": source if self._wanted.sources else None,
            }
        )
        for (callee, kind), count in named(tokens, kinds).items():
            self.rows["calls"].append(
                {
                    "file": self._digest,
                    "caller": name,
                    "callee": callee,
                    "kind": kind,
                    "count": count,
                }
            )
        if strings and self._wanted.strings:
            for text in dict.fromkeys(token[1:-1] for token in tokens if is_text(token)):
                self.rows["strings"].append({"file": self._digest, "text": text, "place": path})


# ------------------------------------------------------------------------------------- values


def _stem(path: str) -> str:
    head, slash, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    return f"{head}{slash}{stem}"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _evidence(value: object) -> str:
    if isinstance(value, dict):
        return ": ".join(str(part) for part in value.values())
    return str(value)


def _counts(value: object) -> dict[str, int] | None:
    if not isinstance(value, dict):
        return None
    return {str(key): each for key, each in value.items() if isinstance(each, int)}


def _texts_in(value: object) -> Iterator[str]:
    """The texts among the values of JSON."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            if each:
                yield each
        elif isinstance(each, dict):
            waiting.extend(reversed(each.values()))
        elif isinstance(each, list):
            waiting.extend(reversed(each))
