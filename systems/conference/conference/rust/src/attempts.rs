//! Attempts: each look-up is made, again where it may be made again, and not while the breaker is open.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::breaker::{Breaker, Permit};
use crate::config::CountryConfig;
use crate::country::{AttemptFailure, CountryService};
use crate::problems::Problem;

/// Makes them. A look-up that is dropped makes no further one.
pub struct Attempts {
    service: CountryService,
    retries: u32,
    interval: Duration,
    breaker: Option<Mutex<Breaker>>,
}

/// An attempt that the breaker let through. Where it is dropped it was broken off.
struct Underway<'a> {
    breaker: &'a Mutex<Breaker>,
    permit: Option<Permit>,
}

impl Attempts {
    /// Makes none yet.
    pub fn new(config: &CountryConfig) -> Self {
        Self {
            service: CountryService::new(config),
            retries: config.retries,
            interval: config.retry_interval,
            breaker: config.has_breaker.then(Mutex::default),
        }
    }

    /// The country of a name.
    pub async fn look_up(&self, name: &str) -> Result<String, Problem> {
        self.make(|| self.service.country(name)).await
    }

    /// The countries of names, by position.
    pub async fn look_up_batch(&self, names: &[String]) -> Result<Vec<String>, Problem> {
        self.make(|| self.service.countries(names)).await
    }

    async fn make<T, Asked>(&self, ask: impl Fn() -> Asked) -> Result<T, Problem>
    where
        Asked: Future<Output = Result<T, AttemptFailure>>,
    {
        let mut retries_left = self.retries;
        loop {
            let underway = match &self.breaker {
                None => None,
                Some(breaker) => Some(Underway::begin(breaker).ok_or_else(Problem::country_open)?),
            };
            let result = ask().await;
            if let Some(underway) = underway {
                underway.end(result.as_ref().is_err_and(AttemptFailure::is_outage));
            }
            match result {
                Err(failure) if failure.is_passing() && retries_left > 0 => retries_left -= 1,
                Err(failure) => return Err(failure.into()),
                Ok(found) => return Ok(found),
            }
            sleep(self.interval).await;
        }
    }
}

impl<'a> Underway<'a> {
    fn begin(breaker: &'a Mutex<Breaker>) -> Option<Self> {
        let permit = locked(breaker).ask(Instant::now())?;
        Some(Self {
            breaker,
            permit: Some(permit),
        })
    }

    fn end(mut self, has_failed: bool) {
        if let Some(permit) = self.permit.take() {
            locked(self.breaker).count(permit, has_failed, Instant::now());
        }
    }
}

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        if let Some(permit) = self.permit {
            locked(self.breaker).forget(permit);
        }
    }
}

fn locked(breaker: &Mutex<Breaker>) -> MutexGuard<'_, Breaker> {
    breaker.lock().unwrap_or_else(PoisonError::into_inner)
}
