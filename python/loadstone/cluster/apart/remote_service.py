"""A process of a service on another machine, as the lab that leads the site sees it."""

from pathlib import Path

from loadstone.cluster.apart.asked import Asked
from loadstone.cluster.apart.messages import (
    AskService,
    ServiceDid,
    ServiceStarted,
)
from loadstone.cluster.apart.remote_part import RemotePart
from loadstone.errors import StepFailed
from loadstone.results.record import ProcessFacts
from loadstone.results.runtime_figures import RuntimeFigures
from loadstone.results.service_facts import ConfinementFacts
from loadstone.study.values.manifest import Service


class RemoteService(RemotePart):
    """See `deploy/service_elsewhere.py`."""

    is_bench = False

    def __init__(self, asked: Asked, service: Service, started: ServiceStarted, logs: Path) -> None:
        super().__init__(asked, started.facts.name, logs)
        self._service = service
        self.base_url = started.base_url
        self.facts: ProcessFacts = started.facts.model_copy(update={"machine": asked.at.machine})

    @property
    def service(self) -> str:
        """The service's name in the system."""
        return self._service.service

    def needs(self, name: str) -> bool:
        """Whether its service calls a part of the system."""
        return name in self._service.needs

    def ask(self) -> None:
        """Ask it what it was asked when it started."""
        self._ask(AskService(call=self._asked.next_call(), name=self.name, what="ask"), "reset")

    def end_warm_up(self) -> bool:
        """Hold it to the CPUs of the window."""
        command = AskService(call=self._asked.next_call(), name=self.name, what="end_warm_up")
        return self._ask(command, "load").has_other_cpus

    def confinement_facts(self) -> ConfinementFacts | None:
        """What held it; what was known at its start where its machine does not answer."""
        call = self._asked.next_call()
        command = AskService(call=call, name=self.name, what="confinement_facts")
        try:
            return self._ask(command, "teardown").confinement
        except StepFailed:
            return self.facts.confinement

    def runtime_figures(self, window_unix_ns: tuple[int, int] | None) -> RuntimeFigures:
        """What its runtime tells of a window."""
        command = AskService(
            call=self._asked.next_call(),
            name=self.name,
            what="runtime_figures",
            window_unix_ns=window_unix_ns,
        )
        figures = self._ask(command, "runtime_figures").runtime_figures
        assert figures is not None, "it was asked for them"
        return figures

    def refuse_ended(self, step: str, when: str) -> None:
        """Raise StepFailed where it has ended."""
        if (ended := self._asked.ended(self.name)) is not None:
            machine = self._asked.at.machine
            reason = f"{self.name} {ended.ending} {when}, on {machine}"
            raise StepFailed(step, reason, ended.log_tail)

    def _ask(self, command: AskService, step: str) -> ServiceDid:
        return self._asked.ask(command, ServiceDid, step)
