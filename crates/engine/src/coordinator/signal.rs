//! Turns SIGINT and SIGTERM into messages to the coordinator, and SIGXFSZ into a failed write.

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::{Handle, Signals};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};

use crate::worker::thread::Message;

/// Watches as long as it lives.
#[derive(Debug)]
pub struct SignalWatch {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

impl SignalWatch {
    /// Begins to watch.
    ///
    /// # Errors
    /// If a handler cannot be installed.
    pub fn start(messages: Sender<Message>) -> io::Result<Self> {
        // At the limit of a file's size the kernel kills, unless the signal is taken; then the write
        // fails like every other, and says which file it was.
        flag::register(SIGXFSZ, Arc::default())?;
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let handle = signals.handle();
        let thread = thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                for _ in signals.forever() {
                    if messages.send(Message::Signal).is_err() {
                        break;
                    }
                }
            })?;
        Ok(Self {
            handle,
            thread: Some(thread),
        })
    }
}

impl Drop for SignalWatch {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
