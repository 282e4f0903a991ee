"""Rewriting of the tree; ``pipeline`` lists the passes in their order."""
