package gateway;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts requests in flight, so that the process can wait for them before it ends. */
final class InFlight {

    /** The event that tells a caller's connection to end, at once or with its current request. */
    static final Object STOP = new Object();

    private static final long STEP_MILLIS = 5;

    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean isStopping;

    void begin() {
        requests.incrementAndGet();
    }

    void end() {
        requests.decrementAndGet();
    }

    int count() {
        return requests.get();
    }

    /** Tells whether a connection is to be closed after its current answer. */
    boolean isStopping() {
        return isStopping;
    }

    void stop() {
        isStopping = true;
    }

    /** Waits until there are none, at most so long. */
    void await(long graceMillis) throws InterruptedException {
        long end = System.nanoTime() + graceMillis * 1_000_000;
        while (count() > 0 && System.nanoTime() < end) {
            Thread.sleep(STEP_MILLIS);
        }
    }
}
