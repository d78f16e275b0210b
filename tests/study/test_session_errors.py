"""Steps, templates and captures that are wrong: each is refused with its line and key."""

import pytest
from small_lab import SmallLab

from loadstone.errors import InputError
from loadstone.study.files.workload_file import read_workload

HEAD = "workload: buy\nkind: load\nduration: 60s\ngroup: buyers\nusers: 5\n"
LOG_IN = "- {operation: log-in, post: /log-in, capture: {token: /token}}\n"


def steps(*lines: str, before: str = "") -> str:
    return f"{HEAD}{before}session:\n" + "".join(f"{line}\n" for line in lines)


def one(keys: str, before: str = "") -> str:
    return steps(f"- {{operation: a, post: /a, {keys}}}", before=before)


CASES: dict[str, tuple[str, str]] = {
    # Names
    "an unknown value": (
        one('json: {id: "{{facilty}}"}'),
        "7: session[0].json.id: facilty is not known here",
    ),
    "an unknown value in a list in JSON": (
        one('json: {ids: [1, ["{{facilty}}"]]}'),
        "7: session[0].json.ids[1][0]: facilty is not known here",
    ),
    "an unknown value in a name in JSON": (
        one('json: {"{{facilty}}": 1}'),
        "7: session[0].json.{{facilty}}: facilty is not known here",
    ),
    "an unknown value in a form": (
        one('form: {id: "{{facilty}}"}'),
        "7: session[0].form.id: facilty is not known here",
    ),
    "an unknown value that is looked for": (
        one('check: {body_contains: "{{facilty}}"}'),
        "7: session[0].check.body_contains: facilty is not known here",
    ),
    "an unknown value in a check of JSON": (
        one('check: {json: {/id: "{{facilty}}"}}'),
        "7: session[0].check.json./id: facilty is not known here",
    ),
    "an unknown value in a check of a header": (
        one('check: {header: {x-id: "{{facilty}}"}}'),
        "7: session[0].check.header.x-id: facilty is not known here",
    ),
    "an unknown constant of no seed": (
        one('body: "{{seed.clubs}}"'),
        "7: session[0].body: seed.clubs is not known here: the system has no seed",
    ),
    "a function without brackets": (
        one('body: "{{uuid}}"'),
        "7: session[0].body: uuid is a function",
    ),
    "no function": (one('body: "{{uid()}}"'), "7: session[0].body: uid is no function"),
    "a function of too much": (
        one('body: "{{random(1)}}"'),
        "7: session[0].body: random does not take what is given",
    ),
    "a turn outside of a repeat": (
        one('body: "{{turn}}"'),
        "7: session[0].body: turn is not known here: it is of a repeat",
    ),
    "a user of a rate": (
        one('body: "{{user_number}}"').replace("users: 5", "rate: {per_second: 1, connections: 1}"),
        "7: session[0].body: user_number is not known here: a rate has no users",
    ),
    # Syntax
    "braces without an end": (
        one('body: "{{a"'),
        "7: session[0].body: '{{a' has {{ without }}",
    ),
    "braces around nothing": (one('body: "{{}}"'), "7: session[0].body: '{{}}' is no template"),
    "braces around anything": (
        one('body: "{{1 +}}"'),
        "7: session[0].body: '{{1 +}}' is no template",
    ),
    "a text in braces": (
        one("""body: "{{'a'}}\""""),
        "7: session[0].body: 'a' is a text: only braces stand in quotes",
    ),
    "a template without quotes": (
        one("json: {a: {{b}}}"),
        "7: session[0].json.a: a key must be text, not a list or a mapping",
    ),
    "brackets in brackets": (
        one(f'body: "{{{{{"(" * 13}1{")" * 13}}}}}"'),
        "7: session[0].body: '{{(((((((((((((1)))))))))))))}}' has more than 12 brackets",
    ),
    "a number beyond 64 bits": (
        one('body: "{{9223372036854775808}}"'),
        "7: session[0].body: 9223372036854775808 is more than 64 bits hold",
    ),
    # Integers
    "a division by what may be 0": (
        one('body: "{{1 % session_number}}"'),
        "7: session[0].body: what is behind % must be a positive constant",
    ),
    "a division by 0": (
        one('body: "{{1 / 0}}"'),
        "7: session[0].body: what is behind / must be a positive constant",
    ),
    "a number that may leave 64 bits": (
        one('body: "{{session_number * session_number}}"'),
        "7: session[0].body: may come to 1000000000000000000000000, more than 64 bits hold",
    ),
    "a text in a number": (
        steps(LOG_IN, '- {operation: a, get: "/{{token + 1}}"}'),
        "9: session[1].get: token is text, not a whole number",
    ),
    "a moment beyond the years": (
        one("""body: "{{date('2040-01-01', days: session_number)}}\""""),
        "7: session[0].body: may come to a moment outside of the years 1 to 9999",
    ),
    "a moment of no form": (
        one("""body: "{{date('tomorrow')}}\""""),
        "7: session[0].body: 'tomorrow' is no moment",
    ),
    "a drawn number of nothing": (
        one('body: "{{random(2, 1)}}"'),
        "7: session[0].body: random(2, 1) is empty",
    ),
    # Places
    "a number in a text": (
        steps(LOG_IN, '- {operation: a, post: /a, json: {id: "no {{number(token)}}"}}'),
        "9: session[1].json.id: number() is for a whole JSON value",
    ),
    "a path in the middle of one": (
        steps(LOG_IN, '- {operation: a, get: "/a/{{path(token)}}"}'),
        "9: session[1].get: path() begins a path: nothing stands before it",
    ),
    "a path in a body": (
        steps(LOG_IN, '- {operation: a, post: /a, body: "{{path(token)}}"}'),
        "9: session[1].body: path() is for the path of a request",
    ),
    "a path that begins with a value": (
        steps(LOG_IN, '- {operation: a, get: "{{token}}/a"}'),
        "9: session[1].get: '{{token}}/a' is not a path",
    ),
    "two bodies": (
        one("json: {}, form: {a: b}"),
        "7: session[0].form: the body is given twice, by json and form",
    ),
    # Lets
    "a let of itself": (
        one("body: a", before='let: {a: "{{a}}"}\n'),
        "6: let.a: is made of itself",
    ),
    "lets of each other": (
        one("body: a", before='let: {a: "{{b}}", b: "{{a}}"}\n'),
        "6: let.a: is made of itself, by way of b",
    ),
    "a let of what is captured": (
        steps(LOG_IN, before='let: {a: "{{token}}"}\n'),
        "6: let.a: token is captured later",
    ),
    "a let with the name of a counter": (
        one("body: a", before='let: {turn: "{{session_number}}"}\n'),
        "6: let.turn: turn is a word of templates",
    ),
    "a let whose name is none": (
        one("body: a", before='let: {a-b: "{{session_number}}"}\n'),
        "6: let.a-b: 'a-b' is not the name of a value",
    ),
    # Checks
    "a status that is none": (
        one("check: {status: 100}"),
        "7: session[0].check.status: must be 200 or more, not 100",
    ),
    "a further status that is none": (
        one("check: {status: [200, 600]}"),
        "7: session[0].check.status[1]: must be 599 or less, not 600",
    ),
    "a status twice": (
        one("check: {status: [200, 200]}"),
        "7: session[0].check.status[1]: 200 is there twice",
    ),
    "an end by what is expected": (
        one("check: {status: [201, 409], or_end: 409}"),
        "7: session[0].check.or_end: 409 is expected already",
    ),
    "an end by a status of success": (
        one("check: {or_end: [404, 204]}"),
        "7: session[0].check.or_end[1]: 204 is expected already",
    ),
    "no pointer": (
        one("check: {json: {id: present}}"),
        "7: session[0].check.json.id: 'id' is no JSON pointer",
    ),
    "a pointer with two stars": (
        one("check: {json: {/*/a/*: present}}"),
        "7: session[0].check.json./*/a/*: is no JSON pointer with at most one *",
    ),
    "a long pointer": (
        one("check: {json: {/1/2/3/4/5/6/7/8/9: present}}"),
        "7: session[0].check.json./1/2/3/4/5/6/7/8/9: is no JSON pointer of at most 8 segments",
    ),
    "too many pointers": (
        one("capture: {" + ", ".join(f"v{n}: /v{n}" for n in range(17)) + "}"),
        "7: session[0]: looks for 17 JSON pointers in one answer, 16 at most",
    ),
    "no name of a header": (
        one("check: {header: {'a b': present}}"),
        "7: session[0].check.header.a b: 'a b' is not the name of a header",
    ),
    "the body of an answer to HEAD": (
        steps("- {operation: a, head: /a, check: {json: {/a: present}}}"),
        "7: session[0].check: an answer to HEAD has no body",
    ),
    "a value out of an answer to HEAD": (
        steps("- {operation: a, head: /a, capture: {a: /a}}"),
        "7: session[0].capture.a: an answer to HEAD has no body",
    ),
    # Captures
    "a capture that is used before": (
        steps('- {operation: a, get: "/{{token}}"}', LOG_IN),
        "7: session[0].get: token is captured by a later step",
    ),
    "a capture of a later turn": (
        steps(
            "- repeat: 2",
            "  steps:",
            '  - {operation: a, get: "/{{token}}"}',
            "  - {operation: b, get: /, capture: {token: /token}}",
        ),
        "9: session[0].steps[0].get: token is captured by a later step",
    ),
    "a capture of some alternatives": (
        steps(
            "- choose:",
            "  - {weight: 1, steps: [{operation: a, get: /, capture: {id: /id}}]}",
            "  - {weight: 1, steps: [{operation: b, get: /}]}",
            '- {operation: c, get: "/{{id}}"}',
        ),
        "10: session[1].get: only some alternatives capture id",
    ),
    "a capture of a repeat that may have no turn": (
        steps(
            '- repeat: "{{session_number % 3}}"',
            "  steps: [{operation: a, get: /, capture: {id: /id}}]",
            '- {operation: c, get: "/{{id}}"}',
        ),
        "9: session[1].get: id is captured by a repeat that may have no turn",
    ),
    "a capture of a step that may fail": (
        steps(
            "- {operation: a, get: /, capture: {token: /t}, on_failure: go_on}",
            '- {operation: c, get: "/{{token}}"}',
        ),
        "7: session[0].on_failure: token is used later and may be missing",
    ),
    "a capture of a step that may be left out": (
        steps(
            "- {operation: a, get: /, capture: {a: /a}}",
            "- {operation: b, get: /, capture: {token: /t}, when: a}",
            '- {operation: c, get: "/{{token}}"}',
        ),
        "8: session[1].when: token is used later and may be missing",
    ),
    "a capture anew by a step that may fail": (
        steps(
            "- {operation: a, get: /, capture: {next: /n}}",
            '- {operation: b, get: "/{{next}}", capture: {next: /n}, on_failure: go_on}',
            '- {operation: c, get: "/{{next}}"}',
        ),
        "8: session[1].on_failure: next is used later and may be missing",
    ),
    "a capture twice": (
        steps(LOG_IN, "- {operation: a, get: /, capture: {token: /t}}"),
        "9: session[1].capture.token: token is captured twice",
    ),
    "a capture before the first session and again": (
        steps(
            '- {operation: a, get: "/{{token}}", capture: {token: /t}}',
            before=f"once:\n{LOG_IN}",
        ),
        "9: session[0].capture.token: token is captured twice",
    ),
    "a capture with the name of a let": (
        steps(LOG_IN, before='let: {token: "{{session_number}}"}\n'),
        "8: session[0].capture.token: token is also the name of a let",
    ),
    "a capture with the name of a counter": (
        one("capture: {turn: /turn}"),
        "7: session[0].capture.turn: turn is a word of templates",
    ),
    "a choice among one": (
        one("capture: {id: {json: /id, pick: random}}"),
        "7: session[0].capture.id.pick: the pointer has no *",
    ),
    "a choice of a word": (
        one("capture: {id: {json: /*/id, pick: last}}"),
        "7: session[0].capture.id.pick: 'last' is not first, random or a number",
    ),
    "a choice below 0": (
        one("capture: {id: {json: /*/id, pick: -1}}"),
        "7: session[0].capture.id.pick: must be 0 or more, not -1",
    ),
    "a choice that may be below 0": (
        one('capture: {id: {json: /*/id, pick: "{{session_number % 3 - 1}}"}}'),
        "7: session[0].capture.id.pick: may come to -1, less than 0",
    ),
    "a choice among headers": (
        one("capture: {id: {header: location, pick: first}}"),
        "7: session[0].capture.id.pick: is of a JSON pointer with a *",
    ),
    "a capture of two": (
        one("capture: {id: {header: location, cookie: sid}}"),
        "7: session[0].capture.id: has exactly one of json, header and cookie",
    ),
    "another end of what is missing": (
        one("capture: {id: {json: /id, or: skip}}"),
        "7: session[0].capture.id.or: must be fail, end or a value",
    ),
    "a value instead that is no text": (
        one("capture: {id: {json: /id, or: {value: 5}}}"),
        "7: session[0].capture.id.or: must be fail, end or a value",
    ),
    # Steps
    "a step that depends on nothing": (
        one("when: session_number"),
        "7: session[0].when: session_number always has a value",
    ),
    "a step that depends on a let": (
        one("when: a", before='let: {a: "{{session_number}}"}\n'),
        "8: session[0].when: a always has a value",
    ),
    "a step that depends on what comes later": (
        steps("- {operation: a, get: /, when: token}", LOG_IN),
        "7: session[0].when: token is captured by a later step",
    ),
    "a step that depends on what is unknown": (
        one("when: tokn"),
        "7: session[0].when: tokn is not known here",
    ),
    "another end of a failure": (
        one("on_failure: skip"),
        "7: session[0].on_failure: must be 'end' or 'go_on', not 'skip'",
    ),
    "steps too often": (
        steps("- {repeat: 1001, steps: [{operation: a, get: /}]}"),
        "7: session[0].repeat: must be 1000 or less, not 1001",
    ),
    "steps that may be too many": (
        steps('- {repeat: "{{session_number}}", steps: [{operation: a, get: /}]}'),
        "7: session[0].repeat: may come to 1000000000000, more than 1000",
    ),
    "steps that may be fewer than none": (
        steps('- {repeat: "{{0 - session_number % 5}}", steps: [{operation: a, get: /}]}'),
        "7: session[0].repeat: may come to -4, less than 0",
    ),
    "repeats in each other": (
        steps(
            "- repeat: 2",
            "  steps:",
            "  - repeat: 2",
            "    steps:",
            "    - repeat: 2",
            "      steps:",
            "      - repeat: 2",
            "        steps:",
            "        - {repeat: 2, steps: [{operation: a, get: /}]}",
        ),
        "15: session[0].steps[0].steps[0].steps[0].steps[0].repeat: stands in 4 others, 3 at most",
    ),
    "repeats that take too long together": (
        steps("- repeat: 1000", "  steps:", "  - {repeat: 101, steps: [{operation: a, get: /}]}"),
        "9: session[0].steps[0].repeat: comes to 101000 turns with those that it stands in",
    ),
    "a step that is nothing": (steps("- {}"), "7: session[0].operation: is missing"),
    "an alternative without a weight": (
        steps("- {choose: [{steps: [{operation: a, get: /}]}]}"),
        "7: session[0].choose[0].weight: is missing",
    ),
    "an alternative without steps": (
        steps("- {choose: [{weight: 1, steps: []}]}"),
        "7: session[0].choose[0].steps: must not be empty",
    ),
    "a pause of two distributions": (
        one("think: {constant: 1s, exponential: 1s}"),
        "7: session[0].think: has exactly one of constant, uniform and exponential",
    ),
}


@pytest.mark.parametrize(("text", "message"), CASES.values(), ids=CASES.keys())
def test_a_wrong_step_is_refused_with_file_line_and_key(
    lab: SmallLab, text: str, message: str
) -> None:
    path = lab.write("systems/shop/workloads/buy.yaml", text)
    with pytest.raises(InputError) as caught:
        read_workload(path)
    assert caught.value.remedy
    assert caught.value.message.removeprefix(f"{path}:").startswith(message)
