//! The files of a load: opened together, written interval by interval.

use anyhow::Result;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

use crate::host::own_quota::Throttled;
use crate::interval_rules::own_health::LimitCause;
use crate::record::merged_interval::MergedInterval;
use crate::record::request_rows;
use crate::record::row_backlog;
use crate::record::samples::Sample;
use crate::report::histogram_log::HistogramLog;
use crate::report::timeline;
use crate::report::user_facts::UserColumns;

const HISTOGRAMS: &str = "histograms.hlog";
const TIMELINE: &str = "timeline.ndjson";
const SAMPLES: &str = "samples.ndjson";
const REQUESTS: &str = "requests.bin";
const USERS: &str = "users.json";

/// A file that the disk does not take: it is full, or the file may not grow further.
#[derive(Debug, Error)]
#[error("cannot write {}", path.display())]
pub struct Unwritable {
    path: PathBuf,
    source: io::Error,
}

/// The files of one load.
pub struct RecordFiles {
    folder: PathBuf,
    operations: Vec<String>,
    histograms: HistogramLog<BufWriter<File>>,
    timeline: BufWriter<File>,
    samples: BufWriter<File>,
    requests: Option<BufWriter<File>>,
}

fn unwritable(path: PathBuf) -> impl FnOnce(io::Error) -> Unwritable {
    |source| Unwritable { path, source }
}

fn create(folder: &Path, name: &str) -> Result<BufWriter<File>, Unwritable> {
    let path = folder.join(name);
    let file = File::create(&path).map_err(unwritable(path))?;
    Ok(BufWriter::new(file))
}

impl RecordFiles {
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
        fs::create_dir_all(folder).map_err(unwritable(folder.to_owned()))?;
        // It is written at the end: a load that does not come to it leaves none.
        let _ = fs::remove_file(folder.join(USERS));
        let requests = if records_requests {
            let mut file = create(folder, REQUESTS)?;
            file.write_all(request_rows::header(&operations).as_bytes())
                .map_err(unwritable(folder.join(REQUESTS)))?;
            Some(file)
        } else {
            None
        };
        let histograms = HistogramLog::new(create(folder, HISTOGRAMS)?, started_unix_ns)
            .map_err(unwritable(folder.join(HISTOGRAMS)))?;
        Ok(Self {
            requests,
            operations,
            histograms,
            timeline: create(folder, TIMELINE)?,
            samples: create(folder, SAMPLES)?,
            folder: folder.to_owned(),
        })
    }

    /// Writes one interval to all files and flushes them.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn interval(
        &mut self,
        interval: &MergedInterval,
        throttled: Option<Throttled>,
        limited_by: &[LimitCause],
    ) -> Result<()> {
        let failed = |name: &str| unwritable(self.folder.join(name));
        self.histograms
            .write(interval, &self.operations)
            .map_err(failed(HISTOGRAMS))?;
        let line = timeline::line(interval, throttled, limited_by, &self.operations)?;
        writeln!(self.timeline, "{line}").map_err(failed(TIMELINE))?;
        self.timeline.flush().map_err(failed(TIMELINE))?;
        if let Some(file) = &mut self.requests {
            file.flush().map_err(failed(REQUESTS))?;
        }
        self.samples.flush().map_err(failed(SAMPLES))?;
        Ok(())
    }

    /// Writes rows of one worker's requests.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn rows(&mut self, worker: usize, mut rows: Vec<u8>) -> Result<()> {
        request_rows::set_worker(&mut rows, worker);
        if let Some(file) = &mut self.requests {
            file.write_all(&rows)
                .map_err(unwritable(self.folder.join(REQUESTS)))?;
        }
        Ok(())
    }

    /// That the disk has fallen too far behind with the rows.
    #[must_use]
    pub fn rows_wait(&self) -> Unwritable {
        let text = format!(
            "the disk takes rows more slowly than they come, and {} MiB of them wait; let \
             record_requests be false, or write to a faster disk",
            row_backlog::MOST_BYTES >> 20
        );
        unwritable(self.folder.join(REQUESTS))(io::Error::other(text))
    }

    /// Writes what each user got.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn users(&self, users: &UserColumns) -> Result<()> {
        let text = serde_json::to_string(users)?;
        let path = self.folder.join(USERS);
        fs::write(&path, text).map_err(unwritable(path))?;
        Ok(())
    }

    /// Writes one kept response.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn sample(&mut self, sample: &Sample) -> Result<()> {
        let line = sample.to_json(&self.operations[sample.operation]);
        writeln!(self.samples, "{line}").map_err(unwritable(self.folder.join(SAMPLES)))?;
        Ok(())
    }
}
