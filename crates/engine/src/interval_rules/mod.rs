//! Rules that judge every merged interval of a load: whether the engine itself was the limit
//! (`own_health`), and whether the load stops early (`stop_rules`).

pub mod own_health;
pub mod stop_rules;
