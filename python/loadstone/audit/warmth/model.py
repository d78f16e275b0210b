"""Whether the windows of an arm under a workload were warm, as far as their seconds tell."""

from typing import Literal

Warmth = Literal["level", "still warming", "not judged"]
