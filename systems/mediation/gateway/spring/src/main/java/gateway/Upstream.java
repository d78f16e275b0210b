package gateway;

import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.Connection;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.resources.ConnectionProvider;

/** The client of the upstream leg: one pool for the gateway's routes and the transformation. */
@Configuration(proxyBeanMethods = false)
class Upstream {

    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);
    private static final List<String> OWN_FIELDS =
            List.of(HttpHeaders.USER_AGENT, HttpHeaders.ACCEPT);
    private static final int WITHOUT_LIMIT = -1;

    /** Each carries as many requests as the upstream allows, of which a hundred is usual. */
    private static final int MOST_CONNECTIONS_OF_HTTP2 = 10;

    @Bean
    HttpClient httpClient(Config config, Tls tls) {
        HttpClient client =
                HttpClient.create(pool(config.upstreamProtocol()))
                        .protocol(config.upstreamProtocol().versions())
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                        // It would send a request again whose connection ended before an answer.
                        .disableRetry(true)
                        .doOnRequest(Upstream::removeOwnFields)
                        .doOnConnected(Http2Windows::open);
        if (tls.upstream() == null) {
            return client;
        }
        HttpClient secured = client.secure(spec -> spec.sslContext(tls.upstream()));
        return config.upstreamProtocol() == Protocol.H2
                ? secured.doOnChannelInit(Http2Agreement::require)
                : secured;
    }

    @Bean
    WebClient webClient(HttpClient httpClient, Config config) {
        return WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(httpClient))
                .baseUrl(config.upstream().toString())
                .build();
    }

    /** Puts the exchange where `removeOwnFields` finds it. */
    @Bean
    ServerWebExchangeContextFilter exchangeContext() {
        return new ServerWebExchangeContextFilter();
    }

    /** As many connections as there are exchanges, but of HTTP/2, which share them. */
    private static ConnectionProvider pool(Protocol protocol) {
        ConnectionProvider.Builder pool =
                ConnectionProvider.builder("upstream")
                        .maxConnections(Integer.MAX_VALUE)
                        .pendingAcquireMaxCount(WITHOUT_LIMIT)
                        .maxIdleTime(IDLE_TIMEOUT)
                        .lifo();
        if (protocol == Protocol.H2 || protocol == Protocol.H2C) {
            pool.allocationStrategy(
                    Http2AllocationStrategy.builder()
                            .maxConnections(MOST_CONNECTIONS_OF_HTTP2)
                            .build());
        }
        return pool.build();
    }

    /** The client says who it is and what it accepts, where the caller does not. */
    private static void removeOwnFields(HttpClientRequest request, Connection connection) {
        HttpHeaders callers =
                ServerWebExchangeContextFilter.getExchange(request.currentContextView())
                        .map(exchange -> exchange.getRequest().getHeaders())
                        .orElse(HttpHeaders.EMPTY);
        for (String name : OWN_FIELDS) {
            if (!callers.containsHeader(name)) {
                request.requestHeaders().remove(name);
            }
        }
    }
}
