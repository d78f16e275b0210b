package loadstone.conference;

import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The end of a server whose requests in flight are still answered. */
final class GracefulStop {

    /** Of the 5 s that SPEC.md has for all. */
    private static final long GRACE_MILLIS = 4_500;

    private GracefulStop() {}

    static void stop(EmbeddedServer server) {
        try {
            ((GracefulShutdownCapable) server)
                    .shutdownGracefully()
                    .toCompletableFuture()
                    .get(GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // What is not done by now is cut off.
        }
    }
}
