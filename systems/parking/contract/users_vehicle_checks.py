"""U14 and U15: own vehicles, three at most, and how their owner pays."""

from collections import Counter
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, patiently
from .lib.objects import expect_status, object_of
from .lib.problems import expect_invalid, expect_problem
from .lib.shapes import (
    ENERGY_SOURCES,
    PAYMENT_METHODS,
    USER,
    VEHICLE,
    VEHICLE_TYPES,
)
from .lib.shapes import PAYMENT_METHOD as METHOD
from .lib.users_accounts import new_customer, new_plate
from .lib.users_operations import warm
from .lib.users_rows import put_customer
from .lib.users_service import (
    BRAM,
    ILO,
    MANY_SECONDS,
    SEFA,
    SERVICE,
    STARTS_SECONDS,
    Caller,
    get,
    get_user,
    set_payment_method,
    user_path,
)
from .lib.users_vehicles import put_vehicle, vehicles

check = partial(declare.check, service=SERVICE, operation="put-vehicle", seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)
of_payment = partial(declare.check, service=SERVICE, operation="set-payment-method")

MANY = 10
MOST = 3
TIMES = 3


@check("U14", "a vehicle that is put is 201, and 200 when it is put again, as it then is")
def puts(subject: Subject) -> None:
    owner = new_customer(subject)
    plate = new_plate()
    status = 201
    for kind in VEHICLE_TYPES:
        for energy in ENERGY_SOURCES:
            answer = put_vehicle(subject, owner, plate, kind, energy)
            words = {"vehicleType": kind, "vehicleEnergySource": energy}
            found = object_of(
                answer, status, VEHICLE, "a vehicle", licensePlateNumber=plate, **words
            )
            expect_equal(answer.values("location"), (), "Location of a vehicle")
            there = {each["licensePlateNumber"]: each for each in vehicles(subject, owner)}
            expect_equal(there[plate], found, "the vehicle, read back")
            expect_equal(len(there), 2, "the number of vehicles")
            status = 200


@check("U14", "vehicles are by plate, of the seed and in get-user, too")
def in_order(subject: Subject) -> None:
    owner = new_customer(subject)
    first = vehicles(subject, owner)[0]["licensePlateNumber"]
    for plate in sorted([new_plate(), new_plate()], reverse=True):
        expect_status(put_vehicle(subject, owner, plate), 201, "a vehicle")
    found = vehicles(subject, owner)
    plates = [each["licensePlateNumber"] for each in found]
    expect_equal(plates, sorted(plates), "the plates")
    expect_equal((len(set(plates)), first in plates), (MOST, True), "how many, and the first")
    user = object_of(get_user(subject, owner.id), 200, USER, "the user")
    expect_equal(user["vehicles"], found, "the vehicles of get-user")
    plates = [each["licensePlateNumber"] for each in vehicles(subject, ILO)]
    expect_equal(plates, ["LA-00018", "LA-00019", "LA-00020"], "the plates of user 6")


@check("U14", "another's plate is 409, before the own ones are counted, and the fourth is 409")
def refused(subject: Subject) -> None:
    before = vehicles(subject, ILO), vehicles(subject, SEFA)
    # User 6 has three: another's plate is told first, then that they are enough.
    for plate in ("LA-00015", "LA-00003"):
        answer = put_vehicle(subject, ILO, plate, "MOTORCYCLE")
        expect_problem(answer, "duplicate-plate", f"of {plate}, which is another's,")
    answer = put_vehicle(subject, BRAM, "LA-00020", "MOTORCYCLE")
    expect_problem(answer, "duplicate-plate", "of LA-00020, which is another's,")
    for _ in range(2):
        answer = put_vehicle(subject, ILO, new_plate())
        expect_problem(answer, "vehicle-limit", "of a fourth vehicle")
    answer = put_vehicle(subject, ILO, "LA-00019")
    expect_status(answer, 200, "one of three that is put again")
    expect_equal((vehicles(subject, ILO), vehicles(subject, SEFA)), before, "what they have")


