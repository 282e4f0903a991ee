"""The differences between two games, as values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from overhaul.document.notebook import html_of
from overhaul.suggest import counted

#: How a resource or a file changed.
Kind: TypeAlias = Literal["added", "removed", "renamed", "changed"]

#: The longest value, and the most fields of a change, that are put in words.
_LONGEST = 60
_MOST = 30


class Change(NamedTuple):
    """A difference between two games.

    ``path`` is the plain file that changed, or the file or folder of a resource that was added,
    removed or renamed; ``old_path`` is what a renamed one was. ``details`` are the differences,
    as values of JSON (docs/guide/json.md): ``fields``, ``diff``, ``pixels``, … ``kind`` is one
    of these.
    """

    kind: Kind
    path: str
    old_path: str | None = None
    details: Mapping[str, object] = {}

    def moved_to(self, document: str) -> Change:
        """The change of a document in another one, whose path there is ``document``."""
        old = None if self.old_path is None else f"{document}/{self.old_path}"
        return self._replace(path=f"{document}/{self.path}", old_path=old)

    def to_json(self) -> dict[str, object]:
        """The change as values of JSON."""
        shown: dict[str, object] = {"kind": self.kind, "path": self.path}
        if self.old_path is not None:
            shown["old_path"] = self.old_path
        return {**shown, "details": dict(self.details)} if self.details else shown

    def lines(self) -> list[str]:
        """The details for people, a line each."""
        diff, fields = self.details.get("diff"), self.details.get("fields")
        changed = diff.split("\n") if isinstance(diff, str) else []
        if isinstance(fields, list):
            changed += [_field_in_words(field) for field in fields[:_MOST]]
            if len(fields) > _MOST:
                changed.append(f"and {len(fields) - _MOST} more")
        instructions = self.details.get("bytes")
        if isinstance(instructions, list):
            changed.append("the same source of other bytes:")
            changed += [f"{old or 'nothing'} → {new or 'nothing'}" for old, new in instructions]
        return [*changed, *_media_in_words(self.details)]


def _media_in_words(details: Mapping[str, object]) -> Iterator[str]:
    """The differences of pictures, sounds and bytes in words, and other details unchanged."""
    rest = {key: value for key, value in details.items() if key not in ("diff", "fields", "bytes")}
    now, before = rest.pop("picture", None), rest.pop("old_picture", None)
    pixels = rest.pop("pixels", None)
    if isinstance(now, list) and isinstance(pixels, int):
        verb = "differs" if pixels == 1 else "differ"
        yield f"{pixels} of {counted(now[0] * now[1], 'pixel')} {verb}"
    elif isinstance(now, list) and isinstance(before, list):
        yield f"{before[0]} × {before[1]} → {now[0]} × {now[1]} pixels"
    if "size" in rest and "old_size" in rest:
        sounds = [
            {key: rest.pop(f"{prefix}{key}", None) for key in ("format", "seconds", "size")}
            for prefix in ("old_", "")
        ]
        yield " → ".join(map(_sound_in_words, sounds))
    if rest:
        yield ", ".join(f"{key}: {_brief(value)}" for key, value in rest.items())


def _sound_in_words(sound: Mapping[str, object]) -> str:
    size, seconds = sound["size"], sound["seconds"]
    words = [str(sound["format"] or "")]
    words.append("" if seconds is None else f"{seconds} s")
    words.append(counted(size, "byte") if isinstance(size, int) else "")
    return ", ".join(filter(None, words))


def _field_in_words(field: Mapping[str, object]) -> str:
    if field.get("moved"):
        return f"{field['path']}: moved"
    if "old" not in field:
        return f"{field['path']}: new: {_brief(field['new'])}"
    if "new" not in field:
        return f"{field['path']}: gone: {_brief(field['old'])}"
    return f"{field['path']}: {_brief(field['old'])} → {_brief(field['new'])}"


def _brief(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


class Diff:
    """The differences between two games; true if there are any.

    ``apart`` says what was not compared, as only one of the two can have it: one is a game, and the
    other its project.  ``equal`` has then how many resources of each kind are equal, and how many
    were compared.  ``changes`` are in the order of their paths; ``old`` and ``new`` are the
    names of the games.
    """

    def __init__(
        self,
        changes: Sequence[Change],
        old: str,
        new: str,
        apart: Sequence[str] = (),
        equal: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.changes: list[Change] = list(changes)
        self.apart: list[str] = list(apart)
        self.equal: dict[str, tuple[int, int]] = dict(equal or {})
        #: the names of the games
        self.old = old
        self.new = new

    def __bool__(self) -> bool:
        return bool(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.counts().items() if count)
        return f"<Diff: {counts or 'no differences'}>"

    def _repr_html_(self) -> str | None:
        return html_of(self)

    def counts(self) -> dict[str, int]:
        """How many changes there are of each kind."""
        kinds = [change.kind for change in self.changes]
        return {kind: kinds.count(kind) for kind in ("added", "removed", "renamed", "changed")}

    def to_json(self) -> dict[str, object]:
        """The differences as values of JSON."""
        changes = [change.to_json() for change in self.changes]
        shown: dict[str, object] = {"old": self.old, "new": self.new, "counts": self.counts()}
        shown["changes"] = changes
        if self.equal:
            shown["equal"] = {
                kind: {"equal": equal, "compared": compared}
                for kind, (equal, compared) in self.equal.items()
            }
        return {**shown, "apart": self.apart} if self.apart else shown
