"""Makes the builders beside it importable from every test folder."""
