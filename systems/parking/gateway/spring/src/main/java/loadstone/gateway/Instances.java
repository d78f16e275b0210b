package loadstone.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** Where the service is: scheme and authority of each instance. */
final class Instances {

    private static final long LEFT_OUT_NANOS = Duration.ofSeconds(2).toNanos();

    private final LongSupplier nanoTime;
    private final AtomicInteger turn = new AtomicInteger();

    /** Until when each is left out, as the clock has it. */
    private final Map<String, Long> leftOut = new ConcurrentHashMap<>();

    private volatile List<String> all = List.of();
    private volatile boolean isKnown;

    /** The clock is one that only goes on, such as System.nanoTime. */
    Instances(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Takes these in the place of all that there were. */
    void replace(List<String> instances) {
        all = instances.stream().distinct().toList();
        leftOut.keySet().retainAll(all);
        isKnown = true;
    }

    /** Whether it was ever told where the service is, even if that is nowhere. */
    boolean isKnown() {
        return isKnown;
    }

    /** Gives the next one in turn that is not left out, nor among these, or null. */
    String next(Set<String> tried) {
        List<String> now = all;
        int first = turn.getAndIncrement();
        for (int i = 0; i < now.size(); i++) {
            String instance = now.get(Math.floorMod(first + i, now.size()));
            if (!tried.contains(instance) && !isLeftOut(instance)) {
                return instance;
            }
        }
        return null;
    }

    /** Gives an instance no request for a while. */
    void leaveOut(String instance) {
        leftOut.put(instance, nanoTime.getAsLong() + LEFT_OUT_NANOS);
    }

    private boolean isLeftOut(String instance) {
        Long end = leftOut.get(instance);
        return end != null && end - nanoTime.getAsLong() > 0;
    }
}
