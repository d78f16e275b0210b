"""Ray, and nothing else imports it: who is there, calls to each machine, and that a machine is gone.

One actor a machine has all of it: a second study is refused. Ray starts nothing that is measured,
decides nothing, and repeats nothing. What it raises becomes WireLost: others do the blocks then.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from loadstone.cluster.machine_host import MachineHost, this_driver
from loadstone.cluster.open_sites import open_sites
from loadstone.cluster.packing import PART_BYTES, pack, pack_study, study_in, unpack
from loadstone.cluster.ray_node import refuse_open_token, require_ray
from loadstone.cluster.ray_settings import resource_of, variables
from loadstone.cluster.several_sites import SeveralSites
from loadstone.cluster.wire import Places, WireLost
from loadstone.errors import LoadstoneError, Unavailable
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.files.machines_file import split_head
from loadstone.study.values.machines import Machines

NAMESPACE = "loadstone"
ANSWER_SECONDS = 20.0
"""For a machine to start its actor, or to say who has it: seen to take a second."""
CLOSING_SECONDS = 90.0
"""For a lab to end, which may first stop databases."""
JOINING_SECONDS = 30.0
"""From when Ray's programs run on a machine until the head knows it: up to 10 s were seen on two busy
CPUs."""
JOINING_STEP_SECONDS = 0.2
THREADS = 4
"""Of an actor: one waits for the lab's lines, the others answer meanwhile."""


@contextmanager
def sites_by_ray(
    resolved: ResolvedPlan,
    machines: Machines,
    results: Path,
    simulation: Path | None,
    say: Callable[[str], None],
) -> Iterator[SeveralSites]:
    """Give the machines of a cluster as the site of a study. Raises LoadstoneError."""
    files = pack_study(resolved, simulation)
    with connected(machines) as cluster:
        cluster.refuse_absent(machines, say)

        def wire_to(site: str) -> RayWire:
            return RayWire(
                cluster, site, resolved.plan.study, files, study_in(resolved), simulation
            )

        with open_sites(resolved, machines, results, wire_to) as sites:
            yield sites


@contextmanager
def connected(machines: Machines) -> Iterator["Cluster"]:
    """Be a driver of the cluster for the length of the block. Raises LoadstoneError."""
    require_ray()
    _refuse_alone(machines.head)
    _refuse_unreadable(machines)
    os.environ.update(variables(machines.token, machines.tls))  # Ray reads them when it is imported
    import ray
    import ray.exceptions

    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        ray.init(
            address=machines.head,
            namespace=NAMESPACE,
            log_to_driver=False,
            configure_logging=False,
        )
    except Exception as error:  # of many types, some of them Ray's own
        raise Unavailable(
            f"the cluster at {machines.head} is not reached: {_first_line(error)}",
            f"see that `loadstone cluster up` runs there, and that {machines.token} is its token",
        ) from error
    finally:
        for number, handler in handlers.items():  # Ray takes them for itself
            signal.signal(number, handler)
    try:
        yield Cluster(ray)
    finally:
        ray.shutdown()  # a thread that still waited for an answer would crash the process


class Cluster:
    """A cluster that this process is a driver of."""

    def __init__(self, ray: Any) -> None:
        self.ray = ray

    def present(self) -> dict[str, str]:
        """Return the machines that are there now, with their addresses."""
        found = {}
        for node in self.ray.nodes():
            for resource in node["Resources"] if node["Alive"] else ():
                if resource.startswith(resource_of("")):
                    found[resource.removeprefix(resource_of(""))] = node["NodeManagerAddress"]
        return found

    def refuse_absent(self, machines: Machines, say: Callable[[str], None]) -> None:
        """Raise Unavailable where a site is not there, or has another address than it should.

        One that may be joining is waited for, and that is said.
        """
        present = self._present_soon(machines, say)
        for site in machines.members:
            address = machines.addresses[site]
            if site not in present:
                raise Unavailable(
                    f"{site} has not joined the cluster at {machines.head}",
                    f"run there: loadstone cluster join {machines.head} --as {site}",
                )
            if present[site] != address and _is_number(address):
                raise Unavailable(
                    f"{site} has joined as {present[site]}, and {machines.path} says {address}",
                    "correct its address there, or the name under which it joins",
                )

    def _present_soon(self, machines: Machines, say: Callable[[str], None]) -> dict[str, str]:
        present, deadline = self.present(), time.monotonic() + JOINING_SECONDS
        if absent := [each for each in machines.members if each not in present]:
            say(f"wait up to {JOINING_SECONDS:g} s for {', '.join(absent)} to join")
        while absent and time.monotonic() < deadline:
            time.sleep(JOINING_STEP_SECONDS)
            present = self.present()
            absent = [each for each in absent if each not in present]
        return present

    def host(self, site: str, study: str) -> Any:
        """Return the actor of a machine, made for this driver. Raises Unavailable where it is taken."""
        name = resource_of(site)
        self._refuse_taken(site, name)
        actor = self.ray.remote(MachineHost).options(
            name=name,
            num_cpus=0,
            resources={name: 1},
            max_restarts=0,
            max_task_retries=0,
            max_concurrency=THREADS,
        )
        try:
            return actor.remote(study, this_driver())
        except ValueError:  # somebody was faster
            self._refuse_taken(site, name)
            raise

    def _refuse_taken(self, site: str, name: str) -> None:
        try:
            other = self.ray.get_actor(name)
        except ValueError:  # nobody has it
            return
        who = "another driver"
        with suppress(self.ray.exceptions.RayError):
            who = self.ray.get(other.who.remote(), timeout=ANSWER_SECONDS)
        raise Unavailable(f"{site} is in use by {who}", "wait until that has ended")

    def release(self, host: Any, *, is_lost: bool = False) -> None:
        """End an actor: its machine is free then. One that is lost is not asked any more."""
        if not is_lost:
            with suppress(LoadstoneError):
                self.call(host.close.remote(), CLOSING_SECONDS)
        with suppress(Exception):  # it is gone, or cannot be reached: then it ends by itself
            self.ray.kill(host)

    def call(self, reference: Any, timeout: float | None = None) -> Any:
        """Wait for the answer of an actor. Raises what it raised, WireLost where it is gone."""
        try:
            return self.ray.get(reference, timeout=timeout)
        except self.ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, LoadstoneError):
                raise error.cause from error
            raise WireLost(f"its machine failed: {_first_line(error.cause)}") from error
        except self.ray.exceptions.RayError as error:
            raise WireLost(_first_line(error)) from error


