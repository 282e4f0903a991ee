"""All events of an object in one editor, each below a header line; inherited ones below all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from overhaul.document.views import ObjectView
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.mods.view import ASSEMBLY, SOURCE, FileView
from overhaul.suggest import did_you_mean
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.edit import Mistake, code_bytes, digest, form_of, text_of_code
from overhaul.viewer.pages.files import href_of
from overhaul.viewer.pages.gamemaker.action_lists import EventShown, Writer
from overhaul.viewer.pages.gamemaker.objects import events_href
from overhaul.viewer.pages.generic import way_of
from overhaul.viewer.pages.language import EVENTS, settings_of
from overhaul.viewer.pages.merging import STILL_MARKED, Merge, marked_line, merged
from overhaul.viewer.pages.page_parts import crumb
from overhaul.viewer.writing import must_write
from overhaul.workbench.bench import NothingChanged
from overhaul.workbench.events import NEW, Events
from overhaul.workbench.eventtexts import Misplaced, Piece, Places, divided, joined
from overhaul.workbench.typed import as_typed, in_browser

#: events that a text has at most, and the characters of all
_MOST, _LONGEST = 200, 1 << 20


class Other(msgspec.Struct, frozen=True):
    """An event without source, and the page that edits it."""

    title: str
    href: str


class AllEventsPage(msgspec.Struct, frozen=True):
    """The events of an object as one ``source``.

    ``others`` are the files other than sources, ``inherited`` those of its ancestors. ``act`` is
    where one of these is overridden. ``before`` is the digest of the text as the page was opened
    with it, ``base`` that text; ``merge``: it was changed meanwhile. ``editor`` are the settings
    of the code editor; ``free`` are titles of events that can be added.
    """

    name: str
    source: str
    mistakes: list[Mistake]
    others: list[Other]
    inherited: list[EventShown]
    free: list[str]
    act: str
    before: str
    base: str
    why: str
    editor: str
    outcome: str = ""
    merge: Merge | None = None


def all_events_href(opened: Opened, entry: ListedResource) -> str:
    """Where all events of an object are edited; "" where that is not possible."""
    if not events_href(opened, entry):
        return ""
    return f"{opened.prefix}/-/all-events{opened.own_path(entry)}"


def show_all_events(asked: Asked) -> Answer:
    """``/-/all-events/objects/obj_player``; a POST (``source``, ``before``, ``base``) is a step."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    if not all_events_href(opened, entry):
        raise NotThere(f"the events of {entry.name} can't be edited here")
    events = events_of(opened, entry)
    sources = _sources(opened, events)
    now = in_browser(joined(sources))
    if asked.method != "POST":
        return _page(opened, entry, events, now, now, outcome=asked.outcome)
    given = form_of(asked.body)
    typed, base = (as_typed(given.get(name, ""), "") for name in ("source", "base"))
    if base and given.get("before", "") != _digest(now):
        both, merge = merged(f"the events of {entry.name}", base, typed, now)
        return _page(opened, entry, events, both, now, merge=merge, status=409)
    places = None
    try:
        if line := marked_line(typed):
            raise Misplaced(line, STILL_MARKED)
        parts = divided(typed)
        for part in parts:
            if part.title not in events:
                near = did_you_mean(part.title, events.stems)
                raise Misplaced(part.line, f"objects have no event {part.title[:60]!r}{near}")
        places = Places(events, parts)
        changed = _changed(opened, events, sources, {part.title: part.source for part in parts})
        must_write(opened.writer).step(events.edited(changed), _label(entry.name, changed, sources))
    except NothingChanged:
        return Moved(f"{all_events_href(opened, entry)}?saved=same")
    except Misplaced as error:
        wrong = [Mistake(error.line, 1, error.said)]
        return _page(opened, entry, events, typed, base or now, wrong, status=422)
    except OverhaulError as error:
        found = [(0, 0, str(error))] if places is None else places.of(error)
        wrong = [Mistake(*each) for each in found]
        return _page(opened, entry, events, typed, base or now, wrong, status=422)
    return Moved(f"{all_events_href(opened, opened.entry(slug, key))}?saved=made")


def events_of(opened: Opened, entry: ListedResource) -> Events:
    """The events of an object on show."""
    writer = opened.writer
    is_apart = writer is None or bool(writer.place)
    view = FileView(opened.document) if is_apart or writer is None else writer.bench.view
    return Events(view, entry.path)


