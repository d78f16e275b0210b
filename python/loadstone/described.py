"""Whether the fields of types have their docstrings as descriptions, for JSON Schemas.

To read them back from the sources takes a third of the time in which a command starts. So `generate`
alone asks for it, before it loads any type.
"""

_asked: list[bool] = []


def ask_for_descriptions() -> None:
    """Have the fields of all types described that are loaded from now on."""
    _asked.append(True)


def are_fields_described() -> bool:
    """Whether that was asked for."""
    return bool(_asked)
