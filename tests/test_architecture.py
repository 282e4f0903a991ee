"""The structure of the package, held against the code: layers, cycles, imports, types.

import-linter (``dev.py lint``) checks each arrow of the contracts in ``pyproject.toml``; these
tests check what it does not: that the contracts and the picture in ``docs/architecture.md`` name
every package, that no module imports itself through others (imports for types included), and that
an import inside a function says why it is there.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from own_code import parts_of, tree_of
from per_file import per_file
from present import instance

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "overhaul"
#: How many there may be; lower these when there are fewer.
IMPORTS_IN_FUNCTIONS = 61
ANY = 306
ALIASES_OF_ANY = 3
IGNORES = 25
#: What the packages of families of games are called.
FAMILY_NAMES = frozenset(("ags", "gamemaker", "gml"))


def modules() -> dict[str, Path]:
    """Each module of the package, by its dotted name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = ["overhaul", *path.relative_to(SOURCE).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The modules of the package that an import statement names."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        submodules = [f"{node.module}.{alias.name}" for alias in node.names]
        names = [name if name in MODULES else str(node.module) for name in submodules]
    yield from (name for name in names if name in MODULES)


@per_file
def imports() -> tuple[dict[str, set[str]], dict[str, str]]:
    """What each module imports, for types and inside functions too; and ``module:line`` and the
    comment of each import that is run inside a function."""
    graph: dict[str, set[str]] = {}
    inside: dict[str, str] = {}
    for name, path in MODULES.items():
        lines = path.read_text("utf-8").split("\n")
        graph[name] = set()
        for node, is_inside in imports_of(tree_of(path).body, False):
            graph[name] |= {*imported(node)} - {name}
            if is_inside:
                around = lines[max(node.lineno - 4, 0) : node.end_lineno]
                inside[f"{name}:{node.lineno}"] = "\n".join(around)
    return graph, inside


def imports_of(
    body: Iterable[ast.AST], inside: bool
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The imports among statements, and whether each is in a function."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, inside
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        yield from imports_of(parts_of(node), inside or is_function)


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """The names along a cycle of imports; empty if there is none."""
    done: set[str] = set()
    for start in graph:
        path: list[str] = []
        stack: list[tuple[str, Iterator[str]]] = []
        if start not in done:
            path.append(start)
            stack.append((start, iter(sorted(graph[start]))))
        while stack:
            name, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                done.add(name)
                path.pop()
                stack.pop()
            elif target in path:
                return [*path[path.index(target) :], target]
            elif target not in done:
                path.append(target)
                stack.append((target, iter(sorted(graph[target]))))
    return []


def test_a_cycle_is_found() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_module_imports_itself_through_others() -> None:
    assert cycle(imports()[0]) == []


def test_an_import_inside_a_function_says_why() -> None:
    found = imports()[1]
    assert [place for place, text in found.items() if "start-up" not in text] == []
    assert len(found) < IMPORTS_IN_FUNCTIONS


def named_places() -> Iterator[tuple[str, str, str]]:
    """The file, the module and the name of each text ``module:name``, which is loaded when used."""
    for path in MODULES.values():
        text = path.read_text("utf-8")
        for name, value in re.findall(r'^(\w+)(?:: Final)? = "(overhaul[.\w]*)"$', text, re.M):
            text = text.replace(f"{{{name}}}", value)
        for module, name in re.findall(r'"(overhaul[.\w]+):(\w+)"', text):
            yield path.name, module, name


def names_of(module: str) -> set[str]:
    """The names that a module defines or imports."""
    found = {name.rpartition(".")[2] for name in MODULES if name.rpartition(".")[0] == module}
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.ImportFrom):
            found.update(alias.asname or alias.name for alias in node.names)
    return found


def test_what_is_loaded_by_its_name_is_there() -> None:
    places = [*named_places()]
    assert len(places) > 150
    missing = [place for place in places
               if place[1] not in MODULES or place[2] not in names_of(place[1])]  # fmt: skip
    assert missing == []


def is_of_a_family(module: str) -> bool:
    """Whether a module knows one family of games."""
    return not FAMILY_NAMES.isdisjoint(module.split("."))


def test_only_families_import_families() -> None:
    """The others ask the manifest, overhaul.document.families; the library's own names are those
    of all families."""
    graph, _ = imports()
    found = [
        (module, other)
        for module, others in graph.items()
        if module != "overhaul" and not is_of_a_family(module)
        for other in others
        if is_of_a_family(other)
    ]
    assert found == []


def test_numpy_is_imported_before_its_parts() -> None:
    """A thread that imports ``numpy.typing`` alone does not wait for another one that imports
    ``numpy``: either fails."""
    first = {
        name: next((each for each in named_at_run_time(tree_of(path)) if is_of_numpy(each)), None)
        for name, path in MODULES.items()
    }
    assert {name: each for name, each in first.items() if each not in (None, "numpy")} == {}
    assert first["overhaul.media.canvas"] == "numpy"


def named_at_run_time(tree: ast.AST) -> Iterator[str]:
    """The modules that import statements name, in order, but those for types."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield from named_at_run_time(node)


def is_of_numpy(module: str) -> bool:
    return module.partition(".")[0] == "numpy"


def test_types_are_known() -> None:
    texts = [path.read_text("utf-8") for path in MODULES.values()]
    assert sum(len(re.findall(r"\bAny\b", text)) for text in texts) < ANY
    # another name for Any would not be counted: no new ones
    assert sum(len(re.findall(r"= Any$", text, re.M)) for text in texts) <= ALIASES_OF_ANY
    assert sum(text.count("# type: ignore") for text in texts) < IGNORES


def contracts() -> list[dict[str, object]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found: list[dict[str, object]] = settings["tool"]["importlinter"]["contracts"]
    return found


def test_the_picture_shows_the_layers_that_are_checked() -> None:
    drawn = re.search(
        r"```layers\n(.*?)```", (ROOT / "docs/architecture.md").read_text("utf-8"), re.S
    )
    assert drawn is not None
    rows = [re.split(r"\s{2,}", row.strip())[0] for row in drawn[1].splitlines()]
    (layers,) = [c["layers"] for c in contracts() if c["name"] == "The layers"]
    assert isinstance(layers, list)
    assert rows == [drawn_layer(str(layer)) for layer in layers]


def drawn_layer(layer: str) -> str:
    """A layer as the picture shows it: all of a family that its parts do not name is one word."""
    return "ags" if " : " in layer else layer.replace("overhaul.", "")


def test_every_package_is_in_a_layer() -> None:
    (layers,) = [c["layers"] for c in contracts() if c["name"] == "The layers"]
    named = set(re.findall(r"overhaul[\w.]*", " ".join(map(str, instance(list, layers)))))
    packages = [name for name, path in MODULES.items() if name.count(".") == 1]
    below = [
        name
        for name in MODULES
        if name.count(".") == 2 and name.startswith(("overhaul.gamemaker.", "overhaul.ags."))
    ]
    known = {*named, "overhaul.gamemaker", "overhaul.ags", "overhaul.__main__"}
    assert [name for name in [*packages, *below] if name not in known] == []
