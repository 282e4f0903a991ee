"""Everything that Overhaul installs may be passed on with it."""

from __future__ import annotations

import importlib.metadata
import re

from packaging.requirements import Requirement

#: Words of licences that allow that, in expressions, in classifiers and in older fields.
ALLOWED = re.compile(
    r"\b(MIT|BSD|Apache|PSF|Python Software Foundation|HPND|ISC|0BSD|Zlib|MPL|Mozilla Public)", re.I
)
#: Words of those that don't.
REFUSED = re.compile(r"\b(A?GPL|LGPL|SSPL|BUSL|proprietary)\b", re.I)
EXTRAS = ("view", "watch", "xlsx", "fast", "catalog", "lsp")


def installed() -> dict[str, str]:
    """What is installed with Overhaul and its extras: the licence of each package, by its name."""
    licences: dict[str, str] = {}
    open_: list[tuple[str, tuple[str, ...]]] = [("overhaul", EXTRAS)]
    while open_:
        name, extras = open_.pop()
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # an extra that the tests do without
        fields = found.metadata
        classifiers = [
            line for line in fields.get_all("Classifier") or [] if line.startswith("License ::")
        ]
        whole = " ".join([*(fields.get_all("License-Expression") or []), *classifiers])
        # the old field may hold a whole text; it is read where nothing else says it
        licences[name] = whole if whole.strip() else " ".join(fields.get_all("License") or [])[:200]
        for text in found.requires or []:
            requirement = Requirement(text)
            chosen = [
                extra
                for extra in ("", *extras)
                if requirement.marker is None or requirement.marker.evaluate({"extra": extra})
            ]
            if chosen and requirement.name not in licences:
                open_.append((requirement.name, tuple(requirement.extras)))
    return licences


def test_licences_allow_to_pass_things_on() -> None:
    licences = installed()
    assert {"overhaul", "click", "msgspec", "numpy", "pillow", "polib"} <= licences.keys()
    assert len(licences) > 15
    wrong = {
        name: licence
        for name, licence in licences.items()
        if not ALLOWED.search(licence) or REFUSED.search(licence)
    }
    assert wrong == {}
