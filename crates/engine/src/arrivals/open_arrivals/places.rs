//! Which places of an open group's sessions are free: the one that was left last comes first.

/// Places that are numbered as they are first needed, up to a limit.
#[derive(Clone, Debug)]
pub struct Places {
    most: usize,
    numbered: usize,
    free: Vec<usize>,
}

impl Places {
    /// At most so many.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            most,
            numbered: 0,
            free: Vec::new(),
        }
    }

    /// Whether none is free.
    #[must_use]
    pub fn are_taken(&self) -> bool {
        self.free.is_empty() && self.numbered == self.most
    }

    /// Takes a place. Call only if not all are taken.
    pub fn take(&mut self) -> usize {
        debug_assert!(!self.are_taken(), "there is a place");
        self.free.pop().unwrap_or_else(|| {
            self.numbered += 1;
            self.numbered - 1
        })
    }

    /// Leaves a place.
    pub fn free(&mut self, place: usize) {
        self.free.push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_given_again_once_it_is_left() {
        let mut places = Places::new(2);
        assert_eq!([places.take(), places.take()], [0, 1]);
        assert!(places.are_taken());
        places.free(0);
        assert!(!places.are_taken());
        assert_eq!(places.take(), 0);
        assert!(places.are_taken());
    }
}
