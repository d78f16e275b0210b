//! Bounds what a peer may make this client do for nothing: read frames that advance no stream, and
//! keep replies that the peer never reads.
//!
//! Left out: a bound in time. A peer that sends such frames slowly is met by the requests' timeouts.

use super::error::Http2Error;

/// Most frames in a row that bring no stream on: a hundred times what a busy proxy sends (an
/// update of the connection's and of a stream's window for each piece of a request's body).
pub const MAX_IDLE_FRAMES: u32 = 10_000;
/// Most replies (acknowledgements, resets) that wait to be written: 170 KB of PING.
pub const MAX_WAITING_REPLIES: u32 = 10_000;

/// The two counters of one connection.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flood {
    idle_frames: u32,
    waiting_replies: u32,
}

impl Flood {
    /// A stream came on: a response's bytes came, or a request's were sent.
    pub fn progress(&mut self) {
        self.idle_frames = 0;
    }

    /// All replies were taken to be written.
    pub fn written(&mut self) {
        self.waiting_replies = 0;
    }

    /// A frame that brings no stream on.
    ///
    /// # Errors
    /// If there were too many in a row.
    pub fn idle_frame(&mut self) -> Result<(), Http2Error> {
        self.idle_frames += 1;
        if self.idle_frames > MAX_IDLE_FRAMES {
            return Err(Http2Error::Flood);
        }
        Ok(())
    }

    /// A frame that has to be answered.
    ///
    /// # Errors
    /// If too many answers wait to be written.
    pub fn reply(&mut self) -> Result<(), Http2Error> {
        self.waiting_replies += 1;
        if self.waiting_replies > MAX_WAITING_REPLIES {
            return Err(Http2Error::Flood);
        }
        Ok(())
    }
}
