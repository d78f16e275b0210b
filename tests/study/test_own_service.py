"""A team's own service in place of a stack: what it means, and what is refused."""

from pathlib import Path

import pytest
from small_lab import SmallLab, load_study, plan_of

from loadstone.errors import InputError
from loadstone.study.values.service_choice import OwnAddress, OwnCommand

URL = "http://127.0.0.1:8080"


def with_program(lab: SmallLab, name: str = "own/serve", mode: int = 0o755) -> Path:
    path = lab.write(name, "#!/bin/sh\n")
    path.chmod(mode)
    return path


def own(lab: SmallLab, level: str) -> OwnCommand | OwnAddress:
    arms = load_study(lab.study("[go, node]", f"[go, {level}]"), lab.catalogue).arms
    choice = arms[1].services[0]
    assert isinstance(choice, OwnCommand | OwnAddress)
    assert arms[1].id == choice.label
    return choice


def test_a_command_is_run_in_a_folder_seen_from_the_study(lab: SmallLab) -> None:
    with_program(lab)
    assert own(lab, "{label: branch, command: ./serve --fast, dir: ../own}") == OwnCommand(
        service="gateway", label="branch", command="./serve --fast", directory=lab.root / "own"
    )


def test_without_a_folder_it_is_run_where_the_study_is(lab: SmallLab) -> None:
    with_program(lab, "studies/serve")
    choice = own(lab, "{label: branch, command: ./serve}")
    assert isinstance(choice, OwnCommand)
    assert choice.directory == lab.root / "studies"


def test_a_program_of_the_path_needs_no_folder(lab: SmallLab) -> None:
    assert own(lab, "{label: branch, command: sh -c true}").label == "branch"


@pytest.mark.parametrize(
    ("written", "url"),
    [
        (URL, URL),
        (f"{URL}/", URL),
        ("http://localhost", "http://localhost:80"),
        ("http://[::1]:9000", "http://[::1]:9000"),
    ],
)
def test_an_address_is_scheme_host_and_port(lab: SmallLab, written: str, url: str) -> None:
    choice = own(lab, f"{{label: staging, url: '{written}'}}")
    assert choice == OwnAddress(service="gateway", label="staging", url=url)


@pytest.mark.parametrize("allowed", ["192.0.2.1", "192.0.2.1:8080"])
def test_an_address_elsewhere_is_loaded_where_its_owner_lists_it(
    lab: SmallLab, allowed: str
) -> None:
    lab.study("seed: 7", f"seed: 7\nallow_target: ['{allowed}']")
    assert own(lab, "{label: staging, url: 'http://192.0.2.1:8080'}").label == "staging"


def test_a_plan_reads_back_as_the_same_services(lab: SmallLab) -> None:
    with_program(lab)
    path = lab.study(
        "[go, node]",
        f"[go, {{label: branch, command: ./serve, dir: ../own}}, {{label: staging, url: '{URL}'}}]",
    )
    plan = plan_of(path, lab.catalogue)
    assert type(plan).model_validate_json(plan.model_dump_json()) == plan


