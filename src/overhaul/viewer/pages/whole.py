"""Resources as a whole: added, renamed, duplicated, removed, and copied from another open game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec

from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.findings import Finding, Findings
from overhaul.mods.building import view_of
from overhaul.mods.comparing import compare
from overhaul.mods.view import FileView
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.compare import ChangeLink, difference_page
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.generic import way_of
from overhaul.viewer.pages.steps import page_of_file
from overhaul.viewer.writing import Writer, must_write
from overhaul.workbench import FolderBench, resources

#: differences that a preview lists
_LISTED = 200
#: the changes shown before it is done
_SHOWN_FIRST = ("rename", "remove")


class Other(msgspec.Struct, frozen=True):
    """Another open game that a resource can be copied into: its number, from 1."""

    number: int
    title: str


class WholePage(msgspec.Struct, frozen=True):
    """The actions on a whole resource.

    With ``do``, what that would change: ``changes``, with ``more`` that are not listed, and
    ``findings``; ``problem``: why it can't be done; ``accept``: it is possible if numbers in
    code do not change. ``text_names``: code is kept as text, and can get the new name. ``where``
    is the end of the address of its page, of its ``slug`` and ``key``; ``everything`` was
    chosen, to be copied into the file of number ``to``.
    """

    kind: str
    name: str
    new: str
    do: str
    changes: list[ChangeLink]
    more: int
    findings: Sequence[Finding]
    problem: str
    accept: bool
    rewrite: bool
    text_names: bool
    others: list[Other]
    why: str
    where: str
    slug: str
    key: str
    everything: bool
    to: int


class AddPage(msgspec.Struct, frozen=True):
    """The kinds whose resources can be added, with a note each."""

    kinds: list[tuple[str, str]]
    kind: str
    name: str
    problem: str
    why: str


class _Wish(NamedTuple):
    do: str
    name: str
    accept: bool
    rewrite: bool
    sure: bool
    everything: bool = False
    to: int = 0


class _Plan(NamedTuple):
    """The changes of a wish, what its step is called, a file to show afterwards, and what can't
    follow."""

    changes: resources.Changes
    label: str
    path: str
    findings: Findings


def show_whole(asked: Asked) -> Answer:
    """``/-/whole/sprites/spr_player``; a POST (``do``, ``name``) shows what renaming or removing
    changes, or with ``sure`` does it."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    if opened.writer is None:
        raise NotThere("this file can't be edited")
    if asked.method != "POST":
        return _shown(asked, entry)
    given = form_of(asked.body)
    wish = _Wish(
        given.get("do", ""), given.get("name", ""), bool(given.get("accept")),
        bool(given.get("rewrite")), bool(given.get("sure")),
    )  # fmt: skip
    try:
        return _done(asked, entry, must_write(opened.writer), wish)
    except OverhaulError as error:
        return _shown(asked, entry, wish, problem=str(error), status=422)


def _done(asked: Asked, entry: ListedResource, writer: Writer, wish: _Wish) -> Answer:
    opened = asked.opened
    view = FileView(opened.document) if writer.place else writer.bench.view
    changes, label, path, findings = _changes(view, entry, wish)
    if wish.do in _SHOWN_FIRST and not wish.sure:
        return _previewed(asked, entry, writer, wish, changes, findings)
    if isinstance(writer.bench, FolderBench) and wish.do in _SHOWN_FIRST:
        built = writer.bench.preview(_placed(writer, changes), rewrite=wish.rewrite)
        changes = resources.spread(writer.bench.view, built, writer.bench.source)
    others = entry.slug if len(opened.listing(entry.slug).entries) > 1 else ""
    writer.step(changes, label, accept=wish.accept, rewrite=wish.rewrite, findings=findings)
    if path:
        return Moved(page_of_file(opened.root, writer.place + path))
    return Moved(f"{opened.prefix}/{others}")


