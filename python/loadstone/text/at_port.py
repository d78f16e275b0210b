"""Where something listens, in words that a URL has."""


def at_port(host: str, port: int) -> str:
    """Return a name or an IP address with a port as a URL has them: `[::1]:80`."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
