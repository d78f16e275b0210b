//! What the kernel hands back with each completion: which operation it was, and of which slot.

/// What the kernel was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelOperation {
    /// Nobody waits for its end: closing, or cancelling another.
    Unattended,
    /// To tell when the waker is written to.
    Wake,
    /// To connect a socket.
    Connect,
    /// To receive whatever arrives.
    Receive,
    /// To tell when there is something to receive.
    Readable,
    /// To tell when a socket takes more bytes.
    Writable,
    /// To send a chunk.
    Send,
}

const ALL: [KernelOperation; 7] = [
    KernelOperation::Unattended,
    KernelOperation::Wake,
    KernelOperation::Connect,
    KernelOperation::Receive,
    KernelOperation::Readable,
    KernelOperation::Writable,
    KernelOperation::Send,
];

/// Names one operation; no other that the kernel works on has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationTag {
    /// What was asked for.
    pub operation: KernelOperation,
    /// Which socket of the slot: tells it from an earlier one. Of `Send`: which chunk.
    pub which: u32,
    /// The slot of the socket.
    pub slot: usize,
}

/// Generations and chunks are counted in 24 bits.
pub const WHICH_MASK: u32 = 0xFF_FFFF;

impl OperationTag {
    /// The tag of an operation that belongs to no slot.
    pub const fn of(operation: KernelOperation) -> Self {
        Self {
            operation,
            which: 0,
            slot: 0,
        }
    }

    /// The tag as the number that the kernel keeps.
    pub fn pack(self) -> u64 {
        (self.operation as u64) << 56
            | u64::from(self.which & WHICH_MASK) << 32
            | self.slot as u64 & u64::from(u32::MAX)
    }

    /// The tag that was packed into this number.
    #[allow(clippy::cast_possible_truncation, reason = "the fields of `pack`")]
    pub fn unpack(packed: u64) -> Self {
        Self {
            operation: ALL[(packed >> 56) as usize % ALL.len()],
            which: (packed >> 32) as u32 & WHICH_MASK,
            slot: packed as u32 as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_tag_comes_back_as_it_went(operation in 0..ALL.len(), which in 0..=WHICH_MASK, slot in 0..u32::MAX) {
            let tag = OperationTag { operation: ALL[operation], which, slot: slot as usize };
            prop_assert_eq!(OperationTag::unpack(tag.pack()), tag);
        }
    }
}
