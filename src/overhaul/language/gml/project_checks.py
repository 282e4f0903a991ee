"""Doubts about the code of projects of Game Maker 5 to 8.1.

Packing stores this code as text and compiles none of it, so these are warnings of editors only:
what the language of that generation can't read, and names that nothing in the project gives.  A
name is given by a resource, a constant, an assignment anywhere, a text in quotes or a value of an
action (``execute_string`` and the actions for variables take such texts).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhaul.errors import OverhaulError
from overhaul.gml.builtins import load_classic_functions
from overhaul.gml.compiler.names import INSTANCE_WORDS
from overhaul.gml.context import Context
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import LineIndex, ProblemList
from overhaul.gml.syntax.lexer import tokenize
from overhaul.gml.syntax.parser import parse_all, parse_expression
from overhaul.language.answers import Diagnostic
from overhaul.language.gml.scanning import Occurrence, Scan
from overhaul.language.places import diagnostic
from overhaul.language.texts import LONGEST, Lines, Texts
from overhaul.suggest import did_you_mean

if TYPE_CHECKING:
    from overhaul.language.gml.names import Index

_WORD: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_CALL: Final = re.compile(r"\s*\(")
_INDEX: Final = re.compile(r"\s*\[")
#: nodes of later languages, and what they are called
_LATER: Final[dict[type, str]] = {
    tree.Conditional: "? :", tree.ArrayLiteral: "a list in brackets",
    tree.StructLiteral: "a struct", tree.TemplateString: "a template string",
    tree.Function: "a function in the code",
    tree.New: "new", tree.Static: "static", tree.Throw: "throw", tree.Try: "try",
    tree.Delete: "delete", tree.Enum: "enum", tree.Macro: "#macro",
}  # fmt: skip
_LATER_OPERATORS: Final = frozenset(("??", "??=", "%="))
#: files whose values give names: not the texts of sprites and rooms
_GIVING: Final = ("actions.json", "constants.json", "project.json")
#: where the folder lists the extension packages that the project uses
#: the conditions of triggers are values, or code that returns one
_TRIGGERS: Final = "triggers/"
_PROJECT: Final = "project.json"
_PACKAGES: Final = re.compile(r'"packages"\s*:\s*\[\s*"')


class ProjectChecker:
    """Reads the code of a project as its compiler would.  ``index`` has the names in its files."""

    def __init__(self, texts: Texts, index: Index) -> None:
        self._texts = texts
        self._index = index
        self._given: dict[str, tuple[str, frozenset[str]]] = {}

    def check(self, path: str, text: str) -> list[Diagnostic]:
        """The warnings of a file with this text, in its order."""
        if len(text) > LONGEST:
            return []
        plain = text.replace("\r\n", "\n")
        lines = Lines(plain)
        context = self._index.context()
        block, problems = parse_all(plain, context.dialect, macros={})
        if path.startswith(_TRIGGERS) and _is_expression(plain, context):
            block, problems = tree.Block([], position=0, end=len(plain)), ProblemList(plain)
        reports = [
            (problem.line, problem.column, problem.message) for problem in problems.problems()
        ]
        places = LineIndex(plain)
        if not reports:
            reports += [(*places.place(at), said) for at, said in _later(plain, block, context)]
            own = LineIndex(text)
            reports += [(*own.place(at), said) for at, said in self._unknown(path, text)]
        reports.sort(key=lambda each: each[:2])
        shown = [diagnostic("warning", said, line, column, lines) for line, column, said in reports]
        return shown if plain == text else _with_line_ends(shown, Lines(text))

    # -- names -------------------------------------------------------------------------------------

    def _unknown(self, path: str, text: str) -> Iterator[tuple[int, str]]:
        """The names of a file that nothing gives."""
        scan = self._index.scan(path)
        given: set[str] | None = None
        hints: dict[str, str] = {}
        for occurrence in scan.occurrences:
            said = self._said(scan, occurrence, text)
            if not said:
                continue
            if given is None:
                given = self._all_given()
            is_call = said.endswith("()")
            if occurrence.name in given or (is_call and self._has_packages()):
                continue
            what = "nothing in the project sets it" if not is_call else "there is no such function"
            if said not in hints:
                known = self._functions() if is_call else given
                hints[said] = did_you_mean(occurrence.name, known)
            yield occurrence.position, f"{said}: {what}{hints[said]}"

    def _said(self, scan: Scan, each: Occurrence, text: str) -> str:
        """The word for a name in a report; "" for one with a meaning."""
        name, end = each.name, each.position + len(each.name)
        if each.written or each.use in ("declared", "key") or scan.is_local(each):
            return ""
        if name in INSTANCE_WORDS or _INDEX.match(text, end):
            return ""
        what = self._index.meaning(name).what
        if each.use == "field" or not _CALL.match(text, end):
            return name if what == "variable" else ""
        is_known = what not in ("variable", "builtin function")
        is_known = is_known or name in load_classic_functions()
        if what == "builtin function":
            is_known = not self._index.context().lacks(name)
        return "" if is_known else f"{name}()"

    def _functions(self) -> list[str]:
        """The functions that may be meant."""
        context = self._index.context()
        own = [name for name, (kind, _) in context.asset_ids.items() if kind == "script"]
        known = [name for name in context.builtin_functions if not context.lacks(name)]
        return [*own, *known, *load_classic_functions()]

    def _all_given(self) -> set[str]:
        """The names that something in the project gives."""
        given: set[str] = set()
        for path in self._texts.paths():
            if path.endswith((".gml", *_GIVING)):
                try:
                    given |= self._given_in(path)
                except OverhaulError:
                    continue  # the file has just gone
        return given

    def _given_in(self, path: str) -> frozenset[str]:
        text = self._texts.read(path)
        kept = self._given.get(path)
        if kept is not None and (kept[0] is text or kept[0] == text):
            return kept[1]
        names: set[str] = set()
        if path.endswith(".json"):
            names.update(_WORD.findall(text))
        else:
            for quoted in _QUOTED.findall(text):
                names.update(_WORD.findall(quoted))
            for occurrence in self._index.scan(path).occurrences:
                if (
                    occurrence.written
                    or occurrence.use == "declared"
                    or _INDEX.match(text, occurrence.position + len(occurrence.name))
                ):
                    names.add(occurrence.name)
        made = frozenset(names)
        self._given[path] = text, made
        return made

    def _has_packages(self) -> bool:
        """Whether extension packages, whose functions the project does not list, may give names."""
        return _PROJECT in self._texts and bool(_PACKAGES.search(self._texts.read(_PROJECT)))


def _is_expression(text: str, context: Context) -> bool:
    try:
        parse_expression(text, context.dialect)
    except SyntaxError_:
        return False
    return True


def _later(text: str, block: tree.Block, context: Context) -> Iterator[tuple[int, str]]:
    """Parts of later languages, and statements without an effect."""
    tokens = tokenize(
        text, ProblemList(text), gms2=context.dialect.gms2_or_later, v2=context.dialect.gml_v2
    )
    for kind, value, position in zip(tokens.kinds, tokens.values, tokens.positions, strict=True):
        if kind in _LATER_OPERATORS:
            yield position, f"Game Maker of this version has no {kind}"
        elif value[:2] in ("0x", "0X"):
            yield position, f"Game Maker of this version writes ${value[2:]}"
    for node in block.walk():
        later = _LATER.get(type(node))
        if later is not None:
            yield node.position, f"Game Maker of this version has no {later}"
        elif isinstance(node, tree.Index) and node.accessor:
            yield node.position, f"Game Maker of this version has no [{node.accessor} ]"
        elif isinstance(node, tree.ExpressionStatement):
            yield from _idle(node.expression)


def _idle(node: tree.Expression) -> Iterator[tuple[int, str]]:
    """A statement that is only a value, which the compiler refuses."""
    if isinstance(node, tree.Increment):
        yield node.position, f"Game Maker of this version has no {node.operator}: write += 1"
    elif not isinstance(node, tree.Call | tree.New | tree.Function):
        yield node.position, "this is a value: an assignment or a call is expected"


def _with_line_ends(shown: list[Diagnostic], lines: Lines) -> list[Diagnostic]:
    """Reports with the places of a text whose lines end as in Windows."""
    return [
        diagnostic(doubt.severity, doubt.message, doubt.line, doubt.column, lines)
        for doubt in shown
    ]
