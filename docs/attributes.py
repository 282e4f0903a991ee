"""What attributes are, on the pages of the reference.

An attribute is documented by a docstring, by a comment ``#:`` above it, by the sentence with which
it is declared (capabilities of a dialect, tables of a catalogue), or by the docstring of its class,
which names it.  ``python docs/attributes.py`` lists those that are not.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import griffe

PAGES = Path(__file__).parent / "reference"
PAGE = re.compile(r"^::: (\S+)", re.MULTILINE)
#: Declarations that say in words what they are: which argument has them.
DECLARATIONS = {
    "_capability": 0, "Table": 1, "Flag": 0, "Number": 0, "Real": 0, "Text": 0, "Colour": 0,
    "Choice": 1, "Link": 1,
}  # fmt: skip
#: What is no part of what a reader uses.
MACHINERY = re.compile(r"= (TypeVar|TypeVarTuple|ParamSpec)\(|^TYPE_CHECKING\b")


@lru_cache
def lines_of(path: str) -> list[str]:
    """The lines of a file."""
    return Path(path).read_text(encoding="utf-8").splitlines()


def comment(attribute: griffe.Attribute) -> str:
    """The comment ``#:`` above an attribute."""
    lines, number = lines_of(str(attribute.filepath)), (attribute.lineno or 1) - 2
    found: list[str] = []
    while number >= 0 and lines[number].lstrip().startswith("#:"):
        found.insert(0, lines[number].lstrip()[2:].strip())
        number -= 1
    text = " ".join(found)
    return text[:1].upper() + text[1:]


def words(attribute: griffe.Attribute) -> str:
    """The sentence with which an attribute is declared."""
    value = attribute.value
    if not isinstance(value, griffe.ExprCall):
        return ""
    number = DECLARATIONS.get(str(value.function))
    if number is None or number >= len(value.arguments):
        return ""
    text = str(value.arguments[number])
    if text[:1] not in ("'", '"'):
        return ""
    text = text.strip("'\"")
    return text[:1].upper() + text[1:]


def is_machinery(attribute: griffe.Attribute) -> bool:
    """Whether an attribute is there for the type checker only."""
    line = lines_of(str(attribute.filepath))[(attribute.lineno or 1) - 1]
    return MACHINERY.search(line.strip()) is not None


class Attributes(griffe.Extension):
    """Gives attributes the comments and sentences that document them."""

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Called for each attribute."""
        if attr.docstring is None:
            text = comment(attr) or words(attr)
            if text:
                attr.docstring = griffe.Docstring(text, parent=attr)


def shown(package: griffe.Object) -> Iterator[griffe.Object]:
    """The modules and classes of the reference, and what is public in them."""
    done: set[str] = set()
    todo: list[Any] = []
    for page in sorted(PAGES.glob("*.md")):
        todo += [
            package if name == "overhaul" else package[name.removeprefix("overhaul.")]
            for name in PAGE.findall(page.read_text(encoding="utf-8"))
        ]
    while todo:
        thing = todo.pop()
        if thing.is_alias:
            thing = thing.final_target
        if thing.path in done:
            continue
        done.add(thing.path)
        yield thing
        if thing.kind in (griffe.Kind.MODULE, griffe.Kind.CLASS):
            todo += [
                member
                for name, member in thing.members.items()
                if not name.startswith("_")
                and (not member.is_alias or name in (thing.exports or ()))
            ]


def is_documented(thing: griffe.Object) -> bool:
    """Whether a reader finds what something is."""
    if thing.docstring is not None or thing.kind is griffe.Kind.MODULE:
        return True
    name = re.compile(rf"\b{re.escape(thing.name)}\b")
    holders = [thing.parent] if thing.parent is not None else []
    if isinstance(holders[0], griffe.Class):
        holders += holders[0].mro()
    for holder in holders:
        above = holder.members.get(thing.name)
        if above is not None and not above.is_alias and above.docstring is not None:
            return True
        if holder.docstring is not None and name.search(holder.docstring.value):
            return True
    return isinstance(thing, griffe.Attribute) and is_machinery(thing)


def main() -> int:
    """List the public names that are not documented."""
    extensions = griffe.load_extensions(Attributes)
    package = griffe.load(
        "overhaul", extensions=extensions, search_paths=["src"], resolve_aliases=True
    )
    missing = [thing for thing in shown(package) if not is_documented(thing)]
    for thing in missing:
        print(f"{thing.relative_filepath}:{thing.lineno}: {thing.path} has no docstring")
    print(f"{len(missing)} public names of the reference are not documented")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
