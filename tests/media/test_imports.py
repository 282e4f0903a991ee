"""What only looks at headers must not cost the time that Pillow takes to import."""

from __future__ import annotations

import subprocess
import sys

LIGHT = ("dds", "masks", "png", "textures", "tilemap", "pages", "packing", "qoi")


def loaded_by(program: str) -> str:
    """Which of the heavy modules a program imports."""
    program += "import sys\nprint([name for name in ('numpy', 'PIL') if name in sys.modules])\n"
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.strip()


def test_headers_are_read_without_pillow() -> None:
    program = "".join(f"import overhaul.media.{name}\n" for name in LIGHT)
    program += "overhaul.media.textures.inspect(b'XNBw')\n"
    assert loaded_by(program) == "['numpy']"


def test_sounds_are_reported_without_numpy() -> None:
    assert loaded_by("import overhaul.media.audio, overhaul.media.bounds\n") == "[]"
