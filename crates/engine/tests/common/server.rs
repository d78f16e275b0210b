//! Servers of a few lines, each with its own way to answer.

use rustix::net::sockopt::set_socket_linger;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What a server does after a request.
pub enum Then {
    /// Waits for the next on the same connection.
    Keep,
    /// Closes the connection.
    Close,
    /// Resets the connection.
    Reset,
    /// Says nothing and keeps the connection open until the client closes it.
    Hang,
}

type Handler = dyn Fn(&mut TcpStream, &str, &[u8]) -> Then + Send + Sync;

/// A server that lives as long as the test.
pub struct Server {
    pub address: SocketAddr,
    requests: Arc<AtomicU64>,
    stopping: Arc<AtomicBool>,
    acceptor: Option<JoinHandle<()>>,
}

impl Server {
    /// Calls `handler` with each connection and each complete request's body.
    pub fn start(handler: impl Fn(&mut TcpStream, &[u8]) -> Then + Send + Sync + 'static) -> Self {
        Self::by_request(move |stream, _, body| handler(stream, body))
    }

    /// Calls `handler` also with the request line and the headers.
    pub fn by_request(
        handler: impl Fn(&mut TcpStream, &str, &[u8]) -> Then + Send + Sync + 'static,
    ) -> Self {
        let handler: Arc<Handler> = Arc::new(handler);
        let requests = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&requests);
        Self::accepting(requests, move |stream| {
            let (handler, counter) = (Arc::clone(&handler), Arc::clone(&counter));
            thread::spawn(move || serve(stream, handler.as_ref(), &counter));
        })
    }

    /// Always the same bytes.
    pub fn answering(answer: &'static [u8], then: fn() -> Then) -> Self {
        Self::start(move |stream, _| {
            let _ = stream.write_all(answer);
            then()
        })
    }

    /// The same, on an address that is not the usual one.
    pub fn on(address: &str, answer: &'static [u8]) -> Self {
        let handler: Arc<Handler> = Arc::new(move |stream, _, _| {
            let _ = stream.write_all(answer);
            Then::Keep
        });
        Self::listening(address, Arc::default(), move |stream| {
            let handler = Arc::clone(&handler);
            thread::spawn(move || serve(stream, handler.as_ref(), &AtomicU64::new(0)));
        })
    }

    /// Reads a little of each connection and resets it, whatever is still to come.
    pub fn resetting_in_mid_request() -> Self {
        Self::accepting(Arc::default(), |mut stream| {
            let _ = stream.read(&mut [0; 16]);
            reset(&stream);
        })
    }

    /// Calls `on_stream` with each connection; it must not block.
    pub fn accepting(
        requests: Arc<AtomicU64>,
        on_stream: impl Fn(TcpStream) + Send + 'static,
    ) -> Self {
        Self::listening("127.0.0.1:0", requests, on_stream)
    }

    fn listening(
        address: &str,
        requests: Arc<AtomicU64>,
        on_stream: impl Fn(TcpStream) + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).expect("a free port");
        let address = listener.local_addr().expect("is bound");
        let stopping = Arc::new(AtomicBool::new(false));
        let stopping_of_thread = Arc::clone(&stopping);
        let acceptor = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stopping_of_thread.load(Ordering::Acquire) {
                    break;
                }
                on_stream(stream);
            }
        });
        Self {
            address,
            requests,
            stopping,
            acceptor: Some(acceptor),
        }
    }

    /// Requests that were read completely.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Acquire)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Release);
        let _ = TcpStream::connect(self.address);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

pub fn reset(stream: &TcpStream) {
    // Closing with a linger time of zero sends RST instead of FIN.
    set_socket_linger(stream, Some(Duration::ZERO)).expect("a socket lingers");
}

fn serve(mut stream: TcpStream, handler: &Handler, counter: &AtomicU64) {
    let mut reader = BufReader::new(stream.try_clone().expect("a socket can be cloned"));
    while let Some((head, body)) = read_request(&mut reader) {
        counter.fetch_add(1, Ordering::AcqRel);
        match handler(&mut stream, &head, &body) {
            Then::Keep => {}
            Then::Close => {
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
            Then::Reset => return reset(&stream),
            Then::Hang => {
                let _ = reader.read_to_end(&mut Vec::new());
                return;
            }
        }
    }
}

fn read_request(reader: &mut impl BufRead) -> Option<(String, Vec<u8>)> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().expect("the engine writes a number");
        }
        if line == "\r\n" {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}
