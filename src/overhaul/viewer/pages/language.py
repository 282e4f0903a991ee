"""The questions of the code editor while somebody types: ``POST /-/language/WHAT?path=PATH``.

The body is JSON: the ``text`` of the editor, and an ``offset`` in it, in units of UTF-16 as in a
browser.  The answers are JSON with such offsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar
from urllib.parse import urlencode

import msgspec

from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.findings import Findings
from overhaul.language.answers import Diagnostic, Parameter, Proposal, Rules, Span
from overhaul.language.edits import after_edits, applied
from overhaul.language.texts import LONGEST, Lines
from overhaul.viewer.answers import Asked, Media
from overhaul.viewer.languages import LANGUAGES, Asking, asking, workspace_of
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages import late
from overhaul.viewer.pages.lines import search_href
from overhaul.viewer.writing import must_write
from overhaul.workbench.eventtexts import Misplaced, Piece

S = TypeVar("S", bound=msgspec.Struct)

#: how the path of a text of all events begins
EVENTS: Final = "events of "
#: the most places that an answer lists
_MOST: Final = 500
#: roles that a name may have in one piece of code and not in another
_OWN: Final = (None, "local", "parameter")
_COLOURED: Final = frozenset(
    ("asset", "builtin", "function", "constant", "type", "local", "parameter", "keyword")
)


class Question(msgspec.Struct):
    """The editor's request; ``name`` is a new one."""

    text: str
    offset: int = 0
    name: str = ""


class EditorSettings(msgspec.Struct, frozen=True):
    """The settings of a file's editor. ``entry`` is the page of the resource."""

    rules: Rules
    path: str
    language: str
    entry: str


class Checked(msgspec.Struct, frozen=True):
    """Mistakes and doubts, and what the names in the text are, where they are more than
    variables."""

    diagnostics: list[Diagnostic]
    names: dict[str, str]


class Completed(msgspec.Struct, frozen=True):
    """The names that may stand at a place."""

    start: int
    end: int
    items: list[Proposal]


class Hovered(msgspec.Struct, frozen=True):
    """The description of a name; empty without ``code``."""

    code: str = ""
    about: str = ""
    start: int = 0
    end: int = 0


class Called(msgspec.Struct, frozen=True):
    """A call whose arguments are written; none without ``text``."""

    text: str = ""
    parameters: list[Parameter] = []
    active: int = 0
    about: str = ""


class Location(msgspec.Struct, frozen=True):
    """A place in a file: ``where`` names it, ``line`` is the text there; ``own``: in the text that
    is edited."""

    where: str
    line: str
    href: str
    own: bool
    start: int
    end: int


class Places(msgspec.Struct, frozen=True):
    """Places of a name; ``more``: where the whole game is searched, if these may not be all."""

    places: list[Location]
    more: str = ""


class Laid(msgspec.Struct, frozen=True):
    """A text before and after its layout."""

    before: str
    text: str


class RenamableName(msgspec.Struct, frozen=True):
    """A name that can be renamed."""

    name: str


class Renamed(msgspec.Struct, frozen=True):
    """A rename that became a step: the page of the text now, the places that may mean it too."""

    href: str
    title: str
    places: list[Location]


class Refused(msgspec.Struct, frozen=True):
    """The reason why there is no answer."""

    message: str


class Units:
    """Offsets of a text in units of UTF-16, as browsers count, and in characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._plain = text.isascii() or max(text, default="") < "\U00010000"

    def shown(self, offset: int) -> int:
        """An offset for the browser."""
        if self._plain:
            return offset
        return len(self.text[:offset].encode("utf-16-le", "surrogatepass")) // 2

    def read(self, offset: int) -> int:
        """An offset of the browser."""
        if self._plain:
            return max(0, min(offset, len(self.text)))
        data = self.text.encode("utf-16-le", "surrogatepass")[: 2 * max(offset, 0)]
        return len(data.decode("utf-16-le", "replace"))


def answer(asked: Asked) -> Media:
    """``POST /-/language/WHAT?path=PATH``."""
    if asked.method != "POST" or asked.rest not in (*_ANSWERS, "rename"):
        raise NotThere("there is no such question")
    if len(asked.body) > LONGEST:
        return _json(Refused("the text is too long"))
    try:
        question = msgspec.json.decode(asked.body, type=Question)
    except msgspec.DecodeError as error:
        return _json(Refused(f"the question is not understood: {error}"))
    opened, path = asked.opened, asked.query.get("path", "")
    if path.startswith(EVENTS):
        try:
            return _json(_in_events(opened, path, asked.rest, question))
        except OverhaulError as error:
            return _json(Refused(str(error)))
    with asking(opened, path, question.text) as about:
        units = Units(about.text)
        offset = units.read(question.offset)
        try:
            if asked.rest == "rename":
                return _json(_rename(opened, about, offset, question.name))
            return _json(_ANSWERS[asked.rest](opened, about, offset, units))
        except OverhaulError as error:
            return _json(Refused(str(error)))


def _json(data: msgspec.Struct) -> Media:
    plain = msgspec.to_builtins(data)
    if isinstance(data, Refused):
        plain = {"refused": data.message, **plain}
    return Media(msgspec.json.encode(_clean(plain)), "application/json", keep=False)


def _clean(value: object) -> object:
    """A value without halves of characters, which JSON can't have."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _clean(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value


