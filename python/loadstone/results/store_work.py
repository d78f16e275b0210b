"""What a store of keys and values was asked to do, and what it held, from its own counters.

Left out: its CPU time, which the probe reads from outside, and work by operation.
"""

from loadstone.frozen import Frozen


class StoreReading(Frozen):
    """What a store told at one moment; counts are since its start, without those of the lab itself."""

    commands: int
    hits: int
    misses: int
    connections: int
    expired_keys: int
    evicted_keys: int
    keys: int
    """That it holds, in all of its databases."""
    memory_bytes: int
    """That its data take, by its own allocator."""


class StoreWork(Frozen):
    """What it did between two readings, and what it held at both."""

    commands: int
    """Commands that clients sent, those of the lab left out."""
    hits: int
    """Keys that were looked up and there."""
    misses: int
    """Keys that were looked up and not there."""
    connections: int
    """That clients made."""
    expired_keys: int
    """Keys whose time was up."""
    evicted_keys: int
    """Keys that had to go for want of memory."""
    keys_before: int
    """Behind the reset."""
    keys_after: int
    """Behind the load."""
    memory_bytes: int
    """What its data took behind the load, by its own allocator."""


def work_between(before: StoreReading, after: StoreReading) -> StoreWork:
    """Return what came to the counts of a store from one reading to another."""
    return StoreWork(
        commands=after.commands - before.commands,
        hits=after.hits - before.hits,
        misses=after.misses - before.misses,
        connections=after.connections - before.connections,
        expired_keys=after.expired_keys - before.expired_keys,
        evicted_keys=after.evicted_keys - before.evicted_keys,
        keys_before=before.keys,
        keys_after=after.keys,
        memory_bytes=after.memory_bytes,
    )
