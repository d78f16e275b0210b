"""Groups of metrics that rules touch, as the patterns of a finding."""

TIMES = ("response_time.*", "service_time.*", "first_byte.*", "connect.*", "tls.*")
LOAD = ("throughput", *TIMES, "cpu_per_ok")
"""What is said of the requests that ended ok: it means something else once many did not."""
SESSIONS = ("session.*",)
"""What is said of sessions in place of requests."""
COUNTED = (*LOAD, "failures")
"""Everything that rests on the counts of requests."""
ENDING = ("time_to_failure", "time_to_slow_mean", "users_before_failure")
"""When and by how many users a service was seen to fail."""
ALL = (*COUNTED, *ENDING, "startup", "rss_peak", "gc_share", "gc_cpu_share", "heap_after_gc")
WARMTH = ("throughput", "response_time.*", "service_time.*", "first_byte.*", "cpu_per_ok")
"""What changes while a service warms up: what is said of its requests, and what they cost it."""
