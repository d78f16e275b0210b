"""Every gateway's client leg against h2spec's cases for servers.

What a stack does not pass is a fact about its libraries, declared in `h2spec.yaml` beside the system,
and held fresh here: neither may a case fail that is not declared, nor pass that is. Some cases are
races between what the server answers and what it is sent next: one that is other than declared is tried
again, and those that were seen to go either way are declared as such.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest
import yaml
from gateway_process import SYSTEM
from h2spec_run import Case, judge_server
from ready_stacks import STACKS, Ready, Variant, ready

from loadstone.contract.model import Contract
from loadstone.contract.upstream import RecordingUpstream
from loadstone.machine.tls_material import TlsMaterial
from loadstone.study.values.model import Protocol

pytestmark = pytest.mark.slow

DECLARED = SYSTEM / "h2spec.yaml"
HTTP2 = (Protocol.H2C, Protocol.H2)
MORE_TRIES = 2


@dataclass(frozen=True)
class Declared:
    """What is known of a stack on one protocol; a stack that is not named passes all."""

    fails: frozenset[str] = frozenset()
    varies: frozenset[str] = frozenset()

    def differs(self, case: Case) -> bool:
        """Whether a case is other than declared."""
        is_known = case.id in self.fails
        return case.id not in self.varies and (case.state == "failed") != is_known


def declared(stack: str, client: Protocol) -> Declared:
    found = yaml.safe_load(DECLARED.read_text()).get(stack, {}).get(client.value, {})
    return Declared(frozenset(found.get("fails", ())), frozenset(found.get("varies", ())))


def differences(
    where: str, known: Declared, cases: Mapping[str, Case], again: Callable[[str], Case]
) -> Iterator[str]:
    """A sentence for each case that is other than declared, each time that it is tried."""
    for first in cases.values():
        case, tries = first, MORE_TRIES
        while known.differs(case) and tries:
            case, tries = again(case.id), tries - 1
        if not known.differs(case):
            continue
        if case.state == "failed":
            yield f"{where} newly fails {case}: mend it, or declare it in {DECLARED.name}."
        else:
            yield f"{where} no longer fails {case.id} ({case.title}): take it out of {DECLARED.name}."
    for absent in sorted((known.fails | known.varies) - set(cases)):
        yield f"{where} has {absent} declared, which is no case of h2spec: take it out."


@pytest.fixture(scope="module", params=STACKS, ids=lambda stack: stack.stack)
def stack(
    request: pytest.FixtureRequest, contract: Contract, tmp_path_factory: pytest.TempPathFactory
) -> Ready:
    found = request.param
    runtime = found.runtimes[0]
    return ready(Variant(found.on(runtime), runtime), contract, tmp_path_factory)


@pytest.mark.parametrize("client", HTTP2)
def test_what_a_gateway_fails_of_h2spec_is_what_is_declared(
    stack: Ready, client: Protocol, material: TlsMaterial
) -> None:
    name = stack.stack.stack
    with (
        RecordingUpstream(Protocol.H1C, material) as upstream,
        stack.start(upstream, client) as started,
    ):
        port = int(started.url.rpartition(":")[2])

        def judged(*only: str) -> dict[str, Case]:
            return judge_server(port, "/passthrough", tls=client is Protocol.H2, only=only)

        where, known = f"{name} over {client.value}", declared(name, client)
        found = list(differences(where, known, judged(), lambda case: judged(case)[case]))
    assert not found, "\n".join(found)


def test_a_case_that_newly_fails_or_passes_each_time_is_told_in_a_sentence() -> None:
    def case(number: int, state: str, *said: str) -> Case:
        return Case(f"http2/1/{number}", "A frame", state, list(said))

    first = [case(1, "failed"), case(2, "passed"), case(3, "failed"), case(4, "failed")]
    later = [case(2, "skipped"), case(3, "failed", "Expected: x", "Actual: y"), case(4, "passed")]
    cases = {each.id: each for each in [*first, case(5, "failed")]}
    again = {each.id: each for each in later}
    known = Declared(frozenset({"http2/1/1", "http2/1/2", "http2/9/9"}), frozenset({"http2/1/5"}))
    assert list(differences("go over h2c", known, cases, again.__getitem__)) == [
        "go over h2c no longer fails http2/1/2 (A frame): take it out of h2spec.yaml.",
        "go over h2c newly fails http2/1/3 (A frame) failed Expected: x Actual: y: mend it, or declare "
        "it in h2spec.yaml.",
        "go over h2c has http2/9/9 declared, which is no case of h2spec: take it out.",
    ]
