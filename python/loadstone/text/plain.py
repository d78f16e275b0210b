"""Text of strangers made harmless to read: what servers, logs and labels hold is not trusted.

Control characters (a terminal obeys them), direction overrides (they reorder what is read) and code
points that XML forbids are replaced by one visible sign. Escaping for a format is the renderer's
work.
"""

import re
import unicodedata
from typing import Any, TypeVar

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

_SPACE_CATEGORIES = frozenset({"Zl", "Zp"})
_REPLACED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_ESCAPED = re.compile(r'(?<!\\)(\\\\)*\\[^"\\]')
"""In JSON, a character that is not printable: neither a quotation mark nor a backslash."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
"""How a terminal is told to show what follows (ECMA-48, SGR)."""
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

Model = TypeVar("Model", bound=BaseModel)


def plain(text: str) -> str:
    """The text on one line, every character of it visible."""
    return text if text.isascii() and text.isprintable() else "".join(map(_visible, text))


def uncoloured(text: str) -> str:
    """The text without the colours that many programs write even where nobody can see them."""
    return _COLOUR.sub("", text)


def plain_value(value: Any) -> Any:
    """The same nesting of mappings, lists and tuples with every text and every key made plain."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {plain_value(key): plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(plain_value(item) for item in value)
    return value


def plain_model(model: Model) -> Model:
    """The model with every text made plain; the same where all are."""
    if _is_plain(model):
        return model
    return type(model).model_validate(plain_value(model.model_dump()))


def _is_plain(model: BaseModel) -> bool:
    """Whether nothing is to be replaced, from the characters of all texts together.

    Taking a large analysis apart and building it anew takes seconds; most hold nothing to replace. In
    JSON what is not printable is either escaped or stands as it is.
    """
    try:
        text = model.model_dump_json()
    except PydanticSerializationError:
        return False  # half of a surrogate pair
    if "\\" in text and _ESCAPED.search(text):  # the search of many megabytes takes long
        return False
    return all(_visible(character) == character for character in set(text))


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if character in "\n\r\t" or category in _SPACE_CATEGORIES:
        return " "
    return _REPLACEMENT if category in _REPLACED_CATEGORIES else character
