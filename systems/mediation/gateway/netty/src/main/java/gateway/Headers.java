package gateway;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.HttpConversionUtil.ExtensionHeaderNames;
import java.util.ArrayList;
import java.util.List;

/** Which header fields travel on, and which of them say where a message ends. */
final class Headers {

    /** RFC 9110, section 7.6.1; the framing is not among them, since both legs share it. */
    private static final List<CharSequence> HOP_BY_HOP =
            List.of(
                    HttpHeaderNames.CONNECTION,
                    "keep-alive",
                    HttpHeaderNames.PROXY_AUTHENTICATE,
                    HttpHeaderNames.PROXY_AUTHORIZATION,
                    "proxy-connection",
                    HttpHeaderNames.TE,
                    HttpHeaderNames.TRAILER,
                    HttpHeaderNames.UPGRADE);

    private Headers() {}

    /** Takes out every hop-by-hop field but the framing. */
    static void removeHopByHop(HttpHeaders headers) {
        for (String named : namedByConnection(headers)) {
            headers.remove(named);
        }
        for (CharSequence name : HOP_BY_HOP) {
            headers.remove(name);
        }
    }

    /** Takes out what the codec of HTTP/2 says of its stream in fields of its own. */
    static void removeExtensions(HttpHeaders headers) {
        headers.remove(ExtensionHeaderNames.STREAM_ID.text());
        headers.remove(ExtensionHeaderNames.SCHEME.text());
    }

    /**
     * States the length of a request that has none stated: it is without a body, which HTTP/2 says
     * by the end of its stream.
     */
    static void frame(HttpMessage request) {
        if (!HttpUtil.isContentLengthSet(request) && !HttpUtil.isTransferEncodingChunked(request)) {
            request.headers().set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO);
        }
    }

    /**
     * Tells whether the next recipient might see the end of the message elsewhere (RFC 9112,
     * section 6.1). Where both framings are stated, the codec has refused the message already.
     */
    static boolean isAmbiguous(HttpMessage head) {
        List<String> codings = head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (codings.isEmpty()) {
            return false;
        }
        return codings.size() > 1
                || !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0).strip())
                || head.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
    }

    private static List<String> namedByConnection(HttpHeaders headers) {
        List<String> names = new ArrayList<>();
        for (String value : headers.getAll(HttpHeaderNames.CONNECTION)) {
            for (String name : value.split(",")) {
                String trimmed = name.strip();
                if (!trimmed.isEmpty() && !isFraming(trimmed)) {
                    names.add(trimmed);
                }
            }
        }
        return names;
    }

    /** A sender that names the framing among its own fields is not to break the message. */
    private static boolean isFraming(String name) {
        return HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name)
                || HttpHeaderNames.TRANSFER_ENCODING.contentEqualsIgnoreCase(name);
    }
}
