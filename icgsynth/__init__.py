"""icgsynth: rules of a game in, a strategy out that a person can follow and a machine has proved."""
