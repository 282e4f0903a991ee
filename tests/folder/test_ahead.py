"""What is made ahead is what was asked for; what was not is left to who asks."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from overhaul.errors import FormatError
from overhaul.folder import ahead
from overhaul.folder.ahead import Ahead

pytestmark = pytest.mark.skipif("linux" not in sys.platform, reason="processes inherit nothing")


def repeated(item: tuple[int, int]) -> tuple[object, bytes | None]:
    value, size = item
    if value == 13:
        raise FormatError("unlucky")
    return (value, os.getpid()), bytes([value % 251]) * size


def expected(sizes: list[int]) -> list[tuple[object, tuple[int, int], int]]:
    return [(number, (number, size), size) for number, size in enumerate(sizes)]


@pytest.mark.parametrize("room", [64, 1000, 1 << 20])
def test_things_are_made_by_others(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    monkeypatch.setattr(ahead, "_BATCH_SIZE", 40)
    sizes = [(7 * number) % 50 for number in range(60)] + [room + 1, 3]
    made: Ahead[tuple[int, int]] = Ahead(repeated, 2, room=room)
    try:
        made.expect(expected(sizes))
        found = 0
        for number, size in enumerate(sizes):
            taken = made.take(number)
            if taken is not None:
                said, data = taken
                assert isinstance(said, tuple)
                value, process = said
                found += 1
                assert value == number
                assert process != os.getpid()
                assert bytes(data) == bytes([number % 251]) * size
        assert found == len(sizes) - 2  # one fails, one is too large
        assert made.take(3) is None
    finally:
        made.close()


def test_what_is_never_asked_for_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_BATCH_COUNT", 2)
    made: Ahead[tuple[int, int]] = Ahead(repeated, 2, room=100)
    try:
        made.expect(expected([10] * 200))
        found = [number for number in range(0, 200, 3) if made.take(number) is not None]
        assert len(found) > 3  # how many depends on how fast the processes are
        made.expect([("other", (5, 100), 100)])
        taken = made.take("other")
        assert taken is None or bytes(taken[1]) == b"\5" * 100
        assert made.take(199) is None
    finally:
        made.close()


def test_what_is_asked_for_a_little_late_is_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_BATCH_COUNT", 1)
    made: Ahead[tuple[int, int]] = Ahead(repeated, 2, room=1000)
    try:
        made.expect(expected([10] * 20))
        assert made.take(2) is not None
        assert made.take(1) is not None
        assert made.take(0) is None  # two later ones were asked for, or could have been
        assert made.take(3) is not None
    finally:
        made.close()


def test_one_process_makes_nothing_ahead() -> None:
    made: Ahead[tuple[int, int]] = Ahead(repeated, 1)
    made.expect(expected([1, 2]))
    assert made.take(0) is None
    made.close()


def test_a_process_that_is_ended_is_an_error() -> None:
    made: Ahead[int] = Ahead(os._exit, 2)
    made.expect([(0, 3, 1)])
    with pytest.raises(MemoryError):
        made.take(0)
    made.close()


def begun(item: int) -> tuple[object, bytes | None]:
    """Die with a part of a result in the pipe."""
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        assert frame.f_back is not None
        frame = frame.f_back
    results = frame.f_locals["result_queue"]
    results._wlock.acquire()
    os.write(results._writer.fileno(), bytes([0, 0, 1, 0]) + b"a part")
    os._exit(item)


def test_a_process_that_is_ended_while_it_writes_is_an_error() -> None:
    threads = threading.active_count()
    made: Ahead[int] = Ahead(begun, 2)
    made.expect([(0, 0, 1)])
    with pytest.raises(MemoryError, match="a worker process was killed"):
        made.take(0)
    made.close()
    assert threading.active_count() == threads  # the pool's has ended, or Python would never end
