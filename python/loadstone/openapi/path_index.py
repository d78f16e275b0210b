"""Which operation of a document a request is of: by its method and its path."""

import re
from collections.abc import Iterable

from loadstone.openapi.operations import Operation

_PARAMETER = re.compile(r"\{[^{}]*\}")
_TEMPLATE = re.compile(r"\{\{.*?\}\}")
"""What a workload fills in."""


class PathIndex:
    """The operations of a document by method and path."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        found = sorted(operations, key=lambda each: len(_PARAMETER.findall(each.path)))
        # Those without parameters first: they win over those with (OpenAPI 3.1, section 4.8.8.2).
        self._patterns = [
            (each.method, re.compile(_pattern(each.base_path + each.path)), each) for each in found
        ]

    def find(self, method: str, target: str) -> Operation | None:
        """The operation of a request; what is filled into its path stands for any one segment."""
        path = _TEMPLATE.sub("x", target).partition("?")[0]
        for its_method, pattern, operation in self._patterns:
            if its_method == method and pattern.fullmatch(path):
                return operation
        return None


def _pattern(template: str) -> str:
    literals = _PARAMETER.split(template)
    return "[^/]+".join(map(re.escape, literals))
