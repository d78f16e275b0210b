package loadstone.conference;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.util.TimeValue;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;

/**
 * Requests on Apache's blocking client, of which Spring has its most exact pool. A thread makes one
 * at a time, and ends it. The client's own limits are for each wait of a request; the one that is
 * kept here is for all of them together.
 */
final class CountryRequests extends HttpComponentsClientHttpRequestFactory {

    /** One whose time is measured. */
    private record Limited(HttpUriRequestBase request, Future<?> limit) {}

    private final Duration timeout;
    private final PoolingHttpClientConnectionManager connections;
    private final ScheduledThreadPoolExecutor timer;
    private final ThreadLocal<Limited> current = new ThreadLocal<>();

    CountryRequests(Config config) {
        this.timeout = config.countryTimeout();
        this.connections = connections(config);
        this.timer = timer();
        setHttpClient(client(config, connections));
    }

    /** Whether the request of this thread was ended since it took too long. */
    boolean isOver() {
        Limited limited = current.get();
        return limited != null && limited.request().isCancelled();
    }

    /** Ends the request of this thread. */
    void end() {
        Limited limited = current.get();
        if (limited != null) {
            limited.limit().cancel(false);
            current.remove();
        }
    }

    /** Closes the connections that nothing is on: where one broke they most likely did as well. */
    void closeIdle() {
        connections.closeIdle(TimeValue.ZERO_MILLISECONDS);
    }

    @Override
    protected void postProcessHttpRequest(ClassicHttpRequest request) {
        var cancellable = (HttpUriRequestBase) request;
        Future<?> limit =
                timer.schedule(cancellable::cancel, timeout.toNanos(), TimeUnit.NANOSECONDS);
        current.set(new Limited(cancellable, limit));
    }

    private static PoolingHttpClientConnectionManager connections(Config config) {
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(config.countryConnections())
                .setMaxConnPerRoute(config.countryConnections())
                .setDefaultConnectionConfig(
                        ConnectionConfig.custom()
                                .setConnectTimeout(
                                        config.countryTimeout().toMillis(), TimeUnit.MILLISECONDS)
                                .build())
                .build();
    }

    /** Nothing is asked twice, followed, unpacked or kept of an answer. */
    private static CloseableHttpClient client(
            Config config, PoolingHttpClientConnectionManager connections) {
        long millis = config.countryTimeout().toMillis();
        return HttpClients.custom()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(
                        RequestConfig.custom()
                                .setConnectionRequestTimeout(millis, TimeUnit.MILLISECONDS)
                                .setProtocolUpgradeEnabled(false)
                                .build())
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableContentCompression()
                .disableCookieManagement()
                .disableAuthCaching()
                .build();
    }

    private static ScheduledThreadPoolExecutor timer() {
        var timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        work -> {
                            var thread = new Thread(work, "lookup-timer");
                            thread.setDaemon(true);
                            return thread;
                        });
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }
}
