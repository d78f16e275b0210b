package loadstone.users;

import java.time.Duration;

/** What no variable sets. */
final class Limits {

    /** Of new hashes. */
    static final int PASSWORD_COST = 10;

    /** Of the wait for a connection of the pool. */
    static final Duration POOL_WAIT = Duration.ofSeconds(1);

    /** Of the wait for a connection to the database to be made. */
    static final Duration CONNECT = Duration.ofSeconds(1);

    /** Of the wait for the answer to a statement. */
    static final Duration STATEMENT = Duration.ofSeconds(2);

    /** How long after a connection could not be made the next try is. */
    static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

    /** Of a request to the registry, and of the pause between two. */
    static final Duration REGISTRY = Duration.ofSeconds(1);

    private Limits() {}
}
