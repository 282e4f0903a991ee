"""A project of the editor as another release of GameMaker writes it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Final, TypeGuard

from overhaul.document.protocol import Document
from overhaul.errors import EncodeError, FindingsError, FormatError
from overhaul.findings import Finding, Findings
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.ide.dialects import dialect_of
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.releases import RELEASES, Release, release_of, spans_of
from overhaul.gamemaker.ide.resources.making import in_order
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.texts import JsonFile, read_json_file
from overhaul.gamemaker.ide.values import Json, list_at, text_at
from overhaul.gamemaker.ide_release.derived import Scene
from overhaul.gamemaker.ide_release.first_project import as_named
from overhaul.gamemaker.ide_release.language import later_syntax
from overhaul.gamemaker.ide_release.objects import Translation, kind_of_value
from overhaul.gamemaker.recovered import Tally
from overhaul.gamemaker.recovery.recovering import Recovered

_OPTIONS: Final = re.compile(r"options/[^/]+/options_[^/]+\.yy")
#: Since this release, a file of its own has the order of the asset browser.
_ORDERED_APART: Final = (2023, 2)
_SOURCE: Final = ".gml"
_FOLDERS: Final = "FolderOrderSettings"
_RESOURCES: Final = "ResourceOrderSettings"
#: An error names so many losses.
_NAMED: Final = 40
#: The reports of what a project was made of, to which losses are added.
_REPORTS: Final = ("RECOVERED.md", "CONVERTED.md")


def named_release(text: str) -> Release:
    """The release of a text (``2024.13``, ``2024.13.1.193``).  Raises FormatError for an unknown
    one."""
    release = release_of(text)
    if release is None:
        known = dict.fromkeys(".".join(each.split(".")[:2]) for each in RELEASES)
        numbers = ", ".join((*[each for each in known if each != "2.3"], "2.3.0 to 2.3.7"))
        message = f"unknown release {text!r}: there are {numbers}, and whole numbers of any build"
        raise FormatError(f"{message} (2024.13.1.193)")
    return release


def released(made: Recovered, release: Release) -> Recovered:
    """A project that is not written yet as another release writes it; the report says as well what
    that release can't have."""
    later = converted_to(_opened(made.name, made.files), release)
    tallies = dict(made.tallies)
    for kind, tally in later.tallies.items():
        if kind in tallies and (tally.lossy or tally.lost):
            total, lossy, lost = tallies[kind]
            tallies[kind] = Tally(total, max(lossy, tally.lossy), max(lost, tally.lost))
    files = dict(later.files)
    lines = [f"- {finding}" for finding in losses(later)]
    for name in _REPORTS if lines else ():
        if name in files:
            text = files[name]().decode("utf-8", "surrogateescape")
            text += "\n".join(["", f"## What {release.text} can't have", "", *lines, ""])
            files[name] = text.encode("utf-8", "surrogateescape").__bytes__
    findings = Findings([*made.findings, *later.findings])
    return Recovered(made.name, files, tallies, findings)


def losses(made: Recovered) -> list[Finding]:
    """The parts that a conversion to a release leaves out."""
    return [each for each in made.findings if each.code == "not-in-release"]


def refuse_losses(findings: list[Finding]) -> None:
    """Raise FindingsError, which names what would be lost, if anything would be."""
    if not findings:
        return
    shown = [str(finding) for finding in findings[:_NAMED]]
    if len(findings) > _NAMED:
        shown.append(f"and {len(findings) - _NAMED} more")
    shown.append("nothing was written: --lossy leaves these out")
    raise FindingsError(findings, "\n".join(shown))


def is_convertible(document: Document) -> TypeGuard[IdeProjectDocument]:
    """Whether a document is a project that can be one of another release: a .yyp."""
    return isinstance(document, IdeProjectDocument) and not document.is_studio


