"""The fields of a JSON file as a form: one page for every kind of resource of every family."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

import msgspec

from overhaul.document.hints import ANY, Hint, of_record
from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError, PlainFileError, WorkspaceError
from overhaul.folder.json_fields import read_json
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.conflicts import both_edits
from overhaul.viewer.pages.edit import FIELDS, form_of
from overhaul.viewer.pages.files import LARGEST, href_of, path_after, paths_next_to, read
from overhaul.viewer.pages.generic import is_fields
from overhaul.viewer.writing import must_write
from overhaul.workbench import forms
from overhaul.workbench.bench import NothingChanged, StaleEdit
from overhaul.workbench.journal import digest_of

#: names of one kind that a page has for completion; of more, those are asked for that fit
NAMES = 150
_STEP = re.compile(r"\[(\d+)\]|([^.\[]+)")
_OPERATIONS = ("add", "duplicate", "remove", "up", "down")


class NameList(msgspec.Struct, frozen=True):
    """The names of a kind of resource, for completion; ``all``: the list is complete."""

    kind: str
    names: list[str]
    all: bool


class FormPage(msgspec.Struct, frozen=True):
    """The fields of a file, or of what the pointer ``at`` leads to in it.

    ``type`` is ``object``, ``list`` or ``value``; the elements or fields from ``first`` on are
    shown, of ``count``.  ``before`` is the digest of the file.  ``problem`` is why the form was not
    taken, ``why`` why it can't be edited; ``raw`` is where the file is edited as text, ``page`` its
    page, ``outer`` the form of what is around, ``action`` where it is sent.
    """

    path: str
    at: str
    type: str
    fields: list[forms.FormField]
    first: int
    count: int
    previous: str
    next: str
    before: str
    names: list[NameList]
    problem: str
    why: str
    raw: str
    page: str
    outer: str
    outcome: str
    action: str


class Sent(NamedTuple):
    """The contents of a form: texts and boxes by pointer, the button, the digest of the file,
    and whether it stood in the page of the resource."""

    typed: dict[str, str]
    ticked: dict[str, list[str]]
    do: str
    before: str
    back: bool = False


class _File(NamedTuple):
    path: str
    data: bytes
    value: object
    hint: Hint


def show_form(asked: Asked) -> Answer:
    """``/-/form?path=PATH&at=POINTER&from=N``; a POST is a step."""
    opened = asked.opened
    path, at = asked.query.get("path", ""), asked.query.get("at", "")
    file = _read(opened, path)
    try:
        forms.value_at(file.value, at)
    except WorkspaceError as error:
        raise NotThere(str(error)) from error
    if asked.method != "POST":
        return _shown(asked, _page(asked, file, at))
    sent, outcome, known = sent_in(asked.body), "made", paths_next_to(opened, path)
    try:
        _take(opened, file, sent, form_of(asked.body))
    except StaleEdit:
        raise
    except NothingChanged:
        outcome = "same"
    except forms.Mistyped as error:
        return _refused(asked, file, at, sent, {error.pointer: str(error)}, str(error))
    except OverhaulError as error:
        return _refused(asked, file, at, sent, problems_of(error, path, opened), str(error))
    now = path_after(opened, path, known)
    if not now:
        return Moved(f"{opened.prefix}/")
    entry = opened.entry_at(now)
    if sent.back and sent.do == "save" and entry is not None:
        return Moved(opened.href(entry))
    first = asked.query.get("from", "")
    return Moved(f"{form_href(opened, now, at, first)}&saved={outcome}")


def page_of_file(asked: Asked, path: str) -> FormPage:
    """The fields of a file, for another page that shows them."""
    return _page(asked, _read(asked.opened, path), "")


def form_href(opened: Opened, path: str, at: str = "", first: str = "") -> str:
    """Where the fields of a file are edited."""
    query = {"path": path, "at": at, "from": first}
    return f"{opened.prefix}/-/form?{urlencode({k: v for k, v in query.items() if v})}"


def form_of_entry(opened: Opened, entry: ListedResource) -> str:
    """Where the fields of a resource are edited; "" where it has none."""
    file = next((file for file in opened.files_of(entry) if is_fields(entry, file)), None)
    if file is None or opened.writer is None:
        return ""
    sharing = opened.sharing(entry)
    at = ""
    if sharing > 1 or entry.path != file.path:
        at = _part_at(read_json(file.read(), file.path), entry, sharing)
    return form_href(opened, file.path, at)


def _part_at(value: object, entry: ListedResource, sharing: int) -> str:
    """The pointer to the part of a file that is about one of the resources that it lists."""
    if isinstance(value, dict):
        if sharing > 1 and entry.name in value:
            return forms.pointer_to(entry.name)
        lists = [key for key, each in value.items() if isinstance(each, list | dict)]
        if sharing > 1 and len(lists) == 1:
            return forms.pointer_to(lists[0]) + _part_at(value[lists[0]], entry, sharing)
    if isinstance(value, list) and sharing > 1 and len(value) == sharing:
        return forms.pointer_to(entry.position)
    return ""


# --------------------------------------------------------------------------------------- reading


def _read(opened: Opened, path: str) -> _File:
    if not path.endswith(".json"):
        raise NotThere(f"{path!r} has no fields")
    data = read(opened, path)
    if len(data) > LARGEST:
        raise NotThere(f"{path} is too large to be edited here; unpack the game for that")
    return _File(path, data, read_json(data, path), hint_of(opened, path))


def hint_of(opened: Opened, path: str) -> Hint:
    """The values that a JSON file can have, as far as its format declares them."""
    document = opened.document
    known = folder_format_of(document.kind)
    said = known.fields.hint(document, path)
    if said is not None:
        return said
    declared = known.fields.declared(document, path)
    if declared is not None:
        return of_record(*declared, known.fields.reference_kinds(document))
    named = {
        key: (Hint("name", kind=kind, empty=True), None)
        for key, kind in known.fields.named_fields(path).items()
    }
    return Hint("object", record=lambda: named) if named else ANY


def _form(opened: Opened, path: str) -> forms.Form:
    known = folder_format_of(opened.document.kind)

    def kind_of(name: str) -> str:
        entry = opened.find(name)
        return "" if entry is None or len(name) < 2 else entry.kind

    def fixed(key: str) -> bool:
        return known.meaning.fixed(path, key)

    return forms.Form(kind_of, fixed)


def sent_in(body: bytes) -> Sent:
    """The contents of a form. Raises WorkspaceError for one of too many fields."""
    text = body.decode("utf-8", "replace")
    if text.count("&") >= FIELDS:
        raise WorkspaceError(f"a form of more than {FIELDS} fields was sent")
    given = parse_qs(text, keep_blank_values=True)
    typed = {key[2:]: values[0] for key, values in given.items() if key.startswith("f:")}
    ticked: dict[str, list[str]] = {key[2:]: [] for key in given if key.startswith("t:")}
    for key, values in given.items():
        if key.startswith("k:") and key[2:] in ticked:
            ticked[key[2:]] = values
    do, before = given.get("do", ["save"])[-1], given.get("before", [""])[0]
    return Sent(typed, ticked, do, before, "back" in given)


def _take(opened: Opened, file: _File, sent: Sent, given: Mapping[str, str]) -> None:
    """Make a step of what was sent."""
    writer = must_write(opened.writer)
    do, _, pointer = sent.do.partition(":")
    label = f"Edit {file.path}"
    if do in _OPERATIONS:
        label = f"{do.capitalize()} {pointer.lstrip('/') or 'an element'} in {file.path}"

    def edit(old: object) -> object:
        made = forms.taken(old, file.hint, sent.typed, sent.ticked)
        return forms.with_element(made, pointer, do, file.hint) if do in _OPERATIONS else made

    value = both_edits(writer, file.path, file.data, given, edit)
    if value == file.value and str(value) == str(file.value):
        raise NothingChanged("nothing was changed")
    data = forms.written_as(value, file.data)
    writer.step({file.path: data}, label, before={file.path: digest_of(file.data)})


def problems_of(error: OverhaulError, path: str, opened: Opened) -> dict[str, str]:
    """The fields of a file that packing refuses."""
    place = "" if opened.writer is None else opened.writer.place
    if not isinstance(error, PlainFileError) or error.file.removeprefix(place) != path:
        return {}
    steps = [m[1] if m[1] else m[2] for m in _STEP.finditer(error.key)]
    return {forms.pointer_to(*steps): error.message} if steps else {}


# --------------------------------------------------------------------------------------- showing


def _shown(asked: Asked, page: FormPage, status: int = 200) -> DataPage:
    entry = asked.opened.entry_at(page.path)
    crumbs: tuple[Crumb, ...] = ()
    if entry is not None:
        listing = asked.opened.listings[entry.slug]
        crumbs = (
            Crumb(listing.title, f"{asked.opened.prefix}/{listing.slug}"),
            Crumb(entry.name, asked.opened.href(entry)),
        )
    return DataPage("form.html", page, f"Edit {page.path}", crumbs, "Fields", status)


def _refused(
    asked: Asked, file: _File, at: str, sent: Sent, problems: Mapping[str, str], problem: str
) -> DataPage:
    page = _page(asked, file, at, problem=problem)
    fields = forms.typed_again(page.fields, sent.typed, sent.ticked, problems)
    page = msgspec.structs.replace(page, fields=fields, before=sent.before)
    return _shown(asked, page, 422)


def _page(asked: Asked, file: _File, at: str, problem: str = "") -> FormPage:
    opened = asked.opened
    value = forms.value_at(file.value, at)
    hint = forms.hint_at(file.hint, at)
    count = len(value) if isinstance(value, dict | list) else 0
    first = min(asked.number("from"), max(count - 1, 0))
    fields = _form(opened, file.path).fields(value, hint, at, first)
    more = first + forms.ELEMENTS < count
    entry = opened.entry_at(file.path)
    around = at.rpartition("/")[0]
    return FormPage(
        file.path,
        at,
        "object" if isinstance(value, dict) else "list" if isinstance(value, list) else "value",
        fields,
        first,
        count,
        form_href(opened, file.path, at, str(max(0, first - forms.ELEMENTS))) if first else "",
        form_href(opened, file.path, at, str(first + forms.ELEMENTS)) if more else "",
        digest_of(file.data),
        _names(opened, fields),
        problem,
        "" if opened.writer is None else opened.writer.why,
        href_of(opened, file.path),
        "" if entry is None else opened.href(entry),
        form_href(opened, file.path, around) if at else "",
        asked.outcome,
        form_href(opened, file.path, at, asked.query.get("from", "")),
    )


def _names(opened: Opened, fields: Sequence[forms.FormField]) -> list[NameList]:
    kinds: dict[str, None] = {}

    def look(at: Sequence[forms.FormField]) -> None:
        for field in at:
            if field.type == "name" and field.kind:
                kinds[field.kind] = None
            look(field.fields)

    look(fields)
    return [names_of(opened, kind) for kind in kinds]


def names_of(opened: Opened, kind: str, like: str = "") -> NameList:
    """The names of a kind that contain a text, at most :data:`NAMES`; those that begin so first."""
    word = like.casefold()
    names = [
        entry.name
        for listing in opened.listings.values()
        if listing.kind == kind or (kind == "background" and listing.kind == "tile set")
        for entry in listing.entries.values()
        if word in entry.name.casefold()
    ]
    if like:
        names.sort(key=lambda name: (not name.casefold().startswith(word), len(name)))
    return NameList(kind, names[:NAMES], len(names) <= NAMES)


def show_names_of(asked: Asked) -> DataPage:
    """``/-/names-of?kind=KIND&q=TEXT``: names for completion."""
    data = names_of(asked.opened, asked.query.get("kind", ""), asked.query.get("q", "")[:200])
    return DataPage("names-of.html", data, "NameList", whole=False)
