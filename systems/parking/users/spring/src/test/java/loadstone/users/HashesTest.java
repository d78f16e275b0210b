package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HashesTest {

    private static final int CPUS = Runtime.getRuntime().availableProcessors();

    /** Counts how many are computed at once, which wait for each other. */
    private static final class Counting implements Bcrypt {

        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final CountDownLatch all = new CountDownLatch(CPUS);
        private final ConcurrentLinkedQueue<String> checked = new ConcurrentLinkedQueue<>();

        @Override
        public String hash(String password, int cost) {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            try {
                all.countDown();
                all.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            now.decrementAndGet();
            return Thread.currentThread().getName() + cost;
        }

        @Override
        public boolean fits(String password, String hash) {
            checked.add(hash);
            return true;
        }
    }

    @Test
    void asManyAreComputedAtOnceAsThereAreCpus() {
        var bcrypt = new Counting();
        var hashes = new Hashes(bcrypt, 4);
        List<CompletableFuture<String>> waiting = new ArrayList<>();
        for (int i = 0; i < 4 * CPUS; i++) {
            waiting.add(hashes.hash("password"));
        }
        for (CompletableFuture<String> each : waiting) {
            assertTrue(each.join().matches("hash-[0-9]+"), each.join());
        }
        assertEquals(CPUS, bcrypt.most.get());
    }

    @Test
    void nobodysHashIsOfTheCost() {
        var bcrypt = new Counting();
        assertFalse(new Hashes(bcrypt, 4).fitsNobody().join());
        assertEquals(List.of("$2b$04$" + ".".repeat(53)), List.copyOf(bcrypt.checked));
    }
}
