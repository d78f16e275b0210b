//! `histograms.hlog`: an `HdrHistogram` V2 interval log, one histogram per interval and tag.
//!
//! Written by hand, since the library's writer borrows its output for as long as the log lives
//! and cannot be flushed. `StartTime` and `BaseTime` are both given: the Java reader takes
//! timestamps as relative to the base only if it is there, and offsets as relative to the start.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use std::io::{self, Write};

use crate::record::clock_histogram::{ClockHistogram, ClockSplit};
use crate::record::merged_interval::MergedInterval;
use crate::record::request_clock::RequestClock;

/// What the third column is divided by: the histograms hold nanoseconds, the column shows
/// milliseconds, as the Java tools do by default.
const MAX_VALUE_UNIT_RATIO: f64 = 1e6;

/// The log, and what it needs to write the next histogram.
pub struct HistogramLog<W> {
    output: W,
    serializer: V2DeflateSerializer,
    /// Over the whole range, which what is written states; each histogram passes through it.
    whole_range: ClockHistogram,
    payload: Vec<u8>,
}

impl<W: Write> HistogramLog<W> {
    /// Begins a log of a load that began at this Unix time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut output: W, started_unix_ns: u64) -> io::Result<Self> {
        let start = started_unix_ns as f64 / 1e9;
        writeln!(output, "#[Histogram log format version 1.3]")?;
        writeln!(output, "#[Values: nanoseconds; Interval_Max: milliseconds]")?;
        writeln!(output, "#[StartTime: {start:.3} (seconds since epoch)]")?;
        writeln!(output, "#[BaseTime: {start:.3} (seconds since epoch)]")?;
        writeln!(
            output,
            "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\""
        )?;
        Ok(Self {
            output,
            serializer: V2DeflateSerializer::new(),
            whole_range: ClockHistogram::full_range(),
            payload: Vec::new(),
        })
    }

    /// Writes every histogram of the interval that holds a value, and flushes.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, interval: &MergedInterval, operations: &[String]) -> io::Result<()> {
        for (name, stats) in operations.iter().zip(&interval.stats.operations) {
            for clock in RequestClock::ALL {
                let split = stats.clock(clock);
                let tag = format!("{name}/{}", clock.as_str());
                self.split(interval, &tag, split)?;
            }
        }
        for (tag, split) in interval.stats.connections.clocks() {
            self.split(interval, tag, split)?;
        }
        self.output.flush()
    }

    fn split(
        &mut self,
        interval: &MergedInterval,
        tag: &str,
        split: &ClockSplit,
    ) -> io::Result<()> {
        self.line(interval, &format!("{tag}/ok"), &split.ok)?;
        self.line(interval, &format!("{tag}/failed"), &split.failed)
    }

    fn line(
        &mut self,
        interval: &MergedInterval,
        tag: &str,
        stats: &ClockHistogram,
    ) -> io::Result<()> {
        if stats.histogram.is_empty() {
            return Ok(());
        }
        self.payload.clear();
        self.whole_range.clear();
        self.whole_range.add(stats);
        self.serializer
            .serialize(&self.whole_range.histogram, &mut self.payload)
            .map_err(|error| io::Error::other(error.to_string()))?;
        let seconds = |ns: u64| ns as f64 / 1e9;
        let max = stats.histogram.max() as f64 / MAX_VALUE_UNIT_RATIO;
        writeln!(
            self.output,
            "Tag={tag},{:.6},{:.6},{max:.3},{}",
            seconds(interval.start_ns),
            seconds(interval.end_ns - interval.start_ns),
            STANDARD.encode(&self.payload),
        )
    }
}
