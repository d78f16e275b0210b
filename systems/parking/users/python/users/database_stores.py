"""All stores over one database."""

from users.coin_store import DatabaseCoins
from users.database import Database
from users.store import Stores
from users.user_store import DatabaseUsers
from users.vehicle_store import DatabaseVehicles


def database_stores(database: Database) -> Stores:
    """Return the stores."""
    return Stores(
        users=DatabaseUsers(database),
        vehicles=DatabaseVehicles(database),
        coins=DatabaseCoins(database),
        health=database,
    )
