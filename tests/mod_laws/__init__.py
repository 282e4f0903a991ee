"""The laws of mods on real games, at length: ``python tests/mod_laws``; see CONTRIBUTING.md."""
