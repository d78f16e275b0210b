"""A real study of a service that starts to fail: its time to failure, from the load to the report."""

import json

import pytest
from lab import Lab

WORKLOAD = """
workload: until-failure
kind: load
group: callers
rate: {per_second: 200, connections: 20}
duration: 6s
warm_up: 0s
connect_timeout: 10s
timeout: 2s
grace: 2s
stop: {first_timeout: true}
session:
  - operation: passthrough
    post: /passthrough
    headers: {content-type: application/json}
    payload: {kind: array, bytes: 50}
    check: {status: 200, body_contains: 50B}
"""
STUDY = """
study: trial
goal: see when a service fails
system: mediation
arms:
  gateway: [go, brittle]
  client: [h1c]
  upstream: [h1c]
workloads: [until-failure]
blocks: 4
seed: 7
questions:
  - question: which gateway lasts?
    compare: gateway
    metrics: [failures]
    margin: 3%
"""
BRITTLE = """
package main

import (
	"net/http"
	"sync/atomic"
	"time"
)

func brittle(next http.Handler) http.Handler {
	var asked atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 500 {
			time.Sleep(3 * time.Second) // no answer: a wrong one might be among the samples
			return
		}
		next.ServeHTTP(w, r)
	})
}
"""


@pytest.mark.slow
def test_a_service_that_starts_to_fail_fails_sooner_than_one_that_does_not(lab: Lab) -> None:
    stack = lab.add_stack("brittle", base="go")
    (stack / "brittle.go").write_text(BRITTLE)
    source = stack / "gateway.go"
    text = source.read_text()
    assert text.count("passThrough(forward)") == 1
    source.write_text(text.replace("passThrough(forward)", "brittle(passThrough(forward))"))
    (lab.gateways.parent / "workloads" / "until-failure.yaml").write_text(WORKLOAD)
    lab.study(STUDY)
    ended = lab.run("run", "trial")
    # One failure in a load is told, and does not withhold the share of failures.
    assert ended.code == 0, ended.stderr
    analysis = json.loads((lab.results() / "analysis.json").read_text())
    (found,) = analysis["survivals"]
    arms = {each["arm"]: each for each in found["arms"]}
    assert (arms["go"]["failed"], arms["brittle"]["failed"]) == (0, 4)
    assert 2e9 < arms["brittle"]["median_ns"] < 6e9
    (told,) = found["comparisons"]
    assert (told["baseline"], told["other"], told["words"]) == ("go", "brittle", "fails sooner")
    (answer,) = analysis["answers"]
    assert "brittle fails sooner than go" in " ".join(answer["sentences"])
    report = (lab.results() / "report.html").read_text()
    assert "Times to failure under until-failure" in report
    assert "by Kaplan and Meier" in report
