//! Countries of conferences, each looked up anew.

use futures_util::TryStreamExt as _;
use futures_util::stream::FuturesUnordered;

use crate::attempts::Attempts;
use crate::config::{CountryConfig, Strategy};
use crate::problems::Problem;

/// Looks them up in one of three ways.
pub struct Countries {
    attempts: Attempts,
    strategy: Strategy,
    width: usize,
    batch_size: usize,
}

impl Countries {
    /// Looks none up yet.
    pub fn new(config: &CountryConfig) -> Self {
        Self {
            attempts: Attempts::new(config),
            strategy: config.strategy,
            width: config.width,
            batch_size: config.batch_size,
        }
    }

    /// The country of each name, by position. One that cannot be had fails all of them.
    pub async fn of(&self, names: &[String]) -> Result<Vec<String>, Problem> {
        match self.strategy {
            Strategy::Sequential => self.one_by_one(names).await,
            Strategy::Concurrent => self.concurrently(names).await,
            Strategy::Batched => self.in_batches(names).await,
        }
    }

    async fn one_by_one(&self, names: &[String]) -> Result<Vec<String>, Problem> {
        let mut found = Vec::with_capacity(names.len());
        for name in names {
            found.push(self.attempts.look_up(name).await?);
        }
        Ok(found)
    }

    /// The first failure drops the others, and ends them with it.
    async fn concurrently(&self, names: &[String]) -> Result<Vec<String>, Problem> {
        let mut found = vec![String::new(); names.len()];
        let mut waiting = names.iter().enumerate();
        let mut in_flight = FuturesUnordered::new();
        loop {
            let free = self.width - in_flight.len();
            for (position, name) in waiting.by_ref().take(free) {
                in_flight.push(self.look_up_at(position, name));
            }
            let Some((position, country)) = in_flight.try_next().await? else {
                return Ok(found);
            };
            found[position] = country;
        }
    }

    async fn look_up_at(&self, position: usize, name: &str) -> Result<(usize, String), Problem> {
        Ok((position, self.attempts.look_up(name).await?))
    }

    async fn in_batches(&self, names: &[String]) -> Result<Vec<String>, Problem> {
        let mut found = Vec::with_capacity(names.len());
        for batch in names.chunks(self.batch_size) {
            found.extend(self.attempts.look_up_batch(batch).await?);
        }
        Ok(found)
    }
}
