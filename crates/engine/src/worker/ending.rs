//! How requests and connections end: outcomes, records, and what becomes of the lane. What becomes of the
//! session is in `going_on`.

use crate::event_loop::EventLoop;
use crate::exchange::connection::Codec;
use crate::exchange::lane::{Exchange, Judged};
use crate::exchange::phase::Phase;
use crate::outcome::{Detail, NotSent, Outcome};
use crate::record::interval_stats::EndedRequest;
use crate::record::request_rows::{RequestRow, RowOrigin};
use crate::report::stop_facts::Stopped;
use crate::worker::{Report, Worker};

impl<L: EventLoop> Worker<L> {
    /// Ends what has waited too long.
    pub(super) fn expire(&mut self, now_ns: u64) {
        while let Some(slot) = self.connecting.first_entry()
            && self.connecting.first_ns() <= Some(now_ns)
        {
            let detail = Detail::ConnectTimeout(self.limits.connect_timeout_ns);
            let phase = self.connections[slot].phase();
            let outcome = phase.establishing_outcome().unwrap_or(Outcome::Connect);
            self.on_connect_failed(slot, outcome, &detail);
        }
        while let Some(lane) = self.in_flight.first_entry()
            && self.in_flight.first_ns() <= Some(now_ns)
        {
            self.on_timeout(lane);
        }
        while let Some(lane) = self.waits.first_entry()
            && self.waits.first_ns() <= Some(now_ns)
        {
            self.forget_wait(lane);
            let exchange = self.lanes[lane].exchange.as_ref();
            let cause = exchange.map_or(NotSent::NoConnection, Exchange::cause_of_wait);
            self.end_unsent(lane, cause);
        }
    }

    fn on_timeout(&mut self, lane: usize) {
        let (slot, tag) = (self.slot_of(lane), self.tag_of(lane));
        let detail = if self.note_if_not_accepted(slot) {
            Detail::NotAccepted
        } else {
            Detail::ResponseTimeout(self.limits.timeout_ns)
        };
        let exchange = self.lanes[lane].exchange.as_mut();
        if exchange.is_none_or(|exchange| exchange.slot.take().is_none()) {
            // Between a redirect and its next request nothing is on a connection.
            self.forget_wait(lane);
        } else if self.connections[slot].cancel(tag) {
            self.mark_dirty(slot);
            if self.connections[slot].is_drained() {
                // Closed before the request is ended, so that the next one does not wait for it.
                self.close_drained(slot);
            }
        } else {
            self.end_connection(slot, |_, other| {
                if other == tag {
                    (Outcome::Timeout, detail.clone())
                } else {
                    (Outcome::Read, Detail::ConnectionGivenUp)
                }
            });
        }
        self.end(lane, Outcome::Timeout, Some(detail));
    }

    /// The request does not wait any more.
    fn forget_wait(&mut self, lane: usize) {
        let (slot, tag) = (self.slot_of(lane), self.tag_of(lane));
        self.waits.remove(lane);
        self.connections[slot].waiting.retain(|one| *one != tag);
    }

    /// Counts a request that got no response since nobody had accepted its connection, and says so.
    pub(super) fn note_if_not_accepted(&mut self, slot: usize) -> bool {
        let is_waiting = self
            .events
            .ends(slot)
            .is_some_and(|ends| self.accept_queue.holds(ends, self.now_ns));
        self.totals.not_accepted += u64::from(is_waiting);
        is_waiting
    }

    /// Closes an established connection and ends every request in flight on it. `verdict` says how each request ends; it still sees the connection.
    pub(super) fn end_connection(
        &mut self,
        slot: usize,
        mut verdict: impl FnMut(&Self, u32) -> (Outcome, Detail),
    ) {
        let tags = self.tags_in_flight(slot);
        let verdicts: Vec<_> = tags.iter().map(|&tag| verdict(self, tag)).collect();
        self.close(slot);
        for (tag, (outcome, detail)) in tags.into_iter().zip(verdicts) {
            self.end(self.lane_of(slot, tag), outcome, Some(detail));
        }
    }

    /// Tags in flight on a connection, in the order in which they were written if that matters.
    fn tags_in_flight(&self, slot: usize) -> Vec<u32> {
        self.connections[slot].in_order().unwrap_or_else(|| {
            let carried = |lane: &usize| {
                let exchange = self.lanes[*lane].exchange.as_ref();
                exchange.and_then(|exchange| exchange.slot) == u32::try_from(slot).ok()
            };
            let lanes = self.lanes_of(slot).filter(carried);
            lanes.map(|lane| self.tag_of(lane)).collect()
        })
    }

