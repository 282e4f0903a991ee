"""Messages as tables: CSV as spreadsheets write it, XLSX, and what is wrong in them."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path

import polib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overhaul import translate
from overhaul.document import registry
from overhaul.errors import EncodeError, FormatError
from overhaul.translate.tables import COLUMNS, from_csv, letters, to_csv
from small_games import again, game_of

HEAD = ",".join(COLUMNS) + "\r\n"
KEPT = (
    "msgctxt", "msgid", "msgstr", "flags", "comment", "tcomment", "previous_msgid", "occurrences",
    "obsolete",
)  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]


def messages() -> polib.POFile:
    made = polib.POFile(wrapwidth=0)
    made.metadata = {"Language": "de", "X-AGS-Encoding": "UTF-8", "Plural-Forms": "a: b"}
    made.header = "Made by\nme"
    made.append(
        polib.POEntry(
            msgid='a, "b";\nc',
            msgstr="-é 日本",
            comment="obj: draw\nmore",
            tcomment="mine",
            occurrences=[("code", "3"), ("rooms/a:b", "")],
            flags=["fuzzy", "c-format"],
            previous_msgid="a",
        )
    )
    made.append(polib.POEntry(msgid="=1+1", msgstr="'@x"))
    made.append(polib.POEntry(msgid="gone", msgstr="weg", obsolete=True))
    made.append(polib.POEntry(msgctxt="x", msgid="gone", msgstr="'"))
    return made


def same(one: polib.POFile, two: polib.POFile) -> None:
    assert one.metadata == two.metadata and one.header == two.header
    for old, new in zip(one, two, strict=True):
        assert [getattr(old, name) for name in KEPT] == [getattr(new, name) for name in KEPT]


@pytest.mark.parametrize("end", ["csv", "xlsx"])
def test_a_table_has_all_of_the_messages(tmp_path: Path, end: str) -> None:
    if end == "xlsx":
        pytest.importorskip("openpyxl")
    path = tmp_path / f"a.{end}"
    path.write_bytes(translate.file_bytes(messages(), path))
    loaded = translate.load(path)
    same(messages(), loaded)
    assert [each.linenum for each in loaded] == [3, 4, 5, 6]


def test_csv_of_spreadsheets_is_read() -> None:
    data = to_csv(messages())
    assert data.startswith(b"\xef\xbb\xbfcontext,source,translation,")
    text = data.decode("utf-8-sig")
    assert '"\'-é 日本"' in text or ",'-é 日本," in text
    assert ",'=1+1,''@x," in text
    lines = HEAD + 'x,"a\r\nb",c,,,,,\r\n'
    for delimiter in ",;\t":
        for encoding in ("utf-8", "utf-8-sig", "utf-16"):
            for end in ("\r\n", "\n"):
                made = lines.replace(",", delimiter).replace("\r\n", end)
                (found,) = from_csv(made.encode(encoding), "a.csv")
                assert (found.msgctxt, found.msgid, found.msgstr) == ("x", "a\nb", "c")


def test_escapes_of_what_is_no_letter_stay() -> None:
    (found,) = from_csv(b"source,translation\r\na_x000D_,_xD800_ _x0416_\r\n", "a.csv")
    assert (found.msgid, found.msgstr) == ("a\r", "_xD800_ Ж")


def test_columns_come_in_any_order() -> None:
    (found,) = from_csv(b"Translation, SOURCE \r\nb,a\r\n,\r\n", "a.csv")
    assert (found.msgid, found.msgstr, found.linenum) == ("a", "b", 2)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "the table is empty"),
        ("source\r\na\r\n", "row 1: there is no column 'translation'"),
        ("source,translation,Mood\r\n", "cell C1: an unknown column 'Mood'"),
        ("source,translation,source\r\n", "cell C1: a second column 'source'"),
        ("source,translation\r\na,b,c\r\n", "cell C2: it is in no column"),
        ("source,translation\r\na,b\r\na,c\r\n", "cell A3: this text is in row 2 too"),
        ("source,translation\r\n,b\r\n", "cell A2: expected a text, got an empty cell"),
        ("source,translation\r\na,b\r\n,x: y\r\n", "cell A3: expected a text"),
        ('source,translation\r\n"a,b\r\n', "row 2: not CSV: unexpected end of data"),
        ('source,translation\r\n"a"x,b\r\n', "row 2: not CSV"),
        ("source,translation\r\na,b\0\r\n", "line 2: a NUL character"),
    ],
)
def test_what_is_wrong_has_its_cell(data: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"a.csv: {message}"):
        from_csv(data.encode(), "a.csv")


def test_other_encodings_are_refused() -> None:
    with pytest.raises(FormatError, match="line 2: not a text in UTF-8: save the table as CSV"):
        from_csv("source,translation\r\né,b\r\n".encode("cp1252"), "a.csv")


def test_letters_of_columns() -> None:
    assert [letters(index) for index in (0, 25, 26, 51, 52, 701, 702)] == [
        "A", "Z", "AA", "AZ", "BA", "ZZ", "AAA",
    ]  # fmt: skip


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), min_size=1)


@given(
    st.lists(
        st.tuples(TEXT | st.sampled_from(["a\r\nb", "\r\n", "_x000D_"]), TEXT),
        unique_by=lambda pair: pair[0],
        min_size=1,
    )
)
def test_any_text_comes_back_from_csv(pairs: list[tuple[str, str]]) -> None:
    made = polib.POFile()
    made.extend(polib.POEntry(msgid=text, msgstr=new) for text, new in pairs)
    assert [(e.msgid, e.msgstr) for e in from_csv(to_csv(made), "a.csv")] == pairs


# --- XLSX -----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.lists(st.tuples(TEXT | st.just("_x0041_\r\x01"), TEXT), unique_by=lambda pair: pair[0]))
def test_any_text_comes_back_from_xlsx(pairs: list[tuple[str, str]]) -> None:
    sheets = pytest.importorskip("overhaul.translate.sheets", exc_type=ImportError)
    made = polib.POFile()
    made.extend(polib.POEntry(msgid=text, msgstr=new) for text, new in pairs)
    loaded = sheets.from_xlsx(sheets.to_xlsx(made), "a.xlsx")
    assert [(e.msgid, e.msgstr) for e in loaded] == pairs


def sheet(tmp_path: Path, *rows: list[object]) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    path: Path = tmp_path / "a.xlsx"
    book.save(path)
    return path


def test_numbers_are_texts(tmp_path: Path) -> None:
    path = sheet(tmp_path, ["source", "translation"], ["5", 5], ["six", 6.5], [7, 7.0], ["t", True])
    assert [(e.msgid, e.msgstr) for e in translate.load(path)] == [
        ("5", "5"), ("six", "6.5"), ("7", "7"), ("t", "TRUE"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("=A1", "cell B3: expected a text, got a formula: format the cell as text"),
        ("#NAME?", "cell B3: expected a text, got an error"),
        (datetime(2026, 11, 22), "cell B3: expected a text, got a datetime"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, value: object, message: str) -> None:
    path = sheet(tmp_path, ["source", "translation"], ["a", "b"], ["c", value])
    with pytest.raises(FormatError, match=rf"a\.xlsx: {message}"):
        translate.load(path)


def test_a_text_too_long_for_a_cell() -> None:
    pytest.importorskip("openpyxl")
    made = polib.POFile()
    made.append(polib.POEntry(msgid="a", msgstr="b" * 32_768))
    with pytest.raises(EncodeError, match="cell C3: 32768 characters, a cell has at most 32767"):
        translate.file_bytes(made, "a.xlsx")
    made[0].msgstr = "b" * 32_767
    assert translate.file_bytes(made, "a.xlsx")


def changed(path: Path, name: str, data: bytes) -> bytes:
    """A spreadsheet with one part changed or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            if part != name:
                new.writestr(part, old.read(part))
        new.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(tmp_path: Path, encoding: str) -> None:
    path = sheet(tmp_path, ["source", "translation"])
    bomb = '<?xml version="1.0"?>\n<!DocType x [<!ENTITY a "b">]><x>&a;</x>'.encode(encoding)
    path.write_bytes(changed(path, "xl/sharedStrings.xml", bomb))
    with pytest.raises(FormatError, match=r"'xl/sharedStrings\.xml' declares a document type"):
        translate.load(path)


