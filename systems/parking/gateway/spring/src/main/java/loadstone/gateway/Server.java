package loadstone.gateway;

import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.http.server.HttpServer;

/** The leg of the callers: what Spring's server speaks there. */
@Configuration(proxyBeanMethods = false)
class Server {

    /** Above the users of any workload, so that none is refused while the event loop is busy. */
    private static final int BACKLOG = 1024;

    /** Longer than any pause between two requests of a load. */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(75);

    /** On HTTP/2, as that counts it. */
    private static final int MOST_HEAD_BYTES = 64 << 10;

    @Bean
    NettyServerCustomizer legOfCallers(Config config, Tls tls) {
        return server -> {
            HttpServer pinned =
                    server.bindAddress(() -> new InetSocketAddress(config.host(), config.port()))
                            .protocol(config.clientProtocol().versionsOfServer())
                            .option(ChannelOption.SO_BACKLOG, BACKLOG)
                            .idleTimeout(IDLE_TIMEOUT)
                            .doOnChannelInit(StrictHttp1::install);
            if (config.clientProtocol().isHttp2()) {
                pinned =
                        pinned.http2Settings(
                                        settings ->
                                                settings.maxConcurrentStreams(
                                                                Http2Windows.MOST_STREAMS)
                                                        .maxHeaderListSize(MOST_HEAD_BYTES))
                                .doOnConnection(Http2Windows::open);
            }
            return tls.callers() == null
                    ? pinned
                    : pinned.secure(spec -> spec.sslContext(tls.callers()));
        };
    }
}
