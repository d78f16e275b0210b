from gateway.headers import Headers, answer_headers, content_length, request_headers


def test_end_to_end_fields_keep_their_order_and_their_repetition() -> None:
    headers: Headers = [(b"x-b", b"1"), (b"content-type", b"text/plain"), (b"x-b", b"2")]
    assert request_headers(headers) == headers
    assert answer_headers(headers) == headers


def test_what_connection_names_ends_here_in_any_case_and_on_any_line() -> None:
    headers: Headers = [
        (b"x-one", b"1"),
        (b"connection", b"close, X-One"),
        (b"connection", b"x-Two"),
        (b"x-two", b"2"),
    ]
    assert request_headers(headers) == []
    assert answer_headers(headers) == []


def test_hop_by_hop_fields_end_here_though_connection_does_not_name_them() -> None:
    names = (b"keep-alive", b"proxy-connection", b"te", b"transfer-encoding", b"upgrade")
    headers: Headers = [(name, b"x") for name in names]
    assert request_headers(headers) == []
    assert answer_headers(headers) == []


def test_host_and_expect_are_not_passed_on_but_only_a_request_has_them() -> None:
    headers: Headers = [(b"host", b"a"), (b"expect", b"100-continue")]
    assert request_headers(headers) == []
    assert answer_headers(headers) == headers


def test_a_cookie_in_crumbs_is_joined() -> None:
    headers: Headers = [(b"cookie", b"a=1"), (b"accept", b"*/*"), (b"cookie", b"b=2")]
    assert request_headers(headers) == [(b"accept", b"*/*"), (b"cookie", b"a=1; b=2")]


def test_a_length_is_a_number_or_none() -> None:
    assert content_length([(b"content-length", b"17")]) == 17
    assert content_length([(b"content-length", b"1,7")]) is None
    assert content_length([]) is None
