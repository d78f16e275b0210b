//! The rings shared with the kernel: operations go in, completions come out.
//!
//! Everything that the kernel reads or writes while it works on an operation is owned here, so the
//! rest of the loop needs no `unsafe`: it names sockets and chunks, never addresses.

use io_uring::types::{CancelBuilder, Fd, SubmitArgs, Timespec};
use io_uring::{EnterFlags, IoUring, cqueue, opcode, squeue};
use rustix::event::PollFlags;
use rustix::fd::{IntoRawFd, OwnedFd, RawFd};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, SocketAddrAny};
use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::net::SocketAddr;
use std::time::Duration;

use super::buffers::{BUFFERS, Buffers};
use super::chunks::Chunks;
use super::operation_tag::{KernelOperation, OperationTag};
use super::unavailable::Unavailable;

/// Operations submitted at a time; more wait in the backlog.
const SUBMISSIONS: u32 = 256;

/// The only group of buffers.
const BUFFER_GROUP: u16 = 0;

/// The longest wait the kernel is asked for, far below where its sum with the time overflows.
const LONGEST_WAIT_NS: u64 = 3_600_000_000_000;

/// Waits of this length or longer are ended by a timeout that stands over many of them: setting the
/// CPU's timer for each wait, and taking it back, costs more than receiving.
const LONG_WAIT_NS: u64 = 5_000_000;

/// The end of an operation, or one of several results of it.
#[derive(Clone, Copy, Debug)]
pub struct Completion {
    /// Of what.
    pub tag: OperationTag,
    /// Bytes, or 0.
    pub result: Result<usize, Errno>,
    /// The buffer that was filled.
    pub buffer: Option<u16>,
    /// The operation goes on.
    pub more: bool,
}

/// Memory that the kernel may read or write at any time.
struct Memory {
    buffers: Buffers,
    chunks: Chunks,
    address: Box<SocketAddrAny>,
    timeout: Box<Timespec>,
}

/// The rings of one worker; to be used by the thread that made them, and no other.
pub struct Ring {
    io: IoUring,
    memory: ManuallyDrop<Memory>,
    /// What did not fit into the submission ring.
    backlog: VecDeque<squeue::Entry>,
    /// Operations that have not ended, but for unattended ones, which point to no memory.
    active: usize,
    enter_flags: EnterFlags,
    /// When the standing timeout will end a wait, or has.
    stands_until_ns: u64,
}

impl Ring {
    /// Rings for so many sockets, all to `address`.
    ///
    /// # Errors
    /// If the kernel does not allow them, or lacks something.
    pub fn new(address: SocketAddr, slots: usize) -> Result<Self, Unavailable> {
        // Room for all completions that can come at once, so that they stay in order: each data
        // completion takes a buffer, each socket has few other operations.
        let completions = (4 * slots + 2 * usize::from(BUFFERS)).next_power_of_two();
        let io = IoUring::builder()
            .setup_cqsize(u32::try_from(completions).unwrap_or(u32::MAX))
            .setup_clamp()
            .setup_submit_all()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .build(SUBMISSIONS)
            .map_err(|error| Unavailable::because("deferred task work", errno(&error)))?;
        if !io.params().is_feature_ext_arg() || !io.params().is_feature_nodrop() {
            return Err(Unavailable::TooOld("wait with a timeout"));
        }
        let mut enter_flags = EnterFlags::GETEVENTS;
        // An idle engine must not look like one that waits for a disk.
        if io.params().is_feature_no_iowait() {
            enter_flags |= EnterFlags::NO_IOWAIT;
        }
        let memory = Memory {
            buffers: Buffers::new(),
            chunks: Chunks::default(),
            address: Box::new(address.into()),
            timeout: Box::default(),
        };
        let ring = Self {
            io,
            memory: ManuallyDrop::new(memory),
            backlog: VecDeque::new(),
            active: 0,
            enter_flags,
            stands_until_ns: 0,
        };
        // SAFETY: the ring of buffers lives in `memory`, which outlives the kernel's use: see `drop`.
        let registered = unsafe {
            let address = ring.memory.buffers.ring_address();
            let submitter = ring.io.submitter();
            submitter.register_buf_ring_with_flags(address, BUFFERS, BUFFER_GROUP, 0)
        };
        registered.map_err(|error| Unavailable::because("ring of buffers", errno(&error)))?;
        Ok(ring)
    }

