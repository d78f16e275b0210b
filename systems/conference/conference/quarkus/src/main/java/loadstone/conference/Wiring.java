package loadstone.conference;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The parts that Quarkus does not make by itself. */
@Singleton
class Wiring {

    private static final long IDLE_THREAD_SECONDS = 60;

    @Produces
    @Singleton
    Config config() {
        return Config.read(System.getenv());
    }

    @Produces
    @Singleton
    FailureLog failureLog(Config config) {
        return new FailureLog(config);
    }

    @Produces
    @Singleton
    Json json() {
        return new JacksonJson();
    }

    /** Characters beyond U+FFFF are not escaped. */
    @Produces
    @Singleton
    ObjectMapperCustomizer unescaped() {
        return (ObjectMapper mapper) ->
                mapper.getFactory()
                        .enable(JsonGenerator.Feature.COMBINE_UNICODE_SURROGATES_IN_UTF8);
    }

    @Produces
    @Singleton
    Lookups lookups(Config config, CountryConnection connection, Json json) {
        var breaker = new Breaker(config.hasBreaker(), System::nanoTime);
        var client =
                new CountryClient(
                        connection, json, breaker, config.retries(), config.retryInterval());
        return new Lookups(client, config, lookupThreads(config.countryConnections()));
    }

    /**
     * Threads wait for answers, so there are as many as there are connections. They are not those
     * of Quarkus, since requests that wait for look-ups may have taken all of these.
     */
    private static Executor lookupThreads(int most) {
        var threads =
                new ThreadPoolExecutor(
                        most,
                        most,
                        IDLE_THREAD_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        work -> {
                            var thread = new Thread(work, "lookup");
                            thread.setDaemon(true);
                            return thread;
                        });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
