"""A recording as a session: its order, its pauses, and that no secret of it is ever written."""

import json
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from described import entry, har, hold_to_schemas, init, text_of, workloads_of, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loadstone.describe.har_requests import har_description
from loadstone.describe.secret_values import MOST_SECRETS, is_secret_name
from loadstone.errors import InputError, LoadstoneError
from loadstone.study.files.system_file import read_system
from loadstone.study.values.arrivals import ConstantThink
from loadstone.study.values.steps import Send

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"


def made(folder: Path, *entries: dict[str, Any]) -> Path:
    path = folder / "visit.har"
    path.write_text(har(*entries))
    return init(folder, har=path).folder


def sends(root: Path) -> list[Send]:
    (workload,) = workloads_of(root).values()
    return [each for each in workload.groups[0].session if isinstance(each, Send)]


def test_requests_of_the_first_host_come_in_order_with_their_pauses(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        entry(at="2026-01-01T12:00:00.000Z", took_ms=100),
        entry("http://other.example/a", at="2026-01-01T12:00:00.050Z"),
        entry("http://127.0.0.1:3000/app.js", at="2026-01-01T12:00:00.500Z"),
        entry("http://127.0.0.1:3000/logo", _resourceType="image"),
        entry("http://127.0.0.1:3000/items/7?full=a%20b", at="2026-01-01T12:00:01.350Z", took_ms=3),
        entry("http://127.0.0.1:3000/items", at="2026-01-01T13:00:00+01:00", took_ms=1),
        entry("http://127.0.0.1:3000/items", at="2026-01-01T14:00:00Z"),
    )
    found = sends(root)
    assert [(each.operation, each.path) for each in found] == [
        ("get-items", "/items"),
        ("get-items-7", "/items/7?full=a%20b"),
        ("get-items", "/items"),
        ("get-items", "/items"),
    ]
    assert found[0].think == ConstantThink(constant_ns=1_250_000_000)
    assert found[1].think is None
    assert found[2].think == ConstantThink(constant_ns=30_000_000_000), "longer ones are cut"
    assert found[3].think is None
    assert "metrics: [response_time.median, cpu_per_ok]" in text_of(root)
    hold_to_schemas(root)


def test_secrets_are_masked_wherever_they_stand(tmp_path: Path) -> None:
    secrets = {
        "header": "Bearer s3cr3t-of-a-header",
        "cookie": "s3cr3t-of-a-cookie",
        "query": "s3cr3t-of-a-query",
        "json": "s3cr3t-of-json",
        "nested": "s3cr3t-that-is-nested",
        "form": "s3cr3t of a form",
        "form-encoded": "s3cr3t+of+a+form",
        "path": TOKEN,
        "answer": "s3cr3t-of-an-answer",
    }
    base = "http://127.0.0.1:3000"
    root = made(
        tmp_path,
        entry(
            f"{base}/login",
            "POST",
            body=json.dumps(
                {"user": "ann", "password": secrets["json"], "auth": {"deep": [secrets["nested"]]}}
            ),
            answer=json.dumps({"access_token": secrets["answer"]}),
        ),
        entry(
            f"{base}/a?api_key={secrets['query']}&page=2",
            headers={"Authorization": secrets["header"]},
        ),
        entry(
            f"{base}/b", headers={"Cookie": f"sid={secrets['cookie']}", "X-Trace": secrets["json"]}
        ),
        entry(f"{base}/reset/{TOKEN}/x"),
        entry(
            f"{base}/f",
            "POST",
            body=f"passwd={secrets['form-encoded']}&n=1",
            body_type="application/x-www-form-urlencoded",
        ),
        entry(
            f"{base}/c?t={secrets['answer']}",
            "POST",
            body=json.dumps({"x": f"a {secrets['json']} b"}),
        ),
        entry(f"{base}/d", "POST", body=f"<pw>{secrets['json']}</pw>", body_type="text/xml"),
    )
    text = text_of(root)
    for name, secret in secrets.items():
        assert secret not in text, name
    assert "s3cr3t" not in text
    assert TOKEN[:12] not in text
    login, a, b, reset, form, c = (each.as_typed for each in sends(root))
    assert login.body == (
        '{"user":"ann","password":{{env.API_PASSWORD}},"auth":{"deep":[{{env.API_AUTH}}]}}'
    )
    assert a.path == "/a?api_key={{env.API_KEY}}&page=2"
    assert dict(a.headers)["authorization"] == "{{env.API_AUTHORIZATION}}"
    assert "{{env." in dict(b.headers)["cookie"]
    assert "{{env." in dict(b.headers)["x-trace"], "the same value under another name"
    assert reset.path.startswith("/reset/{{env.")
    assert reset.path.endswith("/x")
    assert "passwd={{env.API_PASSWD}}" in form.body
    assert c.path == "/c?t={{access_token}}", "what an answer gave is taken from the own answer"
    assert "{{env." in c.body
    assert "POST /d: its body is neither JSON nor a form" in text
    hold_to_schemas(root)


