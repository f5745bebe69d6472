"""What is claimed of all members, and its files."""
