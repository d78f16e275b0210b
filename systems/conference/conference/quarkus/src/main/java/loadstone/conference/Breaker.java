package loadstone.conference;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Stops look-ups for a while once too many have failed. An attempt enters and leaves with a ticket:
 * one that entered before the last change of state no longer counts.
 */
final class Breaker {

    /** The ticket of an attempt that must not be made. */
    static final long CLOSED_TO_ALL = -1;

    private static final int LAST_ATTEMPTS = 20;
    private static final int MOST_FAILURES = 10;
    private static final long PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    private enum State {
        /** All attempts are made. */
        WELL,
        /** None is, until the pause is over. */
        OPEN,
        /** One is, and decides. */
        PROBING
    }

    private final boolean isOn;
    private final LongSupplier nanoTime;
    private final boolean[] failed = new boolean[LAST_ATTEMPTS];

    private State state = State.WELL;
    private int attempts;
    private int failures;
    private long ticket;
    private long openedNanos;

    /** One that is off lets all attempts through. */
    Breaker(boolean isOn, LongSupplier nanoTime) {
        this.isOn = isOn;
        this.nanoTime = nanoTime;
    }

    /** Gives the attempt's ticket. */
    long enter() {
        return isOn ? enterNow() : 0;
    }

    /** Says how the attempt ended. */
    void leave(long own, boolean hasFailed) {
        if (isOn) {
            leaveNow(own, hasFailed);
        }
    }

    private synchronized long enterNow() {
        if (state == State.PROBING
                || (state == State.OPEN && nanoTime.getAsLong() - openedNanos < PAUSE_NANOS)) {
            return CLOSED_TO_ALL;
        }
        if (state == State.OPEN) {
            state = State.PROBING;
            ticket++;
        }
        return ticket;
    }

    private synchronized void leaveNow(long own, boolean hasFailed) {
        if (own != ticket) {
            return;
        }
        if (state == State.PROBING) {
            begin(hasFailed ? State.OPEN : State.WELL);
            return;
        }
        int at = attempts++ % LAST_ATTEMPTS;
        failures += (hasFailed ? 1 : 0) - (failed[at] ? 1 : 0);
        failed[at] = hasFailed;
        if (failures >= MOST_FAILURES) {
            begin(State.OPEN);
        }
    }

    private void begin(State next) {
        state = next;
        ticket++;
        attempts = 0;
        failures = 0;
        Arrays.fill(failed, false);
        openedNanos = nanoTime.getAsLong();
    }
}
