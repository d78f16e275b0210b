"""The operations that take a body, each with good ones: what is wrong with bodies is held on all."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject

from .objects import JSON
from .users_accounts import PASSWORD, SEED_EMAILS, account
from .users_coins import KEY, debit_body, grant_body, new_key, new_reference
from .users_service import (
    COINS,
    DEBITS,
    ILO,
    INTERNAL,
    LOGIN,
    MANAGER,
    SUPERVISOR,
    USERS,
    ask,
    identity,
    user_path,
)
from .users_vehicles import plate_path, vehicle_body

PIECE_BYTES: Final = 4 << 10

Fields = list[tuple[str, str]]


class Writing(NamedTuple):
    """An operation, and what a caller sends who may do it."""

    operation: str
    method: str
    target: str
    body: Callable[[], dict[str, object]]
    """A good body, each time another where the operation can be done once with it."""
    status: int
    """Of its success."""
    own: Callable[[], Fields]
    """Who asks, and by which key."""

    def send(self, subject: Subject, body: bytes, *fields: tuple[str, str]) -> Answer:
        """Send these bytes, as JSON where no fields are given."""
        sent = [*self.own(), *(fields or (JSON,))]
        return ask(subject, self.method, self.target, None, *sent, body=body)

    def send_pieces(
        self, subject: Subject, body: bytes, *, is_chunked: bool, piece_bytes: int = PIECE_BYTES
    ) -> Answer:
        """Send these bytes in pieces of a size, in chunks or with their length."""
        with subject.connect() as connection:
            call = connection.begin(
                self.target,
                [*self.own(), JSON],
                method=self.method,
                length=None if is_chunked else len(body),
            )
            # An answer may be there before all is sent, and the connection be closed behind it.
            with suppress(ConnectionError):
                for at in range(0, len(body), piece_bytes):
                    call.send_piece(body[at : at + piece_bytes])
                call.end()
            return call.receive_answer()


def _nobody() -> Fields:
    return []


def _login() -> dict[str, object]:
    return {"email": SEED_EMAILS[ILO.id], "password": PASSWORD}


def _grant() -> dict[str, object]:
    return grant_body([ILO.id, 4], 2, "for a check")


def _debit() -> dict[str, object]:
    return debit_body(ILO.id, new_reference(), 1)


def _by_key() -> Fields:
    return [*identity(MANAGER), (KEY, new_key())]


CREATE: Final = Writing("create-user", "POST", USERS, account, 201, _nobody)
LOG_IN: Final = Writing("login", "POST", LOGIN, _login, 200, _nobody)
GRANT: Final = Writing("grant-coins", "POST", COINS, _grant, 201, _by_key)
SET_STATUS: Final = Writing(
    "set-status",
    "PUT",
    user_path(ILO.id, "/status"),
    lambda: {"userStatus": "ENABLED"},
    200,
    lambda: identity(SUPERVISOR),
)
PUT_VEHICLE: Final = Writing(
    "put-vehicle",
    "PUT",
    plate_path(ILO.id, "LA-00018"),
    vehicle_body,
    200,
    lambda: identity(ILO),
)
SET_PAYMENT: Final = Writing(
    "set-payment-method",
    "PUT",
    user_path(ILO.id, "/payment-method"),
    lambda: {"paymentMethod": "PAYPAL"},
    200,
    lambda: identity(ILO),
)
DEBIT: Final = Writing("debit", "POST", DEBITS, _debit, 200, lambda: [INTERNAL])

WRITINGS: Final = (CREATE, LOG_IN, GRANT, SET_STATUS, PUT_VEHICLE, SET_PAYMENT, DEBIT)
"""All of them, on rows of the seed that they leave as they were, coins apart."""
FREE: Final = (GRANT, SET_STATUS, PUT_VEHICLE, SET_PAYMENT, DEBIT)
"""Those whose success costs no hash."""
