"""Two editions of a project of GameMaker's editor, both made of a third one, merged by meaning."""
