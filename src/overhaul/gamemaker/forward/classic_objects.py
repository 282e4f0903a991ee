"""Objects and time lines of an old project, for Studio 1: actions stay actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, cast

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.classic.action_table import ARGUMENT_RESOURCES, definitions
from overhaul.gamemaker.classic.actions import COLLISION, TRIGGER, Action, Object
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.resources import Timeline
from overhaul.gamemaker.classic.settings import Trigger
from overhaul.gamemaker.forward.classic import ClassicDraft
from overhaul.gamemaker.forward.parents import cut_circles
from overhaul.gamemaker.forward.texts import cleaned
from overhaul.gamemaker.recovery.studio import NOTHING, flag, leaf, parent
from overhaul.gamemaker.recovery.studio_code import (
    NO_PHYSICS,
    action_node,
    add_script,
    physics_nodes,
)

_SELF, _OTHER = -1, -2
_CODE: Final = 7
_VARIABLE: Final = 6
#: Kinds of arguments that hold GML, wholly or where they begin with a quote.
_EXPRESSION, _STRING, _BOTH = 0, 1, 2
_STEP: Final = 3
#: The numbers of the step events, by the moments of triggers.
_MOMENTS: Final = (0, 1, 2)
_COMMENT: Final = 605
#: The categories of events that Studio 1 has.
_LAST: Final = 10
#: Names for what an argument of a resource holds in the file.
_TAGS: Final = {number: BY_PLURAL[plural].singular for number, plural in ARGUMENT_RESOURCES.items()}
#: The sub-types of mouse events that are those of joysticks.
_JOYSTICKS: Final = range(16, 44)
_MOUSE: Final = 6


def add_objects(draft: ClassicDraft) -> None:
    """Add the objects with their events, and the scripts that ask for triggers."""
    triggers = _add_triggers(draft)
    paths = []
    objects = [(name, cast("Object", resource)) for name, resource in draft.all("objects")]
    parents = {}
    for name, old in objects:
        path = draft.path_of("object", name)
        paths.append(path)
        parents[name] = draft.ref("objects", old.parent, path, NOTHING)
    parents = cut_circles(parents, draft.findings, partial(draft.path_of, "object"))
    for (name, old), path in zip(objects, paths, strict=True):
        parent_name = parents.get(name, NOTHING)
        draft.add("object", name, _object(draft, old, path, parent_name, triggers))
    draft.tally("objects", paths)


def _object(
    draft: ClassicDraft, old: Object, path: str, parent_name: str, triggers: dict[int, str]
) -> Iterator[XmlNode]:
    yield leaf("spriteName", draft.ref("sprites", old.sprite, path, NOTHING))
    yield leaf("solid", flag(old.solid))
    yield leaf("visible", flag(old.visible))
    yield leaf("depth", old.depth)
    yield leaf("persistent", flag(old.persistent))
    yield leaf("parentName", parent_name)
    yield leaf("maskName", draft.ref("sprites", old.mask, path, NOTHING))
    yield parent("events", _events(draft, old, path, triggers))
    yield from physics_nodes(NO_PHYSICS)
    yield parent("PhysicsShapePoints", [])


def _events(
    draft: ClassicDraft, old: Object, path: str, triggers: dict[int, str]
) -> Iterator[XmlNode]:
    steps: dict[int, list[XmlNode]] = {}
    for event in old.categories[TRIGGER] if len(old.categories) > TRIGGER else ():
        moment, asked = _asked(draft, event.sub_type, triggers, path)
        block = [*map(_plain, (422,)), *_actions(draft, event.actions.actions, path), _plain(424)]
        steps.setdefault(moment, []).extend([asked, *block])
    for category, events in enumerate(old.categories[: _LAST + 1]):
        for event in events:
            attributes = {"eventtype": str(category)}
            if category == COLLISION:
                other = draft.ref("objects", event.sub_type, path, "")
                if not other:
                    message = f"a collision with object {event.sub_type}, which is not there"
                    draft.findings.warn("left-out", f"{message}, is left out", path)
                    count = len(event.actions.actions)
                    draft.count_more("actions", count, lost=count)
                    continue
                attributes["ename"] = other
            else:
                attributes["enumb"] = str(event.sub_type)
            actions = list(_actions(draft, event.actions.actions, path))
            if category == _STEP:
                actions += steps.pop(event.sub_type, [])
            if category == _MOUSE and event.sub_type in _JOYSTICKS:
                message = "GameMaker Studio 2 and later have no events of joysticks"
                draft.findings.warn("unsupported", message, path)
            yield parent("event", actions, **attributes)
    for moment, actions in steps.items():
        yield parent("event", actions, eventtype=str(_STEP), enumb=str(moment))


def add_timelines(draft: ClassicDraft) -> None:
    """Add the time lines."""
    paths = []
    for name, resource in draft.all("timelines"):
        path = draft.path_of("timeline", name)
        paths.append(path)
        entries = []
        for moment in cast("Timeline", resource).moments:
            event = parent("event", _actions(draft, moment.actions.actions, path))
            entries.append(parent("entry", [leaf("step", moment.position), event]))
        draft.add("timeline", name, entries)
    draft.tally("timelines", paths)


# -- triggers --------------------------------------------------------------------------------------


def _add_triggers(draft: ClassicDraft) -> dict[int, str]:
    """Add a script for the condition of each trigger; their names by number."""
    made: dict[int, str] = {}
    total = 0
    for number, slot in enumerate(draft.old.triggers.slots):
        trigger = slot.resource
        if not slot.exists or trigger is None:
            continue
        total += 1
        word = "".join(c if c.isascii() and c.isalnum() else "_" for c in cleaned(trigger.name))
        name = draft.new_name("script", f"trigger_{word or number}")
        made[number] = name
        path = f"scripts/{name}.gml"
        add_script(draft, name, f"/// The condition of the trigger {_line(trigger)}\n"
                   + draft.code(trigger.condition, path).rstrip("\n") + "\n")  # fmt: skip
        message = "a step event asks for this condition now: later editors have no triggers"
        draft.findings.warn("approximated", message, path)
    draft.count("triggers", total, total)
    return made


def _line(trigger: Trigger) -> str:
    return " ".join(cleaned(trigger.name).split())


def _asked(
    draft: ClassicDraft, number: int, triggers: dict[int, str], path: str
) -> tuple[int, XmlNode]:
    """When a trigger is asked for, and the question."""
    slots = draft.old.triggers.slots
    trigger = slots[number].resource if 0 <= number < len(slots) else None
    moment = 0 if trigger is None or trigger.moment not in _MOMENTS else trigger.moment
    name = triggers.get(number)
    if name is None:
        message = f"its event of trigger {number}, which is not there, never happens"
        draft.findings.warn("missing-name", message, path)
    argument = _argument(_EXPRESSION, "string", "false" if name is None else f"{name}()")
    return moment, action_node(
        {
            "libid": "1", "id": "408", "isquestion": "-1", "useapplyto": "-1", "exetype": "1",
            "functionname": "action_if",
        },
        [argument],
    )  # fmt: skip


def _plain(number: int) -> XmlNode:
    """The action that begins or ends a block."""
    return action_node({"id": str(number), "kind": str(definitions()[number].action().kind)}, [])


# -- actions ---------------------------------------------------------------------------------------


def _actions(draft: ClassicDraft, actions: Sequence[Action], path: str) -> Iterator[XmlNode]:
    draft.count_more("actions", len(actions))
    for action in actions:
        yield _action(draft, action, path)


def _action(draft: ClassicDraft, action: Action, path: str) -> XmlNode:
    if action.library_id != 1 or action.action_id not in definitions():
        message = f"action {action.action_id} of library {action.library_id} is an unknown one"
        draft.findings.warn("unsupported", f"{message}: the editor may lack the library", path)
    values = {
        "libid": str(action.library_id),
        "id": str(action.action_id),
        "kind": str(action.kind),
        "userelative": flag(action.can_be_relative),
        "isquestion": flag(action.is_question),
        "useapplyto": flag(action.can_apply_to),
        "exetype": str(action.exec_type),
        "functionname": cleaned(action.function_name),
        "codestring": draft.code(action.code, path),
        "whoName": _who(draft, action.applies_to, path),
        "relative": flag(action.relative),
        "isnot": flag(action.negated),
    }
    count = min(max(action.argument_count, 0), len(action.arguments))
    kinds = [*action.argument_kinds, *[0] * count]
    arguments = [
        _argument_of(draft, action, kinds[number], action.arguments[number], path)
        for number in range(count)
    ]
    return action_node(values, arguments)


def _who(draft: ClassicDraft, applies_to: int, path: str) -> str:
    """The instances that an action applies to; none for a missing object."""
    if applies_to == _SELF:
        return "self"
    if applies_to == _OTHER:
        return "other"
    return draft.ref("objects", applies_to, path, "noone")


def _argument_of(draft: ClassicDraft, action: Action, kind: int, text: str, path: str) -> XmlNode:
    plural = ARGUMENT_RESOURCES.get(kind)
    if plural is not None:
        bare = text.strip().removeprefix("-")
        if bare.isascii() and bare.isdigit() and len(bare) < 10:
            text = draft.ref(plural, int(text), path, NOTHING)
        else:
            text = draft.code(text, path)
        return _argument(kind, _TAGS[kind], text)
    is_comment = action.library_id == 1 and action.action_id == _COMMENT
    is_code = kind == _EXPRESSION or action.kind in (_CODE, _VARIABLE)
    if not is_comment and (is_code or (kind == _BOTH and text.lstrip()[:1] in ("'", '"'))):
        return _argument(kind, "string", draft.code(text, path))
    return _argument(kind, "string", cleaned(text))


def _argument(kind: int, tag: str, text: str) -> XmlNode:
    return parent("argument", [leaf("kind", kind), leaf(tag, text)])
