"""What the operations ask of the database. Each method raises Problem."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from users.coins import Debit, Grant
from users.models import Account, RichCustomer, User, Vehicle, Wallet
from users.user import NewUser


class Granted(NamedTuple):
    """The answer to a grant, and whether it was given before."""

    status: int
    content: str
    is_replayed: bool


class UserStore(Protocol):
    """The users."""

    async def insert(self, user: NewUser, password_hash: str) -> User:
        """Make a user with a vehicle."""

    async def account(self, email: str) -> Account | None:
        """Return the account of an address, if there is one."""

    async def list(self) -> Sequence[User]:
        """Return all of them."""

    async def get(self, user: int) -> User:
        """Return one of them."""

    async def set_status(self, user: int, status: int) -> User:
        """Change whether one may log in."""

    async def payment_method(self, user: int) -> int:
        """Return how one pays."""

    async def set_payment_method(self, user: int, method: int) -> None:
        """Change it."""


class VehicleStore(Protocol):
    """The vehicles."""

    async def list(self, user: int) -> Sequence[Vehicle]:
        """Return those of a user."""

    async def put(self, user: int, vehicle: Vehicle) -> bool:
        """Add or change one of a user; return whether it is new."""


class CoinStore(Protocol):
    """The wallets."""

    async def richest(self) -> Sequence[RichCustomer]:
        """Return the customers who have most."""

    async def wallet(self, user: int) -> Wallet:
        """Return the wallet of a user."""

    async def grant(self, grant: Grant, key: str, manager: int, content: str) -> Granted:
        """Give coins for a key, once; the content is the answer that is kept for it."""

    async def debit(self, debit: Debit) -> int:
        """Take coins for a reference, once; return how many were taken for it."""


class Health(Protocol):
    """The database itself."""

    async def ask(self) -> None:
        """Make sure that it answers."""


@dataclass(frozen=True)
class Stores:
    """All of them."""

    users: UserStore
    vehicles: VehicleStore
    coins: CoinStore
    health: Health
