"""Game Maker projects made at random: what is written reads back, in file and folder."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from handmade_project import project_file
from overhaul.errors import FormatError
from overhaul.gamemaker.classic.action_table import definitions
from overhaul.gamemaker.classic.actions import Action, ActionList
from overhaul.gamemaker.classic.records import read_project, write_project
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter
from overhaul.gamemaker.classic_folder.actions import (
    code_list,
    list_from_json,
    list_to_json,
    only_code,
)
from overhaul.gamemaker.classic_folder.names import ResourceFileNames, event_of_word, event_word

NAMES = ResourceFileNames.of(read_project(project_file(800)))
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
numbers = st.one_of(st.integers(-200, 200), st.integers(-(1 << 31), (1 << 31) - 1))
flags = st.one_of(st.sampled_from([0, 1]), st.integers(0, (1 << 32) - 1))
arguments = st.one_of(st.sampled_from(["0", "1", "2", "3", "-1", "01", "100"]), texts)

actions = st.builds(
    Action,
    version=st.just(440),
    library_id=st.one_of(st.just(1), numbers),
    action_id=st.one_of(st.sampled_from(sorted(definitions())), numbers),
    kind=numbers,
    can_be_relative=flags,
    is_question=flags,
    can_apply_to=flags,
    exec_type=numbers,
    function_name=texts,
    code=texts,
    argument_count=numbers,
    argument_kinds=st.lists(st.integers(-1, 16), max_size=9),
    applies_to=numbers,
    relative=flags,
    arguments=st.lists(arguments, max_size=9),
    negated=flags,
)


@st.composite
def defined(draw: st.DrawFn) -> Action:
    """An action as its library defines it, with any arguments."""
    action = draw(st.sampled_from(sorted(definitions().items())))[1].action()
    action.arguments = draw(st.lists(arguments, min_size=8, max_size=8))
    action.applies_to = draw(st.sampled_from([-1, -2, 0, 1, 2, 77]))
    action.relative = draw(flags)
    return action


@given(st.lists(st.one_of(actions, defined()), max_size=4))
def test_actions_as_json(made: list[Action]) -> None:
    pieces: dict[str, str] = {}

    def add_code(text: str) -> str:
        name = f"{len(pieces)}.gml"
        pieces[name] = text
        return name

    shown = list_to_json(ActionList(version=400, actions=made), NAMES, add_code)
    again = list_from_json(json.loads(json.dumps(shown)), NAMES, pieces.__getitem__)
    assert again.actions == made


@given(texts)
def test_code_only(code: str) -> None:
    assert only_code(code_list(code)) == code


@given(st.integers(0, 14), st.integers(-(1 << 31), (1 << 31) - 1))
def test_events_by_word(category: int, sub_type: int) -> None:
    assert event_of_word(event_word(category, sub_type, NAMES), NAMES) == (category, sub_type)


@given(st.integers(0, 14), st.integers(-1, 300))
def test_known_events_by_word(category: int, sub_type: int) -> None:
    assert event_of_word(event_word(category, sub_type, NAMES), NAMES) == (category, sub_type)


@given(st.text(max_size=20))
def test_any_word_is_an_event_or_refused(word: str) -> None:
    try:
        category, sub_type = event_of_word(word, NAMES)
    except FormatError:
        return
    assert category >= 0 and isinstance(sub_type, int)


@given(st.binary(max_size=40), st.sampled_from(["cp1252", "cp932", "cp949", "utf-8", "cp1255"]))
def test_text_keeps_its_bytes(raw: bytes, encoding: str) -> None:
    text = ProjectReader(encoding=encoding).text(raw)
    assert ProjectWriter(encoding=encoding).raw(text) == raw


@given(st.integers(0, 6000), st.binary(min_size=1, max_size=8))
def test_a_changed_byte_is_refused_or_kept(position: int, noise: bytes) -> None:
    data = project_file(600)
    at = 8 + position % (len(data) - 8)
    broken = data[:at] + noise + data[at + len(noise) :]
    try:
        project = read_project(broken)
    except FormatError as error:
        assert error.offset is None or 0 <= error.offset <= len(broken)
        return
    assert write_project(project) == broken
