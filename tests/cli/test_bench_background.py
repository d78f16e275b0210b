"""`loadstone bench` tells a service that acknowledges first and works later."""

import json
import threading
import time
from collections.abc import Iterator

import pytest
from lab import Lab
from servers import Acknowledging, Hello, http_server

RATE = ("--rate", "50", "--duration", "2s", "--body", "order")
ORDER_SECONDS = 0.1
"""Of computing: ten of them a second, where fifty come."""


@pytest.fixture
def clerk() -> Iterator[None]:
    def work() -> None:
        while Acknowledging.orders.get():
            until = time.thread_time() + ORDER_SECONDS
            while time.thread_time() < until:
                time.sleep(0.0001)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    yield
    while not Acknowledging.orders.empty():
        Acknowledging.orders.get()
    Acknowledging.orders.put(False)
    thread.join()


@pytest.mark.usefixtures("clerk")
def test_orders_that_are_only_acknowledged_are_told(lab: Lab) -> None:
    with http_server(Acknowledging) as url:
        shown = " ".join(lab.run("bench", f"{url}/", *RATE).stdout.split())
    assert "works-after-load" in shown
    assert "it had answered before the work was done" in shown


def test_orders_that_are_carried_out_are_not(lab: Lab) -> None:
    with http_server(Hello) as url:
        record = json.loads(lab.run("bench", f"{url}/", *RATE, "--json").stdout)
        shown = lab.run("bench", f"{url}/", *RATE).stdout
        of_get = json.loads(lab.run("bench", f"{url}/", *RATE[:4], "--json").stdout)
    assert record["background"]["after_length_ns"] == 3 * 10**9
    assert "works-after-load" not in shown
    assert of_get["background"] is None
