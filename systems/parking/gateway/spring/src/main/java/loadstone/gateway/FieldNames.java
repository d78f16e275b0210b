package loadstone.gateway;

import io.netty.handler.codec.http2.HttpConversionUtil.ExtensionHeaderNames;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.http.HttpHeaders;

/** Sets of names of fields, without case. */
final class FieldNames {

    private static final String[] OF_ONE_HOP = {
        "Connection",
        "Keep-Alive",
        "Proxy-Connection",
        "Proxy-Authenticate",
        "Proxy-Authorization",
        "TE",
        "Trailer",
        "Transfer-Encoding",
        "Upgrade"
    };

    /** What Netty's codec of HTTP/2 says of its stream in fields of its own, or would believe. */
    private static final List<String> OF_HTTP2 =
            Arrays.stream(ExtensionHeaderNames.values())
                    .map(name -> name.text().toString())
                    .toList();

    private FieldNames() {}

    static Set<String> of(String... names) {
        var set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.addAll(Arrays.asList(names));
        return set;
    }

    /** Those of a message that end with its connection, and those that its codec has made. */
    static Set<String> ending(HttpHeaders fields, Config config) {
        Set<String> names = of(OF_ONE_HOP);
        names.addAll(fields.getConnection());
        if (config.clientProtocol().isHttp2() || config.upstreamProtocol().isHttp2()) {
            names.addAll(OF_HTTP2);
        }
        return names;
    }

    /** Gives the fields but those of these names. */
    static HttpHeaders without(Set<String> names, HttpHeaders fields) {
        var rest = new HttpHeaders();
        fields.forEach(
                (name, values) -> {
                    if (!names.contains(name)) {
                        rest.addAll(name, values);
                    }
                });
        return rest;
    }
}
