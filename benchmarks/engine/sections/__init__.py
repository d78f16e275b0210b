"""What is measured, one file each; every section runs alone."""

from collections.abc import Callable

from benchmarks.engine.judgement import Section
from benchmarks.engine.sections import (
    black_hole,
    freeze,
    memory,
    overload,
    punctuality,
    sessions,
    throughput,
    truth,
)
from benchmarks.engine.settings import Settings

SECTIONS: dict[str, Callable[[Settings], Section]] = {
    "throughput": throughput.run,
    "memory": memory.run,
    "punctuality": punctuality.run,
    "truth": truth.run,
    "freeze": freeze.run,
    "black_hole": black_hole.run,
    "overload": overload.run,
    "sessions": sessions.run,
}
