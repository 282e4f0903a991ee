"""The descriptions of names, in words: for hovering, completion and the arguments of calls."""

from __future__ import annotations

from typing import Final, NamedTuple

from overhaul.gamemaker.data.code.meanings import signature
from overhaul.gml.builtins import BuiltinFunction
from overhaul.gml.builtins.types import load_variable_types
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.lexer import NAME, tokenize
from overhaul.language.answers import Signature
from overhaul.language.gml.jsdoc import (
    Doc,
    DocParameter,
    comment_above,
    first_comment,
    parameters_of,
    read_doc,
)
from overhaul.language.gml.names import WORDS, Index, Objects, Target
from overhaul.language.gml.scanning import Declaration
from overhaul.suggest import cut

_OPENING: Final = frozenset(("(", "[", "{", "[|", "[?", "[#", "[@", "[$"))
_CLOSING: Final = frozenset((")", "]", "}"))
#: names of arguments in a call that are looked at
_BEFORE: Final = 1 << 16


class About(NamedTuple):
    """A line of code that shows what a name is, and sentences about it."""

    code: str
    text: str


class Describer:
    """Knows what the names of a game are."""

    def __init__(self, index: Index, objects: Objects) -> None:
        self._index = index
        self._objects = objects
        self._docs: dict[str, tuple[str, dict[int, Doc]]] = {}

    def about(self, target: Target) -> About:
        """The description of a name."""
        name, context = target.name, self._index.context()
        match target.what:
            case "local":
                scope = self._index.scan(target.path).scopes[target.scope]
                what = scope.names.get(name, ("local", 0))[0]
                if what == "parameter":
                    return self._of_parameter(target)
                return About(f"var {name}" if what == "local" else name, f"{what} variable")
            case "function":
                return About(self.shape(name), self._of_function(name))
            case "macro":
                for path, each in self._index.declarations(name, "macro"):
                    return About(f"#macro {name} {cut(each.detail, 200)}", f"macro, in {path}")
                return About(f"{name} = {cut(context.macros.get(name, ''), 200)}", "constant")
            case "enum":
                return About(f"enum {name}", ", ".join(self._index.members(name)[:40]))
            case "member":
                return About(f"{target.owner}.{name}", self._of_member(target))
            case "asset":
                asset = context.asset_id(name)
                kind = "asset" if asset is None else asset[0].replace("_", " ")
                parents = [*self._objects.family(name)][1:] if kind == "object" else []
                said = f"{kind}, a child of {' of '.join(parents)}" if parents else kind
                return About(name, said)
            case "builtin function":
                return About(self.shape(name), "built-in function")
            case "extension function":
                return About(self.shape(name), "function of an extension")
            case "builtin variable":
                variable = context.builtin_variables[name]
                kind = load_variable_types().get(name, "")
                said = "of the game" if variable.is_global else "of each instance"
                only = ", can't be set" if variable.readonly else ""
                return About(f"{name}: {kind}" if kind else name, f"built-in variable {said}{only}")
            case "constant":
                constant = context.builtin_constants.get(name)
                return About(name if constant is None else f"{name} = {constant.value}", "constant")
            case "word":
                return About(name, WORDS[name])
        return About(name, self._of_variable(name))

    def _of_member(self, target: Target) -> str:
        known = dict(self._index.context().enums.get(target.owner, ()))
        value = f" = {known[target.name]}" if target.name in known else ""
        return f"member of the enum {target.owner}{value}"

    def _of_variable(self, name: str) -> str:
        owners = []
        for path in self._index.paths():
            if name in self._index.names(path):
                owner = self._objects.object_of(path)
                if owner and owner not in owners:
                    owners.append(owner)
        shown = ", ".join(owners[:6]) + (f" and {len(owners) - 6} more" if len(owners) > 6 else "")
        return f"variable, used by {shown}" if shown else "variable"

    def _of_function(self, name: str) -> str:
        """The comment above a function, and its place."""
        for path, each in self._index.declarations(name, "function", "constructor"):
            said = self._doc(path, each).text()
            return f"{said}\n\nin {path}" if said else f"{each.what}, in {path}"
        return "function"

    def _of_parameter(self, target: Target) -> About:
        """The text about a parameter in the comment above a function."""
        name, scopes = target.name, self._index.scan(target.path).scopes
        for each in self._index.scan(target.path).declared:
            if each.what in ("function", "constructor") and (
                each.name == scopes[target.scope].name and each.scope == scopes[target.scope].outer
            ):
                known = self._doc(target.path, each).parameters.get(name, DocParameter())
                code = f"{name}: {known.type}" if known.type else name
                optional = ", optional" if known.is_optional else ""
                return About(code, f"parameter variable{optional}" + f"\n{known.text}".rstrip())
        return About(name, "parameter variable")

    def _doc(self, path: str, declared: Declaration) -> Doc:
        """The comment of a function; a script of before 2.3 begins with it."""
        text = self._index.texts.read(path)
        kept = self._docs.get(path)
        if kept is None or kept[0] is not text:
            kept = self._docs[path] = text, {}
        found = kept[1].get(declared.begin)
        if found is None:
            is_script = declared.begin == declared.until
            comment = first_comment(text) if is_script else comment_above(text, declared.begin)
            found = kept[1][declared.begin] = read_doc(comment, declared.name)
        return found

    # -- functions -------------------------------------------------------------------------------

    def shape(self, name: str) -> str:
        """How a function is called: ``scr_hurt(amount, by)``."""
        context = self._index.context()
        for path, each in self._index.declarations(name, "function", "constructor"):
            doc = self._doc(path, each)
            returns = f" -> {doc.returns}" if doc.returns else ""
            if self._index.layout.script_of(path) == name and each.begin == each.until:
                arguments = doc.typed_names() or self._arguments(path)
                return f"{name}({', '.join(arguments)}){returns}"
            return f"{name}{doc.with_types(each.detail or '()')}{returns}"
        builtin = context.builtin_functions.get(name)
        if builtin is not None and name not in context.functions:
            return signature(builtin)
        count = context.extension_functions.get(name, -1)
        if count >= 0:
            return f"{name}({', '.join(f'argument{number}' for number in range(count))})"
        return f"{name}(…)"

    def _arguments(self, path: str) -> list[str]:
        """The arguments that a script of before 2.3 reads."""
        names = self._index.names(path)
        if "argument" in names:
            return ["…"]
        most = max((number for number in range(16) if f"argument{number}" in names), default=-1)
        return [f"argument{number}" for number in range(most + 1)]

    def signature_at(self, path: str, text: str, offset: int) -> Signature | None:
        """The call whose arguments are written at a place."""
        dialect = self._index.context().dialect
        start = max(0, text.rfind(";", 0, max(0, offset - _BEFORE)))
        tokens = tokenize(
            text, ProblemList(text), gms2=dialect.gms2_or_later, v2=dialect.gml_v2,
            start=start, end=offset,
        )  # fmt: skip
        calls: list[tuple[str, int, str]] = []
        before = ("", "")
        for kind, value in zip(tokens.kinds[:-1], tokens.values, strict=False):
            if kind in _OPENING:
                called = before[1] if kind == "(" and before[0] == NAME else ""
                calls.append((called, 0, kind))
            elif kind in _CLOSING:
                if calls:
                    calls.pop()
            elif kind == "," and calls:
                name, count, opened = calls[-1]
                calls[-1] = name, count + 1, opened
            elif kind == ";" and calls and calls[-1][2] == "(":
                calls.clear()
            before = kind, value
        for name, count, _ in reversed(calls):
            target = self._index.meaning(name) if name else None
            if target is not None and target.what.endswith("function"):
                return self._shown(self.shape(name), count, self.about(target).text)
            if name:
                return None
        return None

    def _shown(self, text: str, active: int, about: str) -> Signature:
        parameters = [*parameters_of(text)]
        if parameters and active >= len(parameters) and text[: parameters[-1].end].endswith("…"):
            active = len(parameters) - 1
        return Signature(text, parameters, active, about)

    def builtin(self, function: BuiltinFunction) -> str:
        """How a built-in function is called."""
        return signature(function)
