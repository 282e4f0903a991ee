"""The faults of a project of GameMaker: Studio 1."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.gamemaker.ide.declared import undeclared_elements
from overhaul.gamemaker.ide.files import ProjectFiles
from overhaul.gamemaker.ide.gmx import GmxFile, read_gmx
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.parts import studio_needs
from overhaul.gamemaker.ide.references import by_name
from overhaul.gamemaker.ide.studio import StudioProject
from overhaul.media import png
from overhaul.suggest import some_of


class StudioCheck:
    """Looks at all files of a project; ``findings`` has the faults.

    ``otherwise`` has the files that GameMaker writes in another form, ``undeclared`` how often
    they have elements that are not declared.
    """

    def __init__(self, project: StudioProject, files: ProjectFiles, name: str) -> None:
        self.findings: Findings = Findings()
        self.otherwise: list[str] = []
        self.undeclared: Counter[str] = Counter()
        self._project = project
        self._files = files
        self._name = name
        self._names: dict[str, set[str]] = {}
        for entry in project.entries:
            self._names.setdefault(entry.kind, set()).add(entry.name)

    def run(self) -> None:
        """Look at everything."""
        seen: dict[tuple[str, str], ListedEntry] = {}
        for entry in self._project.entries:
            if seen.setdefault((entry.kind, entry.name.casefold()), entry) is not entry:
                message = f"{entry.name} is listed twice"
                self.findings.warn("duplicate", message, self._name, "", entry.line)
        if not self._project.is_extension:
            self._note_form(self._project.file, self._name)
        if not self._files.are_known:
            return
        for entry in self._project.entries:
            self._entry(entry)
        for entry in self._project.included:
            self._is_there(entry.path, "is listed, and is not there", self._name, entry.line)
        if not self._project.is_extension:
            self._not_listed()

    def _is_there(self, path: str, wrong: str, by: str, line: int) -> str | None:
        spelled = self._files.spelled(path)
        if spelled is None:
            self.findings.warn("absent-file", f"{path} {wrong}", by, "", line)
        elif spelled != path:
            message = f"{path} is called {spelled}: only Windows and macOS find it"
            self.findings.warn("other-case", message, by, "", line)
        return spelled

    def _entry(self, entry: ListedEntry) -> None:
        wrong = "is listed, and is not there"
        path = self._is_there(entry.path, wrong, self._name, entry.line)
        if path is None or not path.endswith(".gmx"):
            return
        try:
            file = read_gmx(self._files.read(path), source=path)
        except FormatError as error:
            self.findings.warn(error.code, error.message, path)
            return
        self._note_form(file, path)
        for node, needed, what in studio_needs(replace(entry, path=path), file.root):
            wrong = f"is not there: {what} of {entry.name}"
            self._is_there(needed, wrong, path, file.line(node))
        for used in by_name(file.root):
            if used.name not in self._names.get(used.kind, ()):
                message = f"it uses the {used.kind} {used.name}, which the project does not list"
                self._warn("missing-name", message, file, path, used.node)
        if file.root.tag == "room":
            self._instances(file, path)
        elif file.root.tag in ("sprite", "background"):
            self._sizes(replace(entry, path=path), file)

    def _sizes(self, entry: ListedEntry, file: GmxFile) -> None:
        """Pictures of another size than the file says."""
        sides = file.root.value("width"), file.root.value("height")
        for node, path, _ in studio_needs(entry, file.root):
            spelled = self._files.spelled(path)
            data = b"" if spelled is None else self._files.head(spelled)
            if not data.startswith(png.SIGNATURE):
                continue
            size = tuple(map(str, png.size(data)))
            if size != sides:
                what = f"{path} has {' x '.join(size)} pixels, the {file.root.tag}"
                message = f"{what} {' x '.join(sides)}"
                self._warn("mismatch", message, file, entry.path, node)

    def _instances(self, file: GmxFile, path: str) -> None:
        seen: set[str] = set()
        for node in file.root.walk():
            name = node.attributes.get("name") if node.tag == "instance" else None
            if name and name in seen:
                message = f"two instances are called {name}"
                self._warn("duplicate", message, file, path, node)
            seen.add(name or "")

    def _warn(self, code: str, message: str, file: GmxFile, path: str, node: XmlNode) -> None:
        self.findings.warn(code, message, path, node.tag, file.line(node))

    def _note_form(self, file: GmxFile, path: str) -> None:
        self.undeclared += undeclared_elements(file.root)
        if file.printed() != file.data:
            self.otherwise.append(path)

    def _not_listed(self) -> None:
        known = {entry.path.casefold() for entry in self._project.entries}
        for folder in sorted({entry.folder for entry in self._project.entries}):
            found = [
                name for name in self._files.listing(folder)[0]
                if name.endswith(".gmx") and f"{folder}/{name}".casefold() not in known
            ]  # fmt: skip
            if found:
                message = f"the project does not list {some_of(found)}"
                self.findings.add_note("unlisted", message, folder)
