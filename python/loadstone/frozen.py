"""The base of every value that Loadstone validates: frozen, and closed to unknown keys."""

from pydantic import BaseModel, ConfigDict

from loadstone.described import are_fields_described


class Frozen(BaseModel):
    """An immutable value; an unknown key is an error, never ignored."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=are_fields_described(),
        defer_build=True,  # a command uses a tenth of the types that it loads
    )
