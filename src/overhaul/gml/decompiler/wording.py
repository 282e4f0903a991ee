"""The words in decompiled source that no name and no text of the code says."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from overhaul.gml.builtins import load_constants, load_enums
from overhaul.gml.context import ASSET_KINDS, RUNNER
from overhaul.gml.syntax.lexer import keywords
from overhaul.gml.vm.opcodes import MNEMONICS
from overhaul.gml.vm.text import COMPARISON_NAMES, EXTENDED_NAMES, INSTANCE_NAMES, REFERENCE_NAMES

#: the words that the decompiler itself writes: names of instances and of functions, and in the
#: comments that stand for code without source the reason for it, and the words of assembly
OWN: Final = """
__yy_breakEx __yy_continueEx a above access after again all an and another are argc argument
arguments array as assets assigned assignment assigns async_load at base be before belongs below
beyond bits block blocks bracket branch branches break bt but by bytecode call called can cannot
case catch chain chains child chknullish chr circuit code comparison compound condition constant
construct constructor continue continued converted CopyStatic copyVar could crosses cut d
decompiled deep deeper depth do does drop dup duplicated e else encoding end ends entry error exist
exit expression false far field finally fit fits for found from function functions game given
global half has have here holds hook i id if in infinity inside instance instruction instructions
internal into is isstaticok it its jump jumps kept kind known l label labels leads leave leaves
left less lies linked literal local locals localvar loop make many meet members method missing
mixed more most must name names nan nested nests next no noone not nothing nowhere number of off
offset on one only opcode operand operands operation or ord order other out outside over parameter
parent part pi places points popenv push pushref range reaches read record reference references
refers release repeat return runs s self setowner shape short size some something stack stacks
stacktop statement statements static static_get store stored string struct swap switch table takes
target targets temp text texts than that the them there they This this through to too tries true
try two type undefined unequal unknown UnknownEnum unreasonable used uses value values var variable
variable_get_hash was ways where whole with without word words wrong x
"""
#: the words that the decompiler writes with a number: of parameters, instances, members, labels,
#: functions
_NUMBERED: Final = (
    *("", "L", "arg", "argument", "inst_", "room_instance_", "Value_", "Value_m", "___struct___"),
    *("loc_", "func_", "x", "0x", "e"),
)
_END_IN_DIGITS: Final = re.compile(r"(\w*?)[0-9]+_*")
_NUMBER: Final = re.compile(r"[0-9a-fA-FxX_eE]+")


def may_say(word: str, *, v2: bool) -> bool:
    """Whether decompiled source may have a word, or a part of one, that the code does not."""
    lower = word.lower()
    if _NUMBER.fullmatch(word) or any(lower in each for each in _vocabulary(v2)):
        return True
    numbered = _END_IN_DIGITS.fullmatch(word)
    head = numbered[1].lower() if numbered else None
    return head is not None and any(each.lower().endswith(head) for each in _NUMBERED)


def finder(word: str, any_case: bool) -> Callable[[str], bool]:
    """Whether a text has the word.  Other letters may stand for those of ASCII if case does not
    matter: such texts are taken for it."""
    if not any_case:
        return lambda text: word in text
    lower = word.lower()
    return lambda text: lower in text.lower() or not text.isascii()


def values_of(has: Callable[[str], bool]) -> set[float]:
    """The values of the constants whose names have a word."""
    members = (item for enum in load_enums().values() for item in enum.items())
    constants = ((name, constant.value) for name, constant in load_constants().items())
    return {value for name, value in (*members, *constants) if has(name)}


@cache
def _vocabulary(v2: bool) -> frozenset[str]:
    """The words in small letters."""
    assembly = (MNEMONICS, COMPARISON_NAMES, EXTENDED_NAMES, INSTANCE_NAMES, REFERENCE_NAMES)
    names = [name for names in assembly for name in names.values()]
    names += [*OWN.split(), *keywords(v2), *load_enums(), *ASSET_KINDS, RUNNER, *_NUMBERED]
    return frozenset(word.lower() for word in names)
