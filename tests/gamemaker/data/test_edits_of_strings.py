"""strings.csv, as other people's programs write it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edited_games import changed, edited, made, packed, unpacked
from memory_folder import memory_folder
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.strings import String
from overhaul.gamemaker.data_folder.format import FORMAT as data_folder
from overhaul.gamemaker.data_folder.strings import read_rows, write_rows

TEXTS = ["one\rtwo", "a\r\nb", "x\ny", "p\rq\nr\r\n", "plain", ' "quoted", ', "\r", "end\r\n"]
PATH = "strings.csv"


def with_texts(version: str = "2.3.2", texts: Sequence[str] = TEXTS) -> tuple[bytes, int]:
    """A game with texts of its own, and the number of the first."""

    def add(game: GameData) -> None:
        for text in texts:
            game.strings.add_new(text)

    data = changed(version, add)
    return data, len(GameData.from_bytes(data).strings) - len(texts)


def rows_of(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(unpacked(data)[PATH].decode(), newline="")))


Rows = Sequence[Sequence[object]]


def as_csv(rows: Rows, end: str = "\n", *, quoted: bool = False) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(
        out, lineterminator=end, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    ).writerows(rows)
    return out.getvalue().encode()


def exact(rows: Rows, end: str) -> bytes:
    return as_csv(rows, end, quoted=True)


def without_quotes(rows: Rows, end: str) -> bytes:
    """Python before 3.13 does not quote a lone CR, nor does pandas."""
    text = as_csv(rows, end)
    return text.replace(b'"one\rtwo"', b"one\rtwo").replace(b'"\r"', b"\r")


def with_line_feeds(rows: Rows, end: str) -> bytes:
    """A program that reads with universal newlines; spreadsheets do so too."""
    cells = [[str(c).replace("\r\n", "\n").replace("\r", "\n") for c in row] for row in rows]
    return as_csv(cells, end)


def with_crlf(rows: Rows, end: str) -> bytes:
    """A checkout that converts line ends."""
    return exact(rows, end).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


PROGRAMS = [exact, without_quotes, with_line_feeds, with_crlf]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_breaks_survive_other_programs(
    program: Callable[[Rows, str], bytes], end: str
) -> None:
    data, first = with_texts()
    rows = rows_of(data)
    rows[first + 5][1] = "plain no more"  # the texts begin below the names of the columns
    game, warnings = edited(data, {PATH: program(rows, end)})
    assert [str(text) for text in game.strings[first:]] == [
        "plain no more" if text == "plain" else text for text in TEXTS
    ]
    reported = program is without_quotes and end == "\n"
    assert ["the text end as they did" in warning for warning in warnings] == [True] * reported


@pytest.mark.parametrize(
    ("number", "before", "after"),
    [(0, "one\rtwo", "one\r2\r"), (1, "a\r\nb", "a\r\n2\r\n"), (3, "p\rq\nr\r\n", "p\n2\n")],
)
def test_an_edited_text_keeps_its_way_to_break_lines(number: int, before: str, after: str) -> None:
    data, first = with_texts()
    rows = rows_of(data)
    assert rows[first + number + 1][1] == before
    rows[first + number + 1][1] = (before[0:1] if number else "one") + "\n2\n"
    game, warnings = edited(data, {PATH: with_line_feeds(rows, "\n")})
    assert str(game.strings[first + number]) == after
    reports = [warning for warning in warnings if "as they did before" in warning]
    assert len(reports) == (number != 3)
    others = [n for n in range(len(TEXTS)) if n != number]
    assert [str(game.strings[first + n]) for n in others] == [TEXTS[n] for n in others]


def test_other_line_breaks_may_be_meant() -> None:
    data, first = with_texts()
    rows = rows_of(data)
    rows[first + 1][1] = "one\ntwo"
    rows[first + 3][1] = "x\r\ny"
    game, warnings = edited(data, {PATH: exact(rows, "\n")})
    assert str(game.strings[first]) == "one\ntwo" and str(game.strings[first + 2]) == "x\r\ny"
    assert warnings == []


def test_a_part_of_the_file_is_enough() -> None:
    data, first = with_texts()
    part = as_csv([["index", "text"], [first + 4, "other"], ["", "new"], [first + 9, "later"],
                   [first + 8, "next"], ["", "last"]])  # fmt: skip
    game, warnings = edited(data, {PATH: part})
    texts = [str(text) for text in game.strings[first:]]
    assert texts == [*TEXTS[:4], "other", *TEXTS[5:], "next", "later", "new", "last"]
    left = f"{first + len(TEXTS) - 1} strings have no row, and stay as they are"
    assert warnings == [f"strings.csv: {left}"]
    game, _ = edited(data, {PATH: b"text,index\n" + f"other,{first + 4}\n".encode()})
    assert str(game.strings[first + 4]) == "other"


def test_other_columns_are_ignored_with_a_word() -> None:
    data, first = with_texts()
    text = f"index,note,text,kind,de\n{first + 4},why,other,,anders\n".encode()
    game, warnings = edited(data, {PATH: text})
    assert str(game.strings[first + 4]) == "other"
    assert warnings[:-1] == ["strings.csv: these columns are ignored: 'note', 'de'"]
    game, warnings = edited(data, {PATH: f"{first + 4},other,,,5\n".encode()})
    assert str(game.strings[first + 4]) == "other"
    assert warnings[:-1] == ["strings.csv: these columns are ignored: those after the column 4"]


@pytest.mark.parametrize("version", ["1.0.0.1763", "2.3.2", "2024.14"])
def test_names_in_code_are_marked_and_guarded(version: str) -> None:
    def add(game: GameData) -> None:
        game.add_event("obj_player", "Alarm_0", 'x = hp; hp = abs(3); y = "hello";')

    data = changed(version, add)
    rows = {row[1]: row for row in rows_of(data)[1:]}
    name = "gml_Object_obj_player_Alarm_0"
    kinds = {text: (rows[text][2:] or [""])[0] for text in ("x", "abs", "hp", "hello", name)}
    assert kinds == {"x": "built-in", "abs": "built-in", "hp": "code", "hello": "", name: "code"}
    assert (rows["spr_player"][2:] or [""]) == [""]
    for text, what in (
        ("abs", "something built-in"),
        ("hp", "a name in code"),
        (name, "a name in"),
    ):
        line = f"index,text\n{rows[text][0]},other\n".encode()
        with pytest.raises(WorkspaceError, match=f"row 2: '{text}' is the name of {what}|{what}"):
            edited(data, {PATH: line})
        kept = f"index,text,kind\n{rows[text][0]},{text},{kinds[text]}\n".encode()
        assert edited(data, {PATH: kept})[0].to_bytes() == data
        marked = f"index,text,kind\n{rows[text][0]},{text},free\n".encode()
        with pytest.raises(WorkspaceError, match="row 2: kind: 'free' has no effect"):
            edited(data, {PATH: marked})
    game, _ = edited(data, {PATH: f"{rows['hello'][0]},goodbye\n".encode()})
    assert '"goodbye"' in game.records.code[name].assembly
    with pytest.raises(WorkspaceError, match="kind: 'code' has no effect"):
        edited(data, {PATH: f"{rows['hello'][0]},hello,code\n".encode()})


def test_texts_that_are_not_utf8() -> None:
    raw = b"caf\xe9\r\xff"
    data, first = with_texts(texts=[raw.decode("utf-8", "surrogateescape"), "b"])
    rows = rows_of(data)
    assert rows[0] == ["index", "text", "kind", "bytes"]
    assert rows[first + 1][3] == raw.hex()
    rows[first + 2][1] = "c"
    for program in PROGRAMS:
        for cut in (4, 3):  # with and without the bytes
            game, _ = edited(data, {PATH: program([row[:cut] for row in rows], "\n")})
            assert [s.raw for s in game.strings[first:]] == [raw, b"c"]
    old = [["index", "text"], *([row[0], row[1], *row[3:]] for row in rows[1:])]
    game = made({PATH: exact(old, "\n")}, "2.3.2")
    assert game.strings[first].raw == raw
    rows[first + 1][3] = "zz"
    with pytest.raises(WorkspaceError, match=f"row {first + 2}: the column bytes is not hex"):
        edited(data, {PATH: exact(rows, "\n")})


def test_converted_lines_of_a_new_game_are_reported() -> None:
    files = unpacked(with_texts()[0]) | {PATH: b'0,"a\r\nb"\r\n1,c\r\n'}
    for text, reports in ((files[PATH], True), (b'0,"a\r\nb"\n1,c\n', False)):
        game = data_folder.empty({"version": "2.3.2"})
        warnings = data_folder.apply(game, memory_folder({PATH: text}), {PATH: "added"}).texts()
        assert any("all lines end in CR LF" in warning for warning in warnings) == reports


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=8), max_size=8))
@settings(max_examples=60, deadline=None)
def test_rows_come_back(texts: list[str]) -> None:
    data = write_rows(map(String, texts), {1: "code"})
    rows = read_rows(data, PATH).rows
    assert [row.text for row in rows] == texts
    assert [row.number for row in rows] == list(range(len(texts)))
    assert [row.kind for row in rows] == ["code" if n == 1 else "" for n in range(len(texts))]


def test_an_untouched_file_is_no_edit() -> None:
    data = packed("2024.14")
    game, warnings = edited(data, {PATH: unpacked(data)[PATH]})
    assert game.to_bytes() == data and warnings == []


def test_names_of_kinds_of_tracks_are_guarded() -> None:
    data = packed("2.3.2")
    (row,) = (row for row in rows_of(data) if row[1] == "GMSpriteFramesTrack")
    assert row[2:] == ["built-in"]
    with pytest.raises(WorkspaceError, match="'GMSpriteFramesTrack' is the name of something"):
        edited(data, {PATH: f"{row[0]},other\n".encode()})


def test_names_that_code_cannot_have_are_reported() -> None:
    data = packed("1.0.0.1600")
    rows = {row[1]: row[0] for row in rows_of(data)}
    for new, reports in (("spr_fence", False), ("spr 1", True)):
        game, warnings = edited(data, {PATH: f"index,text\n{rows['spr_wall']},{new}\n".encode()})
        assert list(game.records.sprites.names()) == ["spr_player", new]
        assert any(f"code can't call '{new}'" in text for text in warnings) == reports
    _, warnings = edited(data, {PATH: f"index,text\n{rows['default']},two words\n".encode()})
    assert not any("can't call" in text for text in warnings)
