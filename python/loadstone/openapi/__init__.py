"""OpenAPI documents of version 3.0 and 3.1: read in bounded time, their operations, and whether an
answer is what they say.

References are followed inside a document alone; nothing is ever fetched.
"""
