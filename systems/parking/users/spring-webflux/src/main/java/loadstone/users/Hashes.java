package loadstone.users;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Hashes of passwords. They are computed on threads of the system's of their own, as many as there
 * are CPUs: on a carrier of virtual threads or on an event loop others would wait for them.
 */
final class Hashes {

    /** A password for what has none of at most 72 bytes: the time has to be spent all the same. */
    private static final String ANY = "any password";

    /** Salt and hash of no password, in the letters of bcrypt. */
    private static final String NOBODY = ".".repeat(22 + 31);

    private final Bcrypt bcrypt;
    private final int cost;
    private final ExecutorService threads;

    /** New hashes have the cost. */
    Hashes(Bcrypt bcrypt, int cost) {
        this.bcrypt = bcrypt;
        this.cost = cost;
        var count = new AtomicInteger();
        this.threads =
                Executors.newFixedThreadPool(
                        Runtime.getRuntime().availableProcessors(),
                        work -> {
                            var thread = new Thread(work, "hash-" + count.incrementAndGet());
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Gives the hash of a new password. */
    CompletableFuture<String> hash(String password) {
        return compute(() -> bcrypt.hash(password, cost));
    }

    /** Gives whether the hash is the password's. */
    CompletableFuture<Boolean> fits(String password, String hash) {
        return compute(() -> bcrypt.fits(password, hash));
    }

    /** Gives false, as late as `fits` does for an account whose hash has the configured cost. */
    CompletableFuture<Boolean> fitsNobody() {
        String hash = "$2b$%02d$".formatted(cost) + NOBODY;
        return compute(() -> bcrypt.fits(ANY, hash)).thenApply(fits -> false);
    }

    private <T> CompletableFuture<T> compute(Supplier<T> hash) {
        return CompletableFuture.supplyAsync(hash, threads);
    }
}
