"""Words for messages: suggestions for unknown names, texts cut to a line."""

from __future__ import annotations

from collections.abc import Iterable

#: the most names that are searched for one like a misspelt one
_SEARCHED = 20_000


def cut(text: str, longest: int = 50) -> str:
    """A text on one line, at most this long."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 3] + "..."


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like another; None if none is close."""
    from difflib import get_close_matches  # start-up: for errors only

    lower = {other.lower(): other for other in known if other != name}
    match = lower.get(name.lower())
    if match is None and len(lower) <= _SEARCHED:
        close = get_close_matches(name.lower(), lower, 1, 0.8)
        match = lower[close[0]] if close else None
    return None if match is None else str(match)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the name that may be meant."""
    match = closest(name, known)
    return "" if match is None else f" (did you mean {match!r}?)"
