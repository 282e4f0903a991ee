"""The law of names, on a made game: ``tests/edit_law/ags_names.py`` takes any."""

from __future__ import annotations

from collections import Counter

from ags_linked import package, room
from edit_law.ags_names import Game, cases, judge


def test_no_name_of_a_package_disappears_without_a_word() -> None:
    game = Game("small.ags", package())
    results = [judge(game, case) for case in cases(game)]
    assert [result for result in results if result.outcome == "silent"] == []
    found = Counter((each.case.kind, each.case.how, each.outcome) for each in results)
    assert found == {
        ("characters", "removed", "refused"): 1,
        ("characters", "renamed", "refused"): 1,
        ("controls", "removed", "refused"): 1,
        ("controls", "renamed", "refused"): 1,
        ("fonts", "removed", "refused"): 2,
        ("functions", "removed", "refused"): 1,
        ("functions", "renamed", "refused"): 1,
        ("hotspots", "removed", "refused"): 1,
        ("hotspots", "renamed", "refused"): 1,
        ("objects", "removed", "refused"): 1,
        ("objects", "renamed", "refused"): 1,
        ("properties", "removed", "refused"): 2,
        ("properties", "renamed", "refused"): 2,
        ("rooms", "removed", "warned"): 1,
        ("rooms", "renamed", "warned"): 1,
        ("sounds", "removed", "refused"): 1,
        ("sounds", "renamed", "refused"): 1,
        ("sprites", "removed", "refused"): 1,
        ("variables", "removed", "refused"): 1,
        ("variables", "renamed", "refused"): 1,
        ("views", "removed", "refused"): 2,
        ("views", "renamed", "followed"): 2,
    }


def test_no_name_of_a_room_disappears_without_a_word() -> None:
    game = Game("room1.crm", room().to_bytes())
    results = [judge(game, case) for case in cases(game)]
    assert Counter((each.case.kind, each.case.how, each.outcome) for each in results) == {
        ("hotspots", "removed", "refused"): 1,
        ("hotspots", "renamed", "refused"): 1,
        ("objects", "removed", "refused"): 1,
        ("objects", "renamed", "refused"): 1,
    }
