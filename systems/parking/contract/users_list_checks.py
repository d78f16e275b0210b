"""U10, U11, U20 and U37: who sees whom, and in what order."""

from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.database import by_kind, hand_of, work_now
from .lib.objects import expect_status, list_of, object_of, value_of
from .lib.problems import expect_problem
from .lib.shapes import RICH, STATUSES, USER
from .lib.users_accounts import new_plate
from .lib.users_operations import renew
from .lib.users_rows import put_customer, put_customers, put_vehicle_row, set_coins
from .lib.users_service import (
    BRAM,
    ILO,
    MANAGER,
    MANY_SECONDS,
    NOBODY,
    PARK_MANAGER,
    SEFA,
    SERVICE,
    STARTS_SECONDS,
    SUPERVISOR,
    TOP,
    USERS,
    Caller,
    device,
    get,
    get_user,
    list_users,
    set_status,
)
from .lib.users_vehicles import put_vehicle

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

SEED = Path(__file__).parents[1] / "seed" / "users.json"
SEED_BYTES = 2140
SEED_DIGEST = "59c3380b5ea09b3343817309084c5a2aa55eb4fefa5f9690e243f1322da5953d"
ALLOWED = (SUPERVISOR, MANAGER, Caller(NOBODY, "SUPERVISOR"), BRAM.has("CUSTOMER_MANAGER"))
"""The role is that of the request: nobody is looked up for it."""
REFUSED = (BRAM, PARK_MANAGER, SUPERVISOR.has("CUSTOMER"), device(1))
LISTS, ROWS = 100, 9
MOST_RICH = 10


@with_stand("U10", "list-users is the bytes of the seed")
def seeded(subject: Subject) -> None:
    renew(subject)
    wanted = SEED.read_bytes()
    for caller in ALLOWED:
        answer = list_users(subject, caller)
        value_of(answer, 200, "list-users")
        expect_equal(answer.body, wanted, "list-users on the seed")
    expect_equal(len(answer.body), SEED_BYTES, "its size in bytes")
    expect_equal(sha256(answer.body).hexdigest(), SEED_DIGEST, "its SHA-256")


@check("U10", "list-users and top-coins are for two roles alone")
def roles(subject: Subject) -> None:
    for path in (USERS, TOP):
        for caller in ALLOWED:
            expect_status(get(subject, path, caller), 200, f"GET {path} as {caller.role}")
        for caller in REFUSED:
            answer = get(subject, path, caller)
            expect_problem(answer, "forbidden", f"of GET {path} as {caller.role}")


@with_stand("U10", "users are by id, and their vehicles by plate")
def in_order(subject: Subject) -> None:
    customers = [put_customer(subject) for _ in range(3)]
    # Rows that were written in another order than that of the answer.
    for plate in ("LZ-90003", "LZ-90001", "LZ-90002"):
        put_vehicle_row(subject, customers[0].id, plate)
    hand = hand_of(subject)
    hand.execute("UPDATE app_user SET coins = 5 WHERE id = %s", (customers[1].id,))
    try:
        found = list_of(list_users(subject), USER, "list-users")
    finally:
        hand.execute("DELETE FROM vehicle WHERE plate LIKE 'LZ-9000_'")
    ids = [each["id"] for each in found]
    expect_equal(ids, sorted(set(ids)), "the ids of list-users")
    last = {each["id"]: each for each in found[-3:]}
    expect_equal(list(last), [each.id for each in customers], "the last ids")
    plates = [each["licensePlateNumber"] for each in last[customers[0].id]["vehicles"]]
    expect_equal(plates, ["LZ-90001", "LZ-90002", "LZ-90003"], "the plates of one user")
    expect_equal(last[customers[1].id]["totalParkies"], 5, "the coins of another")
    expect_equal(last[customers[2].id]["vehicles"], [], "the vehicles of one without")


@check("U11", "list-users shows a vehicle that was put just before, and what became of it")
def fresh(subject: Subject) -> None:
    plate = "LA-00015"
    for energy in ("ELECTRIC", "GPL", "FUEL"):
        expect_status(put_vehicle(subject, SEFA, plate, "AUTOMOBILE", energy), 200, "a vehicle")
        found = {each["id"]: each for each in list_of(list_users(subject), USER, "list-users")}
        shown = {
            each["licensePlateNumber"]: each["vehicleEnergySource"]
            for each in found[SEFA.id]["vehicles"]
        }
        expect_equal(shown.get(plate), energy, f"what {plate} needs by list-users")


@with_stand("U11", "a new vehicle is in the next list, and a new balance")
def new_vehicle(subject: Subject) -> None:
    owner = put_customer(subject)
    for number in range(3):
        plate = new_plate()
        list_users(subject)
        expect_status(put_vehicle(subject, owner, plate), 201, "a vehicle")
        set_coins(subject, owner.id, number)
        found = {each["id"]: each for each in list_of(list_users(subject), USER, "list-users")}
        plates = [each["licensePlateNumber"] for each in found[owner.id]["vehicles"]]
        expect(plate in plates, f"{plate} is not among {plates}")
        expect_equal(found[owner.id]["totalParkies"], number, "the coins")


