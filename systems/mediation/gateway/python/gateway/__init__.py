"""The mediation system's gateway on Starlette and Granian; SPEC.md of the system says what it does."""