def test_bombs_are_refused(tmp_path: Path) -> None:
    path = sheet(tmp_path, ["source", "translation"])
    path.write_bytes(changed(path, "xl/big.xml", bytes(65 << 20)))
    with pytest.raises(FormatError, match=r"'xl/big\.xml' unpacks to 68157440 bytes of \d+: exp"):
        translate.load(path)
    noise = b"".join(bytes(200) + bytes([n % 251]) + bytes(99) for n in range(99_000))
    path.write_bytes(changed(path, "xl/big.xml", noise))
    with pytest.raises(FormatError, match=r"'xl/big\.xml': 28 MB in memory, but a file of \d+"):
        translate.load(path)


@pytest.mark.parametrize(
    ("part", "element"),
    [
        ("xl/styles.xml", "<xf/>"),
        ("xl/styles.xml", "<x:xf/>"),
        ("xl/workbook.xml", "<definedName/>"),
        ("xl/worksheets/sheet1.xml", "<mergeCell/>"),
    ],
)
def test_elements_that_become_objects_are_counted(tmp_path: Path, part: str, element: str) -> None:
    path = sheet(tmp_path, ["source", "translation"])
    path.write_bytes(changed(path, part, f"<a>{element * 65_536}</a>".encode()))
    with pytest.raises(FormatError, match=rf"its part '{part}' has too many elements"):
        translate.load(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<c>" * 65, "nested too deeply"),
        (f"<sheetData><row>{'<c/>' * 65_537}</row></sheetData>", "65536 elements in a row"),
        (f"<sst><si>{'<r/>' * 65_537}</si></sst>", "65536 elements in a row, or in a text"),
    ],
)
def test_rows_that_openpyxl_takes_as_a_whole_are_bounded(
    tmp_path: Path, content: str, message: str
) -> None:
    path = sheet(tmp_path, ["source", "translation"])
    path.write_bytes(changed(path, "xl/worksheets/sheet1.xml", content.encode()))
    with pytest.raises(FormatError, match=f"its part 'xl/worksheets/sheet1.xml' has .*{message}"):
        translate.load(path)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ('<row r="1048576"><c r="A1048576"><v>1</v></c></row>', "row 200001: expected at most"),
        ('<row r="2"><c r="XFD2"><v>1</v></c></row>', "row 2: .* got 16384 cells"),
        (f'<row r="2">{"<c/>" * 65_536}</row>', "row 2: .* got 65536 cells"),
    ],
    ids=["rows", "columns", "elements"],
)
def test_sheets_of_more_cells_than_people_write_are_refused(
    tmp_path: Path, cell: str, message: str
) -> None:
    path = sheet(tmp_path, ["source", "translation"])
    with zipfile.ZipFile(path) as archive:
        data = archive.read("xl/worksheets/sheet1.xml").decode()
    made = data.replace("</sheetData>", f"{cell}</sheetData>")
    path.write_bytes(changed(path, "xl/worksheets/sheet1.xml", made.encode()))
    with pytest.raises(FormatError, match=message):
        translate.load(path)


