"""The rules on sessions, feeds and cookies, on both sides of their thresholds."""

import dataclasses

import pytest
from group_changes import group_facts, operation, with_groups

from loadstone.audit.figures.session_arithmetic import session_conservation
from loadstone.audit.sessions.aborted import captures_failing, sessions_aborted
from loadstone.audit.sessions.cookies import cookies_dropped, cookies_ignored
from loadstone.audit.sessions.endings import ended_early, pace_not_held, sessions_cut
from loadstone.audit.sessions.feeds import feed_exhausted, feed_reused
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import FailedCheck, Outcome, Unreached
from loadstone.results.group_facts import CookieFacts, FeedFacts, GroupFacts, PaceFacts
from loadstone.results.load_facts import StopFacts
from loadstone.results.window import WindowedRun
from observed import observed


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> WindowedRun:
    return observed(tmp_path_factory.mktemp("run"))


def severities(found: list[Finding]) -> list[Severity]:
    return [each.severity for each in found]


def of_bookers(run: WindowedRun, facts: GroupFacts, **changes: object) -> WindowedRun:
    return with_groups(run, {"bookers": facts}, {"log-in": operation(run, **changes)})


@pytest.mark.parametrize(
    ("aborted", "severity"),
    [(0, None), (1, None), (2, Severity.WARNING), (10, Severity.WARNING), (11, Severity.WITHHOLD)],
)
def test_more_than_one_in_a_thousand_is_told_and_more_than_one_in_a_hundred_withheld(
    run: WindowedRun, aborted: int, severity: Severity | None
) -> None:
    missed = {"unreached": {Unreached.ABORTED: 2 * aborted}}
    facts = group_facts(1000, aborted=aborted, aborted_at={"log-in": aborted})
    found = list(sessions_aborted(of_bookers(run, facts, **missed)))
    assert severities(found) == ([] if severity is None else [severity])
    for each in found:
        assert f"{aborted} at log-in (status {aborted})" in each.evidence
        assert f"{2 * aborted} later requests were never offered" in each.evidence


def test_where_the_last_step_fails_no_later_operation_has_less_load(run: WindowedRun) -> None:
    facts = group_facts(1000, aborted=500, aborted_at={"log-in": 500})
    assert not list(sessions_aborted(of_bookers(run, facts)))


def test_of_an_older_record_nothing_is_told(run: WindowedRun) -> None:
    rules = (
        sessions_aborted,
        captures_failing,
        ended_early,
        sessions_cut,
        pace_not_held,
        feed_exhausted,
        feed_reused,
        cookies_ignored,
        cookies_dropped,
        session_conservation,
    )
    assert [list(rule(run)) for rule in rules] == [[]] * len(rules)


@pytest.mark.parametrize(
    ("missing", "severity"),
    [(0, None), (1, Severity.WARNING), (10, Severity.WARNING), (11, Severity.WITHHOLD)],
)
def test_any_value_that_is_missing_is_told(
    run: WindowedRun, missing: int, severity: Severity | None
) -> None:
    facts = {
        "outcomes": {Outcome.OK: 1000 - missing, Outcome.CHECK: missing},
        "failed_checks": {FailedCheck.CAPTURE: missing, FailedCheck.TEXT: 7},
    }
    found = list(captures_failing(of_bookers(run, group_facts(), **facts)))
    assert severities(found) == ([] if severity is None else [severity])


def test_statuses_and_texts_that_fail_are_no_missing_values(run: WindowedRun) -> None:
    failed = {FailedCheck.STATUS: 500, FailedCheck.TEXT: 100, FailedCheck.JSON: 3}
    assert not list(captures_failing(of_bookers(run, group_facts(), failed_checks=failed)))


@pytest.mark.parametrize(("early", "is_told"), [(0, False), (10, False), (11, True)])
def test_more_than_one_in_a_hundred_that_ended_early_is_told(
    run: WindowedRun, early: int, is_told: bool
) -> None:
    found = list(ended_early(of_bookers(run, group_facts(1000, ended_early=early))))
    assert severities(found) == ([Severity.WARNING] if is_told else [])