@check("U14", "of ten new plates at once two are 201 beside the first vehicle")
def ten_at_once(subject: Subject) -> None:
    owner = new_customer(subject)
    warm(subject, MANY)
    _expect_filled(subject, owner, MOST - 1)


@with_stand("U14", "of ten new plates at once three are 201, whoever has none")
def ten_at_once_of_none(subject: Subject) -> None:
    warm(subject, MANY)
    for _ in range(TIMES):
        _expect_filled(subject, put_customer(subject), MOST)


@with_stand("U14", "of several at once who put one new plate one is 201, and has it")
def one_plate(subject: Subject) -> None:
    warm(subject, MANY)
    for _ in range(TIMES):
        owners, plate = [put_customer(subject) for _ in range(MANY)], new_plate()
        calls = [
            partial(patiently, partial(put_vehicle, subject, owner, plate)) for owner in owners
        ]
        answers = at_once(calls)
        statuses = Counter(answer.status for answer in answers)
        expect_equal(dict(statuses), {201: 1, 409: MANY - 1}, "the statuses of one plate")
        for owner, answer in zip(owners, answers, strict=True):
            there = [each["licensePlateNumber"] for each in vehicles(subject, owner)]
            if answer.status == 409:
                expect_problem(answer, "duplicate-plate", "of a plate that was just taken")
            expect_equal(there, [plate] if answer.status == 201 else [], "the plates of each")


@with_stand("U14", "who puts one new plate several times at once has it once")
def own_plate(subject: Subject) -> None:
    warm(subject, MANY)
    owner, plate = put_customer(subject), new_plate()
    call = partial(patiently, partial(put_vehicle, subject, owner, plate))
    statuses = Counter(answer.status for answer in at_once([call] * MANY))
    expect_equal(dict(statuses), {201: 1, 200: MANY - 1}, "the statuses of one plate")
    expect_equal(len(vehicles(subject, owner)), 1, "the number of vehicles")


@of_payment("U15", "a payment method is read back")
def pays(subject: Subject) -> None:
    path = user_path(BRAM.id, "/payment-method")
    try:
        for method in (*PAYMENT_METHODS[:3], "CREDIT"):
            answer = set_payment_method(subject, BRAM, method)
            object_of(answer, 200, METHOD, "setting it", paymentMethod=method)
            answer = get(subject, path, BRAM)
            object_of(answer, 200, METHOD, "reading it", paymentMethod=method)
            user = get_user(subject, BRAM.id)
            object_of(user, 200, USER, "the user", paymentMethod=method)
        answer = set_payment_method(subject, BRAM, "NOT_DEFINED")
        expect_invalid(answer, ("/paymentMethod", "unknown-value"))
        answer = get(subject, path, BRAM)
        object_of(answer, 200, METHOD, "what it was before", paymentMethod="CREDIT")
    finally:
        set_payment_method(subject, BRAM, "PAYPAL")


@of_payment("U15", "one that is not defined yet is shown as such")
def not_defined(subject: Subject) -> None:
    for user in (1, 2, 3):
        answer = get(subject, user_path(user, "/payment-method"), Caller(user, "PARK_MANAGER"))
        object_of(answer, 200, METHOD, "a payment method", paymentMethod="NOT_DEFINED")


def _expect_filled(subject: Subject, owner: Caller, free: int) -> None:
    plates = [new_plate() for _ in range(MANY)]
    calls = [partial(patiently, partial(put_vehicle, subject, owner, each)) for each in plates]
    answers = at_once(calls)
    statuses = Counter(answer.status for answer in answers)
    expect_equal(dict(statuses), {201: free, 409: MANY - free}, "the statuses of ten plates")
    there = {each["licensePlateNumber"] for each in vehicles(subject, owner)}
    expect_equal(len(there), MOST, "the number of vehicles behind it")
    for plate, answer in zip(plates, answers, strict=True):
        if answer.status == 409:
            expect_problem(answer, "vehicle-limit", "of one too many")
        expect_equal(plate in there, answer.status == 201, f"whether {plate} is there")
