//! How requests and connections end: outcomes, records, and what becomes of the lane.

use crate::event_loop::EventLoop;
use crate::exchange::connection::{Codec, Phase};
use crate::outcome::{Detail, NotSent, Outcome};
use crate::record::interval_stats::EndedRequest;
use crate::record::request_rows::RequestRow;
use crate::report::summary::StopReason;
use crate::worker::{Report, Worker};

impl<L: EventLoop> Worker<L> {
    /// Ends what has waited too long.
    pub(super) fn expire(&mut self, now_ns: u64) {
        while let Some(slot) = self.connecting.first_entry()
            && self.connecting.first_ns() <= Some(now_ns)
        {
            let detail = Detail::ConnectTimeout(self.limits.connect_timeout_ns);
            let phase = self.connections[slot].phase;
            let outcome = phase.establishing_outcome().unwrap_or(Outcome::Connect);
            self.on_connect_failed(slot, outcome, &detail);
        }
        while let Some(lane) = self.in_flight.first_entry()
            && self.in_flight.first_ns() <= Some(now_ns)
        {
            self.on_timeout(lane);
        }
        while let Some(lane) = self.stream_waits.first_entry()
            && self.stream_waits.first_ns() <= Some(now_ns)
        {
            let (slot, tag) = (self.slot_of(lane), self.tag_of(lane));
            self.stream_waits.remove(lane);
            self.connections[slot].waiting.retain(|one| *one != tag);
            self.record_not_sent(lane, NotSent::NoStream);
            self.offers.freed(lane, now_ns, true, false);
        }
    }

