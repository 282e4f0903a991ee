"""The toy format with its notes in one JSON file, and with any way of taking edits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import toy
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.findings import Findings

Apply: TypeAlias = Callable[[toy.Toy, Folder, Mapping[str, Change]], Findings]


class JsonToy(toy.ToyFolder):
    """A toy whose notes are in one JSON file; ``taking`` says how it takes edits."""

    def __init__(self, taking: Apply) -> None:
        self.taking = taking

    def plain_files(self, document: toy.Toy, options: UnpackOptions) -> Iterator[PlainFile]:
        notes = [{"name": name, "text": text.decode()} for name, text in document.notes]
        plain = {"title": document.title, "count": len(notes), "notes": notes}
        yield PlainFile("toy.json", lambda: json.dumps(plain).encode())
        yield PlainFile("notes.txt", lambda: b"".join(text for _, text in document.notes))

    def apply(self, document: toy.Toy, folder: Folder, changes: Mapping[str, Change]) -> Findings:
        return self.taking(document, folder, changes)
