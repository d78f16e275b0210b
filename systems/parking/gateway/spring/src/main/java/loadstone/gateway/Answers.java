package loadstone.gateway;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.netty.channel.ChannelOperations;

/** What the gateway answers itself. */
@Component
class Answers {

    /** Of a body that nobody asked for, so that the connection can be used again. */
    private static final int MOST_DROPPED_BYTES = 64 << 10;

    private static final Duration MOST_DROPPING = Duration.ofSeconds(1);

    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";
    private static final byte[] UP = "{\"status\":\"up\"}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};

    private final OwnFields own;
    private final Origins origins;

    Answers(OwnFields own, Origins origins) {
        this.own = own;
        this.origins = origins;
    }

    Mono<Void> up(ServerWebExchange exchange) {
        return write(
                exchange, HttpStatus.OK, UP, fields -> fields.set(HttpHeaders.CONTENT_TYPE, JSON));
    }

    Mono<Void> preflight(ServerWebExchange exchange) {
        return write(
                exchange,
                HttpStatus.NO_CONTENT,
                NOTHING,
                fields -> {
                    fields.remove(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS);
                    origins.allow(fields);
                });
    }

    Mono<Void> refuse(ServerWebExchange exchange, Problem problem) {
        HttpStatusCode status = HttpStatusCode.valueOf(problem.status());
        return write(exchange, status, problem.json(), fields -> describe(fields, problem));
    }

    private static void describe(HttpHeaders fields, Problem problem) {
        fields.set(HttpHeaders.CONTENT_TYPE, PROBLEM);
        if (problem.isChallenge()) {
            fields.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        if (problem == Problem.METHOD_NOT_ALLOWED) {
            fields.set(HttpHeaders.ALLOW, "GET");
        }
        if (problem == Problem.UNAVAILABLE) {
            fields.set(HttpHeaders.RETRY_AFTER, "1");
        }
    }

    private Mono<Void> write(
            ServerWebExchange exchange,
            HttpStatusCode status,
            byte[] body,
            Consumer<HttpHeaders> more) {
        return dropBody(exchange).then(Mono.defer(() -> writeNow(exchange, status, body, more)));
    }

    private Mono<Void> writeNow(
            ServerWebExchange exchange,
            HttpStatusCode status,
            byte[] body,
            Consumer<HttpHeaders> more) {
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(status);
        HttpHeaders fields = response.getHeaders();
        fields.clear();
        fields.set(HttpHeaders.CACHE_CONTROL, "no-store");
        int port = exchange.getRequest().getLocalAddress().getPort();
        fields.set("X-Instance-Id", "gateway-" + port);
        Call call = Call.of(exchange);
        if (call != null) {
            own.set(fields, call);
        }
        more.accept(fields);
        if (!caller(exchange).isInboundDisposed()) {
            // What is left of the request is not read, so the connection cannot carry another one.
            fields.setConnection("close");
        }
        if (body.length == 0) {
            return response.setComplete();
        }
        fields.setContentLength(body.length);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }

    /** Reads the body to its end, where there is not much of it, and nobody has begun with it. */
    private static Mono<Void> dropBody(ServerWebExchange exchange) {
        Call call = Call.of(exchange);
        if (call == null
                || call.isWaiting()
                || call.bodyBytes() > MOST_DROPPED_BYTES
                || ForwardedRequest.isTaken(exchange)) {
            return Mono.empty();
        }
        var bytes = new AtomicLong();
        return exchange.getRequest()
                .getBody()
                .takeUntil(part -> drop(part, bytes) > MOST_DROPPED_BYTES)
                .then()
                .timeout(MOST_DROPPING)
                .onErrorComplete();
    }

    /** Gives how many bytes were dropped so far. */
    private static long drop(DataBuffer part, AtomicLong bytes) {
        long sum = bytes.addAndGet(part.readableByteCount());
        DataBufferUtils.release(part);
        return sum;
    }

    /** The caller's side of an exchange. */
    static ChannelOperations<?, ?> caller(ServerWebExchange exchange) {
        return ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest());
    }
}
