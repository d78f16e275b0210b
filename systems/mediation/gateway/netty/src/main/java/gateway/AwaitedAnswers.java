package gateway;

import io.netty.channel.EventLoop;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The requests of one event loop that wait for the head of their answer. All wait equally long, so
 * one timer, for the first, serves any number of them.
 */
final class AwaitedAnswers {

    /** As long as the published gateways waited. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final EventLoop loop;

    /** When each was sent, the first first. */
    private final Map<UpstreamHandler, Long> sent = new LinkedHashMap<>();

    private boolean isWatching;

    AwaitedAnswers(EventLoop loop) {
        this.loop = loop;
    }

    void await(UpstreamHandler request) {
        sent.put(request, loop.ticker().nanoTime());
        if (!isWatching) {
            watch(TIMEOUT_NANOS);
        }
    }

    void settle(UpstreamHandler request) {
        sent.remove(request);
    }

    private void watch(long nanos) {
        isWatching = true;
        loop.schedule(this::failLate, nanos, TimeUnit.NANOSECONDS);
    }

    private void failLate() {
        isWatching = false;
        while (!sent.isEmpty()) {
            var first = sent.entrySet().iterator().next();
            long left = first.getValue() + TIMEOUT_NANOS - loop.ticker().nanoTime();
            if (left > 0) {
                watch(left);
                return;
            }
            sent.remove(first.getKey());
            first.getKey().answerIsLate();
        }
    }
}
