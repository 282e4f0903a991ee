"""What the program without Python runs."""

import multiprocessing
import sys

from overhaul.cli.standalone import main

if __name__ == "__main__":
    multiprocessing.freeze_support()  # on Windows and macOS, processes start this program again
    sys.exit(main())
