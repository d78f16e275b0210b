//! The echo backend as a process of the test.
#![allow(dead_code, reason = "each test file uses its part")]

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

pub struct Echo {
    process: Child,
    pub address: String,
}

impl Echo {
    pub fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_loadstone-echo"))
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("a piped stdout"))
            .read_line(&mut line)
            .expect("a line on stdout");
        let address = line
            .trim_end()
            .strip_prefix("listening on ")
            .expect("the line names the address")
            .to_owned();
        Self { process, address }
    }

    pub fn connect(&self) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(&self.address).expect("it accepts");
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .expect("a timeout can be set");
        BufReader::new(stream)
    }

    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args(["-s", name, &self.process.id().to_string()])
            .status()
            .expect("kill runs");
        assert!(status.success());
    }

    pub fn wait(mut self) -> ExitStatus {
        self.process.wait().expect("it ends")
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
