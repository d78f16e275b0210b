package gateway;

import java.util.List;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/** Which header fields travel on: what the filters of the gateway's routes leave. */
@Configuration(proxyBeanMethods = false)
class Headers {

    /** Those that end fields of other proxies: end-to-end fields, as all that it does not know. */
    private static final List<String> UNWANTED =
            List.of("removeForwardedHeadersFilter", "removeXForwardedHeadersFilter");

    private final List<HttpHeadersFilter> filters;

    Headers(List<HttpHeadersFilter> filters) {
        this.filters = filters;
    }

    /** The gateway has no property that leaves these fields as they are. */
    @Bean
    static BeanDefinitionRegistryPostProcessor unwantedFilters() {
        return registry ->
                UNWANTED.stream()
                        .filter(registry::containsBeanDefinition)
                        .forEach(registry::removeBeanDefinition);
    }

    /** The fields of an answer, for the transformation as for the routes. */
    HttpHeaders ofAnswer(HttpHeaders fields, ServerWebExchange exchange) {
        return HttpHeadersFilter.filter(filters, fields, exchange, HttpHeadersFilter.Type.RESPONSE);
    }
}
