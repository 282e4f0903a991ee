"""Game Maker 5.0-8.1 as folders: a module for each kind of document and of resource."""
