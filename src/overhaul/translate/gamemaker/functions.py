"""What GameMaker's own functions do with texts: which draw them, pass them on, store them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from overhaul.gml.builtins.effects import Arguments, load_effects


def _together(*effects: str) -> dict[str, Arguments]:
    return {name: numbers for each in effects for name, numbers in load_effects(each).items()}


def _first(effect: str, functions: Iterable[str]) -> dict[str, int]:
    """The one argument of each of the functions that has an effect."""
    found = load_effects(effect)
    return {name: found[name][0] for name in functions}


#: functions that show arguments to the player
SHOWN: Final = load_effects("shown")

#: variables whose value is shown
SHOWN_VARIABLES: Final = frozenset(
    ("room_caption", "caption_score", "caption_lives", "caption_health")
)

#: functions whose result holds arguments, or what is in them
PASSED: Final = _together("passed", "returned", "held", "fetched")
#: functions whose result is something that their first argument holds
FETCHED: Final = load_effects("fetched")
#: functions that put arguments, or what is in them, into what the first one is
STORED: Final = _together("stored", "copied", "added")
#: functions for which arguments are names of something, which a translation would not be
NAMED: Final = load_effects("named")
#: functions that look for something by arguments
LOOKUP: Final = load_effects("lookup")
#: functions that have a key of a map: which argument it is
FIELDS: Final = _first("field", load_effects("field"))
#: functions that look for a value in arguments
SEARCHED: Final = load_effects("searched")
#: functions that draw a picture whose number may be a letter's: which argument it is
LETTERS: Final = _first("letter", load_effects("letter"))
#: functions that read a file: which argument is its name
READS_FILE: Final = _first("file", load_effects("file"))
#: functions that run the events of an object named by an argument, as what calls them
TAKE_EVENTS: Final = _first("events", load_effects("events"))

_VALUES: Final = load_effects("variable_value")
#: functions that read a variable: which argument is its name
READS: Final = _first("variable", load_effects("variable").keys() - _VALUES)
#: functions that set a variable: which argument is its name, and which its value
SETS: Final = {name: (at, _VALUES[name][0]) for name, at in _first("variable", _VALUES).items()}
