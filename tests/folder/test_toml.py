from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul.errors import WorkspaceError
from overhaul.folder import toml
from overhaul.folder.toml import FolderSettings

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
plain = st.one_of(
    texts, st.integers(-(2**63), 2**63 - 1), st.booleans(), st.floats(allow_nan=False)
)
values = st.recursive(
    plain | st.lists(plain, max_size=3), lambda inner: st.dictionaries(texts, inner, max_size=3)
)


@given(st.dictionaries(texts, values, max_size=5))
def test_what_is_written_reads_back(tables: dict[str, object]) -> None:
    text = toml.write(tables)
    assert tomllib.loads(text) == tables
    assert toml.write(tables) == text


def test_the_file_is_small_and_for_people() -> None:
    made = FolderSettings("toy", "1.2", "x.toy", settings={"title": "T"}, only=["a/*"])
    assert made.to_bytes("9.9").decode() == (
        "# What this folder is. `overhaul pack` reads it.\n"
        "\n"
        "[folder]\n"
        "format = 1\n"
        'made_by = "Overhaul 9.9"\n'
        'only = ["a/*"]\n'
        "\n"
        "[document]\n"
        'kind = "toy"\n'
        'version = "1.2"\n'
        'name = "x.toy"\n'
        "\n"
        "[settings]\n"
        'title = "T"\n'
    )
    again = FolderSettings.from_bytes(made.to_bytes("9.9").replace(b"\n", b"\r\n"))
    assert again.for_model() == {"title": "T", "kind": "toy", "version": "1.2"}
    assert again.only == ("a/*",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kind = ", "not valid TOML"),
        ("\xff", "not valid TOML"),
        ("", r"\[document\] is missing"),
        ("document = 3", "expected a table"),
        ("[document]", r"document\.kind"),
        ("[document]\nkind = 3", r"document\.kind"),
        ('[document]\nkind = "a"\nname = "../x"', "file name"),
        ('[document]\nkind = "a"\n[folder]\nformat = 99', "layout 99"),
        ('[document]\nkind = "a"\n[folder]\nonly = "x"', "list of globs"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    with pytest.raises(WorkspaceError, match=words):
        FolderSettings.from_bytes(text.encode("latin-1"))
