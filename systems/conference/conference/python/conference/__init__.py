"""The conference system's service on FastAPI, asyncmy and Granian."""
