//! The files of a load: opened together, written interval by interval.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::hlog::HistogramLog;
use crate::merge::MergedInterval;
use crate::samples::Sample;
use crate::timeline;

/// The three files of one load.
pub struct Records {
    operations: Vec<String>,
    histograms: HistogramLog<BufWriter<File>>,
    timeline: BufWriter<File>,
    samples: BufWriter<File>,
}

fn create(folder: &Path, name: &str) -> Result<BufWriter<File>> {
    let path = folder.join(name);
    let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(BufWriter::new(file))
}

impl Records {
    /// Creates the folder, if need be, and the files.
    ///
    /// # Errors
    /// Names the path that cannot be written.
    pub fn create(folder: &Path, operations: Vec<String>, started_unix_ns: u64) -> Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        Ok(Self {
            operations,
            histograms: HistogramLog::new(create(folder, "histograms.hlog")?, started_unix_ns)?,
            timeline: create(folder, "timeline.ndjson")?,
            samples: create(folder, "samples.ndjson")?,
        })
    }

    /// Writes one interval to all files and flushes them.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn interval(&mut self, interval: &MergedInterval) -> Result<()> {
        self.histograms
            .write(interval, &self.operations)
            .context("cannot write histograms.hlog")?;
        let line = timeline::line(interval, &self.operations)?;
        writeln!(self.timeline, "{line}").context("cannot write timeline.ndjson")?;
        self.timeline
            .flush()
            .context("cannot write timeline.ndjson")?;
        self.samples.flush().context("cannot write samples.ndjson")
    }

    /// Writes one kept response.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn sample(&mut self, sample: &Sample) -> Result<()> {
        let line = sample.to_json(&self.operations[sample.operation]);
        writeln!(self.samples, "{line}").context("cannot write samples.ndjson")
    }
}
