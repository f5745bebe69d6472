"""Reports on families."""
