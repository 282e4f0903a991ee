"""Projects of the editor of Adventure Game Studio: ``Game.agf``, read, written, made from games."""
