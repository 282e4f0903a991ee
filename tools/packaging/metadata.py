"""What the package index shows: the README without links into the repository, and the addresses.

``[tool.overhaul]`` in pyproject.toml is the one place for the project's addresses. While they are
empty, nothing points anywhere: links of the README that lead to files become plain text.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

#: ``![alt](target)`` and ``[text](target)``, but no addresses that are whole.
PICTURE = re.compile(r"!\[[^\]]*\]\((?!https?:)([^)\s]+)\)\n*")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)\s]+)\)")


class Metadata(MetadataHookInterface):
    """The fields that pyproject.toml lists as dynamic, without the version."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, object]) -> None:
        """Add the fields."""
        root = Path(self.root)
        settings = addresses(root)
        repository = settings["repository"].rstrip("/")
        text = (root / "README.md").read_text("utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": readme(text, repository),
        }
        metadata["urls"] = urls(repository)
        metadata["authors"] = authors(settings["contact"])


def addresses(root: Path) -> dict[str, str]:
    """``[tool.overhaul]`` of pyproject.toml: ``repository`` and ``contact``, "" while there is
    none."""
    settings: dict[str, str] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"][
        "overhaul"
    ]
    return settings


def authors(contact: str) -> list[dict[str, str]]:
    """Who made it, with the address for mail where there is one."""
    return [{"name": "The Overhaul contributors", **({"email": contact} if contact else {})}]


def urls(repository: str) -> dict[str, str]:
    """The addresses of the project."""
    if not repository:
        return {}
    return {
        "Source": repository,
        "Issues": f"{repository}/issues",
        "Changes": f"{repository}/blob/main/CHANGELOG.md",
    }


def readme(text: str, repository: str) -> str:
    """The README as it reads outside of the repository."""
    if repository:
        text = re.sub(r"(!\[[^\]]*\]\()(?!https?:)", rf"\1{repository}/raw/main/", text)
        return LINK.sub(rf"[\1]({repository}/blob/main/\2)", text)
    return LINK.sub(r"\1", PICTURE.sub("", text))
