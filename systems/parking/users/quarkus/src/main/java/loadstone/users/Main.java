package loadstone.users;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/**
 * The parking system's service users on Quarkus REST and Agroal; SPEC.md of the system says what it
 * does.
 */
@QuarkusMain
public final class Main {

    private static final int FAILED = 1;
    private static final int CONFIGURATION = 2;

    /** By itself Quarkus answers 400 to what is no URI, also where the path is unknown. */
    private static final String UNCHECKED_TARGETS = "vertx.disableURIValidation";

    private Main() {}

    /** Serves until SIGTERM or SIGINT. */
    public static void main(String[] arguments) {
        try {
            Config config = Config.read(System.getenv());
            Tls.check(config);
            System.setProperty(UNCHECKED_TARGETS, "true");
            // They count more than variables that Quarkus would read by itself.
            System.getProperties().putAll(Settings.of(config));
        } catch (IllegalArgumentException e) {
            end(CONFIGURATION, e);
        }
        Quarkus.run(Service.class, Main::ended, arguments);
    }

    /** Called by this thread, once all is stopped. */
    private static void ended(int code, Throwable failure) {
        if (failure != null) {
            end(FAILED, rootOf(failure));
        }
        // The exit code of a signal would be 143, and all was done as it should be.
        Runtime.getRuntime().halt(code);
    }

    private static Throwable rootOf(Throwable failure) {
        return failure.getCause() == null ? failure : rootOf(failure.getCause());
    }

    private static void end(int code, Throwable cause) {
        System.err.println("users: " + cause.getMessage());
        System.exit(code);
    }
}
