"""Values that fit a schema: those that its document gives, else made of it, the same each time.

An example, a default or the first of an `enum` is taken before anything is made. Of an object come the
required members, and those whose values the document gives. What cannot be made says why.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loadstone.describe.made_scalars import made_number, made_text
from loadstone.describe.model import CannotMake
from loadstone.openapi.document import Document, Located, ReferenceNotTaken, Tokens, reference_of

MOST_MADE = 2_000
"""Values of one request: a body that is larger is made by hand."""
MOST_ENTRIES = 100
"""Of an array that asks for so many."""
MOST_LEVELS = 20
"""As deep as a step may be written."""

_NOTHING = object()


@dataclass
class ValueMaker:
    """Makes the values of one request."""

    document: Document
    has_invented: bool = False
    """Whether a value was made that the document does not give."""
    _left: int = MOST_MADE
    _open: list[Tokens] = field(default_factory=list)
    """The schemas that are being made, the outer ones first."""

    def of_media(self, found: Located) -> Any:
        """The value of a parameter or a body, which may have its own examples. Raises CannotMake."""
        given = self._example(found)
        return given if given is not _NOTHING else self.of_schema(found.below("schema"))

    def of_schema(self, found: Located) -> Any:
        """A value that fits a schema. Raises CannotMake."""
        self._take()
        found = self._followed(found)
        if found.at in self._open or len(self._open) > MOST_LEVELS:
            raise CannotMake(f"its schema requires itself ({reference_of(found.at)})")
        if (given := _given(found.mapping)) is not _NOTHING:
            return given
        self._open.append(found.at)
        try:
            return self._made(found)
        finally:
            self._open.pop()

    def _made(self, found: Located) -> Any:
        whole = self._whole(found)
        for key in ("oneOf", "anyOf"):
            if whole.lists.get(key):
                return self._alternative(whole, whole.lists[key])
        return self._of_type(found, whole)

    def _of_type(self, found: Located, whole: "_Whole") -> Any:
        kind = whole.kind
        if kind == "object":
            return self._object(whole)
        if kind == "array":
            return self._array(whole)
        if (given := _given(whole.keys)) is not _NOTHING:
            return given
        self.has_invented = True
        match kind:
            case "string":
                return made_text(whole.keys)
            case "integer" | "number":
                return made_number(whole.keys, is_whole=kind == "integer")
            case "boolean":
                return True
            case "null":
                return None
        raise CannotMake(f"its type is not known ({reference_of(found.at)})")

    def _alternative(self, whole: "_Whole", alternatives: Sequence[Located]) -> Any:
        """The first alternative that can be made, with what stands beside it."""
        reasons: list[str] = []
        beside = self._object(whole) if whole.properties else {}
        for alternative in alternatives:
            try:
                value = self.of_schema(alternative)
            except CannotMake as error:
                reasons.append(error.message)
                continue
            return {**beside, **value} if isinstance(value, dict) else value
        raise CannotMake(f"none of its alternatives can be made: {reasons[0]}")

    def _object(self, whole: "_Whole") -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, property_ in whole.properties.items():
            is_required = name in whole.required
            try:
                its = self._followed(property_)
            except CannotMake:
                if is_required:
                    raise
                continue
            if its.mapping.get("readOnly") is True:
                continue
            if is_required:
                made[name] = self.of_schema(its)
            elif (given := _given(its.mapping)) is not _NOTHING:
                made[name] = given
        for name in whole.required:
            if name not in whole.properties:
                self.has_invented = True
                made[name] = made_text({})
        least = whole.keys.get("minProperties")
        if isinstance(least, int) and len(made) < least:
            raise CannotMake(f"it needs {least} members, and requires {len(made)}")
        return made

    def _array(self, whole: "_Whole") -> list[Any]:
        least, most = whole.keys.get("minItems", 0), whole.keys.get("maxItems")
        if not isinstance(least, int) or least > MOST_ENTRIES:
            raise CannotMake(f"it needs {least} entries")
        if whole.items is None or most == 0:
            return []
        if least == 0:
            try:
                return [self.of_schema(whole.items)]
            except CannotMake:
                return []
        entries = [self.of_schema(whole.items) for _ in range(least)]
        if whole.keys.get("uniqueItems") is True and least > 1:
            entries = self._distinct(whole.items, least)
        return entries

    def _distinct(self, items: Located, count: int) -> list[Any]:
        known = self._followed(items).mapping.get("enum")
        if isinstance(known, list) and len(known) >= count:
            return known[:count]
        raise CannotMake(f"it needs {count} entries that differ")

    def _example(self, found: Located) -> Any:
        """An example of a parameter or of a media type, which stands beside its schema."""
        if "example" in found.mapping:
            return found.mapping["example"]
        examples = found.below("examples")
        for name in examples.mapping:
            try:
                example = self.document.follow(examples.below(name))
            except ReferenceNotTaken:
                continue
            if "value" in example.mapping:
                return example.mapping["value"]
        return _NOTHING

    def _followed(self, found: Located) -> Located:
        try:
            return self.document.follow(found)
        except ReferenceNotTaken as error:
            raise CannotMake(error.message) from error

    def _whole(self, found: Located) -> "_Whole":
        """A schema with all that its `allOf` adds."""
        whole = _Whole()
        seen: set[Tokens] = set()
        pending = [found]
        while pending:
            part = self._followed(pending.pop(0))
            if part.at in seen:
                continue
            seen.add(part.at)
            self._take()
            whole.add(part)
            pending[:0] = part.below("allOf").entries
        return whole

    def _take(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise CannotMake(f"it needs more than {MOST_MADE} values")


@dataclass
class _Whole:
    """The keywords of a schema and of its `allOf`, the outer ones first."""

    keys: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Located] = field(default_factory=dict)
    required: dict[str, None] = field(default_factory=dict)
    """Names, each once."""
    lists: dict[str, Sequence[Located]] = field(default_factory=dict)
    items: Located | None = None

    def add(self, part: Located) -> None:
        """Add the keywords of a part that are not known yet."""
        for key, value in part.mapping.items():
            self.keys.setdefault(key, value)
        for name in part.below("properties").mapping:
            self.properties.setdefault(name, part.below("properties", name))
        required = part.mapping.get("required")
        if isinstance(required, list):
            self.required |= dict.fromkeys(each for each in required if isinstance(each, str))
        for key in ("oneOf", "anyOf"):
            if entries := part.below(key).entries:
                self.lists.setdefault(key, entries)
        if self.items is None and isinstance(part.mapping.get("items"), dict):
            self.items = part.below("items")

    @property
    def kind(self) -> str:
        """The type: the first that is not null, or what the other keywords are about."""
        typed = self.keys.get("type")
        kinds = [each for each in typed if each != "null"] if isinstance(typed, list) else [typed]
        if kinds and isinstance(kinds[0], str):
            return kinds[0]
        if isinstance(typed, list) and typed:
            return "null"
        return next((kind for kind, keys in _ABOUT.items() if keys & self.keys.keys()), "string")


_ABOUT = {
    "object": {"properties", "required", "additionalProperties", "minProperties"},
    "array": {"items", "minItems", "maxItems"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
}
"""Types to the keywords that are about them alone."""


def _given(schema: Mapping[str, Any]) -> Any:
    """What a schema gives as a value; else nothing."""
    for key in ("const", "example"):
        if key in schema:
            return schema[key]
    examples = schema.get("examples")
    if isinstance(examples, list) and examples:
        return examples[0]
    if "default" in schema:
        return schema["default"]
    enum = schema.get("enum")
    if isinstance(enum, list) and enum:
        return next((each for each in enum if each is not None), None)
    return _NOTHING
