"""Objects and timelines: a JSON file, and each event as GML or as a list of actions.

    objects/obj_player/object.json
    objects/obj_player/create.gml               an event that is nothing but code
    objects/obj_player/collision_obj_wall/      any other event:
        actions.json                            its actions
        1.gml                                   the code of an action in the list

A list of actions is JSON that people can read:

    [
      {"action": "action_if_object", "arguments": [{"object": "obj_wall"}, "0", "8"], "not": true},
      {"action": "begin_group"},
      {"action": "code", "file": "step.1.gml"},
      ...
    ]

Values of an action that repeat its library's definition are left out where they agree with Game
Maker's own libraries, and shown by name where they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from overhaul.errors import FormatError
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import (
    at_key,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    expect_texts,
    in_file,
)
from overhaul.gamemaker.classic.action_table import (
    ARGUMENT_RESOURCES,
    SLOTS,
    by_name,
    definitions,
)
from overhaul.gamemaker.classic.actions import COLLISION, TRIGGER, Action, ActionList, Event, Object
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.resources import Moment, Timeline
from overhaul.gamemaker.classic_folder.kind import (
    FolderKind,
    JsonObject,
    Made,
    Reference,
    Unit,
    expect_no_more,
    made_json,
    made_text,
    read_each,
    show_record,
    take,
    take_integer,
)
from overhaul.gamemaker.classic_folder.names import (
    ResourceFileNames,
    event_of_word,
    event_word,
)

CODE = 603
_FLAGS = ("can_be_relative", "is_question", "can_apply_to")
_NUMBERS = ("kind", "exec_type", "argument_count")
_TEXTS = ("function_name", "code")
_SELF, _OTHER = -1, -2
_APPLIES = {_SELF: "self", _OTHER: "other"}
_BY_SINGULAR = {BY_PLURAL[plural].singular: plural for plural in ARGUMENT_RESOURCES.values()}

T = TypeVar("T")

LIST = "actions.json"
AGAIN = "%="  # before the number of a second list of one name; no name of a file holds it


# ----------------------------------------------------------------------------- lists as files


def show_actions(actions: ActionList, path: str, names: ResourceFileNames) -> Iterator[Made]:
    """The files of a list of actions."""
    code = only_code(actions)
    if code is not None:
        yield f"{path}.gml", made_text(code)
        return
    pieces: list[str] = []

    def add_code(text: str) -> str:
        pieces.append(text)
        return f"{len(pieces)}.gml"

    plain = list_to_json(actions, names, add_code)
    yield f"{path}/{LIST}", made_json(plain)
    for index, text in enumerate(pieces):
        yield f"{path}/{index + 1}.gml", made_text(text)


def read_actions(files: Edits, path: str, names: ResourceFileNames) -> ActionList:
    """The list of actions of its files."""
    if f"{path}.gml" in files:
        return code_list(files.text(f"{path}.gml"))
    listed = f"{path}/{LIST}"
    plain = files.json(listed)
    with in_file(listed):
        return list_from_json(plain, names, lambda name: _code_of(files, f"{path}/{name}"))


def _code_of(files: Edits, path: str) -> str:
    if path not in files:
        raise FormatError(f"there is no file {path}")
    return files.text(path)


def words_of(paths: Iterable[str]) -> list[str]:
    """The words of the events (or moments) that have these files."""
    words: dict[str, None] = {}
    for path in paths:
        word, inner, _ = path.split("/", 2)[2].partition("/")
        if inner or word.endswith(".gml"):
            words[word if inner else word[:-4]] = None
    return list(words)


def numbered(words: Iterable[str]) -> list[str]:
    """The words as file names: those that are repeated get a number."""
    seen: dict[str, int] = {}
    result = []
    for word in words:
        seen[word] = seen.get(word, 0) + 1
        result.append(word if seen[word] == 1 else f"{word}{AGAIN}{seen[word]}")
    return result


def word_of(name: str) -> str:
    """The word of a file name that :func:`numbered` gave."""
    return name.partition(AGAIN)[0]


def in_order(given: object, existing: list[str], key: str) -> list[str]:
    """The words that have files, in the order that JSON gives; those it leaves out at the end."""
    with at_key(key):
        words = [word for word in expect_texts(given) if word in existing]
    return words + [word for word in existing if word not in words]


def references_of(actions: ActionList) -> Iterator[Reference]:
    """The references in the actions of a list."""
    for action in actions.actions:
        yield "objects", action.applies_to
        for kind, text in zip(action.argument_kinds, action.arguments, strict=False):
            if kind in ARGUMENT_RESOURCES and text.isascii() and text.isdigit():
                yield ARGUMENT_RESOURCES[kind], int(text[:10])


def only_code(actions: ActionList) -> str | None:
    """The GML of a list that is a single plain "execute code" action; None for any other."""
    if len(actions.actions) != 1:
        return None
    action = actions.actions[0]
    if action.action_id != CODE or not action.arguments:
        return None
    plain = _code_action(action.arguments[0])
    return action.arguments[0] if action == plain else None


def code_list(code: str) -> ActionList:
    """The list that :func:`only_code` turns into this code."""
    return ActionList(version=400, actions=[_code_action(code)])


def _code_action(code: str) -> Action:
    action = definitions()[CODE].action()
    action.arguments[0] = code
    return action


# ---------------------------------------------------------------------------------- to JSON


def list_to_json(
    actions: ActionList, names: ResourceFileNames, add_code: Callable[[str], str]
) -> list[JsonObject]:
    """A list of actions; ``add_code`` puts a code action's GML into a file and names that."""
    return [_to_json(action, names, add_code) for action in actions.actions]


