"""What a rating has to be, and how it is shown."""

from typing import NamedTuple

from booking.instants import shown
from booking.members import Members, length
from booking.models import Rating


class NewRating(NamedTuple):
    """A rating that is asked for."""

    stars: int
    comment: str


def new_rating(value: object) -> NewRating:
    """Return the rating in a body. Raises Problem."""
    members = Members(value)
    rating = NewRating(
        stars=members.number("stars", 1, 5),
        comment=members.text("comment", length(0, 500), ""),
    )
    members.refuse_faults()
    return rating


def shown_rating(rating: Rating) -> dict[str, object]:
    """Return the members of a rating in an answer."""
    return {
        "reservation_id": rating.reservation_id,
        "facility_id": rating.facility_id,
        "stars": rating.stars,
        "comment": rating.comment,
        "created_at": shown(rating.created_at),
    }
