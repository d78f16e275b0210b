"""`python -m loadstone`."""

from loadstone.cli.main import main

main()