    fn on_timeout(&mut self, lane: usize) {
        let (slot, tag) = (self.slot_of(lane), self.tag_of(lane));
        let detail = if self.note_if_not_accepted(slot) {
            Detail::NotAccepted
        } else {
            Detail::ResponseTimeout(self.limits.timeout_ns)
        };
        let connection = &mut self.connections[slot];
        // Between a redirect and its next request nothing is on the connection.
        connection.waiting.retain(|one| *one != tag);
        if connection.cancel(tag) {
            self.mark_dirty(slot);
            self.end(lane, Outcome::Timeout, Some(detail));
            return;
        }
        self.end_connection(slot, |_, other| {
            if other == tag {
                (Outcome::Timeout, detail.clone())
            } else {
                (Outcome::Read, Detail::ConnectionGivenUp)
            }
        });
        // If it was between two requests it was not in flight on the connection.
        self.end(lane, Outcome::Timeout, Some(detail));
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

    /// Closes an established connection, ends every request in flight on it, and connects anew if
    /// others wait. `verdict` says how each request ends; it still sees the connection.
    pub(super) fn end_connection(
        &mut self,
        slot: usize,
        mut verdict: impl FnMut(&Self, u32) -> (Outcome, Detail),
    ) {
        let tags = self.connections[slot].tags_in_flight(&self.lanes[self.lanes_of(slot)]);
        let verdicts: Vec<_> = tags.iter().map(|&tag| verdict(self, tag)).collect();
        self.close(slot);
        for (tag, (outcome, detail)) in tags.into_iter().zip(verdicts) {
            self.end(self.lane_of(slot, tag), outcome, Some(detail));
        }
        self.reconnect_for_waiting(slot);
    }

    /// The connection could not be established: what waits for it ends with it.
    pub(super) fn on_connect_failed(&mut self, slot: usize, outcome: Outcome, detail: &Detail) {
        self.totals.failed += 1;
        let now_ns = self.read_clock();
        let connection = &self.connections[slot];
        let duration_ns = now_ns - connection.begun_ns;
        let phase = connection.phase;
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
        let mut waiting = std::mem::take(&mut self.connections[slot].waiting);
        for tag in waiting.drain(..) {
            let lane = self.lane_of(slot, tag);
            self.end(lane, outcome, Some(detail.clone()));
        }
        self.connections[slot].waiting = waiting;
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

    /// Connects anew if requests wait for it.
    pub(super) fn reconnect_for_waiting(&mut self, slot: usize) {
        let connection = &self.connections[slot];
        if connection.phase != Phase::Closed || connection.waiting.is_empty() {
            return;
        }
        if !connection.has_carried {
            // Another attempt would end in the same way, again and again.
            let detail = Detail::EndOfStream(0);
            return self.give_up_waiting(slot, Outcome::Read, &detail);
        }
        for place in 0..self.connections[slot].waiting.len() {
            let lane = self.lane_of(slot, self.connections[slot].waiting[place]);
            self.stream_waits.remove(lane);
            if let Some(exchange) = &mut self.lanes[lane].exchange {
                exchange.waited_until(self.now_ns);
                exchange.waits_since_ns = self.now_ns;
                exchange.waits_for_stream = false;
            }
        }
        self.connect(slot);
    }

    /// A request has its outcome now: records it, and frees the lane or goes on with the session.
    pub(super) fn end(&mut self, lane: usize, outcome: Outcome, detail: Option<Detail>) {
        let done_ns = self.now_ns;
        let Some(operation) = self.record(lane, outcome, detail, done_ns) else {
            return;
        };
        let slot = self.slot_of(lane);
        let connection = &self.connections[slot];
        let is_open = connection.phase == Phase::Open && !connection.is_closing();
        let next = operation + 1;
        if outcome == Outcome::Ok && next < self.requests.len() {
            self.offers.step_done(lane, next, done_ns);
            return;
        }
        let lost_connection = !is_open && !outcome.is_response() && outcome != Outcome::Timeout;
        let goes_on = self.offers.freed(lane, done_ns, is_open, lost_connection);
        let connection = &self.connections[slot];
        if !goes_on && is_open && connection.in_flight() == 0 && connection.waiting.is_empty() {
            self.close_politely(slot);
        }
    }

    /// Records the outcome of a lane's request and returns its operation.
    pub(super) fn record(
        &mut self,
        lane: usize,
        outcome: Outcome,
        detail: Option<Detail>,
        done_ns: u64,
    ) -> Option<usize> {
        self.advance(done_ns);
        self.in_flight.remove(lane);
        self.stream_waits.remove(lane);
        let place = &mut self.lanes[lane];
        let exchange = place.exchange.take()?;
        let ended = EndedRequest {
            operation: exchange.operation,
            outcome,
            intended_ns: exchange.intended_ns,
            written_ns: exchange.written_ns,
            lag: exchange.lag(),
            first_byte_ns: exchange.first_byte_ns,
            done_ns,
            bytes_sent: exchange.sent,
            bytes_received: exchange.received,
        };
        if let Some(sample) = place.take_sample(done_ns) {
            if outcome.is_response() {
                self.reports.push(Report::Sample(sample));
            } else {
                self.intervals.samples().give_back(exchange.operation);
            }
        }
        let status = place.status;
        if outcome == Outcome::Ok && self.requests[exchange.operation].compares_answers {
            self.totals.answers[exchange.operation].count(place.digest(), 1);
        }
        self.intervals.stats().record(&ended);
        self.add_to_user(lane, &ended);
        if self.rows.is_kept() {
            let slot = self.slot_of(lane);
            self.rows
                .push(&RequestRow::ended(exchange.sequence, &ended, slot, status));
        }
        if let Some(detail) = detail {
            self.totals.details.keep(outcome, detail);
        }
        if outcome == Outcome::Timeout && self.limits.stops_at_timeout {
            self.report_stop_rule(StopReason::FirstTimeout);
        } else if matches!(outcome, Outcome::Status | Outcome::Check)
            && self.limits.stops_at_failed_check
        {
            self.report_stop_rule(StopReason::FirstFailedCheck);
        }
        Some(exchange.operation)
    }

    /// Lane by lane; the lanes of a connection are put together in the end.
    fn add_to_user(&mut self, lane: usize, ended: &EndedRequest) {
        let user = &mut self.totals.users[lane];
        user.asked(ended.intended_ns);
        if ended.outcome == Outcome::Ok
            && ended.done_ns >= self.limits.users_from_ns
            && let Some(written_ns) = ended.written_ns
        {
            user.answered(ended.done_ns.saturating_sub(written_ns));
        }
    }

    fn report_stop_rule(&mut self, reason: StopReason) {
        if !self.stop_rule_reported {
            self.stop_rule_reported = true;
            self.reports.push(Report::StopRule(reason));
        }
    }

    /// A bound request is not written after all.
    pub(super) fn record_not_sent(&mut self, lane: usize, cause: NotSent) {
        if let Some(exchange) = self.lanes[lane].exchange.take() {
            let sequence = exchange.sequence;
            self.count_not_sent(exchange.operation, exchange.intended_ns, cause, sequence);
        }
    }

    /// An offered request is not written, and never was in a lane.
    pub(super) fn not_sent(&mut self, operation: usize, intended_ns: u64, cause: NotSent) {
        let sequence = self.rows.next_sequence();
        self.count_not_sent(operation, intended_ns, cause, sequence);
    }

    fn count_not_sent(
        &mut self,
        operation: usize,
        intended_ns: u64,
        cause: NotSent,
        sequence: u64,
    ) {
        self.intervals.stats().record_not_sent(operation, cause);
        if self.rows.is_kept() {
            let row = RequestRow::not_sent(sequence, operation, intended_ns, self.now_ns, cause);
            self.rows.push(&row);
        }
    }

    /// Says goodbye where the protocol has a word for it, and closes.
    pub(super) fn close_politely(&mut self, slot: usize) {
        if self.connections[slot].phase == Phase::Open {
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
            connection.phase,
            Phase::Open | Phase::Greeting | Phase::Securing
        ) {
            self.open_connections -= 1;
        }
        connection.end();
        self.connecting.remove(slot);
        self.events.close(slot);
        for lane in self.lanes_of(slot) {
            if self.lanes[lane].exchange.is_none() {
                self.offers.closed_while_idle(lane);
            }
        }
    }
}
