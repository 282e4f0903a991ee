"""GML source: lexer, parser, typed tree and printer."""