def test_what_was_masked_is_told_without_its_value(tmp_path: Path) -> None:
    path = tmp_path / "visit.har"
    path.write_text(har(entry(headers={"Authorization": "Bearer abcdefghijk"})))
    (secret,) = har_description(path).secrets
    assert (secret.variable, secret.seen_in) == ("API_AUTHORIZATION", "the header authorization")


def test_what_an_answer_gave_is_captured_where_it_is_sent_again(tmp_path: Path) -> None:
    base = "http://127.0.0.1:3000"
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    root = made(
        tmp_path,
        entry(
            f"{base}/log-in",
            "POST",
            body=json.dumps({"username": "user", "password": "user"}),
            answer=json.dumps({"data": [{"idToken": TOKEN, "login": "user"}]}),
        ),
        entry(f"{base}/me", headers=bearer, answer=json.dumps({"id": 3})),
        entry(
            f"{base}/authors",
            "POST",
            body='{"name": "Ada"}',
            headers=bearer,
            answer='{"id": 7, "pages": 1}',
        ),
        entry(
            f"{base}/books",
            "POST",
            body='{"author": {"id": 7}, "pages": 7}',
            headers=bearer,
            answer='{"id": 7}',
        ),
        entry(f"{base}/books/7?page=7&author_id=7", headers=bearer),
        entry(f"{base}/authors/7/books", headers=bearer),
        entry(f"{base}/users/3"),
    )
    log_in, me, _, book, look, by_author, user = (each.as_typed for each in sends(root))
    assert log_in.body == ('{"username":{{env.API_PASSWORD}},"password":{{env.API_PASSWORD}}}'), (
        "a short secret is a word of its own: the key stays"
    )
    assert dict(me.headers)["authorization"] == "Bearer {{id_token}}"
    assert book.body == '{"author":{"id":{{id}}},"pages":7}'
    assert look.path == "/books/{{id_2}}?page=7&author_id={{id_2}}", "of two, the newest"
    assert by_author.path == "/authors/{{id}}/books", "an id of that collection"
    assert user.path == "/users/3", "an id that was read, and not made"
    (workload,) = root.rglob("recorded.yaml")
    text = workload.read_text()
    assert "capture: {id_token: /data/0/idToken}" in text
    assert "capture: {id: /id}" in text
    assert TOKEN not in text_of(root)
    hold_to_schemas(root)


GIVES_A_TOKEN = {
    "response": {
        "status": 200,
        "headers": [{"name": "X-Auth-Token", "value": "of-the-answer-alone"}],
        "content": {"mimeType": "text/plain"},
    }
}


def test_what_was_sent_before_is_not_captured_and_what_needs_it_is_no_check(
    tmp_path: Path,
) -> None:
    base = "http://127.0.0.1:3000"
    path = tmp_path / "visit.har"
    path.write_text(
        har(
            entry(f"{base}/echo", headers={"X-Token": TOKEN}, answer=json.dumps({"token": TOKEN})),
            entry(
                f"{base}/fresh",
                headers={"X-Token": TOKEN},
            )
            | GIVES_A_TOKEN,
            entry(f"{base}/items", headers={"Authorization": "Bearer of-the-answer-alone"}),
        )
    )
    description = har_description(path)
    ((echo, fresh, items),) = (each.requests for each in description.workloads)
    assert echo.captures == {}
    assert fresh.captures == {"x_auth_token": {"header": "x-auth-token"}}
    assert items.headers == {"authorization": "Bearer {{x_auth_token}}"}
    assert [each.name for each in description.checks] == ["get-echo", "get-fresh"]
    assert all(not each.captures for each in description.checks)
    assert len(description.secrets) == 1


def test_cookies_that_the_service_sets_are_kept_by_the_session(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        entry("http://127.0.0.1:3000/login", "POST", body="{}", sets="sid=abcdef; Path=/"),
        entry(headers={"Cookie": "sid=abcdef"}),
    )
    (workload,) = workloads_of(root).values()
    assert workload.groups[0].cookies
    assert "cookie" not in dict(sends(root)[1].headers)
    assert "abcdef" not in text_of(root)
    assert not list(root.rglob("checks.yaml")), "a check has no session"


