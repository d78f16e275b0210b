package loadstone.conference;

import com.zaxxer.hikari.HikariDataSource;
import io.micronaut.context.annotation.Factory;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/** The parts that Micronaut does not make by itself. */
@Factory
class Wiring {

    private final HikariDataSource pool;

    Wiring(Config config) {
        this.pool = Pool.open(config);
    }

    @Singleton
    FailureLog failureLog(Config config) {
        return new FailureLog(config);
    }

    @Singleton
    Json json() {
        return new JacksonJson();
    }

    /** Micronaut Data puts another in its place, which knows of the connection that is in use. */
    @Singleton
    @Named("default")
    DataSource dataSource() {
        return pool;
    }

    @Singleton
    Database database() {
        return new Database(pool);
    }

    @Singleton
    Lookups lookups(
            Config config,
            CountryConnection connection,
            Json json,
            @Named(TaskExecutors.BLOCKING) Executor executor) {
        var breaker = new Breaker(config.hasBreaker(), System::nanoTime);
        var client =
                new CountryClient(
                        connection, json, breaker, config.retries(), config.retryInterval());
        return new Lookups(client, config, executor);
    }
}
