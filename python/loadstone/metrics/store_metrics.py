"""The metrics of stores of keys, such as a Redis: what each answer asks of them, and what they hold.

A store belongs to what measures, and its work to the result: by none of these are arms compared.
"""

from loadstone.metrics.model import MetricInfo

STORE_METRICS: tuple[MetricInfo, ...] = (
    MetricInfo(
        name="store_cpu_per_ok",
        group="store",
        unit="ns",
        direction="none",
        scale="ratio",
        definition="CPU time of the stores in the window over the requests that ended ok in it",
    ),
    MetricInfo(
        name="store_commands_per_ok",
        group="store",
        unit="count",
        direction="none",
        scale="difference",
        definition="Commands that clients sent to the stores, of the whole load, warm-up included, "
        "over all its requests that ended ok, by the stores' counters",
    ),
    MetricInfo(
        name="store_keys_added",
        group="store",
        unit="count",
        direction="none",
        scale="difference",
        definition="By how many keys the stores grew under the whole load, warm-up included, all "
        "stores together",
    ),
    MetricInfo(
        name="store_memory",
        group="store",
        unit="bytes",
        direction="none",
        scale="ratio",
        definition="What the data of all stores together took behind the load, by their own allocators",
    ),
)
"""In the order in which tables show them."""
