"""What answers of success hold: their members in order, and what each of them is."""

import re
from typing import Final

from .instants import is_shown
from .objects import Shape, Test, expect_shape

ROLES: Final = ("SUPERVISOR", "CUSTOMER", "CUSTOMER_MANAGER", "PARK_MANAGER")
"""Of users, in the order of their numbers."""
DEVICE: Final = "DEVICE"
"""The fifth role of a token, which no user has."""
VEHICLE_TYPES: Final = ("AUTOMOBILE", "MOTORCYCLE")
ENERGY_SOURCES: Final = ("FUEL", "GPL", "ELECTRIC", "PLUG_IN_HYBRID")
PAYMENT_METHODS: Final = ("CREDIT", "DEBIT", "PAYPAL", "NOT_DEFINED")
STATUSES: Final = ("ENABLED", "DISABLED", "BLOCKED")

MOST_COINS: Final = 2_147_483_647
_MOST_VEHICLES = 3
_PLATE = re.compile(r"L[A-Z]-[0-9]{5}")


def is_integer(value: object) -> bool:
    """Whether it is a number without a fraction; a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_id(value: object) -> bool:
    """Whether it is an id."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def is_text(value: object) -> bool:
    """Whether it is a text that is not empty."""
    return isinstance(value, str) and value != ""


def one_of(texts: tuple[str, ...]) -> Test:
    """Whether it is one of these."""
    return lambda value: isinstance(value, str) and value in texts


def _is_plate(value: object) -> bool:
    return isinstance(value, str) and _PLATE.fullmatch(value) is not None


def _is_nif(value: object) -> bool:
    return isinstance(value, int) and is_integer(value) and 100_000_000 <= value <= 999_999_999


def _is_balance(value: object) -> bool:
    return isinstance(value, int) and is_integer(value) and 0 <= value <= MOST_COINS


def _is_empty(value: object) -> bool:
    return value == [] and isinstance(value, list)


def _is_id_or_none(value: object) -> bool:
    return value is None or is_id(value)


VEHICLE: Final[Shape] = {
    "licensePlateNumber": _is_plate,
    "vehicleType": one_of(VEHICLE_TYPES),
    "vehicleEnergySource": one_of(ENERGY_SOURCES),
}


def _are_vehicles(value: object) -> bool:
    """Whether it is an array of at most three, each whole, by plate."""
    if not isinstance(value, list) or len(value) > _MOST_VEHICLES:
        return False
    plates = [expect_shape(each, VEHICLE, "a vehicle")["licensePlateNumber"] for each in value]
    return plates == sorted(set(plates))


USER: Final[Shape] = {
    "id": is_id,
    "firstName": is_text,
    "lastName": is_text,
    "email": is_text,
    "nif": _is_nif,
    "parkingHistory": _is_empty,
    "totalParkies": _is_balance,
    "vehicles": _are_vehicles,
    "role": one_of(ROLES),
    "paymentMethod": one_of(PAYMENT_METHODS),
    "userStatus": one_of(STATUSES),
}
LOGIN: Final[Shape] = {"token": is_text, "name": is_text, "expiresAt": is_shown}
RICH: Final[Shape] = {"name": is_text, "email": is_text, "coins": _is_balance}
"""An item of `top-coins`."""
EVENT: Final[Shape] = {
    "id": is_id,
    "amount": is_integer,
    "reason": is_text,
    "managerId": _is_id_or_none,
    "at": is_shown,
}


def _are_events(value: object) -> bool:
    """Whether it is an array, each of them whole."""
    if not isinstance(value, list):
        return False
    return [expect_shape(each, EVENT, "an event") for each in value] == value


WALLET: Final[Shape] = {"userId": is_id, "coins": _is_balance, "events": _are_events}
GRANTED: Final[Shape] = {"granted": is_id}
TAKEN: Final[Shape] = {"coins": _is_balance}
"""What `debit` answers."""
PAYMENT_METHOD: Final[Shape] = {"paymentMethod": one_of(PAYMENT_METHODS)}
HEALTH: Final[Shape] = {"status": one_of(("up",))}
