"""The global variables of a game of Adventure Game Studio: each button is a step."""

from __future__ import annotations

import msgspec

from overhaul.errors import OverhaulError
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import NotThere, Opened
from overhaul.viewer.pages.edit import code_bytes, form_of
from overhaul.viewer.writing import must_write
from overhaul.workbench import variables
from overhaul.workbench.bench import StaleEdit
from overhaul.workbench.forms import Mistyped
from overhaul.workbench.journal import digest_of

_KIND = "ags-game"
_DID = {"add": "Add a global variable", "remove": "Remove a global variable"}


class VariablesPage(msgspec.Struct, frozen=True):
    """The variables with the types that they can have; ``script`` is the page of their script.

    ``wrong`` names the field that could not be taken, ``sent`` has what was typed."""

    path: str
    script: str
    variables: list[variables.Variable]
    types: tuple[str, ...]
    before: str
    why: str
    problem: str = ""
    wrong: str = ""
    sent: dict[str, str] = {}


def has_variables(opened: Opened) -> bool:
    """Whether a document is game data with a script of global variables, as editors from 3.0 on
    make it where a game has any."""
    return opened.document.kind == _KIND and variables.PATH in opened.files


def show_variables(asked: Asked) -> Answer:
    """``/-/variables``; a POST (``type:NAME``, ``value:NAME``, ``do``, ``before``) is a step."""
    opened = asked.opened
    if not has_variables(opened):
        raise NotThere("the game has no script of global variables")
    if opened.writer is None:
        return _shown(opened, opened.files[variables.PATH].read())
    data = opened.writer.read(variables.PATH)
    if asked.method != "POST":
        return _shown(opened, data)
    given = form_of(asked.body)
    try:
        writer = must_write(opened.writer)
        if given.get("before") != digest_of(data):
            raise StaleEdit(variables.PATH)
        made = code_bytes(variables.edited(_text(data), given), data)
        did = _DID.get(given.get("do", "").partition(":")[0], "Edit global variables")
        if made != data:
            writer.step({variables.PATH: made}, did)
    except StaleEdit:
        raise
    except OverhaulError as error:
        return _shown(opened, data, error, given)
    return Moved(f"{opened.prefix}/-/variables")


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")


def _shown(
    opened: Opened,
    data: bytes,
    error: OverhaulError | None = None,
    sent: dict[str, str] | None = None,
) -> DataPage:
    entry = opened.entry_at(variables.PATH)
    page = VariablesPage(
        variables.PATH,
        "" if entry is None else opened.href(entry),
        variables.variables_of(_text(data)),
        variables.TYPES,
        digest_of(data),
        "it can't be edited" if opened.writer is None else opened.writer.why,
        "" if error is None else str(error),
        error.pointer if isinstance(error, Mistyped) else "",
        sent or {},
    )
    status = 200 if error is None else 422
    return DataPage("variables.html", page, "Global variables", status=status)
