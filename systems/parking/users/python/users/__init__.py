"""The parking system's users on FastAPI, asyncpg and Granian; SPEC.md of the system says what they do."""
