"""The page of a code entry: source and assembly, each line linked with those it belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple, cast
from urllib.parse import urlencode

import msgspec

from overhaul.document.registry import load
from overhaul.errors import OverhaulError
from overhaul.findings import Finding
from overhaul.gamemaker.data.code.meanings import FUNCTION, Meaning, meaning
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.code import Code
from overhaul.gamemaker.debug.generate import ShownCode
from overhaul.gml.context import Context
from overhaul.gml.syntax.marking import Piece, pieces
from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.lines import (
    HEAVY,
    LINES,
    CodePiece,
    Line,
    search_href,
    stretch,
    weight,
)
from overhaul.viewer.pages.page_parts import crumb

#: gives the source of code with its places
_SHOWN_CODE = "overhaul.gamemaker.debug.generate:shown_code"
#: how the assets of :meth:`Context.add_asset` are called in the list of resources
_KINDS = {"animation_curve": "animation curve", "particle_system": "particle system"}
#: code entries that the way to another one shows
_STEPS = 4
#: about how many bytes of a page its source takes with the assembly next to it
_WITH_ASSEMBLY = 100_000


class AssemblyLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of assembly text; ``line`` is that of the source it belongs to, or 0."""

    text: str
    line: int = 0


class CodePage(msgspec.Struct, frozen=True):
    """A code entry with what runs it and the functions in it; ``place`` is where ``owner`` does,
    ``place_title`` what people call that.

    Of long code, a part of the lines: ``first`` is the number of the first, ``before`` and
    ``after`` are the addresses of the other parts.  ``with_assembly`` is the address with the
    assembly, where that has no room.
    """

    kind: str
    name: str
    path: str
    size: int | None
    root: Crumb | None
    owner: Crumb | None
    place: str
    place_title: str
    functions: list[Crumb]
    findings: Sequence[Finding]
    source: str
    lines: list[Line]
    assembly: list[AssemblyLine]
    more: int
    files: list[generic.FileShown]
    first: int = 1
    before: str = ""
    after: str = ""
    with_assembly: str = ""


def show_code(asked: Asked) -> CodePage:
    """The page of a code entry; of a function inside another, the whole of that."""
    opened, entry = asked.opened, asked.resource
    game = cast("GameData", opened.document)
    code = code_of(asked)
    root = code.parent
    about = code.owner
    owner = None if about is None else opened.find(about.resource.name, about.resource.kind)
    shown, assembly = shown_of(opened, code)
    context = game.language.context
    marked = list(pieces(shown.source, context.dialect))
    names = CodeNames(opened, context, partial(_entry, opened, game), partial(_href, asked))
    lines = lines_of(marked, shown.source, names)
    declared = declared_in(marked, shown.source)
    below = assembly_lines(shown, assembly, code)
    part = _part_of(asked, lines, below)
    return CodePage(
        kind=entry.kind,
        name=entry.name,
        path=entry.path,
        size=entry.size,
        root=None if root is None else crumb(opened, root.name, "code entry"),
        owner=None if owner is None else Crumb(owner.name, opened.href(owner)),
        place="" if about is None else about.place,
        place_title="" if about is None else about.title,
        functions=[_inner(child.name, declared) for child in (root or code).children],
        findings=shown.findings,
        source=shown.source,
        lines=lines[part.start : part.stop],
        assembly=part.assembly,
        more=max(0, len(lines) - LINES) if asked.json else 0,
        files=[],
        first=part.start + 1,
        before=part.href(part.start) if part.start else "",
        after=part.href(part.stop + 1) if part.stop < len(lines) else "",
        with_assembly="" if part.assembly or not below else part.href(part.start + 1, "1"),
    )


class _Lines(NamedTuple):
    """The part of code that a page shows, with its assembly, and where other lines are shown."""

    start: int
    stop: int
    assembly: list[AssemblyLine]
    href: Callable[..., str]


