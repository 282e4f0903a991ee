"""Trying a change of code, and saving it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.errors import SyntaxError_
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages import late
from overhaul.viewer.pages.edit import (
    Mistake,
    code_bytes,
    digest,
    form_of,
    text_of_code,
    why_not,
    writer_of,
)
from overhaul.viewer.pages.merging import STILL_MARKED, Merge, difference, marked_line, merged
from overhaul.workbench.bench import NothingChanged, StaleEdit
from overhaul.workbench.typed import as_typed, in_browser

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.code import Code

DATA = "gamemaker-data"
#: the requests of a form about the present file
_WRITES = ("show", "save")


class EditPage(msgspec.Struct, frozen=True):
    """A source as it was typed.

    ``state``: ``""`` (nothing was tried), ``wrong``, ``compiles``, ``merged`` (the file was changed
    meanwhile: ``merge``), or ``shown``: ``diff`` is what applying would change in the file
    ``path``.  ``before`` is the digest of the file as the page was opened with it, ``base`` its
    source then.  ``why`` says why nothing can be applied, ``warnings`` what ``pack`` and
    ``compile`` warn of: names that nothing in the game has.  ``editor`` are the settings of the
    code editor, as JSON; ``assembly`` is where the assembly is edited, ``outcome`` what an edit
    did.
    """

    name: str
    path: str
    source: str
    state: str
    mistakes: list[Mistake]
    warnings: list[Mistake]
    diff: list[str]
    before: str
    why: str
    editor: str = ""
    base: str = ""
    merge: Merge | None = None
    assembly: str = ""
    outcome: str = ""


def show_edit(asked: Asked) -> Answer:
    """``/-/edit/code/NAME``; a POST checks (``do=check``), shows what would change (``do=show``) or
    is a step (``do=save``)."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    if opened.kind != DATA or entry.kind != "code entry":
        raise NotThere(f"the code of {entry.name} can't be edited here")
    if asked.method != "POST":
        source = _source(opened, entry)
        return _opening(opened, entry, asked.outcome)
    given = form_of(asked.body)
    source, base = (as_typed(given.get(name, ""), "") for name in ("source", "base"))
    opened_with = given.get("before", "")
    do = given.get("do", "")
    if do in _WRITES and base and opened_with != _digest_now(opened, entry):
        return _merged(opened, entry, base, source)
    source = as_typed(source, _source(opened, entry))
    mistakes, warnings = found_in(_code(opened, entry), source)
    if mistakes:
        if line := marked_line(source):
            mistakes = [Mistake(line, 1, STILL_MARKED)]
        return _page(opened, entry, source, "wrong", mistakes, before=opened_with, base=base)
    if do == "check":
        state = "compiles"
        return _page(opened, entry, source, state, warnings=warnings, before=opened_with, base=base)
    writer = writer_of(opened)
    before = writer.read(entry.path)
    after = code_bytes(source, before)
    if do == "save":
        if digest(before) != opened_with:
            raise StaleEdit(entry.path)
        try:
            writer.write(entry.path, after, before, opened.reload)
            outcome = "made"
        except NothingChanged:
            outcome = "same"
        if warnings and outcome == "made":  # names that the game has from now on
            return _opening(opened, opened.entry(slug, key), outcome, warnings)
        return Moved(f"{opened.prefix}/-/edit{opened.own_path(entry)}?saved={outcome}")
    old, new = (data.decode("utf-8", "replace").splitlines() for data in (before, after))
    return _page(
        opened,
        entry,
        source,
        "shown",
        warnings=warnings,
        diff=difference(entry.path, old, new),
        before=digest(before),
        base=base,
    )


def _opening(
    opened: Opened, entry: ListedResource, outcome: str, warnings: Sequence[Mistake] = ()
) -> DataPage:
    """The source as the game has it."""
    source = _source(opened, entry)
    before = _digest_now(opened, entry)
    return _page(
        opened, entry, source, warnings=warnings, base=source, before=before, outcome=outcome
    )


def _digest_now(opened: Opened, entry: ListedResource) -> str:
    """The digest of the file of code as it is now; "" where nothing can be saved."""
    return "" if why_not(opened, entry) else digest(writer_of(opened).read(entry.path))


def _merged(opened: Opened, entry: ListedResource, base: str, mine: str) -> DataPage:
    """A source, and what was saved meanwhile, in one text; to be looked at before it is saved."""
    now = writer_of(opened).read(entry.path)
    theirs = in_browser(text_of_code(now))
    source, merge = merged(entry.path, base, mine, theirs)
    return _page(
        opened, entry, source, "merged", before=digest(now), base=theirs, merge=merge, status=409
    )


def _page(
    opened: Opened,
    entry: ListedResource,
    source: str,
    state: str = "",
    mistakes: Sequence[Mistake] = (),
    *,
    warnings: Sequence[Mistake] = (),
    diff: Sequence[str] = (),
    before: str = "",
    base: str = "",
    merge: Merge | None = None,
    outcome: str = "",
    status: int = 200,
) -> DataPage:
    why = why_not(opened, entry)
    data = EditPage(
        name=entry.name,
        path=entry.path,
        source=source,
        state=state,
        mistakes=[*mistakes],
        warnings=[*warnings],
        diff=[*diff],
        before=before,
        why=why,
        editor=late("language:editor_of")(opened, entry.path, opened.href(entry)),
        base=base,
        merge=merge,
        assembly=late("files:assembly_href")(opened, entry),
        outcome=outcome,
    )
    listing = opened.listings[entry.slug]
    crumbs = (
        Crumb(listing.title, f"{opened.prefix}/{listing.slug}"),
        Crumb(entry.name, opened.href(entry)),
    )
    return DataPage("edit.html", data, f"Edit {entry.name}", crumbs, "Edit", status)


def _source(opened: Opened, entry: ListedResource) -> str:
    """The source to begin with: as somebody wrote it, else decompiled."""
    written = None if opened.writer is None else opened.writer.written(entry.path)
    return _code(opened, entry).gml if written is None else written


def _code(opened: Opened, entry: ListedResource) -> Code:
    game = cast("GameData", opened.document)
    return game.code[entry.name]


def found_in(code: Code, source: str) -> tuple[list[Mistake], list[Mistake]]:
    """The errors and the warnings of compiling a source as the code; the game does not change."""
    game = cast("GameData", code.game)
    try:
        made = game.compile(code.name, source)
        made.to_bytes()
    except SyntaxError_ as error:
        return [
            Mistake(mistake.line, mistake.column, mistake.message) for mistake in error.errors
        ], []
    except (OverhaulError, ValueError, RecursionError) as error:
        return [Mistake(0, 0, str(error))], []
    return [], [Mistake(unknown.line, unknown.column, unknown.message) for unknown in made.unknown]
