"""Values of JSON that a member cannot have, whatever text or integer it is."""

from typing import Final

NO_TEXTS: Final[tuple[object, ...]] = (5, 1.5, 0, True, False, [], ["a"], {}, {"a": "b"})
NO_INTEGERS: Final[tuple[object, ...]] = (
    *("1", "", "1.0", 1.5, 0.5, -0.5, True, False, [], [1], {}, {"a": 1}),
)
