"""What differs of media and bytes, in words."""

from __future__ import annotations

import pytest

from overhaul.mods.changes import Change


@pytest.mark.parametrize(
    ("details", "words"),
    [
        ({"picture": [16, 16], "pixels": 1}, ["1 of 256 pixels differs"]),
        ({"picture": [64, 32], "pixels": 1200}, ["1200 of 2048 pixels differ"]),
        ({"picture": [16, 8], "old_picture": [4, 2]}, ["4 × 2 → 16 × 8 pixels"]),
        ({"size": 1, "old_size": 20}, ["20 bytes → 1 byte"]),
        (
            {"format": "ogg", "size": 9, "seconds": 0.5, "old_format": "wav", "old_size": 30},
            ["wav, 30 bytes → ogg, 0.5 s, 9 bytes"],
        ),
        ({"added": ["a"], "size": 3}, ['added: ["a"], size: 3']),
        ({"diff": "-a\n+b"}, ["-a", "+b"]),
        ({}, []),
    ],
)
def test_words_of_details(details: dict[str, object], words: list[str]) -> None:
    assert Change("changed", "a.png", None, details).lines() == words
