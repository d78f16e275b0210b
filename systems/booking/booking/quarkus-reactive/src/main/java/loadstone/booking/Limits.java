package loadstone.booking;

import java.time.Duration;

/** The limits of waits on the database that no variable sets. */
final class Limits {

    /** For a connection to be made. */
    static final Duration CONNECT = Duration.ofSeconds(1);

    /** For the answer to a statement. */
    static final Duration STATEMENT = Duration.ofSeconds(2);

    /** How long after a connection could not be made the next try is. */
    static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

    private Limits() {}
}
