package gateway;

import static org.springframework.web.reactive.function.server.RequestPredicates.method;
import static org.springframework.web.reactive.function.server.RouterFunctions.route;

import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * The routes. Paths are compared as they are written: a pattern of Spring's would decode them, and
 * pass over parameters.
 */
@Configuration(proxyBeanMethods = false)
class Gateway {

    static final String UPSTREAM_PATH = "/service/EchoService";

    private static final String PASSTHROUGH = "/passthrough";
    private static final String TRANSFORM = "/transform";

    /** The scenario pass-through, whose work is all that of Spring Cloud Gateway. */
    @Bean
    RouteLocator passthrough(RouteLocatorBuilder routes, Config config) {
        return routes.routes()
                .route(
                        "passthrough",
                        route ->
                                route.predicate(exchange -> isPassthrough(exchange.getRequest()))
                                        .filters(
                                                filters ->
                                                        filters.removeRequestHeader("Expect")
                                                                .setPath(UPSTREAM_PATH))
                                        .uri(config.upstream()))
                .build();
    }

    /** All the rest: a function that fits is asked before the gateway's routes are. */
    @Bean
    RouterFunction<ServerResponse> functions(Transform transform) {
        RequestPredicate isPost = method(HttpMethod.POST);
        RequestPredicate isPassthrough = path(PASSTHROUGH);
        RequestPredicate isTransform = path(TRANSFORM);
        return route(isTransform.and(isPost), transform::handle)
                .andRoute(
                        isTransform.or(isPassthrough.and(isPost.negate())),
                        request ->
                                refuse(
                                        request,
                                        ServerResponse.status(HttpStatus.METHOD_NOT_ALLOWED)
                                                .allow(HttpMethod.POST),
                                        "only POST"))
                .andRoute(
                        isPassthrough.negate(),
                        request ->
                                refuse(
                                        request,
                                        ServerResponse.status(HttpStatus.NOT_FOUND),
                                        "no such path"));
    }

    /**
     * Reads the request to its end first: the server does not always come to the next one on a
     * connection where it answers before.
     */
    private static Mono<ServerResponse> refuse(
            ServerRequest request, ServerResponse.BodyBuilder response, String text) {
        return request.exchange()
                .getRequest()
                .getBody()
                .doOnNext(DataBufferUtils::release)
                .then(response.contentType(MediaType.TEXT_PLAIN).bodyValue(text + "\n"));
    }

    private static boolean isPassthrough(ServerHttpRequest request) {
        return request.getMethod() == HttpMethod.POST
                && request.getURI().getRawPath().equals(PASSTHROUGH);
    }

    private static RequestPredicate path(String exact) {
        return request -> request.uri().getRawPath().equals(exact);
    }
}