@with_stand("U11", "100 lists are 100 statements of 9 rows, and no other")
def statements(subject: Subject) -> None:
    renew(subject)
    before = work_now(subject)
    for _ in range(LISTS):
        expect_status(list_users(subject), 200, "list-users")
    work = work_now(subject).minus(before)
    wanted = {"select": LISTS, "insert": 0, "update": 0, "delete": 0, "other_commands": 0}
    expect_equal(by_kind(work), wanted, f"the statements of {LISTS} lists")
    expect_equal(work.rows_sent, LISTS * ROWS, f"the rows of {LISTS} lists")
    expect_equal(work.connections, 0, f"the connections that were made for {LISTS} lists")


@with_stand("U20", "top-coins are ten customers by coins, then by id")
def top_coins(subject: Subject) -> None:
    coins = (70, 5, 70, 0, 1_000_000, 70, 12, 2_147_483_647, 11, 5, 13, 0)
    renew(subject)
    try:
        made = put_customers(subject, len(coins))
        for row, each in zip(made, coins, strict=True):
            set_coins(subject, row.id, each)
        hand_of(subject).execute("UPDATE app_user SET coins = 2000000 WHERE id <= 3")
        by_coins = sorted(zip(made, coins, strict=True), key=lambda each: (-each[1], each[0].id))
        wanted = [
            {"name": "Put There", "email": row.email, "coins": each} for row, each in by_coins
        ]
        for caller in (SUPERVISOR, MANAGER):
            found = list_of(get(subject, TOP, caller), RICH, "top-coins")
            expect_equal(found, wanted[:MOST_RICH], "top-coins")
        # Of equal ones the older are there: the customers of the seed, who have none.
        hand_of(subject).execute("UPDATE app_user SET coins = 0 WHERE role = 1")
        found = list_of(get(subject, TOP, SUPERVISOR), RICH, "top-coins of nothing")
        names = ["Bram Oakhollow", "Sefa Larkmoor", "Ilo Thistledown", *["Put There"] * 7]
        expect_equal([each["name"] for each in found], names, "top-coins of equal ones")
        emails = [each["email"] for each in found][3:]
        expect_equal(emails, [row.email for row in made[:7]], "top-coins of equal ones")
    finally:
        renew(subject)


@with_stand("U20", "top-coins of few customers are these, and of none it is []")
def few_rich(subject: Subject) -> None:
    renew(subject)
    try:
        found = list_of(get(subject, TOP, MANAGER), RICH, "top-coins")
        expect_equal(len(found), 3, "the number of customers")
        hand_of(subject).execute("UPDATE app_user SET role = 3 WHERE role = 1")
        answer = get(subject, TOP, MANAGER)
        expect_equal(value_of(answer, 200, "top-coins"), [], "top-coins without customers")
        expect_equal(answer.body, b"[]", "top-coins without customers")
    finally:
        renew(subject)


@check("U20", "top-coins are in order, whoever is there")
def rich_in_order(subject: Subject) -> None:
    found = list_of(get(subject, TOP, SUPERVISOR), RICH, "top-coins")
    expect(len(found) <= MOST_RICH, f"there are {len(found)} of them")
    is_sorted = all(one["coins"] >= other["coins"] for one, other in pairwise(found))
    expect(is_sorted, f"their coins are {[each['coins'] for each in found]}")


@check("U37", "get-user is for the user and both managers of users")
def one_user(subject: Subject) -> None:
    whole = {each["id"]: each for each in list_of(list_users(subject), USER, "list-users")}
    for user in (1, 2, 3, 4, 5, 6):
        for caller in (SUPERVISOR, MANAGER, Caller(user, "CUSTOMER"), device(user)):
            answer = get_user(subject, user, caller)
            found = value_of(answer, 200, f"user {user} as {caller.role}")
            expect_equal(found, whole[user], f"user {user} as {caller.role}")
    for caller in (BRAM, PARK_MANAGER, device(4)):
        answer = get_user(subject, SEFA.id, caller)
        expect_problem(answer, "forbidden", f"of another user as {caller.role}")


@check("U37", "set-status is for a SUPERVISOR alone, and is shown by all")
def statuses(subject: Subject) -> None:
    try:
        for status in (*STATUSES, *reversed(STATUSES)):
            answer = set_status(subject, ILO.id, status)
            wanted = object_of(answer, 200, USER, "set-status", id=ILO.id, userStatus=status)
            expect_equal(value_of(get_user(subject, ILO.id), 200, "the user"), wanted, "the user")
        for caller in (MANAGER, PARK_MANAGER, ILO, device(ILO.id)):
            answer = set_status(subject, ILO.id, "BLOCKED", caller)
            expect_problem(answer, "forbidden", f"of set-status as {caller.role}")
        object_of(get_user(subject, ILO.id), 200, USER, "the user", userStatus="ENABLED")
    finally:
        set_status(subject, ILO.id, "ENABLED")


@check("U37", "a user who is not there is 404 to managers")
def unknown_users(subject: Subject) -> None:
    for user in (NOBODY, 999_999_999, 2**31, 2**32 + 4):
        for caller in (SUPERVISOR, MANAGER):
            answer = get_user(subject, user, caller)
            expect_problem(answer, "not-found", f"of user {user}")
        answer = set_status(subject, user, "ENABLED")
        expect_problem(answer, "not-found", f"of the status of user {user}")
