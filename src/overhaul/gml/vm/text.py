"""The words of assembly text: names of numbers, and how operands are written and read.

Each pair of functions here is one rule in both directions; the assembler and the disassembler do
the rest. The text is the one UndertaleModTool established. Values that it cannot express are
written in ways that its reader never produces: ``{5}`` behind a mnemonic for low bits that an
instruction does not use, ``[normal]`` before a variable whose record is not the one the plain
form means, a quoted name where the plain one could be misread.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from overhaul.gml.vm.code import Operand, RawDouble, VariableReference, double_from_bits
from overhaul.gml.vm.opcodes import TYPE_LETTERS, Comparison, Extended, InstanceType, ReferenceType

INSTANCE_NAMES: Final[dict[int, str]] = {
    **{int(instance): instance.name.lower() for instance in InstanceType},
    int(InstanceType.ARGUMENT): "arg",
}
INSTANCES: Final[dict[str, int]] = {
    **{name: number for number, name in INSTANCE_NAMES.items()},
    "undefined": 0,
}

REFERENCE_NAMES: Final[dict[int, str]] = {
    int(reference): reference.name.lower().replace("_", "") for reference in ReferenceType
}
REFERENCES: Final[dict[str, int]] = {
    **{name: number for number, name in REFERENCE_NAMES.items()},
    "multipush": int(ReferenceType.ARRAY_PUSHAF),
    "multipushpop": int(ReferenceType.ARRAY_POPAF),
}

COMPARISON_NAMES: Final[dict[int, str]] = {
    int(comparison): comparison.name for comparison in Comparison
}
COMPARISONS: Final[dict[str, int]] = {
    **{name: number for number, name in COMPARISON_NAMES.items()},
    "LEQ": int(Comparison.LTE),
    "GEQ": int(Comparison.GTE),
}

EXTENDED_NAMES: Final[dict[int, str]] = {
    **{int(operation): operation.name.lower() for operation in Extended},
    int(Extended.SAVEREF): "savearef",
    int(Extended.RESTOREREF): "restorearef",
}
EXTENDED: Final[dict[str, int]] = {
    **{name: number for number, name in EXTENDED_NAMES.items()},
    "isnullish": int(Extended.CHKNULLISH),
    "saveref": int(Extended.SAVEREF),
    "restoreref": int(Extended.RESTOREREF),
}

TYPES: Final[dict[str, int]] = {
    letter: number for number, letter in enumerate(TYPE_LETTERS) if letter != "?"
}

COMMENT: Final = " ;;; "

_NORMAL = int(ReferenceType.NORMAL)
_INSTANCE = int(ReferenceType.INSTANCE)
_SELF = int(InstanceType.SELF)
_PLAIN_NAME = re.compile(r"[\w@$][^\s\"\\.\[]*\Z")
_NUMBER = re.compile(r"-?\d+\Z")
_CANONICAL_NAN = 0xFFF8000000000000


# -- strings and names -------------------------------------------------------------------------

_ESCAPES = str.maketrans({"\\": "\\\\", "\r": "\\r", "\n": "\\n", '"': '\\"'})
_TO_ESCAPE = re.compile(r'[\\"\r\n]')
_UNESCAPES = {"\\": "\\", "r": "\r", "n": "\n", '"': '"'}
_ESCAPED = re.compile(r'\\([\\rn"])')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def quote(text: str) -> str:
    """A string literal: only backslash, quote, carriage return and line feed are escaped."""
    if _TO_ESCAPE.search(text):
        text = text.translate(_ESCAPES)
    return f'"{text}"'


def unquote(text: str) -> tuple[str, str] | None:
    """(content, what follows) of text that begins with a string literal, or None."""
    match = _QUOTED.match(text)
    if match is None:
        return None
    content = match[1]
    if "\\" in content:
        content = _ESCAPED.sub(lambda escape: _UNESCAPES[escape[1]], content)
    return content, text[match.end() :]


def name_text(name: str) -> str:
    """A name as an operand: quoted where the bare one would be misread."""
    if name.isidentifier() or _PLAIN_NAME.match(name):
        return name
    risky = (
        not name
        or name != name.strip()
        or name[0] in '"[;>:.'
        or any(sign in name for sign in ("\n", "\r", COMMENT, "(argc=", " (locals="))
        or not name.isprintable()
        # A number at the end of a .localvar line is the variable's record.
        or (" " in name and name.rpartition(" ")[2].removeprefix("-").isdigit())
    )
    if risky or ("." in name and _instance(name.partition(".")[0]) is not None):
        return quote(name)
    return name


def read_name(text: str) -> str:
    """The name an operand spells."""
    if text.startswith('"'):
        quoted = unquote(text)
        if quoted is not None and not quoted[1]:
            return quoted[0]
    return text


# -- numbers -------------------------------------------------------------------------------------


# A compiled build unboxes what is declared a float, and a RawDouble would lose its bits: so the
# functions that may see one don't declare it.


def double_text(value: object) -> str:
    """The shortest text that reads back to the same bits, with an exponent where .NET has one."""
    if isinstance(value, RawDouble):
        return "NaN" if value.bits == _CANONICAL_NAN else f"${value.bits:016X}"
    text = repr(value)
    if text == "nan":
        return "NaN"
    if "inf" in text:
        return text.replace("inf", "Infinity")
    if "e" not in text and abs(float(text)) < 1e15:
        return text.removesuffix(".0")
    mantissa, _, exponent = f"{Decimal(text).normalize():E}".partition("E")
    return f"{mantissa}E{exponent[0]}{exponent[1:]:0>2}"


def read_double(text: str) -> Operand:
    """A double from text.  Raises ValueError."""
    if text.startswith("$"):
        bits = int(text[1:], 16)
        if bits >> 64:
            raise ValueError("more than 64 bits")
        return double_from_bits(bits)
    value = float(text.replace("∞", "inf"))
    if value != value:
        return RawDouble(_CANONICAL_NAN)
    return value


def read_integer(text: str, bits: int) -> int:
    """An integer, decimal or 0x…, that fits ``bits`` signed (or unsigned: then it wraps).
    Raises ValueError."""
    value = int(text, 0) if text[:3].lower().lstrip("-").startswith("0x") else int(text)
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise ValueError(f"{text} does not fit {bits} bits")
    return value - (1 << bits) if value >> (bits - 1) > 0 else value


# -- variables -------------------------------------------------------------------------------------


def implied_scope(instance: int) -> int:
    """The instance type of the VARI record that a plain access of an instance type means."""
    return _SELF if instance >= 0 else _IMPLIED_SCOPES.get(instance, instance)


_IMPLIED_SCOPES: dict[int, int] = {
    int(InstanceType.ARGUMENT): int(InstanceType.BUILTIN),
    int(InstanceType.OTHER): _SELF,
    int(InstanceType.BUILTIN): _SELF,
    int(InstanceType.STACKTOP): _SELF,
}


def _instance_text(instance: int) -> str:
    return INSTANCE_NAMES.get(instance) or str(instance)


def _instance(text: str) -> int | None:
    if _NUMBER.match(text):
        value = int(text)
        return value if -0x8000 <= value < 0x8000 else None
    return INSTANCES.get(text.lower())


def variable_text(reference: VariableReference, instance: int, explicit: bool = False) -> str:
    """A variable operand; ``instance``: the instance type to show, 0 for none; ``explicit``: with
    the bracket even where the plain form would mean the same."""
    name, scope, kind = reference
    text = name if name.isidentifier() else name_text(name)
    if explicit or kind != _NORMAL or scope != implied_scope(instance):
        word = REFERENCE_NAMES.get(kind) or str(kind)
        text = f"[{word}]{_instance_text(scope)}.{text}"
        if instance and kind == _INSTANCE:
            return f"{instance}.{text}"
    return f"{_instance_text(instance)}.{text}" if instance else text


_BRACKET = re.compile(r"\[([^\]]*)\](.*)", re.DOTALL)


def read_variable(text: str) -> tuple[int, VariableReference]:
    """(instance type, reference) of a variable operand.  Raises ValueError."""
    instance = 0
    prefix, dot, rest = text.partition(".")
    if dot and (number := _instance(prefix)) is not None:
        instance, text = number, rest
    match = _BRACKET.match(text)
    if match is None:
        if not text:
            raise ValueError("a variable has no name")
        return instance, VariableReference(read_name(text), implied_scope(instance), _NORMAL)
    word = match[1].lower()
    kind = int(word) if word.isdecimal() else REFERENCES.get(word)
    if kind is None or kind & ~0xF8:
        raise ValueError(f"unknown reference type [{match[1]}]")
    prefix, dot, name = match[2].partition(".")
    scope = _instance(prefix) if dot else None
    if scope is None:
        raise ValueError("the instance type of the variable's record is missing after the bracket")
    if not name:
        raise ValueError("a variable has no name")
    return instance, VariableReference(read_name(name), scope, kind)