# -- the answers ---------------------------------------------------------------------------------


def _check(opened: Opened, about: Asking, offset: int, units: Units) -> Checked:
    found = about.language.diagnostics(about.path)
    names: dict[str, str] = {}
    for token in about.language.tokens(about.path):
        if token.role in _COLOURED:
            name = about.text[token.start : token.end]
            if names.get(name, "local") in ("local", "parameter"):
                names[name] = token.role
    shown = [
        msgspec.structs.replace(
            mistake, start=units.shown(mistake.start), end=units.shown(mistake.end)
        )
        for mistake in found
    ]
    return Checked(shown, names)


def _complete(opened: Opened, about: Asking, offset: int, units: Units) -> Completed:
    found = about.language.completion(about.path, offset)
    return Completed(units.shown(found.start), units.shown(found.end), found.items)


def _hover(opened: Opened, about: Asking, offset: int, units: Units) -> Hovered:
    found = about.language.hover(about.path, offset)
    if found is None:
        return Hovered()
    return Hovered(found.code, found.about, units.shown(found.start), units.shown(found.end))


def _signature(opened: Opened, about: Asking, offset: int, units: Units) -> Called:
    found = about.language.signature(about.path, offset)
    if found is None:
        return Called()
    return Called(found.text, found.parameters, found.active, found.about)


def _define(opened: Opened, about: Asking, offset: int, units: Units) -> Places:
    return Places(_places(opened, about, about.language.definitions(about.path, offset), units))


def _uses(opened: Opened, about: Asking, offset: int, units: Units) -> Places:
    found = about.language.references(about.path, offset)
    texts = about.workspace.texts
    all_read = all(texts.is_quick(path) for path in texts.paths() if path.endswith(LANGUAGES))
    more = ""
    if not all_read or len(found) > _MOST:
        span = next((use for use in found if use.path == about.path), None)
        name = about.text[span.start : span.end] if span is not None else ""
        more = search_href(opened, name) if name else ""
    return Places(_places(opened, about, found[:_MOST], units), more)


def _places(opened: Opened, about: Asking, spans: Iterable[Span], units: Units) -> list[Location]:
    known: dict[str, Lines] = {}
    places = []
    for span in spans:
        if span.path not in known:
            known[span.path] = Lines(about.workspace.texts.read(span.path))
        lines = known[span.path]
        number = lines.place(span.start)[0]
        entry = opened.entry_at(span.path)
        own = span.path == about.path
        there = units if own else Units(lines.text)
        start, end = there.shown(span.start), there.shown(span.end)
        name = span.path if entry is None else entry.name
        href = "" if own or entry is None else _href(opened, entry, span.path, number + 1, start)
        line = lines.line(number).strip()[:200]
        places.append(Location(f"{name}:{number + 1}", line, href, own, start, end))
    return places


def _href(opened: Opened, entry: ListedResource, path: str, line: int, start: int) -> str:
    """Where a place of another file is shown: in its editor, or on its page."""
    if entry.kind == "code entry" and path.endswith(LANGUAGES):
        return f"{opened.prefix}/-/edit{opened.own_path(entry)}#at-{start}"
    if path.endswith(LANGUAGES):
        return f"{opened.prefix}/-/file?{urlencode({'path': path})}#at-{start}"
    return f"{opened.href(entry)}#L{line}"


def _format(opened: Opened, about: Asking, offset: int, units: Units) -> Laid:
    edits = about.language.format(about.path)
    return Laid(about.text, applied(about.text, edits))


def _name(opened: Opened, about: Asking, offset: int, units: Units) -> RenamableName:
    span = about.language.renameable(about.path, offset)
    return RenamableName("" if span is None else about.text[span.start : span.end])


