package loadstone.booking;

import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.accept.FixedContentNegotiationStrategy;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The leg of the callers: what Tomcat lets through to the operations. */
@Configuration(proxyBeanMethods = false)
class Server implements WebMvcConfigurer {

    /** All that Tomcat would refuse by itself in a path or a query, and not with a problem. */
    private static final String RELAXED = "\"<>[\\]^`{|}";

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> legOfCallers() {
        return factory -> {
            factory.setProtocol(CallerProtocol.class.getName());
            factory.addConnectorCustomizers(Server::relax);
            factory.addContextCustomizers(
                    context ->
                            ((StandardHost) context.getParent())
                                    .setErrorReportValveClass(ProblemValve.class.getName()));
        };
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
