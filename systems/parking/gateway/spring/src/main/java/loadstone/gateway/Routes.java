package loadstone.gateway;

import java.util.List;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The one route: what comes as far as this is the service's. */
@Configuration(proxyBeanMethods = false)
class Routes {

    /**
     * Filters of Spring Cloud Gateway that no property leaves out: of fields, of which the gateway
     * has rules of its own, and of the address, which Attempts chooses.
     */
    private static final List<String> UNWANTED =
            List.of(
                    "removeForwardedHeadersFilter",
                    "removeXForwardedHeadersFilter",
                    "removeHopByHopHeadersFilter",
                    "transferEncodingNormalizationHeadersFilter",
                    "gRPCRequestHeadersFilter",
                    "gRPCResponseHeadersFilter",
                    "routeToRequestUrlFilter",
                    "websocketRoutingFilter");

    @Bean
    RouteLocator users(RouteLocatorBuilder routes) {
        return routes.routes()
                .route("users", route -> route.predicate(exchange -> true).uri("http://users"))
                .build();
    }

    @Bean
    static BeanDefinitionRegistryPostProcessor unwantedFilters() {
        return registry ->
                UNWANTED.stream()
                        .filter(registry::containsBeanDefinition)
                        .forEach(registry::removeBeanDefinition);
    }
}
