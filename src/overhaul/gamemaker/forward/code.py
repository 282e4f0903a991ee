"""The code of Studio 1 and before as GameMaker 2.3 and later have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from overhaul.findings import Findings
from overhaul.gamemaker.forward import dropped
from overhaul.gamemaker.forward.texts import Edit, NewNames, closed, edited, ends_at, tokens_of
from overhaul.gml.builtins import load_functions
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.lexer import NAME, NUMBER, STRING, Tokens, keywords
from overhaul.gml.syntax.parser import parse_all

_STUDIO: Final = Dialect.for_version(16, (1, 4, 9999, 0))
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_SPELLINGS: Final = {":=": "=", "<>": "!="}
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "", "\t": "\\t"})
_LATER_WORDS: Final = frozenset(keywords(True)) - frozenset(keywords(False))
_OWN: Final = "own_"
_ARGUMENT: Final = "argument"
_MOST_ARGUMENTS: Final = 16
_NEWLINE: Final = "string_hash_to_newline"


def string_text(content: str, *, is_shown: bool = False) -> str:
    """A string of Studio 1 as later releases write it; in one that is shown # begins a line."""
    if is_shown:
        marked = content.replace("\\#", "\0").replace("#", "\n").replace("\0", "#")
        content = marked
    return f'"{content.translate(_ESCAPES)}"'


class _Tree(NamedTuple):
    """The facts about a source's tokens in its tree: the places of the targets of assignments
    with their statements, and of statements that count up or down."""

    targets: dict[int, tree.Assignment]
    counted: dict[int, tree.Increment]
    message: str
    line: int


def _tree_of(source: str) -> _Tree:
    block, problems = parse_all(source, _STUDIO)
    targets: dict[int, tree.Assignment] = {}
    counted: dict[int, tree.Increment] = {}
    for node in block.walk():
        if isinstance(node, tree.Assignment):
            targets[_start(node.target)] = node
        elif isinstance(node, tree.Increment):
            counted[_start(node.operand)] = node
    found = problems.problems()
    first = found[0] if found else None
    return _Tree(
        targets, counted, "" if first is None else first.message, 0 if first is None else first.line
    )


def _start(node: tree.Node) -> int:
    """Where an expression begins in its source."""
    return min((each.position for each in node.walk() if each.position >= 0), default=node.position)


def assigned_names(source: str) -> set[str]:
    """The names of variables that a source declares or gives values to."""
    block, _ = parse_all(source, _STUDIO)
    found: set[str] = set()
    for node in block.walk():
        target = node.target if isinstance(node, tree.Assignment) else None
        while isinstance(target, tree.Index):
            target = target.object
        if isinstance(target, tree.Name | tree.Member):
            found.add(target.name)
        elif isinstance(node, tree.Declarator):
            found.add(node.name)
    return found


def arguments_of(source: str) -> int:
    """How many arguments a script reads; 0 for one that asks how many there are."""
    most = 0
    for kind, value in zip(*_parts(source), strict=True):
        if kind != NAME or not value.startswith(_ARGUMENT):
            continue
        digits = value.removeprefix(_ARGUMENT)
        if not digits.isdigit():
            return 0
        most = max(most, int(digits) + 1)
    return most if most <= _MOST_ARGUMENTS else 0


def _parts(source: str) -> tuple[list[str], list[str]]:
    tokens = tokens_of(source)
    return tokens.kinds, tokens.values


class Forwarder:
    """Changes the sources of a project; ``used`` are the functions that it needs then.

    ``names`` are the other names of resources; ``scripts`` are the functions that the project has
    itself, with how many arguments they read: in earlier releases those that a call leaves out
    are 0.
    """

    def __init__(self, names: NewNames, scripts: Mapping[str, int], findings: Findings) -> None:
        self.used: set[str] = set()
        self._names = names
        self._scripts = scripts
        self._findings = findings
        self._variables: dict[str, str] = {}
        self._unknown: set[str] = set()

    def rename_variables(self, assigned: set[str], taken: set[str]) -> None:
        """Choose other names for the variables that later releases have a meaning for."""
        for name in sorted(assigned & (dropped.later_names() | _LATER_WORDS)):
            if name in self._scripts:
                continue
            made, number = f"{_OWN}{name}", 2
            while made in assigned or made in taken:
                made, number = f"{_OWN}{name}_{number}", number + 1
            self._variables[name] = made
            message = f"later releases have the name {name}: the variable is called {made}"
            self._findings.warn("renamed", message)

    def source(self, source: str, path: str) -> str:
        """A source as later releases have it; what has no equivalent is reported."""
        text = closed(source.replace("\r\n", "\n").replace("\r", "\n"))
        if not text.strip():
            return text
        return _Source(self, text, path).made()

    # -- for a source ------------------------------------------------------------------------------

    def warn(self, code: str, message: str, path: str, line: int) -> None:
        """Report something about a line of a source."""
        self._findings.warn(code, message, path, "", line)

    def unknown(self, name: str, path: str, line: int) -> None:
        """Report a function that nothing in the project or the language has, once."""
        if name not in self._unknown:
            self._unknown.add(name)
            message = f"nothing has the function {name}: it may be one of an extension"
            self.warn("unknown-name", message, path, line)

    def name_of(self, name: str, *, is_called: bool, is_member: bool) -> str | None:
        """Another name for a name; None for the same."""
        if not is_member:
            if is_called and name in self._names.calls:
                return self._names.calls[name]
            if name in self._names.plain:
                return self._names.plain[name]
        return None if is_called else self._variables.get(name)

    def reads(self, name: str) -> int | None:
        """How many arguments a function of the project reads; None for another function."""
        return self._scripts.get(name)


