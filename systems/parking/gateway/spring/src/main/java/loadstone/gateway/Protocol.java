package loadstone.gateway;

import java.util.Arrays;
import java.util.List;
import reactor.netty.http.HttpProtocol;

/** What is spoken on a leg. */
enum Protocol {
    H1C("h1c", false, HttpProtocol.HTTP11),
    H1("h1", true, HttpProtocol.HTTP11),
    H2C("h2c", false, HttpProtocol.H2C),
    H2("h2", true, HttpProtocol.H2);

    private final String text;
    private final boolean isTls;
    private final HttpProtocol version;

    Protocol(String text, boolean isTls, HttpProtocol version) {
        this.text = text;
        this.isTls = isTls;
        this.version = version;
    }

    static List<String> names() {
        return Arrays.stream(values()).map(each -> each.text).toList();
    }

    /** Gives the one of a name that there is. */
    static Protocol of(String text) {
        return values()[names().indexOf(text)];
    }

    /** What to ask of a service. */
    HttpProtocol version() {
        return version;
    }

    /** What to serve callers with, the preferred version first. */
    HttpProtocol[] versionsOfServer() {
        return this == H2
                ? new HttpProtocol[] {HttpProtocol.H2, HttpProtocol.HTTP11}
                : new HttpProtocol[] {version};
    }

    boolean isTls() {
        return isTls;
    }

    boolean isHttp2() {
        return this == H2C || this == H2;
    }

    String scheme() {
        return isTls ? "https" : "http";
    }
}
