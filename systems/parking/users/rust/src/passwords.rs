//! Hashes of passwords. They are slow on purpose, so none is computed on a thread of the runtime: at most
//! as many as there are CPUs on threads for what blocks, and further ones wait without one.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Of new hashes: the logarithm of their rounds.
const COST: u32 = 10;

/// What is behind is cut off by bcrypt, and would be as good as anything else.
const MOST_BYTES: usize = 72;

/// Computes hashes.
pub struct Passwords {
    free: Arc<Semaphore>,
}

impl Passwords {
    /// Computes at most so many at once.
    pub fn new(cpus: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(cpus)),
        }
    }

    /// The hash of a new password.
    pub async fn hash(&self, password: String) -> String {
        self.compute(move || new_hash(&password, COST)).await
    }

    /// Whether a password is that of a hash. Where there is none it takes as long as if there were.
    pub async fn verify(&self, password: String, hash: Option<String>) -> bool {
        let verify = move || {
            let Some(hash) = hash else {
                new_hash(&password, COST);
                return false;
            };
            is_of(&password, &hash)
        };
        self.compute(verify).await
    }

    /// Goes on to its end, and counts as long, also where nobody waits for it any more.
    async fn compute<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let free = Arc::clone(&self.free).acquire_owned().await;
        let free = free.expect("it is never closed");
        let computing = spawn_blocking(move || {
            let computed = work();
            drop(free);
            computed
        });
        computing.await.expect("a hash does not panic")
    }
}

fn new_hash(password: &str, cost: u32) -> String {
    bcrypt::hash(password, cost).expect("a cost that bcrypt has")
}

/// A password that is too long costs as much as any other. bcrypt repeats one, with a zero byte between: one
/// that has such bytes may be another one repeated.
fn is_of(password: &str, hash: &str) -> bool {
    let is_equal = bcrypt::verify(password, hash).unwrap_or(false);
    is_equal && password.len() <= MOST_BYTES && !password.contains('\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_has_its_cost_and_is_verified() {
        let hash = new_hash("Loadstone#Park-1", 4);
        assert!(hash.starts_with("$2b$04$"), "{hash}");
        assert!(is_of("Loadstone#Park-1", &hash));
        assert!(!is_of("Loadstone#Park-2", &hash));
    }

    #[test]
    fn both_versions_are_verified() {
        let hash = new_hash("p", 4);
        assert!(is_of("p", &hash.replacen("$2b$", "$2a$", 1)));
        assert!(!is_of("p", "no hash"));
    }

    #[test]
    fn what_bcrypt_would_cut_off_is_another_password() {
        let longest = "é".repeat(36);
        let hash = new_hash(&longest, 4);
        assert!(is_of(&longest, &hash));
        assert!(!is_of(&format!("{longest}e"), &hash));
        assert!(!is_of("p\0p", &new_hash("p", 4)));
    }
}
