"""Who may run in real time, and how a process gives way."""

import os
import resource
import subprocess
import sys
from pathlib import Path

from loadstone.machine import real_time

THREADS = """
import sys, threading
end = threading.Event()
for _ in range(3):
    threading.Thread(target=end.wait, daemon=True).start()
print("ready", flush=True)
sys.stdin.read()
"""
WITHOUT_THE_RIGHT = """
import os, resource
from loadstone.machine import real_time
resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
if os.geteuid() == 0:
    os.setuid(65534)
print(real_time.is_allowed())
"""


def test_asking_changes_no_thread_of_its_own() -> None:
    before = os.sched_getscheduler(0)
    real_time.is_allowed()
    assert os.sched_getscheduler(0) == before


def test_a_user_without_the_right_is_refused() -> None:
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_RIGHT],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert ended.stdout == "False\n"


def test_the_limit_of_a_user_grants_it() -> None:
    if resource.getrlimit(resource.RLIMIT_RTPRIO)[0] > 0:
        assert real_time.is_allowed()


def test_all_threads_of_a_process_give_way() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", THREADS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        real_time.give_way(child.pid)
        threads = [each.name for each in Path(f"/proc/{child.pid}/task").iterdir()]
        nice = {os.getpriority(os.PRIO_PROCESS, int(thread)) for thread in threads}
        child.communicate()
    assert len(threads) == 4
    assert nice == {real_time.NICE}
    real_time.give_way(child.pid)  # it has ended
