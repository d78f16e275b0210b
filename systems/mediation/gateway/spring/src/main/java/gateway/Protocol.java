package gateway;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import reactor.netty.http.HttpProtocol;

/** What is spoken on a leg. */
enum Protocol {
    H1C("h1c", false, HttpProtocol.HTTP11),
    H1("h1", true, HttpProtocol.HTTP11),
    H2C("h2c", false, HttpProtocol.H2C),
    H2("h2", true, HttpProtocol.H2),
    H2_DOWNGRADE("h2-downgrade", true, HttpProtocol.H2, HttpProtocol.HTTP11);

    private final String text;
    private final boolean isTls;
    private final List<HttpProtocol> versions;

    Protocol(String text, boolean isTls, HttpProtocol... versions) {
        this.text = text;
        this.isTls = isTls;
        this.versions = List.of(versions);
    }

    /** Reads the name; null: there is no such protocol. */
    static Protocol of(String text) {
        for (Protocol protocol : values()) {
            if (protocol.text.equals(text)) {
                return protocol;
            }
        }
        return null;
    }

    static String names() {
        return Arrays.stream(values()).map(each -> each.text).collect(Collectors.joining(", "));
    }

    /** What to tell Reactor Netty, the preferred version first. */
    HttpProtocol[] versions() {
        return versions.toArray(new HttpProtocol[0]);
    }

    boolean isTls() {
        return isTls;
    }

    /** Whether HTTP/2 is spoken, or may be. */
    boolean mayBeHttp2() {
        return this != H1C && this != H1;
    }

    String scheme() {
        return isTls ? "https" : "http";
    }
}
