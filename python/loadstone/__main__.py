"""`python -m loadstone`."""

from loadstone.cli.main import main

if __name__ == "__main__":  # a process of the analysis loads this module, too
    main()
