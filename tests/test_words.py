"""No page, message, comment or name has a word that the glossary replaces."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
#: where people read, and where names are; libraries that are kept as they are came minified
FILES = sorted(
    path
    for folder, endings in (
        ("src/overhaul", ("*.py", "*.html", "*.js", "*.css")),
        ("docs", ("*.md",)),
        ("editors", ("*.md", "*.ts")),
    )
    for ending in endings
    for path in (ROOT / folder).rglob(ending)
    if path != GLOSSARY and ".min." not in path.name and "node_modules" not in path.parts
)
#: the position in a stream, as Python calls it
STREAMS = re.compile(r"\.tell\(\)")


def replaced() -> dict[str, str]:
    """The words of the glossary's last table, with what replaces each."""
    rows = re.findall(r"^\| ([a-z, ]+) \| ([^|]+) \|$", GLOSSARY.read_text("utf-8"), re.M)
    last = rows[[row[0] for row in rows].index("told, tell") :]
    return {word: new for words, new in last for word in words.split(", ")}


def forms(word: str) -> str:
    """A regular expression for a word, in a name too."""
    ends = "" if word == "beside" else "(?:s|d|ed|ing)?"  # besides is another word
    return rf"(?<![a-z]){word}{ends}(?![a-z])"


def test_the_glossary_has_such_words() -> None:
    assert {"told", "tell", "settle", "anew", "beside"} <= replaced().keys()


@pytest.mark.parametrize("word", sorted(replaced()))
def test_no_replaced_word_is_left(word: str) -> None:
    pattern = re.compile(forms(word), re.IGNORECASE)
    left = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if pattern.search(STREAMS.sub("", line))
    ]
    assert left == []
