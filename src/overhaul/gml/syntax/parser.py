"""Reads GML into a tree: recursive descent for statements, precedence climbing for expressions.

The grammar is that of the official compilers, loose where they are: ``=`` compares inside an
expression, semicolons are optional, ``begin``/``end`` are braces, ``then`` and ``do`` may follow
a condition. Several errors are collected; after one, reading goes on at the next statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList, syntax_error
from overhaul.gml.syntax.expressions import MAX_DEPTH, Parser, Stop
from overhaul.gml.syntax.language import Language, Newest
from overhaul.gml.syntax.lexer import END, MACRO, tokenize
from overhaul.gml.syntax.macros import expand_macros, macro_parts

_ASSIGNMENTS: Final = frozenset(tree.ASSIGNMENT_OPERATORS)

# A return directly before one of these returns nothing.
_RETURN_STOPS: Final = frozenset(
    [";", "}", "if", "switch", "case", "default", "break", "continue", "exit", "return", "while",
    "for", "repeat", "do", "until", "with", "var", "globalvar", "enum",
    "try", "catch", "finally", "throw", "delete", "static", "else"]
) | {END, MACRO}  # fmt: skip

# Where reading starts again after an error.
_STATEMENT_STARTS: Final = frozenset(
    ["if", "switch", "case", "default", "break", "continue", "exit", "return", "while", "for",
     "repeat", "do", "with", "var", "globalvar", "enum", "try", "throw", "delete", "static"]
) | {END, MACRO}  # fmt: skip


def parse(
    source: str,
    language: Language | None = None,
    *,
    macros: Mapping[str, str] | None = None,
    name: str = "",
) -> tree.Block:
    """Parse the text of a code entry.

    ``language`` is a Dialect (default: the newest). With ``macros`` (name to text) their names
    are replaced by their tokens first. Raises SyntaxError_ with all problems found.
    """
    block, problems = parse_all(source, language, macros=macros)
    if problems.found:
        raise syntax_error(problems, name)
    return block


def parse_all(
    source: str, language: Language | None = None, *, macros: Mapping[str, str] | None = None
) -> tuple[tree.Block, ProblemList]:
    """Parse as much as can be: the tree without the statements in error, and the problems."""
    parser = _parser(source, language, macros)
    return _program(parser), parser.problems


def parse_expression(source: str, language: Language | None = None) -> tree.Expression:
    """Parse one expression; raises SyntaxError_."""
    parser = _parser(source, language, None)
    expression: tree.Expression = tree.Number(0)
    try:
        expression = parser.expression()
        if parser.kinds[parser.at] != END:
            parser.fail("expected the end of the expression")
    except Stop:
        pass
    if parser.problems.found:
        raise syntax_error(parser.problems)
    return expression


def _parser(source: str, language: Language | None, macros: Mapping[str, str] | None) -> Parser:
    problems = ProblemList(source)
    language = language or Newest()
    tokens = tokenize(source, problems, gms2=language.gms2_or_later, v2=language.gml_v2)
    if macros:
        tokens = expand_macros(tokens, macros, problems, language)
    return Parser(tokens, problems, language, macros, _block)


def _program(parser: Parser) -> tree.Block:
    """The whole text."""
    statements: list[tree.Statement] = []
    while True:
        _statements(parser, statements)
        if parser.kinds[parser.at] == END or parser.problems.full:
            break
        parser.problems.add(f"unexpected {parser.shown()}", parser.positions[parser.at])
        parser.at += 1
    return tree.Block(statements, position=0, end=parser.positions[-1])


def _statements(parser: Parser, out: list[tree.Statement]) -> None:
    """Statements up to a closing brace, a case label or the end."""
    kinds = parser.kinds
    depth = parser.depth
    while True:
        kind = kinds[parser.at]
        if kind == ";":
            parser.at += 1
            continue
        if kind == "}" or kind == END or kind == "case" or kind == "default":
            return
        start = parser.at
        try:
            out.append(_statement(parser))
        except Stop:
            parser.depth = depth
            if parser.problems.full:
                parser.at = len(kinds) - 1
                return
            _recover(parser, start)


def _recover(parser: Parser, start: int) -> None:
    """After an error: go on behind the next semicolon or before the next statement."""
    kinds = parser.kinds
    at = max(parser.at, start + 1)
    while True:
        kind = kinds[min(at, len(kinds) - 1)]
        if kind == ";":
            at += 1
            break
        if kind == "}" or kind in _STATEMENT_STARTS or (kind == "{" and at > start):
            break
        at += 1
    parser.at = min(at, len(kinds) - 1)


def _statement(parser: Parser) -> tree.Statement:
    """One statement, with the semicolon behind it if there is one."""
    kind = parser.kinds[parser.at]
    parser.depth += 3
    if parser.depth > MAX_DEPTH:
        parser.deeper(0)
    method = _STATEMENTS.get(kind)
    result = _simple_statement(parser) if method is None else method(parser)
    parser.depth -= 3
    if parser.kinds[parser.at] == ";":
        parser.at += 1
    return result


def _simple_statement(parser: Parser) -> tree.Statement:
    """An assignment, or an expression that does something."""
    position = parser.positions[parser.at]
    target = parser.unary()
    kind = parser.kinds[parser.at]
    if kind in _ASSIGNMENTS:
        if not isinstance(target, (tree.Name, tree.Member, tree.Index)):
            parser.fail("cannot assign to this")
        parser.at += 1
        return tree.Assignment(target, kind, parser.expression(), position=position)
    if kind == "==" and isinstance(target, (tree.Name, tree.Member, tree.Index)):
        parser.fail("'==' compares; '=' assigns")
    return tree.ExpressionStatement(target, position=position)


def _body(parser: Parser) -> tree.Block:
    """The statement after a condition, as a block; a missing one is an error."""
    kind = parser.kinds[parser.at]
    position = parser.positions[parser.at]
    if kind == ";":
        parser.at += 1
        return tree.Block([], position=position, end=position)
    if kind == END or kind == "}":
        parser.fail(f"expected a statement, got {parser.shown()}")
    statement = _statement(parser)
    if isinstance(statement, tree.Block):
        return statement
    return tree.Block([statement], position=position, end=parser.positions[parser.at])


def _block(parser: Parser) -> tree.Block:
    position = parser.positions[parser.at]
    if parser.kinds[parser.at] != "{":
        parser.fail(f"expected '{{', got {parser.shown()}")
    parser.at += 1
    statements: list[tree.Statement] = []
    _statements(parser, statements)
    while parser.kinds[parser.at] in ("case", "default"):
        parser.problems.add("a case label outside a switch", parser.positions[parser.at])
        _recover(parser, parser.at)
        _statements(parser, statements)
    end = parser.positions[parser.at]
    if parser.kinds[parser.at] != "}":
        parser.problems.add("this brace is not closed", position)
        raise Stop
    parser.at += 1
    return tree.Block(statements, position=position, end=end)


def _if_statement(parser: Parser) -> tree.Statement:
    first: tree.If | None = None
    last: tree.If | None = None
    while True:  # a loop, since else-if chains may be long
        position = parser.positions[parser.at]
        parser.at += 1
        condition = parser.expression()
        parser.accept("then")
        parser.accept(";")
        node = tree.If(condition, _body(parser), None, position=position)
        if first is None or last is None:
            first = node
        else:
            last.otherwise = node
        last = node
        if not _accept_else(parser):
            return first
        if parser.kinds[parser.at] != "if":
            last.otherwise = _body(parser)
            return first


def _accept_else(parser: Parser) -> bool:
    at = parser.at
    while parser.kinds[at] == ";":
        at += 1
    if parser.kinds[at] == "else":
        parser.at = at + 1
        return True
    return False


def _while_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    condition = parser.expression()
    parser.accept("do")
    return tree.While(condition, _body(parser), position=position)


def _do_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    body = _body(parser)
    while parser.accept(";"):
        pass
    parser.expect("until", "after the body of 'do'")
    return tree.DoUntil(body, parser.expression(), position=position)


def _repeat_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    count = parser.expression()
    return tree.Repeat(count, _body(parser), position=position)


def _with_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    target = parser.expression()
    parser.accept("do")
    return tree.With(target, _body(parser), position=position)


def _for_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    parser.expect("(", "after 'for'")
    kinds = parser.kinds
    initial: tree.Statement | None = None
    condition: tree.Expression | None = None
    step: tree.Statement | None = None
    if not parser.accept(";"):
        initial = _statement(parser)  # takes its semicolon along
    if not parser.accept(";"):
        if kinds[parser.at] != ")":
            condition = parser.expression()
        parser.accept(";")
    if kinds[parser.at] != ")":
        step = _statement(parser)
        while parser.accept(";"):
            pass
    parser.expect(")", "after the parts of 'for'")
    return tree.For(initial, condition, step, _body(parser), position=position)


def _switch_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    value = parser.expression()
    opening = parser.positions[parser.at]
    parser.expect("{", "after the value of 'switch'")
    cases: list[tree.Case] = []
    while True:
        kind = parser.kinds[parser.at]
        start = parser.positions[parser.at]
        label: tree.Expression | None = None
        if kind == "}":
            parser.at += 1
            return tree.Switch(value, cases, position=position)
        if kind == ";":
            parser.at += 1
            continue
        if kind == END:
            parser.problems.add("this brace is not closed", opening)
            raise Stop
        if kind == "case":
            parser.at += 1
            label = parser.expression()
        elif kind == "default":
            parser.at += 1
        elif kind == MACRO or kind == "enum":
            _statement(parser)  # defined elsewhere already; it does nothing here
            continue
        else:
            parser.fail(f"expected 'case', 'default' or '}}' in 'switch', got {parser.shown()}")
        parser.expect(":", "after the label")
        case = tree.Case(label, [], position=start)
        _statements(parser, case.body)
        cases.append(case)


def _break_statement(parser: Parser) -> tree.Statement:
    parser.at += 1
    return tree.Break(position=parser.positions[parser.at - 1])


def _continue_statement(parser: Parser) -> tree.Statement:
    parser.at += 1
    return tree.Continue(position=parser.positions[parser.at - 1])


def _exit_statement(parser: Parser) -> tree.Statement:
    parser.at += 1
    return tree.Exit(position=parser.positions[parser.at - 1])


def _return_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    if parser.kinds[parser.at] in _RETURN_STOPS:
        return tree.Exit(position=position, text="return")
    return tree.Return(parser.expression(), position=position)


def _throw_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    return tree.Throw(parser.expression(), position=position)


def _delete_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    return tree.Delete(parser.unary(), position=position)


def _try_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    body = _block(parser)
    name = ""
    handler: tree.Block | None = None
    final: tree.Block | None = None
    if parser.accept("catch"):
        parenthesis = parser.accept("(")
        name = parser.name("the name of the exception")
        if parenthesis:
            parser.expect(")", "after the name of the exception")
        handler = _block(parser)
    if parser.accept("finally"):
        final = _block(parser)
    return tree.Try(body, name, handler, final, position=position)


def _declarators(parser: Parser, what: str) -> list[tree.Declarator]:
    out: list[tree.Declarator] = []
    if (
        parser.kinds[parser.at] == ";" and what == "var"
    ):  # the official compilers allow a var without names
        return out
    while True:
        position = parser.positions[parser.at]
        name = parser.name(f"a name after '{what}'")
        value: tree.Expression | None = None
        if parser.kinds[parser.at] == "=" or parser.kinds[parser.at] == "==":
            parser.at += 1
            value = parser.expression()
        out.append(tree.Declarator(name, value, position=position))
        if not parser.accept(","):
            return out
        if parser.kinds[parser.at] == ";":
            return out


def _var_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    global_ = parser.values[parser.at] == "global" and parser.kinds[parser.at + 1] == "."
    if global_ and not parser.language.gms2_or_later:
        return _statement(parser)  # GameMaker: Studio takes `var global.x = 0` for `global.x = 0`
    out = _declarators(parser, "var")
    while parser.kinds[parser.at] == "var" and parser.values[parser.at - 1] == ",":
        parser.at += 1
        out += _declarators(parser, "var")
    return tree.Var(out, position=position)


def _static_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    return tree.Static(_declarators(parser, "static"), position=position)


def _globalvar_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    return tree.GlobalVar(_declarators(parser, "globalvar"), position=position)


def _enum_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    parser.at += 1
    name = parser.name("the name of the enum")
    parser.expect("{", "after the name of the enum")
    members: list[tree.EnumMember] = []
    while parser.kinds[parser.at] != "}":
        start = parser.positions[parser.at]
        member = parser.member_name("a name in the enum")
        value: tree.Expression | None = None
        if parser.accept("="):
            value = parser.expression()
        members.append(tree.EnumMember(member, value, position=start))
        if not parser.accept(","):
            break
    parser.expect("}", "after the members of the enum")
    return tree.Enum(name, members, position=position)


def _macro_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    text = parser.values[parser.at]
    parser.at += 1
    name, body, configuration = macro_parts(text)
    if not name:
        parser.problems.add("expected the name of the macro", position)
    return tree.Macro(name, body, configuration, position=position)


def _function_statement(parser: Parser) -> tree.Statement:
    position = parser.positions[parser.at]
    function = parser.function()
    if function.name:  # a declaration: parentheses after it do not call it
        return tree.ExpressionStatement(function, position=position)
    return tree.ExpressionStatement(parser.postfix(function), position=position)


_STATEMENTS: Final[dict[str, Callable[[Parser], tree.Statement]]] = {
    "{": _block,
    "if": _if_statement,
    "while": _while_statement,
    "do": _do_statement,
    "repeat": _repeat_statement,
    "with": _with_statement,
    "for": _for_statement,
    "switch": _switch_statement,
    "break": _break_statement,
    "continue": _continue_statement,
    "exit": _exit_statement,
    "return": _return_statement,
    "throw": _throw_statement,
    "delete": _delete_statement,
    "try": _try_statement,
    "var": _var_statement,
    "static": _static_statement,
    "globalvar": _globalvar_statement,
    "enum": _enum_statement,
    MACRO: _macro_statement,
    "function": _function_statement,
}
