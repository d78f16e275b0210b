"""The slots of a day, as `list-slots` shows them."""

from typing import Any

from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

from .clubs import facility_path
from .instants import DAY, later
from .service import get
from .shapes import SLOT, expect_shape, value_of
from .tokens import Caller


def slot(starts_at: str, minutes: int, is_free: bool) -> dict[str, object]:
    """One of them."""
    return {"starts_at": starts_at, "ends_at": later(starts_at, minutes), "available": is_free}


def slots_of(
    subject: Subject, facility: int, reader: Caller, day: str = DAY
) -> list[dict[str, Any]]:
    """All of a day of a facility. Raises AssertionError where they are of another form."""
    what = f"the slots of {day}"
    value = value_of(get(subject, f"{facility_path(facility)}/slots?date={day}", reader), 200, what)
    is_right = isinstance(value, dict) and tuple(value) == ("date", "slots")
    if not is_right or not isinstance(value["slots"], list):
        raise AssertionError(f"{what} are {value!r:.120}")
    expect_equal(value["date"], day, f"date of {what}")
    return [expect_shape(each, SLOT, f"one of {what}") for each in value["slots"]]
