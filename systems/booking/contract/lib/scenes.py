"""What a check of reservations works on alone: a club of an own owner with a facility, and a player."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Final

from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject

from .accounts import new_owner, new_player
from .clubs import new_club, new_facility
from .instants import shown
from .service import RESERVATIONS, ask, get, post, put
from .shapes import RATING, RESERVATION, object_of
from .tokens import Caller

KEY: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"

_FIRST_DAY = datetime(2043, 1, 1, 6, tzinfo=UTC)
_SLOTS_A_DAY = 16


def reservation_path(reservation: int) -> str:
    """The path of a reservation."""
    return f"{RESERVATIONS}/{reservation}"


def reserve(
    subject: Subject,
    player: Caller,
    facility: int,
    starts_at: str,
    slots: int | None = None,
    key: str | None = None,
) -> Answer:
    """Ask for a reservation."""
    body: dict[str, object] = {"facility_id": facility, "starts_at": starts_at}
    if slots is not None:
        body["slots"] = slots
    fields = [] if key is None else [(KEY, key)]
    return post(subject, RESERVATIONS, player, body, *fields)


def decide(subject: Subject, caller: Caller, reservation: int, decision: str) -> Answer:
    """Ask to accept, reject or cancel, without a body."""
    return ask(subject, "POST", f"{reservation_path(reservation)}/{decision}", caller)


def rate(
    subject: Subject, player: Caller, reservation: int, stars: object, **members: object
) -> Answer:
    """Ask to rate."""
    body = {"stars": stars, **members}
    return put(subject, f"{reservation_path(reservation)}/rating", player, body)


@dataclass
class Scene:
    """The rows of one check; its facility is open from 06:00 to 22:00 by hours, if nothing is said."""

    subject: Subject
    owner: Caller
    player: Caller
    club: int
    facility: int
    price: int
    _numbers: Iterator[int] = field(default_factory=count)

    def slot(self) -> str:
        """The beginning of an hour that nothing has been in, each time another."""
        day, hour = divmod(next(self._numbers), _SLOTS_A_DAY)
        return shown(_FIRST_DAY + timedelta(days=day, hours=hour))

    def reserve(
        self,
        starts_at: str | None = None,
        slots: int | None = None,
        *,
        player: Caller | None = None,
        key: str | None = None,
    ) -> Answer:
        """Ask for a reservation of the facility, in a free slot if none is named."""
        when = starts_at or self.slot()
        return reserve(self.subject, player or self.player, self.facility, when, slots, key)

    def reserved(
        self,
        starts_at: str | None = None,
        slots: int | None = None,
        *,
        player: Caller | None = None,
    ) -> dict[str, Any]:
        """A reservation that is there. Raises AssertionError unless that is 201."""
        answer = self.reserve(starts_at, slots, player=player)
        return object_of(answer, 201, RESERVATION, "reserving")

    def decided(self, reservation: int, decision: str) -> dict[str, Any]:
        """A reservation that its owner or its player has decided. Raises AssertionError."""
        caller = self.player if decision == "cancel" else self.owner
        answer = decide(self.subject, caller, reservation, decision)
        return object_of(answer, 200, RESERVATION, f"to {decision} a reservation")

    def in_state(self, state: str) -> dict[str, Any]:
        """A new reservation that is in a state."""
        made = self.reserved()
        decision = {"accepted": "accept", "rejected": "reject", "cancelled": "cancel"}.get(state)
        return made if decision is None else self.decided(made["id"], decision)

    def rated(self, reservation: int, stars: int, comment: str = "") -> dict[str, Any]:
        """A first rating. Raises AssertionError unless that is 201."""
        answer = rate(self.subject, self.player, reservation, stars, comment=comment)
        return object_of(answer, 201, RATING, "rating")

    def now(self, reservation: int) -> dict[str, Any]:
        """A reservation as its owner sees it now."""
        answer = get(self.subject, reservation_path(reservation), self.owner)
        return object_of(answer, 200, RESERVATION, f"reservation {reservation}")


def new_scene(subject: Subject, **facility: object) -> Scene:
    """A scene of new rows; what is given are members of its facility."""
    owner, player = new_owner(subject), new_player(subject)
    club = new_club(subject, owner)["id"]
    made = new_facility(subject, owner, club, **facility)
    return Scene(subject, owner, player, club, made["id"], made["price_cents"])
