"""The comment above a function: ``/// @param {Real} amount How much``.

Source: GameMaker's manual, "JSDoc Script Comments" and "Feather Data Types"; the comments of some
3,000 functions in real projects, which also write ``/// scr_name(amount, by)`` for scripts of
before 2.3, and leave types out.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from overhaul.language.answers import Parameter

#: The comment that a script begins with.
_FIRST: Final = re.compile(r"((?:[ \t]*//[^\n]*(?:\n|\Z))+|/\*(?:[^*]|\*(?!/))*\*/)")
#: How a line of a comment begins.
_HEAD: Final = re.compile(r"(?:/{2,}\s*)+|/?\*+(?!/)")
_TAG: Final = re.compile(r"\s*@(\w+)\b[ \t]*")
_NAMED: Final = re.compile(r"\[\s*(\w+)[^\]]*\]|(\w+)")
_WORD: Final = re.compile(r"\w+")
_CALL: Final = re.compile(r"\s*(\w+)\s*\(([^()]*)\)\s*(?:;\s*)?\Z")
_PARAMETERS: Final = frozenset(("param", "parameter", "arg", "argument"))
_RETURNS: Final = frozenset(("return", "returns"))
#: Their text is what the function is for.
_DESCRIPTIONS: Final = frozenset(("desc", "description"))
_FUNCTIONS: Final = frozenset(("func", "function"))
#: Tags without a text of their own.
_MARKS: Final = frozenset(("deprecated", "ignore", "pure"))


class DocParameter(NamedTuple):
    """The text about a parameter: its type ("" for none), and its description."""

    type: str = ""
    text: str = ""
    is_optional: bool = False

    def said(self, name: str) -> str:
        """In a line: ``amount (Real): How much``."""
        facts = ", ".join(filter(None, (self.type, "optional" if self.is_optional else "")))
        head = f"{name} ({facts})" if facts else name
        return f"{head}: {self.text}" if self.text else head


class Doc(NamedTuple):
    """The comment of a function: lines of text, the parameters by name, the type of its result
    and a text about that, and the marks: deprecated, pure ..."""

    lines: tuple[str, ...] = ()
    parameters: dict[str, DocParameter] = {}
    returns: str = ""
    returned: str = ""
    marks: tuple[str, ...] = ()

    def text(self) -> str:
        """Its lines, without parameters that have only a name."""
        lines = list(self.lines)
        lines += [
            parameter.said(name)
            for name, parameter in self.parameters.items()
            if parameter != DocParameter()
        ]
        if self.returns or self.returned:
            said = f"returns {self.returns}".rstrip()
            lines.append(f"{said}: {self.returned}" if self.returned else said)
        return "\n".join([*lines, *self.marks])

    def typed_names(self) -> list[str]:
        """The parameters that are written, with their types: those of a script of before 2.3."""
        return [_as_typed(name, parameter.type) for name, parameter in self.parameters.items()]

    def with_types(self, header: str) -> str:
        """The parameters of a function as its source has them, ``(amount, by = noone)``, each with
        its type."""
        for each in reversed(parameters_of(header)):
            name = _WORD.match(header, each.start)
            known = self.parameters.get(name[0]) if name is not None else None
            if name is not None and known is not None:
                typed = _as_typed(name[0], known.type)
                header = header[: each.start] + typed + header[name.end() :]
        return header


def _as_typed(name: str, kind: str) -> str:
    return f"{name}: {kind}" if kind else name


def comment_above(text: str, begin: int) -> str:
    """The comment that ends where a function begins; empty if there is none."""
    start = line = text.rfind("\n", 0, begin) + 1
    before = text[:begin].rstrip()
    if before.endswith("*/"):
        return before[max(before.rfind("/*"), 0) :]
    while start and not text[line:begin].strip():
        above = text.rfind("\n", 0, start - 1) + 1
        if not text[above:start].lstrip().startswith("//"):
            break
        start = above
    return text[start:line]


def first_comment(text: str) -> str:
    """The comment that a script begins with; empty if there is none."""
    found = _FIRST.match(text.lstrip())
    return found[1] if found is not None else ""


def read_doc(comment: str, name: str = "") -> Doc:
    """The content of a comment; ``name`` is that of the function."""
    lines: list[str] = []
    parameters: dict[str, DocParameter] = {}
    marks: list[str] = []
    returns = returned = ""
    for line in _texts(comment):
        tag = _TAG.match(line)
        word = tag[1].lower() if tag is not None else ""
        rest = line[tag.end() :].strip() if tag is not None else line.strip()
        call = _CALL.match(rest) if word in _FUNCTIONS or not word else None
        if call is not None and call[1] == name:
            for each in filter(None, map(str.strip, call[2].split(","))):
                parameters.setdefault(each.strip("[]").partition("=")[0].strip(), DocParameter())
        elif word in _PARAMETERS:
            found = _parameter(rest)
            if found is not None:
                parameters[found[0]] = found[1]
            elif rest:
                lines.append(rest)
        elif word in _RETURNS:
            returns, returned = _typed(rest)
        elif word in _MARKS:
            marks.append(f"{word}: {rest}" if rest else word)
        elif word in _FUNCTIONS:
            lines += [rest] if rest and rest != name else []
        else:
            lines.append(rest if word in _DESCRIPTIONS or not word else f"{word} {rest}".rstrip())
    return Doc(tuple(filter(None, lines)), parameters, returns, returned, tuple(marks))


def _texts(comment: str) -> list[str]:
    """The lines of a comment without its marks; a tag with a text has all lines up to the next."""
    lines: list[str] = []
    is_tag = False
    for line in comment.splitlines():
        text = _unmarked(line)
        tag = _TAG.match(text)
        if tag is not None:
            is_tag = tag[1].lower() not in _FUNCTIONS | _MARKS
            lines.append(text)
        elif is_tag and text.strip():
            lines[-1] += f" {text.strip()}"
        else:
            is_tag = False
            lines.append(text)
    return lines


def _unmarked(line: str) -> str:
    """A line without the marks of a comment."""
    text = line.strip()
    head = _HEAD.match(text)
    text = text[head.end() :].strip() if head is not None else text
    return text.removesuffix("*/").rstrip("*").rstrip() if text.endswith("*/") else text


def _typed(rest: str) -> tuple[str, str]:
    """The type in braces that a text begins with, and the text behind it."""
    if not rest.startswith("{"):
        return "", rest
    end = rest.find("}")
    if end < 0:
        return "", rest
    kind = "".join(rest[1:end].split()).replace(",", "|")  # one of several, and no next parameter
    return kind, rest[end + 1 :].strip().removeprefix("-").strip()


def _parameter(rest: str) -> tuple[str, DocParameter] | None:
    """A parameter: its name, and what is said of it; None for none."""
    kind, rest = _typed(rest)
    named = _NAMED.match(rest)
    if named is None:
        return None
    text = rest[named.end() :].strip().removeprefix("-").strip()
    return named[1] or named[2], DocParameter(kind, text, named[1] is not None)


def parameters_of(text: str) -> list[Parameter]:
    """The ranges of the parameters in a signature."""
    start = text.find("(") + 1
    depth, at, found = 0, start, []
    for position in range(start, len(text)):
        char = text[position]
        if char in "([{":
            depth += 1
        elif char in ")]}" and depth:
            depth -= 1
        elif (char == "," and not depth) or char == ")":
            piece = text[at:position]
            if piece.strip():
                begin = at + len(piece) - len(piece.lstrip())
                found.append(Parameter(begin, begin + len(piece.strip())))
            at = position + 1
            if char == ")":
                break
    return found
