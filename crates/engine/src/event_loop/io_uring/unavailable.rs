//! Why there is no `io_uring` here.

use rustix::io::Errno;

/// Why the kernel gives no `io_uring`, or not all that the loop needs of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// ENOSYS: before Linux 5.1, built without it, or filtered as if it were.
    #[error("this kernel has no io_uring")]
    Missing,
    /// EPERM or EACCES: forbidden by the administrator or the container.
    #[error(
        "io_uring is forbidden here, by the sysctl kernel.io_uring_disabled or by a seccomp filter"
    )]
    Forbidden,
    /// Something is not there that Linux 6.1 has.
    #[error("this kernel's io_uring has no {0}; Linux 6.1 and newer have it")]
    TooOld(&'static str),
    /// Any other refusal.
    #[error("the kernel refuses io_uring at \"{0}\": {1}")]
    Refused(&'static str, Errno),
}

impl Unavailable {
    /// What the kernel's refusal of a step means; `EINVAL` is its word for what it does not know.
    pub fn because(step: &'static str, errno: Errno) -> Self {
        match errno {
            Errno::NOSYS => Self::Missing,
            Errno::PERM | Errno::ACCESS => Self::Forbidden,
            Errno::INVAL | Errno::OPNOTSUPP => Self::TooOld(step),
            _ => Self::Refused(step, errno),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_names_what_to_look_at() {
        let text = |errno| Unavailable::because("deferred task work", errno).to_string();
        assert!(text(Errno::PERM).contains("kernel.io_uring_disabled"));
        assert!(text(Errno::NOSYS).contains("no io_uring"));
        assert!(text(Errno::INVAL).contains("no deferred task work; Linux 6.1"));
        assert!(text(Errno::NOMEM).contains("deferred task work"));
    }
}
