"""An edit of a file that was changed since its page was made: nothing of both edits is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import parse_qsl, urlencode

import msgspec

from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.folder.json_fields import read_json
from overhaul.mods.values import NOTHING
from overhaul.viewer.answers import Asked, Crumb, DataPage
from overhaul.viewer.pages.edit import FIELDS
from overhaul.viewer.pages.steps import StepRow, row_of
from overhaul.viewer.writing import Writer
from overhaul.workbench.bench import StaleEdit
from overhaul.workbench.forms import steps_of
from overhaul.workbench.journal import digest_of
from overhaul.workbench.reconciling import Difference, Reconciling, Side

_SIDE = re.compile(r"side:(\d{1,5})")
#: the names of fields of forms and tables before the pointer to their value
_PREFIX = re.compile(r"[a-z]:(?=/)")
_HIDDEN = ("before", "base", "do", "back")
#: steps that the page lists
_NEWEST = 5


class Differs(StaleEdit):
    """Two edits of one file, whose ``differences`` are to be looked at; ``digest`` is that of the
    file as it is now, ``problem`` why a choice was not taken."""

    def __init__(
        self, path: str, differences: Sequence[Difference], digest: str, problem: str = ""
    ) -> None:
        said = f"{path} was changed meanwhile. Nothing of yours is written yet."
        super().__init__(path, problem or said)
        self.differences = differences
        self.digest = digest


class ConflictPage(msgspec.Struct, frozen=True):
    """An edit that came too late.

    ``differences`` are what both edits change, to be chosen from; ``sent`` is the form again, with
    the digest ``now`` of the file.  Without differences ``texts`` are what was sent, by field.
    ``steps`` are the newest steps; ``page`` shows the file; ``chosen`` are the sides that were
    chosen of these differences before.
    """

    error: str
    path: str
    differences: list[Difference]
    sent: list[tuple[str, str]]
    now: str
    texts: list[tuple[str, str]]
    steps: list[StepRow]
    page: str
    chosen: dict[int, Side]


def both_edits(
    writer: Writer,
    path: str,
    data: bytes,
    given: Mapping[str, str],
    edit: Callable[[object], object],
) -> object:
    """The value of a JSON file as ``edit`` makes it of the file that a form was made of; of one
    that was changed meanwhile, with the other edit too, as the person chose.

    Raises Differs where that has to be looked at first, StaleEdit where the edits can't be
    compared, and what ``edit`` raises.
    """
    before, digest, now = given.get("before", ""), digest_of(data), read_json(data, path)
    if before == digest:
        return edit(now)
    kept = writer.kept(before)
    base = NOTHING if kept is None else read_json(kept, path)
    try:
        both = Reconciling(base, edit(now if base is NOTHING else base), now)
    except OverhaulError as error:
        raise StaleEdit(path) from error
    differences = both.differences()
    if all(each.number < 0 for each in differences):
        return now
    if given.get("now") != digest:
        raise Differs(path, differences, digest)
    try:
        return both.value(_chosen(given))
    except WorkspaceError as error:
        raise Differs(path, differences, digest, str(error)) from error


def _chosen(given: Mapping[str, str]) -> dict[int, Side]:
    """The sides that were chosen, by the numbers of differences."""
    chosen: dict[int, Side] = {}
    for name, side in given.items():
        match = _SIDE.fullmatch(name)
        if match and side in ("theirs", "yours"):
            chosen[int(match[1])] = "yours" if side == "yours" else "theirs"
    return chosen


def conflict_page(asked: Asked, error: StaleEdit) -> DataPage:
    """The answer to an edit of a file that was changed since."""
    root = asked.opened.root
    sent = parse_qsl(
        asked.body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=FIELDS
    ) if _is_form(asked.body) else []  # fmt: skip
    given = dict(sent)
    differs = error if isinstance(error, Differs) else None
    kept = [(name, text) for name, text in sent if name != "now" and not _SIDE.fullmatch(name)]
    data = ConflictPage(
        str(error),
        error.path,
        [] if differs is None else list(differs.differences),
        kept if differs else [],
        "" if differs is None else differs.digest,
        [] if differs else _texts(kept),
        _newest(asked),
        f"{asked.opened.prefix}/-/go-to?{urlencode({'file': error.path})}",
        _chosen(given) if differs and given.get("now") == differs.digest else {},
    )  # fmt: skip
    crumb = Crumb("Steps", f"{root.prefix}/-/steps")
    return DataPage("conflict.html", data, "Changed meanwhile", (crumb,), status=409)


def _texts(sent: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The typed texts, by field in words: ``f:/shape/x`` is ``shape › x``."""
    texts = []
    for name, text in sent:
        if name in _HIDDEN or name.startswith("t:") or not text.strip() or "\ufffd" in text:
            continue
        key = _PREFIX.sub("", name)
        place = " › ".join(steps_of(key)) if key.startswith("/") else key
        texts.append((place.replace("_", " "), text))
    return texts


def _is_form(body: bytes) -> bool:
    return body.count(b"&") < FIELDS


def _newest(asked: Asked) -> list[StepRow]:
    writer = asked.opened.root.writer
    if writer is None:
        return []
    return [row_of(step, writer) for step in writer.bench.history.path_to()[::-1][:_NEWEST]]
