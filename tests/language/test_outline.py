"""What of a GML source an editor folds."""

from __future__ import annotations

from overhaul.gml.dialect import Dialect
from overhaul.language.gml.outline import folds

NEWEST = Dialect.for_version(17, (2024, 14, 0, 0))

SOURCE = """\
#region all
// one
// and more of it
if (a) {
    b();
}
#region inner
/* two
   lines */
c = { d: 1 };
#endregion
#endregion
#endregion
begin
end
"""


def test_regions_blocks_and_comments_fold() -> None:
    found = [(fold.first, fold.last, fold.is_comment) for fold in folds(SOURCE, NEWEST)]
    assert found == [
        (1, 12, False), (2, 3, True), (4, 6, False), (7, 11, False), (8, 9, True),
        (14, 15, False),
    ]  # fmt: skip


def test_what_is_open_or_in_one_line_does_not_fold() -> None:
    assert folds("// one\na();\n// two\nif (b) { c(); }\n#region x\nwhile (d) {\n", NEWEST) == []
