"""Run the command line by ``python -m icgsynth``."""

from icgsynth.cli import main

if __name__ == "__main__":
    main()
