"""The commands that only files of GameMaker and Game Maker have, and code entries as texts."""
