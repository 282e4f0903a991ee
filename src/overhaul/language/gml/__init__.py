"""GML: names in many files, completion, mistakes, renaming."""