def _rename(opened: Opened, about: Asking, offset: int, new: str) -> Renamed:
    """Give a name another one in all files: a step.  Raises what makes it impossible."""
    writer = must_write(opened.writer)
    texts = about.texts
    old = about.language.renameable(about.path, offset)
    name = "" if old is None else about.text[old.start : old.end]
    saved = writer.read(about.path).decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if saved.rstrip("\n") != about.text.rstrip("\n"):
        raise WorkspaceError("the text is not saved: save it, then rename")
    texts.drop(about.path)

    def prove(contents: Mapping[str, bytes | None]) -> Findings:
        if not contents:
            return Findings()
        changes = {writer.place + path: data for path, data in contents.items()}
        return writer.bench.preview(changes).findings

    made = about.language.rename(about.path, offset, new, prove)
    contents = after_edits(texts, made.edits, made.moves)
    doubts = [
        Location(f"{doubt.path}:{doubt.line}" if doubt.path else "", doubt.text, "", False, 0, 0)
        for doubt in made.doubts
    ]
    writer.step(contents, f"Rename {name} to {new}")
    moved = {move.path: move.to for move in made.moves}
    entry = opened.entry_at(moved.get(about.path, about.path))
    href = "" if entry is None else _href(opened, entry, moved.get(about.path, about.path), 1, 0)
    title = f"{new}: these places may mean it too, and stay as they are" if doubts else ""
    return Renamed(href, title, doubts)


_ANSWERS: Final[dict[str, Callable[[Opened, Asking, int, Units], msgspec.Struct]]] = {
    "check": _check,
    "complete": _complete,
    "hover": _hover,
    "signature": _signature,
    "define": _define,
    "uses": _uses,
    "format": _format,
    "name": _name,
}


# -- all events of an object in one text -----------------------------------------------------------


def _in_events(opened: Opened, path: str, what: str, question: Question) -> msgspec.Struct:
    """The answer about a text of events: each event is asked about by itself."""
    text = question.text.replace("\r\n", "\n")
    whole = Units(text)
    try:
        pieces: list[Piece] = late("gamemaker.allevents:pieces_of")(opened, path, text)
    except Misplaced as error:
        start = sum(len(line) + 1 for line in text.split("\n")[: error.line - 1])
        end = whole.shown(start + len(text[start:].partition("\n")[0]))
        wrong = Diagnostic("error", error.said, error.line, 1, whole.shown(start), end)
        return Checked([wrong], {}) if what == "check" else Refused(str(error))
    if what == "check":
        return _check_all(opened, pieces, whole)
    offset = whole.read(question.offset)
    piece = next((p for p in pieces if p.start <= offset <= p.start + len(p.text)), None)
    if piece is None or what in ("format", "name", "rename"):
        return Refused("this is done in the editor of one event")
    with asking(opened, piece.path, piece.text) as about:
        found = _ANSWERS[what](opened, about, offset - piece.start, Units(piece.text))
    return _shifted(found, whole.shown(piece.start))


def _check_all(opened: Opened, pieces: Iterable[Piece], whole: Units) -> Checked:
    diagnostics: list[Diagnostic] = []
    names: dict[str, str] = {}
    for piece in pieces:
        with asking(opened, piece.path, piece.text) as about:
            found = _check(opened, about, 0, Units(piece.text))
        by = whole.shown(piece.start)
        above = whole.text.count("\n", 0, piece.start)
        for each in found.diagnostics:
            moved = _shifted(each, by)
            diagnostics.append(msgspec.structs.replace(moved, line=each.line + above))
        names |= {name: role for name, role in found.names.items() if names.get(name) in _OWN}
    return Checked(diagnostics, names)


def _shifted(it: S, by: int) -> S:
    """An answer with its offsets in the text around."""
    if isinstance(it, Places):
        there = [_shifted(each, by) if each.own else each for each in it.places]
        return msgspec.structs.replace(it, places=there)
    if isinstance(it, Completed | Hovered | Location | Diagnostic):
        return msgspec.structs.replace(it, start=it.start + by, end=it.end + by)
    return it


# -- the page ------------------------------------------------------------------------------------


def settings_of(opened: Opened, path: str, entry: str) -> EditorSettings | None:
    """The settings of the editor of a plain file; None for a file without a language."""
    language = workspace_of(opened).language_of(path) if path.endswith(LANGUAGES) else None
    if language is None:
        return None
    return EditorSettings(language.rules(), path, f"{opened.prefix}/-/language", entry)


def editor_of(opened: Opened, path: str, entry: str) -> str:
    """The same as JSON; "" for a file without a language."""
    settings = settings_of(opened, path, entry)
    return "" if settings is None else msgspec.json.encode(settings).decode()
