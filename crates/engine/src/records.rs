//! The files of a load: opened together, written interval by interval.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::hlog::HistogramLog;
use crate::merge::MergedInterval;
use crate::own_health::LimitCause;
use crate::raw;
use crate::samples::Sample;
use crate::timeline;

/// The files of one load.
pub struct Records {
    operations: Vec<String>,
    histograms: HistogramLog<BufWriter<File>>,
    timeline: BufWriter<File>,
    samples: BufWriter<File>,
    requests: Option<BufWriter<File>>,
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
    pub fn create(
        folder: &Path,
        operations: Vec<String>,
        started_unix_ns: u64,
        records_requests: bool,
    ) -> Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let requests = if records_requests {
            let mut file = create(folder, "requests.bin")?;
            file.write_all(raw::header(&operations).as_bytes())
                .context("cannot write requests.bin")?;
            Some(file)
        } else {
            None
        };
        Ok(Self {
            requests,
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
    pub fn interval(&mut self, interval: &MergedInterval, limited_by: &[LimitCause]) -> Result<()> {
        self.histograms
            .write(interval, &self.operations)
            .context("cannot write histograms.hlog")?;
        let line = timeline::line(interval, limited_by, &self.operations)?;
        writeln!(self.timeline, "{line}").context("cannot write timeline.ndjson")?;
        self.timeline
            .flush()
            .context("cannot write timeline.ndjson")?;
        if let Some(file) = &mut self.requests {
            file.flush().context("cannot write requests.bin")?;
        }
        self.samples.flush().context("cannot write samples.ndjson")
    }

    /// Writes rows of one worker's requests.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn rows(&mut self, worker: usize, mut rows: Vec<u8>) -> Result<()> {
        raw::set_worker(&mut rows, worker);
        match &mut self.requests {
            Some(file) => file.write_all(&rows).context("cannot write requests.bin"),
            None => Ok(()),
        }
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
