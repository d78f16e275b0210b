"""The base of every value that Loadstone validates: frozen, and closed to unknown keys."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value; an unknown key is an error, never ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