class _Source:
    """A source on its way."""

    def __init__(self, owner: Forwarder, source: str, path: str) -> None:
        self.owner = owner
        self.source = source
        self.path = path
        self.tokens: Tokens = tokens_of(source)
        self.tree = _tree_of(source)
        self.edits: list[Edit] = []
        self.shown: set[int] = set()
        self.partners = _partners(self.tokens)

    def made(self) -> str:
        """The source with all changes."""
        if self.tree.message:
            message = f"the code has an error ({self.tree.message}): look at all of it"
            self.owner.warn("syntax", message, self.path, self.tree.line)
        kinds = self.tokens.kinds
        for number in range(len(kinds) - 1):
            if kinds[number] == NAME and kinds[number + 1] == "(":
                self._call(number)
        for number, kind in enumerate(kinds[:-1]):
            if kind == NAME:
                self._name(number)
            elif kind == STRING:
                content = self.tokens.values[number][1:-1]
                made = string_text(content, is_shown=number in self.shown)
                self._replace(number, made)
            elif kind == NUMBER:
                self._number(number)
            elif self.tokens.values[number] in _SPELLINGS:
                self._replace(number, _SPELLINGS[self.tokens.values[number]])
        return edited(self.source, self.edits)

    def _replace(self, number: int, text: str) -> None:
        if text != self.tokens.values[number]:
            start = self.tokens.positions[number]
            self.edits.append(Edit(start, start + len(self.tokens.values[number]), text))

    def _insert(self, at: int, text: str) -> None:
        self.edits.append(Edit(at, at, text))

    def _line(self, number: int) -> int:
        return self.source.count("\n", 0, self.tokens.positions[number]) + 1

    # -- names -------------------------------------------------------------------------------------

    def _name(self, number: int) -> None:
        kinds, name = self.tokens.kinds, self.tokens.values[number]
        is_member = number > 0 and kinds[number - 1] == "."
        is_called = kinds[number + 1] == "("
        table = dropped.VIEWS if name in dropped.VIEWS else dropped.BACKGROUNDS
        if name in table and not is_member and not is_called:
            kind = "view" if table is dropped.VIEWS else "background"
            self._value(number, kind, table[name])
            return
        if name in dropped.GONE and not is_called and not is_member:
            message = f"no later release has the variable {name}: it is one of your own now"
            self.owner.warn("unsupported", message, self.path, self._line(number))
        made = self.owner.name_of(name, is_called=is_called, is_member=is_member)
        if made is not None:
            self._replace(number, made)

    def _number(self, number: int) -> None:
        value = self.tokens.values[number]
        if value.endswith("."):
            self._replace(number, value[:-1])

    def _call(self, number: int) -> None:
        name = self.tokens.values[number]
        is_member = number > 0 and self.tokens.kinds[number - 1] == "."
        if is_member:
            return
        read = self.owner.reads(name)
        if read is not None:
            self._fill(number + 1, read)
            return
        if name in dropped.scripted() or name in dropped.MADE:
            self.owner.used.add(name)
        elif name in dropped.without_equivalent():
            message = f"no later release has the function {name}, and nothing stands for it"
            self.owner.warn("unsupported", message, self.path, self._line(number))
        else:
            self._native(number, name)

    def _fill(self, opening: int, count: int) -> None:
        """Give a call as many arguments as the function reads."""
        closing = self.partners.get(opening)
        given = list(self._arguments(opening))
        if closing is None or len(given) >= count:
            return
        text = ", ".join(["0"] * (count - len(given)))
        self._insert(self.tokens.positions[closing], f", {text}" if given else text)

    def _native(self, number: int, name: str) -> None:
        """A call of a function that later releases have, or that nothing is known of."""
        known = load_functions().get(name)
        if known is None:
            self.owner.unknown(name, self.path, self._line(number))
            return
        arguments = list(self._arguments(number + 1))
        is_less = len(arguments) < known.minimum
        if is_less or 0 <= known.maximum < len(arguments):
            most = known.minimum if is_less else known.maximum
            message = f"{name} has {len(arguments)} arguments here, and takes {most} later"
            self.owner.warn("unsupported", message, self.path, self._line(number))
        place = dropped.TEXTS.get(name)
        if place is not None and place < len(arguments):
            self._text(*arguments[place])

    def _arguments(self, opening: int) -> Iterator[tuple[int, int]]:
        """The first and last token of each argument of a call."""
        closing = self.partners.get(opening)
        if closing is None or closing == opening + 1:
            return
        start = at = opening + 1
        while at < closing:
            if self.tokens.kinds[at] == ",":
                yield start, at - 1
                start = at + 1
            at = self.partners.get(at, at) + 1
        yield start, closing - 1

    def _text(self, first: int, last: int) -> None:
        """An argument that is shown as a text."""
        kinds, values = self.tokens.kinds, self.tokens.values
        strings = [n for n in range(first, last + 1) if kinds[n] == STRING]
        if first == last and strings:
            self.shown.add(first)
            return
        is_number = kinds[first] == NUMBER or (values[first] == "string" and not strings)
        if last < first or is_number:
            return
        self._insert(self.tokens.positions[first], f"{_NEWLINE}(")
        self._insert(ends_at(self.tokens, last), ")")

    # -- views and backgrounds ---------------------------------------------------------------------

    def _value(self, number: int, kind: str, what: str) -> None:
        """A variable that functions get and set."""
        kinds, positions = self.tokens.kinds, self.tokens.positions
        start = positions[number]
        has_index = kinds[number + 1] == "["
        closing = self.partners.get(number + 1) if has_index else number
        if closing is None:
            return
        after = closing + 1
        assignment = self.tree.targets.get(start)
        counted = self.tree.counted.get(start)
        if assignment is not None and after < len(kinds) - 1:
            self._set(number, closing, kind, what, assignment)
        elif counted is not None:
            self._count(number, closing, kind, what, counted)
        else:
            self.owner.used.add(f"old_{kind}_get")
            self._head(number, f'old_{kind}_get("{what}", ', "0")
            if has_index:
                self._replace(closing, ")")
            else:
                self._insert(ends_at(self.tokens, closing), ")")

    def _head(self, number: int, text: str, index: str) -> None:
        """The beginning of a call, with the index that there is, or another."""
        has_index = self.tokens.kinds[number + 1] == "["
        end = ends_at(self.tokens, number + 1 if has_index else number)
        made = text if has_index else text + index
        self.edits.append(Edit(self.tokens.positions[number], end, made))

    def _set(
        self, number: int, closing: int, kind: str, what: str, assignment: tree.Assignment
    ) -> None:
        self.owner.used.add(f"old_{kind}_set")
        tokens = self.tokens
        operator = closing + 1
        self._head(number, f'old_{kind}_set("{what}", ', "0")
        has_index = tokens.kinds[number + 1] == "["
        start = tokens.positions[closing] if has_index else ends_at(tokens, closing)
        self.edits.append(Edit(start, ends_at(tokens, operator), ","))
        last = self._last_of(operator + 1, assignment.value)
        sign = "" if assignment.operator == "=" else f', "{assignment.operator}"'
        self._insert(ends_at(tokens, last), f"{sign})")

    def _last_of(self, first: int, value: tree.Expression) -> int:
        """The last token of an expression that begins at a token."""
        furthest = max((node.position for node in value.walk()), default=-1)
        last = first
        depth = 0
        at = first
        kinds, positions = self.tokens.kinds, self.tokens.positions
        while at < len(kinds) - 1 and (positions[at] <= furthest or depth > 0):
            depth += (kinds[at] in _OPENING) - (kinds[at] in _CLOSING)
            last = at
            at += 1
            is_open = depth == 0 and at < len(kinds) - 1 and kinds[at] in ("(", "[")
            if is_open and positions[last] >= furthest and kinds[last] == NAME:
                furthest = positions[at]  # the arguments of a call without any
        while at < len(kinds) - 1 and depth > 0:
            depth -= kinds[at] in _CLOSING
            last = at
            at += 1
        while kinds[at] == "." and kinds[at + 1] == NAME:  # a member has no node of its own
            last = at + 1
            at += 2
        return last

    def _count(
        self, number: int, closing: int, kind: str, what: str, counted: tree.Increment
    ) -> None:
        self.owner.used.add(f"old_{kind}_set")
        tokens = self.tokens
        sign = "+=" if counted.operator == "++" else "-="
        place = number - 1 if counted.prefix else closing + 1
        self._head(number, f'old_{kind}_set("{what}", ', "0")
        has_index = tokens.kinds[number + 1] == "["
        tail = f', 1, "{sign}")'
        if has_index:
            self._replace(closing, tail)
        else:
            self._insert(ends_at(tokens, closing), tail)
        if tokens.values[place] == counted.operator:
            self._replace(place, "")


def _partners(tokens: Tokens) -> dict[int, int]:
    """The closing bracket of each opening one, by their places."""
    found: dict[int, int] = {}
    left: list[int] = []
    for number, kind in enumerate(tokens.kinds):
        if kind[:1] in _OPENING:
            left.append(number)
        elif kind in _CLOSING and left:
            found[left.pop()] = number
    return found
