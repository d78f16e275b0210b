package loadstone.gateway;

import java.util.concurrent.atomic.AtomicLong;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;

/** A request on its way to the service: its body has a limit, and without one nothing is read. */
final class ForwardedRequest extends ServerHttpRequestDecorator {

    static final int MOST_BODY_BYTES = 1 << 20;

    /** The attribute of the exchange that says that the body is being read. */
    private static final String TAKEN = ForwardedRequest.class.getName();

    private final ServerWebExchange exchange;
    private final Call call;
    private final HttpHeaders fields;

    ForwardedRequest(ServerWebExchange exchange, Call call) {
        super(exchange.getRequest());
        this.exchange = exchange;
        this.call = call;
        this.fields = withoutPreflight(call);
    }

    /** Whether the body of an exchange has been read, or some of it. */
    static boolean isTaken(ServerWebExchange exchange) {
        return exchange.getAttribute(TAKEN) != null;
    }

    /** Spring would answer a preflight by itself, whatever its origin. */
    private static HttpHeaders withoutPreflight(Call call) {
        if (!call.fields().containsHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD)) {
            return call.fields();
        }
        HttpHeaders fields = HttpHeaders.copyOf(call.fields());
        fields.remove(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
        return fields;
    }

    @Override
    public HttpHeaders getHeaders() {
        return fields;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        if (!call.hasBody()) {
            return Flux.empty();
        }
        return Flux.defer(
                () -> {
                    exchange.getAttributes().put(TAKEN, true);
                    var bytes = new AtomicLong();
                    return super.getBody()
                            // It is the caller's failure: the instance did nothing.
                            .onErrorMap(failure -> new Refusal(Problem.MALFORMED))
                            .<DataBuffer>handle((part, parts) -> limit(part, bytes, parts));
                });
    }

    private static void limit(
            DataBuffer part, AtomicLong bytes, SynchronousSink<DataBuffer> parts) {
        if (bytes.addAndGet(part.readableByteCount()) <= MOST_BODY_BYTES) {
            parts.next(part);
        } else {
            DataBufferUtils.release(part);
            parts.error(new Refusal(Problem.TOO_LARGE));
        }
    }
}
