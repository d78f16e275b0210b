"""Where a recording may hold secrets: all of them are known before anything of it is written."""

import json
from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote

from loadstone.describe.har_file import Recorded
from loadstone.describe.secret_values import COOKIE, Masks, is_secret_name
from loadstone.text.quoted import shortened

JSON, FORM = "application/json", "application/x-www-form-urlencoded"


def learn_secrets(masks: Masks, recorded: Recorded) -> None:
    """Note every secret of a request and of its answer."""
    for name, value in recorded.headers:
        if name.lower() != "cookie":
            masks.learn(name, value, f"the header {shortened(name.lower())}")
    for name, value in _cookies(recorded):
        masks.learn(_of_cookie(name), value, f"the cookie {shortened(name)}")
    query = query_of(recorded)
    is_sent_back = {"code", "state"} <= {name for name, _ in query}  # RFC 6749, section 4.1.2
    for name, value in query:
        its_name = "authorization" if name == "code" and is_sent_back else name
        masks.learn(its_name, value, f"the query parameter {shortened(name)}")
    for segment in recorded.url.path.split("/"):
        masks.learn("", unquote(segment), "a segment of a path")
    kind, body = body_of(recorded)
    for name, value in body if kind == "form" else ():
        masks.learn(name, value, f"the field {shortened(name)} of a form")
    if kind == "json":
        masks.learn_tree(body, "a body")
    for name, value in recorded.answer_headers:
        if name.lower() == "set-cookie":
            name, _, text = value.partition(";")[0].strip().partition("=")
            masks.learn(_of_cookie(name), text, "a cookie of an answer")
        else:
            masks.learn(name, value, f"the header {shortened(name.lower())} of an answer")
    masks.learn_tree(answered(recorded), "an answer")


def answered(recorded: Recorded) -> Any:
    """The answer's JSON; none where it is none."""
    is_json = recorded.answer_text is not None and "json" in recorded.answer_type
    return _json(recorded.answer_text or "") if is_json else None


def query_of(recorded: Recorded) -> list[tuple[str, str]]:
    """Names and values of the query, decoded."""
    return parse_qsl(recorded.url.query, keep_blank_values=True)


def body_of(recorded: Recorded) -> tuple[Literal["json", "form", "other", "none"], Any]:
    """What the body is, and its value: of JSON any, of a form pairs of names and texts."""
    if recorded.body is None:
        return "none", None
    media_type = str(recorded.body.get("mimeType") or "").partition(";")[0].strip().lower()
    text, fields = recorded.body.get("text"), recorded.body.get("params")
    if media_type == FORM:
        if isinstance(text, str) and text:
            return "form", parse_qsl(text, keep_blank_values=True)
        if isinstance(fields, list):
            return "form", list(_fields(fields))
    if not isinstance(text, str) or not text:
        return ("none" if not fields else "other"), None
    value = _json(text)
    return ("other", None) if value is None else ("json", value)


def _fields(entries: list[Any]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        if isinstance(entry, dict) and isinstance(name := entry.get("name"), str):
            yield name, str(entry.get("value") or "")


def _cookies(recorded: Recorded) -> Iterator[tuple[str, str]]:
    for name, value in recorded.headers:
        if name.lower() == "cookie":
            for pair in value.split(";"):
                cookie, _, text = pair.strip().partition("=")
                yield cookie, text


def _of_cookie(name: str) -> str:
    """What a cookie is learned as."""
    return name if is_secret_name(name) else COOKIE


def _json(text: str) -> Any:
    """A value of JSON; none of what is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
