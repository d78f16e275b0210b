package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BreakerTest {

    private long nowNanos;
    private final Breaker breaker = new Breaker(true, () -> nowNanos);

    @Test
    void tenFailuresAmongTheLastTwentyOpenIt() {
        attempts(10, false);
        attempts(9, true);
        assertNotEquals(Breaker.CLOSED_TO_ALL, breaker.enter());
        attempts(1, true);
        assertEquals(Breaker.CLOSED_TO_ALL, breaker.enter());
    }

    @Test
    void olderFailuresDoNotCount() {
        attempts(9, true);
        attempts(20, false);
        attempts(9, true);
        assertNotEquals(Breaker.CLOSED_TO_ALL, breaker.enter());
    }

    @Test
    void afterFiveSecondsOneAttemptDecides() {
        attempts(10, true);
        passMillis(4_999);
        assertEquals(Breaker.CLOSED_TO_ALL, breaker.enter());
        passMillis(1);
        long probe = breaker.enter();
        assertNotEquals(Breaker.CLOSED_TO_ALL, probe);
        assertEquals(Breaker.CLOSED_TO_ALL, breaker.enter());
        breaker.leave(probe, true);
        passMillis(4_999);
        assertEquals(Breaker.CLOSED_TO_ALL, breaker.enter());
        passMillis(1);
        breaker.leave(breaker.enter(), false);
        attempts(9, true);
        assertNotEquals(Breaker.CLOSED_TO_ALL, breaker.enter());
    }

    @Test
    void anAttemptOfBeforeDecidesNothing() {
        long early = breaker.enter();
        attempts(10, true);
        passMillis(5_000);
        long probe = breaker.enter();
        breaker.leave(early, false);
        assertEquals(Breaker.CLOSED_TO_ALL, breaker.enter());
        breaker.leave(probe, false);
        assertNotEquals(Breaker.CLOSED_TO_ALL, breaker.enter());
    }

    @Test
    void oneThatIsOffLetsAllThrough() {
        var off = new Breaker(false, () -> nowNanos);
        for (int i = 0; i < 30; i++) {
            off.leave(off.enter(), true);
        }
        assertNotEquals(Breaker.CLOSED_TO_ALL, off.enter());
    }

    private void attempts(int count, boolean haveFailed) {
        for (int i = 0; i < count; i++) {
            breaker.leave(breaker.enter(), haveFailed);
        }
    }

    private void passMillis(long millis) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
