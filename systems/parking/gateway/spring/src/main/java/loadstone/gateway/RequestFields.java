package loadstone.gateway;

import java.net.InetSocketAddress;
import java.util.Set;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/** Which fields of a request pass on, and which the gateway sets. */
@Component
class RequestFields implements HttpHeadersFilter {

    private static final String USER_ID = "X-User-Id";
    private static final String USER_ROLE = "X-User-Role";
    private static final String FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED_PROTO = "X-Forwarded-Proto";
    private static final String FORWARDED_HOST = "X-Forwarded-Host";

    /** What ends here besides: what the gateway alone may say, and what it has met by itself. */
    private static final Set<String> OF_GATEWAY =
            FieldNames.of(
                    HttpHeaders.AUTHORIZATION,
                    HttpHeaders.EXPECT,
                    USER_ID,
                    USER_ROLE,
                    FORWARDED_FOR,
                    FORWARDED_PROTO,
                    FORWARDED_HOST,
                    Call.REQUEST_ID);

    /** Without a body these say nothing of it. */
    private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD", "DELETE");

    private final Config config;

    RequestFields(Config config) {
        this.config = config;
    }

    @Override
    public boolean supports(Type type) {
        return type == Type.REQUEST;
    }

    @Override
    public HttpHeaders filter(HttpHeaders fields, ServerWebExchange exchange) {
        Call call = Call.of(exchange);
        InetSocketAddress caller = exchange.getRequest().getRemoteAddress();
        return of(call, caller == null ? null : caller.getAddress().getHostAddress(), config);
    }

    /** Gives the fields for the service; the address of the caller may be null. */
    static HttpHeaders of(Call call, String address, Config config) {
        Set<String> ending = FieldNames.ending(call.fields(), config);
        ending.addAll(OF_GATEWAY);
        HttpHeaders passing = FieldNames.without(ending, call.fields());
        if (call.identity() != null) {
            passing.set(USER_ID, call.identity().id());
            passing.set(USER_ROLE, call.identity().role());
        }
        passing.set(Call.REQUEST_ID, call.requestId());
        setIfKnown(passing, FORWARDED_FOR, address);
        passing.set(FORWARDED_PROTO, config.clientProtocol().scheme());
        setIfKnown(passing, FORWARDED_HOST, call.fields().getFirst(HttpHeaders.HOST));
        frame(passing, call);
        return passing;
    }

    private static void setIfKnown(HttpHeaders fields, String name, String value) {
        if (value != null) {
            fields.set(name, value);
        }
    }

    /** Says how the body is framed on the gateway's own leg. */
    private static void frame(HttpHeaders fields, Call call) {
        if (fields.containsHeader(HttpHeaders.CONTENT_LENGTH)) {
            return;
        }
        if (call.hasBody()) {
            fields.set(HttpHeaders.TRANSFER_ENCODING, "chunked");
        } else if (!WITHOUT_BODY.contains(call.method())) {
            fields.setContentLength(0);
        }
    }
}
