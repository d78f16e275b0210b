package loadstone.gateway;

import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;

/** The leg to the service: the client of the gateway's route. */
@Configuration(proxyBeanMethods = false)
class Upstream {

    /** Of a connection, and of its handshake. */
    private static final Duration CONNECT = Duration.ofSeconds(1);

    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);

    /** How often it is looked which connections were idle for so long. */
    private static final Duration EVICTION_INTERVAL = Duration.ofSeconds(1);

    /** Of an answer: above what the service would send. */
    private static final int MOST_HEAD_BYTES = 64 << 10;

    private static final List<String> OWN_FIELDS =
            List.of(HttpHeaders.USER_AGENT, HttpHeaders.ACCEPT);
    private static final int WITHOUT_LIMIT = -1;

    /** Each carries as many requests as the service allows, of which a hundred is usual. */
    private static final int MOST_CONNECTIONS_OF_HTTP2 = 10;

    @Bean
    HttpClient httpClient(Config config, Tls tls) {
        HttpClient client =
                HttpClient.create(pool(config))
                        .protocol(config.upstreamProtocol().version())
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT.toMillis())
                        .resolver(DefaultAddressResolverGroup.INSTANCE)
                        .httpResponseDecoder(spec -> spec.maxHeaderSize(MOST_HEAD_BYTES))
                        // It would send a request again whose connection ended before an answer.
                        .disableRetry(true)
                        // Its clock begins behind the request, and ends with the answer.
                        .responseTimeout(config.upstreamTimeout())
                        .doOnRequest(Upstream::begin)
                        .doOnResponse(Upstream::stopClock)
                        .doOnConnected(Http2Windows::open);
        if (tls.upstream() == null) {
            return client;
        }
        HttpClient secured =
                client.secure(spec -> spec.sslContext(tls.upstream()).handshakeTimeout(CONNECT));
        return config.upstreamProtocol().isHttp2()
                ? secured.doOnChannelInit(Http2Agreement::require)
                : secured;
    }

    /** As many connections as there are requests, but of HTTP/2, which share them. */
    private static ConnectionProvider pool(Config config) {
        ConnectionProvider.Builder pool =
                ConnectionProvider.builder("upstream")
                        .maxConnections(Integer.MAX_VALUE)
                        .pendingAcquireMaxCount(WITHOUT_LIMIT)
                        .pendingAcquireTimeout(config.upstreamTimeout())
                        .maxIdleTime(IDLE_TIMEOUT)
                        .evictInBackground(EVICTION_INTERVAL)
                        .lifo();
        if (config.upstreamProtocol().isHttp2()) {
            pool.allocationStrategy(
                    Http2AllocationStrategy.builder()
                            .maxConnections(MOST_CONNECTIONS_OF_HTTP2)
                            .build());
        }
        return pool.build();
    }

    private static void begin(HttpClientRequest request, Connection connection) {
        Attempt attempt = request.currentContextView().get(Attempt.class);
        attempt.connected();
        if (connection.channel() instanceof Http2StreamChannel stream) {
            stream.pipeline().addFirst(new Http2Frames(attempt));
        }
        // The client says who it is and what it accepts, where the caller does not.
        for (String name : OWN_FIELDS) {
            if (!attempt.call().fields().containsHeader(name)) {
                request.requestHeaders().remove(name);
            }
        }
    }

    /** The head is there in time: its body may take as long as it does. */
    private static void stopClock(HttpClientResponse response, Connection connection) {
        ChannelPipeline pipeline = connection.channel().pipeline();
        if (pipeline.get(NettyPipeline.ResponseTimeoutHandler) != null) {
            pipeline.remove(NettyPipeline.ResponseTimeoutHandler);
        }
    }
}
