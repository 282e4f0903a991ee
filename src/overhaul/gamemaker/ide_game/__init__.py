"""A project of GameMaker's editor compared with the game that was compiled from it."""
