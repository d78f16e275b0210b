//! Whether the kernel really receives as the loop needs it, tried on a pair of sockets.
//!
//! Sandboxes pretend to be kernels whose `io_uring` they have only in part; asking for a version or
//! for a list of operations would not find that out.

use rustix::fd::AsRawFd;
use rustix::io::{Errno, write};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use super::operation_tag::{KernelOperation, OperationTag};
use super::ring::{Completion, Ring};
use super::unavailable::Unavailable;

/// Far longer than it takes on any machine, since nothing has to be waited for.
const PATIENCE_NS: u64 = 1_000_000_000;

/// Receives a byte and the end into buffers by one operation.
///
/// # Errors
/// If that does not happen.
pub fn receives(ring: &mut Ring) -> Result<(), Unavailable> {
    const STEP: &str = "multishot receive";
    let refused = |errno| Unavailable::because(STEP, errno);
    let (family, kind) = (AddressFamily::UNIX, SocketType::STREAM);
    let (near, far) = socketpair(family, kind, SocketFlags::CLOEXEC, None).map_err(refused)?;
    ring.receive(near.as_raw_fd(), OperationTag::of(KernelOperation::Receive));
    ring.submit().map_err(refused)?;
    write(&far, &[1]).map_err(refused)?;
    let byte = completion(ring).map_err(refused)?;
    drop(far);
    let end = completion(ring).map_err(refused)?;
    if let Some(index) = byte.buffer {
        let buffer = ring.buffers().filled(index, 1, 0);
        ring.buffers().give_back(buffer);
    }
    if byte.result == Ok(1) && byte.more && byte.buffer.is_some() && end.result == Ok(0) {
        Ok(())
    } else {
        Err(Unavailable::TooOld(STEP))
    }
}

fn completion(ring: &mut Ring) -> Result<Completion, Errno> {
    ring.wait(PATIENCE_NS)?;
    ring.next_completion().ok_or(Errno::TIMEDOUT)
}