def test_headers_of_a_browser_are_left_out_and_those_of_the_api_are_kept(tmp_path: Path) -> None:
    headers = {
        "Host": "127.0.0.1:3000",
        ":authority": "x",
        "User-Agent": "Mozilla",
        "Accept-Encoding": "gzip",
        "Sec-Fetch-Mode": "cors",
        "Referer": "http://127.0.0.1:3000/",
        "If-None-Match": '"1"',
        "Content-Length": "2",
        "Accept": "application/json",
        "X-Tenant": "blue",
        "X-Empty": "",
    }
    (send,) = sends(made(tmp_path, entry(headers=headers, status=304)))
    assert dict(send.headers) == {"accept": "application/json", "x-tenant": "blue"}
    assert send.check.status == (), "a session has no copy"


def test_what_was_not_answered_or_cannot_be_sent_is_named(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        entry(),
        entry("http://127.0.0.1:3000/gone", status=0),
        entry("http://127.0.0.1:3000/cors", "OPTIONS"),
        entry("http://127.0.0.1:3000/a/../b"),
    )
    text = text_of(root)
    assert "GET /gone: it was not answered" in text
    assert "OPTIONS /cors: sessions do not send OPTIONS" in text
    assert "GET /a/../b: its path has a segment of dots" in text


def test_more_requests_than_a_workload_has_cells_are_named(tmp_path: Path) -> None:
    root = made(tmp_path, *(entry(f"http://127.0.0.1:3000/items/{number}") for number in range(40)))
    assert len(sends(root)) == 32
    assert "GET /items/39: a workload has 32 different requests at most" in text_of(root)


