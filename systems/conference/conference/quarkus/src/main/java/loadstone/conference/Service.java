package loadstone.conference;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.vertx.http.HttpServer;

/** What the main thread does while Quarkus serves. */
final class Service implements QuarkusApplication {

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

    /** Keeps the process until this thread ends it, with the exit code that is its own. */
    private static void await(Thread main) {
        try {
            main.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
