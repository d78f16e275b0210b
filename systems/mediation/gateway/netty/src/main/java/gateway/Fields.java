package gateway;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;

/** Header fields that end at a gateway (RFC 9110, section 7.6.1). */
final class Fields {

    private static final String KEEP_ALIVE = "keep-alive";
    private static final String PROXY_CONNECTION = "proxy-connection";

    private Fields() {}

    /** Takes out every hop-by-hop field but the framing of the message, which both legs share. */
    static void removeHopByHop(HttpHeaders headers) {
        for (String named : namedByConnection(headers)) {
            headers.remove(named);
        }
        headers.remove(HttpHeaderNames.CONNECTION);
        headers.remove(KEEP_ALIVE);
        headers.remove(PROXY_CONNECTION);
        headers.remove(HttpHeaderNames.TE);
        headers.remove(HttpHeaderNames.UPGRADE);
    }

    private static List<String> namedByConnection(HttpHeaders headers) {
        List<String> names = new ArrayList<>();
        for (String value : headers.getAll(HttpHeaderNames.CONNECTION)) {
            for (String name : value.split(",")) {
                String trimmed = name.trim();
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