def _placed(writer: Writer, changes: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
    return {writer.place + path: data for path, data in changes.items()}


def _changes(view: FileView, entry: ListedResource, wish: _Wish) -> _Plan:
    if view.format.edits_files:
        return _in_project(view, entry, wish)
    unit = resources.unit_of(view, entry.path)
    if wish.do == "remove":
        return _Plan(resources.removed(view, unit), f"Remove {entry.name}", "", Findings())
    makes = {"rename": resources.renamed, "duplicate": resources.duplicated}
    if wish.do not in makes:
        raise NotThere("that can not be done with a resource")
    changes = makes[wish.do](view, unit, wish.name)
    path = next((path for path, data in changes.items() if data is not None), "")
    label = f"{wish.do.capitalize()} {entry.name}: {wish.name.strip()}"
    return _Plan(changes, label, path, Findings())


def _in_project(view: FileView, entry: ListedResource, wish: _Wish) -> _Plan:
    """The changes of a wish in a project of GameMaker's editor, whose library follows all uses."""
    if wish.do not in ("rename", "duplicate", "remove"):
        raise NotThere("that can not be done with a resource")
    new = wish.name.strip()
    changes, findings = view.format.changes_of(view.reopen(), wish.do, entry.kind, entry.name, new)
    if wish.do == "remove":
        return _Plan(dict(changes), f"Remove {entry.name}", "", findings)
    made = [path for path, data in changes.items() if data is not None]
    path = next((path for path in made if path.rpartition("/")[2].startswith(f"{new}.")), made[0])
    return _Plan(dict(changes), f"{wish.do.capitalize()} {entry.name}: {new}", path, findings)


def _previewed(
    asked: Asked,
    entry: ListedResource,
    writer: Writer,
    wish: _Wish,
    changes: Mapping[str, bytes | None],
    findings: Findings,
) -> DataPage:
    """The changes of a wish, before it is done."""
    bench = writer.bench
    placed = _placed(writer, changes)
    try:
        built = bench.preview(placed, accept=wish.accept, rewrite=wish.rewrite)
    except WorkspaceError as error:
        if wish.accept:
            raise
        built = bench.preview(placed, accept=True, rewrite=wish.rewrite)
        found = Findings([*findings, *built.findings])
        return _shown(asked, entry, wish, problem=str(error), built_findings=found)
    made = view_of(built, bench.source)
    page = difference_page(compare(bench.view, made))
    found = Findings([*findings, *built.findings])
    return _shown(asked, entry, wish, changes=page.changes, built_findings=found)


def _shown(
    asked: Asked,
    entry: ListedResource,
    wish: _Wish | None = None,
    *,
    changes: list[ChangeLink] | None = None,
    built_findings: Findings | None = None,
    problem: str = "",
    status: int = 200,
) -> DataPage:
    opened = asked.opened
    listed = changes or []
    documents = asked.site.documents
    page = WholePage(
        entry.kind,
        entry.name,
        "" if wish is None else wish.name,
        "" if wish is None else wish.do,
        listed[:_LISTED],
        max(0, len(listed) - _LISTED),
        built_findings or [],
        problem,
        bool(built_findings is not None and problem),
        wish is not None and wish.rewrite,
        opened.document.kind == "gamemaker-project",
        [
            Other(number, other.title)
            for number, other in enumerate(documents, 1)
            if opened.parent is None
            and not opened.is_project
            and other is not opened.root
            and other.document.kind == opened.document.kind
        ],
        "" if opened.writer is None else opened.writer.why,
        opened.own_path(entry).removeprefix("/"),
        entry.slug,
        entry.key,
        wish is not None and wish.everything,
        0 if wish is None else wish.to,
    )
    title = f"Rename, duplicate, remove {entry.name}"
    way = way_of(opened, entry)
    return DataPage("whole.html", page, title, way, "Rename, duplicate, remove", status)


# ----------------------------------------------------------------------------------- add and copy


def show_add(asked: Asked) -> Answer:
    """``/-/add?kind=sprite``; a POST (``kind``, ``name``) adds a resource."""
    opened = asked.opened
    if opened.writer is None:
        raise NotThere("this file can't be edited")
    view = FileView(opened.document) if opened.writer.place else opened.writer.bench.view
    kinds = list(resources.kinds_to_add(view).items())
    given = form_of(asked.body) if asked.method == "POST" else {}
    kind, name = given.get("kind", asked.query.get("kind", "")), given.get("name", "")
    page = AddPage(kinds, kind, name, "", opened.writer.why)
    if asked.method != "POST":
        return DataPage("add.html", page, "Add a resource")
    try:
        changes = resources.added(view, kind, name)
        must_write(opened.writer).step(changes, f"Add {name.strip()}")
    except OverhaulError as error:
        page = msgspec.structs.replace(page, problem=str(error))
        return DataPage("add.html", page, "Add a resource", status=422)
    return Moved(page_of_file(opened.root, opened.writer.place + next(iter(changes))))


def copy_into(asked: Asked) -> Answer:
    """``POST /1/-/copy``: a resource (``slug``, ``key``) of one open game is copied into another:
    ``from`` and ``to`` are their numbers.

    The address is that of the first of both, as locks are taken in their order.
    """
    if asked.method != "POST":
        raise NotThere("this address only takes POST")
    given = form_of(asked.body)
    documents = asked.site.documents
    source, target = (_numbered(documents, given.get(name, "")) for name in ("from", "to"))
    if source is target or asked.opened.root not in (source, target):
        raise NotThere("a resource is copied from one open game into another")
    if documents.index(asked.opened.root) > min(map(documents.index, (source, target))):
        raise NotThere("the address is that of the first of both games")
    second = target if asked.opened.root is source else source
    with second.lock:
        entry = source.entry(given.get("slug", ""), given.get("key", ""))
        view = source.bench.view if source.bench is not None else FileView(source.document)
        writer = must_write(target.writer)
        try:
            changes, findings = resources.copied(
                view,
                writer.bench.view,
                resources.unit_of(view, entry.path),
                everything=bool(given.get("everything")),
                name=given.get("name", ""),
            )
            step = writer.step(changes, f"Copy {entry.name} from {source.title}", findings=findings)
        except OverhaulError as error:
            page = _shown(
                Asked(asked.site, source),
                entry,
                _Wish(
                    "copy", given.get("name", ""), False, False, False,
                    bool(given.get("everything")), documents.index(target) + 1,
                ),
                problem=str(error),
                status=422,
            )  # fmt: skip
            return replace(page, opened=source)
        if step.findings:
            return Moved(f"{target.prefix}/-/steps/{step.id}")
        return Moved(page_of_file(target, next(iter(changes))))


def _numbered(documents: list[Opened], text: str) -> Opened:
    if text.isascii() and text.isdigit() and 0 < int(text[:6]) <= len(documents):
        return documents[int(text[:6]) - 1]
    raise NotThere("there is no such file open")


def whole_href(opened: Opened, entry: ListedResource) -> str:
    """Where a resource is renamed, duplicated or removed."""
    return f"{opened.prefix}/-/whole{opened.own_path(entry)}"


def add_href(opened: Opened, kind: str) -> str:
    """Where a resource of a kind is added; "" where that is not possible."""
    known = folder_format_of(opened.document.kind)
    if opened.writer is None or opened.writer.why:
        return ""
    if kind not in known.additions.kinds(opened.document):
        return ""
    return f"{opened.prefix}/-/add?{urlencode({'kind': kind})}"
