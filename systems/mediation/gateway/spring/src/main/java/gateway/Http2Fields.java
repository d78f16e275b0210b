package gateway;

import io.netty.handler.codec.http2.HttpConversionUtil.ExtensionHeaderNames;
import java.util.List;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/** Takes out what Netty's codec of HTTP/2 says of its stream in fields of its own. */
@Component
class Http2Fields implements HttpHeadersFilter {

    private static final List<String> NAMES =
            List.of(
                    ExtensionHeaderNames.STREAM_ID.text().toString(),
                    ExtensionHeaderNames.SCHEME.text().toString());

    private final Config config;

    Http2Fields(Config config) {
        this.config = config;
    }

    @Override
    public HttpHeaders filter(HttpHeaders fields, ServerWebExchange exchange) {
        HttpHeaders rest = HttpHeaders.copyOf(fields);
        NAMES.forEach(rest::remove);
        return rest;
    }

    @Override
    public boolean supports(Type type) {
        return switch (type) {
            case REQUEST -> config.clientProtocol().mayBeHttp2();
            case RESPONSE -> config.upstreamProtocol().mayBeHttp2();
            default -> false;
        };
    }
}
