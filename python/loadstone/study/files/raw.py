"""What was typed, checked against the shape of its file; wrong keys and types become InputErrors.

Shapes of files derive from `Raw`. They hold what one value alone can be judged by; what depends on
other keys or other files is judged where a shape is turned into the frozen values of `model.py`.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from loadstone.described import are_fields_described
from loadstone.errors import InputError, WrongValueError
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.text.quoted import shortened, shown, suggestion

NAME_PATTERN = "^[a-z0-9][a-z0-9-]*$"
LONGEST_NAME = 48
"""Three factors and a workload still fit into the 255 bytes of a file name."""


def is_name(text: str) -> str:
    """Return a text that is a name. Raises WrongValueError."""
    if not re.fullmatch(NAME_PATTERN, text) or len(text) > LONGEST_NAME:
        raise WrongValueError(
            f"{shortened(text)!r} is not a name",
            f"write lower-case letters, digits and '-', at most {LONGEST_NAME}, "
            "not beginning with '-'",
        )
    return text


def _is_not_blank(text: str) -> str:
    if not text.strip():
        raise WrongValueError("must not be empty", "write a word or a sentence")
    return text


Name = Annotated[
    str,
    AfterValidator(is_name),
    Field(json_schema_extra={"pattern": NAME_PATTERN, "maxLength": LONGEST_NAME}),
]
"""Part of a file name, a URL and a table's heading alike, so it holds nothing to escape."""

VALUE_PATTERN = "^[A-Za-z_][A-Za-z0-9_]*$"


def _is_value_name(text: str) -> str:
    if not re.fullmatch(VALUE_PATTERN, text) or len(text) > LONGEST_NAME:
        raise WrongValueError(
            f"{shortened(text)!r} is not the name of a value",
            f"write letters, digits and '_', at most {LONGEST_NAME}, not beginning with a digit",
        )
    return text


ValueName = Annotated[
    str,
    AfterValidator(_is_value_name),
    Field(json_schema_extra={"pattern": VALUE_PATTERN, "maxLength": LONGEST_NAME}),
]
"""What a template can name."""

Text = Annotated[str, AfterValidator(_is_not_blank), Field(json_schema_extra={"minLength": 1})]


class Raw(BaseModel):
    """A mapping as typed: closed, and strict, so that "50" is not taken for 50."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        use_attribute_docstrings=are_fields_described(),
        defer_build=True,  # a command uses a tenth of the types that it loads
    )

    elsewhere: ClassVar[Mapping[str, str]] = {}
    """Keys of another shape that may stand in the same place, with what to do about them."""
    elsewhere_message: ClassVar[str] = "does not belong here"
    """What is said of these."""
    nullable: ClassVar[frozenset[str]] = frozenset()
    """Keys whose value may be null."""

    @model_validator(mode="before")
    @classmethod
    def _judge_keys(cls, typed: Any) -> Any:
        if not isinstance(typed, dict):
            return typed
        known = [field.alias or name for name, field in cls.model_fields.items()]
        for key, value in typed.items():
            if key in cls.elsewhere:
                _refuse(key, cls.elsewhere_message, cls.elsewhere[key])
            if key not in known:
                _refuse(key, "is not a known key", suggestion(key, known))
            if value is None and key not in cls.nullable:
                _refuse(key, "has no value", "write a value, or take the key out")
        return typed


def _refuse(key: str, message: str, remedy: str) -> None:
    context = {"key": key, "message": message, "remedy": remedy}
    raise PydanticCustomError("refused", "{message}", context)


Shape = TypeVar("Shape", bound=Raw)


def parse(source: YamlFile, shape: type[Shape]) -> Shape:
    """Check a whole file against its shape. Raises InputError for the first wrong line."""
    try:
        return shape.model_validate(source.tree)
    except ValidationError as error:
        found = [_located(source, each) for each in error.errors()]
    raise min(found, key=lambda each: each.line or 0)


def judge_own_name(source: YamlFile, key: str, place: Literal["file", "folder"]) -> None:
    """A parsed shape is found by the name that it gives itself: that of its file or its folder.

    Raises InputError where the two differ.
    """
    path = source.path
    name, called = (path.stem, path.name) if place == "file" else (path.parent.name,) * 2
    if source.tree[key] != name:
        raise source.error(
            (key,),
            f"is {source.tree[key]}, and the {place} is {called}",
            f"give {place} and {key} one name",
        )


def _located(source: YamlFile, details: ErrorDetails) -> InputError:
    at = _key_path(source.tree, details)
    if details["type"] == "refused":
        context = details["ctx"]
        return source.error((*at, context["key"]), context["message"], context["remedy"])
    message, remedy = _explained(details)
    return source.error(at, message, remedy)


def _key_path(tree: Any, details: ErrorDetails) -> KeyPath:
    """pydantic's location without the names of union members, which nobody typed."""
    at: list[str | int] = []
    for part in details["loc"]:
        inside = part in tree if isinstance(tree, dict) else isinstance(part, int)
        if inside:
            tree = tree[part]
        elif details["type"] != "missing" or part != details["loc"][-1]:
            continue
        at.append(part)
    return tuple(at)


_WANTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
}


_LIMITS = {
    "greater_than_equal": ("ge", "{} or more"),
    "greater_than": ("gt", "more than {}"),
    "less_than_equal": ("le", "{} or less"),
}


_LENGTHS = {
    "too_short": ("min_length", "at least"),
    "too_long": ("max_length", "at most"),
}


def _explained(details: ErrorDetails) -> tuple[str, str | None]:
    """Message and remedy for one of pydantic's own error types."""
    kind, typed, context = details["type"], shown(details["input"]), details.get("ctx", {})
    if kind == "missing":
        return "is missing", "add the key"
    if kind == "string_type" and isinstance(details["input"], (bool, int, float)):
        return f"must be text, not {typed}", f'put it in quotes: "{typed}"'
    if kind in _WANTED:
        return f"must be {_WANTED[kind]}, not {typed}", f"write {_WANTED[kind]}"
    if kind == "literal_error":
        return f"must be {context['expected']}, not {typed}", f"write {context['expected']}"
    if kind in _LIMITS:
        key, limit = _LIMITS[kind]
        wanted = limit.format(
            f"{context[key]:,g}" if isinstance(context[key], float) else context[key]
        )
        return f"must be {wanted}, not {typed}", f"write {wanted}"
    if kind == "too_short" and context["min_length"] == 1:
        return "must not be empty", "list at least one"
    if kind in _LENGTHS:
        key, limit = _LENGTHS[kind]
        wanted = f"{limit} {context[key]} entries"
        return f"must have {wanted}, not {context['actual_length']}", f"list {wanted}"
    if kind == "value_error":
        error = context["error"]
        return str(error), error.remedy if isinstance(error, WrongValueError) else None
    return details["msg"], None
