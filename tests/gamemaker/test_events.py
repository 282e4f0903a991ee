"""What events are called."""

from __future__ import annotations

import pytest

from overhaul.gamemaker.data.chunks.objt import EVENT_WORDS
from overhaul.gamemaker.data.code.owners import title_of
from overhaul.gamemaker.events import event_title


@pytest.mark.parametrize(
    ("place", "title"),
    [
        ("Create_0", "Create"), ("Destroy_0", "Destroy"), ("CleanUp_0", "Clean up"),
        ("PreCreate_0", "Variable definitions"), ("Create_1", "Create_1"),
        ("Alarm_11", "Alarm 11"), ("Alarm_12", "Alarm_12"),
        ("Step_0", "Step"), ("Step_1", "Begin step"), ("Step_2", "End step"), ("Step_3", "Step_3"),
        ("Collision_obj_wall", "Collision with obj_wall"),
        ("Collision_9", "Collision with number 9"),
        ("Keyboard_37", "Keyboard: left"), ("Keyboard_186", "Keyboard_186"),
        ("KeyPress_13", "Key press: enter"), ("KeyRelease_112", "Key release: f1"),
        ("Mouse_53", "Mouse: global left pressed"), ("Mouse_20", "Mouse_20"),
        ("Other_4", "Room start"), ("Other_13", "User event 3"),
        ("Other_72", "Async: save and load"),
        ("Other_62", "Async: HTTP"), ("Other_76", "Broadcast message"), ("Other_99", "Other_99"),
        ("Draw_0", "Draw"), ("Draw_64", "Draw GUI"), ("Draw_76", "Pre-draw"), ("Draw_1", "Draw_1"),
        ("Trigger_3", "Trigger: number 3"), ("Gesture_0", "Gesture: tap"),
        ("Gesture_76", "Gesture: global rotate end"), ("Gesture_13", "Gesture_13"),
        ("Gesture_128", "Gesture_128"), ("Step_-1", "Step_-1"), ("Step_²", "Step_²"),
        ("creation code", "creation code"), ("step 30", "step 30"), ("", ""), ("Step", "Step"),
        ("Other_99999999999999999999", "Other_99999999999999999999"),
    ],
)  # fmt: skip
def test_events_of_games_have_titles(place: str, title: str) -> None:
    assert title_of(place) == title


def test_no_two_events_have_one_title() -> None:
    titles = [
        title
        for category in range(len(EVENT_WORDS))
        for sub_type in range(128)
        if (title := event_title(category, sub_type))
    ]
    assert len(titles) == len(set(titles))
