//! A fixed number of sessions, opened in the background and replaced where they are lost.
//!
//! deadpool opens connections when they are needed, and does not fill up again what is lost while nobody
//! asks.

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_postgres::NoTls;
use tokio_postgres::config::SslMode;

use crate::config::DatabaseConfig;
use crate::failure::Failure;
use crate::log::{Level, Log};
use crate::session::Session;
use crate::work::{Transaction, Work};

/// Lies between two attempts to open a connection.
const REOPEN_INTERVAL: Duration = Duration::from_millis(500);
const CONNECT_LIMIT: Duration = Duration::from_secs(1);

/// Lends sessions.
#[derive(Clone)]
pub struct Pool(Arc<Inner>);

struct Inner {
    settings: tokio_postgres::Config,
    wait: Duration,
    idle: Mutex<Vec<Session>>,
    /// One permit for each idle session; whoever has one may take a session.
    available: Semaphore,
    log: Log,
}

impl Pool {
    /// Returns at once; sessions come as the database lets them. Must be called on a runtime.
    pub fn open(config: &DatabaseConfig, log: Log) -> Self {
        let mut settings = tokio_postgres::Config::new();
        settings
            .user(&config.user)
            .password(&config.password)
            .host(&config.host)
            .port(config.port)
            .dbname(&config.name)
            .ssl_mode(SslMode::Disable);
        let pool = Self(Arc::new(Inner {
            settings,
            wait: config.pool_wait,
            idle: Mutex::default(),
            available: Semaphore::new(0),
            log,
        }));
        for _ in 0..config.pool_size {
            tokio::spawn(pool.clone().keep_one());
        }
        pool
    }

    /// Makes one transaction of some work.
    ///
    /// # Errors
    /// There is no session in time, or the work failed.
    pub async fn transact<W: Work>(&self, work: W) -> Result<W::Output, Failure> {
        self.run(Transaction(work)).await
    }

    /// Does some work, and once more where a rival was in its way. It ends also where nobody waits for it
    /// any more: a connection that is left in the middle of an answer is of no use to anybody.
    ///
    /// # Errors
    /// There is no session in time, or the work failed.
    pub async fn run<W: Work>(&self, work: W) -> Result<W::Output, Failure> {
        let mut session = self.take().await?;
        let pool = self.clone();
        let running = tokio::spawn(async move {
            let mut result = work.run(&mut session).await;
            if result.as_ref().is_err_and(Failure::is_rivalry) {
                result = work.run(&mut session).await;
            }
            pool.give_back(session, result.as_ref().err());
            result
        });
        running.await.expect("work does not panic")
    }

    async fn take(&self) -> Result<Session, Failure> {
        let waiting = async {
            loop {
                let permit = self.0.available.acquire().await;
                permit.expect("it is never closed").forget();
                // There is none where the one of the permit has ended meanwhile.
                if let Some(session) = self.idle().pop() {
                    return session;
                }
            }
        };
        let taken = timeout(self.0.wait, waiting).await;
        taken.map_err(|_| Failure::NoSession)
    }

    /// A session that is lost is dropped here, and whoever drives its connection opens another one.
    fn give_back(&self, session: Session, failure: Option<&Failure>) {
        if !failure.is_some_and(Failure::is_lost) {
            self.push(session);
        }
    }

    /// Opens a connection and drives it to its end, again and again. As many of these run as there are
    /// sessions, so there are never more connections.
    async fn keep_one(self) {
        let mut attempts = interval(REOPEN_INTERVAL);
        // The first one behind a long life is at once, and the next ones keep the interval.
        attempts.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            attempts.tick().await;
            match timeout(CONNECT_LIMIT, self.0.settings.connect(NoTls)).await {
                Ok(Ok((client, connection))) => {
                    let (session, given_up) = Session::new(client);
                    self.push(session);
                    tokio::select! {
                        ended = connection => if let Err(error) = ended {
                            self.say("the database ended a connection", &error);
                        },
                        // The connection is closed, whatever the server may still have to say.
                        _ = given_up => {}
                    }
                    self.forget_ended();
                }
                Ok(Err(error)) => self.say("cannot connect to the database", &error),
                Err(late) => self.say("cannot connect to the database", &late),
            }
        }
    }

    fn say(&self, what: &str, cause: &dyn Error) {
        self.0.log.say(Level::Debug, what, cause);
    }

    fn push(&self, session: Session) {
        let mut idle = self.idle();
        // Asked under the lock: it ends before `forget_ended` looks, or is found by it.
        if !session.is_ended() {
            idle.push(session);
            self.0.available.add_permits(1);
        }
    }

    /// Takes away idle sessions whose connection has ended, with their permits. A permit that somebody has
    /// already finds no session then.
    fn forget_ended(&self) {
        let mut idle = self.idle();
        let count = idle.len();
        idle.retain(|session| !session.is_ended());
        for _ in idle.len()..count {
            if let Ok(permit) = self.0.available.try_acquire() {
                permit.forget();
            }
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Session>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