def converted_to(document: Document, release: Release) -> Recovered:
    """The project as a release writes it, with a finding for each thing that it can't have.

    All files of the folder are in it; those of resources are rewritten.  Raises FormatError for
    another document, for a project of Studio 1, and for a damaged one.
    """
    if not isinstance(document, IdeProjectDocument):
        raise FormatError(f"expected a .yyp, got {document.kind}", source=document.source)
    if not document.files.are_known:
        raise FormatError("the files of the project are not known", source=document.source)
    if release.letter == "A":
        message = "2.0 to 2.2 have no functions in scripts: no later project becomes one of them"
        raise FormatError(message, source=document.source)
    if not isinstance(document.project, ModernProject) or not document.project.is_old:
        return _Conversion(document, release).run()
    files, findings = as_named(document)
    named = _opened(document.name.rpartition("!")[2], files)
    made = _Conversion(named, release).run()
    made.findings[:0] = findings
    return made


def _opened(name: str, files: Mapping[str, Callable[[], bytes]]) -> IdeProjectDocument:
    """A project that is not written, as a document."""
    siblings = MadeFiles(files)
    return IdeProjectDocument.from_bytes(files[name](), source=name, siblings=siblings)


class _Conversion:
    """One conversion: the files that it made so far, and what it found."""

    def __init__(self, document: IdeProjectDocument, release: Release) -> None:
        project = document.project
        if not isinstance(project, ModernProject):
            message = "it is a project of Studio 1: convert it with --to yyp first"
            raise FormatError(message, source=document.source)
        self._document = document
        #: in an archive, the name of the document has that of the archive in front
        self._name = document.name.rpartition("!")[2]
        self._project = project
        self._release = release
        self._findings = Findings()
        self._files: dict[str, Callable[[], bytes]] = {}
        self._values: dict[str, JsonFile] = {}

    def run(self) -> Recovered:
        """Do it."""
        document = self._document
        listed = {document.path_of(entry): entry.path for entry in document.entries}
        paths = self._without_others(list(document.files.everything()), listed)
        for path in paths:
            file = self._read(path, path in listed or path == self._name)
            if file is None:
                self._files[path] = partial(document.files.read, path)
            else:
                self._values[path] = file
        gone = {path for path, file in self._values.items() if not self._has(file.value)}
        orders = self._orders()
        options = [
            _reference(file, path)
            for path, file in sorted(self._values.items())
            if _OPTIONS.fullmatch(path) and path not in gone
        ]
        for path, file in self._values.items():
            scene = Scene(listed.get(path, path), orders, options)
            self._translate(path, file, scene, gone)
        self._order_file(orders)
        self._look_at_sources()
        return Recovered(self._name, self._files, self._tallies(gone), self._findings)

    # -- reading -------------------------------------------------------------------------------

    def _without_others(self, paths: list[str], listed: Collection[str | None]) -> list[str]:
        """The paths without folders of other projects: a conversion may have gone into this one."""
        others = {path.rpartition("/")[0] for path in paths if path.endswith(".yyp")} - {""}
        for path in filter(None, listed):
            others.difference_update(_around(path))
        found = sorted(other for other in others if others.isdisjoint(_around(other)))
        for other in found:
            self._findings.add_note("left-out", "it has another project: it is not copied", other)
        return [path for path in paths if not path.startswith(tuple(f"{one}/" for one in found))]

    def _read(self, path: str, is_listed: bool) -> JsonFile | None:
        """A file that is rewritten; None for a file that does not change."""
        if not path.endswith((".yy", ".yyp")):
            return None
        try:
            file = read_json_file(self._document.files.read(path), source=path)
            value = file.value
        except FormatError:
            if is_listed:  # damaged files are repaired first
                raise
            self._findings.add_note("invalid", "it is not JSON: it does not change", path)
            return None
        known = isinstance(value, dict) and bool(kind_of_value(value))
        return file if known and file.style.letter != "A" else None

    def _has(self, value: Json) -> bool:
        """Whether the release has the class of a file."""
        span = spans_of(kind_of_value(value)).get("") if isinstance(value, dict) else None
        return span is None or span.has(self._release.order)

    def _orders(self) -> dict[str, int]:
        """The numbers that order folders and resources in the asset browser, by path."""
        value = self._project.value
        found: dict[str, int] = {}
        for row in list_at(value, "resources"):
            _note(found, text_at(row, "id", "path"), row)
        for row in list_at(value, "Folders"):
            _note(found, text_at(row, "folderPath"), row)
        path = _order_path(self._name)
        if self._document.files.has(path):
            apart = read_json_file(self._document.files.read(path), source=path).value
            for key in (_FOLDERS, _RESOURCES):
                for row in list_at(apart, key):
                    _note(found, text_at(row, "path"), row)
        return found

    # -- writing -------------------------------------------------------------------------------

    def _style(self, file: JsonFile) -> Style:
        letter = self._release.letter
        return Style(letter, "\n" if letter == "D" else file.style.newline)

    def _translate(self, path: str, file: JsonFile, scene: Scene, gone: set[str]) -> None:
        style = self._style(file)
        made = Translation(
            self._release, style, file.style.letter, scene, self._findings, gone
        ).value(file.value)
        if not isinstance(made, dict):
            return
        if path == self._name:
            made = self._as_project(made, style)
        try:
            text = print_text(made, style)
        except EncodeError as error:
            raise FormatError(error.message, source=path) from error
        self._files[path] = text.encode("utf-8", "surrogatepass").__bytes__

    def _as_project(self, made: dict[str, Json], style: Style) -> dict[str, Json]:
        """The file of the project, which names the release and lists the resources."""
        known = made.get("MetaData")
        meta = known if isinstance(known, dict) else {}
        named = {**meta, "IDEVersion": self._release.text}
        rows = [row for row in list_at(made, "resources") if text_at(row, "id", "path")]
        nodes = [row for row in list_at(made, "RoomOrderNodes") if text_at(row, "roomId", "path")]
        lists: dict[str, Json] = {"resources": rows}
        if "RoomOrderNodes" in made:
            lists["RoomOrderNodes"] = nodes
        return in_order({**made, "MetaData": in_order(named, style), **lists}, style, "GMProject")

    def _look_at_sources(self) -> None:
        """Report parts of sources that the release does not read: they stay unchanged."""
        dialect = dialect_of(self._release.text)
        for path, read in self._files.items():
            if path.endswith(_SOURCE):
                seen: set[str] = set()
                text = read().decode("utf-8-sig", "replace")
                for line, column, what in later_syntax(text, dialect):
                    if what not in seen:  # the first of each in a file
                        seen.add(what)
                        message = f"{self._release.text} does not read {what}: change the code"
                        self._findings.warn("unsupported", message, path, "", line, column)

    def _order_file(self, orders: dict[str, int]) -> None:
        """Keep the order of the asset browser where the release has it."""
        path = _order_path(self._name)
        self._files.pop(path, None)
        if self._release.order < _ORDERED_APART or not any(orders.values()):
            return
        style = Style(self._release.letter, "\n")
        value = self._project.value
        folders = [(text_at(row, "name"), text_at(row, "folderPath"))
                   for row in list_at(value, "Folders")]  # fmt: skip
        resources = [(text_at(row, "id", "name"), text_at(row, "id", "path"))
                     for row in list_at(value, "resources")]  # fmt: skip
        made: dict[str, Json] = {
            key: [
                in_order({"name": name, "order": orders[place], "path": place}, style)
                for name, place in rows
                if orders.get(place)
            ]
            for key, rows in ((_FOLDERS, folders), (_RESOURCES, resources))
        }
        self._files[path] = print_text(made, style).encode("utf-8", "surrogatepass").__bytes__

    def _tallies(self, gone: set[str]) -> dict[str, Tally]:
        """How many resources of each kind there are, of how many something is left out."""
        lossy = {finding.path for finding in self._findings if finding.severity != "note"}
        total: Counter[str] = Counter()
        parts: Counter[str] = Counter()
        lost: Counter[str] = Counter()
        for entry in self._document.entries:
            kind = entry.kind.replace(" ", "_")
            path = self._document.path_of(entry)
            total[kind] += 1
            lost[kind] += path in gone
            parts[kind] += path in lossy and path not in gone
        return {kind: Tally(total[kind], parts[kind], lost[kind]) for kind in sorted(total)}


def _around(path: str) -> Iterator[str]:
    """The folders that a path is in."""
    return (path[:end] for end, letter in enumerate(path) if letter == "/")


def _order_path(name: str) -> str:
    return f"{name.removesuffix('.yyp')}.resource_order"


def _note(found: dict[str, int], path: str, row: Json) -> None:
    number = row.get("order") if isinstance(row, dict) else None
    if isinstance(number, int):
        found[path] = number


def _reference(file: JsonFile, path: str) -> Json:
    return {"name": text_at(file.value, "name"), "path": path}
