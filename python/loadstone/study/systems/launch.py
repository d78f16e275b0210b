"""How a runtime launches a stack: the stack's own commands, with the runtime's words in them. Pure."""

import shlex
from pathlib import Path

from loadstone.errors import Unavailable
from loadstone.frozen import Frozen
from loadstone.study.values.manifest import Runtime, Stack

ARTIFACTS = "loadstone-runtime"
"""Folder, inside the built copy, for what a runtime adds to a build: archives, modules, images."""

GC_LOG = "{gc_log}"
"""Placeholder of launch commands: filled when a service is deployed, as its log is only known then."""


def gc_log_path(logs: Path, service: str) -> Path:
    """Return where a service's JVM writes what its garbage collector does."""
    return logs / f"{service}-gc.log"


def with_gc_log(command: str, path: Path) -> str:
    """Return a run command with the option in it by which a JVM writes its log to `path`.

    - `timenanos` is the monotonic clock that all processes share: `uptime` would need the JVM's own
      start, which the kernel tells to 10 ms.
    - The tags hold every pause, the JVM's view of its limits and nothing else that comes often:
      `gc*` is two to five times as many lines, many written while all threads stand still.
    - `filecount=0`: else it would begin anew after 20 MB, and lose the window's begin.
    """
    option = (
        f'-Xlog:gc,gc+init,gc+phases,safepoint:file="{path.absolute()}"'
        ":timenanos,level,tags:filecount=0"
    )
    return command.replace(GC_LOG, shlex.quote(option))


class FoundRuntime(Frozen):
    """A runtime that is here."""

    runtime: Runtime
    version: str
    """What it says of itself."""
    home: Path | None
    """Its folder, for those of which a machine can have several."""

    def variables(self, path: str) -> dict[str, str]:
        """Return the environment of its commands; its programs come first on `path`."""
        found = {name: self._filled(text, "") for name, text in self.runtime.environment.items()}
        if self.home is not None:
            found["PATH"] = f"{self.home / 'bin'}:{path}"
        return found

    def service_variables(self, path: str) -> dict[str, str]:
        """Return the environment of a service: its commands', and what makes it tell of itself."""
        exposes = self.runtime.exposes
        return {**self.variables(path), **({} if exposes is None else exposes.environment)}

    def run_command(self, stack: Stack) -> str:
        """Return the command line that runs a stack; `{gc_log}` in it is left for `with_gc_log`."""
        return self._launched(stack, self.runtime.launch)

    def training_command(self, stack: Stack) -> str | None:
        """Return the command line of the training run; none where there is none."""
        train = self.runtime.train
        return None if train is None else self._launched(stack, train.launch)

    def prepare_command(self, stack: Stack) -> str | None:
        """Return the shell command that adds the runtime's part to a build, if there is one."""
        if self.runtime.prepare is None:
            return None
        return self._filled(self.runtime.prepare, _arguments(stack, self.runtime))

    def without_proof(self, printed: str) -> str:
        """Return what a service printed, without the lines by which the runtime shows itself."""
        proof = self.runtime.proof
        if proof is None:
            return printed
        return "".join(line for line in printed.splitlines(keepends=True) if proof not in line)

    def _launched(self, stack: Stack, launch: str | None) -> str:
        if launch is None:
            return stack.run
        return self._filled(launch, _arguments(stack, self.runtime))

    def _filled(self, text: str, arguments: str) -> str:
        return text.format(
            home=self.home or "", artifacts=ARTIFACTS, arguments=arguments, gc_log=GC_LOG
        )


def _arguments(stack: Stack, runtime: Runtime) -> str:
    """Return what follows the program in the stack's run command. Raises Unavailable."""
    program, *arguments = shlex.split(stack.run)
    if program != runtime.replaces:
        raise Unavailable(
            f"the runtime {runtime.runtime} stands for {runtime.replaces}, and the stack "
            f"{stack.stack} runs {program}",
            f"let its run command begin with {runtime.replaces}, or take the runtime out",
        )
    return shlex.join(arguments)
