//! How long the engine's own control groups kept it from running, since a CPU quota was used up.
//!
//! The quota may be that of any group above the process, so all of them are read.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where version 2 and the `cpu` controller of version 1 are mounted, by whoever mounts them.
const HIERARCHIES: [(&str, &str); 4] = [
    ("", "/sys/fs/cgroup"),
    ("", "/sys/fs/cgroup/unified"),
    ("cpu", "/sys/fs/cgroup/cpu"),
    ("cpu", "/sys/fs/cgroup/cpu,cpuacct"),
];

/// Times at which a quota was used up, and for how long threads were then kept from running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Throttled {
    /// Periods in which it was used up.
    pub periods: u64,
    /// For how long, all together.
    pub throttled_ns: u64,
}

impl Throttled {
    fn since(self, before: Self) -> Self {
        Self {
            periods: self.periods.saturating_sub(before.periods),
            throttled_ns: self.throttled_ns.saturating_sub(before.throttled_ns),
        }
    }

    /// Adds another time to this.
    pub fn add(&mut self, other: Self) {
        self.periods += other.periods;
        self.throttled_ns += other.throttled_ns;
    }
}

/// The control groups of this process that may have a quota.
#[derive(Debug)]
pub struct OwnQuota {
    files: Vec<PathBuf>,
    before: Throttled,
}

impl OwnQuota {
    /// From now on.
    #[must_use]
    pub fn watch() -> Self {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let mut own = Self {
            files: readable(files(&groups)),
            before: Throttled::default(),
        };
        own.before = own.read();
        own
    }

    /// What came since the last call; none where no group tells it.
    pub fn take(&mut self) -> Option<Throttled> {
        if self.files.is_empty() {
            return None;
        }
        let now = self.read();
        let since = now.since(self.before);
        self.before = now;
        Some(since)
    }

    fn read(&self) -> Throttled {
        let mut sum = Throttled::default();
        for file in &self.files {
            sum.add(throttled(file).unwrap_or_default());
        }
        sum
    }
}

/// The statistics of each group above the process, in every hierarchy that has quotas. In a namespace
/// of groups a path may not be found below the mount; the mount itself is the own group then.
fn files(groups: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) =
            (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        for (controller, mount) in HIERARCHIES {
            if !controllers.split(',').any(|each| each == controller) {
                continue;
            }
            let own = Path::new(path.trim_start_matches('/'));
            for group in own.ancestors() {
                files.push(Path::new(mount).join(group).join("cpu.stat"));
            }
        }
    }
    files
}

/// Those that tell of a quota, each once: `cpu` is often a link to `cpu,cpuacct`.
fn readable(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let told = files.into_iter().filter(|file| throttled(file).is_some());
    let real: BTreeSet<PathBuf> = told
        .filter_map(|file| fs::canonicalize(file).ok())
        .collect();
    real.into_iter().collect()
}

fn throttled(file: &Path) -> Option<Throttled> {
    throttled_of(&fs::read_to_string(file).ok()?)
}

/// Version 1 counts nanoseconds, version 2 microseconds.
fn throttled_of(text: &str) -> Option<Throttled> {
    let of = |name: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line?.trim().parse::<u64>().ok()
    };
    let throttled_ns = of("throttled_time").or_else(|| Some(of("throttled_usec")? * 1_000));
    Some(Throttled {
        periods: of("nr_throttled")?,
        throttled_ns: throttled_ns?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_are_read_in_nanoseconds() {
        let expected = Some(Throttled {
            periods: 3,
            throttled_ns: 5_000,
        });
        let version1 = "nr_periods 9\nnr_throttled 3\nthrottled_time 5000\n";
        let version2 = "usage_usec 8\nnr_periods 9\nnr_throttled 3\nthrottled_usec 5\n";
        assert_eq!(throttled_of(version1), expected);
        assert_eq!(throttled_of(version2), expected);
        assert_eq!(throttled_of("usage_usec 8\n"), None);
    }

    #[test]
    fn every_group_above_the_process_is_looked_at() {
        let found = files("4:memory:/m\n1:cpu,cpuacct:/a/b\n0::/\n");
        for expected in [
            "/sys/fs/cgroup/cpu/a/b/cpu.stat",
            "/sys/fs/cgroup/cpu/a/cpu.stat",
            "/sys/fs/cgroup/cpu/cpu.stat",
            "/sys/fs/cgroup/cpu.stat",
        ] {
            assert!(found.contains(&PathBuf::from(expected)), "{found:?}");
        }
        assert!(!found.iter().any(|file| file.starts_with("/m")));
    }

    #[test]
    fn a_group_that_is_mounted_twice_counts_once() {
        let mount = std::env::temp_dir().join(format!("own-quota-{}", std::process::id()));
        let group = mount.join("cpu,cpuacct");
        fs::create_dir_all(&group).expect("can be made");
        fs::write(
            group.join("cpu.stat"),
            "nr_throttled 3\nthrottled_time 5000\n",
        )
        .expect("is written");
        fs::write(mount.join("cpu.stat"), "usage_usec 8\n").expect("is written");
        std::os::unix::fs::symlink(&group, mount.join("cpu")).expect("can be linked");
        let files = ["cpu/cpu.stat", "cpu,cpuacct/cpu.stat", "cpu.stat", "none"];
        let found = readable(files.iter().map(|file| mount.join(file)).collect());
        fs::remove_dir_all(&mount).expect("can be removed");
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