    /// The connection could not be established: what waits for it ends with it.
    pub(super) fn on_connect_failed(&mut self, slot: usize, outcome: Outcome, detail: &Detail) {
        self.totals.failed += 1;
        let now_ns = self.read_clock();
        let connection = &mut self.connections[slot];
        let duration_ns = connection.lap(now_ns);
        let phase = connection.phase();
        let clocks = &mut self.intervals.stats().connections;
        match phase {
            Phase::Connecting => clocks.record_connect(duration_ns, false),
            Phase::Securing => clocks.record_tls(duration_ns, false),
            _ => {}
        }
        self.close(slot);
        self.give_up_waiting(slot, outcome, detail);
    }

    /// Ends every request that waits for the connection.
    pub(super) fn give_up_waiting(&mut self, slot: usize, outcome: Outcome, detail: &Detail) {
        // The end of one may be the stop of the load, at which others begin, and wait here as well.
        for tag in std::mem::take(&mut self.connections[slot].waiting) {
            let lane = self.lane_of(slot, tag);
            self.end(lane, outcome, Some(detail.clone()));
        }
    }

    /// Ends a connection that is of no more use. On HTTP/1.1 the first request in flight has the
    /// outcome, and the others were given up with it; on HTTP/2, or if TLS failed, all have it.
    pub(super) fn give_up_connection(&mut self, slot: usize, outcome: Outcome, detail: &Detail) {
        let is_http2 = matches!(self.connections[slot].codec, Codec::Http2(_));
        let blames_all = is_http2 || outcome == Outcome::Tls;
        let mut is_first = true;
        self.end_connection(slot, |_, _| {
            if std::mem::take(&mut is_first) || blames_all {
                (outcome, detail.clone())
            } else {
                (Outcome::Read, Detail::ConnectionGivenUp)
            }
        });
    }

    /// A request has its outcome now.
    pub(super) fn end(&mut self, lane: usize, outcome: Outcome, detail: Option<Detail>) {
        self.end_judged(lane, Judged::of(outcome, detail));
    }

    /// A request has its outcome now: records it, frees the lane, and lets its session go on or end.
    pub(super) fn end_judged(&mut self, lane: usize, judged: Judged) {
        let (outcome, ends_session) = (judged.outcome, judged.ends_session);
        let Some(exchange) = self.record(lane, judged) else {
            return;
        };
        let is_open = self.free_lane(lane);
        let lost_connection = !is_open && !outcome.is_response() && outcome != Outcome::Timeout;
        let (group, place) = (exchange.group, exchange.place);
        if !self.session_goes_on(group, place, outcome, ends_session, lost_connection) {
            self.close_if_idle(self.slot_of(lane));
        }
    }

    /// Records the outcome of a lane's request.
    fn record(&mut self, lane: usize, judged: Judged) -> Option<Exchange> {
        let done_ns = self.now_ns;
        self.advance(done_ns);
        self.in_flight.remove(lane);
        self.waits.remove(lane);
        let place = &mut self.lanes[lane];
        let exchange = place.exchange.take()?;
        let (outcome, status) = (judged.outcome, place.status);
        let request = &self.requests[exchange.operation];
        let cell = request.cell(outcome, status);
        let ended = EndedRequest {
            cell,
            outcome,
            intended_ns: exchange.intended_ns,
            written_ns: exchange.written_ns,
            lag: exchange.lag(),
            first_byte_ns: exchange.first_byte_ns,
            done_ns,
            bytes_sent: exchange.sent,
            bytes_received: exchange.received,
        };
        let origin = self.sessions.origin(exchange.group, exchange.place);
        if let Some(sample) = place.take_sample(done_ns) {
            if outcome.is_response() {
                let kept = self.sessions.masked(exchange.at(done_ns), outcome, sample);
                self.reports.push(Report::Sample(kept));
            } else {
                self.intervals.samples().give_back(exchange.operation);
            }
        }
        if outcome.is_response() {
            self.totals.answers[cell].answered(status);
        }
        if let Some(failed) = judged.failed {
            self.totals.answers[cell].failed_checks[failed as usize] += 1;
        }
        if outcome == Outcome::Ok && request.compares_answers {
            self.totals.kinds[cell].count(place.digest(), 1);
        }
        self.intervals.stats().record(&ended);
        self.add_to_user(lane, &ended);
        if self.rows.is_kept() {
            let home = self.homes.of_lane(lane);
            self.rows
                .push(&RequestRow::ended(origin, &ended, home, status));
        }
        if let Some(detail) = judged.detail {
            self.totals.details.keep(outcome, detail);
        }
        self.stop_at(exchange.group, outcome);
        Some(exchange)
    }

