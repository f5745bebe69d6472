"""One file a command; each is loaded when it is called, and all for the docs."""
