"""What a grant and a debit have to be, and how a wallet is shown."""

from hashlib import sha256
from typing import NamedTuple

from users.ids import LARGEST
from users.instants import shown
from users.members import Members, characters, length_fault, visible
from users.models import Event, RichCustomer, Wallet
from users.problem import Kind, Problem
from users.user import full_name

_MOST_COINS = 1_000_000


class Grant(NamedTuple):
    """What a manager asks for."""

    users: list[int]
    amount: int
    reason: str

    def digest(self) -> bytes:
        """Return what tells one request from another."""
        users = ",".join(map(str, self.users))
        return sha256(f"{self.amount}|{users}|{self.reason}".encode()).digest()


class Debit(NamedTuple):
    """What another service asks for."""

    user: int
    reference: str
    most_coins: int


def grant(value: object) -> Grant:
    """Return what is in the body of grant-coins. Raises Problem."""
    members = Members(value)
    users = members.numbers("userIds", _fault_of_users)
    amount = members.number("amount", -_MOST_COINS, _MOST_COINS, besides=0)
    reason = members.text("reason", characters(1, 200))
    members.refuse_faults()
    return Grant(users, amount, reason)


def debit(value: object) -> Debit:
    """Return what is in the body of debit. Raises Problem."""
    members = Members(value)
    user = members.number("userId", 1, LARGEST)
    reference = members.text("reference", visible(1, 100))
    most_coins = members.number("maxCoins", 0, _MOST_COINS)
    members.refuse_faults()
    return Debit(user, reference, most_coins)


def check_balance(coins: int) -> None:
    """Raise Problem where a balance may not be so."""
    if not 0 <= coins < 2**31:
        raise Problem(Kind.COINS)


def shown_wallet(user: int, wallet: Wallet) -> dict[str, object]:
    """Return the members of a wallet in an answer."""
    events = [_shown_event(event) for event in wallet.events]
    return {"userId": user, "coins": wallet.coins, "events": events}


def shown_rich(customer: RichCustomer) -> dict[str, object]:
    """Return the members of one of the ten in an answer."""
    name = full_name(customer.first_name, customer.last_name)
    return {"name": name, "email": customer.email, "coins": customer.coins}


def _shown_event(event: Event) -> dict[str, object]:
    return {
        "id": event.id,
        "amount": event.amount,
        "reason": event.reason,
        "managerId": event.manager_id,
        "at": shown(event.at),
    }


def _fault_of_users(users: list[int]) -> str | None:
    code = length_fault(len(users), 1, 100)
    if code is not None:
        return code
    if not all(1 <= user <= LARGEST for user in users):
        return "range"
    return "duplicate" if len(set(users)) < len(users) else None