@pytest.mark.parametrize(("cut", "is_told"), [(0, False), (50, False), (51, True)])
def test_more_than_one_in_twenty_that_were_cut_is_told(
    run: WindowedRun, cut: int, is_told: bool
) -> None:
    found = list(sessions_cut(of_bookers(run, group_facts(1000, cut=cut))))
    assert severities(found) == ([Severity.WARNING] if is_told else [])
    assert all(each.metrics == ("session.duration.*",) for each in found)


@pytest.mark.parametrize(("missed", "is_told"), [(0, False), (10, False), (11, True)])
def test_more_than_one_pace_in_a_hundred_that_was_missed_is_told(
    run: WindowedRun, missed: int, is_told: bool
) -> None:
    paces = PaceFacts(held=1000 - missed, missed=missed)
    found = list(pace_not_held(of_bookers(run, group_facts(paces=paces))))
    assert severities(found) == ([Severity.WARNING] if is_told else [])
    assert not list(pace_not_held(of_bookers(run, group_facts())))


def feed(used: int, turns: int = 0) -> FeedFacts:
    return FeedFacts(feed="owners.csv", rows=100, used=used, turns=turns, sha256="0" * 64)


@pytest.mark.parametrize(("turns", "is_told"), [(0, False), (1, True)])
def test_a_feed_that_began_again_is_noted(run: WindowedRun, turns: int, is_told: bool) -> None:
    found = list(feed_reused(of_bookers(run, group_facts(feeds=(feed(100, turns),)))))
    assert severities(found) == ([Severity.NOTE] if is_told else [])


def test_a_feed_that_ran_out_withholds_and_is_named(run: WindowedRun) -> None:
    facts = group_facts(feeds=(feed(100), feed(99).model_copy(update={"feed": "players.csv"})))
    whole = of_bookers(run, facts)
    assert not list(feed_exhausted(whole))
    stop = StopFacts(reason="feed_exhausted", at_ns=4 * 10**9, users=20)
    load = whole.load.model_copy(update={"stop": stop})
    (found,) = feed_exhausted(dataclasses.replace(whole, load=load))
    assert found.severity is Severity.WITHHOLD
    assert "owners.csv of bookers, which has 100 rows" in found.evidence
    assert "players.csv" not in found.evidence


@pytest.mark.parametrize(("ignored", "dropped"), [(0, 0), (3, 0), (0, 1)])
def test_cookies_that_were_ignored_are_noted_and_dropped_ones_told(
    run: WindowedRun, ignored: int, dropped: int
) -> None:
    cookies = CookieFacts(kept=99, dropped=dropped, ignored=ignored)
    changed = of_bookers(run, group_facts(cookies=cookies))
    assert severities(list(cookies_ignored(changed))) == [Severity.NOTE] * bool(ignored)
    assert severities(list(cookies_dropped(changed))) == [Severity.WARNING] * bool(dropped)


def told_of(run: WindowedRun, **changes: object) -> str:
    """What the rule that adds up says of a group whose summary was changed."""
    facts = group_facts(100)
    sessions = facts.sessions.model_copy(update=changes)
    groups = {"bookers": facts.model_copy(update={"sessions": sessions})}
    right = with_groups(run, {"bookers": facts})
    load = right.load.model_copy(update={"groups": groups})
    found = list(session_conservation(dataclasses.replace(right, load=load)))
    return "; ".join(each.evidence for each in found)


def test_sessions_add_up_in_every_file(run: WindowedRun) -> None:
    text = told_of(run)
    assert text == "sessions were lost or counted twice: durations of bookers: 0 instead of 100"
    assert "bookers began 101, of which 100 ended" in told_of(run, begun=101)
    assert "in the timeline" in told_of(run, begun=99, finished=99)
    assert "101 of bookers ended early, of 100" in told_of(run, ended_early=101)
