"""Words for messages: suggestions for unknown names, texts cut to a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: the most names that are searched for one like a misspelt one
_SEARCHED = 20_000
#: how much of two names has to be the same
_CLOSE = 0.8
_SHARED = _CLOSE / 2
_ROUNDING = 1e-9


#: nouns whose plural is not their singular with an s
_PLURALS = {
    "code entry": "code", "inventory": "inventory", "settings": "settings",
    "information": "information", "options": "options", "gui": "guis", "project": "project",
}  # fmt: skip


def plural(noun: str) -> str:
    """The plural of the name of a kind: ``entries``, ``sprites``; of code entries ``code``."""
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return noun if noun.endswith("s") else f"{noun}s"


def counted(count: int, noun: str) -> str:
    """``1 frame``, ``2 frames``, ``3 code entries``."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} code entries" if noun == "code entry" else f"{count} {plural(noun)}"


def listed(names: Sequence[str], most: int = 8) -> str:
    """The first names of some, consecutively."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def cut(text: str, longest: int = 50) -> str:
    """A text on one line, at most this long."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 3] + "..."


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like another; None if none is close."""
    lower = {other.lower(): other for other in known if other != name}
    match = lower.get(name.lower())
    if match is None and len(lower) <= _SEARCHED:
        nearest = _nearest(name.lower(), lower)
        match = None if nearest is None else lower[nearest]
    return None if match is None else str(match)


def _nearest(word: str, others: Iterable[str]) -> str | None:
    """``get_close_matches(word, others, 1, 0.8)`` of difflib.

    The ratio of two words is that of the characters that they share to the half of all.  Words
    whose lengths or sets of characters leave too few to share are not compared.
    """
    from difflib import SequenceMatcher  # start-up: for errors only

    size, letters = len(word), set(word)
    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    best: tuple[float, str] | None = None
    for other in others:
        length = len(other)
        least = _SHARED * (size + length) - _ROUNDING
        if size < least or length < least or len(letters.difference(other)) > size - least:
            continue
        if len(set(other).difference(letters)) > length - least:
            continue
        matcher.set_seq1(other)
        if matcher.quick_ratio() >= _CLOSE:
            ratio = matcher.ratio()
            if ratio >= _CLOSE and (best is None or (ratio, other) > best):
                best = ratio, other
    return None if best is None else best[1]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the name that may be meant."""
    match = closest(name, known)
    return "" if match is None else f" (did you mean {match!r}?)"
