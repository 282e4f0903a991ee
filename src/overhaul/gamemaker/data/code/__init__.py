"""The code of a game as the language tools see it: chains, dialect, context, names, linking."""
