"""Game Maker 5.0-8.1: projects, libraries, extensions and exports."""
