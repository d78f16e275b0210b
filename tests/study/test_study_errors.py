"""A wrong study file: each error names the file, the line, the key and the remedy."""

import pytest
from small_lab import SmallLab, plan_of

from loadstone.errors import InputError


def refused(lab: SmallLab, old: str, new: str) -> tuple[str, str]:
    """Message without the folder, and remedy, of the base study with one text replaced."""
    path = lab.study(old, new)
    with pytest.raises(InputError) as caught:
        plan_of(path, lab.catalogue)
    assert caught.value.path == path
    return caught.value.message.replace(str(path.parent) + "/", ""), caught.value.remedy or ""


CASES = {
    "unknown key": (
        "blocks: 6",
        "block: 6",
        "which.yaml:9: block: is not a known key",
        "did you mean blocks? ",
    ),
    "unknown key deep inside": (
        "    margin: 3%",
        "    margins: 3%",
        "which.yaml:15: questions[0].margins: is not a known key",
        "did you mean margin? known: question, compare, metrics, margin, workloads",
    ),
    "missing key": ("seed: 7\n", "", "which.yaml:1: seed: is missing", "add the key"),
    "missing key deep inside": (
        "    compare: gateway\n",
        "",
        "which.yaml:12: questions[0].compare: is missing",
        "add the key",
    ),
    "key without a value": (
        "seed: 7",
        "seed:",
        "which.yaml:10: seed: has no value",
        "write a value, or take the key out",
    ),
    "text for a number": (
        "blocks: 6",
        'blocks: "6"',
        "which.yaml:9: blocks: '6' is neither a whole number nor adaptive",
        "write a whole number",
    ),
    "true for a number": (
        "blocks: 6",
        "blocks: yes",
        "which.yaml:9: blocks: must be a whole number, not true",
        "write a whole number",
    ),
    "number for text": (
        "goal: which is better",
        "goal: 42",
        "which.yaml:2: goal: must be text, not 42",
        'put it in quotes: "42"',
    ),
    "text for a list": (
        "client: [h1c]",
        "client: h1c",
        "which.yaml:6: arms.client: must be a list, not 'h1c'",
        "write a list",
    ),
    "list for a mapping": (
        "  smoke: {blocks: 1, duration: 2s, warm_up: 0s}",
        "  smoke: [1]",
        "which.yaml:17: profiles.smoke: must be a mapping, not a list",
        "write a mapping",
    ),
    "no blocks": (
        "blocks: 6",
        "blocks: 0",
        "which.yaml:9: blocks: must be 1 or more, not 0",
        "",
    ),
    "too many blocks": (
        "blocks: 6",
        "blocks: 1001",
        "which.yaml:9: blocks: must be 1000 or less, not 1001",
        "",
    ),
    "negative seed": ("seed: 7", "seed: -7", "which.yaml:10: seed: must be 0 or more, not -7", ""),
    "empty text": (
        "goal: which is better",
        "goal: ' '",
        "which.yaml:2: goal: must not be empty",
        "",
    ),
    "a name with a path in it": (
        "study: which",
        "study: ../which",
        "which.yaml:1: study: '../which' is not a name",
        "",
    ),
    "unknown system": (
        "system: shop",
        "system: shopp",
        "which.yaml:3: system: shopp is not a known system",
        "did you mean shop? known: shop",
    ),
    "unknown stack": (
        "[go, node]",
        "[go, nodes]",
        "which.yaml:5: arms.gateway[1]: nodes is not a stack of shop/gateway",
        "did you mean node? known: go, node",
    ),
    "a stack that is a path": (
        "[go, node]",
        "[go, ../../x]",
        "which.yaml:5: arms.gateway[1]: ../../x is not a stack of shop/gateway",
        "known: go, node",
    ),
    "unknown stack with a label, on a line of its own": (
        "[go, node]",
        "\n    - go\n    - stack: rust\n      label: other",
        "which.yaml:7: arms.gateway[1].stack: rust is not a stack of shop/gateway",
        "known: go, node",
    ),
    "unknown runtime": (
        "[go, node]",
        "[go, node@go]",
        "which.yaml:5: arms.gateway[1]: go is not a runtime of the stack node",
        "known: node",
    ),
    "a label that is no name": (
        "[go, node]",
        "[go, {stack: go, label: Go Again}]",
        "which.yaml:5: arms.gateway[1].label: 'Go Again' is not a name",
        "",
    ),
    "a label that YAML reads as false": (
        "[go, node]",
        "[go, {stack: go, label: off}]",
        "which.yaml:5: arms.gateway[1].label: must be text, not false",
        "put it in quotes",
    ),
    "a wrong key in a level": (
        "[go, node]",
        "[go, {stack: go, labl: again}]",
        "which.yaml:5: arms.gateway[1].labl: is not a known key",
        "did you mean label?",
    ),
    "the same stack twice": (
        "[go, node]",
        "[go, go]",
        "which.yaml:5: arms.gateway[1]: the label go is there twice",
        "label one of them: {stack: go, label: go-again}",
    ),
    "no level": (
        "gateway: [go, node]",
        "gateway: []",
        "which.yaml:5: arms.gateway: must not be empty",
        "list at least one",
    ),
    "unknown factor": (
        "client: [h1c]",
        "clients: [h1c]",
        "which.yaml:6: arms.clients: is not a factor of shop",
        "did you mean client? known: gateway, client, upstream",
    ),
    "missing factor": (
        "  upstream: [h1c]\n",
        "",
        "which.yaml:4: arms: the factor upstream is missing",
        "add `upstream: [h1c]`",
    ),
    "a protocol that no stack speaks": (
        "client: [h1c]",
        "client: [h1c, h2]",
        "which.yaml:6: arms.client[1]: no service of this study speaks 'h2' on the client leg",
        "go speaks h1c; node speaks h1c",
    ),
    "all arms excluded": (
        "seed: 7",
        "seed: 7\nexcept:\n  - {client: h1c}",
        "which.yaml:11: except: leaves no arm",
        "exclude less",
    ),
    "an exclusion of an unknown level": (
        "seed: 7",
        "seed: 7\nonly:\n  - {gateway: rust}",
        "which.yaml:12: only[0].gateway: rust is not a level of gateway",
        "known: go, node",
    ),
    "an exclusion of everything by an empty map": (
        "seed: 7",
        "seed: 7\nexcept: [{}]",
        "which.yaml:11: except[0]: names no factor",
        "",
    ),
    "unknown workload": (
        "[busy, steady]",
        "[busy, stead]",
        "which.yaml:8: workloads[1]: stead is not a known workload",
        "did you mean steady? known: busy, steady",
    ),
    "the same workload twice": (
        "[busy, steady]",
        "[busy, busy]",
        "which.yaml:8: workloads[1]: busy is there twice",
        "keep one of the two",
    ),
    "unknown metric": (
        "[throughput, cpu_per_ok]",
        "[throughputs]",
        "which.yaml:14: questions[0].metrics[0]: throughputs is not known here",
        "did you mean throughput?",
    ),
    "margin without a percent sign": (
        "margin: 3%",
        "margin: 0.03",
        "which.yaml:15: questions[0].margin: 0.03 has no percent sign",
        "",
    ),
    "a question about a factor that does not vary": (
        "compare: gateway",
        "compare: client",
        "which.yaml:13: questions[0].compare: client has one level, h1c",
        "list a second level in arms, or compare another factor",
    ),
    "a question about no factor": (
        "compare: gateway",
        "compare: gatewy",
        "which.yaml:13: questions[0].compare: gatewy is not a factor of this study",
        "did you mean gateway?",
    ),
    "a question of an unknown workload": (
        "margin: 3%",
        "margin: 3%\n    workloads: [bussy]",
        "which.yaml:16: questions[0].workloads[0]: bussy is not known here",
        "did you mean busy?",
    ),
    "a profile that detects": (
        "duration: 2s, warm_up: 0s",
        "duration: 2s, warm_up: detected",
        "which.yaml:17: profiles.smoke.warm_up: does not detect",
        "write steady, or whole seconds such as 10s",
    ),
    "duration and window in a profile": (
        "duration: 2s, warm_up: 0s",
        "duration: 2s, window: 2s, warm_up: 0s",
        "which.yaml:17: profiles.smoke.window: duration and window exclude each other",
        "keep one of the two",
    ),
    "a duration behind a warm-up until steady in a profile": (
        "duration: 2s, warm_up: 0s",
        "duration: 2s, warm_up: steady",
        "which.yaml:17: profiles.smoke.duration: has no place behind a warm-up until steady",
        "write window in its place, or a warm_up of whole seconds beside it",
    ),
    "negative duration in a profile": (
        "duration: 2s",
        "duration: -2s",
        "which.yaml:17: profiles.smoke.duration: must not be negative, not -2s",
        "",
    ),
    "a profile that measures nothing": (
        "duration: 2s, warm_up: 0s",
        "duration: 2s",
        "which.yaml:17: profiles.smoke.duration: leaves nothing to measure of busy: "
        "its warm-up of 2s is not shorter than 2s",
        "give the profile a shorter warm_up or a longer duration",
    ),
    "a profile of an unknown workload": (
        "blocks: 1,",
        "workloads: [idle],",
        "which.yaml:17: profiles.smoke.workloads[0]: idle is not a known workload",
        "known: busy, steady",
    ),
    "more runs than a plan holds": (
        "[go, node]",
        f"[{', '.join(f'{{stack: go, label: a{n}}}' for n in range(900))}]",
        "which.yaml:9: blocks: makes 10800 runs, more than 10000",
        "",
    ),
    "more arms than a study holds": (
        "[go, node]",
        f"[{', '.join(f'{{stack: go, label: a{n}}}' for n in range(1001))}]",
        "which.yaml:4: arms: has 1001 arms, more than 1000",
        "",
    ),
    "a target with a scheme": (
        "seed: 7",
        "seed: 7\nallow_target: [localhost, 'http://example.org']",
        "which.yaml:11: allow_target[1]: 'http://example.org' is not a host or host:port",
        "",
    ),
    "a key that YAML reads as true": (
        "seed: 7",
        "seed: 7\non: 3",
        "which.yaml:11: a key must be text, and YAML reads 'on' as another type",
        'put it in quotes: "on"',
    ),
    "a warm-up with fewer CPUs than the window": (
        "seed: 7",
        "seed: 7\nlimits: {gateway: {cpus: 1, warm_up_cpus: 0.5}}",
        "which.yaml:11: limits.gateway.warm_up_cpus: is not more than cpus",
        "give the window fewer cpus than the warm-up",
    ),
    "CPUs of a warm-up alone": (
        "seed: 7",
        "seed: 7\nlimits: {gateway: {warm_up_cpus: 0.5}}",
        "which.yaml:11: limits.gateway.warm_up_cpus: stands without cpus",
        "give the window fewer cpus than the warm-up",
    ),
    "limits of a service that is not there": (
        "seed: 7",
        "seed: 7\nlimits: {gatway: {cpus: 1}}",
        "which.yaml:11: limits.gatway: is not a service of shop",
        "did you mean gateway? known: gateway",
    ),
    "a memory limit without a unit": (
        "seed: 7",
        "seed: 7\nlimits: {gateway: {memory: 512}}",
        "which.yaml:11: limits.gateway.memory: 512 has no unit of K, M or G",
        "write 512M or 1.5G",
    ),
    "a memory limit of nothing": (
        "seed: 7",
        "seed: 7\nlimits: {gateway: {memory: 0M}}",
        "which.yaml:11: limits.gateway.memory: must be more than zero, not 0M",
        "write 512M or 1.5G",
    ),
    "a quota of no CPU": (
        "seed: 7",
        "seed: 7\nlimits: {gateway: {cpus: 0}}",
        "which.yaml:11: limits.gateway.cpus: must be 0.01 or more, not 0",
        "write 0.01 or more",
    ),
    "one CPU for both roles": (
        "seed: 7",
        "seed: 7\nplacement: {service: [0, 1], bench: [0]}",
        "which.yaml:11: placement: gives CPU 0 to both roles",
        "give the service CPUs of its own; on a machine with one CPU leave placement out",
    ),
}


