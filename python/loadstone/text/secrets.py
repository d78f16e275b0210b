"""What may be named and not shown."""

SECRET_FIELDS = frozenset({"authorization", "proxy-authorization", "cookie", "x-api-key"})
"""Headers whose values are secrets, whatever they are."""
MASK = "(masked)"
"""What is shown instead."""


def is_secret_header(name: str) -> bool:
    """Whether what a header holds is a secret."""
    return name.lower() in SECRET_FIELDS
