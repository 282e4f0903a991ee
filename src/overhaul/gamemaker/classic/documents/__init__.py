"""The documents of Game Maker 5.0-8.1: a module for each kind of file."""
