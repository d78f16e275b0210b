//! Rules that judge every interval of a load: whether the engine itself was the limit, and whether
//! the load stops early.

pub mod own_health;
pub mod stop_rules;
