"""Elements of ``Game.agf`` as JSON in the shape that the tree of a compiled game has, and back.

An object is an object, an element of a value a field of its kind: a number, true or false, a
text, null. Other parts of an element (attributes that the editor does not write, CDATA) are
shown with the text: ``{"text": "x", "attributes": {…}}``, so that reading gives the same
element.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from overhaul.ags.events import INVENTORY_EVENTS, OBJECT_EVENTS
from overhaul.ags.project.elements import kinds
from overhaul.document.xmltext import NULL, SPACE, XmlNode
from overhaul.errors import FormatError
from overhaul.folder.json_fields import (
    at_key,
    expect_list,
    expect_object,
    expect_text,
    show_value,
)

Json = dict[str, object]

_WHOLE: Final = re.compile(r"0|-?[1-9][0-9]{0,17}")
_FLAGS: Final = {"True": True, "False": False}
#: Elements that are lists of objects, and what the tree calls them.
_LISTS: Final = {
    "Properties": "Properties", "Loops": "Loops", "Frames": "Frames", "DialogOptions": "Options",
}  # fmt: skip
#: The objects in these lists.
_ITEMS: Final = {
    "Properties": "CustomProperty", "Loops": "Loop", "Frames": "ViewFrame",
    "Options": "DialogOption",
}  # fmt: skip
_TAGS: Final = {shown: tag for tag, shown in _LISTS.items()}
_INTERACTIONS: Final = "Interactions"
_MODULE: Final = "ScriptModule"
_EVENTS: Final = {"Character": OBJECT_EVENTS, "InventoryItem": INVENTORY_EVENTS}
_NORMAL, _WINDOW = "NormalGUI", "TextWindowGUI"
_CONTROLS: Final = "Controls"
_TYPE: Final = "Type"
_TEXT_WINDOW: Final = "TextWindow"
#: The classes of controls, by what the tree calls them.
CONTROLS: Final = {
    "Button": "GUIButton", "InventoryWindow": "GUIInventory", "Label": "GUILabel",
    "ListBox": "GUIListBox", "Slider": "GUISlider", "TextBox": "GUITextBox",
    "TextWindowEdge": "GUITextWindowEdge",
}  # fmt: skip
_CLASSES: Final = {tag: shown for shown, tag in CONTROLS.items()}
_DEEPEST: Final = 16
#: No tag of an editor is longer.
_TAG: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}")


class NotShown(Exception):
    """An element has another form than those that JSON shows."""


# -- showing ---------------------------------------------------------------------------------------


def shown(node: XmlNode) -> Json:
    """An object as JSON.  Raises NotShown."""
    if node.attributes or node.text or node.cdata:
        raise NotShown
    if node.tag == "GUIMain":
        return _gui(node)
    made: Json = {}
    value: object
    for child in node.children:
        if child.tag in _LISTS and not child.text:
            key, value = _LISTS[child.tag], _list(child)
        elif child.tag == _INTERACTIONS:
            key, value = child.tag, _interactions(child, node.tag)
        else:
            key, value = child.tag, leaf(child, node.tag)
        if key in made:
            raise NotShown
        made[key] = value
    return made


def listed(node: XmlNode, tag: str) -> list[object]:
    """The objects in an element, all of the class ``tag``.  Raises NotShown."""
    if node.attributes or node.text or any(child.tag != tag for child in node.children):
        raise NotShown
    return [shown(child) for child in node.children]


def leaf(node: XmlNode, owner: str) -> object:
    """An element of a value, in an object of the class ``owner``.  Raises NotShown."""
    if node.children:
        raise NotShown
    if node.attributes == {NULL: "True"} and not node.text and not node.cdata:
        return None
    kind = _kind(owner, node.tag)
    if node.cdata or node.attributes != _attributes(kind, node.text):
        made: Json = {"text": node.text, "attributes": dict(node.attributes)}
        return made | {"cdata": True} if node.cdata else made
    if kind == "bool" and node.text in _FLAGS:
        return _FLAGS[node.text]
    if kind == "int" and _WHOLE.fullmatch(node.text):
        return int(node.text)
    return node.text


def _list(node: XmlNode) -> list[object]:
    return listed(node, _ITEMS[_LISTS[node.tag]])


def _interactions(node: XmlNode, owner: str) -> object:
    """The handlers by the names of their events; those without one are left out."""
    names = _EVENTS.get(owner)
    events = [child for child in node.children if child.tag == "Event"]
    modules = node.children[: len(node.children) - len(events)]
    numbered = [event.attributes == {"Index": str(at)} for at, event in enumerate(events)]
    if (
        names is None or len(names) != len(events) or node.children != [*modules, *events]
        or not all(numbered) or any(event.children or event.cdata for event in events)
        or any(module.tag != _MODULE for module in modules) or len(modules) > 1 or node.attributes
    ):  # fmt: skip
        raise NotShown
    made: Json = {module.tag: leaf(module, _INTERACTIONS) for module in modules}
    pairs = zip(names, events, strict=True)
    return made | {name: event.text for name, event in pairs if event.text}


def _gui(node: XmlNode) -> Json:
    """A GUI with its controls."""
    if [child.tag for child in node.children[1:]] != [_CONTROLS]:
        raise NotShown
    gui, controls = node.children
    if gui.tag not in (_NORMAL, _WINDOW) or controls.attributes or controls.text:
        raise NotShown
    made = shown(gui) | ({_TEXT_WINDOW: True} if gui.tag == _WINDOW else {})
    rows = []
    for control in controls.children:
        if control.tag not in _CLASSES:
            raise NotShown
        rows.append({_TYPE: _CLASSES[control.tag], **shown(control)})
    return {**made, _CONTROLS: rows}


# -- reading ---------------------------------------------------------------------------------------


def read(tag: str, value: object) -> XmlNode:
    """The object of a class that JSON shows.  Raises FormatError."""
    given = expect_object(value)
    if tag == "GUIMain":
        return _read_gui(given)
    children = []
    for key, item in given.items():
        with at_key(key):
            if key in _ITEMS and isinstance(item, list):
                children.append(read_list(_TAGS[key], _ITEMS[key], item))
            elif key == _INTERACTIONS:
                children.append(_read_interactions(item, tag))
            else:
                children.append(read_leaf(key, item, tag))
    return XmlNode(tag, children=children)


def read_list(tag: str, item: str, value: object) -> XmlNode:
    """An element with a list of objects of a class.  Raises FormatError."""
    children = []
    for index, each in enumerate(expect_list(value)):
        with at_key("", index):
            children.append(read(item, each))
    return XmlNode(tag, children=children)


def read_leaf(tag: str, value: object, owner: str) -> XmlNode:
    """An element of a value.  Raises FormatError."""
    if not _TAG.fullmatch(tag):
        raise FormatError(f"no element can be called {tag!r:.40}")
    if value is None:
        return XmlNode(tag, attributes={NULL: "True"})
    kind = _kind(owner, tag)
    if isinstance(value, dict):
        with at_key("text"):
            text = expect_text(value.get("text"))
        attributes = {}
        with at_key("attributes"):
            for name, item in expect_object(value.get("attributes", {})).items():
                with at_key(name):
                    attributes[_named(name)] = expect_text(item)
        return XmlNode(tag, text, attributes, cdata=value.get("cdata") is True)
    if isinstance(value, bool):
        if kind == "int":
            raise FormatError(f"expected a whole number, got {show_value(value)}")
        return XmlNode(tag, str(value))
    if isinstance(value, int):
        if kind == "bool":
            raise FormatError(f"expected true or false, got {value}")
        return XmlNode(tag, str(value))
    if kind in ("int", "bool") and isinstance(value, str) and _is_plain(kind, value):
        raise FormatError(
            f"expected {'a whole number' if kind == 'int' else 'true or false'}, "
            f"got {show_value(value)}"
        )
    text = expect_text(value)
    return XmlNode(tag, text, _attributes(kind, text))


def _named(name: str) -> str:
    if not _TAG.fullmatch(name.replace(":", "_")):
        raise FormatError(f"no attribute can be called {name!r:.40}")
    return name


def _is_plain(kind: str, value: str) -> bool:
    """Whether an element of this kind with this text is shown as another value."""
    return value in _FLAGS if kind == "bool" else _WHOLE.fullmatch(value) is not None


def _read_interactions(value: object, owner: str) -> XmlNode:
    names = _EVENTS.get(owner, ())
    given = dict(expect_object(value))
    children = []
    if _MODULE in given:
        children.append(read_leaf(_MODULE, given.pop(_MODULE), _INTERACTIONS))
    unknown = given.keys() - set(names)
    if unknown:
        raise FormatError(f"unknown event {min(unknown)!r}; expected one of: {', '.join(names)}")
    for index, name in enumerate(names):
        with at_key(name):
            text = expect_text(given.get(name, ""))
        children.append(XmlNode("Event", text, {"Index": str(index)}))
    return XmlNode(_INTERACTIONS, children=children)


def _read_gui(given: Json) -> XmlNode:
    own = {key: value for key, value in given.items() if key not in (_CONTROLS, _TEXT_WINDOW)}
    gui = read(_WINDOW if given.get(_TEXT_WINDOW) else _NORMAL, own)
    controls = []
    with at_key(_CONTROLS):
        for index, item in enumerate(expect_list(given.get(_CONTROLS, []))):
            with at_key("", index):
                row = dict(expect_object(item))
                with at_key(_TYPE):
                    kind = expect_text(row.pop(_TYPE, None))
                    if kind not in CONTROLS:
                        known = ", ".join(CONTROLS)
                        raise FormatError(f"unknown type {kind!r:.40}; expected one of: {known}")
                controls.append(read(CONTROLS[kind], row))
    return XmlNode("GUIMain", children=[gui, XmlNode(_CONTROLS, children=controls)])


# -- kinds -----------------------------------------------------------------------------------------


@cache
def _kind(owner: str, tag: str) -> str:
    """The kind of an element: int, bool, text, or text* whose spaces are said to count."""
    return kinds().get((owner, tag), "text*")


def usual_attributes(owner: str, tag: str, text: str) -> dict[str, str]:
    """The attributes that the editor writes for an element with a text."""
    return _attributes(_kind(owner, tag), text)


def _attributes(kind: str, text: str) -> dict[str, str]:
    """The attributes that the editor writes for a text."""
    return {SPACE: "preserve"} if kind == "text*" and " " in text else {}


def by_owner(pairs: Iterable[tuple[str, str]]) -> Mapping[str, list[str]]:
    """Elements by their classes, both sorted."""
    made: dict[str, list[str]] = {}
    for owner, name in sorted(set(pairs)):
        made.setdefault(owner, []).append(name)
    return made
