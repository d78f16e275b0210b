package loadstone.booking;

import io.netty.channel.ChannelOption;
import java.time.Duration;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.accept.RequestedContentTypeResolverBuilder;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import reactor.netty.NettyPipeline;

/** The leg of the callers: what Reactor Netty lets through to the operations. */
@Configuration(proxyBeanMethods = false)
class Server implements WebFluxConfigurer {

    /** Above the users of any workload, so that none is refused while the event loop is busy. */
    private static final int BACKLOG = 1024;

    private static final int MOST_BYTES_OF_LINE = 8_192;

    /** Of a caller that sends nothing. */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(75);

    @Bean
    NettyServerCustomizer legOfCallers() {
        return server ->
                server.option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .idleTimeout(IDLE_TIMEOUT)
                        .httpRequestDecoder(
                                decoder -> decoder.maxInitialLineLength(MOST_BYTES_OF_LINE))
                        .doOnChannelInit(
                                (observer, channel, address) ->
                                        channel.pipeline()
                                                .addBefore(
                                                        NettyPipeline.HttpTrafficHandler,
                                                        null,
                                                        new Refinement()));
    }

    /** `Accept` is ignored. */
    @Override
    public void configureContentTypeResolver(RequestedContentTypeResolverBuilder builder) {
        builder.fixedResolver(MediaType.APPLICATION_JSON);
    }
}
