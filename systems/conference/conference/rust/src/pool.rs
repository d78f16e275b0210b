//! A fixed number of sessions, opened in the background and replaced where they are lost.
//!
//! The pool of sqlx opens connections when they are needed, and bounds by one limit the wait for one and
//! the making of it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::mysql::{MySqlConnectOptions, MySqlSslMode};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::config::DatabaseConfig;
use crate::log::{Level, Log};
use crate::session::{Failure, Session, Statement};

/// Lies between two attempts to open a connection.
const REOPEN_INTERVAL: Duration = Duration::from_millis(500);

/// Lends sessions.
#[derive(Clone)]
pub struct Pool(Arc<Inner>);

struct Inner {
    options: MySqlConnectOptions,
    timeout: Duration,
    idle: Mutex<VecDeque<Session>>,
    /// One permit for each idle session; whoever has one may take a session.
    available: Semaphore,
    log: Log,
}

impl Pool {
    /// Returns at once; sessions come as the database lets them. Must be called on a runtime.
    pub fn open(config: &DatabaseConfig, log: Log) -> Self {
        let options = MySqlConnectOptions::new()
            .host(&config.host)
            .port(config.port)
            .username(&config.user)
            .password(&config.password)
            .database(&config.name)
            .ssl_mode(MySqlSslMode::Disabled)
            // The log-in says utf8mb4. What else the driver would set needs a statement, and is not used.
            .set_names(false)
            .timezone(None)
            .pipes_as_concat(false)
            .no_engine_substitution(false)
            .disable_statement_logging();
        let pool = Self(Arc::new(Inner {
            options,
            timeout: config.timeout,
            idle: Mutex::default(),
            available: Semaphore::new(0),
            log,
        }));
        for _ in 0..config.pool_size {
            pool.add();
        }
        pool
    }

    /// Runs a statement on a session. It ends also where nobody waits for it any more: a connection that
    /// is left in the middle of an answer is of no use to anybody.
    ///
    /// # Errors
    /// There is no session in time, or the statement failed.
    pub async fn run<S: Statement>(&self, statement: S) -> Result<S::Output, Failure> {
        let mut session = self.take().await?;
        let pool = self.clone();
        let running = tokio::spawn(async move {
            let result = statement.run(&mut session).await;
            pool.give_back(session, result.as_ref().err());
            result
        });
        running.await.expect("a statement does not panic")
    }

    async fn take(&self) -> Result<Session, Failure> {
        let wait = timeout(self.0.timeout, self.0.available.acquire());
        let permit = wait.await.map_err(|_| Failure::NoConnection)?;
        permit.expect("it is never closed").forget();
        Ok(self.pop())
    }

    fn give_back(&self, session: Session, failure: Option<&Failure>) {
        if failure.is_some_and(Failure::is_lost) {
            // Closed before another one is opened: there are never too many.
            drop(session);
            self.add();
        } else {
            self.push(session);
        }
        if failure.is_some_and(Failure::is_ended) {
            self.renew();
        }
    }

    /// Replaces what is idle. A server that has ended one connection has mostly ended all, and nothing
    /// tells so of those that nobody uses.
    fn renew(&self) {
        while let Ok(permit) = self.0.available.try_acquire() {
            permit.forget();
            drop(self.pop());
            self.add();
        }
    }

    /// Opens a session in the background, however often it takes.
    fn add(&self) {
        let pool = self.clone();
        tokio::spawn(async move {
            loop {
                match timeout(pool.0.timeout, pool.0.options.connect()).await {
                    Ok(Ok(connection)) => {
                        return pool.push(Session::new(connection, pool.0.timeout));
                    }
                    Ok(Err(error)) => pool.say_unreached(&error),
                    Err(late) => pool.say_unreached(&late),
                }
                sleep(REOPEN_INTERVAL).await;
            }
        });
    }

    fn say_unreached(&self, cause: &dyn std::error::Error) {
        let what = "cannot connect to the database";
        self.0.log.say(Level::Debug, what, cause);
    }

    fn push(&self, session: Session) {
        self.idle().push_back(session);
        self.0.available.add_permits(1);
    }

    fn pop(&self) -> Session {
        self.idle().pop_front().expect("one for each permit")
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, VecDeque<Session>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