HERE = "which.yaml:5: arms.gateway[1]"
CASES = {
    "both": (
        f"{{label: own, command: sh, url: '{URL}'}}",
        f"{HERE}.url: does not belong here",
        "a level is one of the two: keep command to have it started, url where it is running",
    ),
    "a stack with a command": (
        "{label: own, stack: go, command: sh}",
        f"{HERE}.stack: does not belong here",
        "a level is one of the two",
    ),
    "a folder of what is running": (
        f"{{label: own, url: '{URL}', dir: .}}",
        f"{HERE}.dir: does not belong here",
        "it belongs to command",
    ),
    "a folder of a stack": (
        "{label: own, stack: go, dir: .}",
        f"{HERE}.dir: does not belong here",
        "it belongs to command",
    ),
    "a runtime": (
        "{label: own, command: sh, runtime: go}",
        f"{HERE}.runtime: does not belong here",
        "an own service is started by its command",
    ),
    "no label": ("{command: sh}", f"{HERE}.label: is missing", "add the key"),
    "a wrong key": (
        "{label: own, comand: sh}",
        f"{HERE}.comand: is not a known key",
        "known: stack, label, runtime",
    ),
    "a label that is taken": (
        "{label: go, command: sh}",
        f"{HERE}.label: the label go is there twice",
        "choose another label",
    ),
    "an empty command": ("{label: own, command: ' '}", f"{HERE}.command: must not be empty", ""),
    "an open quotation": (
        '{label: own, command: "sh \'x"}',
        f"{HERE}.command: is not a command line: No closing quotation",
        "close",
    ),
    "a folder that is not there": (
        "{label: own, command: ./serve, dir: ../absent}",
        f"{HERE}.dir: ROOT/absent is not a folder",
        "give a folder, seen from the study's file",
    ),
    "a program that is not there": (
        "{label: own, command: ./absent, dir: ../own}",
        f"{HERE}.command: ROOT/own/absent is not there",
        "build it first, or correct command or dir",
    ),
    "a program that may not be executed": (
        "{label: own, command: ./text, dir: ../own}",
        f"{HERE}.command: ROOT/own/text may not be executed",
        "chmod +x ROOT/own/text",
    ),
    "a program that is not on the PATH": (
        "{label: own, command: serve, dir: ../own}",
        f"{HERE}.command: 'serve' is not a program on the PATH",
        "write ./serve for one in dir",
    ),
    "a variable before the program": (
        "{label: own, command: A=1 ./serve, dir: ../own}",
        f"{HERE}.command: begins with 'A=1', not a program",
        "write env A=1 ./serve",
    ),
    "no URL": (
        "{label: own, url: localhost:80}",
        f"{HERE}.url: 'localhost:80' is not an http:// or https:// URL",
        "for example http://127.0.0.1:8080/",
    ),
    "a path": (
        f"{{label: own, url: '{URL}/orders'}}",
        f"{HERE}.url: '{URL}/orders' has more than host and port",
        "leave the rest out: each operation of a workload has a path of its own",
    ),
    "a query": (f"{{label: own, url: '{URL}?a=1'}}", f"{HERE}.url: '{URL}?a=1' has more", "leave"),
    "a secret": (
        "{label: own, url: 'http://me:secret@127.0.0.1:80'}",
        f"{HERE}.url: credentials in a URL are not sent",
        "send them in a header",
    ),
    "TLS": (
        "{label: own, url: 'https://127.0.0.1:8443'}",
        f"{HERE}.url: is https, and studies speak h1c on the client leg",
        "give an http:// address",
    ),
    "an address elsewhere": (
        "{label: own, url: 'http://192.0.2.1:8080'}",
        f"{HERE}.url: 192.0.2.1 is not loopback; nothing was sent",
        "load only what is yours: list 192.0.2.1 in allow_target",
    ),
    "a name, which is not looked up": (
        "{label: own, url: 'http://example.org'}",
        f"{HERE}.url: example.org is not loopback; nothing was sent",
        "load only what is yours: list example.org in allow_target",
    ),
}


@pytest.mark.parametrize(("level", "message", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_wrong_own_service_is_refused_with_file_line_and_key(
    lab: SmallLab, level: str, message: str, remedy: str
) -> None:
    with_program(lab)
    with_program(lab, "own/text", 0o644)
    said, advice = refused(lab, lab.study("[go, node]", f"[go, {level}]"))
    assert said.startswith(message)
    assert advice.startswith(remedy)


def test_a_protocol_that_the_lab_does_not_speak_to_own_services_is_refused(lab: SmallLab) -> None:
    lab.study("client: [h1c]", "client: [h2]")
    path = lab.study("[go, node]", f"[{{label: staging, url: '{URL}'}}]")
    said, advice = refused(lab, path)
    assert (
        said
        == "which.yaml:6: arms.client[0]: no service of this study speaks 'h2' on the client leg"
    )
    assert advice == "staging speaks h1c"


def test_limits_cannot_hold_what_is_running_already(lab: SmallLab) -> None:
    lab.study("seed: 7", "seed: 7\nlimits: {gateway: {cpus: 0.5}}")
    path = lab.study("[go, node]", f"[go, {{label: staging, url: '{URL}'}}]")
    said, advice = refused(lab, path)
    assert said == f"{HERE}.url: limits.gateway cannot hold what is running already"
    assert advice == "take the limits out, or give its command"


def refused(lab: SmallLab, path: Path) -> tuple[str, str]:
    with pytest.raises(InputError) as caught:
        plan_of(path, lab.catalogue)
    texts = (caught.value.message, caught.value.remedy or "")
    message, remedy = (text.replace(str(lab.root), "ROOT") for text in texts)
    return message.replace("ROOT/studies/", ""), remedy


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "client: [h1c]",
            "client: [h1c]\n  page-cache: [warm, cold]",
            "which.yaml:7: arms.page-cache: is for a service that is started, and staging is",
        ),
        (
            "workloads: [busy, steady]",
            "workloads: [busy, starts]",
            "which.yaml:8: workloads[1]: starts needs a fresh start, and staging is running already",
        ),
    ],
)
def test_what_needs_a_fresh_start_is_refused_for_what_is_running_already(
    lab: SmallLab, old: str, new: str, message: str
) -> None:
    lab.write("systems/shop/workloads/starts.yaml", "workload: starts\nkind: startup\n")
    lab.study(old, new)
    said, advice = refused(lab, lab.study("[go, node]", f"[go, {{label: staging, url: '{URL}'}}]"))
    assert said.startswith(message)
    assert advice.startswith("give its command")
