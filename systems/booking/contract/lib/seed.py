"""The small seed by the rules that the SPEC has under Data."""

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final, NamedTuple

from .instants import shown

OWNERS: Final = 10
CLUBS: Final = 20
FACILITIES: Final = 100
PLAYERS: Final = 1000
RESERVATIONS: Final = 9600
OPENS_HOUR: Final = 6
HOURS_A_DAY: Final = 16

_DAYS = 60
_FIRST_DAY = datetime(2040, 3, 1, tzinfo=UTC)
_STEP = 48_271
_PLAYER_STEP = 7_919
_STATUSES = (*("accepted",) * 6, *("pending",) * 2, "rejected", "cancelled")
_RATED = 5


class Seeded(NamedTuple):
    """A reservation of the seed."""

    id: int
    facility: int
    player: int
    starts_at: str
    status: str
    stars: int | None

    @property
    def is_live(self) -> bool:
        """Whether nothing else can be in its time."""
        return self.status in ("pending", "accepted")


def email_of(account: int) -> str:
    """The address of an account."""
    if account <= OWNERS:
        return f"owner-{account}@booking.example"
    return f"player-{account - OWNERS}@booking.example"


def owner_of_club(club: int) -> int:
    """The account that a club is of."""
    return 1 + (club - 1) % OWNERS


def club_of(facility: int) -> int:
    """The club that a facility is of."""
    return 1 + (facility - 1) % CLUBS


def price_of(facility: int) -> int:
    """In cents, for one slot."""
    return 1000 + 250 * ((facility - 1) % 9)


def player(number: int) -> int:
    """The account of a player, numbered from 1."""
    return OWNERS + number


@cache
def reservations() -> tuple[Seeded, ...]:
    """All of them by id."""
    return tuple(_reservation(number) for number in range(1, RESERVATIONS + 1))


def free_facilities(instant: str) -> list[int]:
    """Those in which no reservation that lives begins at an hour that all are open at."""
    taken = {each.facility for each in reservations() if each.is_live and each.starts_at == instant}
    return [number for number in range(1, FACILITIES + 1) if number not in taken]


def _reservation(number: int) -> Seeded:
    place = _STEP * number % (_DAYS * HOURS_A_DAY * FACILITIES)
    time, facility = divmod(place, FACILITIES)
    day, hour = divmod(time, HOURS_A_DAY)
    starts_at = _FIRST_DAY + timedelta(days=day, hours=OPENS_HOUR + hour)
    return Seeded(
        number,
        1 + facility,
        player(1 + _PLAYER_STEP * number % PLAYERS),
        shown(starts_at),
        _STATUSES[number % 10],
        1 + number // 10 % 5 if number % 10 < _RATED else None,
    )
