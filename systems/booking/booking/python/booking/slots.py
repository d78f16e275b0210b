"""The slots of a facility on a day, and which of them are available."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from booking.instants import midnight, shown
from booking.models import Facility

Time = tuple[datetime, datetime]
"""From an instant up to another one."""


def shown_slots(facility: Facility, day: date, taken: Sequence[Time]) -> dict[str, object]:
    """Return the answer to list-slots, with the times of reservations that are in the way."""
    return {
        "date": day.isoformat(),
        "slots": [
            {
                "starts_at": shown(starts_at),
                "ends_at": shown(ends_at),
                "available": facility.retired_at is None
                and not any(start < ends_at and starts_at < end for start, end in taken),
            }
            for starts_at, ends_at in _times(facility, day)
        ],
    }


def _times(facility: Facility, day: date) -> list[Time]:
    start, minutes = midnight(day), facility.slot_minutes
    begins = range(facility.opens, facility.closes - minutes + 1, minutes)
    return [
        (start + timedelta(minutes=begin), start + timedelta(minutes=begin + minutes))
        for begin in begins
    ]
