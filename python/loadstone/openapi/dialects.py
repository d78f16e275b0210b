"""The JSON Schema of OpenAPI 3.0 and of 3.1, as validators of what a service sends.

3.1 is JSON Schema 2020-12. 3.0 is close to draft 4, with `nullable`. Documents say it where the
specification does not see it (beside `allOf`, or an `enum` without null), so null is taken wherever it
stands. What is `writeOnly` need not be sent. `format` is not held: it is an annotation.
"""

from collections.abc import Callable, Iterator
from typing import Any

from jsonschema import Draft4Validator, Draft202012Validator, ValidationError, validators

Keyword = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]


def _required(
    validator: Any, required: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    properties = schema.get("properties")
    for name in required:
        if name in instance:
            continue
        its = properties.get(name) if isinstance(properties, dict) else None
        if not (isinstance(its, dict) and its.get("writeOnly") is True):
            yield ValidationError(f"{name!r} is a required property")


def _unless_null(keyword: Keyword) -> Keyword:
    def judge(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        if instance is None and schema.get("nullable") is True:
            return iter(())
        return keyword(validator, value, instance, schema)

    return judge


_NULLABLE = ("type", "enum", "allOf", "anyOf", "oneOf")

_extend: Callable[..., Any] = validators.extend  # its stub leaves parameters untyped

DIALECTS: dict[str, Any] = {
    "3.0": _extend(
        Draft4Validator,
        {
            **{name: _unless_null(Draft4Validator.VALIDATORS[name]) for name in _NULLABLE},
            "required": _required,
        },
    ),
    "3.1": _extend(Draft202012Validator, {"required": _required}),
}
"""Version of OpenAPI to its validator."""