    /// Lane by lane; the lanes of a connection are put together in the end.
    fn add_to_user(&mut self, lane: usize, ended: &EndedRequest) {
        let user = &mut self.users[lane];
        user.asked(ended.intended_ns);
        if ended.outcome == Outcome::Ok
            && ended.done_ns >= self.limits.users_from_ns
            && let Some(written_ns) = ended.written_ns
        {
            user.answered(ended.done_ns.saturating_sub(written_ns));
        }
    }

    /// A request has this outcome: the load stops, if a rule of all groups or of its own says so.
    fn stop_at(&mut self, group: usize, outcome: Outcome) {
        let in_window = self.now_ns >= self.limits.users_from_ns;
        if let Some(reason) = self.limits.stops.reason(outcome, in_window) {
            self.report_stop_rule(reason.into());
        } else if let Some(reason) = self.limits.group_stops[group].reason(outcome, in_window) {
            let group = Some(group);
            self.report_stop_rule(Stopped { reason, group });
        }
    }

    pub(super) fn report_stop_rule(&mut self, stopped: Stopped) {
        if !self.stop_rule_reported {
            self.stop_rule_reported = true;
            self.reports.push(Report::StopRule(stopped));
        }
    }

    /// A request that is in a lane is not written after all.
    pub(super) fn end_unsent(&mut self, lane: usize, cause: NotSent) {
        self.waits.remove(lane);
        let Some(exchange) = self.lanes[lane].exchange.take() else {
            return;
        };
        self.free_lane(lane);
        let (group, place) = (exchange.group, exchange.place);
        let origin = self.sessions.origin(group, place);
        self.count_not_sent(
            group,
            exchange.operation,
            exchange.intended_ns,
            cause,
            origin,
        );
        if !self.session_goes_on(group, place, Outcome::NotSent, false, true) {
            self.close_if_idle(self.slot_of(lane));
        }
    }

    /// Counts an offered request that is not written.
    pub(super) fn count_not_sent(
        &mut self,
        group: usize,
        operation: usize,
        intended_ns: u64,
        cause: NotSent,
        origin: RowOrigin,
    ) {
        let cell = self.requests[operation].first_cell;
        self.intervals.stats().record_not_sent(cell, cause);
        if self.rows.is_kept() {
            let row = RequestRow::not_sent(origin, cell, intended_ns, self.now_ns, cause);
            self.rows.push(&row);
        }
        self.stop_at(group, Outcome::NotSent);
    }

    /// Closes a connection that carries no further request and has nothing in flight.
    pub(super) fn close_drained(&mut self, slot: usize) {
        self.totals.closed_by_server += u64::from(!self.connections[slot].is_spent());
        self.close_politely(slot);
    }

    /// Says goodbye where the protocol has a word for it, and closes.
    pub(super) fn close_politely(&mut self, slot: usize) {
        if self.connections[slot].phase().is_open() {
            self.connections[slot].say_goodbye();
            // What the peer does not take at once is not worth waiting for.
            self.flush(slot);
        }
        self.close(slot);
    }

    /// Closes the socket; idle lanes have no connection any more.
    pub(super) fn close(&mut self, slot: usize) {
        let connection = &mut self.connections[slot];
        if matches!(
            connection.phase(),
            Phase::Open(_) | Phase::Greeting | Phase::Securing
        ) {
            self.open_connections -= 1;
        }
        connection.end();
        self.connecting.remove(slot);
        self.events.close(slot);
        // Requests may wait for it, here or in the other slot of the same lanes.
        self.mark_dirty(slot);
        if self.homes.is_current(slot) {
            self.tell_idle_lanes(slot);
        } else {
            self.mark_dirty(self.homes.current(self.homes.of_slot(slot)));
        }
    }

    /// The idle lanes of this slot, which takes their requests, have no connection any more.
    pub(super) fn tell_idle_lanes(&mut self, slot: usize) {
        for lane in self.lanes_of(slot) {
            if self.lanes[lane].exchange.is_none() {
                self.offers.closed_while_idle(lane);
            }
        }
    }
}
