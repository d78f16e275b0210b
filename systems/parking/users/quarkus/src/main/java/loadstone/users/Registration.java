package loadstone.users;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keeps the service in the registry, on a thread of its own, by a heartbeat each second. Nothing
 * that is served depends on it.
 */
final class Registration {

    private static final String APPLICATION = "/eureka/apps/USERS";

    /** Id, host, port, and which of the two ports is the one. */
    private static final String INSTANCE =
            """
            {"instance":{"instanceId":"%1$s","hostName":"%2$s","app":"USERS",\
            "ipAddr":"%2$s","vipAddress":"users","status":"UP",\
            "port":{"$":%3$d,"@enabled":"%4$b"},"securePort":{"$":%3$d,"@enabled":"%5$b"},\
            "dataCenterInfo":{"@class":"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo",\
            "name":"MyOwn"},"leaseInfo":{"renewalIntervalInSecs":1,"durationInSecs":3},\
            "metadata":{}}}""";

    private static final int OK = 200;
    private static final int FIRST_REDIRECTION = 300;
    private static final int NOT_FOUND = 404;

    private final RegistryConnection registry;
    private final String host;
    private final boolean isTls;
    private final ScheduledExecutorService thread;

    private String path;
    private byte[] instance;
    private boolean isRegistered;
    private Future<?> beats;
    private Future<?> end;
    private long endNanos;

    /** Without a registry, which is null then, it does nothing. */
    Registration(RegistryConnection registry, String host, boolean isTls) {
        this.registry = registry;
        this.host = host;
        this.isTls = isTls;
        this.thread =
                Executors.newSingleThreadScheduledExecutor(
                        work -> {
                            var thread = new Thread(work, "registration");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Registers what listens on the port, and goes on until the end. Waits for nothing. */
    void begin(int port) {
        if (registry == null) {
            return;
        }
        String id = "users-" + port;
        path = APPLICATION + "/" + id;
        String text = INSTANCE.formatted(id, host, port, !isTls, isTls);
        instance = text.getBytes(StandardCharsets.UTF_8);
        long pause = Limits.REGISTRY.toMillis();
        beats = thread.scheduleWithFixedDelay(this::beat, 0, pause, TimeUnit.MILLISECONDS);
    }

    private void beat() {
        try {
            if (!isKnown()) {
                register();
            }
        } catch (IOException | RuntimeException e) {
            FailureLog.write("registry", e.getMessage());
        }
    }

    /** Sends a heartbeat, where it has registered before. */
    private boolean isKnown() throws IOException {
        if (!isRegistered) {
            return false;
        }
        int status = registry.exchange("PUT", path, null);
        if (status == NOT_FOUND) {
            isRegistered = false;
        } else if (!isSuccess(status)) {
            throw new IOException("a heartbeat was answered with " + status);
        }
        return isRegistered;
    }

    private void register() throws IOException {
        int status = registry.exchange("POST", APPLICATION, instance);
        isRegistered = isSuccess(status);
        if (!isRegistered) {
            throw new IOException("the registration was answered with " + status);
        }
    }

    private static boolean isSuccess(int status) {
        return status >= OK && status < FIRST_REDIRECTION;
    }

    /** Deregisters. Waits for nothing. */
    void end() {
        if (beats != null) {
            beats.cancel(false);
            endNanos = System.nanoTime() + Limits.REGISTRY.toNanos();
            end = thread.submit(this::deregister); // behind what is under way
        }
    }

    private void deregister() {
        try {
            registry.exchange("DELETE", path, null);
        } catch (IOException e) {
            // The lease ends by itself.
        }
    }

    /** Waits for the answer, at most until the limit is over that began with the end. */
    void awaitEnd() {
        if (end == null) {
            return;
        }
        try {
            end.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The lease ends by itself.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
