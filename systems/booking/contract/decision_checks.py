"""D1 to D4: who decides what, and in which states."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import new_owner, new_player
from .lib.clock import expect_speed, undisturbed
from .lib.database import wait_for_statements
from .lib.instants import expect_now
from .lib.problems import expect_problem
from .lib.scenes import Scene, decide, new_scene, reservation_path
from .lib.service import DATABASE, MANY_SECONDS, STARTS_SECONDS, get
from .lib.shapes import RESERVATION, STATUSES, object_of, value_of
from .lib.tokens import Caller

check = partial(declare.check, operation="accept", seconds=MANY_SECONDS)
with_stand = partial(declare.check, needs_stand=True, seconds=STARTS_SECONDS)

BY_OWNER = {"accept": "accepted", "reject": "rejected"}
UNKNOWN = (999_999_999, 9_007_199_254_740_993, 9_999_999_999_999_999)


@check("D1", "accept and reject are 200 with the time of the decision, which is read back")
def decides(subject: Subject) -> None:
    scene = new_scene(subject)
    for decision, state in BY_OWNER.items():
        made = scene.reserved()
        beside = scene.reserved()
        answer = decide(subject, scene.owner, made["id"], decision)
        found = object_of(answer, 200, RESERVATION, f"to {decision}", status=state)
        expect_now(found["decided_at"], f"decided_at of {state}")
        wanted = {**made, "status": state, "decided_at": found["decided_at"]}
        expect_equal(found, wanted, f"the answer to {decision}")
        for asking in (scene.player, scene.owner):
            read = get(subject, reservation_path(made["id"]), asking)
            expect_equal(value_of(read, 200, "the reservation"), found, "what is read back")
        expect_equal(scene.now(beside["id"]), beside, "a reservation beside it")


@check("D1", "a player's accept and reject are 403, of the own reservation as well")
def of_players(subject: Subject) -> None:
    scene, other = new_scene(subject), new_player(subject)
    for decision in BY_OWNER:
        made = scene.reserved()
        for asking in (scene.player, other):
            answer = decide(subject, asking, made["id"], decision)
            expect_problem(answer, "forbidden", f"to {decision} as a player")
        expect_equal(scene.now(made["id"]), made, "the reservation behind it")


@check("D2", "what is decided is not decided again")
def decided_already(subject: Subject) -> None:
    scene = new_scene(subject)
    for state in STATUSES:
        if state == "pending":
            continue
        there = scene.in_state(state)
        for decision in BY_OWNER:
            for _ in range(2):
                answer = decide(subject, scene.owner, there["id"], decision)
                expect_problem(answer, "wrong-state", f"to {decision} what is {state}")
        expect_equal(scene.now(there["id"]), there, f"what is {state}, behind it")


@check("D3", "another club's owner gets 404, as of what is not there")
def of_other_owners(subject: Subject) -> None:
    scene, other = new_scene(subject), new_scene(subject).owner
    for state in STATUSES:
        there = scene.in_state(state)
        for decision in BY_OWNER:
            for asking in (other, new_owner(subject)):
                answer = decide(subject, asking, there["id"], decision)
                expect_problem(answer, "not-found", f"to {decision} another's that is {state}")
        expect_equal(scene.now(there["id"]), there, f"what is {state}, behind it")
    for number in UNKNOWN:
        for decision in BY_OWNER:
            answer = decide(subject, scene.owner, number, decision)
            expect_problem(answer, "not-found", f"to {decision} reservation {number}")


@check("D4", "cancel of a pending and an accepted one is 200, and leaves when it was decided")
def cancels(subject: Subject) -> None:
    scene = new_scene(subject)
    for state in ("pending", "accepted"):
        there = scene.in_state(state)
        answer = decide(subject, scene.player, there["id"], "cancel")
        found = object_of(answer, 200, RESERVATION, f"to cancel what is {state}")
        expect_equal(found, {**there, "status": "cancelled"}, f"what was {state}, cancelled,")
        for asking in (scene.player, scene.owner):
            read = get(subject, reservation_path(there["id"]), asking)
            expect_equal(value_of(read, 200, "the reservation"), found, "what is read back")


@check("D4", "cancel of a rejected and a cancelled one is 409")
def cancels_no_more(subject: Subject) -> None:
    scene = new_scene(subject)
    for state in ("rejected", "cancelled"):
        there = scene.in_state(state)
        for _ in range(2):
            answer = decide(subject, scene.player, there["id"], "cancel")
            expect_problem(answer, "wrong-state", f"to cancel what is {state}")
        expect_equal(scene.now(there["id"]), there, f"what is {state}, behind it")


@check("D4", "an owner's cancel is 403, another player's 404")
def cancels_of_others(subject: Subject) -> None:
    scene, other = new_scene(subject), new_player(subject)
    for state in STATUSES:
        there = scene.in_state(state)
        answer = decide(subject, scene.owner, there["id"], "cancel")
        expect_problem(answer, "forbidden", "to cancel as the owner of the club")
        answer = decide(subject, other, there["id"], "cancel")
        expect_problem(answer, "not-found", "to cancel another's")
        expect_equal(scene.now(there["id"]), there, f"what is {state}, behind it")
    for number in UNKNOWN:
        answer = decide(subject, scene.player, number, "cancel")
        expect_problem(answer, "not-found", f"to cancel reservation {number}")


@with_stand("D2", "what was decided between look and change is 409")
def decided_meanwhile(subject: Subject) -> None:
    scene = new_scene(subject)
    for decision in BY_OWNER:
        undisturbed(partial(_expect_late, scene, scene.owner, decision))


@with_stand("D4", "what was rejected between look and change is 409")
def rejected_meanwhile(subject: Subject) -> None:
    scene = new_scene(subject)
    undisturbed(partial(_expect_late, scene, scene.player, "cancel"))


def _expect_late(scene: Scene, asking: Caller, decision: str) -> None:
    """Expect 409 of a decision whose row another session changes while it waits for it."""
    subject, made = scene.subject, scene.reserved()
    hand = subject.stand.dependency(DATABASE)
    with ThreadPoolExecutor(1) as pool:
        hand.execute("BEGIN")
        try:
            hand.execute("UPDATE reservation SET status = 'rejected' WHERE id = %s", (made["id"],))
            deciding = pool.submit(decide, subject, asking, made["id"], decision)
            wait_for_statements(subject, 1, within="reservation")
        finally:
            hand.execute("COMMIT")
        answer = deciding.result()
    # The database lets a statement wait for a row for a second.
    expect_speed(answer.status != 503, f"to {decision} what is rejected meanwhile is 503")
    expect_problem(answer, "wrong-state", f"to {decision} what is rejected meanwhile")
    expect_equal(scene.now(made["id"])["status"], "rejected", "what came of it")
