"""Games inside executables of Game Maker 6 to 8.1."""
