//! Adds up the intervals of a load, and what workers counted beside them, and checks that it adds up.

use anyhow::{Result, ensure};
use std::collections::BTreeMap;

use crate::outcome::OutcomeCounts;
use crate::plan::Plan;
use crate::plan::cells::Cell;
use crate::record::answer_kinds::AnswerKinds;
use crate::record::clock_histogram::SplitSums;
use crate::record::interval_stats::IntervalStats;
use crate::record::lag_causes::LagCauses;
use crate::record::request_clock::RequestClock;
use crate::record::step_counts::{AnswerCounts, GroupCounts, OperationCounts};
use crate::record::worker_interval::Gauges;
use crate::record::worker_totals::WorkerTotals;
use crate::report::answer_facts::AnswerFacts;
use crate::report::group_facts::{GroupFacts, GroupSums, SessionSums};
use crate::report::request_facts::{
    ClockSplitSummary, ClockSummaries, NotSentCauses, OperationFacts, Outcomes,
};
use crate::report::user_facts::UserFacts;

/// Adds up intervals to the facts of a whole load.
#[derive(Clone, Debug)]
pub struct LoadSums {
    cells: Vec<CellSums>,
    sessions: Vec<SessionSums>,
    operations: Vec<OperationCounts>,
    groups: Vec<GroupCounts>,
    connect: SplitSums,
    tls: SplitSums,
}

#[derive(Clone, Debug, Default)]
struct CellSums {
    outcomes: OutcomeCounts,
    bytes_sent: u64,
    bytes_received: u64,
    clocks: [SplitSums; RequestClock::COUNT],
    lag_causes: LagCauses,
    kinds: AnswerKinds,
    answers: AnswerCounts,
}

impl LoadSums {
    /// Nothing yet, of so many cells, operations and groups.
    #[must_use]
    pub fn new(cells: usize, operations: usize, groups: usize) -> Self {
        Self {
            cells: vec![CellSums::default(); cells],
            sessions: vec![SessionSums::default(); groups],
            operations: vec![OperationCounts::default(); operations],
            groups: vec![GroupCounts::default(); groups],
            connect: SplitSums::default(),
            tls: SplitSums::default(),
        }
    }

    /// Adds one interval.
    pub fn add(&mut self, stats: &IntervalStats, gauges: &Gauges) {
        for (sums, cell) in self.cells.iter_mut().zip(&stats.cells) {
            sums.outcomes.add(&cell.outcomes);
            sums.bytes_sent += cell.bytes_sent;
            sums.bytes_received += cell.bytes_received;
            sums.lag_causes.add(&cell.lag_causes);
            for name in RequestClock::ALL {
                sums.clocks[name as usize].add(cell.clock(name));
            }
        }
        SessionSums::add(&mut self.sessions, stats, gauges);
        self.connect.add(&stats.connections.connect);
        self.tls.add(&stats.connections.tls);
    }

    /// Adds what one worker counted beside its intervals.
    pub fn add_totals(&mut self, totals: &WorkerTotals) {
        for (sums, kinds) in self.cells.iter_mut().zip(&totals.kinds) {
            sums.kinds.add(kinds);
        }
        for (sums, answers) in self.cells.iter_mut().zip(&totals.answers) {
            sums.answers.add(answers);
        }
        for (sums, counts) in self.operations.iter_mut().zip(&totals.operations) {
            sums.add(counts);
        }
        for (sums, counts) in self.groups.iter_mut().zip(&totals.groups) {
            sums.add(counts);
        }
    }

    /// Connect and TLS times.
    #[must_use]
    pub fn connections(&self) -> (ClockSplitSummary, ClockSplitSummary) {
        ((&self.connect).into(), (&self.tls).into())
    }

    /// Outcomes over all cells.
    #[must_use]
    pub fn outcomes(&self) -> OutcomeCounts {
        together(&self.cells)
    }

