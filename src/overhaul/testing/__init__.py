"""The public helpers for testing against Overhaul: strategies derived from the declarations."""
