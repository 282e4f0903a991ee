"""What holds of the bytes that resources are stored as, of any family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from overhaul.document.protocol import Document
from overhaul.document.stored import ShowsBytes, Stored


def breaches(document: Document, most: int = 1 << 30) -> list[str]:
    """Fields that overlap, or bytes of a resource that are of no field and not zero; of at most
    ``most`` resources of a kind."""
    assert isinstance(document, ShowsBytes)
    found: list[str] = []
    positions: Counter[str] = Counter()
    for resource in document.tree():
        position = positions[resource.kind]
        positions[resource.kind] += 1
        if position >= most:
            continue
        for part in document.stored(resource.kind, position, resource.name):
            found += (
                f"{resource.kind} {resource.name!r}, {part.title}: {said}" for said in _wrong(part)
            )
    for part in document.stored_parts():
        part.spans(part.start, min(part.end, part.start + 1024))
    return found


def _wrong(part: Stored) -> Iterator[str]:
    at = part.start
    for span in sorted(part.spans(part.start, part.end), key=lambda span: span.start):
        if span.start < at:
            yield f"{span.path} overlaps what is before it at {span.start:#x}"
        if any(part.data[at : span.start]):
            yield f"no field for what is before {span.path} at {span.start:#x}"
        at = max(at, span.end)
    if at > part.end:
        yield f"a field ends at {at:#x}, behind the end"
    if at > part.start and any(part.data[at : part.end]):
        yield f"no field for what is behind {at:#x}"
