//! How things stand at the end of an interval, and what is left at the end of the load.

use crate::event_loop::EventLoop;
use crate::outcome::{Detail, Outcome};
use crate::record::user_stats::{UserRow, UserStats};
use crate::record::worker_interval::{Gauges, GroupGauges};
use crate::record::worker_totals::WorkerTotals;
use crate::worker::{Report, Worker};

impl<L: EventLoop> Worker<L> {
    /// Ends everything that is left, and hands over the last interval.
    pub fn finish(mut self) -> (WorkerTotals, Vec<Report>) {
        let now_ns = self.read_clock();
        for lane in 0..self.lanes.len() {
            let Some(exchange) = self.lanes[lane].exchange else {
                continue;
            };
            if exchange.written_ns.is_some() {
                let age_ns = now_ns - exchange.intended_ns;
                let oldest_ns = &mut self.totals.unanswered_oldest_ns;
                *oldest_ns = Some(oldest_ns.unwrap_or_default().max(age_ns));
                let waits = self.note_if_not_accepted(self.slot_of(lane));
                let detail = waits.then_some(Detail::NotAccepted);
                self.end(lane, Outcome::Unanswered, detail);
            } else {
                self.end_unsent(lane, exchange.cause_of_wait());
            }
        }
        let gauges = self.gauges(now_ns);
        let last = self.intervals.finish(now_ns, gauges);
        self.reports.push(Report::Interval(last));
        if let Some(rows) = self.rows.rest() {
            self.reports.push(Report::Rows(rows));
        }
        self.totals.users = self.user_rows();
        (self.totals.operations, self.totals.groups) = self.sessions.counts();
        for (group, counts) in self.totals.groups.iter_mut().enumerate() {
            counts.paces = self.offers.paces(group);
        }
        self.totals.offered = self.budget.offered();
        self.totals.stop_ns = self.intervals.stop_ns();
        self.totals.end_ns = now_ns;
        let users_from_ns = self.limits.users_from_ns;
        self.totals.users_from_ns = (users_from_ns < self.totals.stop_ns).then_some(users_from_ns);
        self.totals.longest_stall_ns = self.intervals.longest_stall_ns();
        (self.totals, self.reports)
    }

    /// The lanes of each connection together.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a plan has at most 32 groups"
    )]
    fn user_rows(&self) -> Vec<UserRow> {
        let homes = self.users.chunks(self.limits.streams).enumerate();
        let row = |(home, lanes)| UserRow {
            group: self.offers.group_of(home) as u16,
            user: self.offers.number_of(home),
            stats: UserStats::together(lanes),
        };
        homes.map(row).collect()
    }

    pub(super) fn gauges(&mut self, now_ns: u64) -> Gauges {
        let groups: Vec<GroupGauges> = (0..self.offers.groups())
            .map(|group| self.group_gauges(group, now_ns))
            .collect();
        let oldest_ns = self.oldest_intended_ns();
        Gauges {
            in_flight: self.in_flight.len() as u64,
            oldest_pending_ns: oldest_ns.map(|oldest_ns| now_ns.saturating_sub(oldest_ns)),
            connections: self.open_connections,
            offered: self.budget.offered(),
            users: groups
                .iter()
                .filter_map(|group| group.users)
                .reduce(u64::wrapping_add),
            groups,
        }
    }

    fn group_gauges(&mut self, group: usize, now_ns: u64) -> GroupGauges {
        let (open, most_open) = self.sessions.open(group);
        // Looking at each lane costs, so only where a rule asks.
        let oldest_ns = if self.limits.watched_groups[group] {
            self.oldest_intended_in(group)
        } else {
            None
        };
        GroupGauges {
            users: self.offers.active_users(group, now_ns),
            open,
            most_open,
            oldest_pending_ns: oldest_ns.map(|oldest_ns| now_ns.saturating_sub(oldest_ns)),
        }
    }

    /// When the oldest request was intended that has no outcome yet: of those that were written, that wait
    /// for a stream, for a connection and for a lane, each the one that has done so for longest.
    fn oldest_intended_ns(&self) -> Option<u64> {
        let connecting = self.connecting.first_entry().and_then(|slot| {
            let tag = self.connections[slot].waiting.front()?;
            Some(self.lane_of(slot, *tag))
        });
        let lanes = [
            self.in_flight.first_entry(),
            self.waits.first_entry(),
            connecting,
        ];
        let intended_ns = |lane: usize| Some(self.lanes[lane].exchange.as_ref()?.intended_ns);
        let in_lanes = lanes.into_iter().flatten().filter_map(intended_ns);
        let groups = 0..self.offers.groups();
        let for_lanes = groups.filter_map(|group| self.offers.first_waiting_ns(group));
        in_lanes.chain(for_lanes).min()
    }

    /// The same of one group.
    fn oldest_intended_in(&self, group: usize) -> Option<u64> {
        let homes = self.offers.homes_of(group);
        let lanes = homes.start * self.limits.streams..homes.end * self.limits.streams;
        let exchanges = self.lanes[lanes].iter().filter_map(|lane| lane.exchange);
        let in_lanes = exchanges.map(|exchange| exchange.intended_ns);
        in_lanes.chain(self.offers.first_waiting_ns(group)).min()
    }
}
