"""Writers of answers in formats for other programs and for paper, one module for each format."""
