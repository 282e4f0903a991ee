"""``python -m overhaul``: the same as the command ``overhaul``."""

import sys

from overhaul.cli import main

if __name__ == "__main__":
    sys.exit(main())
