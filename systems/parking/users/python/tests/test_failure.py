import pytest

from users.failure import Again, ends_connection, failure
from users.problem import Kind


@pytest.mark.parametrize("state", ["53300", "55P03", "57014", "57P01", "57P05", "08006"])
def test_what_passes_is_no_fault_of_the_service(state: str) -> None:
    assert failure(state, None).kind is Kind.UNAVAILABLE


@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_a_rivalry_may_be_tried_once_more(state: str) -> None:
    assert isinstance(failure(state, None), Again)


@pytest.mark.parametrize(
    ("constraint", "kind"),
    [
        ("app_user_email_key", Kind.DUPLICATE_EMAIL),
        ("app_user_nif_key", Kind.DUPLICATE_NIF),
        ("vehicle_pkey", Kind.DUPLICATE_PLATE),
        ("coin_event_reference_key", Kind.IDEMPOTENCY_MISMATCH),
        ("another", Kind.INTERNAL),
        (None, Kind.INTERNAL),
    ],
)
def test_a_constraint_tells_what_a_row_was_refused_for(constraint: str | None, kind: Kind) -> None:
    assert failure("23505", constraint).kind is kind


def test_a_balance_has_its_range() -> None:
    assert failure("23514", "app_user_coins_check").kind is Kind.COINS
    assert failure("22003", None).kind is Kind.COINS


def test_a_connection_ends_by_its_class() -> None:
    assert ends_connection("57P01")
    assert ends_connection("08003")
    assert not ends_connection("57014")