def _part_of(asked: Asked, lines: list[Line], assembly: list[AssemblyLine]) -> _Lines:
    """All of short code; of long code the part with the line that the query names."""
    query = {key: value for key, value in asked.query.items() if key in ("via", "assembly")}
    address = asked.opened.href(asked.resource)

    def href(line: int, with_assembly: str = "") -> str:
        more = {"assembly": with_assembly} if with_assembly else {}
        return f"{address}?{urlencode({**query, **more, 'line': line}, safe='/')}#L{line}"

    if asked.json:
        return _Lines(0, min(len(lines), LINES), assembly[: 4 * LINES], href)
    size = sum(map(weight, lines))
    if size + 90 * len(assembly) <= HEAVY:
        return _Lines(0, len(lines), assembly, href)
    wanted = "assembly" in asked.query
    start, stop = stretch(lines, _WITH_ASSEMBLY if wanted else HEAVY, asked.number("line") - 1)
    shown = [n for n, each in enumerate(assembly) if start < each.line <= stop] if wanted else []
    below = assembly[shown[0] : shown[-1] + 1][: 4 * LINES] if shown else []
    room = HEAVY // 90
    return _Lines(start, stop, below[:room], href)


def code_of(asked: Asked) -> Code:
    """The code entry of a request."""
    game = cast("GameData", asked.opened.document)
    record = game.records.code.get(asked.resource.name)
    if record is None:
        raise NotThere(f"there is no code entry {asked.resource.name!r}")
    return Code(game, record)


def _inner(name: str, declared: dict[str, int]) -> Crumb:
    """A function inside an entry, with a link to the line that declares it by a name."""
    line = declared.get(name.removeprefix("gml_Script_").partition("@")[0])
    return Crumb(name, f"#L{line}" if line else "")


def declared_in(marked: list[Piece], source: str) -> dict[str, int]:
    """The lines that declare functions, by name."""
    solid = [piece for piece in marked if piece.role not in ("space", "comment")]
    declared: dict[str, int] = {}
    for word, name in pairwise(solid):
        if word.text == "function" and name.role == "name":
            declared.setdefault(name.text, source.count("\n", 0, name.position) + 1)
    return declared


def shown_of(opened: Opened, code: Code) -> tuple[ShownCode, str]:
    """The source of the root of some code with its places, and its assembly; kept."""
    root = code.parent or code

    def make() -> tuple[ShownCode, str]:
        game = cast("GameData", opened.document)
        # start-up: lists need no compiler, which checks the source
        shown: ShownCode = load(_SHOWN_CODE)(game, root.record)
        try:
            assembly = root.assembly
        except OverhaulError as error:
            assembly = f"; {error}"
        return shown._replace(source=shown.source.rstrip("\n")), assembly

    def cost(made: tuple[ShownCode, str]) -> int:
        return 200 + len(made[0].source) + len(made[1]) + 100 * len(made[0].places)

    return opened.remember(("code", root.name), make, cost)


# ------------------------------------------------------------------------------ the way to it


def came_from(asked: Asked) -> list[ListedResource]:
    """The code entries one came from to this one, by their links: ``?via=KEY/KEY``."""
    entry = asked.resource
    entries = asked.opened.listings[entry.slug].entries
    keys = [key for key in asked.query.get("via", "").split("/") if key in entries]
    if entry.key in keys:
        keys = keys[: keys.index(entry.key)]
    return [entries[key] for key in dict.fromkeys(keys)][-_STEPS:]


def _behind(asked: Asked) -> str:
    """The ends of the addresses of code that this one leads to."""
    keys = [resource.key for resource in (*came_from(asked), asked.resource)]
    return f"?{urlencode({'via': '/'.join(keys)}, safe='/')}"


def way(asked: Asked) -> tuple[tuple[Crumb, ...], str]:
    """The way to code: the object, its event, and the code one came from."""
    opened = asked.opened
    before = came_from(asked)
    crumbs, place = _way_of_first(opened, before[0] if before else asked.resource)
    for former in before:
        crumbs.append(Crumb(place or former.name, opened.href(former)))
        place = ""
    return tuple(crumbs), place


def _way_of_first(opened: Opened, entry: ListedResource) -> tuple[list[Crumb], str]:
    """The way to the resource that runs code, and where in it that is."""
    game = cast("GameData", opened.document)
    record = game.records.code.get(entry.name)
    owner = None if record is None else Code(game, record).owner
    way = None
    if owner is not None:
        way = opened.find(owner.resource.name, owner.resource.kind)
    if owner is None or way is None:
        listing = opened.listings[entry.slug]
        return [Crumb(listing.title, f"{opened.prefix}/{listing.slug}")], ""
    return list(generic.way_of(opened, way)), owner.title


# ----------------------------------------------------------------------------- the source