def test_other_files_are_no_spreadsheets(tmp_path: Path) -> None:
    path = sheet(tmp_path, ["source", "translation"])
    path.write_bytes(changed(path, "xl/workbook.xml", b"<no"))
    with pytest.raises(FormatError, match=r"a\.xlsx: not a spreadsheet: "):
        translate.load(path)
    for data in (b"", b"PK\x03\x04", b"source,translation"):
        path.write_bytes(data)
        with pytest.raises(FormatError, match=r"a\.xlsx: not a spreadsheet \(\.xlsx\): "):
            translate.load(path)


def test_without_openpyxl_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(target: str) -> object:
        raise ModuleNotFoundError(target, name="openpyxl")

    monkeypatch.setattr("overhaul.translate.files.load_module", missing)
    with pytest.raises(FormatError, match=r"a\.xlsx: spreadsheets need openpyxl: pip install"):
        translate.file_bytes(messages(), "a.xlsx")
    assert registry.load("overhaul.translate.files:load") is translate.load


# --- with a game ----------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["csv", "xlsx"])
def test_a_game_is_translated_by_a_table(tmp_path: Path, end: str) -> None:
    if end == "xlsx":
        pytest.importorskip("openpyxl")
    game = game_of("2023.4")
    game.add_event("obj_a", "Step_0", 'draw_text(0, 0, "go {0}"); show_message("-no");')
    game = again(game)
    path = tmp_path / f"es.{end}"
    extracted = translate.extract(game)
    path.write_bytes(translate.file_bytes(extracted, path))
    same(extracted, translate.load(path))
    extracted[0].msgstr = "va"
    extracted[1].msgstr = "-n\no"
    path.write_bytes(translate.file_bytes(extracted, path))
    loaded = translate.load(path)
    found = [str(problem) for problem in translate.check(game, loaded)]
    assert found == [
        "cell C3: 'go {0}': it lacks {0}",
        "cell C4: '-no': it has 1 line breaks, the text has 0",
    ]
    with pytest.raises(EncodeError, match=r"cell C3: the translation of 'go \{0\}'"):
        translate.apply(game, loaded)
    made = translate.apply(game, loaded, force=True)
    assert made.texts == 2
    assert made.warnings == ["the translation of 'go {0}': it lacks {0}"]
    done = translate.update(game, loaded)
    assert (done.kept, done.gone) == (2, 0)
    path.write_bytes(translate.file_bytes(done.messages, path))
    assert [each.msgstr for each in translate.load(path)] == ["va", "-n\no"]


def test_a_tra_is_made_by_apply_only() -> None:
    with pytest.raises(FormatError, match=r"a\.tra: a \.tra is made for a game: use apply"):
        translate.file_bytes(messages(), "a.tra")


def test_any_other_end_is_a_po_file(tmp_path: Path) -> None:
    (tmp_path / "es.txt").write_bytes(translate.file_bytes(messages(), "es.txt"))
    loaded = translate.load(tmp_path / "es.txt")
    assert loaded[0].msgstr == "-é 日本" and loaded.fpath == str(tmp_path / "es.txt")
