"""The preprocessor: comments, conditions and macros, line by line.

A macro is replaced wherever its name stands as a word, outside of literals and not behind a dot;
its text is searched for other macros.  Source: the editor's ``AGS.CScript.Compiler``, and
``Compiler/preproc`` of 3.6.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.options import Source, Version
from overhaul.suggest import did_you_mean

#: A macro's name is replaced also behind the underlines that a name begins with.
_UNDERLINED: Final = re.compile(r"(?<![A-Za-z0-9_])_+[A-Za-z0-9]", re.ASCII)
LINE_ENDS: Final = re.compile(r"\r\n|\r|\n")
_COMMENTS: Final = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|//|/\*|["']""", re.DOTALL)
_PIECES: Final = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z0-9]\w*)|([^A-Za-z0-9"']+|["'].*)""",
    re.ASCII | re.DOTALL,
)
#: Tokens that join with a number; a number itself joins with the name behind it.
DOTS: Final = frozenset({".", "..."})
_LONGEST_LINE: Final = 1 << 20
_DEEPEST: Final = 64
_DIRECTIVES: Final = (
    "define", "undef", "ifdef", "ifndef", "ifver", "ifnver", "else", "endif", "error",
    "sectionstart", "sectionend", "region", "endregion",
)  # fmt: skip


class Preprocessor:
    """Turns texts into lines without comments, directives and macros.

    ``macros`` holds what is defined; it lasts from one text to the next.  ``pattern`` matches
    tokens.
    """

    def __init__(self, macros: dict[str, str], version: Version, pattern: re.Pattern[str]) -> None:
        self.macros = macros
        self.version = version
        self.pattern = pattern
        #: Macros that stand for one word other than a macro; "" for others.
        self._words: dict[str, str] = {}
        #: The tokens of each line.
        self.tokens: list[list[str]] = []
        self._name = ""
        self._number = 0
        self._indent = 0
        self._conditions: list[bool] = []
        self._in_comment = False

    def begin(self, source: Source) -> None:
        """Begin with a text."""
        self._name = source.name
        self._conditions = []
        self._in_comment = False

    @property
    def active(self) -> bool:
        """Whether all conditions around hold."""
        return all(self._conditions)

    @property
    def closed(self) -> bool:
        """Whether no condition is open."""
        return not self._conditions

    def lines(self, source: Source) -> list[str]:
        """The lines of a text; raises ScriptError for a directive or a literal that is wrong."""
        self.begin(source)
        names = self.macros.keys()
        find = self.pattern.findall
        result: list[str] = []
        tokens: list[list[str]] = []
        self.tokens = tokens
        for self._number, line in enumerate(LINE_ENDS.split(source.text), start=1):
            text = line.strip()
            if self._in_comment or "/" in text:
                self._indent = len(line) - len(line.lstrip())
                text = self._without_comments(text)
            found: list[str] = []
            if text:
                if text[0] == "#":
                    self.carry_out(*parts_of(text))
                    text = ""
                elif self._conditions and not all(self._conditions):
                    text = ""
                else:
                    found = find(text)
                    if not names.isdisjoint(found):
                        plain = self.replaced(found)
                        if plain is None:
                            text = self.expanded(text)
                            found = find(text)
                        else:
                            found = plain
                    if "_" in text and _UNDERLINED.search(text) is not None:
                        text = self.expanded(text)
                        found = find(text)
            result.append(text)
            tokens.append(found)
        if self._conditions:
            raise self._fail("an #if lacks its #endif")
        return result

    def _fail(self, message: str) -> ScriptError:
        return ScriptError(message, self._number, 1, name=self._name)

    def _without_comments(self, text: str) -> str:
        """A line without its comments."""
        kept: list[str] = []
        position = 0
        while True:
            if self._in_comment:
                end = text.find("*/", position)
                if end < 0:
                    break
                self._in_comment = False
                position = end + 2
            match = _COMMENTS.search(text, position)
            if match is None:
                kept.append(text[position:])
                break
            found = match.group()
            kept.append(text[position : match.start()])
            position = match.end()
            if found == "//":
                break
            if found == "/*":
                self._in_comment = True
            elif len(found) == 1:
                raise ScriptError(
                    f"the literal that begins with {found} does not end on its line",
                    self._number,
                    self._indent + match.start() + 1,
                    name=self._name,
                )
            else:
                kept.append(found)
        return "".join(kept).strip()

    def carry_out(self, name: str, rest: str) -> None:
        """Carry out a directive; ``rest`` is the text after its name."""
        conditions = self._conditions
        if name in ("ifdef", "ifndef", "ifver", "ifnver"):
            conditions.append(self._holds(name, rest))
        elif name in ("else", "endif"):
            if not conditions:
                raise self._fail(f"#{name} without an #if before it")
            before = conditions.pop()
            if name == "else":
                conditions.append(not before)
        elif not all(conditions):
            return
        elif name in ("define", "undef"):
            self._define(name, rest)
        elif name == "error":
            raise self._fail(f"#error {rest}")
        elif name not in _DIRECTIVES:
            raise self._fail(f"unknown directive #{name}" + did_you_mean(name, _DIRECTIVES))

    def _holds(self, name: str, rest: str) -> bool:
        """Whether the condition of an #if holds."""
        match = _NAME_OR_VERSION.match(rest)
        if match is None:
            raise self._fail(f"expected something after #{name}")
        word = match.group()
        if name.endswith("def"):
            return (word in self.macros) == (name == "ifdef")
        if _VERSION.fullmatch(word) is None:
            raise self._fail(f"expected a version such as 3.4.0 after #{name}, got {word}")
        wanted = tuple(int(part[:9]) for part in word.split(".") if part)
        return (self.version >= wanted) == (name == "ifver")

    def _define(self, name: str, rest: str) -> None:
        """Define a macro, or forget one."""
        match = _NAME.match(rest)
        if match is None:
            raise self._fail(f"expected the name of a macro after #{name}")
        macro = match.group()
        self._words.clear()
        if name == "undef":
            if self.macros.pop(macro, None) is None:
                raise self._fail(f"the macro {macro} is not defined")
            return
        if macro[0].isdigit():
            raise self._fail(f"the name of a macro can't start with a digit: {macro}")
        if macro in self.macros:
            raise self._fail(f"the macro {macro} is already defined")
        self.macros[macro] = rest[match.end() :].strip()

    def word(self, macro: str) -> str:
        """The only word of a macro, if it is not a macro itself; "" for another macro."""
        word = self._words.get(macro)
        if word is None:
            value = self.macros[macro]
            word = value if _NAME.fullmatch(value) and value not in self.macros else ""
            self._words[macro] = word
        return word

    def replaced(self, tokens: list[str]) -> list[str] | None:
        """Tokens with macros replaced that are one word; None if others are among them."""
        result = tokens.copy()
        for index, token in enumerate(tokens):
            if token not in self.macros:
                continue
            word = self.word(token)
            around = tokens[index - 1 : index + 2 : 2] if index else tokens[1:2]
            if not word or not DOTS.isdisjoint(around) or (index and around[0][0].isdigit()):
                return None
            result[index] = word
        return result

    def expanded(self, text: str) -> str:
        """A line with its macros replaced."""
        output: list[str] = []
        self._expand(text, [], output, 0)
        return "".join(output)

    def _expand(self, text: str, active: list[str], output: list[str], size: int) -> int:
        """Append a text with its macros replaced; those of ``active`` are being replaced already.

        Returns how long the output is.
        """
        for match in _PIECES.finditer(text):
            found = match.group()
            start = match.start()
            if (
                match.lastindex != 2
                or found not in self.macros
                or found in active
                or (start and text[start - 1] == ".")
            ):
                output.append(found)
                size += len(found)
                continue
            size += 1
            if size > _LONGEST_LINE or len(active) > _DEEPEST:
                raise self._fail(f"the macro {found} makes the line too long")
            active.append(found)
            size = self._expand(self.macros[found], active, output, size)
            active.pop()
        return size


@lru_cache(1 << 12)
def parts_of(text: str) -> tuple[str, str]:
    """The name of a directive, and the text after it."""
    match = _DIRECTIVE.match(text)
    return (match.group(1), match.group(2).strip()) if match else ("", "")


_DIRECTIVE: Final = re.compile(r"#([A-Za-z0-9_]*)(.*)", re.DOTALL)
_NAME: Final = re.compile(r"\w+", re.ASCII)
_NAME_OR_VERSION: Final = re.compile(r"[\w.]+", re.ASCII)
_VERSION: Final = re.compile(r"\.*\d+(?:\.+\d+)*\.*", re.ASCII)
