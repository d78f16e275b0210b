"""A program whose threads name themselves, and burn CPU time when they are told to.

Commands are lines on standard input; each is answered by a line when it is done. `start THREAD NAME`,
`burn THREAD NANOSECONDS` (answer: the thread's own CPU time), `end THREAD` (the same, at its end),
`total` (answer: the process's CPU time).
"""

import ctypes
import queue
import sys
import threading
import time

PR_SET_NAME = 15

commands: dict[str, "queue.Queue[int | None]"] = {}
threads: dict[str, threading.Thread] = {}
answers: "queue.Queue[int]" = queue.Queue()


def work(name: str, orders: "queue.Queue[int | None]") -> None:
    ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode(), 0, 0, 0)
    answers.put(0)
    while (amount_ns := orders.get()) is not None:
        until_ns = time.thread_time_ns() + amount_ns
        while time.thread_time_ns() < until_ns:
            pass
        answers.put(time.thread_time_ns())
    answers.put(time.thread_time_ns())


for line in sys.stdin:
    command, thread, *rest = (*line.rstrip("\n").split(" ", 2), "")
    if command == "total":
        answers.put(time.process_time_ns())
    elif command == "start":
        commands[thread] = queue.Queue()
        threads[thread] = threading.Thread(
            target=work, args=(rest[0], commands[thread]), daemon=True
        )
        threads[thread].start()
    elif command == "burn":
        commands[thread].put(int(rest[0]))
    else:
        commands[thread].put(None)
        threads[thread].join()
    sys.stdout.write(f"{answers.get()}\n")
    sys.stdout.flush()
