"""Projects of GameMaker's own editor: ``.project.gmx`` of Studio 1, ``.yyp`` of all later ones."""
