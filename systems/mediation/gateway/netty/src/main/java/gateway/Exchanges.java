package gateway;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts requests in flight, so that the process can wait for them before it ends. */
final class Exchanges {

    private static final long STEP_MILLIS = 5;

    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean isStopping;

    void begin() {
        inFlight.incrementAndGet();
    }

    void end() {
        inFlight.decrementAndGet();
    }

    boolean isStopping() {
        return isStopping;
    }

    /** No new ones come; waits for those in flight, at most so long. */
    void stop(long graceMillis) throws InterruptedException {
        isStopping = true;
        long end = System.nanoTime() + graceMillis * 1_000_000;
        while (inFlight.get() > 0 && System.nanoTime() < end) {
            Thread.sleep(STEP_MILLIS);
        }
    }
}
