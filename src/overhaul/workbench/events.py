"""Events of objects: added, removed, copied and moved, as changes of plain files."""

from __future__ import annotations

from collections.abc import Mapping

from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import read_object
from overhaul.mods.view import ASSEMBLY, SOURCE, FileView
from overhaul.suggest import did_you_mean
from overhaul.workbench.forms import written_as
from overhaul.workbench.resources import Changes

#: the code of an event that calls the one it overrides
INHERITED = b"event_inherited();\n"
#: the code of a new event
NEW = b"// new\n"
#: the list of an object's events in its JSON, where their order is unusual
_ORDER = "events"


class Events:
    """The events of an object of a game, by what people call them.

    ``path`` is that of the object, as :class:`overhaul.document.protocol.Resource` has it.
    """

    def __init__(self, view: FileView, path: str) -> None:
        self._view = view
        self._path = path
        self.stems: Mapping[str, str] = view.format.additions.event_stems(view.document, path)
        self._folded = {title.casefold(): stem for title, stem in self.stems.items()}

    def __contains__(self, title: str) -> bool:
        return title.casefold() in self._folded

    def source(self, title: str) -> str:
        """The file of the code of an event.  Raises WorkspaceError."""
        return f"{self._stem(title)}{SOURCE}"

    def titled(self) -> dict[str, str]:
        """The events that the object has, each with the file of its code; "" for those
        that are assembly, or a list of actions."""
        files = self._view.files
        folders = {path.rpartition("/")[0] for path in files if path.startswith(f"{self._path}/")}
        found = {}
        for title, stem in self.stems.items():
            source = f"{stem}{SOURCE}"
            if source in files and stem not in folders:
                found[title] = source
            elif stem in folders or f"{stem}{ASSEMBLY}" in files:
                found[title] = ""
        return found

    def edited(self, sources: Mapping[str, bytes | None]) -> Changes:
        """The edit that gives events other code (None: removes them). Raises WorkspaceError."""
        own = self.titled()
        made: Changes = {}
        new = []
        for title, data in sources.items():
            if data is None:
                made.update(dict.fromkeys(self._own(title)))
                continue
            made[self.source(title)] = data
            if self._title(title) not in own:
                new.append(self._free(title))
        gone = {self._stem(title): "" for title, data in sources.items() if data is None}
        return {**made, **(self._listed(gone, new) if gone or new else {})}

    def added(self, title: str, source: bytes = NEW) -> Changes:
        """The edit that adds an event that runs some code. Raises WorkspaceError."""
        stem = self._free(title)
        return {f"{stem}{SOURCE}": source, **self._listed({}, [stem])}

    def removed(self, title: str) -> Changes:
        """The edit that removes an event. Raises WorkspaceError."""
        files = dict.fromkeys(self._own(title))
        return {**files, **self._listed({self._stem(title): ""}, [])}

    def copied(self, title: str, other: str, *, moves: bool = False) -> Changes:
        """The edit that copies an event to another, or with ``moves`` moves it. Raises
        WorkspaceError."""
        files = self._own(title)
        stem, there = self._stem(title), self._free(other)
        if any(path.endswith(ASSEMBLY) for path in files):
            raise WorkspaceError(f"{title} is assembly, which can't be copied")
        made: Changes = {there + path.removeprefix(stem): self._view.read(path) for path in files}
        if not moves:
            return {**made, **self._listed({}, [there])}
        return {**made, **dict.fromkeys(files), **self._listed({stem: there}, [])}

    def _title(self, title: str) -> str:
        """The title of an event as it is usually written."""
        stem = self._stem(title)
        return next(each for each, other in self.stems.items() if other == stem)

    def _stem(self, title: str) -> str:
        stem = self._folded.get(title.casefold())
        if stem is None:
            near = did_you_mean(title, self.stems)
            raise WorkspaceError(f"objects of this game have no event {title[:60]!r}{near}")
        return stem

    def _files(self, title: str) -> list[str]:
        stem = self._stem(title)
        inside, own = f"{stem}/", {f"{stem}{SOURCE}", f"{stem}{ASSEMBLY}", f"{stem}.json"}
        return [path for path in self._view.files if path in own or path.startswith(inside)]

    def _own(self, title: str) -> list[str]:
        files = self._files(title)
        if not files:
            raise WorkspaceError(f"the object has no event {title!r}")
        return files

    def _free(self, title: str) -> str:
        if self._files(title):
            raise WorkspaceError(f"the object already has the event {title!r}")
        return self._stem(title)

    def _listed(self, now: Mapping[str, str], new: list[str]) -> Changes:
        """The object's JSON with other stems in its list of events: ``now`` those of some it has
        ("" for none), and ``new`` ones; nothing where it has no such list."""
        path = f"{self._path}/object.json"
        if path not in self._view.files:
            return {}
        data = self._view.read(path)
        value = read_object(data, path)
        words = value.get(_ORDER)
        if not isinstance(words, list):
            return {}
        moved = {old.rpartition("/")[2]: new.rpartition("/")[2] for old, new in now.items()}
        kept = [moved.get(word, word) for word in words]
        value[_ORDER] = [*filter(None, kept), *(stem.rpartition("/")[2] for stem in new)]
        return {path: written_as(value, data)}
