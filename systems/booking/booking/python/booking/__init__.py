"""The booking system's service on FastAPI, asyncpg and Granian."""
