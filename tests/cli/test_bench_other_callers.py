"""`loadstone bench` asks as a browser, and for a new URL, and says where they wait longer."""

import json
import signal

from lab import Lab, wait_for
from servers import Cached, ForBrowsers, Hello, Stalling, http_server

RATE = ("--rate", "50", "--duration", "2s")


def test_a_cache_is_told(lab: Lab) -> None:
    with http_server(Cached) as url:
        shown = " ".join(lab.run("bench", f"{url}/", *RATE).stdout.split())
    assert "cached-answers" in shown
    assert "20 of each kind in turn" in shown
    assert "answers-by-caller" not in shown


def test_a_way_of_its_own_for_browsers_is_told(lab: Lab) -> None:
    with http_server(ForBrowsers) as url:
        shown = " ".join(lab.run("bench", f"{url}/", *RATE).stdout.split())
    assert "answers-by-caller" in shown
    assert "cached-answers" not in shown


def test_the_record_has_their_times_and_a_post_has_none(lab: Lab) -> None:
    with http_server(Hello) as url:
        of_get = json.loads(lab.run("bench", f"{url}/", *RATE, "--json").stdout)
        of_post = json.loads(lab.run("bench", f"{url}/", *RATE, "--json", "--body", "x").stdout)
    assert len(of_get["single_requests"]["of_a_browser_ns"]) == 20
    assert of_post["single_requests"] is None


def test_a_signal_in_them_shows_the_load_and_leaves_nothing(lab: Lab) -> None:
    Stalling.loaded = 0
    with http_server(Stalling) as url:
        command = lab.start("bench", f"{url}/", *RATE)
        wait_for(lambda: Stalling.loaded > 103)
        command.send_signal(signal.SIGINT)
        ended = lab.end(command)
    assert ended.code == 2
    assert "stopped by SIGINT" in ended.stderr
    assert "100 offered" in ended.stdout
    assert lab.left_behind() == []
