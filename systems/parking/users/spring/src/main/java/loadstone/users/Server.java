package loadstone.users;

import java.time.Duration;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.accept.FixedContentNegotiationStrategy;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The leg of the callers: what Tomcat speaks, and lets through to the operations. */
@Configuration(proxyBeanMethods = false)
class Server implements WebMvcConfigurer {

    /** All that Tomcat would refuse by itself in a path or a query, and not with a problem. */
    private static final String RELAXED = "\"<>[\\]^`{|}";

    private static final String BUNDLE = "callers";

    /** On one connection of HTTP/2. */
    private static final int MOST_STREAMS = 100;

    private static final Duration KEPT = Duration.ofSeconds(75);

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> legOfCallers(Config config, Tls tls) {
        return factory -> {
            factory.setProtocol(CallerProtocol.class.getName());
            factory.addConnectorCustomizers(Server::relax);
            if (config.protocol().isHttp2()) {
                factory.addConnectorCustomizers(connector -> connector.addUpgradeProtocol(http2()));
            }
            if (tls.bundle() != null) {
                var bundles = new DefaultSslBundleRegistry();
                bundles.registerBundle(BUNDLE, tls.bundle());
                factory.setSslBundles(bundles);
                factory.setSsl(Ssl.forBundle(BUNDLE));
            }
            factory.addContextCustomizers(
                    context ->
                            ((StandardHost) context.getParent())
                                    .setErrorReportValveClass(ProblemValve.class.getName()));
        };
    }

    private static Http2Protocol http2() {
        var protocol = new Http2Protocol();
        protocol.setMaxConcurrentStreams(MOST_STREAMS);
        // By itself it computes the answers to 20 of them at the same time.
        protocol.setMaxConcurrentStreamExecution(MOST_STREAMS);
        protocol.setKeepAliveTimeout(KEPT.toMillis());
        // A gateway resets streams for all its callers that leave: that is no attack of its own.
        protocol.setOverheadResetFactor(0);
        // Nor is a body that comes in small parts, which it passes on as they come.
        protocol.setOverheadDataThreshold(0);
        protocol.setOverheadWindowUpdateThreshold(0);
        return protocol;
    }

    private static void relax(Connector connector) {
        connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
        connector.setEncodedReverseSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
        connector.setAllowTrace(true);
        connector.setProperty("relaxedPathChars", RELAXED);
        connector.setProperty("relaxedQueryChars", RELAXED);
    }

    /** `Accept` is ignored. */
    @Override
    public void configureContentNegotiation(ContentNegotiationConfigurer configurer) {
        configurer.strategies(
                List.of(new FixedContentNegotiationStrategy(MediaType.APPLICATION_JSON)));
    }
}
