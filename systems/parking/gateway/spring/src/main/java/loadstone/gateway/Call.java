package loadstone.gateway;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.netty.http.server.HttpServerRequest;

/**
 * A request as the caller sent it, and what the gateway knows of it. The identity is null where no
 * token was asked for.
 */
record Call(String method, Target target, HttpHeaders fields, String requestId, Identity identity) {

    static final String REQUEST_ID = "X-Request-Id";

    /** The attribute of the exchange in which it is. */
    private static final String ATTRIBUTE = Call.class.getName();

    /** What HTTP/1.1 needs for each field besides name and value. */
    private static final int FIELD_BYTES = ": \r\n".length();

    private static final Pattern GOOD_REQUEST_ID = Pattern.compile("[A-Za-z0-9-]{8,64}");
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "PUT", "DELETE");

    static Call of(ServerHttpRequest request) {
        HttpServerRequest sent = ServerHttpRequestDecorator.getNativeRequest(request);
        var fields = new HttpHeaders();
        for (Map.Entry<String, String> field : sent.requestHeaders()) {
            fields.add(field.getKey(), field.getValue());
        }
        return new Call(
                sent.method().name(), Target.of(sent.uri()), fields, requestId(fields), null);
    }

    /** Gives the one of an exchange, or null where it came to none. */
    static Call of(ServerWebExchange exchange) {
        return exchange.getAttribute(ATTRIBUTE);
    }

    void keepIn(ServerWebExchange exchange) {
        exchange.getAttributes().put(ATTRIBUTE, this);
    }

    Call by(Identity caller) {
        return new Call(method, target, fields, requestId, caller);
    }

    private static String requestId(HttpHeaders fields) {
        List<String> ids = fields.getOrEmpty(REQUEST_ID);
        return ids.size() == 1 && GOOD_REQUEST_ID.matcher(ids.get(0)).matches()
                ? ids.get(0)
                : UUID.randomUUID().toString();
    }

    /** How large the head is, as HTTP/1.1 has it. */
    int headBytes() {
        int[] bytes = {method.length() + target.text().length()};
        fields.forEach(
                (name, values) ->
                        values.forEach(
                                value -> bytes[0] += name.length() + value.length() + FIELD_BYTES));
        return bytes[0];
    }

    boolean hasBody() {
        String length = fields.getFirst(HttpHeaders.CONTENT_LENGTH);
        return fields.containsHeader(HttpHeaders.TRANSFER_ENCODING)
                || (length != null && !length.equals("0"));
    }

    /** How long the caller says that the body is, or -1. */
    long bodyBytes() {
        return fields.getContentLength();
    }

    /** Whether the caller waits until it is told to send the body. */
    boolean isWaiting() {
        return fields.containsHeader(HttpHeaders.EXPECT);
    }

    /** Whether it does no harm to have it processed twice. */
    boolean isIdempotent() {
        return IDEMPOTENT.contains(method);
    }
}