    /// Checks what must be equal, whatever happened; if it is not, that is a bug.
    ///
    /// # Errors
    /// Names what does not add up.
    pub fn check(&self, plan: &Plan, cells: &[Cell], offered: u64) -> Result<()> {
        const BUG: &str =
            "this is a bug of the engine, and the figures of this load cannot be trusted";
        let total = self.outcomes().total();
        ensure!(
            total == offered,
            "{offered} requests were offered and {total} have an outcome: {BUG}"
        );
        for (group, sessions) in plan.groups.iter().zip(&self.sessions) {
            let (begun, ended) = sessions.begun_and_ended();
            let name = &group.group;
            ensure!(
                begun == ended,
                "group {name}: {begun} sessions have begun and {ended} are finished, aborted or cut: {BUG}"
            );
        }
        let mut offered = vec![0; self.operations.len()];
        for (cell, sums) in cells.iter().zip(&self.cells) {
            offered[cell.operation] += sums.outcomes.total();
        }
        let names = plan.groups.iter().flat_map(|group| &group.operations);
        for ((counts, offered), operation) in self.operations.iter().zip(offered).zip(names) {
            let (planned, skipped) = (counts.planned, counts.skipped);
            let unreached = counts.unreached.total();
            let name = &operation.cell;
            ensure!(
                planned == offered + skipped + unreached,
                "operation {name}: sessions had {planned} such steps, of which {offered} were offered, \
                 {skipped} left out and {unreached} not reached: {BUG}"
            );
        }
        Ok(())
    }

    /// The facts of each cell, by name.
    #[must_use]
    pub fn operations(&self, plan: &Plan, cells: &[Cell]) -> BTreeMap<String, OperationFacts> {
        let named = cells.iter().zip(&self.cells);
        let named = named.map(|(cell, sums)| {
            let counts = if cell.status.is_none() {
                self.operations[cell.operation]
            } else {
                OperationCounts::default()
            };
            (cell.name.clone(), sums.facts(plan, cell, &counts))
        });
        named.collect()
    }

    /// The facts of each group, by name.
    #[must_use]
    pub fn groups(
        &self,
        plan: &Plan,
        cells: &[Cell],
        by_user: impl Fn(usize) -> Option<UserFacts>,
    ) -> BTreeMap<String, GroupFacts> {
        let (mut facts, mut first) = (BTreeMap::new(), 0);
        for (index, group) in plan.groups.iter().enumerate() {
            let operations = &self.operations[first..first + group.operations.len()];
            first += group.operations.len();
            let of_group = cells.iter().zip(&self.cells);
            let of_group = of_group.filter(|(cell, _)| cell.group == index);
            let sums = GroupSums {
                sessions: &self.sessions[index],
                counts: &self.groups[index],
                operations,
                outcomes: together(of_group.map(|(_, sums)| sums)),
                by_user: by_user(index),
            };
            facts.insert(group.group.clone(), sums.facts(plan, group));
        }
        facts
    }
}

fn together<'a>(cells: impl IntoIterator<Item = &'a CellSums>) -> OutcomeCounts {
    let mut sum = OutcomeCounts::default();
    for cell in cells {
        sum.add(&cell.outcomes);
    }
    sum
}

impl CellSums {
    fn facts(&self, plan: &Plan, cell: &Cell, counts: &OperationCounts) -> OperationFacts {
        let clock = |name: RequestClock| (&self.clocks[name as usize]).into();
        let group = &plan.groups[cell.group];
        OperationFacts {
            group: group.group.clone(),
            operation: group.operations[cell.operation_of_group].operation.clone(),
            outcomes: Outcomes::from(&self.outcomes),
            not_sent: NotSentCauses::from(&self.outcomes),
            unreached: (&counts.unreached).into(),
            skipped: counts.skipped,
            failed_checks: self.answers.failed_checks.into(),
            statuses: self.answers.statuses().collect(),
            bytes_sent: self.bytes_sent,
            bytes_received: self.bytes_received,
            clocks: ClockSummaries {
                response_time: clock(RequestClock::ResponseTime),
                service_time: clock(RequestClock::ServiceTime),
                lag: clock(RequestClock::Lag),
                first_byte: clock(RequestClock::FirstByte),
                engine_lag: clock(RequestClock::EngineLag),
            },
            lag_causes: (&self.lag_causes).into(),
            answers: AnswerFacts::of(&self.kinds),
        }
    }
}