@pytest.mark.parametrize(("old", "new", "message", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_wrong_study_is_refused_with_file_line_and_key(
    lab: SmallLab, old: str, new: str, message: str, remedy: str
) -> None:
    said, advice = refused(lab, old, new)
    assert said.startswith(message)
    assert advice
    assert advice.startswith(remedy)


def test_the_first_of_several_errors_is_the_one_that_is_named(lab: SmallLab) -> None:
    lab.study("blocks: 6", "blocks: six")
    said, _ = refused(lab, "margin: 3%", "margin: much")
    assert "which.yaml:9: blocks" in said


def test_a_question_about_a_factor_that_pruning_left_with_one_level_is_refused(
    lab: SmallLab,
) -> None:
    said, _ = refused(lab, "seed: 7", "seed: 7\nonly: [{gateway: go}]")
    assert "questions[0].compare: gateway has one level, go: there is nothing to compare" in said


def test_an_error_in_a_workload_names_the_workloads_file(lab: SmallLab) -> None:
    path = lab.change("systems/shop/workloads/busy.yaml", "duration: 10s", "duration: -10s")
    with pytest.raises(InputError) as caught:
        plan_of(lab.study(), lab.catalogue)
    assert caught.value.message == f"{path}:5: duration: must not be negative, not -10s"


def test_an_unknown_profile_is_refused_with_those_that_there_are(lab: SmallLab) -> None:
    with pytest.raises(InputError, match="the study which has no profile 'smok'") as caught:
        plan_of(lab.study(), lab.catalogue, "smok")
    assert caught.value.remedy == "did you mean smoke? known: smoke"
