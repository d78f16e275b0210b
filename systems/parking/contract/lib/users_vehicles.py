"""Vehicles: how one is put, and how they are looked at."""

from typing import Any

from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject

from .objects import list_of
from .shapes import VEHICLE
from .users_service import Caller, get, put, user_path


def plate_path(user: int, plate: str) -> str:
    """The path of a vehicle."""
    return user_path(user, f"/vehicles/{plate}")


def vehicle_body(kind: object = "AUTOMOBILE", energy: object = "FUEL") -> dict[str, object]:
    """A body of `put-vehicle`."""
    return {"vehicleType": kind, "vehicleEnergySource": energy}


def put_vehicle(
    subject: Subject,
    owner: Caller,
    plate: str,
    kind: object = "AUTOMOBILE",
    energy: object = "FUEL",
) -> Answer:
    """Ask for an own vehicle of this plate."""
    return put(subject, plate_path(owner.id, plate), owner, vehicle_body(kind, energy))


def vehicles(subject: Subject, owner: Caller) -> list[dict[str, Any]]:
    """The own vehicles. Raises AssertionError unless that is 200."""
    answer = get(subject, user_path(owner.id, "/vehicles"), owner)
    return list_of(answer, VEHICLE, f"the vehicles of {owner.id}")
