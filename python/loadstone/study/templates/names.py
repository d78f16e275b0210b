"""What the names of a group's templates stand for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from loadstone.errors import WrongValueError
from loadstone.study.templates.bounds import SESSION_NUMBER, TURN, USER_NUMBER, Interval
from loadstone.study.values.expressions import Counter
from loadstone.text.quoted import suggestion

COUNTERS: Mapping[Counter, Interval] = {
    "session_number": SESSION_NUMBER,
    "user_number": USER_NUMBER,
    "turn": TURN,
}
CONSTANTS = ("run_id", "group")
FUNCTIONS = ("random", "uuid", "now", "epoch_ms", "date", "day", "number", "base64", "path")
NO_SEED = "the system has no seed with constants"
RESERVED = (*COUNTERS, *CONSTANTS, "now", "seed", "env")
"""No value can be called so; a function's name is told from a value's by its brackets."""


@dataclass(frozen=True)
class Column:
    """A column of a file."""

    file: str
    is_number: bool
    """In every row that is taken."""


@dataclass(frozen=True)
class Whole:
    """A whole number: of a feed of numbers, or of a let."""

    interval: Interval


@dataclass(frozen=True)
class Words:
    """A let that is a text."""

    is_number: bool
    may_be_empty: bool


@dataclass(frozen=True)
class Captured:
    """What an answer is to tell."""


Known = Column | Whole | Words | Captured


@dataclass
class Names:
    """What is known in a group, and what the words of its templates can be."""

    group: str
    has_users: bool
    seed: Mapping[str, int | str] | None
    """Constants of the system's seed; none where it has none."""
    no_seed: str = NO_SEED
    """Why not."""
    values: dict[str, Known] = field(default_factory=dict)
    """By name."""
    feeds: set[str] = field(default_factory=set)
    """Names of the group's feeds."""
    lets: set[str] = field(default_factory=set)
    """Names of its lets."""

    def taken_by(self, name: str) -> str | None:
        """Why a further value cannot be called so; none where it can."""
        if name in RESERVED:
            return f"{name} is a word of templates"
        if name in self.lets:
            return f"{name} is also the name of a let"
        return f"{name} is also the name of a feed" if name in self.feeds else None

    def value(self, word: str) -> Known:
        """What a word stands for. Raises WrongValueError for an unknown one."""
        if word not in self.values:
            raise WrongValueError(
                f"{word} is not known here", suggestion(word, [*self.values, *self.words()])
            )
        return self.values[word]

    def words(self) -> Iterable[str]:
        """Every word that is no value."""
        yield from COUNTERS
        yield from CONSTANTS
        yield from (f"seed.{name}" for name in self.seed or ())
        yield from (f"{name}()" for name in FUNCTIONS)

    def seed_value(self, word: str) -> int | str:
        """A constant of the seed, `seed.X`. Raises WrongValueError."""
        if self.seed is None:
            raise WrongValueError(
                f"{word} is not known here: {self.no_seed}",
                "write its constants into seed/<size>/seed.yaml of the system, and the size that is "
                "meant as `seed` into the workload where there are several",
            )
        name = word.removeprefix("seed.")
        if name not in self.seed:
            raise WrongValueError(f"{word} is not known here", suggestion(name, [*self.seed]))
        return self.seed[name]
