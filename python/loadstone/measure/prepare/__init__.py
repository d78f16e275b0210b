"""Before the first run: build, train, and hold the whole contract."""
