//! Receives bytes with the kernel's stamp of their arrival.

use std::io;
use std::os::fd::RawFd;

use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg};
use nix::sys::time::TimeSpec;
use rustix::io::Errno;

use crate::clock::NANOSECONDS_PER_SECOND;

/// Room for what the kernel says beside the bytes.
pub fn control_space() -> Vec<u8> {
    nix::cmsg_space!(TimeSpec)
}

/// How many bytes came, and when by the real-time clock; the kernel leaves the stamp out of packets
/// that came within moments of the first request for stamps in the whole system.
///
/// # Errors
/// As of any receive.
pub fn receive_stamped(
    socket: RawFd,
    buffer: &mut [u8],
    control: &mut [u8],
) -> Result<(usize, Option<u64>), Errno> {
    let mut slices = [io::IoSliceMut::new(buffer)];
    let message = recvmsg::<()>(socket, &mut slices, Some(control), MsgFlags::empty())
        .map_err(|errno| Errno::from_raw_os_error(errno as i32))?;
    let mut stamps = message.cmsgs().into_iter().flatten();
    let stamp = stamps.find_map(|control| match control {
        ControlMessageOwned::ScmTimestampns(at) => {
            let seconds = u64::try_from(at.tv_sec()).ok()?;
            let nanoseconds = u64::try_from(at.tv_nsec()).ok()?;
            Some(seconds * NANOSECONDS_PER_SECOND + nanoseconds)
        }
        _ => None,
    });
    Ok((message.bytes, stamp))
}
