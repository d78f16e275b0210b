"""What a person sees of a diagnosis: columns that stand, words that need no colour, verdict last."""

import io

import pytest
from examinations import examination, machine, noise
from rich.console import Console

from loadstone.doctor.diagnosis import diagnose
from loadstone.doctor.examination import Examination
from loadstone.doctor.presence import Presence
from loadstone.doctor.resolution import resolution
from loadstone.report.terminal.diagnosis import print_diagnosis


def printed(found: Examination, width: int = 80) -> str:
    buffer = io.StringIO()
    print_diagnosis(Console(file=buffer, width=width, highlight=False), diagnose(found))
    return buffer.getvalue()


def test_a_diagnosis_is_read_without_colour_at_80_columns() -> None:
    assert printed(examination()).splitlines() == [
        "",
        "Machine",
        "  ok       processor         Some CPU, 1 socket, 2 cores, 2 CPUs",
        "  ok       placement         service on CPU 1; engine, backend and probe on CPU",
        "                             0",
        "  ok       frequency         governor performance, now 2.80 GHz",
        "  ok       virtualisation    none seen",
        "  ok       memory            16.0 GiB, 9.00 GiB of it available",
        "  ok       disk              60.0 GiB free where results go",
        "  ok       Linux             6.8.0",
        "  ok       timer             clock tsc in steps of 1.00 ns; a sleep of 100 µs",
        "                             takes 155 µs, 230 µs at most",
        "",
        "Limits",
        "  ok       control groups    version 2, writable: cpu, memory",
        "  ok       the lab's own     no quota, no memory limit",
        "  ok       open files        20,000; a process may raise it itself up to",
        "                             1,048,576",
        "  ok       ports             28,232 for the near ends of connections, 12 in",
        "                             TIME_WAIT, a free one can be had",
        "  ok       connections       28,232 fit from one process to one address, so",
        "                             10,000 do",
        "",
        "The lab",
        "  ok       loadstone-engine  0.1.0",
        "",
        "Runtimes",
        "  ok       go                go version go1.26.8",
        "  missing  bun               `bun --version` cannot be started: No such file or",
        "                             directory",
        "                             > Install it from https://bun.sh.",
        "",
        "Tools",
        "  ok       npm               11.19.1",
        "",
        "Instruments",
        "  ok       pressure (PSI)    /proc/pressure",
        "",
        "Right now",
        "  ok       load average      0.05 over the last minute",
        "  ok       taken by others   0 % of CPU 1",
        "  ok       steal             0 % of CPU 1, by the hypervisor",
        "  ok       fixed loop        250 µs on CPU 1, varies by 1.00 %",
        "  ok       loopback          40.0 µs a round trip, varies by 2.00 %",
        "",
        "The verdict takes a run to vary as a probe of 100 ms did, by 2.00 % (round",
        "trip), and asks for a paired t test at 5 % to find the difference in 80 % of",
        "studies. Runs of 10 s average more; fresh processes differ by themselves: trust",
        "the interval of the study.",
        "",
        "Verdict: 6 blocks tell apart differences of about 5 % and more, 12 of 3 %.",
    ]


@pytest.mark.parametrize("width", [40, 80, 160])
def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(width: int) -> None:
    restless = noise(0.3, 0.3, waited_share=0.5)
    found = examination(noise=restless, resolution=resolution(restless))
    for line in printed(found, width).splitlines():
        assert line == line.rstrip()
        assert len(line) <= max(width, 29 + 20)


def test_rows_that_ask_for_the_same_thing_ask_once() -> None:
    restless = noise(0.3, 0.3, waited_share=0.5)
    found = examination(
        machine=machine(load_1=2.0), noise=restless, resolution=resolution(restless)
    )
    text = printed(found, 160)
    assert text.count("> End what else runs") == 1
    assert text.count("> Prefer CPU time") == 1


def test_what_quickstart_lacks_is_the_last_line_and_nothing_is_assumed() -> None:
    go = Presence(name="go", reason="`go version` fails", remedy="Install Go.", needed=True)
    text = printed(examination(runtimes=(go,)))
    assert "  needed   go                `go version` fails" in text
    assert "  > Install Go." in text
    assert text.endswith("\nVerdict: quickstart cannot run here, for want of: go.\n")
    assert "takes a run to vary" not in text
