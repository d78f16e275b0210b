package gateway;

import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The mediation system's gateway on Netty. It passes POST /passthrough on to its upstream, and POST
 * /transform as XML; SPEC.md of the system says how. It leaves out whatever the scenarios do not
 * ask for: routing tables, retries, caches, metrics.
 */
public final class Main {

    private static final int FAILED = 1;
    private static final int CONFIGURATION = 2;

    /** How long requests in flight may still take after the stop was asked for. */
    private static final long GRACE_MILLIS = 5_000;

    /** Kept, since the JVM forgets the level of a logger that nobody holds. */
    private static final Logger NETTY = Logger.getLogger("io.netty");

    private Main() {}

    /** Serves until SIGTERM or SIGINT. */
    public static void main(String[] arguments) {
        // A failed handshake is a failed upstream or a caller's affair, and Netty's stack trace
        // noise.
        NETTY.setLevel(Level.SEVERE);
        try {
            Config config = Config.read(System.getenv());
            Server server = Server.listen(config);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
            System.out.println("listening on " + config.host() + ":" + server.port());
        } catch (IllegalArgumentException e) {
            end(CONFIGURATION, e);
        } catch (IOException e) {
            end(FAILED, e);
        }
    }

    private static void stop(Server server) {
        try {
            server.stop(GRACE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // The exit code of a signal would be 143, and all was done as it should be.
        Runtime.getRuntime().halt(0);
    }

    private static void end(int code, Exception cause) {
        System.err.println("gateway: " + cause.getMessage());
        System.exit(code);
    }
}
