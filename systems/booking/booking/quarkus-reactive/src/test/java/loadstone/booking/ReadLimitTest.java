package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limit of a result on a channel without a socket. */
@Timeout(60)
class ReadLimitTest {

    private static final long NEVER_MILLIS = 3_600_000;
    private static final long STEP_NANOS = 1_000_000;

    @Test
    void aServerThatSendsNothingLosesTheConnection() {
        var limit = new ReadLimit(20);
        var channel = new EmbeddedChannel(limit);
        limit.begin();
        while (channel.isOpen()) {
            pass(channel);
        }
    }

    @Test
    void anIdleConnectionStays() {
        var limit = new ReadLimit(1);
        var channel = new EmbeddedChannel(limit);
        limit.begin();
        limit.end();
        for (int i = 0; i < 20; i++) {
            pass(channel);
        }
        assertTrue(channel.isOpen());
        limit.begin(); // a check is due again, though the one before found nothing to do
        while (channel.isOpen()) {
            pass(channel);
        }
    }

    @Test
    void whatIsReadIsPassedOn() {
        var limit = new ReadLimit(NEVER_MILLIS);
        var channel = new EmbeddedChannel(limit);
        limit.begin();
        assertTrue(channel.writeInbound("bytes"));
        assertTrue(channel.isOpen());
        assertFalse(channel.inboundMessages().isEmpty());
        channel.close();
    }

    private static void pass(EmbeddedChannel channel) {
        LockSupport.parkNanos(STEP_NANOS);
        channel.runScheduledPendingTasks();
    }
}
