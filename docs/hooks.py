"""What the documentation build makes itself: the field tables, and the list of format pages.

A line of a page that is one of these becomes tables:

* ``[The fields of overhaul.package.module:Class](records.md#...)``: the table of that record;
* ``[The records of overhaul.package.module](...)``: those of all records that the module declares;
* ``[The chunks of overhaul.package](...)``: a section for each module of the package, with its
  docstring and its tables;
* ``{surfaces overhaul.package.module}``: a section for a module of resources, with its classes and
  a table of the attributes that are fields of their records.

In the repository the links lead to ``docs/formats/records.md``, which has all of these tables;
:func:`all_tables` makes it.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

#: The whole text of a page that is the changelog.
CHANGES = "[Changes](../CHANGELOG.md)"
_TABLES = r"\[The (fields|records|chunks) of ([\w.:]+)\]\(records\.md#\w+\)"
DIRECTIVE = re.compile(rf"^(?:\{{(surfaces) ([\w.:]+)\}}|{_TABLES})$", re.M)


def on_config(config: Any) -> Any:
    """Put every page of docs/formats/ into the navigation, by its title, and link to the
    repository if pyproject.toml has its address."""
    folder = Path(config["docs_dir"]) / "formats"
    settings = tomllib.loads(Path(config["docs_dir"], "..", "pyproject.toml").read_text("utf-8"))
    repository = settings["tool"]["overhaul"]["repository"].rstrip("/")
    if repository:
        config["repo_url"] = repository
        config["edit_uri"] = "edit/main/docs/"
    pages = [page for page in folder.rglob("*.md") if page.name != "records.md"]
    pages.sort(key=lambda path: (path.name != "index.md", str(path)))
    for entry in config["nav"]:
        if "Formats" in entry:
            entry["Formats"] = [
                {title(path): path.relative_to(config["docs_dir"]).as_posix()} for path in pages
            ]
    return config


def title(path: Path) -> str:
    """The first heading of a page."""
    found = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.M)
    return found.group(1) if found else path.stem


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the directives by what they stand for."""
    if markdown.strip() == CHANGES:
        return Path(__file__).parents[1].joinpath("CHANGELOG.md").read_text("utf-8")
    return DIRECTIVE.sub(lambda found: MAKERS[found[1] or found[3]](found[2] or found[4]), markdown)


def all_tables(folder: Path) -> str:
    """The page that has the tables of all pages of a folder, for who reads them in the
    repository."""
    parts = [
        "# Records",
        "Made of the declarations by `docs/hooks.py`; see the pages of the formats.",
    ]
    for page in sorted(folder.glob("*.md")):
        for _, _, kind, target in DIRECTIVE.findall(page.read_text("utf-8")):
            if kind:
                tables = MAKERS[kind](target)
                parts += [f"## {target}", re.sub(r"^#", "##", tables, flags=re.M).strip()]
    return "\n\n".join(parts) + "\n"


def fields(target: str) -> str:
    """The field table of one record."""
    from overhaul.schema.declaration import markdown_table

    module, _, name = target.partition(":")
    return markdown_table(getattr(import_module(module), name))


def records(target: str) -> str:
    """The field tables of the records that a module declares, in its order."""
    from overhaul.schema import Record

    module = import_module(target)
    found = [
        value
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, Record)
        and value.__module__ == target
        and not value.__name__.startswith("_")
    ]
    return "\n".join(fields(f"{target}:{value.__name__}") for value in found)


def modules(target: str) -> str:
    """A section for each module of a package that declares records."""
    package = import_module(target)
    sections = []
    for info in pkgutil.iter_modules(package.__path__):
        name = f"{target}.{info.name}"
        tables = records(name)
        if tables:
            words = inspect.cleandoc(import_module(name).__doc__ or info.name)
            head, _, rest = words.partition("\n")
            sections.append(f"## {head.rstrip('.')}\n\n{rest.strip()}\n\n{tables}")
    return "\n".join(sections)


def surface(target: str) -> str:
    """A section for a module of resources: its classes, with their fields."""
    module = import_module(target)
    words = inspect.cleandoc(module.__doc__ or "")
    parts = [f"## {words.partition(chr(10))[0].rstrip('.')}"]
    for name, value in vars(module).items():
        if inspect.isclass(value) and value.__module__ == target and not name.startswith("_"):
            parts += [f"::: {target}.{name}\n    options:\n      heading_level: 3"]
            parts += [attributes(value)]
    return "\n\n".join(part for part in parts if part) + "\n"


def attributes(cls: type) -> str:
    """A table of the attributes of a resource that are fields of its record."""
    from overhaul.gamemaker.data.resources.fields import Field

    rows = [
        f"| `{name}` | {inspect.cleandoc(type(field).__doc__ or '').partition(chr(10))[0]} "
        f"| {field.__doc__ or ''} |"
        for name, field in vars(cls).items()
        if isinstance(field, Field)
    ]
    head = ["| Attribute | Type | What it is |", "|---|---|---|"]
    return "\n".join([*head, *rows]) if rows else ""


MAKERS = {"fields": fields, "records": records, "chunks": modules, "surfaces": surface}