    /// The buffers that the kernel fills.
    pub fn buffers(&mut self) -> &mut Buffers {
        &mut self.memory.buffers
    }

    /// The chunks that the kernel sends.
    pub fn chunks(&mut self) -> &mut Chunks {
        &mut self.memory.chunks
    }

    /// Connects a socket.
    pub fn connect(&mut self, socket: RawFd, tag: OperationTag) {
        let address = &self.memory.address;
        let (pointer, length) = (address.as_ptr().cast(), address.addr_len());
        self.push(
            opcode::Connect::new(Fd(socket), pointer, length).build(),
            tag,
        );
    }

    /// Receives into buffers whatever arrives, until the end or until there is no buffer.
    pub fn receive(&mut self, socket: RawFd, tag: OperationTag) {
        let entry = opcode::RecvMulti::new(Fd(socket), BUFFER_GROUP).build();
        self.push(entry, tag);
    }

    /// Sends all of a chunk.
    #[allow(
        clippy::cast_possible_wrap,
        clippy::cast_possible_truncation,
        reason = "flags are bits; a chunk is small"
    )]
    pub fn send(&mut self, socket: RawFd, chunk: u32, slot: usize) {
        let bytes = self.memory.chunks.address(chunk);
        let length = self.memory.chunks.cargo(chunk).length as u32;
        let flags = SendFlags::NOSIGNAL.bits() | RecvFlags::WAITALL.bits();
        let entry = opcode::Send::new(Fd(socket), bytes, length)
            .flags(flags as i32)
            .build();
        let tag = OperationTag {
            operation: KernelOperation::Send,
            which: chunk,
            slot,
        };
        self.push(entry, tag);
    }

    /// Tells whenever something arrives on a socket; the results are poll flags.
    pub fn watch_readable(&mut self, socket: RawFd, tag: OperationTag) {
        let events = u32::from((PollFlags::IN | PollFlags::RDHUP).bits());
        let entry = opcode::PollAdd::new(Fd(socket), events).multi(true).build();
        self.push(entry, tag);
    }

    /// Tells once when a socket takes bytes.
    pub fn watch_writable(&mut self, socket: RawFd, tag: OperationTag) {
        let events = u32::from(PollFlags::OUT.bits());
        self.push(opcode::PollAdd::new(Fd(socket), events).build(), tag);
    }

    /// Tells whenever the waker is written to.
    pub fn watch_waker(&mut self, waker: RawFd) {
        let events = u32::from(PollFlags::IN.bits());
        let entry = opcode::PollAdd::new(Fd(waker), events).multi(true).build();
        self.push(entry, OperationTag::of(KernelOperation::Wake));
    }

    /// Ends an operation early; it completes as cancelled.
    pub fn cancel(&mut self, of: OperationTag) {
        let entry = opcode::AsyncCancel::new(of.pack()).build();
        self.push_unattended(entry);
    }

    /// Closes a socket after all that was asked for before; its number stays taken until then.
    pub fn close(&mut self, socket: OwnedFd) {
        let entry = opcode::Close::new(Fd(socket.into_raw_fd())).build();
        self.push_unattended(entry);
    }

    fn push_unattended(&mut self, entry: squeue::Entry) {
        let entry = entry.flags(squeue::Flags::SKIP_SUCCESS);
        let tag = OperationTag::of(KernelOperation::Unattended);
        self.backlog.push_back(entry.user_data(tag.pack()));
        self.fill();
    }

    fn push(&mut self, entry: squeue::Entry, tag: OperationTag) {
        self.active += 1;
        self.backlog.push_back(entry.user_data(tag.pack()));
        self.fill();
    }

    /// Moves as much of the backlog as fits into the submission ring.
    fn fill(&mut self) {
        let mut submissions = self.io.submission();
        while let Some(entry) = self.backlog.front() {
            // SAFETY: what entries point to lies in `memory`. The kernel copies the address when it
            // takes the entry; a chunk stays as it is until its completion; `drop` waits for both.
            if unsafe { submissions.push(entry) }.is_err() {
                return;
            }
            self.backlog.pop_front();
        }
    }

    /// Gives the kernel what was asked for since the last call.
    ///
    /// # Errors
    /// If the kernel refuses for good; what it does not take for now is given later.
    pub fn submit(&mut self) -> Result<(), Errno> {
        loop {
            self.fill();
            if self.io.submission().is_empty() {
                return Ok(());
            }
            match self.io.submit().map_err(|error| errno(&error)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(Errno::AGAIN | Errno::BUSY) => return Ok(()),
                Err(errno) => return Err(errno),
            }
        }
    }

    /// Gives the kernel what was asked for, and waits until something completes, at most until the
    /// deadline. Both times are of one clock, always the same.
    ///
    /// # Errors
    /// If the kernel refuses to wait; a timeout or an interruption is no error.
    pub fn wait_until(&mut self, now_ns: u64, deadline_ns: u64) -> Result<(), Errno> {
        let timeout_ns = deadline_ns.saturating_sub(now_ns).min(LONGEST_WAIT_NS);
        if timeout_ns < LONG_WAIT_NS {
            return self.wait(timeout_ns);
        }
        self.stand(now_ns, timeout_ns);
        self.enter(1, None)
    }

    /// Gives the kernel what was asked for, and waits until something completes, at most so long.
    ///
    /// # Errors
    /// As `wait_until`.
    pub fn wait(&mut self, timeout_ns: u64) -> Result<(), Errno> {
        let timeout = Timespec::from(Duration::from_nanos(timeout_ns));
        let arguments = SubmitArgs::new().timespec(&timeout);
        self.enter(u32::from(timeout_ns > 0), Some(&arguments))
    }

    fn enter(&mut self, wanted: u32, arguments: Option<&SubmitArgs<'_, '_>>) -> Result<(), Errno> {
        self.fill();
        if !self.backlog.is_empty() {
            self.submit()?;
        }
        let submissions = u32::try_from(self.io.submission().len()).unwrap_or(u32::MAX);
        let mut flags = self.enter_flags;
        if arguments.is_some() {
            flags |= EnterFlags::EXT_ARG;
        }
        // SAFETY: the arguments live until the call returns; submissions as in `fill`.
        let entered = unsafe {
            let submitter = self.io.submitter();
            submitter.enter(submissions, wanted, flags.bits(), arguments)
        };
        match entered.map_err(|error| errno(&error)) {
            Ok(_) | Err(Errno::TIME | Errno::INTR | Errno::AGAIN | Errno::BUSY) => Ok(()),
            Err(errno) => Err(errno),
        }
    }

    /// Sees to it that a timeout ends the wait in so long, or before.
    fn stand(&mut self, now_ns: u64, timeout_ns: u64) {
        let until_ns = now_ns + timeout_ns;
        if self.stands_until_ns > now_ns && self.stands_until_ns <= until_ns {
            return;
        }
        self.stands_until_ns = until_ns;
        *self.memory.timeout = Timespec::from(Duration::from_nanos(timeout_ns));
        let timeout: *const Timespec = &raw const *self.memory.timeout;
        self.push_unattended(opcode::Timeout::new(timeout).build());
    }

    /// The next completion that came with a `submit` or `wait`.
    pub fn next_completion(&mut self) -> Option<Completion> {
        let entry = self.io.completion().next()?;
        let tag = OperationTag::unpack(entry.user_data());
        let more = cqueue::more(entry.flags());
        if tag.operation != KernelOperation::Unattended && !more {
            self.active -= 1;
        }
        Some(Completion {
            tag,
            result: usize::try_from(entry.result())
                .map_err(|_| Errno::from_raw_os_error(-entry.result())),
            buffer: cqueue::buffer_select(entry.flags()),
            more,
        })
    }

    /// How many operations the kernel works on.
    pub fn active(&self) -> usize {
        self.active
    }

    /// Whether the kernel holds completions back that did not fit: later bytes of a socket must not
    /// be received before them.
    pub fn is_overflown(&mut self) -> bool {
        self.io.submission().cq_overflow()
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // What is left: closing sockets.
        let submitted = self.submit();
        // Cancels nothing if the loop has ended its operations: slow for many, so a last resort.
        let is_idle = self.active == 0 || {
            let everything = CancelBuilder::any();
            let cancelled = self.io.submitter().register_sync_cancel(None, everything);
            cancelled.is_ok()
        };
        if submitted.is_ok() && is_idle {
            // SAFETY: the kernel works on no operation any more, so nothing uses the memory; it is
            // not used here again. Otherwise it is left to the end of the process.
            unsafe { ManuallyDrop::drop(&mut self.memory) };
        }
    }
}

fn errno(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}
