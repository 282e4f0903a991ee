"""What only looks at headers must not cost the time NumPy and Pillow take to import."""

from __future__ import annotations

import subprocess
import sys

LIGHT = ("audio", "dds", "masks", "png", "textures", "tilemap")


def test_headers_are_read_without_numpy_and_pillow() -> None:
    program = "import sys\n" + "".join(f"import overhaul.media.{name}\n" for name in LIGHT)
    program += "from overhaul.media import textures\n"
    program += "textures.inspect(b'XNBw')\n"
    program += "print([name for name in ('numpy', 'PIL') if name in sys.modules])\n"
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == "[]"
