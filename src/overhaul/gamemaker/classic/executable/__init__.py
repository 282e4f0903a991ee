"""Games inside executables of Game Maker 5.3 to 8.1."""