class RayWire:
    """One machine, by its actor."""

    def __init__(
        self,
        cluster: Cluster,
        site: str,
        name: str,
        files: bytes,
        study: str,
        simulation: Path | None,
    ) -> None:
        """`files` are those of the study called `name`, whose own is `study` among them."""
        self._cluster, self._site, self._name = cluster, site, name
        self._files, self._study, self._simulation = files, study, simulation
        self._host: Any = None
        self._closing = threading.Lock()
        self._is_closed, self._is_lost = False, False

    def start(self) -> Places:
        """Make the actor, ship the files and start the lab. Raises LoadstoneError."""
        self._host = self._cluster.host(self._site, self._name)
        self._call(self._host.clock.remote(), ANSWER_SECONDS)
        places = self._host.start.remote(
            self._files, self._study, is_simulated=self._simulation is not None
        )
        return Places(*self._call(places))

    def clock(self) -> int:
        """Return the wall clock there."""
        return int(self._call(self._host.clock.remote()))

    def send(self, line: str) -> None:
        """Give the lab a command. Raises WireLost."""
        self._call(self._host.send.remote(line))

    def receive(self) -> str:
        """Wait for the next line of the lab. Raises WireLost."""
        return str(self._call(self._host.receive.remote()))

    def fetch(self, name: str, into: Path) -> None:
        """Copy a folder of the lab's results here, in parts, then remove it there. Raises WireLost."""
        archive = into.with_name(f"{into.name}.tar.gz")
        with archive.open("wb") as file:
            for part in self._parts(name, self._call(self._host.pack_result.remote(name))):
                file.write(part)
        unpack(archive, into)
        archive.unlink()
        self._call(self._host.forget_result.remote(name))

    def give(self, directory: Path, name: str) -> None:
        """Copy a folder from here to below the lab's results, in parts. Raises WireLost."""
        archive = directory.with_name(f"{directory.name}.tar.gz")
        pack(directory, archive)
        with archive.open("rb") as file:
            while part := file.read(PART_BYTES):
                self._call(self._host.take_part.remote(name, part))
        archive.unlink()
        self._call(self._host.keep_result.remote(name))

    def take_builds(self, names: tuple[str, ...]) -> object:
        """Return the names of the builds, and what gives the parts of one."""

        def parts_of(name: str) -> Iterator[bytes]:
            return self._parts(name, self._call(self._host.pack_build.remote(name)))

        return names, parts_of

    def give_builds(self, builds: object) -> None:
        """Ship what is not there yet, part by part through this driver. Raises WireLost."""
        assert isinstance(builds, tuple)
        names: Sequence[str] = builds[0]
        parts_of: Callable[[str], Iterator[bytes]] = builds[1]
        for name in self._call(self._host.lacks.remote(names)):
            for part in parts_of(name):
                self._call(self._host.take_part.remote(name, part))
            self._call(self._host.keep_build.remote(name))

    def close(self) -> None:
        """End lab and actor."""
        with self._closing:
            if self._is_closed or self._host is None:
                return
            self._is_closed = True
        self._cluster.release(self._host, is_lost=self._is_lost)

    def _parts(self, name: str, size_bytes: int) -> Iterator[bytes]:
        for offset in range(0, size_bytes, PART_BYTES):
            yield self._call(self._host.part.remote(name, offset))

    def _call(self, reference: Any, timeout: float | None = None) -> Any:
        try:
            return self._cluster.call(reference, timeout)
        except WireLost as lost:
            # Where the actor itself says that its lab is gone, it is there to clean up.
            told_by_actor = isinstance(lost.__cause__, self._cluster.ray.exceptions.RayTaskError)
            self._is_lost = self._is_lost or not told_by_actor
            raise


def _refuse_alone(head: str) -> None:
    """Raise Unavailable where this machine is not of the cluster: Ray would find out after a minute."""
    port = f":{split_head(head)[1]}"
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.name() == "raylet" and any(port in word for word in process.cmdline()):
                return
    raise Unavailable(
        f"this machine is not in the cluster at {head}",
        "drive a study from where `loadstone cluster up` runs, or join here, too",
    )


def _refuse_unreadable(machines: Machines) -> None:
    """Raise Unavailable where the files that the cluster is entered by are not there."""
    tls = machines.tls
    refuse_open_token(machines.token)
    paths = () if tls is None else (tls.certificate, tls.key, tls.authority)
    for path in paths:
        if not os.access(path, os.R_OK):
            raise Unavailable(f"{path} cannot be read", f"copy it here, or correct {machines.path}")


def _is_number(address: str) -> bool:
    """Whether an address is written in numbers: a name may have any."""
    return ":" in address or address.replace(".", "").isdigit()


def _first_line(error: BaseException) -> str:
    return (str(error).strip().partition("\n")[0] or type(error).__name__)[:300]
