package gateway;

import io.netty.handler.ssl.ApplicationProtocolNames;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What is spoken on a leg, and what is offered or accepted for it by ALPN. */
enum Protocol {
    H1C("h1c"),
    H1("h1", ApplicationProtocolNames.HTTP_1_1),
    H2C("h2c"),
    H2("h2", ApplicationProtocolNames.HTTP_2),
    H2_DOWNGRADE(
            "h2-downgrade", ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);

    private final String text;
    private final List<String> applicationProtocols;

    Protocol(String text, String... applicationProtocols) {
        this.text = text;
        this.applicationProtocols = List.of(applicationProtocols);
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

    /** The names for ALPN, the preferred one first; empty on a leg without TLS. */
    List<String> applicationProtocols() {
        return applicationProtocols;
    }

    boolean isTls() {
        return !applicationProtocols.isEmpty();
    }

    /** Whether HTTP/2 is spoken, or may be. */
    boolean mayBeHttp2() {
        return this != H1C && this != H1;
    }

    String scheme() {
        return isTls() ? "https" : "http";
    }
}