def _to_json(
    action: Action, names: ResourceFileNames, add_code: Callable[[str], str]
) -> JsonObject:
    shown: JsonObject = {}
    definition = definitions().get(action.action_id) if action.library_id == 1 else None
    if definition is not None and by_name()[definition.name] is definition:
        shown["action"] = definition.name
        base = definition.action()
    else:
        shown["library"], shown["id"] = action.library_id, action.action_id
        base = Action(argument_kinds=[0] * SLOTS)
    for name in (*_NUMBERS, *_TEXTS):
        if getattr(action, name) != getattr(base, name):
            shown[name] = getattr(action, name)
    for name in _FLAGS:
        if getattr(action, name) != getattr(base, name):
            shown[name] = _flag(getattr(action, name))
    if action.argument_kinds != base.argument_kinds:
        shown["argument_kinds"] = action.argument_kinds
    if action.applies_to != _SELF:
        shown["applies_to"] = _APPLIES.get(action.applies_to) or {
            "object": names.show("objects", action.applies_to)
        }
    if action.relative:
        shown["relative"] = _flag(action.relative)
    if action.negated:
        shown["not"] = _flag(action.negated)
    arguments = action.arguments
    if len(arguments) != SLOTS:
        shown["slots"] = len(arguments)
    if definition is not None and definition.id == CODE and arguments:
        shown["file"] = add_code(arguments[0])
        arguments = ["0", *arguments[1:]]
        used = _used(arguments, 0)
    else:
        used = _used(arguments, action.argument_count)
    if used:
        shown["arguments"] = [
            _argument(text, kind, names)
            for text, kind in zip(
                arguments[:used], _padded(action.argument_kinds, used, 0), strict=True
            )
        ]
    return shown


def _used(arguments: list[str], count: int) -> int:
    """How many arguments are worth showing: those in use, and up to the last that is not "0"."""
    used = min(max(count, 0), len(arguments))
    for index in range(len(arguments) - 1, used - 1, -1):
        if arguments[index] != "0":
            return index + 1
    return used


def _padded(values: list[T], length: int, filling: T) -> list[T]:
    return (values + [filling] * length)[:length]


def _flag(value: int) -> bool | int:
    return bool(value) if value in (0, 1) else value


