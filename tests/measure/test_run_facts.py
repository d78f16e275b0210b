"""What a run keeps of its dependencies: the processes that run now, and what they did."""

from loadstone.deploy.dependencies.interface import Leader
from loadstone.measure.run_facts import RunFacts
from loadstone.results.database_work import DatabaseReading, DatabaseWork
from loadstone.results.record import ProcessFacts
from loadstone.results.store_work import StoreReading, work_between

COUNTS = ("select", "insert", "update", "delete", "other_commands", "rows_sent", "connections")
STORE_COUNTS = ("commands", "hits", "misses", "connections", "expired_keys", "evicted_keys")


def process(role: str, name: str, pid: int) -> ProcessFacts:
    return ProcessFacts.model_validate(
        {"role": role, "name": name, "pid": pid, "command": "old", "cpus": (0,)}
    )


def facts_of(*processes: ProcessFacts) -> RunFacts:
    return RunFacts(processes=list(processes))


def database(count: int) -> DatabaseReading:
    work = DatabaseWork(**dict.fromkeys(COUNTS, count), rows_read=None, lock_waits=0, deadlocks=0)
    return DatabaseReading(work, {"shop.items": count})


def store(count: int) -> StoreReading:
    return StoreReading(**dict.fromkeys(STORE_COUNTS, count), keys=count, memory_bytes=count)


def test_a_dependency_that_a_reset_has_started_anew_is_watched_from_then_on() -> None:
    facts = facts_of(process("dependency", "database", 7), process("service", "gateway", 8))
    facts.see_leaders((Leader("database", "new", 9, (0,)), Leader("gateway", "no", 10, (0,))))
    assert [(each.pid, each.command) for each in facts.processes] == [(9, "new"), (8, "old")]


def test_what_tables_and_keys_did_is_kept_with_what_they_held_at_both_ends() -> None:
    facts = facts_of(process("dependency", "database", 7), process("dependency", "cache", 8))
    before = {"database": database(3), "cache": store(4)}
    after = {"database": database(10), "cache": store(6)}
    facts.see_work(before, after)
    tables, keys = facts.processes
    assert tables.database_work == database(7).work
    assert (tables.rows_before, tables.rows_after) == ({"shop.items": 3}, {"shop.items": 10})
    assert tables.store_work is None
    assert keys.store_work == work_between(store(4), store(6))
    assert keys.database_work is None
