"""The operations that take a body, each with good ones: what is wrong with bodies is held on all."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject

from .accounts import PASSWORD, account
from .clubs import (
    club_body,
    club_facilities_path,
    club_path,
    facility_body,
    facility_path,
)
from .scenes import Scene, new_scene, reservation_path
from .seed import email_of
from .service import ACCOUNTS, CLUBS, JSON, LOG_IN, RESERVATIONS, ask
from .tokens import Caller


class Writing(NamedTuple):
    """An operation, and what a caller sends who may do it."""

    operation: str
    method: str
    target: str
    caller: Caller | None
    body: Callable[[], dict[str, object]]
    """A good body, each time another where the operation can be done once with it."""
    status: int
    """Of its success."""

    def send(
        self, subject: Subject, body: bytes, *fields: tuple[str, str], caller: Caller | None = None
    ) -> Answer:
        """Send these bytes, as JSON where no fields are given."""
        sent = fields or (JSON,)
        return ask(subject, self.method, self.target, caller or self.caller, *sent, body=body)


def writings(subject: Subject) -> tuple[Writing, ...]:
    """All of them, on rows of their own."""
    scene = new_scene(subject)
    club, facility = club_path(scene.club), facility_path(scene.facility)
    rated = scene.rated(scene.reserved()["id"], 1)["reservation_id"]
    known = {"email": email_of(1), "password": PASSWORD}
    added = club_facilities_path(scene.club)
    return (
        Writing("sign-up", "POST", ACCOUNTS, None, account, 201),
        Writing("log-in", "POST", LOG_IN, None, lambda: dict(known), 200),
        Writing("create-club", "POST", CLUBS, scene.owner, club_body, 201),
        Writing("replace-club", "PUT", club, scene.owner, club_body, 200),
        Writing("add-facility", "POST", added, scene.owner, facility_body, 201),
        Writing("replace-facility", "PUT", facility, scene.owner, facility_body, 200),
        Writing("reserve", "POST", RESERVATIONS, scene.player, partial(_reservation, scene), 201),
        Writing("rate", "PUT", f"{reservation_path(rated)}/rating", scene.player, _rating, 200),
    )


def _reservation(scene: Scene) -> dict[str, object]:
    return {"facility_id": scene.facility, "starts_at": scene.slot(), "slots": 1}


def _rating() -> dict[str, object]:
    return {"stars": 4, "comment": "Good"}