def _argument(text: str, kind: int, names: ResourceFileNames) -> str | JsonObject:
    resources = ARGUMENT_RESOURCES.get(kind)
    if resources is None or not text.isascii() or not text.isdigit() or len(text) > 9:
        return text
    stem = names.stem(resources, int(text))
    if stem is None or str(int(text)) != text:
        return text
    return {BY_PLURAL[resources].singular: stem}


# -------------------------------------------------------------------------------- from JSON


def list_from_json(
    plain: object, names: ResourceFileNames, code_of: Callable[[str], str]
) -> ActionList:
    """The list that :func:`list_to_json` showed; ``code_of`` reads a named file of GML."""
    actions = read_each(lambda item: _from_json(item, names, code_of), expect_list(plain))
    return ActionList(version=400, actions=actions)


def _from_json(plain: object, names: ResourceFileNames, code_of: Callable[[str], str]) -> Action:
    left = dict(expect_object(plain))
    if "action" in left:
        name = left.pop("action")
        definition = by_name().get(name) if isinstance(name, str) else None
        if definition is None:
            raise FormatError(f"there is no action called {name!r}", path="action")
        action = definition.action()
    else:
        action = Action(version=440, argument_kinds=[0] * SLOTS, arguments=["0"] * SLOTS)
        action.library_id = _number(left, "library", None)
        action.action_id = _number(left, "id", None)
    for field in (*_NUMBERS, *_FLAGS):
        setattr(action, field, _number(left, field, getattr(action, field)))
    for field in _TEXTS:
        setattr(action, field, take(left, field, expect_text, getattr(action, field)))
    kinds = take(left, "argument_kinds", expect_list, action.argument_kinds)
    action.argument_kinds = read_each(_integer, kinds, "argument_kinds")
    action.applies_to = _applies_to(left.pop("applies_to", "self"), names)
    action.relative = _number(left, "relative", 0)
    action.negated = _number(left, "not", 0)
    slots = take_integer(left, "slots", SLOTS, low=0, high=1001)
    given = read_each(
        lambda argument: _text_of(argument, names),
        take(left, "arguments", expect_list, []),
        "arguments",
    )
    if len(given) > slots:
        raise FormatError(f"{len(given)} arguments, but only {slots} slots", path="arguments")
    action.arguments = _padded(given, slots, "0")
    if "file" in left:
        if not slots:
            raise FormatError("an action with code needs a slot for it", path="slots")
        action.arguments[0] = take(left, "file", lambda file: code_of(expect_text(file)), None)
    if left:
        raise FormatError(f"an action has no field {min(left)!r}")
    return action


def _number(plain: JsonObject, field: str, default: int | None) -> int:
    return take(plain, field, _integer, default)


def _integer(value: object) -> int:
    """A number of 32 bits; flags are also true and false."""
    return int(value) if isinstance(value, bool) else expect_integer(value, high=(1 << 32) - 1)


def _text_of(argument: object, names: ResourceFileNames) -> str:
    if isinstance(argument, dict) and len(argument) == 1:
        ((singular, stem),) = argument.items()
        if singular in _BY_SINGULAR:
            return str(names.read(_BY_SINGULAR[singular], stem))
    if not isinstance(argument, str):
        raise FormatError("expected a text or a resource")
    return argument


def _applies_to(plain: object, names: ResourceFileNames) -> int:
    for number, word in _APPLIES.items():
        if plain == word:
            return number
    if isinstance(plain, dict) and plain.keys() == {"object"}:
        return names.read("objects", plain["object"])
    raise FormatError('expected "self", "other" or an object', path="applies_to")


_REFERENCES = {"sprite": ("sprites", -1), "parent": ("objects", -100), "mask": ("sprites", -1)}


def _show(
    object_: Object, stem: str, extra: JsonObject, names: ResourceFileNames
) -> Iterator[Made]:
    plain = extra | show_record(
        object_,
        object_.version,
        names,
        without=["categories", "last_category"],
        references=_REFERENCES,
    )
    events = _events(object_)
    words = event_words(object_, names)
    for word, (_, event) in zip(words, events, strict=True):
        yield from show_actions(event.actions, f"{stem}/{word}", names)
    if events != sorted(events, key=_usual_order) or any(AGAIN in word for word in words):
        plain["events"] = words
    if object_.last_category != _last_category(names):
        plain["last_category"] = object_.last_category
    yield f"{stem}/object.json", made_json(plain)


