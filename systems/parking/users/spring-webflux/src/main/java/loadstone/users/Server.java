package loadstone.users;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import java.net.SocketAddress;
import java.time.Duration;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.accept.RequestedContentTypeResolverBuilder;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import reactor.netty.ConnectionObserver;
import reactor.netty.NettyPipeline;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;

/** The leg of the callers: what Reactor Netty speaks, and lets through to the operations. */
@Configuration(proxyBeanMethods = false)
class Server implements WebFluxConfigurer {

    /** Above the users of any workload, so that none is refused while the event loop is busy. */
    private static final int BACKLOG = 1024;

    /** The gateway passes heads of up to 15 KiB on, and adds to them. */
    private static final int MOST_HEAD_BYTES = 32 << 10;

    /** A gateway resets streams for all its callers that leave: that is no attack of its own. */
    private static final int MOST_RESETS = 1_000_000;

    private static final int RESETS_SECONDS = 30;

    /** Of a caller that sends nothing. */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(75);

    @Bean
    NettyServerCustomizer legOfCallers(Config config, Tls tls) {
        return server -> {
            HttpServer own =
                    server.protocol(version(config.protocol()))
                            .option(ChannelOption.SO_BACKLOG, BACKLOG)
                            .childOption(ChannelOption.TCP_NODELAY, true)
                            .idleTimeout(IDLE_TIMEOUT)
                            .httpRequestDecoder(
                                    decoder ->
                                            decoder.maxInitialLineLength(MOST_HEAD_BYTES)
                                                    .maxHeaderSize(MOST_HEAD_BYTES))
                            .doOnChannelInit(Server::refine);
            if (config.protocol().isHttp2()) {
                own =
                        own.http2Settings(
                                        settings ->
                                                settings.maxConcurrentStreams(
                                                                Http2Windows.MOST_STREAMS)
                                                        .maxHeaderListSize(2 * MOST_HEAD_BYTES)
                                                        .maxDecodedRstFramesPerWindow(
                                                                MOST_RESETS, RESETS_SECONDS))
                                .doOnConnection(Http2Windows::open);
            }
            return tls.callers() == null ? own : own.secure(spec -> spec.sslContext(tls.callers()));
        };
    }

    private static HttpProtocol version(Protocol protocol) {
        return switch (protocol) {
            case H1C, H1 -> HttpProtocol.HTTP11;
            case H2C -> HttpProtocol.H2C;
            case H2 -> HttpProtocol.H2;
        };
    }

    private static void refine(ConnectionObserver observer, Channel channel, SocketAddress from) {
        ChannelPipeline pipeline = channel.pipeline();
        if (pipeline.get(NettyPipeline.HttpTrafficHandler) != null) {
            pipeline.addBefore(NettyPipeline.HttpTrafficHandler, null, new Refinement());
        } else {
            pipeline.addBefore(NettyPipeline.H2MultiplexHandler, null, new Http2Targets());
        }
    }

    /** `Accept` is ignored. */
    @Override
    public void configureContentTypeResolver(RequestedContentTypeResolverBuilder builder) {
        builder.fixedResolver(MediaType.APPLICATION_JSON);
    }
}
