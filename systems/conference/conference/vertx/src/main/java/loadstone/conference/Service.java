package loadstone.conference;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The parts of the service together, on one event loop for each CPU. */
final class Service {

    /** What requests in flight have after a signal, less what the end itself takes. */
    private static final long GRACE_MILLIS = 4_800;

    private final Vertx vertx;
    private final List<ServerVerticle> verticles = new ArrayList<>();

    private Service(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Waits until it listens. Throws CompletionException where it cannot. */
    static Service start(Config config) {
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops));
        var service = new Service(vertx);
        var pool = new Pool(vertx, config);
        var filter = new RouteFilter(operations(vertx, pool, config).router(vertx));
        for (int i = 0; i < loops; i++) {
            int connections = share(config.poolSize(), loops, i);
            var verticle =
                    new ServerVerticle(
                            filter, config.host(), sharedPort(config), pool, connections);
            await(vertx.deployVerticle(verticle));
            service.verticles.add(verticle);
        }
        return service;
    }

    int port() {
        return verticles.get(0).server().actualPort();
    }

    /** Ends as after a signal, and waits until nothing is in flight, or no longer may be. */
    void stop() {
        await(
                Future.join(
                        verticles.stream()
                                .map(ServerVerticle::server)
                                .map(server -> server.shutdown(GRACE_MILLIS, TimeUnit.MILLISECONDS))
                                .toList()));
    }

    private static Operations operations(Vertx vertx, Pool pool, Config config) {
        var json = new JacksonJson();
        var client =
                new CountryClient(
                        vertx,
                        new VertxConnection(vertx, config),
                        json,
                        new Breaker(config.hasBreaker(), System::nanoTime),
                        config.retries(),
                        config.retryInterval());
        return new Operations(
                new Conferences(pool),
                new Lookups(client, config),
                json,
                new Problems(new FailureLog(config)));
    }

    /** Servers share a port that the kernel chooses where all have the same negative one. */
    private static int sharedPort(Config config) {
        return config.port() == 0 ? -1 : config.port();
    }

    /** How many of a number fall to one of so many. */
    private static int share(int number, int parts, int part) {
        return number / parts + (part < number % parts ? 1 : 0);
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
