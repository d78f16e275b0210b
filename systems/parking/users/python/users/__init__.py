"""The parking system's users on FastAPI, asyncpg and Granian, as SPEC.md has them."""
