package loadstone.conference;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts that Spring does not make by itself. */
@Configuration(proxyBeanMethods = false)
class Wiring {

    private static final long IDLE_THREAD_SECONDS = 60;

    @Bean
    FailureLog failureLog(Config config) {
        return new FailureLog(config);
    }

    @Bean
    Json json() {
        return new JacksonJson();
    }

    @Bean
    HikariDataSource dataSource(Config config) {
        return Pool.open(config);
    }

    @Bean
    Database database(HikariDataSource pool) {
        return new Database(pool);
    }

    @Bean
    Lookups lookups(Config config, CountryConnection connection, Json json) {
        var breaker = new Breaker(config.hasBreaker(), System::nanoTime);
        var client =
                new CountryClient(
                        connection, json, breaker, config.retries(), config.retryInterval());
        return new Lookups(client, config, lookupThreads(config.countryConnections()));
    }

    /** Threads wait for answers, so there are as many as there are connections. */
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
