package gateway;

import java.nio.charset.StandardCharsets;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import reactor.netty.channel.ChannelOperations;

/** What callers are told of a failure, in plain text, before Spring would say it in JSON. */
@Component
@Order(Failures.BEFORE_SPRING)
class Failures implements WebExceptionHandler {

    /** Spring Boot's own handler has -1. */
    static final int BEFORE_SPRING = -2;

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (failure instanceof Conversion.Refused) {
            return refuse(exchange, HttpStatus.BAD_REQUEST, failure.getMessage());
        }
        if (failure instanceof DataBufferLimitException) {
            return refuse(exchange, HttpStatus.CONTENT_TOO_LARGE, "more than 1 MiB");
        }
        if (caller(exchange).channel().isActive()) {
            System.err.println("gateway: upstream failed: " + reason(failure));
        }
        return exchange.getResponse().isCommitted()
                ? Mono.error(failure) // the server breaks the message off
                : refuse(exchange, HttpStatus.BAD_GATEWAY, "the upstream failed");
    }

    private static Mono<Void> refuse(ServerWebExchange exchange, HttpStatus status, String text) {
        byte[] line = (text + "\n").getBytes(StandardCharsets.US_ASCII);
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(status);
        HttpHeaders headers = response.getHeaders();
        headers.clear();
        headers.setContentType(MediaType.TEXT_PLAIN);
        headers.setContentLength(line.length);
        if (!caller(exchange).isInboundDisposed()) {
            // What is left of the request is not read, so the connection cannot carry another one.
            headers.setConnection("close");
        }
        return response.writeWith(Mono.just(response.bufferFactory().wrap(line)));
    }

    private static ChannelOperations<?, ?> caller(ServerWebExchange exchange) {
        return ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest());
    }

    private static String reason(Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return message.lines().findFirst().orElse(failure.toString());
    }
}