def _sources(opened: Opened, events: Events) -> dict[str, str]:
    """The code of the events that are source, by title, as somebody wrote it."""
    writer = must_write(opened.writer)
    texts = {}
    for title, path in events.titled().items():
        if path:
            written = writer.written(path)
            texts[title] = text_of_code(writer.read(path)) if written is None else written
    if len(texts) > _MOST or sum(map(len, texts.values())) > _LONGEST:
        raise WorkspaceError("there is too much code for one text: edit the events one by one")
    return {title: text.rstrip("\n") for title, text in texts.items()}


def _changed(
    opened: Opened, events: Events, old: Mapping[str, str], new: Mapping[str, str]
) -> dict[str, bytes | None]:
    """The code of the events that are other ones now; None for those that are gone."""
    writer = must_write(opened.writer)
    titles = {title.casefold(): title for title in old}
    made: dict[str, bytes | None] = {}
    kept = set()
    for title, source in new.items():
        known = titles.get(title.casefold())
        kept.add(known)
        if known is None:
            made[title] = f"{source}\n".encode() if source.strip() else NEW
        elif source != in_browser(old[known]):
            text = as_typed(source, old[known])
            made[known] = code_bytes(text, writer.read(events.source(known)))
    return {**made, **dict.fromkeys(title for title in old if title not in kept)}


def _label(name: str, changed: Mapping[str, bytes | None], old: Mapping[str, str]) -> str:
    did = {
        "add": [title for title in changed if title not in old],
        "edit": [title for title, data in changed.items() if title in old and data is not None],
        "remove": [title for title, data in changed.items() if data is None],
    }
    said = [f"{word} {', '.join(titles[:4])}" for word, titles in did.items() if titles]
    return f"{name}: {'; '.join(said) or 'nothing'}"


def _digest(text: str) -> str:
    return digest(text.encode("utf-8", "surrogateescape"))


def _page(
    opened: Opened,
    entry: ListedResource,
    events: Events,
    source: str,
    base: str,
    mistakes: list[Mistake] | None = None,
    *,
    merge: Merge | None = None,
    outcome: str = "",
    status: int = 200,
) -> DataPage:
    own = events.titled()
    apart = [title for title, path in own.items() if not path]
    others = [Other(title, _where(opened, entry, events, title)) for title in apart]
    folded = {title.casefold() for title in own}
    page = AllEventsPage(
        entry.name,
        source,
        mistakes or [],
        others,
        [*_inherited(opened, entry)],
        [title for title in events.stems if title.casefold() not in folded][:800],
        events_href(opened, entry),
        _digest(base),
        base,
        "" if opened.writer is None else opened.writer.why,
        _editor(opened, entry),
        outcome,
        merge,
    )
    return DataPage(
        "all-events.html", page, f"Events of {entry.name}", way_of(opened, entry), "Events", status
    )


def _where(opened: Opened, entry: ListedResource, events: Events, title: str) -> str:
    """Where an event is edited that is assembly, or a list of actions."""
    assembly = f"{events.source(title).removesuffix(SOURCE)}{ASSEMBLY}"
    return href_of(opened, assembly) if assembly in opened.files else opened.href(entry)


def _inherited(opened: Opened, entry: ListedResource) -> Iterator[EventShown]:
    """The events of ancestors that the object does not have, with their code."""
    it = opened.resource(entry)
    if not isinstance(it, ObjectView):
        return
    writer = Writer(opened, whole=True)
    known = {event.key for event in it.own_events}
    for ancestor in it.ancestors():
        of = crumb(opened, ancestor.name, ancestor.kind)
        for event in ancestor.own_events:
            if event.key not in known:
                known.add(event.key)
                shown = writer.shown(event, event.key)
                yield msgspec.structs.replace(shown, inherited=of, anchor=f"inherited-{event.key}")


# -- what the editor asks ------------------------------------------------------------------------


def _editor(opened: Opened, entry: ListedResource) -> str:
    """The settings of the editor: those of code, by another path."""
    path = next((path for path in opened.files if path.endswith(SOURCE)), "")
    settings = settings_of(opened, path, opened.href(entry))
    if settings is None:
        return ""
    at = f"{EVENTS}{entry.slug}/{entry.key}"
    return msgspec.json.encode(msgspec.structs.replace(settings, path=at)).decode()


def pieces_of(opened: Opened, path: str, text: str) -> list[Piece]:
    """The events in what the editor has, as far as they are there.  Raises Misplaced."""
    slug, _, key = path.removeprefix(EVENTS).partition("/")
    events = events_of(opened, opened.entry(slug, key))
    own = events.titled()
    pieces = []
    for part in divided(text):
        if part.title not in events:
            near = did_you_mean(part.title, events.stems)
            raise Misplaced(part.line, f"objects have no event {part.title[:60]!r}{near}")
        source = events.source(part.title)
        if source in own.values():
            pieces.append(Piece(source, part.start, part.source))
    return pieces
