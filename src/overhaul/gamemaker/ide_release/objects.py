"""The values of a file as another release has them: one walk, by what the tables declare.

A field that the release lacks is left out.  It is a loss where the value says more than the
release can; a field that the release has in addition gets the value that it has where it is new, or
one made of others (:mod:`overhaul.gamemaker.ide_release.derived`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Final

from overhaul.findings import Findings
from overhaul.gamemaker.ide.declared import declared
from overhaul.gamemaker.ide.releases import TAGGED, Order, Release, Span, mark_of, spans_of
from overhaul.gamemaker.ide.resources.making import in_order
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.values import Json, Steps, path_of, text_at
from overhaul.gamemaker.ide_release.derived import DERIVED, Scene

#: Files of a class of these are as the release writes them.  Others of 2024 and later stay in the
#: form of an earlier release where they have it, as the editor leaves them until they are saved.
_EXACT: Final = ("GMProject", "GMMainOptions")
#: The one class with a name that is not repeated as ``%Name``.
_NAMED_ONCE: Final = "GMSpriteFramesTrack"
_OVERRIDES: Final = "ConfigValues"
#: How betas of 2022 wrote classes with a parameter.
_GENERIC: Final = "`1"
_SHOWN: Final = 60
_TAG: Final = re.compile(r"v(\d+)")


class Translation:
    """One file on its way: ``style`` is that of the new one, ``letter`` the family of the old.

    ``gone`` are the paths of resources that the release can't have.
    """

    def __init__(
        self,
        release: Release,
        style: Style,
        letter: str,
        scene: Scene,
        findings: Findings,
        gone: Collection[str] = (),
    ) -> None:
        self._release = release
        self._style = style
        self._letter = letter
        self._scene = scene
        self._findings = findings
        self._gone = gone

    def value(self, value: Json, hint: str = "", steps: Steps = ()) -> Json:
        """A value as the release has it; ``hint`` is its place in the class around it."""
        if isinstance(value, list):
            return self._list(value, hint, steps)
        if not isinstance(value, dict):
            return value
        if not self._keeps(value, steps):
            return None
        if _is_reference(value):
            return in_order(value, self._style)
        return self._object(value, hint, steps)

    def _list(self, items: list[Json], hint: str, steps: Steps) -> Json:
        made: list[Json] = []
        for number, item in enumerate(items):
            inner = self.value(item, f"{hint}[]", (*steps, number))
            if inner is not None or item is None:
                made.append(inner)
        return made

    def _keeps(self, value: dict[str, Json], steps: Steps) -> bool:
        """Whether the release can have an object; a finding says so if not."""
        kind = kind_of_value(value)
        if kind and kind not in declared() and not spans_of(kind):
            message = f"no release is known to have the class {kind}: it is kept"
            self._findings.note_once("undeclared", message, self._scene.path)
        span = spans_of(kind).get("")
        if span is not None and not span.has(self._release.order):
            self._lose(f"has no {kind}: {_named(value)}is left out", steps)
            return False
        path = text_at(value, "path")
        if path in self._gone and _is_reference(value):
            self._lose(f"has nothing like {path}: the reference is left out", steps)
            return False
        return True

    def _object(self, value: dict[str, Json], hint: str, steps: Steps) -> dict[str, Json]:
        kind = kind_of_value(value)
        spans = {**spans_of(hint), **(spans_of(kind) if kind else {})}
        order, adds = self._form(kind, value)
        made: dict[str, Json] = {}
        self._scene.owners.append(value)
        for key, item in value.items():
            if kind and (key in ("%Name", "resourceVersion", "elementType") or key == f"${kind}"):
                continue
            span = spans.get(key)
            if span is not None and not span.has(order):
                if not self._stays(span, item, order, adds):
                    self._drop(span, key, item, steps)
                    continue
            elif key == _OVERRIDES and isinstance(item, dict):
                item = self._overrides(item, spans, order, (*steps, key))
            inner = self.value(item, f"{kind or hint}.{key}", (*steps, key))
            made[key] = inner if item is not None or key != "name" else ""
        if adds:
            for key, span in spans.items():
                if key and key not in made and span.has(order):
                    self._add(made, value, key, span, (hint, kind))
        self._scene.owners.pop()
        if kind:
            self._mark(made, value, kind, order)
        return in_order(made, self._style, kind or hint)

    def _form(self, kind: str, value: dict[str, Json]) -> tuple[Order, bool]:
        """The release whose form an object gets, and whether it gets what it lacks of that."""
        order = self._release.order
        if self._style.letter != "D" or kind in _EXACT:
            return order, True
        if self._letter != "D":
            return TAGGED, True
        return order, _number(text_at(value, f"${kind}")) > _number(mark_of(kind, order))

    def _stays(self, span: Span, item: Json, order: Order, adds: bool) -> bool:
        """Whether a field that the release does not write stays: where it is free to be there, or
        is one of an older form that the release reads."""
        if span.is_free:
            return item != span.default
        return span.until <= order and self._letter == self._style.letter == "D" and not adds

    def _drop(self, span: Span, key: str, item: Json, steps: Steps) -> None:
        if not span.is_made and item != span.default:
            self._lose(f"has no such field: {_shown(item)} is left out", (*steps, key))

    def _add(
        self,
        made: dict[str, Json],
        value: dict[str, Json],
        key: str,
        span: Span,
        places: tuple[str, str],
    ) -> None:
        """Give an object a field that the release has and it lacks."""
        derive = next((DERIVED[at, key] for at in places if (at, key) in DERIVED), None)
        if derive is not None:
            made[key] = self._as_written(derive(value, self._scene))
        elif span.adds:
            made[key] = span.default

    def _as_written(self, value: Json) -> Json:
        """The new file, with the members of each object in the order of the release."""
        if isinstance(value, list):
            return [self._as_written(item) for item in value]
        if isinstance(value, dict):
            members = {key: self._as_written(item) for key, item in value.items()}
            return in_order(members, self._style, kind_of_value(value))
        return value

    def _overrides(
        self, configured: dict[str, Json], spans: Mapping[str, Span], order: Order, steps: Steps
    ) -> Json:
        """The values that configurations give the fields of an object."""
        made: dict[str, Json] = {}
        for name, members in configured.items():
            inner: dict[str, Json] = {}
            for key, item in members.items() if isinstance(members, dict) else ():
                if key not in spans or spans[key].has(order):
                    inner[key] = item
                else:
                    message = f"has no such field: {_shown(item)} is left out"
                    self._lose(message, (*steps, name, key))
            made[name] = inner
        return made

    def _mark(self, made: dict[str, Json], value: dict[str, Json], kind: str, order: Order) -> None:
        """Give an object of a class its version or its tag, and what stands with that."""
        made["resourceType"] = kind
        if self._style.letter != "D":
            made["resourceVersion"] = mark_of(kind, order)
            return
        tag = mark_of(kind, order)
        if self._letter == "D" and kind not in _EXACT:
            tag = min(text_at(value, f"${kind}"), tag, key=_number)
        made[f"${kind}"] = tag
        if self._letter != "D" or "resourceVersion" in value:
            made["resourceVersion"] = "2.0"
        if "name" in made and kind != _NAMED_ONCE:
            made["%Name"] = made["name"]

    def _lose(self, message: str, steps: Steps) -> None:
        text = f"{self._release.text} {message}"
        self._findings.warn("not-in-release", text, self._scene.path, path_of(steps))


def kind_of_value(value: dict[str, Json]) -> str:
    """The class that an object says it is of; "" for one that says none."""
    tag = next((key[1:] for key in value if key.startswith("$")), "")
    kind = text_at(value, "resourceType") or tag
    element = text_at(value, "elementType")
    if kind.endswith(_GENERIC) and element:
        return f"{kind.removesuffix(_GENERIC)}<{element}>"
    return kind


def _is_reference(value: dict[str, Json]) -> bool:
    return "path" in value and value.keys() <= {"name", "path", "link"}


def _number(tag: str) -> int:
    """The number of a tag: 0 for an empty one."""
    found = _TAG.fullmatch(tag)
    return int(found[1]) if found else 0


def _named(value: dict[str, Json]) -> str:
    name = text_at(value, "name")
    return f"{name} " if name else ""


def _shown(value: Json) -> str:
    """A value as a message shows it."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
