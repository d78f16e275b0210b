package loadstone.registry;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.cloud.netflix.eureka.server.event.EurekaServerStartedEvent;
import org.springframework.context.ApplicationListener;

/** Waits for the registry, which begins on a thread of its own while requests are accepted. */
final class Started implements ApplicationListener<EurekaServerStartedEvent> {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final CountDownLatch events = new CountDownLatch(1);

    @Override
    public void onApplicationEvent(EurekaServerStartedEvent event) {
        events.countDown();
    }

    /** Throws IllegalStateException where it does not come. */
    void await() {
        try {
            if (events.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("the registry did not start");
    }
}
