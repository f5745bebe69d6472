"""States and results of finite games as pictures, as lines of text and as JSON."""
