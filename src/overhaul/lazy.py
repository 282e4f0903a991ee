"""Modules, and the public names of packages, that are imported on first use (PEP 562)."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def _imported(name: str) -> object:
    from importlib import import_module  # start-up: as little as can be

    return import_module(name)


def attach(
    package: str, homes: dict[str, str]
) -> "tuple[Callable[[str], object], Callable[[], list[str]], list[str]]":
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    ``homes``: the public names of each module, separated by spaces; ``name=other`` is what the
    module calls ``other``.
    """
    home_of = {
        name: (home, other or name)
        for home, names in homes.items()
        for name, _, other in (word.partition("=") for word in names.split())
    }

    def get(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, own = home_of[name]
        value = getattr(_imported(home), own)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home_of})

    return get, names, list(home_of)


class LazyModule:
    """A module that is imported when the first of its names is asked for.

    Where types are checked, the module itself is imported in its place.
    """

    __slots__ = ("_module", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._module: object = None

    def __getattr__(self, name: str) -> object:
        if self._module is None:
            self._module = _imported(self._name)
        return getattr(self._module, name)
