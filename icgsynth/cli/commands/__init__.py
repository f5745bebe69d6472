"""The commands of the core, one file for each; a file is loaded when its command is called."""
