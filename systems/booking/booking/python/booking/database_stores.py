"""All stores over one database."""

from booking.account_store import DatabaseAccounts
from booking.club_store import DatabaseClubs
from booking.database import Database
from booking.facility_store import DatabaseFacilities
from booking.rating_store import DatabaseRatings
from booking.reservation_store import DatabaseReservations
from booking.store import Stores


def database_stores(database: Database) -> Stores:
    """Return the stores."""
    return Stores(
        accounts=DatabaseAccounts(database),
        clubs=DatabaseClubs(database),
        facilities=DatabaseFacilities(database),
        reservations=DatabaseReservations(database),
        ratings=DatabaseRatings(database),
        health=database,
    )