def test_the_clock_asks_what_needs_no_secret(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        entry("http://127.0.0.1:3000/me", headers={"Authorization": "Bearer abcdefghijk"}),
        entry("http://127.0.0.1:3000/open"),
    )
    (system,) = (root / "systems").iterdir()
    assert read_system(system / "system.yaml").services[0].ready.operation.path == "/open"


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        *(
            (name, True)
            for name in ("Authorization", "access_token", "userPassword", "X-API-Key", "sid")
        ),
        *(
            (name, True)
            for name in ("csrfmiddlewaretoken", "JSESSIONID", "client-secret", "jwt", "auth")
        ),
        *(
            (name, False)
            for name in ("author", "authorId", "page", "side", "spin", "compass", "price")
        ),
    ],
)
def test_names_tell_secrets(name: str, is_secret: bool) -> None:
    assert is_secret_name(name) == is_secret


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "it has no list log.entries"),
        ('{"log": {"entries": []}}', "has no request by HTTP"),
        (
            '{"log": {"entries": [1, {"request": {"url": "data:a", "method": "GET"}}]}}',
            "no request by HTTP",
        ),
        (har(entry("http://a/app.css")), "only static assets"),
        (har(entry(status=0)), "it was not answered"),
    ],
)
def test_what_is_no_recording_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "visit.har"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        har_description(path)
    assert caught.value.remedy


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("{{x"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
FULL = json.loads(
    har(
        entry(headers={"Authorization": "Bearer abcdefgh", "Cookie": "a=b; c=d", "X": "y"}),
        entry("http://127.0.0.1:3000/items?a=1&token=abc", "POST", body='{"a": {"b": [1, "c"]}}'),
        entry(
            "http://127.0.0.1:3000/f",
            "POST",
            body="a=b",
            body_type="application/x-www-form-urlencoded",
        ),
    )
)


def places(tree: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree)
    found = []
    for key, value in inside:
        found.append((*at, key))
        if isinstance(value, dict | list):
            found += places(value, (*at, key))
    return found


@given(data=st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_any_value_in_any_place_gives_files_that_the_lab_reads_or_a_clear_error(
    data: st.DataObject,
) -> None:
    tree = json.loads(json.dumps(FULL))
    *parents, last = data.draw(st.sampled_from(places(tree)))
    target = tree
    for part in parents:
        target = target[part]
    target[last] = data.draw(ANY)
    with TemporaryDirectory() as name:
        path = Path(name) / "visit.har"
        path.write_text(json.dumps(tree))
        try:
            description = har_description(path)
        except InputError as error:
            assert error.remedy  # noqa: PT017
            return
        hold_to_schemas(written(Path(name), description))


@given(secret=st.text(min_size=6, max_size=20), name=st.sampled_from(["password", "token", "x"]))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_no_secret_value_is_ever_written(secret: str, name: str) -> None:
    body = json.dumps({"password": secret, name: secret, "list": [secret, f"<{secret}>"]})
    with TemporaryDirectory() as folder:
        path = Path(folder) / "visit.har"
        path.write_text(
            har(
                entry("http://127.0.0.1:3000/zzz", "POST", body=body),
                entry("http://127.0.0.1:3000/"),
            )
        )
        masks = {each.variable for each in har_description(path).secrets}
        root = written(Path(folder), har_description(path))
        (workload,) = workloads_of(root).values()
        bodies = [send.as_typed.body for send in workload.groups[0].sends]
        assert masks or not any(bodies), "a body with a control character is left out"
        escaped = json.dumps(secret, ensure_ascii=False)[1:-1]
        if len(set(secret)) > 3 and not secret.isspace():
            assert all(escaped not in each for each in bodies)


def test_of_pages_and_an_api_on_another_port_it_is_the_api(tmp_path: Path) -> None:
    path = tmp_path / "visit.har"
    path.write_text(
        har(
            entry("http://localhost:5173/", answer_type="text/html"),
            entry("http://localhost:5173/app.json", _resourceType="script"),
            entry("https://counts.example/hit", "POST", body="{}"),
            entry("http://127.0.0.1:8080/items"),
        )
    )
    description = har_description(path)
    (workload,) = description.workloads
    assert [each.path for each in workload.requests] == ["/items"]
    assert description.notes[0] == "1 request to 127.0.0.1:8080 in one session"
    assert description.notes[1] == (
        "requests to other hosts left out: localhost:5173 (2), counts.example (1)"
    )


def test_a_secret_that_is_not_sent_is_not_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "visit.har"
    path.write_text(
        har(
            entry(answer=json.dumps({"access_token": "never-sent-again"})),
            entry(headers={"Cookie": "theme=dark; sid=a-long-session"}),
        )
    )
    (secret,) = har_description(path).secrets
    assert secret.variable.startswith("API_COOKIE")


def test_a_short_choice_in_a_cookie_does_not_mask_the_same_word_elsewhere(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        entry(headers={"Cookie": "theme=dark; page=1; lang=de"}),
        entry("http://127.0.0.1:3000/c?lang=de&page=1", "POST", body='{"n": 1, "like": "dark"}'),
    )
    send = sends(root)[1].as_typed
    assert send.path == "/c?lang=de&page=1"
    assert send.body == '{"n":1,"like":"dark"}'


@pytest.mark.parametrize(
    "text",
    [
        "ghp_" + "a1B2" * 9,
        "sk_live_" + "a1B2" * 5,
        "AKIA" + "ABCD1234" * 2,
        "postgres://ann:hunter2@db.example/shop",
        'mutation { login(email: "a@example.com", password: "hunter2") { id } }',
        '{"password": "hunter2"}',
        "next=/a?token=hunter2",
        "-----BEGIN RSA PRIVATE KEY-----",
    ],
)
def test_secrets_are_known_by_their_form(tmp_path: Path, text: str) -> None:
    body = json.dumps({"x": text, "y": "$password: String!"})
    root = made(tmp_path, entry(method="POST", body=body))
    assert '"y": "$password: String!"' in text_of(root)
    assert text not in text_of(root)
    assert "hunter2" not in text_of(root)


def test_a_token_is_known_without_its_scheme_and_in_an_answer_in_base64(tmp_path: Path) -> None:
    answer = b64encode(b'{"token": "in-an-answer"}').decode()
    encoded = entry("http://127.0.0.1:3000/b?x=in-an-answer", answer=answer)
    encoded["response"]["content"]["encoding"] = "base64"
    basic = b64encode(b"ann:of-a-user").decode()
    root = made(
        tmp_path,
        encoded,
        entry(headers={"Authorization": "Bearer behind-bearer"}),
        entry("http://127.0.0.1:3000/c?x=behind-bearer"),
        entry(headers={"Authorization": f"Basic {basic}"}),
        entry("http://127.0.0.1:3000/d?x=of-a-user"),
        entry("http://127.0.0.1:3000/back?code=sent-back&state=s"),
    )
    for secret in ("in-an-answer", "behind-bearer", "of-a-user", basic, "sent-back"):
        assert secret not in text_of(root), secret
    assert len(sends(root)) == 6


def test_more_secrets_than_can_be_looked_for_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "visit.har"
    answer = json.dumps([{"token": f"secret-{number}"} for number in range(MOST_SECRETS + 1)])
    path.write_text(har(entry(answer=answer)))
    with pytest.raises(LoadstoneError, match="values that may be secrets") as caught:
        har_description(path)
    assert caught.value.remedy
