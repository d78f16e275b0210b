//! The instances of users that are known, and which one is asked next.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use hyper::Response;
use hyper::http::uri::Authority;
use tokio::time::interval;
use tokio_rustls::TlsConnector;

use crate::answer::AnswerBody;
use crate::attempt::{Failed, Outgoing};
use crate::connect::Connector;
use crate::protocol::Protocol;
use crate::{http1, http2};

/// How long an instance is left out after an attempt that failed.
const LEAVE_OUT: Duration = Duration::from_secs(2);

/// How long a connection is kept that nothing is on. users keeps it longer, so that none is written on that
/// it is just ending.
const IDLE_LIMIT: Duration = Duration::from_secs(30);

const IDLE_LOOK: Duration = Duration::from_millis(500);

/// A process of users, and the connections to it.
pub struct Instance {
    /// Its host and port.
    pub authority: Authority,
    pool: Pool,
    /// In milliseconds since the beginning of [`Instances`].
    left_out_until_ms: AtomicU64,
}

enum Pool {
    Http1(Arc<http1::Pool>),
    Http2(Arc<http2::Pool>),
}

/// How instances are reached.
pub struct Reach {
    /// What they speak.
    pub speaks: Protocol,
    /// None in cleartext.
    pub tls: Option<TlsConnector>,
}

/// Those that are known now.
pub struct Instances {
    reach: Reach,
    known: RwLock<Arc<[Arc<Instance>]>>,
    turn: AtomicUsize,
    began: Instant,
}

impl Instances {
    /// Knows these at first.
    pub fn new(reach: Reach, authorities: &[Authority]) -> Self {
        let instances = Self {
            reach,
            known: RwLock::new(Arc::default()),
            turn: AtomicUsize::new(0),
            began: Instant::now(),
        };
        instances.replace(authorities);
        instances
    }

    /// Knows others from now on, and keeps what is known of those that stay.
    pub fn replace(&self, authorities: &[Authority]) {
        let before = self.known();
        let instances = authorities.iter().map(|authority| {
            let known = before.iter().find(|one| one.authority == *authority);
            known
                .cloned()
                .unwrap_or_else(|| Arc::new(self.reach.instance(authority)))
        });
        let instances = instances.collect();
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = instances;
    }

    /// The next in turn of those that are not left out and were not tried; none where there is none.
    pub fn next(&self, tried: &[Arc<Instance>]) -> Option<Arc<Instance>> {
        let (known, now) = (self.known(), self.now_ms());
        let is_free = |one: &&Arc<Instance>| {
            let is_tried = tried.iter().any(|other| Arc::ptr_eq(one, other));
            one.left_out_until_ms.load(Ordering::Acquire) <= now && !is_tried
        };
        let free: Vec<_> = known.iter().filter(is_free).collect();
        if free.is_empty() {
            return None;
        }
        let turn = self.turn.fetch_add(1, Ordering::AcqRel);
        Some(Arc::clone(free[turn % free.len()]))
    }

    /// Leaves an instance out for a while.
    pub fn leave_out(&self, instance: &Instance) {
        let leave_out_ms = u64::try_from(LEAVE_OUT.as_millis()).expect("a few seconds");
        let until_ms = self.now_ms() + leave_out_ms;
        instance
            .left_out_until_ms
            .store(until_ms, Ordering::Release);
    }

    /// Closes connections that nothing is on any more, for good.
    pub async fn look_after_connections(&self) {
        let mut looks = interval(IDLE_LOOK);
        loop {
            looks.tick().await;
            for instance in self.known().iter() {
                match &instance.pool {
                    Pool::Http1(pool) => pool.close_idle(IDLE_LIMIT),
                    Pool::Http2(pool) => pool.close_idle(IDLE_LIMIT),
                }
            }
        }
    }

    fn known(&self) -> Arc<[Arc<Instance>]> {
        let known = self.known.read();
        Arc::clone(&known.unwrap_or_else(PoisonError::into_inner))
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Instance {
    /// Sends a request, and waits for the head of its answer; on HTTP/1.1 on a new connection where
    /// `is_fresh` says so, and on HTTP/2 always on one that is not known to have ended.
    ///
    /// # Errors
    /// There is none.
    pub async fn send(
        &self,
        outgoing: &Outgoing,
        is_fresh: bool,
    ) -> Result<Response<AnswerBody>, Failed> {
        match &self.pool {
            Pool::Http1(pool) => pool.send(outgoing, is_fresh).await,
            Pool::Http2(pool) => pool.send(outgoing).await,
        }
    }
}

impl Reach {
    fn instance(&self, authority: &Authority) -> Instance {
        let connector = Connector {
            authority: authority.clone(),
            tls: self.tls.clone(),
            is_http2: self.speaks.is_http2(),
        };
        Instance {
            authority: authority.clone(),
            pool: if self.speaks.is_http2() {
                Pool::Http2(Arc::new(http2::Pool::new(connector)))
            } else {
                Pool::Http1(Arc::new(http1::Pool::new(connector)))
            },
            left_out_until_ms: AtomicU64::new(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authority(port: usize) -> Authority {
        format!("127.0.0.1:{port}").parse().expect("an authority")
    }

    fn instances(count: usize) -> Instances {
        let reach = Reach {
            speaks: Protocol::H1c,
            tls: None,
        };
        let authorities: Vec<_> = (1..=count).map(authority).collect();
        Instances::new(reach, &authorities)
    }

    fn next(instances: &Instances) -> Authority {
        instances.next(&[]).expect("an instance").authority.clone()
    }

    #[test]
    fn each_is_asked_in_turn() {
        let instances = instances(3);
        let asked: Vec<_> = (0..6).map(|_| next(&instances)).collect();
        for port in 1..=3 {
            let count = asked.iter().filter(|one| **one == authority(port)).count();
            assert_eq!(count, 2, "{asked:?}");
        }
    }

    #[test]
    fn one_that_failed_or_was_tried_is_left_out() {
        let instances = instances(2);
        let first = instances.next(&[]).expect("an instance");
        instances.leave_out(&first);
        for _ in 0..3 {
            assert_ne!(next(&instances), first.authority);
        }
        let second = instances.next(&[]).expect("an instance");
        assert!(instances.next(&[second]).is_none());
    }

    #[test]
    fn what_is_known_of_one_that_stays_is_kept() {
        let instances = instances(2);
        let kept = instances.known()[1].clone();
        instances.replace(&[authority(2), authority(3)]);
        assert!(Arc::ptr_eq(&instances.known()[0], &kept));
        instances.replace(&[]);
        assert!(instances.next(&[]).is_none());
    }
}
