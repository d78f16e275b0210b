import pytest
from h2.exceptions import FrameTooLargeError
from hyperframe.frame import DataFrame, Frame, GoAwayFrame, PingFrame, WindowUpdateFrame
from hypothesis import given
from hypothesis import strategies as st

from loadstone.contract.http2_frames import GoAway, GoAwayFilter, goaway

FRAMES = st.one_of(
    st.builds(DataFrame, st.integers(1, 9), st.binary(max_size=40)),
    st.builds(lambda data: PingFrame(0, data), st.binary(min_size=8, max_size=8)),
    st.builds(lambda size: WindowUpdateFrame(0, size), st.integers(1, 1000)),
    st.builds(
        lambda last, error, text: GoAwayFrame(0, last, error, text),
        st.integers(0, 2**31 - 1),
        st.integers(0, 13),
        st.binary(max_size=20),
    ),
)


@given(
    st.binary(max_size=24),
    st.lists(FRAMES, max_size=6),
    st.lists(st.integers(1, 30), min_size=1, max_size=8),
)
def test_every_other_frame_is_passed_on_however_the_bytes_are_cut(
    preface: bytes, frames: list[Frame], cuts: list[int]
) -> None:
    data, passed, turn = preface + b"".join(each.serialize() for each in frames), b"", 0
    filter_ = GoAwayFilter(preface_bytes=len(preface))
    while data:
        size = cuts[turn % len(cuts)]
        passed += filter_.feed(data[:size])
        data, turn = data[size:], turn + 1
    others = [each for each in frames if not isinstance(each, GoAwayFrame)]
    goaways = [each for each in frames if isinstance(each, GoAwayFrame)]
    assert passed == preface + b"".join(each.serialize() for each in others)
    seen = [GoAway(each.last_stream_id, each.error_code) for each in goaways]
    assert filter_.seen == (seen[-1] if seen else None)


@given(st.integers(0, 2**31 - 1))
def test_a_goaway_that_is_written_is_read_back(last: int) -> None:
    filter_ = GoAwayFilter(preface_bytes=0)
    assert filter_.feed(goaway(last)) == b""
    assert filter_.seen == GoAway(last, 0)
    assert goaway(last) == GoAwayFrame(0, last).serialize()


def test_what_is_no_frame_is_not_waited_for() -> None:
    for text in (b"HTTP/1.1 400 Bad Request\r\n", b"SSH-2.0-OpenSSH_9.2\r\n"):
        with pytest.raises(FrameTooLargeError, match="it begins with b'"):
            GoAwayFilter(preface_bytes=0).feed(text)
