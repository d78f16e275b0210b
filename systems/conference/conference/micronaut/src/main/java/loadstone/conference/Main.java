package loadstone.conference;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.serde.annotation.SerdeImport;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * The conference system's service on Micronaut's HTTP server and Micronaut Data; SPEC.md of the
 * system says what it does.
 */
@SerdeImport(value = Conference.class, deserializable = false)
@SerdeImport(value = ConferenceWithCountry.class, deserializable = false)
public final class Main {

    private static final int FAILED = 1;
    private static final int CONFIGURATION = 2;

    private Main() {}

    /** Serves until SIGTERM or SIGINT. */
    public static void main(String[] arguments) {
        try {
            run(Config.read(System.getenv()));
        } catch (IllegalArgumentException e) {
            end(CONFIGURATION, e);
        }
    }

    private static void run(Config config) {
        setLevel(config);
        long beganNanos = System.nanoTime();
        try {
            EmbeddedServer server = start(config);
            sayStarted(server, beganNanos);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
            System.out.println("listening on " + config.host() + ":" + server.getPort());
        } catch (RuntimeException e) {
            end(FAILED, rootOf(e));
        }
    }

    static EmbeddedServer start(Config config) {
        ApplicationContext context =
                ApplicationContext.builder()
                        .environmentPropertySource(false)
                        .singletons(config)
                        .properties(properties(config))
                        .start();
        return context.getBean(EmbeddedServer.class).start();
    }

    private static Map<String, Object> properties(Config config) {
        String timeout = config.countryTimeout().toMillis() + "ms";
        String country = "micronaut.http.services.country.";
        return Map.of(
                "micronaut.server.port",
                config.port() == 0 ? -1 : config.port(),
                country + "url",
                config.country().toString(),
                country + "connect-timeout",
                timeout,
                country + "read-timeout",
                timeout,
                country + "request-timeout",
                timeout,
                country + "pool.acquire-timeout",
                timeout,
                country + "pool.max-concurrent-http1-connections",
                config.countryConnections());
    }

    /** Says it as the framework's own main class does, from which it would be inherited. */
    private static void sayStarted(EmbeddedServer server, long beganNanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
        var logger = (Logger) LoggerFactory.getLogger(Main.class);
        logger.setLevel(Level.INFO);
        logger.info("Startup completed in {}ms. Server Running: {}", millis, server.getURI());
    }

    /** Libraries warn of each failed request, whose one line is the service's own. */
    private static void setLevel(Config config) {
        if (config.logLevel().equals("info") || config.logLevel().equals("debug")) {
            ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME))
                    .setLevel(Level.toLevel(config.logLevel()));
        }
    }

    private static void stop(EmbeddedServer server) {
        GracefulStop.stop(server);
        // The exit code of a signal would be 143, and all was done as it should be.
        Runtime.getRuntime().halt(0);
    }

    private static Throwable rootOf(Throwable failure) {
        return failure.getCause() == null ? failure : rootOf(failure.getCause());
    }

    private static void end(int code, Throwable cause) {
        System.err.println("conference: " + cause.getMessage());
        System.exit(code);
    }
}
