package loadstone.booking;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.vertx.http.HttpServer;

/** What the main thread does while Quarkus serves. */
final class Service implements QuarkusApplication {

    /** Of the 5 s that SPEC.md has: what still works then, such as on a hash, is cut off. */
    private static final long LONGEST_END_MS = 4900;

    private final HttpServer server;

    Service(HttpServer server) {
        this.server = server;
    }

    @Override
    public int run(String... arguments) {
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> await(main)));
        String host = System.getenv().getOrDefault("HOST", "127.0.0.1");
        System.out.println("listening on " + host + ":" + server.getPort());
        Quarkus.waitForExit();
        return 0;
    }

    /** Keeps the process until that thread ends it, with the exit code that is its own. */
    private static void await(Thread main) {
        try {
            main.join(LONGEST_END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(0);
    }
}
