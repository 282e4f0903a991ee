"""The fields of what stands in a room, for the panel of its canvas, and where its code is."""

from __future__ import annotations

import msgspec

from overhaul.document.hints import ANY, Hint, of_value
from overhaul.document.registry import folder_format_of
from overhaul.viewer.opened import ListedResource, Opened
from overhaul.viewer.pages.files import href_of
from overhaul.viewer.pages.forms import hint_of
from overhaul.viewer.pages.looks import KINDS
from overhaul.workbench import forms
from overhaul.workbench.rooms import Element, Placed

#: types that one input has, and what the panel shows elsewhere
_PLAIN = ("text", "integer", "number", "flag", "choice", "name", "colour", "json")
_ELSEWHERE = ("layer", "creation_code", "pre_create_code", "details")
#: by which an element is known, and can't be changed here
_IDS = ("id", "ID", "name")
#: a colour as GameMaker stores it: opacity, blue, green, red
_COLOUR, _ABGR = "colour", (1 << 32) - 1
#: the text of new creation code
NEW = b"// new\n"


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field that elements of a list have: its type as in a form, ``abgr`` for a number that is a
    colour; ``usual`` is the text of what it is where it is left out."""

    key: str
    type: str
    usual: str = ""
    kind: str = ""
    choices: list[str] = []
    about: str = ""
    fixed: bool = False


class Fields:
    """The fields of the elements of a list; ``coded``: these may have creation code."""

    def __init__(self, opened: Opened, entry: ListedResource, placed: Placed) -> None:
        self.opened, self.entry = opened, entry
        self.coded: bool = placed.shape.layered and bool(code_path(opened, entry, 1))
        shape = placed.shape
        self._own = {shape.x, shape.y, *_ELSEWHERE}
        hint = forms.hint_at(hint_of(opened, placed.path), placed.pointer).element or ANY
        self._hints = self._declared(hint) if hint.record else self._found(placed)
        self.shown: list[Field] = [*self._shown()]

    def _declared(self, hint: Hint) -> dict[str, tuple[Hint, object]]:
        assert hint.record is not None
        return {key: each for key, each in hint.record().items() if key not in self._own}

    def _found(self, placed: Placed) -> dict[str, tuple[Hint, object]]:
        """Fields of a format that declares none: what some element has, and what it has there."""
        found: dict[str, tuple[Hint, object]] = {}
        for element in placed.elements:
            for key, value in element.fields.items():
                if key not in self._own and key not in found:
                    found[key] = (of_value(value, self._kind_of), None)
        for key in placed.shape.names:
            if key in KINDS and key in found:
                found[key] = (Hint("name", kind=KINDS[key], empty=True), None)
        return found

    def _kind_of(self, name: str) -> str:
        entry = self.opened.find(name)
        return "" if entry is None or len(name) < 2 else entry.kind

    def _shown(self) -> list[Field]:
        made = []
        for key, (hint, usual) in self._hints.items():
            if hint.type not in _PLAIN:
                continue
            type_ = "abgr" if key == _COLOUR and hint.high == _ABGR else hint.type
            text = forms.text_of(usual, hint)
            fixed = key in _IDS
            made.append(
                Field(key, type_, text, hint.kind, [*hint.choices], hint.about, fixed=fixed)
            )
        return made

    def texts(self, element: Element) -> dict[str, str]:
        """The texts in the fields of an element, as far as it has them."""
        return {
            key: forms.text_of(value, self._hints[key][0])
            for key, value in element.fields.items()
            if key in self._hints and self._hints[key][0].type in _PLAIN
        }

    def code(self, element: Element) -> str:
        """Where the creation code of an instance is edited; "" where it has none."""
        if not self.coded:
            return ""
        named = element.fields.get("creation_code")
        code = self.opened.find(named, "code entry") if isinstance(named, str) else None
        if code is not None:
            return f"{self.opened.prefix}/-/edit{self.opened.own_path(code)}"
        path = code_path(self.opened, self.entry, element.fields.get("id"))
        return href_of(self.opened, path) if path in self.opened.files else ""


def code_path(opened: Opened, entry: ListedResource, number: object) -> str:
    """The file of the creation code of an instance, by its id; "" where the format has none."""
    if type(number) is not int or number <= 0:
        return ""
    known = folder_format_of(opened.document.kind)
    return known.additions.creation_code(opened.document, entry.path, number)


def code_of(opened: Opened, slug: str, path: str) -> str:
    """Where the code of a file is edited that is in the folder of a resource of a kind (by its
    ``slug``), or has a page."""
    code = opened.entry_at(path)
    if code is None or code.slug == slug or code.kind != "code entry":
        return href_of(opened, path)
    return f"{opened.prefix}/-/edit{opened.own_path(code)}"
