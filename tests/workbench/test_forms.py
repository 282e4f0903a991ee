"""Fields of values by themselves, without a page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from overhaul.document.hints import ANY
from overhaul.workbench.forms import Form, FormField


def all_fields(fields: list[FormField]) -> Iterator[FormField]:
    for field in fields:
        yield field
        yield from all_fields(field.fields)


@pytest.mark.parametrize("keys", ["aaaaaa", "000000", "a0a0a0", "0a0a0a"])
def test_what_is_deep_inside_is_a_link(keys: str) -> None:
    """Lists and objects alike, three in one another; the rest has a form of its own."""
    value: object = 5
    for key in reversed(keys):
        value = [value] if key == "0" else {key: value}
    shown = [(field.pointer, field.type) for field in all_fields(Form().fields(value, ANY))]
    kinds = ["list" if key == "0" else "object" for key in keys[1:4]] + ["link"]
    pointers = ["/" + "/".join(keys[: deep + 1]) for deep in range(4)]
    assert shown == list(zip(pointers, kinds, strict=True))
