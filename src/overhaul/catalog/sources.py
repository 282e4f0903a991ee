"""The facts about the source of a code entry: its tokens, its names, a hash that survives renaming.

The source is cut into tokens by its format
(:meth:`~overhaul.document.folder_format.FolderFormat.tokens`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

#: Words of the languages that may stand before a name, or before a bracket, without a meaning of
#: their own for either.
_WORDS: Final = frozenset(
    """
    if else while for do until repeat with switch case default return exit break continue throw try
    catch finally new delete and or not xor mod div then begin end in noloopcheck function static
    var globalvar enum this
    """.split()  # noqa: SIM905 - a list of words reads better as text
)
#: The tokens in front of a name that they declare.
_DECLARE: Final = frozenset(("var", "static", "function", "catch"))
_OPEN: Final = frozenset("([{")
_CLOSE: Final = frozenset(")]}")


class NamedUse(NamedTuple):
    """A name that a code entry uses: ``kind`` is ``function``, ``method`` or a kind of resource."""

    name: str
    kind: str


def is_name(token: str) -> bool:
    """Whether a token is a name or a word of the language."""
    return token[:1].isalpha() or token[:1] == "_"


def is_text(token: str) -> bool:
    """Whether a token is a literal text."""
    return token[:1] in "\"'" and len(token) > 1


def declared_names(tokens: Sequence[str]) -> set[str]:
    """The names that a source declares: local variables, arguments.

    A name after another one (``var x``, ``int x``, ``Room *x``) is declared, and so are those after
    commas behind it (``var x, y``) and the arguments of a function.
    """
    declared: set[str] = set()
    depth = 0
    #: the depths at which names after a comma are declared
    lists: set[int] = set()
    before, of_function = "", False
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else ""
        if token[:1] in _OPEN:  # "[|" opens too
            depth += 1
            lists.discard(depth)
            if token == "(" and (of_function or before in ("function", "catch")):
                lists.add(depth)
            of_function = False
        elif token in _CLOSE:
            lists.discard(depth)
            depth -= 1
        elif token == ";":
            lists.discard(depth)
        elif is_name(token) and token not in _WORDS:
            typed = is_name(before) and (before not in _WORDS or before in _DECLARE)
            typed = typed or _is_pointer(tokens, place, argument=depth in lists)
            is_type = is_name(after) or after == "*"
            listed = depth in lists and before in ("(", ",") and not is_type
            if before == "function" or (typed and after == "("):
                of_function = True
            elif typed or listed:
                declared.add(token)
                lists.add(depth)
        before = token
    return declared


def _is_pointer(tokens: Sequence[str], place: int, *, argument: bool) -> bool:
    """Whether a name is declared as a pointer: ``Room *x`` where a statement or argument begins."""
    if place < 2 or tokens[place - 1] != "*" or not is_name(tokens[place - 2]):
        return False
    before = tokens[place - 3] if place > 2 else ";"
    return before in (";", "{", "}") or (argument and before in ("(", ","))


def named(tokens: Sequence[str], resources: Mapping[str, str]) -> Counter[NamedUse]:
    """How often a source calls each function and names each resource (name to kind)."""
    declared = declared_names(tokens)
    names: Counter[NamedUse] = Counter()
    before = ""
    for place, token in enumerate(tokens):
        if is_name(token) and token not in _WORDS and token not in declared:
            called = place + 1 < len(tokens) and tokens[place + 1] == "("
            if token in resources and before != ".":
                names[NamedUse(token, resources[token])] += 1
            elif called and before != "function":
                names[NamedUse(token, "method" if before == "." else "function")] += 1
        before = token
    return names


def normal_hash(tokens: Sequence[str], resources: Mapping[str, str]) -> str:
    """The hash of a source that is the same whatever its local variables and resources are called.

    These are numbered in the order of their first use; other names, numbers and texts count.
    """
    declared = declared_names(tokens)
    numbers: dict[str, str] = {}
    digest = sha256()
    before = ""
    for token in tokens:
        shown = token
        if is_name(token) and before != ".":
            if token in declared:
                shown = numbers.setdefault(token, f"${len(numbers)}")
            elif token in resources:
                shown = numbers.setdefault(token, f"@{len(numbers)}")
        digest.update(shown.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
        before = token
    return digest.hexdigest()
