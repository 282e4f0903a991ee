"""Writes the TextMate grammars of the extension from the words of Overhaul's own lexers.

``python3 editors/vscode/make_grammars.py`` (with Overhaul installed, or ``PYTHONPATH=src``);
``--check`` only says whether the files are as they would be written.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from overhaul.ags.language.unit import KEYWORDS
from overhaul.gml.builtins import load_constants, load_functions, load_variables
from overhaul.gml.syntax.lexer import keywords
from overhaul.language.ags.scanning import TYPES
from overhaul.language.gml.names import WORDS

HERE = Path(__file__).resolve().parent
Pattern: TypeAlias = dict[str, object]
COMMENTS: list[Pattern] = [
    {"name": "comment.line.double-slash.{0}", "match": r"//.*$"},
    {"name": "comment.block.{0}", "begin": r"/\*", "end": r"\*/"},
]
ESCAPES: Pattern = {
    "name": "constant.character.escape.{0}",
    "match": r"\\(?:u[0-9A-Fa-f]+|x[0-9A-Fa-f]+|.)",
}


def any_of(words: Iterable[str]) -> str:
    """A pattern for whole words that do not stand behind a dot."""
    return rf"(?<!\.)\b(?:{'|'.join(sorted(words))})\b"


def plain(words: Iterable[str]) -> list[str]:
    """Those that are names."""
    return [word for word in words if word.isidentifier() and word.isascii()]


def gml() -> dict[str, object]:
    """The grammar of GML, of all releases."""
    reserved = set(keywords(True)) | set(keywords(False))
    patterns: list[Pattern] = [
        *COMMENTS,
        {"name": "meta.preprocessor.{0}", "match": r"^\s*#(?:region|endregion|line)\b.*$"},
        {"name": "keyword.control.directive.{0}", "match": r"#macro\b"},
        {"name": "string.quoted.other.{0}", "begin": '@"', "end": '"'},
        {"name": "string.quoted.other.{0}", "begin": "@'", "end": "'"},
        {
            "name": "string.interpolated.{0}",
            "begin": r'\$"',
            "end": '"',
            "patterns": [
                ESCAPES,
                {
                    "name": "meta.embedded.{0}",
                    "begin": r"\{",
                    "end": r"\}",
                    "patterns": [{"include": "$self"}],
                },
            ],
        },
        {"name": "string.quoted.double.{0}", "begin": '"', "end": '"', "patterns": [ESCAPES]},
        {
            "name": "constant.numeric.{0}",
            "match": r"\$[0-9A-Fa-f_]+|\b0[xX][0-9A-Fa-f_]+|\b0[bB][01_]+"
            r"|#[0-9A-Fa-f]{6}\b|(?<![\w.])(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)",
        },
        {"name": "keyword.control.{0}", "match": any_of(reserved)},
        {
            "name": "constant.language.{0}",
            "match": any_of({*WORDS, "undefined", "infinity", "NaN"}),
        },
        {"name": "support.function.{0}", "match": any_of(plain(load_functions())) + r"(?=\s*\()"},
        {"name": "support.constant.{0}", "match": any_of(plain(load_constants()))},
        {"name": "support.variable.{0}", "match": any_of(plain(load_variables()))},
        {"name": "entity.name.function.{0}", "match": r"\b[A-Za-z_]\w*(?=\s*\()"},
        {"name": "variable.other.property.{0}", "match": r"(?<=\.)[A-Za-z_]\w*"},
    ]
    return grammar("GML", "gml", patterns)


def ags() -> dict[str, object]:
    """The grammar of scripts of Adventure Game Studio."""
    patterns: list[Pattern] = [
        *COMMENTS,
        {"name": "keyword.control.directive.{0}", "match": r"^\s*#\s*\w+"},
        {"name": "string.quoted.double.{0}", "begin": '"', "end": '"|$', "patterns": [ESCAPES]},
        {"name": "string.quoted.single.{0}", "match": r"'(?:[^'\\]|\\.)'"},
        {"name": "constant.numeric.{0}", "match": r"\b(?:0[xX][0-9A-Fa-f]+|[0-9][0-9.]*)"},
        {"name": "storage.type.{0}", "match": any_of(TYPES)},
        {"name": "constant.language.{0}", "match": any_of({"true", "false", "null", "this"})},
        {"name": "keyword.control.{0}", "match": any_of(KEYWORDS - {"null", "this"})},
        {"name": "entity.name.function.{0}", "match": r"\b[A-Za-z_]\w*(?=\s*\()"},
        {"name": "variable.other.property.{0}", "match": r"(?<=\.)[A-Za-z_]\w*"},
    ]
    return grammar("AGS script", "ags", patterns)


def grammar(name: str, scope: str, patterns: list[Pattern]) -> dict[str, object]:
    """A grammar whose scopes end with the language's."""
    text = json.dumps(patterns).replace("{0}", scope)
    return {"name": name, "scopeName": f"source.{scope}", "patterns": json.loads(text)}


def main() -> int:
    """Write the grammars, or compare them; the exit code."""
    differ = 0
    for name, made in (("gml", gml()), ("ags", ags())):
        path = HERE / "syntaxes" / f"{name}.tmLanguage.json"
        text = json.dumps(made, indent=2) + "\n"
        if "--check" not in sys.argv:
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            print(f"{path.name} is not what the lexer's words make", file=sys.stderr)
            differ = 1
    return differ


if __name__ == "__main__":
    sys.exit(main())