class CodeNames:
    """The meaning of names in code; each is looked up once.

    ``entry_of`` gives the resource of a meaning, None where it has no page; ``href_of`` its
    address, where that is another than usual.
    """

    def __init__(
        self,
        opened: Opened,
        context: Context,
        entry_of: Callable[[Meaning], ListedResource | None],
        href_of: Callable[[ListedResource], str] | None = None,
    ) -> None:
        self.opened = opened
        self.context = context
        self.entry_of = entry_of
        self.href_of = href_of or opened.href
        self._known: dict[str, CodePiece] = {}

    def __getitem__(self, name: str) -> CodePiece:
        if name not in self._known:
            self._known[name] = self._part(name)
        return self._known[name]

    def _part(self, name: str) -> CodePiece:
        """A name: a link to what it stands for, or to all places where it is written."""
        opened = self.opened
        meant = meaning(self.context, name)
        if meant is None:
            return CodePiece(name, "variable", search_href(opened, name), f"all uses of {name}")
        entry = self.entry_of(meant)
        if entry is None:
            return CodePiece(name, meant.kind.replace(" ", "-"), "", meant.about)
        picture = ""
        if entry.kind in ("sprite", "background"):
            picture = opened.href(entry, "thumbnail.png")
        return CodePiece(name, "resource", self.href_of(entry), meant.about, picture)


def lines_of(marked: list[Piece], source: str, names: CodeNames) -> list[Line]:
    """The lines of a source, names as links."""
    folds = _folds(marked, source)
    lines: list[list[CodePiece]] = [[]]
    for piece in marked:
        if piece.role == "name":
            lines[-1].append(names[piece.text])
            continue
        role = "" if piece.role == "space" else piece.role
        for number, text in enumerate(piece.text.split("\n")):
            if number:
                lines.append([])
            if text:
                lines[-1].append(CodePiece(text, role))
    return [Line(n, parts, folds.get(n, 0)) for n, parts in enumerate(lines, 1)]


def code_lines(opened: Opened, code: Code) -> list[Line]:
    """The lines of a root entry's source, for a page that shows others too."""
    game = cast("GameData", opened.document)
    context = game.language.context
    source = code.gml.rstrip("\n")
    names = CodeNames(opened, context, partial(_entry, opened, game))
    return lines_of(list(pieces(source, context.dialect)), source, names)


def _href(asked: Asked, entry: ListedResource) -> str:
    """The address of a resource; that of other code says where one came from."""
    href = asked.opened.href(entry)
    return href + _behind(asked) if entry.kind == "code entry" and entry != asked.resource else href


def _entry(opened: Opened, game: GameData, meant: Meaning) -> ListedResource | None:
    if meant.kind == FUNCTION:
        record = game.records.code.get(meant.name)
        if record is not None and record.root is not None:
            return opened.find(str(record.root.name), "code entry")
        return opened.find(meant.name, "code entry")
    return opened.find(meant.name, _KINDS.get(meant.kind, meant.kind)) if meant.name else None


def _folds(marked: list[Piece], source: str) -> dict[int, int]:
    """The blocks in braces of more than two lines: first line -> last line."""
    starts = [0, *(at + 1 for at, char in enumerate(source) if char == "\n")]
    waiting: list[int] = []
    folds: dict[int, int] = {}
    for piece in marked:
        if piece.role not in ("operator", "keyword") or piece.text not in ("{", "}"):
            continue
        line = bisect_right(starts, piece.position)
        if piece.text == "{":
            waiting.append(line)
        elif waiting:
            first = waiting.pop()
            if line - first > 1:
                folds[first] = max(folds.get(first, 0), line)
    return folds


# ----------------------------------------------------------------------------- the assembly


def assembly_lines(shown: ShownCode, assembly: str, code: Code) -> list[AssemblyLine]:
    """The lines of assembly text, each with the line of the source that the debugger's map gives
    its instruction."""
    starts = [0, *(at + 1 for at, char in enumerate(shown.source) if char == "\n")]
    offsets = iter((code.parent or code).symbolic.offsets())
    firsts = [offset for offset, _ in shown.places]
    lines = []
    for text in assembly.splitlines():
        line = 0
        if is_instruction(text):
            offset = next(offsets, None)
            at = 0 if offset is None else bisect_right(firsts, offset)
            if at:
                line = bisect_right(starts, shown.places[at - 1][1])
        lines.append(AssemblyLine(text, line))
    return lines


def is_instruction(text: str) -> bool:
    """Whether a line of assembly text is an instruction."""
    return bool(text.strip()) and not text.startswith((".", ":", ">", ";"))


CODE = Page(show_code, "code.html", {"files": generic.file_part}, way=way, slow=True)
