"""Claims about all members of a family, and their files."""
