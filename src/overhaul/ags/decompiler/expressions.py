"""Expressions as text, in the precedence of the language's compiler."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from overhaul.ags.decompiler.cells import Cell, CellItem, Types, looks_like_float
from overhaul.ags.decompiler.code import Code, Name
from overhaul.ags.decompiler.errors import Unstructured
from overhaul.ags.decompiler.inference import Inference
from overhaul.ags.decompiler.library import OPTIONS, VIEWS, Library, Member
from overhaul.ags.decompiler.nodes import (
    Address,
    AsText,
    Binary,
    Call,
    Constant,
    Expression,
    Index,
    Load,
    MakeString,
    MemoryPlace,
    New,
    NewArray,
    Property,
    Text,
    This,
    Unary,
    Variable,
)
from overhaul.ags.decompiler.places import Part
from overhaul.ags.text import decode

#: How strongly operators bind: 1 is the strongest.  It is not the order of other languages.
LEVELS: Final = {
    "*": 2, "/": 3, "%": 4, "+": 5, "-": 5, "<<": 7, ">>": 8, "&": 9, "|": 10, "^": 11, "==": 12,
    "!=": 13, ">": 14, "<": 15, ">=": 16, "<=": 17, "&&": 18, "||": 19,
}  # fmt: skip
_NEGATED: Final = 6
_WHOLE: Final = re.compile(r"\d+(?![\d.])")
#: What people read in another order than the compiler does: it has parentheses.
_BITS: Final = (LEVELS["&"], LEVELS["|"], LEVELS["^"])
_TRUTHS: Final = tuple(LEVELS[word] for word in ("==", "!=", ">", "<", ">=", "<=", "&&", "||"))
_PRODUCTS: Final = (LEVELS["*"], LEVELS["/"], LEVELS["%"])
#: The operators of values in which members of an enum are together.
_OF_SUMS: Final = ("&", "|", "^", "==", "!=")
#: The operators whose operands have types of their own.
_ANY: Final = ("&&", "||")
_ARITHMETIC: Final = ("+", "-", "*", "/", "%", "<<", ">>")
#: The variables by which authors name static methods of a struct.
_SPOKEN: Final = {"Mouse": "mouse"}
#: So many arguments authors write, though the last of them are the default ones.
_WRITTEN: Final = {"Walk": 4, "Animate": 4}
#: The functions whose first argument is the number of an option.
_OF_OPTIONS: Final = ("GetGameOption", "SetGameOption")
#: The member of an enum that authors write as 0.
_NO_KEY: Final = "eKeyNone"
_OPERATORS: Final = {"=s": "==", "!s": "!="}
_ESCAPES: Final = {"\n": "\\n", "\r": "\\r", '"': '\\"', "\t": "\\t"}
_SETTERS: Final = ("set_", "seti_")


def float_text(bits: int) -> str:
    """The shortest literal of a float with these bits."""
    value = struct.unpack("<f", (bits & 0xFFFFFFFF).to_bytes(4, "little"))[0]
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError("no literal gives this float")
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if struct.pack("<f", float(text)) == struct.pack("<f", value):
            break
    text = f"{Decimal(text):f}"
    whole, _, part = text.partition(".")
    return f"{whole}.{part or '0'}"


def text_literal(text: str, *, escapes: bool) -> str:
    """A text in quotes; ``escapes``: whether the compiler knows more than ``\\n`` and ``\\r``."""
    made = []
    at = 0
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            if text[at + 1 : at + 2] == "[":
                made.append("\\[")
                at += 2
                continue
            made.append("\\\\")
        elif letter == "\t" and not escapes:
            made.append(letter)
        else:
            made.append(_ESCAPES.get(letter, letter))
        at += 1
    return '"' + "".join(made) + '"'


class Expressions:
    """Writes expressions of a script whose types are known."""

    def __init__(
        self,
        inference: Inference,
        types: Types,
        *,
        left_to_right: bool = True,
        escapes: bool = False,
        old_negatives: bool = False,
    ) -> None:
        self.inference = inference
        self.types = types
        self.library: Library = inference.library
        self.left_to_right = left_to_right
        self.escapes = escapes
        self.old_negatives = old_negatives
        #: The negative numbers that only members of enums can be.
        self.negative_members: set[int] = set()
        self._shared = inference.shared
        strings = inference.code.script.strings
        self._strings = bytes(strings)
        self._writers: dict[type[Expression], Callable[[Expression, str], tuple[str, int]]] = {
            Constant: self._constant, Text: self._string, Load: self._load,
            Address: self._address, This: self._this, Binary: self._binary, Unary: self._unary,
            Call: self._call, Property: self._property, New: self._new, NewArray: self._new_array,
            MakeString: self._inner, AsText: self._inner,
        }  # fmt: skip

    def type_of(self, node: Expression) -> str:
        """The type of an expression; empty for a number of any type."""
        if isinstance(node, Address):
            name = self.types.of(self.inference.place(node.place, "&")[1])
            return name if name.endswith(("*", "[]")) else f"{name}*"
        type = self.inference.visit(node)
        return "" if type is None else self.types.of(type)

    def text(self, node: Expression, expected: str = "") -> str:
        """An expression as text; ``expected`` is the type of what it is put into."""
        return self._write(node, expected)[0]

    def _write(self, node: Expression, expected: str) -> tuple[str, int]:
        writer = self._writers.get(type(node))
        if writer is None:
            raise self.fail("a value that no expression has")
        return writer(node, expected)

    def fail(self, reason: str) -> Unstructured:
        """The error for the function at hand."""
        return Unstructured(reason, self.inference.code.starts[self.inference.function])

    # ------------------------------------------------------------------------------------- values

    def _constant(self, node: Expression, expected: str) -> tuple[str, int]:
        assert isinstance(node, Constant)
        text = self.number(node.value, expected)
        if self.old_negatives and text == str(node.value) and node.value < 0:
            self.negative_members.add(node.value)
            return self._shared.negative_member(node.value), 0
        return text, _NEGATED if node.value < 0 else 0

    def number(self, value: int, expected: str) -> str:
        """A number, as what it stands for in a type."""
        if expected == "float":
            try:
                return float_text(value)
            except ValueError as error:
                raise self.fail(str(error)) from error
        if value == 0 and (expected.endswith(("*", "[]")) or self.library.is_pointer(expected)):
            return "null"
        members = self.library.enums.get(expected)
        if members is not None and value in members and members[value] != _NO_KEY:
            return members[value]
        if expected == "char" and 32 <= value < 127 and chr(value) not in "'\\":
            return f"'{chr(value)}'"
        return str(value)

    def _string(self, node: Expression, expected: str) -> tuple[str, int]:
        assert isinstance(node, Text)
        return self.literal(node.offset), 0

    def literal(self, offset: int) -> str:
        """The literal of a text in the string table."""
        if not 0 <= offset < len(self._strings):
            raise self.fail("a text lies outside the string table")
        end = self._strings.find(b"\0", offset)
        end = len(self._strings) if end < 0 else end
        return text_literal(decode(self._strings[offset:end]), escapes=self.escapes)

    def _inner(self, node: Expression, expected: str) -> tuple[str, int]:
        assert isinstance(node, (MakeString, AsText))
        return self._write(node.value, "String")

    def _this(self, node: Expression, expected: str) -> tuple[str, int]:
        return "this", 0

    def _new(self, node: Expression, expected: str) -> tuple[str, int]:
        name = self.type_of(node).removesuffix("*")
        if expected.endswith("*"):
            name = expected[:-1]
        assert isinstance(node, New)
        heir = self.inference.heirs.get(node)
        return f"new {name if heir is None else heir.type_name()}", 0

    def _new_array(self, node: Expression, expected: str) -> tuple[str, int]:
        assert isinstance(node, NewArray)
        own = self.inference.visit(node)
        name = (expected or self.type_of(node)).removesuffix("[]")
        del own
        return f"new {name.rstrip('*')}[{self.text(node.count, 'int')}]", 0

    # ------------------------------------------------------------------------------------- places

    def _load(self, node: Expression, expected: str) -> tuple[str, int]:
        assert isinstance(node, Load)
        return self.place(node.place, node.how), 0

    def _address(self, node: Expression, expected: str) -> tuple[str, int]:
        assert isinstance(node, Address)
        return self.place(node.place, "&"), 0

    def place(self, place: MemoryPlace, how: str) -> str:
        """A variable, a field or an element."""
        parts, _ = self.inference.place(place, how)
        return "".join(self._part(part, number) for number, part in enumerate(parts))

    def _part(self, part: Part, number: int) -> str:
        dot = "." if number else ""
        match part:
            case Index():
                return f"[{self.text(part.value, 'int')}]"
            case Variable() | CellItem() | Member():
                return f"{dot}{part.name}"
            case int():
                return self.inference.code.imports[part].name
            case _:
                return self.primary(part)

    def primary(self, node: Expression) -> str:
        """An expression that a member is taken of."""
        text, level = self._write(node, "")
        return f"({text})" if level else text

    # ---------------------------------------------------------------------------------- operators

    def _binary(self, node: Expression, expected: str) -> tuple[str, int]:
        assert isinstance(node, Binary)
        operator = _OPERATORS.get(node.operator, node.operator)
        level = LEVELS[operator]
        left_type, right_type = self.type_of(node.left), self.type_of(node.right)
        if node.is_float:
            left_type = right_type = "float"
        if operator in ("&&", "||") or (
            operator in ("+", "-", "*", "/", "%", "<<", ">>") and not node.is_float
        ):
            wanted_left = wanted_right = ""
        else:
            wanted_left, wanted_right = right_type or left_type, left_type or right_type
        if operator in _OF_SUMS:
            enum = self._sum_of(node.left) or self._sum_of(node.right)
            enum = enum or (expected if operator == "|" else "")
            if enum in self.library.enums:
                wanted_left = wanted_right = enum
        left = self._operand(node.left, level, wanted_left, first=True)
        right = self._operand(node.right, level, wanted_right, first=False)
        return f"{left} {operator} {right}", level

    def _sum_of(self, node: Expression) -> str:
        """The enum whose members are together in a value; empty for another value."""
        if isinstance(node, Binary) and node.operator in ("&", "|", "^"):
            return self._sum_of(node.left) or self._sum_of(node.right)
        type = self.inference.visit(node) if isinstance(node, Load) else None
        return type.root().sum_of if isinstance(type, Cell) else ""

    def _operand(self, node: Expression, level: int, expected: str, *, first: bool) -> str:
        text, own = self._write(node, expected)
        if own == _NEGATED and (isinstance(node, Constant) or level > _NEGATED):
            return text
        if own == _NEGATED:
            # Behind a minus stands all that binds more tightly than a sum.
            is_clear = level == LEVELS["+"] and (self.left_to_right or not first)
            return text if is_clear else f"({text})"
        is_clear = own not in _BITS or level not in _TRUTHS
        if own in _PRODUCTS and level in _PRODUCTS:
            is_clear = own == level
        if own > level or (own == level and first != self.left_to_right) or not is_clear:
            return f"({text})"
        return text

    def _unary(self, node: Expression, expected: str) -> tuple[str, int]:
        assert isinstance(node, Unary)
        wanted = "float" if node.is_float else ""
        text, level = self._write(node.value, wanted)
        if node.operator == "!":
            return (f"!({text})" if level else f"!{text}"), 1
        # Newer compilers take a minus and a number behind it for one literal.
        plain = not self.old_negatives and _WHOLE.match(text) is not None
        if plain or text.startswith("-") or (level and level not in _PRODUCTS):
            text = f"({text})"
        return f"-{text}", _NEGATED

    # -------------------------------------------------------------------------------------- calls

    def _call(self, node: Expression, expected: str) -> tuple[str, int]:
        assert isinstance(node, Call)
        names = self.inference.code.names if node.target.own else self.inference.code.imports
        name = names[node.target.value]
        arguments = self._arguments(node)
        return f"{self._object(node.object or node.via, name)}({arguments})", 0

    def _object(self, object: Expression | None, name: Name) -> str:
        if object is not None:
            return f"{self.primary(object)}.{name.name}"
        if name.owner:
            return f"{_SPOKEN.get(name.owner, name.owner)}.{name.name}"
        return self.library.spoken.get(name.name, name.name)

    def defaults(self, own: bool, number: int) -> dict[int, str]:
        """The default values of the parameters of a function by their places."""
        return self._shared.defaults.get(self._function(own, number), {})

    def find_defaults(self) -> None:
        """Find the default values of parameters: arguments that have other code where they are
        written were left out, with all behind them."""
        for node in self.inference.negative_calls:
            first = self._left_out(node)
            values = [arg for arg in node.arguments[first:] if isinstance(arg, Constant)]
            if len(values) == len(node.arguments) - first and not self.inference.signature(node):
                function = self._function(node.target.own, node.target.value)
                known = self._shared.defaults.setdefault(function, {})
                for place, value in enumerate(values, start=first):
                    known.setdefault(place, self._default(node, place, value))

    def _function(self, own: bool, number: int) -> tuple[str, Code | None]:
        """A function by its name and the script that has it."""
        code = self.inference.code
        name = (code.names if own else code.imports)[number].full
        return name, code if own else self._shared.owners.get(name)

    def _left_out(self, node: Call) -> int:
        """The place of the first argument that the code cannot have where it is written."""
        wanted = self._wanted(node)
        for place, argument in enumerate(node.arguments):
            if isinstance(argument, Constant) and argument.value < 0:
                type = wanted[place] if place < len(wanted) else ""
                if self.old_negatives or self._is_float(type, argument):
                    return place
        return len(node.arguments)

    def _default(self, node: Call, place: int, value: Constant) -> str:
        wanted = self._wanted(node)
        is_float = self._is_float(wanted[place] if place < len(wanted) else "", value)
        return self.number(value.value, "float") if is_float else str(value.value)

    def _is_float(self, type: str, value: Constant) -> bool:
        return type == "float" or (not type and looks_like_float(value.value))

    def _arguments(self, node: Call) -> str:
        wanted, kept = self._wanted(node), self._kept(node)
        found = self.inference.signature(node)
        if found is not None and not found.is_variadic:
            name = self.inference.code.imports[node.target.value].name
            while kept > _WRITTEN.get(name, 0) and kept <= len(found.values):
                last = node.arguments[kept - 1]
                default = found.values[kept - 1]
                if default is None or not isinstance(last, Constant) or last.value != default:
                    break
                kept -= 1
        texts = []
        for number, argument in enumerate(node.arguments[:kept]):
            type = wanted[number] if number < len(wanted) else self.type_of(argument)
            if isinstance(argument, Constant) and self._is_float(type, argument):
                type = "float"
            texts.append(self.text(argument, type))
        return ", ".join(texts)

    def _kept(self, node: Call) -> int:
        """The number of arguments that are written: those behind them are the default values."""
        kept = len(node.arguments)
        defaults = self.defaults(node.target.own, node.target.value)
        first = self._left_out(node) if defaults else kept
        while kept > first:
            value = node.arguments[kept - 1]
            if not isinstance(value, Constant):
                break
            if self._default(node, kept - 1, value) != defaults.get(kept - 1):
                break
            kept -= 1
        return kept

    def _wanted(self, node: Call) -> list[str]:
        """The types of the parameters of what is called."""
        if node.target.own:
            body = self.inference.bodies.get(node.target.value)
            return [self.variable_type(v) for v in body.parameters] if body is not None else []
        found = self.inference.signature(node)
        if found is not None:
            types = [self._or_view(one.type, one.name) for one in found.parameters]
            of_options = self.inference.code.imports[node.target.value].full in _OF_OPTIONS
            return [OPTIONS, *types[1:]] if of_options else types
        unknown = self.inference.unknown.get(node.target.value)
        cells = unknown.parameters if unknown is not None else []
        return [self.types.of(cell, parameter=True) for cell in cells]

    def _or_view(self, type: str, name: str) -> str:
        """The type of a parameter or attribute; one of numbers of views has their names."""
        is_view = type == "int" and name.lower().endswith("view") and VIEWS in self.library.enums
        return VIEWS if is_view else type

    def variable_type(self, variable: Variable) -> str:
        """The type of a local variable or parameter other than an array of fixed length."""
        item = variable.item
        if item is None:
            return "int"
        if item.is_buffer:
            return "string"
        if variable.width in (1, 2):
            return "char" if variable.width == 1 else "short"
        if item.record is not None:
            return item.record.type_name()
        if item.stride in (1, 2):
            return "char" if item.stride == 1 else "short"
        return self.types.of(item.cell, parameter=variable.is_parameter)

    def _property(self, node: Expression, expected: str) -> tuple[str, int]:
        assert isinstance(node, Property)
        object = node.object or node.via
        if object is not None:
            text = f"{self.primary(object)}.{node.name}"
        elif node.owner:
            text = f"{node.owner}.{node.name}"
        else:
            text = node.name
        if node.index is not None:
            text += f"[{self.text(node.index, 'int')}]"
        return text, 0

    def target(self, target: MemoryPlace | Property, how: str) -> str:
        """The place that an assignment writes to."""
        if isinstance(target, Property):
            return self._property(target, "")[0]
        return self.place(target, how)

    def target_type(self, target: MemoryPlace | Property, how: str) -> str:
        """The type of what an assignment writes to."""
        if isinstance(target, Property):
            known = self.library.attribute(target.owner, target.name)
            if known is not None:
                return self._or_view(known.type, known.name)
            own = self.inference.attributes.get((target.owner, target.name))
            if own is not None:
                return self.types.of(own.type)
            unknown = self.inference.unknown.get(target.target.value)
            return self.types.of(unknown.result) if unknown is not None else ""
        type = self.inference.place(target, how)[1]
        return self.types.of(type) if isinstance(type, (Cell, str)) else ""
