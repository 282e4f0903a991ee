"""Documentation tables from record declarations."""

from __future__ import annotations

from dataclasses import dataclass

from overhaul.schema.declaration import fields_of
from overhaul.schema.record import Record, summary


@dataclass(frozen=True)
class FieldRow:
    """One row of a field table."""

    name: str
    type: str
    condition: str
    doc: str


def describe(record: type[Record]) -> list[FieldRow]:
    """The fields of a record in file order, with their types and conditions in words."""
    rows = []
    for field in fields_of(record):
        conditions = []
        if field.condition is not None:
            conditions.append(field.condition.words)
        if field.given is not None:
            conditions.append(field.given.words)
        doc = field.doc
        if field.align is not None:
            doc = f"{doc} (aligned to {field.align.to})".strip()
        rows.append(FieldRow(field.name, field.codec.type_name(), ", ".join(conditions), doc))
    return rows


def markdown_table(record: type[Record]) -> str:
    """The field table of a record as Markdown, under its name and summary."""
    lines = [f"### {record.__name__}", "", summary(record), ""]
    lines += ["| Field | Type | Present | Meaning |", "|---|---|---|---|"]
    for row in describe(record):
        cells = (f"`{row.name}`", row.type, row.condition, row.doc)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"
