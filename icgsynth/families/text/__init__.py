"""Reports on families, and their formats."""
