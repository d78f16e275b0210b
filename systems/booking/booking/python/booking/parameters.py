"""The parameters of a statement whose conditions depend on what is asked for."""


class Parameters:
    """Values, which stand for `$1`, `$2` and so on."""

    def __init__(self, *values: object) -> None:
        self.values = list(values)

    def add(self, value: object) -> str:
        """Return what stands for one more value."""
        self.values.append(value)
        return f"${len(self.values)}"
