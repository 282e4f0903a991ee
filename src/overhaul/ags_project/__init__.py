"""Projects of the editor of Adventure Game Studio, made from compiled games."""
