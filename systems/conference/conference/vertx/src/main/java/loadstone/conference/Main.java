package loadstone.conference;

import java.util.concurrent.CompletionException;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The conference system's service on Vert.x; SPEC.md of the system says what it does. */
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
        Logger.getLogger("").setLevel(level(config));
        try {
            Service service = Service.start(config);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(service)));
            System.out.println("listening on " + config.host() + ":" + service.port());
        } catch (CompletionException e) {
            end(FAILED, e.getCause());
        }
    }

    /** Libraries warn of each failed request, whose one line is the service's own. */
    private static Level level(Config config) {
        return switch (config.logLevel()) {
            case "info" -> Level.INFO;
            case "debug" -> Level.FINE;
            default -> Level.OFF;
        };
    }

    private static void stop(Service service) {
        service.stop();
        // The exit code of a signal would be 143, and all was done as it should be.
        Runtime.getRuntime().halt(0);
    }

    private static void end(int code, Throwable cause) {
        System.err.println("conference: " + cause.getMessage());
        System.exit(code);
    }
}
