//! The clocks of a request, by name.

/// The clocks of a request: the three of the method, and two that tell their parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestClock {
    /// Done - intended.
    ResponseTime,
    /// Done - written.
    ServiceTime,
    /// Written - intended.
    Lag,
    /// First byte of the response - written.
    FirstByte,
    /// The part of the lag that is the engine's own lateness.
    EngineLag,
}

impl RequestClock {
    /// Every clock, in the order of the files.
    pub const ALL: [Self; Self::COUNT] = [
        Self::ResponseTime,
        Self::ServiceTime,
        Self::Lag,
        Self::FirstByte,
        Self::EngineLag,
    ];

    /// How many clocks there are.
    pub const COUNT: usize = 5;

    /// As files name it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ResponseTime => "response_time",
            Self::ServiceTime => "service_time",
            Self::Lag => "lag",
            Self::FirstByte => "first_byte",
            Self::EngineLag => "engine_lag",
        }
    }
}