def _events(object_: Object) -> list[tuple[int, Event]]:
    """The events of an object with their categories, in the order of the file."""
    return [
        (category, event) for category, events in enumerate(object_.categories) for event in events
    ]


def event_words(object_: Object, names: ResourceFileNames) -> list[str]:
    """The names of the files of an object's events, in the order of the file."""
    return numbered(
        event_word(category, event.sub_type, names) for category, event in _events(object_)
    )


def _usual_order(numbered_event: tuple[int, Event]) -> tuple[int, int]:
    category, event = numbered_event
    return category, -event.sub_type


def _last_category(names: ResourceFileNames) -> int:
    """The number of the last category of events that objects of the version have."""
    return TRIGGER if names.version >= 800 else TRIGGER - 1


def _read(unit: Unit, base: Object | None) -> Object:
    given = unit.plain.pop("events", None)
    last = take_integer(unit.plain, "last_category", _last_category(unit.names), -1, 1001)
    object_ = unit.record(Object, base, references=_REFERENCES)
    words = words_of(unit.paths)
    if given is not None:
        words = in_order(given, words, "events")
    events: list[tuple[int, Event]] = []
    for word in words:
        with in_file(unit.folder):
            category, sub_type = event_of_word(word_of(word), unit.names)
        actions = read_actions(unit.files, f"{unit.folder}/{word}", unit.names)
        events.append((category, Event(sub_type=sub_type, actions=actions)))
    if given is None:
        events.sort(key=_usual_order)
    object_.last_category = max([last, *(category for category, _ in events)])
    object_.categories = [
        [event for number, event in events if number == category]
        for category in range(object_.last_category + 1)
    ]
    return object_


def _references(object_: Object) -> Iterator[Reference]:
    yield "sprites", object_.sprite
    yield "sprites", object_.mask
    yield "objects", object_.parent
    for category, events in enumerate(object_.categories):
        for event in events:
            if category in (COLLISION, TRIGGER):
                yield "objects" if category == COLLISION else "triggers", event.sub_type
            yield from references_of(event.actions)


OBJECTS = FolderKind(
    "objects", _show, _read, json="/object.json", references=_references, named=_REFERENCES
)


def _show_timeline(
    timeline: Timeline, stem: str, extra: JsonObject, names: ResourceFileNames
) -> Iterator[Made]:
    positions = [moment.position for moment in timeline.moments]
    words = numbered(map(str, positions))
    for word, moment in zip(words, timeline.moments, strict=True):
        yield from show_actions(moment.actions, f"{stem}/{word}", names)
    if positions != sorted(set(positions)):
        extra = extra | {"moments": words}
    yield f"{stem}/timeline.json", made_json(extra)


def _read_timeline(unit: Unit, base: Timeline | None) -> Timeline:
    given = unit.plain.pop("moments", None)
    expect_no_more(unit.plain)
    words = words_of(unit.paths)
    if given is None:
        words.sort(key=lambda word: (_position(word), word))
    else:
        words = in_order(given, words, "moments")
    moments = [
        Moment(_position(word), read_actions(unit.files, f"{unit.folder}/{word}", unit.names))
        for word in words
    ]
    return Timeline(version=unit.version, moments=moments)


def _position(word: str) -> int:
    try:
        position = int(word_of(word))
    except ValueError:
        position = 1 << 40
    if not -(1 << 31) <= position < 1 << 31:
        raise FormatError(f"expected the step of a moment, got {word!r:.40}")
    return position


def _references_of_timeline(timeline: Timeline) -> Iterator[Reference]:
    for moment in timeline.moments:
        yield from references_of(moment.actions)


TIMELINES = FolderKind(
    "timelines",
    _show_timeline,
    _read_timeline,
    json="/timeline.json",
    references=_references_of_timeline,
)
