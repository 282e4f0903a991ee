"""All events of an object as one text: each is its code below a line ``#event Key press: left``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from overhaul.errors import OverhaulError, SourceError, WorkspaceError, mistakes_of
from overhaul.workbench.events import Events

#: how the line begins that names an event
HEADER: Final = "#event "


class EventPart(NamedTuple):
    """An event in the text: the ``line`` of its header counts from 1, and ``start`` is where its
    code begins."""

    title: str
    source: str
    line: int
    start: int


class Piece(NamedTuple):
    """The code of an event of a game in the text: its file, and where it begins."""

    path: str
    start: int
    text: str


class Misplaced(WorkspaceError):
    """A line that is wrong in a text of events; it counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.said = message


def joined(sources: Mapping[str, str]) -> str:
    """The text of events, by their titles.  Raises WorkspaceError for code with such headers."""
    for title, source in sources.items():
        if any(line.startswith(HEADER) for line in source.split("\n")):
            raise WorkspaceError(
                f"a line of {title} begins with {HEADER.strip()}: edit it by itself"
            )
    return "\n\n".join(f"{HEADER}{title}\n{source}" for title, source in sources.items()) + "\n"


def divided(text: str) -> list[EventPart]:
    """The events of a text; empty lines at the end of each do not count.  Raises Misplaced."""
    parts: list[EventPart] = []
    seen: dict[str, int] = {}
    lines: list[str] = []
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        at += len(line) + 1
        if not line.startswith(HEADER):
            if not parts and line.strip():
                raise Misplaced(number, f"code stands below a line such as {HEADER}Create")
            lines.append(line)
            continue
        _end(parts, lines)
        title = line.removeprefix(HEADER).strip()
        if title.casefold() in seen:
            first = seen[title.casefold()]
            raise Misplaced(number, f"{title} stands here twice, first in line {first}")
        seen[title.casefold()] = number
        parts.append(EventPart(title, "", number, at))
        lines = []
    _end(parts, lines)
    return parts


def _end(parts: list[EventPart], lines: Iterable[str]) -> None:
    if parts:
        parts[-1] = parts[-1]._replace(source="\n".join(lines).rstrip("\n"))


class Places:
    """Where mistakes of single files are in a text of events."""

    def __init__(self, events: Events, parts: Iterable[EventPart]) -> None:
        self._parts = {events.source(part.title): part for part in parts if part.title in events}

    def of(self, error: OverhaulError) -> list[tuple[int, int, str]]:
        """Line, column and message of each mistake, with its event; zeros where it is elsewhere."""
        mistakes = mistakes_of(error) if isinstance(error, SourceError) else ()
        return [self._place(mistake) for mistake in mistakes] or [(0, 0, str(error))]

    def _place(self, mistake: SourceError) -> tuple[int, int, str]:
        part = next((p for path, p in self._parts.items() if mistake.name.endswith(path)), None)
        if part is None or not mistake.line:
            return 0, 0, str(mistake)
        said = f"{part.title}, line {mistake.line}: {mistake.message}"
        return part.line + mistake.line, mistake.column, said
